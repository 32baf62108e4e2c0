//! `aws-lc-rs`: AWS-LC, C and assembly, behind a Rust interface. Its ML-KEM is mlkem-native, its Keccak
//! s2n-bignum's.
//!
//! It picks its instructions itself: AVX2 with BMI2 for arithmetic, AVX2 for four Keccak states, or C.
//! AVX-512 plays no part in its ML-KEM.
//!
//! | operation | what is called | checks of FIPS 203, section 7 |
//! |---|---|---|
//! | `keygen` | `DecapsulationKey::generate`, `key_bytes` of both keys | there are none |
//! | `encapsulate` | `EncapsulationKey::new`, `encapsulate` | length (`new`), modulus (`encapsulate`) |
//! | `decapsulate` | `DecapsulationKey::new`, `decapsulate` | lengths (both), hash (`decapsulate`) |
//!
//! The pairwise consistency test that its FIPS build has in `keygen` is not compiled in.
//!
//! A key object holds the encoded bytes alone: there is nothing like a prepared key. Each operation
//! allocates, as it does for all its users.
//!
//! Randomness is its own and no choice of the caller: `RAND_bytes`, an AES-256-CTR generator for each thread,
//! that takes 32 bytes from the CPU's `RDRAND` into each draw where there is such an instruction. The row
//! `randomness` says what 32 bytes cost; `keygen` draws 64 at once, `encapsulate` 32, `decapsulate` none.
//!
//! To build it takes a C compiler; on Linux and macOS neither CMake nor an assembler of its own.

use aws_lc_rs::kem::{Algorithm, Ciphertext, DecapsulationKey, EncapsulationKey};
use aws_lc_rs::kem::{ML_KEM_512, ML_KEM_768, ML_KEM_1024};
use aws_lc_rs::{digest, rand};
use ringsmith::ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith::scheme::Scheme;
use ringsmith_bench::Case;
use ringsmith_bench::hash::digest_case;
use ringsmith_bench::kem::{CHECKED, Done, Kem, Names, Refused, cases as kem_cases, randomness_case};
use ringsmith_oracle::Random;

/// Name and version.
const VERSION: &str = crate::AWS_LC_RS;

/// A parameter set of theirs, by its functions on bytes.
#[derive(Clone, Copy)]
struct MlKem(&'static Algorithm);

static SETS: [(&Scheme, MlKem); 3] = [
    (&ml_kem_512::SCHEME, MlKem(&ML_KEM_512)),
    (&ml_kem_768::SCHEME, MlKem(&ML_KEM_768)),
    (&ml_kem_1024::SCHEME, MlKem(&ML_KEM_1024)),
];

/// All parameter sets, the randomness, and SHA3-256.
pub(crate) fn cases() -> Vec<Case> {
    let names = |scheme| Names { scheme, implementation: VERSION, cpu: crate::vector_cpu(), route: CHECKED };
    let kems = SETS.iter().flat_map(|(scheme, kem)| kem_cases(names(scheme), *kem));
    kems.chain([randomness_case(VERSION, "any", "RAND_bytes", random), sha3_256_case()]).collect()
}

fn random(bytes: &mut [u8]) {
    rand::fill(bytes).unwrap_or_else(|_| unreachable!("it ends the process where it has no entropy"));
}

fn sha3_256_case() -> Case {
    digest_case(VERSION, "any", sha3_256)
}

fn sha3_256(message: &[u8]) -> [u8; 32] {
    let digest = digest::digest(&digest::SHA3_256, message);
    digest.as_ref().try_into().unwrap_or_else(|_| unreachable!("SHA3-256 has 32 bytes"))
}

impl Kem for MlKem {
    fn generate(self, _: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
        let key = DecapsulationKey::generate(self.0).map_err(|_| Refused)?;
        let published = key.encapsulation_key().map_err(|_| Refused)?;
        public.copy_from_slice(published.key_bytes().map_err(|_| Refused)?.as_ref());
        private.copy_from_slice(key.key_bytes().map_err(|_| Refused)?.as_ref());
        Ok(())
    }

    fn encapsulate(self, public: &[u8], _: &mut Random, ciphertext: &mut [u8], shared: &mut [u8]) -> Done {
        let key = EncapsulationKey::new(self.0, public).map_err(|_| Refused)?;
        let (made, secret) = key.encapsulate().map_err(|_| Refused)?;
        ciphertext.copy_from_slice(made.as_ref());
        shared.copy_from_slice(secret.as_ref());
        Ok(())
    }

    fn decapsulate(self, private: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> Done {
        let key = DecapsulationKey::new(self.0, private).map_err(|_| Refused)?;
        let secret = key.decapsulate(Ciphertext::from(ciphertext)).map_err(|_| Refused)?;
        shared.copy_from_slice(secret.as_ref());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith_bench::hash::message;
    use ringsmith_bench::kem::laws;
    use ringsmith_hash::Sha3_256;

    /// Protects: the peer computes what we compute, so that the times may be compared. It takes no seeds.
    #[test]
    fn same_as_ours() {
        for (scheme, kem) in &SETS {
            laws::same_shared_keys(scheme, *kem);
        }
        assert_eq!(sha3_256(&message()), Sha3_256::new().absorb(&message()).digest());
    }

    /// Protects: what this page says of its checks.
    #[test]
    fn checks() {
        for (scheme, kem) in &SETS {
            assert_eq!(laws::checks(scheme, *kem), [true; 2], "{}", scheme.name);
        }
    }
}
