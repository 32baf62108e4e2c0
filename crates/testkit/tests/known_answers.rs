//! Every scheme against the digest of its response file of 100 runs, which its reference implementation
//! wrote.

use ringsmith::scheme;
use ringsmith_simd::Cpu;
use ringsmith_testkit::digests::{self, DRAWN_AT_ONCE, FILES};
use ringsmith_testkit::nist::Draws;
use ringsmith_testkit::{SIGNATURES, response_file};
use sha2::{Digest, Sha256};

/// Of families that make keys by inverses of every size, the sizes that others use.
const IN_USE: [&str; 3] = ["sntrup761", "ntruhps2048677", "ntruhrss701"];

/// The files that this machine checks. A build without optimisation would take minutes over the keys of all
/// sizes of NTRU and of Streamlined NTRU Prime, and an emulated machine with the scalar backend alone over
/// those of the latter: they check the sizes that are in use, and say so.
fn checked(files: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    let slow: &[&str] = match (cfg!(debug_assertions), cfg!(target_endian = "big")) {
        (true, _) => &["sntrup", "ntruh"],
        (_, true) => &["sntrup"],
        _ => &[],
    };
    let is_slow = |name: &str| slow.iter().any(|family| name.starts_with(family));
    let is_checked = |name: &str| !is_slow(name) || IN_USE.contains(&name);
    let (checked, left_out): (Vec<_>, Vec<_>) = files.iter().partition(|(name, _)| is_checked(name));
    if !left_out.is_empty() {
        let names: Vec<_> = left_out.iter().map(|(name, _)| *name).collect();
        println!("not checked on a machine this slow: {}", names.join(", "));
    }
    checked
}

/// Protects: byte compatibility of every scheme, on every backend.
#[test]
fn response_files() {
    assert_eq!(
        scheme::ALL.iter().map(|scheme| scheme.name).collect::<Vec<_>>(),
        FILES.map(|(name, _)| name),
        "a scheme without a digest"
    );
    for cpu in Cpu::available() {
        for (name, expected) in checked(&FILES) {
            let scheme = scheme::by_name(name).expect("a listed scheme");
            let file =
                response_file(cpu, scheme, 100, Draws::AsSubmitted).expect("a scheme takes its own keys");
            assert_eq!(digest(&file), expected, "{name} on {cpu:?}");
        }
    }
}

/// Protects: the same files where numbers are drawn at once.
#[test]
fn response_files_drawn_at_once() {
    for cpu in Cpu::available() {
        for (name, expected) in checked(&DRAWN_AT_ONCE) {
            let scheme = scheme::by_name(name).expect("a listed scheme");
            let file = response_file(cpu, scheme, 100, Draws::AtOnce).expect("a scheme takes its own keys");
            assert_eq!(digest(&file), expected, "{name} on {cpu:?}");
        }
    }
}

/// Protects: byte compatibility of every set of signatures. Their crate looks at every backend.
#[test]
fn response_files_of_signatures() {
    for ((name, file), (of, expected)) in SIGNATURES.into_iter().zip(digests::SIGNATURES) {
        assert_eq!(name, of, "a set without a digest");
        assert_eq!(digest(&file(Cpu::detect(), 100).expect("signatures")), expected, "{name}");
    }
}

fn digest(text: &str) -> String {
    ringsmith_oracle::hex(&Sha256::digest(text))
}
