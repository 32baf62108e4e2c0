//! Errors of operations with keys.

use crate::signature::{TooManyAttempts, VerificationError};
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
    /// A message is longer than the scheme takes.
    MessageTooLong(MessageTooLong),
    /// A ciphertext is not one that was made for the key; whatever is wrong with it.
    Decryption,
    /// A signature was not made of the message with the key; whatever is wrong with it.
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

/// A message that is longer than a scheme takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageTooLong {
    /// Most bytes of a message.
    pub most: usize,
    /// What was given, in bytes.
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

/// A ciphertext that is not one that was made for the key. Nothing says what is wrong with it.
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
