//! `libcrux-ml-dsa`: ML-DSA in Rust, of which much is verified formally.
//!
//! It picks its instructions itself: AVX2 or NEON where present, or portable Rust.
//!
//! | operation | what is called |
//! |---|---|
//! | `keygen` | `generate_key_pair` |
//! | `sign` | `sign` with randomness zero; a private key is its bytes, of which nothing is checked |
//! | `verify` | `verify`; a public key is its bytes |
//!
//! It has no prepared keys, and clears no memory. Randomness is an argument.

use super::set;
use libcrux_ml_dsa::{ml_dsa_44, ml_dsa_65, ml_dsa_87};
use ringsmith_bench::Case;
use ringsmith_bench::kem::{Done, Refused};
use ringsmith_bench::signature::{DETERMINISTIC, Names, Sign, cases as signature_cases};
use ringsmith_oracle::Random;

/// Name and version.
pub(super) const VERSION: &str = "libcrux-ml-dsa 0.0.11";

/// All parameter sets.
pub(super) fn cases() -> Vec<Case> {
    let names = |name| Names {
        set: set(name),
        implementation: VERSION,
        cpu: crate::vector_cpu(),
        route: DETERMINISTIC,
    };
    [
        signature_cases(names("ML-DSA-44"), MlDsa44),
        signature_cases(names("ML-DSA-65"), MlDsa65),
        signature_cases(names("ML-DSA-87"), MlDsa87),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Each parameter set is a module with types of its own.
macro_rules! parameter_set {
    ($name:ident, $module:ident, $public:ident, $private:ident, $signature:ident) => {
        #[derive(Clone, Copy)]
        struct $name;

        impl Sign for $name {
            type Private = $module::$private;

            fn generate(self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
                let keys = $module::generate_key_pair(rng.bytes());
                public.copy_from_slice(keys.verification_key.as_slice());
                private.copy_from_slice(keys.signing_key.as_slice());
                Ok(())
            }

            fn read(self, private: &[u8]) -> Result<Self::Private, Refused> {
                Ok($module::$private::new(private.try_into().map_err(|_| Refused)?))
            }

            fn sign(self, key: &Self::Private, message: &[u8], signature: &mut [u8]) -> Done {
                let made = $module::sign(key, message, &[], [0; 32]).map_err(|_| Refused)?;
                signature.copy_from_slice(made.as_slice());
                Ok(())
            }

            fn verify(self, public: &[u8], message: &[u8], signature: &[u8]) -> Done {
                let key = $module::$public::new(public.try_into().map_err(|_| Refused)?);
                let signature = $module::$signature::new(signature.try_into().map_err(|_| Refused)?);
                $module::verify(&key, message, &[], &signature).map_err(|_| Refused)
            }
        }
    };
}

parameter_set!(MlDsa44, ml_dsa_44, MLDSA44VerificationKey, MLDSA44SigningKey, MLDSA44Signature);
parameter_set!(MlDsa65, ml_dsa_65, MLDSA65VerificationKey, MLDSA65SigningKey, MLDSA65Signature);
parameter_set!(MlDsa87, ml_dsa_87, MLDSA87VerificationKey, MLDSA87SigningKey, MLDSA87Signature);
