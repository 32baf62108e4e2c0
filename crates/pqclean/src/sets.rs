//! The parameter sets.

use crate::{Kem, Lengths};
use std::ffi::c_int;

/// A parameter set.
pub struct Set {
    /// Its name, as `sntrup761`.
    pub name: &'static str,
    /// The portable code.
    pub portable: Kem,
    vectors: Option<Kem>,
}

impl Set {
    /// The code for AVX2, where this machine has what it was compiled for.
    pub fn avx2(&self) -> Option<Kem> {
        self.vectors.filter(|_| has_avx2())
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("aes") && has!("popcnt") && has!("pclmulqdq")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

/// An implementation of a set, by how its functions' names begin.
macro_rules! kem {
    ($set:ident, $prefix:expr) => {{
        // SAFETY: PQClean's interface, `api.h` of each implementation: of all of them the same but for the
        // names.
        unsafe extern "C" {
            #[link_name = concat!($prefix, "_crypto_kem_keypair")]
            fn keypair(public: *mut u8, private: *mut u8) -> c_int;
            #[link_name = concat!($prefix, "_crypto_kem_enc")]
            fn encapsulate(ciphertext: *mut u8, shared: *mut u8, public: *const u8) -> c_int;
            #[link_name = concat!($prefix, "_crypto_kem_dec")]
            fn decapsulate(shared: *mut u8, ciphertext: *const u8, private: *const u8) -> c_int;
        }
        use pqcrypto_ntruprime::$set::{
            ciphertext_bytes, public_key_bytes, secret_key_bytes, shared_secret_bytes,
        };
        let lengths = Lengths {
            public: public_key_bytes(),
            private: secret_key_bytes(),
            ciphertext: ciphertext_bytes(),
            shared: shared_secret_bytes(),
        };
        Kem { lengths, keypair, encapsulate, decapsulate }
    }};
}

macro_rules! sets {
    ($($set:ident $name:literal)*) => {
        /// All parameter sets.
        pub static SETS: [Set; [$($name),*].len()] = [$(Set {
            name: stringify!($set),
            portable: kem!($set, concat!("PQCLEAN_", $name, "_CLEAN")),
            #[cfg(target_arch = "x86_64")]
            vectors: Some(kem!($set, concat!("PQCLEAN_", $name, "_AVX2"))),
            #[cfg(not(target_arch = "x86_64"))]
            vectors: None,
        }),*];
    };
}

sets! {
    sntrup653 "SNTRUP653"
    sntrup761 "SNTRUP761"
    sntrup857 "SNTRUP857"
    sntrup953 "SNTRUP953"
    sntrup1013 "SNTRUP1013"
    sntrup1277 "SNTRUP1277"
    ntrulpr653 "NTRULPR653"
    ntrulpr761 "NTRULPR761"
    ntrulpr857 "NTRULPR857"
    ntrulpr953 "NTRULPR953"
    ntrulpr1013 "NTRULPR1013"
    ntrulpr1277 "NTRULPR1277"
}
