//! Errors of signatures.

use core::fmt;

/// A context that is longer than 255 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContextTooLong {
    /// The length that was given, in bytes.
    pub given: usize,
}

impl fmt::Display for ContextTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a context of {} bytes, where at most 255 are possible", self.given)
    }
}

impl core::error::Error for ContextTooLong {}

/// A digest that has another length than its hash gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DigestLength {
    /// The hash's name.
    pub hash: &'static str,
    /// What it gives, in bytes.
    pub expected: usize,
    /// The length that was given, in bytes.
    pub given: usize,
}

impl fmt::Display for DigestLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a digest of {} bytes, where {} gives {}", self.given, self.hash, self.expected)
    }
}

impl core::error::Error for DigestLength {}

/// No attempt at a signature succeeded. With a key that key generation made this does not happen: its
/// probability is below `2^-256` (FIPS 204, appendix C).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyAttempts;

impl fmt::Display for TooManyAttempts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no attempt at a signature succeeded: the private key is damaged")
    }
}

impl core::error::Error for TooManyAttempts {}

/// Why there is no signature; `E` is the error of the generator of random bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SigningError<E> {
    /// The generator failed.
    Random(E),
    /// No attempt succeeded.
    Attempts(TooManyAttempts),
}

impl<E: fmt::Display> fmt::Display for SigningError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SigningError::Random(why) => why.fmt(f),
            SigningError::Attempts(why) => why.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for SigningError<E> {}

impl<E> From<TooManyAttempts> for SigningError<E> {
    fn from(why: TooManyAttempts) -> Self {
        SigningError::Attempts(why)
    }
}

/// A signature that was not made of this message with this key. Nothing says what is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerificationError;

impl fmt::Display for VerificationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the signature was not made of this message with this key")
    }
}

impl core::error::Error for VerificationError {}
