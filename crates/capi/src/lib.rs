//! The C library `libringsmith`: the schemes of the crate `ringsmith` by their names, and products in rings.
//!
//! `include/ringsmith.h` is for C and C++, and has this documentation; `docs/c.md` begins at the beginning.
//! What follows holds for every function.
//!
//! # Errors
//! A function that can fail gives its [`Error`]: `RINGSMITH_OK`, or what is wrong; it writes nothing then,
//! unless its own documentation says what. [`ringsmith_error_string`] has a sentence for each. No function
//! aborts: what is wrong inside the library is an error, too, and so is missing memory, at whichever
//! allocation. Both at once, where the fault's message finds no memory, end the program.
//!
//! # Memory
//! What is written comes first, then what is read; behind each pointer to bytes stands how many there are.
//! That must be the length that the scheme has. Memory may overlap, be unaligned, and hold nothing before it
//! is written: all is read before anything is written. Secrets in memory of the library's own are cleared;
//! [`ringsmith_wipe`] clears the caller's.
//!
//! # Threads, forks and stacks
//! Any number of threads may call any function at once, with the same handles: none changes after it was
//! made. A child after `fork` may go on with them. Randomness is the operating system's, which is asked at
//! each call. A thread needs 512 KiB of stack.
//!
//! # Constant time
//! As the schemes and rings are: in private keys, shared keys, messages and coefficients. Which scheme, ring
//! and error it is, and all lengths, are public.

mod memory;
mod text;

// The order is that of the header. The lines between keep rustfmt from sorting them.

pub mod error;

pub mod kem;

pub mod signature;

pub mod pke;

pub mod exchange;

pub mod ring;

#[cfg(feature = "any")]
mod engine;
#[cfg(not(feature = "any"))]
#[path = "no_engine.rs"]
mod engine;

pub use error::Error;
pub use text::SchemeStatus;

use error::guarded;
use memory::Out;
use std::ffi::{c_char, c_int};

/// The version of the header: its first number.
pub const RINGSMITH_VERSION_MAJOR: c_int = 1;
/// Its second number: it grows with new functions. The first one grows where functions change.
pub const RINGSMITH_VERSION_MINOR: c_int = 0;
/// Its third number.
pub const RINGSMITH_VERSION_PATCH: c_int = 0;

/// The version of the library, as in "1.0.0", or "1.0.0-rc.1" of a candidate.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// A sentence for an error: of any number, known or not. It is the library's, and stays.
#[unsafe(no_mangle)]
pub extern "C" fn ringsmith_error_string(error: c_int) -> *const c_char {
    error::sentence(error).as_ptr()
}

/// Clears memory, as compilers leave no write out that nobody reads. A null pointer is left alone.
///
/// # Safety
/// The pointer is null or valid for writes of so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_wipe(memory: *mut u8, bytes: usize) {
    // What is wrong is a null pointer, where there is nothing to clear.
    let _ = guarded(|| {
        // SAFETY: by the contract.
        unsafe { Out::new(memory, bytes) }?.wipe();
        Ok(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: a header tells the version of the library that it came with, but for what a candidate adds.
    #[test]
    fn version() {
        let numbers = [RINGSMITH_VERSION_MAJOR, RINGSMITH_VERSION_MINOR, RINGSMITH_VERSION_PATCH];
        let (version, _candidate) =
            env!("CARGO_PKG_VERSION").split_once('-').unwrap_or((env!("CARGO_PKG_VERSION"), ""));
        assert_eq!(numbers.map(|number| number.to_string()).join("."), version);
    }
}
