//! `ml-dsa`: RustCrypto's ML-DSA, portable Rust without vectors.
//!
//! | operation | what is called |
//! |---|---|
//! | `keygen` | `SigningKey::from_seed`, `to_expanded`, `encode` of the public key |
//! | `sign` | `ExpandedSigningKey::from_expanded`, `sign_deterministic` |
//! | `verify` | `VerifyingKey::decode`, `verify_with_context` |
//! | `sign-prepared` | `sign_deterministic` |
//! | `verify-prepared` | `verify_with_context` |
//!
//! A key of theirs, private or public, keeps the matrix and the transforms: it is a prepared one. The private
//! keys of `sign` are the standard's long form, as for all others here; it advises seeds, and does not check
//! that form.
#![expect(deprecated, reason = "the expanded form is the standard's encoding, and what all others here take")]

use super::set;
use ml_dsa::{EncodedSignature, EncodedVerifyingKey, ExpandedSigningKey, ExpandedSigningKeyBytes};
use ml_dsa::{Keypair, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature, SigningKey, VerifyingKey};
use ringsmith_bench::Case;
use ringsmith_bench::kem::{Done, Refused};
use ringsmith_bench::signature::{
    DETERMINISTIC, Names, PrepareSign, Sign, cases as signature_cases, prepared_cases,
};
use ringsmith_oracle::Random;
use std::marker::PhantomData;

/// Name and version.
pub(super) const VERSION: &str = "ml-dsa 0.1.2";

/// All parameter sets.
pub(super) fn cases() -> Vec<Case> {
    [of_set::<MlDsa44>("ML-DSA-44"), of_set::<MlDsa65>("ML-DSA-65"), of_set::<MlDsa87>("ML-DSA-87")]
        .into_iter()
        .flatten()
        .collect()
}

fn of_set<P: MlDsaParams + Copy + 'static>(name: &str) -> Vec<Case> {
    let names = Names { set: set(name), implementation: VERSION, cpu: "scalar", route: DETERMINISTIC };
    let scheme = MlDsa::<P>(PhantomData);
    [signature_cases(names, scheme), prepared_cases(names, scheme)].into_iter().flatten().collect()
}

/// A parameter set of theirs.
#[derive(Clone, Copy)]
struct MlDsa<P>(PhantomData<P>);

impl<P: MlDsaParams + Copy + 'static> Sign for MlDsa<P> {
    type Private = ExpandedSigningKeyBytes<P>;

    fn generate(self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
        let key = SigningKey::<P>::from_seed(&rng.bytes::<32>().into());
        public.copy_from_slice(&key.verifying_key().encode());
        private.copy_from_slice(&key.expanded_key().to_expanded());
        Ok(())
    }

    fn read(self, private: &[u8]) -> Result<Self::Private, Refused> {
        private.try_into().map_err(|_| Refused)
    }

    fn sign(self, key: &Self::Private, message: &[u8], signature: &mut [u8]) -> Done {
        <Self as PrepareSign>::sign(&ExpandedSigningKey::from_expanded(key), message, signature)
    }

    fn verify(self, public: &[u8], message: &[u8], signature: &[u8]) -> Done {
        <Self as PrepareSign>::verify(&self.read_public(public)?, message, signature)
    }
}

impl<P: MlDsaParams + Copy + 'static> PrepareSign for MlDsa<P> {
    type Public = VerifyingKey<P>;
    type Private = ExpandedSigningKey<P>;

    fn read_public(self, bytes: &[u8]) -> Result<Self::Public, Refused> {
        let bytes: EncodedVerifyingKey<P> = bytes.try_into().map_err(|_| Refused)?;
        Ok(VerifyingKey::decode(&bytes))
    }

    fn read_private(self, bytes: &[u8]) -> Result<Self::Private, Refused> {
        Ok(ExpandedSigningKey::from_expanded(&self.read(bytes)?))
    }

    fn sign(key: &Self::Private, message: &[u8], signature: &mut [u8]) -> Done {
        let made = key.sign_deterministic(message, &[]).map_err(|_| Refused)?;
        signature.copy_from_slice(&made.encode());
        Ok(())
    }

    fn verify(key: &Self::Public, message: &[u8], signature: &[u8]) -> Done {
        let bytes: EncodedSignature<P> = signature.try_into().map_err(|_| Refused)?;
        let signature = Signature::<P>::decode(&bytes).ok_or(Refused)?;
        if key.verify_with_context(message, &[], &signature) { Ok(()) } else { Err(Refused) }
    }
}
