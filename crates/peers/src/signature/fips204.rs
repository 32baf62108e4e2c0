//! `fips204`: ML-DSA in portable Rust.
//!
//! | operation | what is called |
//! |---|---|
//! | `keygen` | `keygen_from_seed`, `into_bytes` of both keys |
//! | `sign` | `PrivateKey::try_from_bytes`, `try_sign_with_seed` |
//! | `verify` | `PublicKey::try_from_bytes`, `verify` |
//! | `sign-prepared` | `try_sign_with_seed` |
//! | `verify-prepared` | `verify` |
//!
//! A key of theirs keeps transforms, but no matrix: that is sampled in each operation. Writing a private key
//! transforms them back, which is part of `keygen`. Of a private key the ranges are checked.

use super::set;
use fips204::traits::{KeyGen, SerDes, Signer, Verifier};
use fips204::{ml_dsa_44, ml_dsa_65, ml_dsa_87};
use ringsmith_bench::Case;
use ringsmith_bench::kem::{Done, Refused};
use ringsmith_bench::signature::{
    DETERMINISTIC, Names, PrepareSign, Sign, cases as signature_cases, prepared_cases,
};
use ringsmith_oracle::Random;

/// Name and version.
pub(super) const VERSION: &str = "fips204 0.5.0";

/// All parameter sets.
pub(super) fn cases() -> Vec<Case> {
    [of_set("ML-DSA-44", MlDsa44), of_set("ML-DSA-65", MlDsa65), of_set("ML-DSA-87", MlDsa87)]
        .into_iter()
        .flatten()
        .collect()
}

fn of_set(name: &str, scheme: impl Sign + PrepareSign) -> Vec<Case> {
    let names = Names { set: set(name), implementation: VERSION, cpu: "scalar", route: DETERMINISTIC };
    [signature_cases(names, scheme), prepared_cases(names, scheme)].into_iter().flatten().collect()
}

/// Each parameter set is a module with types of its own.
macro_rules! parameter_set {
    ($name:ident, $module:ident) => {
        #[derive(Clone, Copy)]
        struct $name;

        impl Sign for $name {
            type Private = [u8; $module::SK_LEN];

            fn generate(self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
                let keys = $module::KG::keygen_from_seed(&rng.bytes());
                public.copy_from_slice(&keys.0.into_bytes());
                private.copy_from_slice(&keys.1.into_bytes());
                Ok(())
            }

            fn read(self, private: &[u8]) -> Result<<Self as Sign>::Private, Refused> {
                private.try_into().map_err(|_| Refused)
            }

            fn sign(self, key: &<Self as Sign>::Private, message: &[u8], signature: &mut [u8]) -> Done {
                <Self as PrepareSign>::sign(&self.read_private(key)?, message, signature)
            }

            fn verify(self, public: &[u8], message: &[u8], signature: &[u8]) -> Done {
                <Self as PrepareSign>::verify(&self.read_public(public)?, message, signature)
            }
        }

        impl PrepareSign for $name {
            type Public = $module::PublicKey;
            type Private = $module::PrivateKey;

            fn read_public(self, bytes: &[u8]) -> Result<Self::Public, Refused> {
                let bytes = bytes.try_into().map_err(|_| Refused)?;
                $module::PublicKey::try_from_bytes(bytes).map_err(|_| Refused)
            }

            fn read_private(self, bytes: &[u8]) -> Result<<Self as PrepareSign>::Private, Refused> {
                let bytes = bytes.try_into().map_err(|_| Refused)?;
                $module::PrivateKey::try_from_bytes(bytes).map_err(|_| Refused)
            }

            fn sign(key: &<Self as PrepareSign>::Private, message: &[u8], signature: &mut [u8]) -> Done {
                let made = key.try_sign_with_seed(&[0; 32], message, &[]).map_err(|_| Refused)?;
                signature.copy_from_slice(&made);
                Ok(())
            }

            fn verify(key: &Self::Public, message: &[u8], signature: &[u8]) -> Done {
                let signature = signature.try_into().map_err(|_| Refused)?;
                if key.verify(message, &signature, &[]) { Ok(()) } else { Err(Refused) }
            }
        }
    };
}

parameter_set!(MlDsa44, ml_dsa_44);
parameter_set!(MlDsa65, ml_dsa_65);
parameter_set!(MlDsa87, ml_dsa_87);
