//! `ml-kem`: RustCrypto's ML-KEM, portable Rust without vectors. Default features: it clears nothing then.
//!
//! | operation | what is called | checks of FIPS 203, section 7 |
//! |---|---|---|
//! | `keygen` | `generate_from_rng`, `to_expanded_bytes`, `to_bytes` | there are none |
//! | `encapsulate` | `EncapsulationKey::new`, `encapsulate_with_rng` | length (the type), modulus (`new`) |
//! | `decapsulate` | `from_expanded_bytes`, `decapsulate` | lengths (the types), hash and modulus |
//! | `encapsulate-prepared` | `encapsulate_with_rng` | those of `encapsulate`, when the key was read |
//! | `decapsulate-prepared` | `decapsulate` | those of `decapsulate`, when the key was read |
//!
//! `from_expanded_bytes` checks hash and modulus of the public key in the private key.
//!
//! A prepared key of theirs is decoded and has its hash, but no matrix: that is sampled in each operation.
//! Private keys are the standard's expanded form here, as for all others; it advises seeds.
//!
//! Randomness comes from the generator that ours draws from.
#![expect(deprecated, reason = "the expanded form is the standard's encoding, and what all others here take")]

use ml_kem::{Ciphertext, Decapsulate, Encapsulate, Generate, KeyExport, MlKem512, MlKem768, MlKem1024};
use ml_kem::{ExpandedKeyEncoding, TryKeyInit, kem::Decapsulator};
use ringsmith::ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith::scheme::Scheme;
use ringsmith_bench::Case;
use ringsmith_bench::kem::{CHECKED, Done, Kem, Names, Prepare, Refused, cases as kem_cases, prepared_cases};
use ringsmith_oracle::Random;
use std::marker::PhantomData;

/// Name and version.
pub(crate) const VERSION: &str = "ml-kem 0.3.4";

/// All parameter sets.
pub(crate) fn cases() -> Vec<Case> {
    [
        of_set::<MlKem512>(&ml_kem_512::SCHEME),
        of_set::<MlKem768>(&ml_kem_768::SCHEME),
        of_set::<MlKem1024>(&ml_kem_1024::SCHEME),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn of_set<K: ParameterSet>(scheme: &'static Scheme) -> Vec<Case> {
    let names = Names { scheme, implementation: VERSION, cpu: "scalar", route: CHECKED };
    let (kem, prepared) = (MlKem::<K>(PhantomData), MlKem::<K>(PhantomData));
    [kem_cases(names, kem), prepared_cases(names, prepared)].into_iter().flatten().collect()
}

/// What all three sets offer.
trait ParameterSet: ml_kem::Kem<DecapsulationKey: Decapsulate<Kem = Self> + ExpandedKeyEncoding> {}
impl<K: ml_kem::Kem<DecapsulationKey: Decapsulate<Kem = K> + ExpandedKeyEncoding>> ParameterSet for K {}

/// A parameter set of theirs, by its functions on bytes.
#[derive(Clone, Copy)]
struct MlKem<K>(PhantomData<K>);

impl<K: ParameterSet> Kem for MlKem<K> {
    fn generate(self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
        let key = K::DecapsulationKey::generate_from_rng(rng);
        public.copy_from_slice(&key.encapsulation_key().to_bytes());
        private.copy_from_slice(&key.to_expanded_bytes());
        Ok(())
    }

    fn encapsulate(self, public: &[u8], rng: &mut Random, ciphertext: &mut [u8], shared: &mut [u8]) -> Done {
        <Self as Prepare>::encapsulate(&self.read_public(public)?, rng, ciphertext, shared);
        Ok(())
    }

    fn decapsulate(self, private: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> Done {
        <Self as Prepare>::decapsulate(&self.read_private(private)?, ciphertext, shared);
        Ok(())
    }
}

impl<K: ParameterSet> Prepare for MlKem<K> {
    type Public = K::EncapsulationKey;
    type Private = K::DecapsulationKey;

    fn read_public(self, bytes: &[u8]) -> Result<Self::Public, Refused> {
        K::EncapsulationKey::new_from_slice(bytes).map_err(|_| Refused)
    }

    fn read_private(self, bytes: &[u8]) -> Result<Self::Private, Refused> {
        let bytes = bytes.try_into().map_err(|_| Refused)?;
        K::DecapsulationKey::from_expanded_bytes(bytes).map_err(|_| Refused)
    }

    fn encapsulate(key: &Self::Public, rng: &mut Random, ciphertext: &mut [u8], shared: &mut [u8]) {
        let (made, secret) = key.encapsulate_with_rng(rng);
        ciphertext.copy_from_slice(&made);
        shared.copy_from_slice(&secret);
    }

    fn decapsulate(key: &Self::Private, ciphertext: &[u8], shared: &mut [u8]) {
        let ciphertext: &Ciphertext<K> =
            ciphertext.try_into().unwrap_or_else(|_| unreachable!("the operand is of the scheme's length"));
        shared.copy_from_slice(&key.decapsulate(ciphertext));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith_bench::kem::laws;

    fn same_as_ours<K: ParameterSet>(scheme: &'static Scheme) {
        let kem = MlKem::<K>(PhantomData);
        laws::same_bytes(scheme, kem);
        laws::same_shared_keys(scheme, kem);
        laws::same_prepared(scheme, kem);
        assert_eq!(laws::checks(scheme, kem), [true; 2], "{}", scheme.name);
    }

    /// Protects: the peer computes what we compute, so that the times may be compared; and what this page
    /// says of its checks.
    #[test]
    fn all_sets_are_as_ours() {
        same_as_ours::<MlKem512>(&ml_kem_512::SCHEME);
        same_as_ours::<MlKem768>(&ml_kem_768::SCHEME);
        same_as_ours::<MlKem1024>(&ml_kem_1024::SCHEME);
    }
}
