//! Lines `name = value`, and bytes as hexadecimal digits.

use super::FileError;

/// The bytes of hexadecimal digits in either case.
///
/// # Errors
/// What is wrong with the digits.
pub(super) fn decode(digits: &str) -> Result<Vec<u8>, String> {
    let digit = |(i, c): (usize, char)| {
        c.to_digit(16).ok_or_else(|| format!("character {} is no hexadecimal digit", i + 1))
    };
    let digits: Vec<u32> = digits.chars().enumerate().map(digit).collect::<Result<_, _>>()?;
    match digits.len() % 2 {
        0 => Ok(digits.chunks_exact(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()),
        _ => Err(format!("an odd number of hexadecimal digits: {}", digits.len())),
    }
}

/// Of a text from a file, what goes into a message: its start, on one line.
pub(super) fn excerpt(text: &str) -> String {
    const MAX: usize = 40;
    text.chars().take(MAX).flat_map(char::escape_debug).collect()
}

/// The lines that say something, with their numbers from 1.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// A line `name = value`.
pub(super) struct Line<'a> {
    /// From 1.
    pub(super) number: usize,
    /// What stands before the sign.
    pub(super) name: &'a str,
    value: &'a str,
}

impl<'a> Line<'a> {
    /// Reads a line.
    ///
    /// # Errors
    /// Where it is none of this form.
    pub(super) fn parse((number, line): (usize, &'a str)) -> Result<Self, FileError> {
        let parts = line.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
        match parts {
            Some((name, value)) if !name.is_empty() => Ok(Line { number, name, value }),
            _ => Err(FileError::line(number, "is not of the form `name = value`")),
        }
    }

    /// What stands after the sign.
    ///
    /// # Errors
    /// Where nothing stands there.
    pub(super) fn value(&self) -> Result<&'a str, FileError> {
        match self.value {
            "" => Err(FileError::line(self.number, format!("`{}` has no value", self.name))),
            value => Ok(value),
        }
    }

    /// The value as bytes.
    ///
    /// # Errors
    /// Where it is no hexadecimal number of whole bytes.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, FileError> {
        decode(self.value()?).map_err(|what| FileError::line(self.number, format!("`{}`: {what}", self.name)))
    }

    /// The value as exactly `N` bytes.
    ///
    /// # Errors
    /// Where it is something else.
    pub(super) fn array<const N: usize>(&self) -> Result<[u8; N], FileError> {
        self.bytes()?.try_into().map_err(|bytes: Vec<u8>| {
            let what = format!("`{}` has {} bytes, where the format has {N}", self.name, bytes.len());
            FileError::line(self.number, what)
        })
    }
}

/// The one line of a name among some.
///
/// # Errors
/// Where there are two of that name.
pub(super) fn optional<'a, 'b>(lines: &'b [Line<'a>], name: &str) -> Result<Option<&'b Line<'a>>, FileError> {
    let mut found = lines.iter().filter(|line| line.name == name);
    let first = found.next();
    match found.next() {
        Some(second) => Err(FileError::line(second.number, format!("a second `{name}`"))),
        None => Ok(first),
    }
}
