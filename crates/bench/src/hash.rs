//! The suite of the hashes: Keccak's permutation, SHA3-256 of a public key, a stream of SHAKE128, and SHA-512
//! of another public key.

use crate::RINGSMITH;
use crate::case::{Case, Id};
use keccak::Keccak;
use ringsmith::ml_kem::ml_kem_768;
use ringsmith::ntru_prime::sntrup761;
use ringsmith_hash::{RATE_128, Sha3_256, Sha512, Shake128, State4, permute, permute_one};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use sha2::Digest;
use std::hint::black_box;

/// The suite's name in [`Id::suite`].
pub(crate) const SUITE: &str = "hash";
/// The crate that the library takes for a single stream, so measured in every build.
pub(crate) const KECCAK: &str = "keccak 0.2.2";
/// The crate that SHA-512 goes through without AVX2, likewise.
pub(crate) const SHA2: &str = "sha2 0.11.1";
/// [`Id::subject`] of the permutation.
const PERMUTATION: &str = "Keccak-f[1600]";
/// [`Id::subject`] of the digest.
const DIGEST: &str = "SHA3-256";
/// [`Id::operation`] of the digest: of what a public key of ML-KEM-768 has.
const DIGEST_1184: &str = "1184 bytes";
/// [`Id::subject`] of the stream that NewHope's exchanges expand their public polynomial from.
const STREAM: &str = "SHAKE128";
/// Blocks of it: so many as most polynomials take.
const BLOCKS: usize = 17;
/// [`Id::operation`] of the stream.
const STREAM_2856: &str = "2856 bytes";
/// [`Id::subject`] of NTRU Prime's hash.
const SHA_512: &str = "SHA-512";
/// [`Id::operation`] of it: of a byte and what a public key of sntrup761 has.
const SHA_512_1159: &str = "1159 bytes";
/// [`Id::cpu`] of what does not depend on the backend.
const ANY: &str = "any";

/// The permutation of four states and of one, the digest of a public key, and a long stream.
///
/// `keccak` is the crate that single streams go through without AVX2; its rows for four states and for the
/// stream are permutations alone.
pub fn hash_cases(cpus: &[Cpu]) -> Vec<Case> {
    let four =
        |implementation, cpu, route| Id::new(SUITE, PERMUTATION, "4 states", implementation, cpu, route);
    let one = |implementation, cpu| Id::new(SUITE, PERMUTATION, "1 state", implementation, cpu, "one");
    let stream = |implementation, cpu| Id::new(SUITE, STREAM, STREAM_2856, implementation, cpu, "one");
    let sha_512 = |implementation, cpu| Id::new(SUITE, SHA_512, SHA_512_1159, implementation, cpu, "one");
    let ours = cpus.iter().flat_map(|&cpu| {
        [
            Case::new(four(RINGSMITH, cpu.name(), "four"), move || four_at_once(cpu)),
            Case::new(one(RINGSMITH, cpu.name()), move || one_at_a_time(cpu)),
            digest_case(RINGSMITH, cpu.name(), move |message| Sha3_256::new_on(cpu).absorb(message).digest()),
            Case::new(stream(RINGSMITH, cpu.name()), move || expand(cpu)),
            Case::new(sha_512(RINGSMITH, cpu.name()), move || {
                hash_key(move |key| Sha512::new_on(cpu).digest(&[&[4], key]))
            }),
        ]
    });
    let others = [
        Case::new(four(KECCAK, ANY, "one"), one_by_one::<4>),
        Case::new(one(KECCAK, ANY), one_by_one::<1>),
        Case::new(stream(KECCAK, ANY), one_by_one::<BLOCKS>),
        Case::new(sha_512(SHA2, ANY), || {
            hash_key(|key| sha2::Sha512::new_with_prefix([4]).chain_update(key).finalize().into())
        }),
    ];
    ours.chain(others).collect()
}

/// SHA3-256 of 1184 bytes.
pub fn digest_case(
    implementation: &str,
    cpu: &str,
    digest: impl Fn(&[u8]) -> [u8; 32] + Copy + 'static,
) -> Case {
    Case::new(Id::new(SUITE, DIGEST, DIGEST_1184, implementation, cpu, "one"), move || {
        let message = message();
        move || _ = black_box(digest(black_box(&message)))
    })
}

fn hash_key(hash: impl Fn(&[u8]) -> [u8; 64]) -> impl FnMut() {
    let key: [u8; sntrup761::EK_BYTES] = Random::new(1).bytes();
    move || _ = black_box(hash(black_box(&key)))
}

/// What is digested.
pub fn message() -> [u8; ml_kem_768::EK_BYTES] {
    Random::new(1).bytes()
}

fn states<const N: usize>() -> [[u64; 25]; N] {
    let mut random = Random::new(1);
    [[(); 25]; N].map(|state| state.map(|()| random.word()))
}

fn four_at_once(cpu: Cpu) -> impl FnMut() {
    let mut state = State4::new();
    for (stream, words) in states::<4>().iter().enumerate() {
        state.0.iter_mut().zip(words).for_each(|(lane, word)| lane[stream] = *word);
    }
    move || permute(cpu, black_box(&mut state))
}

fn expand(cpu: Cpu) -> impl FnMut() {
    let (seed, mut out) = (Random::new(1).bytes::<32>(), [0; BLOCKS * RATE_128]);
    move || Shake128::new_on(cpu).absorb(black_box(&seed)).reader().squeeze(black_box(&mut out))
}

fn one_at_a_time(cpu: Cpu) -> impl FnMut() {
    let [mut state] = states::<1>();
    move || permute_one(cpu, black_box(&mut state))
}

fn one_by_one<const N: usize>() -> impl FnMut() {
    let (mut states, keccak) = (states::<N>(), Keccak::new());
    move || keccak.with_f1600(|permute| black_box(&mut states).iter_mut().for_each(permute))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: cases are named by what they are.
    #[test]
    fn lengths_are_those_of_the_names() {
        assert_eq!(SHA_512_1159, format!("{} bytes", sntrup761::EK_BYTES + 1));
        assert_eq!(STREAM_2856, format!("{} bytes", BLOCKS * RATE_128));
        assert_eq!(DIGEST_1184, format!("{} bytes", message().len()));
    }

    /// Protects: the versions in the figures are the versions in the manifest.
    #[test]
    fn versions_are_those_of_the_manifest() {
        for version in [KECCAK, SHA2] {
            let (name, number) = version.split_once(' ').unwrap();
            assert!(include_str!("../Cargo.toml").contains(&format!("{name} = \"={number}\"")));
        }
    }
}
