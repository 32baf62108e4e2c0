//! A line that says what is going on, for people only.

use std::io::{self, IsTerminal, Write};

/// Shows one line on standard error while it is a terminal; otherwise nothing.
pub(crate) struct Progress {
    shown: bool,
}

impl Progress {
    /// Nothing is shown yet.
    pub(crate) fn new() -> Self {
        Progress { shown: io::stderr().is_terminal() }
    }

    /// Shows a text in place of the one before.
    pub(crate) fn show(&self, text: &str) {
        self.write(&format!("\r\x1b[K{text} ..."));
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        self.write("\r\x1b[K");
    }

    fn write(&self, text: &str) {
        if self.shown {
            // Nothing depends on whether this arrives.
            let mut stderr = io::stderr();
            let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
        }
    }
}
