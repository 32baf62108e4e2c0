//! Short texts in no memory but their own.

use core::fmt::{self, Write};

/// A text of at most `SIZE` bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Written<const SIZE: usize> {
    bytes: [u8; SIZE],
    length: usize,
}

impl<const SIZE: usize> Written<SIZE> {
    /// What is written, as far as there is room.
    pub(crate) fn of(write: impl FnOnce(&mut dyn Write) -> fmt::Result) -> Self {
        let mut text = Written { bytes: [0; SIZE], length: 0 };
        // What does not fit is left out.
        let _ = write(&mut text);
        text
    }

    pub(crate) fn text(&self) -> &str {
        // Whole texts are written, so that this is one.
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl<const SIZE: usize> Write for Written<SIZE> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes[self.length..].get_mut(..text.len()).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.length += text.len();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: a text is what was written, in pieces too; what does not fit is left out, and nothing else.
    #[test]
    fn texts() {
        let whole = "0123456789".repeat(8);
        let parts = [3, 4];
        let name = Written::<80>::of(|name| parts.iter().try_for_each(|of| write!(name, "toom-cook:{of}/")));
        assert_eq!(name.text(), "toom-cook:3/toom-cook:4/");
        assert_eq!(Written::<80>::of(|name| name.write_str(&whole)).text(), whole);
        let cut =
            Written::<80>::of(|name| name.write_str(&whole[1..]).and_then(|()| name.write_str("\u{b2}")));
        assert_eq!(cut.text(), &whole[1..]);
    }
}
