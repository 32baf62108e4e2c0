//! `aws-lc-rs`: AWS-LC, C and assembly, behind a Rust interface. Its ML-DSA is mldsa-native.
//!
//! It picks its instructions itself: AVX2 with BMI2 for arithmetic, AVX2 for four Keccak states, or C.
//!
//! | operation | what is called |
//! |---|---|
//! | `keygen` | `PqdsaKeyPair::generate`, then `as_raw_bytes` of the private key, and the public key |
//! | `sign` | `PqdsaKeyPair::sign` of a key that was read before |
//! | `verify` | `UnparsedPublicKey::verify` |
//!
//! A key object holds the encoded bytes alone. Reading a private key computes its public key, which is left
//! out of `sign`, as it is with ours. Each operation allocates, as it does for all its users.
//!
//! Signatures are hedged with randomness of its own, and nothing else is offered: so the attempts are others
//! in each run. The row has the least, the median and the mean of all signatures.

use super::set;
use crate::AWS_LC_RS as VERSION;
use aws_lc_rs::encoding::{AsRawBytes, PqdsaPrivateKeyRaw};
use aws_lc_rs::signature::{
    KeyPair, ML_DSA_44, ML_DSA_44_SIGNING, ML_DSA_65, ML_DSA_65_SIGNING, ML_DSA_87, ML_DSA_87_SIGNING,
    PqdsaKeyPair, PqdsaSigningAlgorithm, PqdsaVerificationAlgorithm, UnparsedPublicKey,
};
use ringsmith_bench::Case;
use ringsmith_bench::kem::{Done, Refused};
use ringsmith_bench::signature::{HEDGED, Names, Sign, cases as signature_cases};
use ringsmith_oracle::Random;

/// A parameter set of theirs.
#[derive(Clone, Copy)]
struct MlDsa {
    signing: &'static PqdsaSigningAlgorithm,
    verifying: &'static PqdsaVerificationAlgorithm,
}

static SETS: [(&str, MlDsa); 3] = [
    ("ML-DSA-44", MlDsa { signing: &ML_DSA_44_SIGNING, verifying: &ML_DSA_44 }),
    ("ML-DSA-65", MlDsa { signing: &ML_DSA_65_SIGNING, verifying: &ML_DSA_65 }),
    ("ML-DSA-87", MlDsa { signing: &ML_DSA_87_SIGNING, verifying: &ML_DSA_87 }),
];

fn names(name: &str) -> Names {
    Names { set: set(name), implementation: VERSION, cpu: crate::vector_cpu(), route: HEDGED }
}

/// All parameter sets.
pub(super) fn cases() -> Vec<Case> {
    SETS.iter().flat_map(|(name, set)| signature_cases(names(name), *set)).collect()
}

impl Sign for MlDsa {
    type Private = PqdsaKeyPair;

    fn generate(self, _: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
        let key = PqdsaKeyPair::generate(self.signing).map_err(|_| Refused)?;
        let raw: PqdsaPrivateKeyRaw = key.private_key().as_raw_bytes().map_err(|_| Refused)?;
        public.copy_from_slice(key.public_key().as_ref());
        private.copy_from_slice(raw.as_ref());
        Ok(())
    }

    fn read(self, private: &[u8]) -> Result<Self::Private, Refused> {
        PqdsaKeyPair::from_raw_private_key(self.signing, private).map_err(|_| Refused)
    }

    fn sign(self, key: &Self::Private, message: &[u8], signature: &mut [u8]) -> Done {
        key.sign(message, signature).map(|_| ()).map_err(|_| Refused)
    }

    fn verify(self, public: &[u8], message: &[u8], signature: &[u8]) -> Done {
        UnparsedPublicKey::new(self.verifying, public).verify(message, signature).map_err(|_| Refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith_bench::{check, signature::DETERMINISTIC};

    /// Protects: what this page says of its randomness, and the check that finds it: a signature that is
    /// right, and differs.
    #[test]
    fn signatures_differ() {
        let (name, set) = SETS[0];
        let names = Names { route: DETERMINISTIC, ..names(name) };
        let said = check(&signature_cases(names, set)[1..2]).unwrap_err();
        assert!(said.ends_with("ML-DSA-44: a signature differs from ours"), "{said}");
    }
}
