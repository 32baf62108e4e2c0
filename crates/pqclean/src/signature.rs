//! ML-DSA.
//!
//! **The vector code's verification is wrong** in two cases that no signature of a correct signer reaches:
//! coefficients of `z` out of bounds are taken, and a hint where the low part is zero goes the wrong way
//! (version 0.1.2). For timing it will do.

use crate::{LENGTH, has_avx2, randomness};
use ringsmith_oracle::Random;
use std::ffi::c_int;
use std::ptr::null;

/// One implementation of a parameter set.
#[derive(Clone, Copy)]
pub struct Signature {
    lengths: Lengths,
    keypair: unsafe extern "C" fn(public: *mut u8, private: *mut u8) -> c_int,
    sign: unsafe extern "C" fn(*mut u8, *mut usize, *const u8, usize, *const u8, usize, *const u8) -> c_int,
    verify: unsafe extern "C" fn(*const u8, usize, *const u8, usize, *const u8, usize, *const u8) -> c_int,
}

/// Bytes of what is passed.
#[derive(Clone, Copy)]
struct Lengths {
    public: usize,
    private: usize,
    signature: usize,
}

impl Signature {
    /// A new key pair, the private key in its long form.
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

    /// The signature of a message with randomness zero and without a context.
    pub fn sign(&self, private: &[u8], message: &[u8], signature: &mut [u8]) {
        let Lengths { private: key, signature: written, .. } = self.lengths;
        assert!((private.len(), signature.len()) == (key, written), "{LENGTH}");
        let (out, mut length) = (signature.as_mut_ptr(), 0);
        let (from, bytes, key) = (message.as_ptr(), message.len(), private.as_ptr());
        // SAFETY: as above: the first pointer has room for the signature of the set, the second is to its
        // length, the others are read only; of a context of no bytes nothing is read.
        randomness::with_zero(|| unsafe { (self.sign)(out, &mut length, from, bytes, null(), 0, key) });
    }

    /// Whether a signature without a context is one of a message: but see the head of this file.
    pub fn verify(&self, public: &[u8], message: &[u8], signature: &[u8]) -> bool {
        assert!(public.len() == self.lengths.public, "{LENGTH}");
        let (read, bytes, from, length) =
            (signature.as_ptr(), signature.len(), message.as_ptr(), message.len());
        // SAFETY: as above; all pointers are read only, and the length of the signature is the function's to
        // check. Nothing is drawn.
        unsafe { (self.verify)(read, bytes, from, length, null(), 0, public.as_ptr()) == 0 }
    }
}

/// A parameter set.
pub struct SignatureSet {
    /// Its name, as `ML-DSA-65`.
    pub name: &'static str,
    /// The portable code.
    pub portable: Signature,
    vectors: Option<Signature>,
}

impl SignatureSet {
    /// The code for AVX2, where this machine has what it was compiled for.
    pub fn avx2(&self) -> Option<Signature> {
        self.vectors.filter(|_| has_avx2())
    }
}

/// An implementation of a set, by how its functions' names begin.
macro_rules! signature {
    ($set:ident, $prefix:expr) => {{
        // SAFETY: PQClean's interface, `api.h` of each implementation: of all of them the same but for the
        // names.
        unsafe extern "C" {
            #[link_name = concat!($prefix, "_crypto_sign_keypair")]
            fn keypair(public: *mut u8, private: *mut u8) -> c_int;
            #[link_name = concat!($prefix, "_crypto_sign_signature_ctx")]
            fn sign(
                signature: *mut u8,
                length: *mut usize,
                message: *const u8,
                bytes: usize,
                context: *const u8,
                context_bytes: usize,
                private: *const u8,
            ) -> c_int;
            #[link_name = concat!($prefix, "_crypto_sign_verify_ctx")]
            fn verify(
                signature: *const u8,
                length: usize,
                message: *const u8,
                bytes: usize,
                context: *const u8,
                context_bytes: usize,
                public: *const u8,
            ) -> c_int;
        }
        use pqcrypto_mldsa::$set::{public_key_bytes, secret_key_bytes, signature_bytes};
        let lengths =
            Lengths { public: public_key_bytes(), private: secret_key_bytes(), signature: signature_bytes() };
        Signature { lengths, keypair, sign, verify }
    }};
}

/// The vector code of a set.
macro_rules! vectors {
    ($set:ident, $code:literal) => {{
        #[cfg(target_arch = "x86_64")]
        {
            Some(signature!($set, concat!("PQCLEAN_", $code, "_AVX2")))
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            None
        }
    }};
}

macro_rules! set {
    ($set:ident $name:literal $code:literal) => {
        SignatureSet {
            name: $name,
            portable: signature!($set, concat!("PQCLEAN_", $code, "_CLEAN")),
            vectors: vectors!($set, $code),
        }
    };
}

/// The sets of ML-DSA.
pub static ML_DSA: [SignatureSet; 3] = [
    set!(mldsa44 "ML-DSA-44" "MLDSA44"),
    set!(mldsa65 "ML-DSA-65" "MLDSA65"),
    set!(mldsa87 "ML-DSA-87" "MLDSA87"),
];
