//! Errors of operations with keys.

use core::convert::Infallible;
use core::fmt;

/// Why an operation did not take place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SchemeError {
    /// An argument has another length than the scheme's.
    Length {
        /// Which argument.
        what: &'static str,
        /// The scheme's, in bytes.
        expected: usize,
        /// What was given, in bytes.
        given: usize,
    },
    /// The bytes have the length of a key, and are none.
    InvalidKey,
}

impl fmt::Display for SchemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SchemeError::Length { what, expected, given } => {
                let n = if what.starts_with('o') { "n" } else { "" };
                write!(f, "a{n} {what} of {given} bytes, where the scheme has {expected}")
            }
            SchemeError::InvalidKey => f.write_str("the bytes are no key of the scheme"),
        }
    }
}

impl core::error::Error for SchemeError {}

/// An encoded key that is none: the checks of its scheme failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidKey;

impl fmt::Display for InvalidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes are no key of this parameter set")
    }
}

impl core::error::Error for InvalidKey {}

/// Where any bytes are a key.
impl From<Infallible> for InvalidKey {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<InvalidKey> for SchemeError {
    fn from(_: InvalidKey) -> Self {
        SchemeError::InvalidKey
    }
}
