//! The known-answer files of NIST's format, whose digests are those of liboqs's.

// The test kit needs every scheme; its generator needs nothing of them.
#[path = "../../testkit/src/nist.rs"]
#[allow(dead_code, unreachable_pub, reason = "the test kit has more uses for it")]
mod nist;

use nist::Drbg;
use rand_core::Rng;
use ringsmith_kem::signature::SigningKey;
use ringsmith_ml_dsa::{Context, MlDsa44, MlDsa65, MlDsa87, SignatureSet};
use ringsmith_simd::Cpu;
use sha2::{Digest, Sha256};
use std::fmt::Write;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02X}").expect("text");
        text
    })
}

/// The records of so many runs.
fn records<S: SignatureSet>(cpu: Cpu, count: usize) -> String {
    let mut seeds = Drbg::new(&core::array::from_fn(|i| i as u8));
    let of_run = |i: usize| {
        let (mut seed, mut message) = ([0; 48], vec![0; 33 * (i + 1)]);
        seeds.fill_bytes(&mut seed);
        seeds.fill_bytes(&mut message);
        let mut drbg = Drbg::new(&seed);
        let key = SigningKey::<S>::generate_on(cpu, &mut drbg);
        let signature = key.sign(&mut drbg, Context::EMPTY, &message).expect("a signature");
        let public = key.verifying_key();
        assert!(public.verify(Context::EMPTY, &message, signature.as_ref()).is_ok());
        let sm = [signature.as_ref(), &message].concat();
        format!(
            "count = {i}\nseed = {}\nmlen = {}\nmsg = {}\npk = {}\nsk = {}\nsmlen = {}\nsm = {}\n",
            hex(&seed),
            message.len(),
            hex(&message),
            hex(public.to_bytes().as_ref()),
            hex(key.to_bytes().as_ref()),
            sm.len(),
            hex(&sm)
        )
    };
    (0..count).map(of_run).collect::<Vec<_>>().join("\n")
}

/// Digests of one run and of 100.
fn check<S: SignatureSet>(one: &str, all: &str) {
    for cpu in Cpu::available() {
        for (count, expected) in [(1, one), (100, all)] {
            let digest = hex(&Sha256::digest(records::<S>(cpu, count))).to_lowercase();
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
