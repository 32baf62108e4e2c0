//! Other libraries, measured in the same run on the same operands.
//!
//! To add one: an optional dependency of an exact version behind the feature of its suite (`peers-kem`,
//! `peers-ring`), a file here with `VERSION` and `cases`, and a line in each function below. Its subjects and
//! operations are those of the suite that it is a peer in. A peer of the schemes implements `Kem` of
//! `kem.rs`, obeys the laws there, and has a line in `NOTES`. The tests of all:
//! `cargo test --release -p ringsmith-bench --features peers --lib peers::`; no suite builds peers.

#[cfg(feature = "peers-kem")]
mod aws_lc_rs;
#[cfg(feature = "peers-kem")]
mod libcrux;
#[cfg(feature = "peers-kem")]
mod ml_kem;
#[cfg(feature = "peers-ntru-prime")]
mod pqcrypto_ntruprime;
#[cfg(feature = "peers-kem")]
mod sntrup;
#[cfg(feature = "peers-ring-avx2")]
mod tfhe_ntt;

use crate::case::Case;

/// What the page says of a peer of the schemes, by its name without a version; the files here say it in full.
/// In every build, because a page can be written from the rows of another.
const NOTES: [(&str, &str); 5] = [
    (
        "aws-lc-rs",
        "all checks of FIPS 203; randomness from its own generator for each thread, which reads the CPU's \
         `RDRAND`, so `keygen` and `encapsulate` have that in them (see `randomness`); no prepared keys",
    ),
    (
        "libcrux-ml-kem",
        "checks are separate calls, which its manual asks for: `checked` makes them, `unchecked` does not; \
         clears no memory",
    ),
    (
        "ml-kem",
        "all checks of FIPS 203; portable code; a prepared key has no matrix, which is sampled each time; \
         clears no memory by default",
    ),
    (
        "pqcrypto-ntruprime",
        "PQClean's C, portable and the submission's for AVX2, by its C functions and with our randomness; checks no keys; no prepared \
         keys; clears no memory",
    ),
    ("sntrup", "Rust, with vector code for AVX2 and AVX-512; checks no keys; streamlined sets alone"),
];

/// What is to be known of a peer of the schemes, by [`Id::implementation`](crate::Id::implementation).
pub(crate) fn note(implementation: &str) -> Option<&'static str> {
    let name = implementation.split(' ').next()?;
    NOTES.iter().find(|note| note.0 == name).map(|note| note.1)
}

/// The peers that were compiled in, each with its version.
pub fn versions() -> Vec<&'static str> {
    vec![
        #[cfg(feature = "peers-kem")]
        aws_lc_rs::VERSION,
        #[cfg(feature = "peers-kem")]
        libcrux::VERSION,
        #[cfg(feature = "peers-kem")]
        ml_kem::VERSION,
        #[cfg(feature = "peers-ntru-prime")]
        pqcrypto_ntruprime::VERSION,
        #[cfg(feature = "peers-kem")]
        sntrup::VERSION,
        #[cfg(feature = "peers-ring-avx2")]
        tfhe_ntt::VERSION,
    ]
}

/// Whether this build has a peer, by its name without a version, and this machine runs its code for a CPU
/// backend. Of those that a paper's table compares with.
pub(crate) fn has(name: &str, cpu: &str) -> bool {
    match name {
        #[cfg(feature = "peers-ntru-prime")]
        pqcrypto_ntruprime::NAME => pqcrypto_ntruprime::runs_on(cpu),
        _ => {
            let _ = cpu;
            false
        }
    }
}

/// Everything that the compiled peers offer.
pub fn cases() -> Vec<Case> {
    let peers: Vec<Vec<Case>> = vec![
        #[cfg(feature = "peers-kem")]
        aws_lc_rs::cases(),
        #[cfg(feature = "peers-kem")]
        libcrux::cases(),
        #[cfg(feature = "peers-kem")]
        ml_kem::cases(),
        #[cfg(feature = "peers-ntru-prime")]
        pqcrypto_ntruprime::cases(),
        #[cfg(feature = "peers-kem")]
        sntrup::cases(),
        #[cfg(feature = "peers-ring-avx2")]
        tfhe_ntt::cases(),
    ];
    peers.into_iter().flatten().collect()
}

/// What a peer runs that has code for AVX2 and for NEON, and asks at run time; one of them asks for BMI2 too.
#[cfg(feature = "peers-kem")]
fn vector_cpu() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("bmi2") {
        return "avx2";
    }
    if cfg!(target_arch = "aarch64") { "neon" } else { "scalar" }
}

#[cfg(all(test, feature = "peers-avx2"))]
mod tests {
    use crate::kem;
    use crate::run::try_all;

    /// Protects: the versions in the figures are the versions in the manifest.
    #[test]
    fn versions_are_those_of_the_manifest() {
        let manifest =
            [include_str!("../../Cargo.toml"), include_str!("../../../pqclean/Cargo.toml")].concat();
        for version in super::versions() {
            let (name, number) = version.split_once(' ').unwrap();
            assert!(manifest.contains(&format!("{name} = {{ version = \"={number}\"")), "{version}");
        }
    }

    /// Protects: every case runs, is listed once, and is next to an operation of ours; the page has a note on
    /// each peer of the schemes.
    #[test]
    fn every_case_runs() {
        let cpus = crate::cpus().unwrap();
        let ours = crate::cases(&cpus);
        let cases = super::cases();
        for case in &cases {
            assert!(ours.iter().any(|ours| ours.id().comparable(case.id())), "{}", case.id());
            let noted = super::note(&case.id().implementation).is_some();
            assert!(noted || case.id().suite != kem::SUITE, "{}", case.id());
        }
        try_all(cases);
    }
}
