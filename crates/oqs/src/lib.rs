//! Entry points of liboqs, for programs that look for such a library when they run.
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
//! The library for C that one writes programs for is `libringsmith`, of the crate `ringsmith-capi`.
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
//! | `ntru_hps2048509` | ntruhps2048509 | 699 | 935 | 699 | 32 |
//! | `ntru_hps2048677` | ntruhps2048677 | 930 | 1234 | 930 | 32 |
//! | `ntru_hps4096821` | ntruhps4096821 | 1230 | 1590 | 1230 | 32 |
//! | `ntru_hps40961229` | ntruhps40961229 | 1842 | 2366 | 1842 | 32 |
//! | `ntru_hrss701` | ntruhrss701 | 1138 | 1450 | 1138 | 32 |
//! | `ntru_hrss1373` | ntruhrss1373 | 2401 | 2983 | 2401 | 32 |
//!
//! Lengths are in bytes; the caller has that much memory behind each pointer. The result is 0, or -1 where a
//! pointer is null, a key is invalid, or the operating system fails to give randomness, be it half-way; what
//! was to be written is untouched then. Memory may overlap, and need not hold anything before it is written.
//! Randomness is the operating system's. Constant time as the [schemes](ringsmith::scheme) are; memory of the
//! caller's is the caller's to clear.

use ringsmith::Cpu;
use ringsmith::random;
use ringsmith::scheme::{Scheme, SchemeError};
use std::ffi::c_int;
use zeroize::Zeroizing;

/// `OQS_SUCCESS`.
const SUCCESS: c_int = 0;
/// `OQS_ERROR`.
const ERROR: c_int = -1;

/// Memory of our own, cleared on drop. C's may overlap, and may hold nothing yet: no slice is made over it.
type Bytes = Zeroizing<Vec<u8>>;

fn room(bytes: usize) -> Bytes {
    Zeroizing::new(vec![0; bytes])
}

/// What C has there; `None` for a null pointer.
///
/// # Safety
/// The pointer is null or valid for reads of so many bytes.
unsafe fn read(from: *const u8, bytes: usize) -> Option<Bytes> {
    let mut read = room(bytes);
    if from.is_null() {
        return None;
    }
    // SAFETY: not null, so by the contract valid for so many bytes; the memory read into is as long.
    unsafe { from.copy_to(read.as_mut_ptr(), bytes) };
    Some(read)
}

/// What was made goes to where C wants it, if all was well.
///
/// # Safety
/// Each pointer is valid for writes of as many bytes as go there.
unsafe fn write<const N: usize>(made: Option<[Bytes; N]>, to: [*mut u8; N]) -> c_int {
    let Some(made) = made else { return ERROR };
    for (bytes, to) in made.iter().zip(to) {
        // SAFETY: valid by the contract. They may overlap each other: then C has the last.
        unsafe { to.copy_from(bytes.as_ptr(), bytes.len()) };
    }
    SUCCESS
}

/// What a scheme writes into two pieces of memory by the system's randomness.
fn drawn(
    lengths: [usize; 2],
    make: impl FnOnce(&mut random::SystemRng, &mut [u8], &mut [u8]) -> Result<(), SchemeError>,
) -> Option<[Bytes; 2]> {
    let [mut first, mut second] = lengths.map(room);
    random::drawn(|rng| make(rng, &mut first, &mut second)).ok()?.ok()?;
    Some([first, second])
}

/// New keys: public and private.
fn keypair(scheme: &Scheme) -> Option<[Bytes; 2]> {
    drawn([scheme.public_key, scheme.private_key], |rng, public, private| {
        (scheme.generate)(Cpu::detect(), rng, public, private)
    })
}

/// A ciphertext and its shared secret.
fn encaps(scheme: &Scheme, public: &[u8]) -> Option<[Bytes; 2]> {
    drawn([scheme.ciphertext, scheme.shared_key], |rng, ciphertext, shared| {
        (scheme.encapsulate)(Cpu::detect(), public, rng, ciphertext, shared)
    })
}

/// The shared secret in a ciphertext.
fn decaps(scheme: &Scheme, ciphertext: &[u8], private: &[u8]) -> Option<[Bytes; 1]> {
    let mut shared = room(scheme.shared_key);
    (scheme.decapsulate)(Cpu::detect(), private, ciphertext, &mut shared).ok()?;
    Some([shared])
}

