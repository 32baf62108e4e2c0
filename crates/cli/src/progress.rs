//! A line that says what is going on, for people only.

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};

/// Shows one line on standard error while it is a terminal; otherwise nothing.
pub(crate) struct Progress {
    /// Whether there is anybody to see it.
    seen: bool,
    /// Whether a line stands there.
    stands: Cell<bool>,
}

impl Progress {
    /// Nothing is shown yet.
    pub(crate) fn new() -> Self {
        Progress { seen: io::stderr().is_terminal(), stands: Cell::new(false) }
    }

    /// Shows a text in place of the one before.
    pub(crate) fn show(&self, text: &str) {
        self.write(&format!("\r\x1b[K{text} ..."));
        self.stands.set(true);
    }

    /// Removes the line, if there is one.
    pub(crate) fn clear(&self) {
        if self.stands.take() {
            self.write("\r\x1b[K");
        }
    }

    fn write(&self, text: &str) {
        if self.seen {
            // Nothing depends on whether this arrives.
            let mut stderr = io::stderr();
            let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
        }
    }
}
