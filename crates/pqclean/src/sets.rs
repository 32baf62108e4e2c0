//! The parameter sets.

use crate::has_avx2;
use crate::kem::{Kem, Lengths};
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

/// An implementation of a set, by how its functions' names begin.
macro_rules! kem {
    ($from:ident $set:ident, $prefix:expr) => {{
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
        use $from::$set::{ciphertext_bytes, public_key_bytes, secret_key_bytes, shared_secret_bytes};
        let lengths = Lengths {
            public: public_key_bytes(),
            private: secret_key_bytes(),
            ciphertext: ciphertext_bytes(),
            shared: shared_secret_bytes(),
        };
        Kem { lengths, keypair, encapsulate, decapsulate }
    }};
}

/// The vector code of a set that has it.
macro_rules! vectors {
    ($from:ident $set:ident $name:literal portable) => {
        None
    };
    ($from:ident $set:ident $name:literal avx2) => {{
        #[cfg(target_arch = "x86_64")]
        {
            Some(kem!($from $set, concat!("PQCLEAN_", $name, "_AVX2")))
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            None
        }
    }};
}

macro_rules! sets {
    ($(#[$doc:meta])* $sets:ident of $from:ident: $($set:ident $name:literal $code:ident)*) => {
        $(#[$doc])*
        pub static $sets: [Set; [$($name),*].len()] = [$(Set {
            name: stringify!($set),
            portable: kem!($from $set, concat!("PQCLEAN_", $name, "_CLEAN")),
            vectors: vectors!($from $set $name $code),
        }),*];
    };
}

sets! {
    /// The sets of NTRU.
    NTRU of pqcrypto_ntru:
    ntruhps2048509 "NTRUHPS2048509" avx2
    ntruhps2048677 "NTRUHPS2048677" avx2
    ntruhps4096821 "NTRUHPS4096821" avx2
    ntruhps40961229 "NTRUHPS40961229" portable
    ntruhrss701 "NTRUHRSS701" avx2
    ntruhrss1373 "NTRUHRSS1373" portable
}

sets! {
    /// The sets of NTRU Prime.
    NTRU_PRIME of pqcrypto_ntruprime:
    sntrup653 "SNTRUP653" avx2
    sntrup761 "SNTRUP761" avx2
    sntrup857 "SNTRUP857" avx2
    sntrup953 "SNTRUP953" avx2
    sntrup1013 "SNTRUP1013" avx2
    sntrup1277 "SNTRUP1277" avx2
    ntrulpr653 "NTRULPR653" avx2
    ntrulpr761 "NTRULPR761" avx2
    ntrulpr857 "NTRULPR857" avx2
    ntrulpr953 "NTRULPR953" avx2
    ntrulpr1013 "NTRULPR1013" avx2
    ntrulpr1277 "NTRULPR1277" avx2
}