macro_rules! kem {
    ($scheme:path, $keypair:ident, $encaps:ident, $decaps:ident) => {
        /// A new key pair.
        ///
        /// # Safety
        /// The pointers are null or valid for writes of the public and of the secret key's length.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "the names of liboqs")]
        pub unsafe extern "C" fn $keypair(public_key: *mut u8, secret_key: *mut u8) -> c_int {
            if public_key.is_null() || secret_key.is_null() {
                return ERROR;
            }
            // SAFETY: not null, so by the contract valid for these lengths.
            unsafe { write(keypair(&$scheme), [public_key, secret_key]) }
        }

        /// A ciphertext and its shared secret.
        ///
        /// # Safety
        /// The pointers are null or valid: the first two for writes of the ciphertext's and of the shared
        /// secret's length, the last for reads of the public key's.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "the names of liboqs")]
        pub unsafe extern "C" fn $encaps(
            ciphertext: *mut u8,
            shared_secret: *mut u8,
            public_key: *const u8,
        ) -> c_int {
            // SAFETY: null or valid for this length, by the contract.
            let public = unsafe { read(public_key, $scheme.public_key) };
            match public {
                Some(public) if !ciphertext.is_null() && !shared_secret.is_null() => {
                    // SAFETY: not null, so by the contract valid for these lengths.
                    unsafe { write(encaps(&$scheme, &public), [ciphertext, shared_secret]) }
                }
                _ => ERROR,
            }
        }

        /// The shared secret in a ciphertext. If the ciphertext was not made for the key, the result is a
        /// secret that nobody else has.
        ///
        /// # Safety
        /// The pointers are null or valid: the first for writes of the shared secret's length, the others for
        /// reads of the ciphertext's and of the secret key's.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "the names of liboqs")]
        pub unsafe extern "C" fn $decaps(
            shared_secret: *mut u8,
            ciphertext: *const u8,
            secret_key: *const u8,
        ) -> c_int {
            // SAFETY: null or valid for this length, by the contract.
            let ciphertext = unsafe { read(ciphertext, $scheme.ciphertext) };
            // SAFETY: as above.
            let private = unsafe { read(secret_key, $scheme.private_key) };
            match (ciphertext, private) {
                (Some(ciphertext), Some(private)) if !shared_secret.is_null() => {
                    // SAFETY: not null, so by the contract valid for this length.
                    unsafe { write(decaps(&$scheme, &ciphertext, &private), [shared_secret]) }
                }
                _ => ERROR,
            }
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
kem!(
    ringsmith::ntru::ntruhps2048509::SCHEME,
    OQS_KEM_ntru_hps2048509_keypair,
    OQS_KEM_ntru_hps2048509_encaps,
    OQS_KEM_ntru_hps2048509_decaps
);
kem!(
    ringsmith::ntru::ntruhps2048677::SCHEME,
    OQS_KEM_ntru_hps2048677_keypair,
    OQS_KEM_ntru_hps2048677_encaps,
    OQS_KEM_ntru_hps2048677_decaps
);
kem!(
    ringsmith::ntru::ntruhps4096821::SCHEME,
    OQS_KEM_ntru_hps4096821_keypair,
    OQS_KEM_ntru_hps4096821_encaps,
    OQS_KEM_ntru_hps4096821_decaps
);
kem!(
    ringsmith::ntru::ntruhps40961229::SCHEME,
    OQS_KEM_ntru_hps40961229_keypair,
    OQS_KEM_ntru_hps40961229_encaps,
    OQS_KEM_ntru_hps40961229_decaps
);
kem!(
    ringsmith::ntru::ntruhrss701::SCHEME,
    OQS_KEM_ntru_hrss701_keypair,
    OQS_KEM_ntru_hrss701_encaps,
    OQS_KEM_ntru_hrss701_decaps
);
kem!(
    ringsmith::ntru::ntruhrss1373::SCHEME,
    OQS_KEM_ntru_hrss1373_keypair,
    OQS_KEM_ntru_hrss1373_encaps,
    OQS_KEM_ntru_hrss1373_decaps
);
