//! What can be wrong, as numbers of C with a sentence each.

use ringsmith::random::{self, SystemRng};
use ringsmith::scheme::SchemeError;
use std::ffi::{CStr, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a function says: that all is well, or what is wrong. Numbers stay as they are; later versions may
/// have more.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error {
    /// All is well.
    Ok = 0,
    /// A pointer is null that may not be.
    NullPointer = 1,
    /// The handle is invalid: it is not that of a scheme.
    Handle = 2,
    /// An argument has another length than the scheme or the ring has.
    Length = 3,
    /// The bytes have the length of a key, but they are not a key.
    Key = 4,
    /// The message is longer than the scheme takes.
    Message = 5,
    /// The ciphertext was not made for the key; whatever is wrong with it.
    Decryption = 6,
    /// The operating system gives no random bytes.
    Random = 7,
    /// There is not enough memory.
    Memory = 8,
    /// The text is no ring.
    Expression = 9,
    /// There are no products in such a ring: of this q, this degree, or an f that is not monic.
    Ring = 10,
    /// A coefficient is not below q or not within the bound of small ones, or the integers do not hold q - 1.
    Range = 11,
    /// The factor was prepared for another ring.
    OtherRing = 12,
    /// The scheme has no such operation, or the library was built without it.
    Unsupported = 13,
    /// Something is wrong in the library itself: please report it.
    Internal = 14,
    /// The signature was not made of the message and the context with the key; whatever is wrong with it.
    Signature = 15,
    /// The context has more than 255 bytes.
    Context = 16,
}

/// All of them, each at its number, with its sentence.
const SENTENCES: [(Error, &CStr); 17] = [
    (Error::Ok, c"all is well"),
    (Error::NullPointer, c"a pointer is null that may not be"),
    (Error::Handle, c"the handle is not that of a scheme"),
    (Error::Length, c"an argument has another length than the scheme or the ring has"),
    (Error::Key, c"the bytes are no key of the scheme"),
    (Error::Message, c"the message is longer than the scheme takes"),
    (Error::Decryption, c"the ciphertext was not made for this key"),
    (Error::Random, c"the operating system gives no random bytes"),
    (Error::Memory, c"there is not enough memory"),
    (Error::Expression, c"the text is no ring, as Z_4591[x]/(x^761-x-1) is"),
    (Error::Ring, c"q is not from 2 to 2^62, or the degree of f not from 1 to 65536, or f is not monic"),
    (Error::Range, c"a coefficient is out of range, or q - 1 does not fit in such integers"),
    (Error::OtherRing, c"the factor was prepared for another ring"),
    (Error::Unsupported, c"the scheme has no such operation, or the library was built without it"),
    (Error::Internal, c"something is wrong in the library itself: please report it"),
    (Error::Signature, c"the signature was not made of this message with this key"),
    (Error::Context, c"the context has more than 255 bytes"),
];

/// The sentence of an error.
pub(crate) fn sentence(error: c_int) -> &'static CStr {
    let known = usize::try_from(error).ok().and_then(|at| SENTENCES.get(at));
    known.map_or(c"no error has this number", |(_, sentence)| sentence)
}

/// Does what a function does. A panic ends here.
pub(crate) fn guarded(action: impl FnOnce() -> Result<(), Error>) -> Error {
    match catch_unwind(AssertUnwindSafe(action)) {
        Ok(Ok(())) => Error::Ok,
        Ok(Err(why)) => why,
        Err(panic) => {
            // Whatever a panic carries: dropping it may not panic again.
            std::mem::forget(panic);
            Error::Internal
        }
    }
}

/// The same for functions that give something: where it is missing, or there is a panic, that is `none`.
pub(crate) fn answer<T>(none: T, action: impl FnOnce() -> Option<T>) -> T {
    let mut answer = None;
    guarded(|| {
        answer = action();
        Ok(())
    });
    answer.unwrap_or(none)
}

/// What a scheme does by the system's randomness.
pub(crate) fn drawn(action: impl FnOnce(&mut SystemRng) -> Result<(), SchemeError>) -> Result<(), Error> {
    Ok(random::drawn(action)??)
}

impl From<SchemeError> for Error {
    fn from(why: SchemeError) -> Self {
        match why {
            SchemeError::Length { .. } => Error::Length,
            SchemeError::InvalidKey => Error::Key,
            SchemeError::MessageTooLong(_) => Error::Message,
            SchemeError::Decryption => Error::Decryption,
            SchemeError::Verification => Error::Signature,
            // No attempt at a signature succeeds with a private key that is damaged, and with no other.
            SchemeError::Attempts => Error::Key,
            _ => Error::Internal,
        }
    }
}

impl From<random::Error> for Error {
    fn from(_: random::Error) -> Self {
        Error::Random
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: every error has its own sentence, and so has any other number.
    #[test]
    fn sentences() {
        for (at, (error, text)) in SENTENCES.into_iter().enumerate() {
            assert_eq!((error as usize, sentence(at as c_int)), (at, text));
            assert_eq!(SENTENCES.iter().filter(|(_, other)| *other == text).count(), 1);
        }
        let unknown = [-1, SENTENCES.len() as c_int, c_int::MIN, c_int::MAX].map(sentence);
        assert_eq!(unknown, [c"no error has this number"; 4]);
    }

    /// Protects: a panic becomes an error.
    #[test]
    fn panics() {
        assert_eq!(guarded(|| panic!("on purpose")), Error::Internal);
        assert_eq!(answer(7, || panic!("on purpose")), 7);
        assert_eq!((answer(7, || None), answer(7, || Some(8))), (7, 8));
    }
}
