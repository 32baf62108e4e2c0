//! Texts from outside on a terminal: names of files, what users typed, what files hold.

use std::io::{self, Write};
use std::path::Path;

pub(crate) use ringsmith_age::excerpt;

/// A text in which nothing moves the cursor, changes the terminal or turns the writing round: controls are
/// escaped, and the characters of Unicode's properties `Bidi_Control` and `Line_Break=BK` with them.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut shown, c| {
        match c {
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                shown.extend(c.escape_unicode());
            }
            c if c.is_control() => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
        shown
    })
}

/// What messages call a file.
pub(crate) fn name(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}

/// Says what the user should know, and goes on.
pub(crate) fn warn(warning: &str) {
    // Where standard error is gone, there is nobody to warn.
    let _ = writeln!(io::stderr(), "ringsmith: warning: {}", escaped(warning));
}

/// Checks that what goes to a terminal piece by piece is text.
#[derive(Default)]
pub(crate) struct Text {
    /// The beginning of a character that the last piece ended with.
    begun: Vec<u8>,
}

impl Text {
    /// Whether it is still text with the next piece: UTF-8 without controls but ends of lines and tabs.
    pub(crate) fn goes_on(&mut self, piece: &[u8]) -> bool {
        let bytes = [&self.begun, piece].concat();
        let (text, rest) = match str::from_utf8(&bytes) {
            Ok(text) => (text, &[][..]),
            Err(why) if why.error_len().is_none() => {
                let (text, rest) = bytes.split_at(why.valid_up_to());
                (str::from_utf8(text).unwrap_or_default(), rest)
            }
            Err(_) => return false,
        };
        let shown = text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t'));
        self.begun = rest.to_vec();
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: names and texts from outside can't break the one-line rule, send controls to the terminal or
    /// turn the line round.
    #[test]
    fn controls_are_escaped() {
        assert_eq!(escaped("a\nb\u{1b}[2Jµ"), "a\\nb\\u{1b}[2Jµ");
        assert_eq!(escaped("\u{202e}txt.exe\u{2029}\u{9b}"), "\\u{202e}txt.exe\\u{2029}\\u{9b}");
    }

    /// Protects: text reaches a terminal however it is cut into pieces, and nothing else does.
    #[test]
    fn text_for_a_terminal() {
        for cut in 0..=9 {
            let (mut text, whole) = (Text::default(), "a\t\r\nµ€".as_bytes());
            assert!(text.goes_on(&whole[..cut]) && text.goes_on(&whole[cut..]), "{cut}");
        }
        for wrong in [&b"\x1b[2J"[..], b"\x00", b"a\x07", b"\xff", b"\xc2\x9b", b"\x7f"] {
            assert!(!Text::default().goes_on(wrong), "{wrong:?}");
        }
        let mut text = Text::default();
        assert!(text.goes_on(b"\xc2") && !text.goes_on(b"a"));
    }
}
