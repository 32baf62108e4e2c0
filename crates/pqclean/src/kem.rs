//! Key encapsulation.

use crate::{LENGTH, randomness};
use ringsmith_oracle::Random;
use std::ffi::c_int;

/// One implementation of a parameter set.
#[derive(Clone, Copy)]
pub struct Kem {
    pub(crate) lengths: Lengths,
    pub(crate) keypair: unsafe extern "C" fn(public: *mut u8, private: *mut u8) -> c_int,
    pub(crate) encapsulate:
        unsafe extern "C" fn(ciphertext: *mut u8, shared: *mut u8, public: *const u8) -> c_int,
    pub(crate) decapsulate:
        unsafe extern "C" fn(shared: *mut u8, ciphertext: *const u8, private: *const u8) -> c_int,
}

/// Bytes of what is passed.
#[derive(Clone, Copy)]
pub(crate) struct Lengths {
    pub(crate) public: usize,
    pub(crate) private: usize,
    pub(crate) ciphertext: usize,
    pub(crate) shared: usize,
}

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
