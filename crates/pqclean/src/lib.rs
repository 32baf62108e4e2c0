//! PQClean's NTRU and NTRU Prime, C code that the crates `pqcrypto-ntru` and `pqcrypto-ntruprime` carry, by
//! its own functions: portable code and the submissions' for AVX2 in one program, and **with the caller's
//! randomness**. For the benchmarks alone; no part of the library.
//!
//! By their Rust interfaces these crates ask the operating system for randomness, which costs more than all
//! else that an encapsulation does on some machines, and have one of the two implementations. What is
//! measured beside it draws from a generator in memory, so this must too.
//!
//! # How
//! The C code draws by `PQCRYPTO_RUST_randombytes`, a function of the crate `pqcrypto-internals`. This crate
//! has one of that name; it stands before that one when a program is linked, and the first is taken. Were it
//! not, the bytes would not be ours: a test of the benchmarks compares keys and ciphertexts of the same seeds
//! byte by byte.
//!
//! Without the feature `code` there is nothing here, and no C compiler is needed.
#![cfg(feature = "code")]

mod randomness;
mod sets;

pub use sets::{NTRU, NTRU_PRIME, Set};

use ringsmith_oracle::Random;
use std::ffi::c_int;

/// One implementation of a parameter set.
#[derive(Clone, Copy)]
pub struct Kem {
    lengths: Lengths,
    keypair: unsafe extern "C" fn(public: *mut u8, private: *mut u8) -> c_int,
    encapsulate: unsafe extern "C" fn(ciphertext: *mut u8, shared: *mut u8, public: *const u8) -> c_int,
    decapsulate: unsafe extern "C" fn(shared: *mut u8, ciphertext: *const u8, private: *const u8) -> c_int,
}

/// Bytes of what is passed.
#[derive(Clone, Copy)]
struct Lengths {
    public: usize,
    private: usize,
    ciphertext: usize,
    shared: usize,
}

/// What the functions of this crate say of slices that don't fit.
const LENGTH: &str = "lengths are those of the parameter set";

impl Kem {
    /// A new key pair.
    ///
    /// # Panics
    /// Where a length is not that of the set, as the others do.
    pub fn keypair(&self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) {
        assert!(public.len() == self.lengths.public && private.len() == self.lengths.private, "{LENGTH}");
        let (public, private) = (public.as_mut_ptr(), private.as_mut_ptr());
        // SAFETY: the function writes the lengths of its set, which were compared, behind the two pointers
        // and nowhere else. A set's vector code is given out only where the CPU has its instructions.
        randomness::with(rng, || unsafe { (self.keypair)(public, private) });
    }

    /// A ciphertext and its shared key.
    pub fn encapsulate(&self, rng: &mut Random, public: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) {
        let Lengths { public: key, ciphertext: written, shared: secret, .. } = self.lengths;
        assert!((public.len(), ciphertext.len(), shared.len()) == (key, written, secret), "{LENGTH}");
        let (ciphertext, shared) = (ciphertext.as_mut_ptr(), shared.as_mut_ptr());
        // SAFETY: as above; the third pointer is read only.
        randomness::with(rng, || unsafe { (self.encapsulate)(ciphertext, shared, public.as_ptr()) });
    }

    /// The shared key in a ciphertext.
    pub fn decapsulate(&self, private: &[u8], ciphertext: &[u8], shared: &mut [u8]) {
        let Lengths { private: key, ciphertext: read, shared: secret, .. } = self.lengths;
        assert!((private.len(), ciphertext.len(), shared.len()) == (key, read, secret), "{LENGTH}");
        // SAFETY: as above; the first pointer is written, the others are read only. Nothing is drawn.
        unsafe { (self.decapsulate)(shared.as_mut_ptr(), ciphertext.as_ptr(), private.as_ptr()) };
    }
}
