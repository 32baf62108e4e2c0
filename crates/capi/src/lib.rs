//! C entry points: so far those of liboqs, for programs that look for such a library when they run.
//!
//! # What it is for
//! AsyncSSH, for one, looks for a shared object `liboqs.so`, and has SSH's `sntrup761x25519-sha512` where it
//! finds one. This crate makes such an object:
//!
//! ```text
//! cargo xtask oqs FOLDER
//! LD_LIBRARY_PATH=FOLDER python3 program_with_asyncssh.py
//! ```
//!
//! **It hides a real liboqs from programs that run so**, and has a few functions of it alone: hence the
//! folder, and no installation.
//!
//! # What it has
//! `OQS_KEM_X_keypair(public_key, secret_key)`, `OQS_KEM_X_encaps(ciphertext, shared_secret, public_key)` and
//! `OQS_KEM_X_decaps(shared_secret, ciphertext, secret_key)` with
//!
//! | `X` | scheme | public key | secret key | ciphertext | shared secret |
//! |---|---|---:|---:|---:|---:|
//! | `ntruprime_sntrup761` | sntrup761 | 1158 | 1763 | 1039 | 32 |
//! | `ml_kem_512` | ML-KEM-512 | 800 | 1632 | 768 | 32 |
//! | `ml_kem_768` | ML-KEM-768 | 1184 | 2400 | 1088 | 32 |
//! | `ml_kem_1024` | ML-KEM-1024 | 1568 | 3168 | 1568 | 32 |
//!
//! Lengths are in bytes; the caller has that much memory behind each pointer. The result is 0, or -1 where a
//! pointer is null, a key is invalid, or the operating system has no randomness; what was to be written is
//! untouched then. Randomness is the operating system's. Constant time as the [schemes](ringsmith::scheme)
//! are; memory of the caller's is the caller's to clear.

use core::slice::{from_raw_parts, from_raw_parts_mut};
use getrandom::SysRng;
use rand_core::UnwrapErr;
use ringsmith::Cpu;
use ringsmith::scheme::Scheme;
use std::ffi::c_int;

/// `OQS_SUCCESS`.
const SUCCESS: c_int = 0;
/// `OQS_ERROR`.
const ERROR: c_int = -1;

fn status<E>(result: Result<(), E>) -> c_int {
    if result.is_ok() { SUCCESS } else { ERROR }
}

/// The operating system's randomness, where there is any: asked for once, so that what follows may take it
/// for granted.
fn randomness() -> Option<UnwrapErr<SysRng>> {
    getrandom::fill(&mut [0; 1]).ok().map(|()| UnwrapErr(SysRng))
}

/// New keys.
fn keypair(scheme: &Scheme, public: &mut [u8], private: &mut [u8]) -> c_int {
    match randomness() {
        Some(mut rng) => status((scheme.generate)(Cpu::detect(), &mut rng, public, private)),
        None => ERROR,
    }
}

/// A ciphertext and its shared secret.
fn encaps(scheme: &Scheme, ciphertext: &mut [u8], shared: &mut [u8], public: &[u8]) -> c_int {
    match randomness() {
        Some(mut rng) => status((scheme.encapsulate)(Cpu::detect(), public, &mut rng, ciphertext, shared)),
        None => ERROR,
    }
}

/// The shared secret in a ciphertext.
fn decaps(scheme: &Scheme, shared: &mut [u8], ciphertext: &[u8], private: &[u8]) -> c_int {
    status((scheme.decapsulate)(Cpu::detect(), private, ciphertext, shared))
}

macro_rules! kem {
    ($scheme:path, $keypair:ident, $encaps:ident, $decaps:ident) => {
        /// A new key pair.
        ///
        /// # Safety
        /// The pointers are null or valid for writes of the public and of the secret key's length, and do not
        /// overlap.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "the names of liboqs")]
        pub unsafe extern "C" fn $keypair(public_key: *mut u8, secret_key: *mut u8) -> c_int {
            if public_key.is_null() || secret_key.is_null() {
                return ERROR;
            }
            // SAFETY: not null, so by the contract valid for so many bytes, and no other reference is to
            // them.
            let public = unsafe { from_raw_parts_mut(public_key, $scheme.public_key) };
            // SAFETY: as above.
            let private = unsafe { from_raw_parts_mut(secret_key, $scheme.private_key) };
            keypair(&$scheme, public, private)
        }

        /// A ciphertext and its shared secret.
        ///
        /// # Safety
        /// The pointers are null or valid: the first two for writes of the ciphertext's and of the shared
        /// secret's length, the last for reads of the public key's. They do not overlap.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "the names of liboqs")]
        pub unsafe extern "C" fn $encaps(
            ciphertext: *mut u8,
            shared_secret: *mut u8,
            public_key: *const u8,
        ) -> c_int {
            if ciphertext.is_null() || shared_secret.is_null() || public_key.is_null() {
                return ERROR;
            }
            // SAFETY: not null, so by the contract valid for so many bytes, and no other reference is to
            // them.
            let ciphertext = unsafe { from_raw_parts_mut(ciphertext, $scheme.ciphertext) };
            // SAFETY: as above.
            let shared = unsafe { from_raw_parts_mut(shared_secret, $scheme.shared_key) };
            // SAFETY: as above, for reads.
            let public = unsafe { from_raw_parts(public_key, $scheme.public_key) };
            encaps(&$scheme, ciphertext, shared, public)
        }

        /// The shared secret in a ciphertext, or one that nobody else has where it was not made for the key.
        ///
        /// # Safety
        /// The pointers are null or valid: the first for writes of the shared secret's length, the others for
        /// reads of the ciphertext's and of the secret key's. They do not overlap.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "the names of liboqs")]
        pub unsafe extern "C" fn $decaps(
            shared_secret: *mut u8,
            ciphertext: *const u8,
            secret_key: *const u8,
        ) -> c_int {
            if shared_secret.is_null() || ciphertext.is_null() || secret_key.is_null() {
                return ERROR;
            }
            // SAFETY: not null, so by the contract valid for so many bytes, and no other reference is to
            // them.
            let shared = unsafe { from_raw_parts_mut(shared_secret, $scheme.shared_key) };
            // SAFETY: as above, for reads.
            let ciphertext = unsafe { from_raw_parts(ciphertext, $scheme.ciphertext) };
            // SAFETY: as above.
            let private = unsafe { from_raw_parts(secret_key, $scheme.private_key) };
            decaps(&$scheme, shared, ciphertext, private)
        }
    };
}

kem!(
    ringsmith::ntru_prime::sntrup761::SCHEME,
    OQS_KEM_ntruprime_sntrup761_keypair,
    OQS_KEM_ntruprime_sntrup761_encaps,
    OQS_KEM_ntruprime_sntrup761_decaps
);
kem!(
    ringsmith::ml_kem::ml_kem_512::SCHEME,
    OQS_KEM_ml_kem_512_keypair,
    OQS_KEM_ml_kem_512_encaps,
    OQS_KEM_ml_kem_512_decaps
);
kem!(
    ringsmith::ml_kem::ml_kem_768::SCHEME,
    OQS_KEM_ml_kem_768_keypair,
    OQS_KEM_ml_kem_768_encaps,
    OQS_KEM_ml_kem_768_decaps
);
kem!(
    ringsmith::ml_kem::ml_kem_1024::SCHEME,
    OQS_KEM_ml_kem_1024_keypair,
    OQS_KEM_ml_kem_1024_encaps,
    OQS_KEM_ml_kem_1024_decaps
);
