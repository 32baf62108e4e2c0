//! The known-answer files of NIST's format, whose digests are those of liboqs's.

// The test kit needs every scheme; its generator needs nothing of them.
#[path = "../../testkit/src/nist.rs"]
#[allow(dead_code, unreachable_pub, reason = "the test kit has more uses for it")]
mod nist;

#[path = "../../testkit/src/nist_signatures.rs"]
#[allow(unreachable_pub, reason = "the test kit shows it")]
mod nist_signatures;

use nist_signatures::response_file;
use ringsmith_ml_dsa::{MlDsa44, MlDsa65, MlDsa87, SignatureSet};
use ringsmith_simd::Cpu;
use sha2::{Digest, Sha256};

/// Digests of one run and of 100.
fn check<S: SignatureSet>(one: &str, all: &str) {
    for cpu in Cpu::available() {
        for (count, expected) in [(1, one), (100, all)] {
            let file = response_file::<S>(cpu, count).expect("signatures");
            let digest = nist::Hex(&Sha256::digest(file)).to_string().to_lowercase();
            assert_eq!(digest, expected, "{} of {count} on {cpu:?}", S::NAME);
        }
    }
}

/// Protects: every byte of keys and signatures, and what key generation and signing draw.
#[test]
fn digests() {
    check::<MlDsa44>(
        "9a196e7fb32fbc93757dc2d8dc1924460eab66303c0c08aeb8b798fb8d8f8cf3",
        "54322d25c05b96941aec73eb3ee27a975d38a34bfb53ef4cb9fd4a8e9cab554c",
    );
    check::<MlDsa65>(
        "7cb96242eac9907a55b5c84c202f0ebd552419c50b2e986dc2e28f07ecebf072",
        "47e1ca6d4a45e9853e381954cf97206eca22993deade3cade45bd9d9457c93f9",
    );
    check::<MlDsa87>(
        "4537905d2aabcf302fab2f242baed293459ecda7c230e6a67063b02c7e2840ed",
        "12382114979d5b64436aebfe6db02d61c07859429233105e936752cb77cc585a",
    );
}
