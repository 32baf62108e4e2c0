//! Why the contents of a file count for nothing.

use std::{fmt, io};

/// What is wrong with a file.
#[derive(Debug)]
pub enum FileError {
    /// It can't be read.
    Unreadable(io::Error),
    /// It can't be decompressed.
    Compressed {
        /// The compression.
        format: &'static str,
        /// What the decompressor says.
        why: io::Error,
    },
    /// It has more bytes than any file of vectors.
    TooLong,
    /// There is nothing in it.
    Empty,
    /// It is no UTF-8.
    NotText,
    /// It has none of the formats.
    Unknown,
    /// A line is not as the format has it.
    Line {
        /// From 1.
        number: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A value is not as the format has it.
    Json {
        /// Where it stands, as in `testGroups[0].tests[2].ek`; `.` or `?` where it is the whole.
        path: String,
        /// What is wrong with it.
        what: String,
    },
    /// No scheme can be made out.
    NoScheme(String),
    /// Nothing in it was checked.
    Nothing {
        /// Of which schemes something was wanted.
        wanted: &'static str,
        /// Why the cases that there are were not checked.
        reason: &'static str,
    },
}

impl FileError {
    /// What is wrong with a line.
    pub(super) fn line(number: usize, what: impl Into<String>) -> Self {
        FileError::Line { number, what: what.into() }
    }

    /// What is wrong with a value.
    pub(super) fn json(path: impl Into<String>, what: impl Into<String>) -> Self {
        FileError::Json { path: path.into(), what: what.into() }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Unreadable(why) => write!(f, "can't be read: {why}"),
            FileError::Compressed { format, why } => write!(f, "can't be decompressed ({format}): {why}"),
            FileError::TooLong => f.write_str("has more bytes than any file of vectors"),
            FileError::Empty => f.write_str("is empty"),
            FileError::NotText => f.write_str("is no text"),
            FileError::Unknown => f.write_str(
                "has none of the formats: NIST response file, ACVP, Wycheproof, CCTV, Botan, NewHope or \
                 NTRUEncrypt in JSON",
            ),
            FileError::Line { number, what } => write!(f, "line {number}: {what}"),
            FileError::Json { path, what } if [".", "?"].contains(&path.as_str()) => f.write_str(what),
            FileError::Json { path, what } => write!(f, "{path}: {what}"),
            FileError::NoScheme(what) => f.write_str(what),
            FileError::Nothing { wanted, reason } => {
                write!(f, "has nothing to check for {wanted} ({reason})")
            }
        }
    }
}

impl std::error::Error for FileError {}
