//! `pqcrypto-mldsa`: PQClean's ML-DSA in C, portable code and the submission's for AVX2, by way of
//! `ringsmith-pqclean`.
//!
//! | operation | what is called |
//! |---|---|
//! | `keygen` | `crypto_sign_keypair` |
//! | `sign` | `crypto_sign_signature_ctx`; a private key is its bytes, of which nothing is checked |
//! | `verify` | `crypto_sign_verify_ctx` |
//!
//! **Its vector code verifies wrongly** what no correct signer makes (coefficients of `z` out of bounds, a
//! hint at a low part of zero), so `verify` does less there than it must, if little: a peer for timing, and
//! no oracle.
//!
//! Randomness is the benchmark's, and zero in signatures. It has no prepared keys, allocates nothing and
//! clears nothing. To build it takes a C compiler.

use super::set;
use ringsmith_bench::Case;
use ringsmith_bench::kem::{Done, Refused};
use ringsmith_bench::signature::{DETERMINISTIC, Names, Sign, cases as signature_cases};
use ringsmith_oracle::Random;
use ringsmith_pqclean::{ML_DSA, Signature, SignatureSet};

/// Name and version.
pub(super) const VERSION: &str = "pqcrypto-mldsa 0.1.2";

/// A set in one of its implementations.
#[derive(Clone, Copy)]
struct Theirs(Signature);

impl Sign for Theirs {
    type Private = Vec<u8>;

    fn generate(self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
        self.0.keypair(rng, public, private);
        Ok(())
    }

    fn read(self, private: &[u8]) -> Result<Self::Private, Refused> {
        Ok(private.into())
    }

    fn sign(self, key: &Self::Private, message: &[u8], signature: &mut [u8]) -> Done {
        self.0.sign(key, message, signature);
        Ok(())
    }

    fn verify(self, public: &[u8], message: &[u8], signature: &[u8]) -> Done {
        if self.0.verify(public, message, signature) { Ok(()) } else { Err(Refused) }
    }
}

/// The implementations of a set that this machine runs, by what they run on.
fn codes(set: &SignatureSet) -> impl Iterator<Item = (&'static str, Theirs)> {
    let vectors = set.avx2().map(|code| ("avx2", Theirs(code)));
    vectors.into_iter().chain([("scalar", Theirs(set.portable))])
}

/// All parameter sets.
pub(super) fn cases() -> Vec<Case> {
    let of_set = |theirs: &SignatureSet| {
        let set = set(theirs.name);
        let named = move |(cpu, code)| {
            signature_cases(Names { set, implementation: VERSION, cpu, route: DETERMINISTIC }, code)
        };
        codes(theirs).flat_map(named).collect::<Vec<_>>()
    };
    ML_DSA.iter().flat_map(of_set).collect()
}
