//! Other libraries, for Ringsmith's benchmarks: measured in the same run on the same operands. Not published.
//!
//! To add one: an optional dependency of an exact version behind the feature of its suite (`kem`,
//! `signature`, `ring`), a file here with `VERSION` and `cases`, and a line in each list below. Its subjects
//! and operations are those of the suite that it is a peer in. A peer of the schemes implements
//! [`Kem`](ringsmith_bench::kem::Kem), obeys the [laws](ringsmith_bench::kem::laws), and has a line in the
//! notes of `crates/bench/src/peers.rs`.
//! A peer of signatures stands in `signature`, implements [`Sign`](ringsmith_bench::signature::Sign), is
//! checked against the list of signatures before it is measured, and has a line in the notes, too.
//! The tests of all: `cargo test --release -p ringsmith-peers --features all`; no suite builds peers. The
//! feature `mldsa-native` stands beside `all`, since it takes libclang.
#![forbid(unsafe_code)]

#[cfg(feature = "kem")]
mod aws_lc_rs;
#[cfg(feature = "kem")]
mod libcrux;
#[cfg(feature = "kem")]
mod ml_kem;
#[cfg(feature = "pqclean")]
mod pqclean;
#[cfg(feature = "signature")]
mod signature;
#[cfg(feature = "kem")]
mod sntrup;
#[cfg(feature = "ring-avx2")]
mod tfhe_ntt;

use ringsmith_bench::Case;
use ringsmith_bench::peers::Peers;

/// Name and version of a peer in several suites.
#[cfg(any(feature = "kem", feature = "signature"))]
const AWS_LC_RS: &str = "aws-lc-rs 1.19.0";

/// The libraries that were compiled in.
pub const PEERS: Peers = Peers {
    versions: &[
        #[cfg(any(feature = "kem", feature = "signature"))]
        AWS_LC_RS,
        #[cfg(feature = "kem")]
        libcrux::VERSION,
        #[cfg(feature = "kem")]
        ml_kem::VERSION,
        #[cfg(feature = "pqclean")]
        pqclean::VERSIONS[0],
        #[cfg(feature = "pqclean")]
        pqclean::VERSIONS[1],
        #[cfg(feature = "signature")]
        signature::VERSIONS[0],
        #[cfg(feature = "signature")]
        signature::VERSIONS[1],
        #[cfg(feature = "signature")]
        signature::VERSIONS[2],
        #[cfg(feature = "signature")]
        signature::VERSIONS[3],
        #[cfg(feature = "mldsa-native")]
        signature::mldsa_native::VERSION,
        #[cfg(feature = "kem")]
        sntrup::VERSION,
        #[cfg(feature = "ring-avx2")]
        tfhe_ntt::VERSION,
    ],
    cases,
};

/// Everything that the compiled peers offer.
fn cases() -> Vec<Case> {
    let peers: Vec<Vec<Case>> = vec![
        #[cfg(feature = "kem")]
        aws_lc_rs::cases(),
        #[cfg(feature = "kem")]
        libcrux::cases(),
        #[cfg(feature = "kem")]
        ml_kem::cases(),
        #[cfg(feature = "pqclean")]
        pqclean::cases(),
        #[cfg(feature = "signature")]
        signature::cases(),
        #[cfg(feature = "kem")]
        sntrup::cases(),
        #[cfg(feature = "ring-avx2")]
        tfhe_ntt::cases(),
    ];
    peers.into_iter().flatten().collect()
}

/// What a peer runs that has code for AVX2 and for NEON, and asks at run time; one of them asks for BMI2 too.
#[cfg(any(feature = "kem", feature = "signature"))]
fn vector_cpu() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("bmi2") {
        return "avx2";
    }
    if cfg!(target_arch = "aarch64") { "neon" } else { "scalar" }
}

#[cfg(all(test, feature = "avx2"))]
mod tests {
    use ringsmith_bench::peers::note;
    use ringsmith_bench::{cases, cpus, kem, signature, try_all};

    /// Protects: the versions in the figures are the versions in the manifest.
    #[test]
    fn versions_are_those_of_the_manifest() {
        let manifest = [include_str!("../Cargo.toml"), include_str!("../../pqclean/Cargo.toml")].concat();
        for version in super::PEERS.versions {
            let (name, number) = version.split_once(' ').unwrap();
            assert!(manifest.contains(&format!("{name} = {{ version = \"={number}\"")), "{version}");
        }
    }

    /// Protects: every case runs, is listed once, and is next to an operation of ours; the page has a note on
    /// each peer of the schemes.
    #[test]
    fn every_case_runs() {
        let ours = cases(&cpus().unwrap());
        let cases = super::cases();
        for case in &cases {
            assert!(ours.iter().any(|ours| ours.id().comparable(case.id())), "{}", case.id());
            let noted = note(&case.id().implementation).is_some();
            let of_scheme = [kem::SUITE, signature::SUITE].contains(&case.id().suite.as_str());
            assert!(noted || !of_scheme, "{}", case.id());
        }
        try_all(cases);
    }
}
