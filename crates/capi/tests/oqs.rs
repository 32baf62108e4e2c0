//! liboqs's entry points, called as C does.

use ringsmith::scheme::Scheme;
use ringsmith_capi::*;
use std::ffi::c_int;
use std::ptr::{null, null_mut};

type Keypair = unsafe extern "C" fn(*mut u8, *mut u8) -> c_int;
type Encaps = unsafe extern "C" fn(*mut u8, *mut u8, *const u8) -> c_int;
type Decaps = unsafe extern "C" fn(*mut u8, *const u8, *const u8) -> c_int;

const KEMS: [(&Scheme, Keypair, Encaps, Decaps); 4] = [
    (
        &ringsmith::ntru_prime::sntrup761::SCHEME,
        OQS_KEM_ntruprime_sntrup761_keypair,
        OQS_KEM_ntruprime_sntrup761_encaps,
        OQS_KEM_ntruprime_sntrup761_decaps,
    ),
    (
        &ringsmith::ml_kem::ml_kem_512::SCHEME,
        OQS_KEM_ml_kem_512_keypair,
        OQS_KEM_ml_kem_512_encaps,
        OQS_KEM_ml_kem_512_decaps,
    ),
    (
        &ringsmith::ml_kem::ml_kem_768::SCHEME,
        OQS_KEM_ml_kem_768_keypair,
        OQS_KEM_ml_kem_768_encaps,
        OQS_KEM_ml_kem_768_decaps,
    ),
    (
        &ringsmith::ml_kem::ml_kem_1024::SCHEME,
        OQS_KEM_ml_kem_1024_keypair,
        OQS_KEM_ml_kem_1024_encaps,
        OQS_KEM_ml_kem_1024_decaps,
    ),
];

/// Memory for the bytes of a scheme.
struct Memory {
    public: Vec<u8>,
    private: Vec<u8>,
    ciphertext: Vec<u8>,
    shared: Vec<u8>,
}

impl Memory {
    fn new(scheme: &Scheme) -> Self {
        Memory {
            public: vec![0; scheme.public_key],
            private: vec![0; scheme.private_key],
            ciphertext: vec![0; scheme.ciphertext],
            shared: vec![0; scheme.shared_key],
        }
    }
}

/// Protects: what one side encapsulates, the other has; another key has not; and no more is written than the
/// lengths say.
#[test]
fn exchanges() {
    for (scheme, keypair, encaps, decaps) in KEMS {
        let (mut m, mut other, mut again) = (Memory::new(scheme), Memory::new(scheme), Memory::new(scheme));
        // SAFETY: all memory has the lengths of the scheme, and is apart.
        let results = unsafe {
            [
                keypair(m.public.as_mut_ptr(), m.private.as_mut_ptr()),
                keypair(other.public.as_mut_ptr(), other.private.as_mut_ptr()),
                encaps(m.ciphertext.as_mut_ptr(), m.shared.as_mut_ptr(), m.public.as_ptr()),
                decaps(again.shared.as_mut_ptr(), m.ciphertext.as_ptr(), m.private.as_ptr()),
                decaps(other.shared.as_mut_ptr(), m.ciphertext.as_ptr(), other.private.as_ptr()),
            ]
        };
        assert_eq!(results, [0; 5], "{}", scheme.name);
        assert_ne!(m.public, other.public, "{}", scheme.name);
        assert_eq!(m.shared, again.shared, "{}", scheme.name);
        assert_ne!(m.shared, other.shared, "{}", scheme.name);
    }
}

/// Protects: null pointers and invalid keys are refused, and nothing is written then.
#[test]
fn refusals() {
    for (scheme, keypair, encaps, decaps) in KEMS {
        let mut m = Memory::new(scheme);
        let invalid = vec![0xff; scheme.private_key];
        // SAFETY: all memory has the lengths of the scheme, and is apart; or the pointers are null.
        let results = unsafe {
            [
                keypair(null_mut(), m.private.as_mut_ptr()),
                keypair(m.public.as_mut_ptr(), null_mut()),
                encaps(null_mut(), m.shared.as_mut_ptr(), m.public.as_ptr()),
                encaps(m.ciphertext.as_mut_ptr(), null_mut(), m.public.as_ptr()),
                encaps(m.ciphertext.as_mut_ptr(), m.shared.as_mut_ptr(), null()),
                decaps(null_mut(), m.ciphertext.as_ptr(), m.private.as_ptr()),
                decaps(m.shared.as_mut_ptr(), null(), m.private.as_ptr()),
                decaps(m.shared.as_mut_ptr(), m.ciphertext.as_ptr(), null()),
                decaps(m.shared.as_mut_ptr(), m.ciphertext.as_ptr(), invalid.as_ptr()),
            ]
        };
        assert_eq!(results, [-1; 9], "{}", scheme.name);
        let written = [&m.public, &m.private, &m.ciphertext, &m.shared];
        assert!(written.into_iter().flatten().all(|byte| *byte == 0), "{}", scheme.name);
    }
}
