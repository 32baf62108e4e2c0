//! `mldsa-native-rs`: mldsa-native, C with assembly for AVX2 and AArch64, Keccak's too, behind Rust bindings.
//!
//! It picks its instructions itself: AVX2 with BMI2, NEON and the instructions for SHA-3, or C. Keccak for
//! AVX-512 is not in it: liboqs puts its own beside this code.
//!
//! | operation | what is called |
//! |---|---|
//! | `keygen` | `keygen_from_seed` |
//! | `sign` | `try_sign_with_seed` with randomness zero; a private key is its bytes, checked before |
//! | `verify` | `verify`; a public key is its bytes |
//!
//! It has no prepared keys. `sign` allocates the few bytes that stand before a message. To build it takes a C
//! compiler, and libclang for bindgen.

use super::set;
use mldsa_native_rs::parameter_sets::{ML_DSA_44, ML_DSA_65, ML_DSA_87};
use mldsa_native_rs::{MlDsaSeed, ParameterSet, SeededSigner, Signature, SigningKey, VerifyingKey};
use mldsa_native_rs::{Verifier, keygen_from_seed};
use ringsmith_bench::Case;
use ringsmith_bench::kem::{Done, Refused};
use ringsmith_bench::signature::{DETERMINISTIC, Names, Sign, cases as signature_cases};
use ringsmith_oracle::Random;
use std::marker::PhantomData;

/// Name and version.
pub(crate) const VERSION: &str = "mldsa-native-rs 0.0.1-alpha.6";

/// All parameter sets.
pub(super) fn cases() -> Vec<Case> {
    [of_set::<ML_DSA_44>(), of_set::<ML_DSA_65>(), of_set::<ML_DSA_87>()].into_iter().flatten().collect()
}

fn of_set<P: ParameterSet + 'static>() -> Vec<Case> {
    let set = set(P::NAME);
    let names = Names { set, implementation: VERSION, cpu: crate::vector_cpu(), route: DETERMINISTIC };
    signature_cases(names, MlDsa::<P>(PhantomData))
}

/// A parameter set of theirs.
struct MlDsa<P>(PhantomData<P>);

impl<P> Clone for MlDsa<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for MlDsa<P> {}

impl<P: ParameterSet + 'static> Sign for MlDsa<P> {
    type Private = SigningKey<P>;

    fn generate(self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
        let seed = MlDsaSeed::from(rng.bytes::<32>());
        let (signing, verifying) = keygen_from_seed::<P>(&seed).map_err(|_| Refused)?;
        public.copy_from_slice(verifying.as_ref());
        private.copy_from_slice(signing.as_ref());
        Ok(())
    }

    fn read(self, private: &[u8]) -> Result<Self::Private, Refused> {
        SigningKey::try_from(private).map_err(|_| Refused)
    }

    fn sign(self, key: &Self::Private, message: &[u8], signature: &mut [u8]) -> Done {
        let made: Signature<P> = key.try_sign_with_seed(&[0; 32], message).map_err(|_| Refused)?;
        signature.copy_from_slice(made.as_ref());
        Ok(())
    }

    fn verify(self, public: &[u8], message: &[u8], signature: &[u8]) -> Done {
        let key = VerifyingKey::<P>::try_from(public).map_err(|_| Refused)?;
        let signature = Signature::<P>::try_from(signature).map_err(|_| Refused)?;
        key.verify(message, &signature).map_err(|_| Refused)
    }
}
