//! Errors of operations with keys.

use crate::signature::{TooManyAttempts, VerificationError};
use core::convert::Infallible;
use core::fmt;

/// Why an operation failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SchemeError {
    /// An argument has the wrong length.
    Length {
        /// Which argument.
        what: &'static str,
        /// The scheme's, in bytes.
        expected: usize,
        /// The length that was given, in bytes.
        given: usize,
    },
    /// The bytes have the right length, but are not a key.
    InvalidKey,
    /// A message is longer than the scheme allows.
    MessageTooLong(MessageTooLong),
    /// The ciphertext was not made for this key. Every reason gives this one error.
    Decryption,
    /// The signature does not belong to this message and key. Every reason gives this one error.
    Verification,
    /// No attempt at a signature succeeded: the private key is damaged.
    Attempts,
}

impl fmt::Display for SchemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SchemeError::Length { what, expected, given } => {
                let n = if what.starts_with('o') { "n" } else { "" };
                write!(f, "a{n} {what} of {given} bytes, where the scheme has {expected}")
            }
            SchemeError::InvalidKey => f.write_str("the bytes are no key of the scheme"),
            SchemeError::MessageTooLong(why) => why.fmt(f),
            SchemeError::Decryption => DecryptionError.fmt(f),
            SchemeError::Verification => VerificationError.fmt(f),
            SchemeError::Attempts => TooManyAttempts.fmt(f),
        }
    }
}

impl core::error::Error for SchemeError {}

/// A message is longer than the scheme allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageTooLong {
    /// The greatest length of a message, in bytes.
    pub most: usize,
    /// The length that was given, in bytes.
    pub given: usize,
}

impl fmt::Display for MessageTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a message of {} bytes, where the scheme takes at most {}", self.given, self.most)
    }
}

impl core::error::Error for MessageTooLong {}

impl From<MessageTooLong> for SchemeError {
    fn from(why: MessageTooLong) -> Self {
        SchemeError::MessageTooLong(why)
    }
}

/// A ciphertext was not made for the key. The error does not say what is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecryptionError;

impl fmt::Display for DecryptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the ciphertext was not made for this key")
    }
}

impl core::error::Error for DecryptionError {}

impl From<DecryptionError> for SchemeError {
    fn from(_: DecryptionError) -> Self {
        SchemeError::Decryption
    }
}

/// An encoded key failed the checks of its scheme.
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
