//! Every scheme against the digest of its response file of 100 runs, which its reference implementation wrote.

use ringsmith_schemes::new_hope::{cca_512, cca_1024};
use ringsmith_schemes::scheme::{self, Scheme};
use ringsmith_simd::Cpu;
use ringsmith_testkit::nist::response_file;
use sha2::{Digest, Sha256};

/// SHA-256 of the files, by scheme.
const FILES: [(&str, &str); 3] = [
    ("ML-KEM-512", "ba9b9f86b71dab2ff4c63593f72eb3a1a5dbeee6626fbee301b3394fdecf8629"),
    ("ML-KEM-768", "b87497154830f7b9f2b2c67041e33b1a840a4515957d07825bfdea8924a254f4"),
    ("ML-KEM-1024", "c8234999c771024b46ebf8aa0691e86651e96f8e2457a405cc46d939fb698127"),
];

/// Protects: byte compatibility of every scheme, on every backend.
#[test]
fn response_files() {
    assert_eq!(
        scheme::ALL.map(|scheme| scheme.name),
        FILES.map(|(name, _)| name),
        "a scheme without a digest"
    );
    for cpu in Cpu::available() {
        for (name, expected) in FILES {
            let scheme = scheme::by_name(name).expect("a listed scheme");
            let file = response_file(cpu, scheme, 100).expect("a scheme takes its own keys");
            assert_eq!(digest(&file), expected, "{name} on {cpu:?}");
        }
    }
}

fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// SHA-256 of the submission's files, with the names that their first lines have.
const NEW_HOPE: [(&Scheme, &str, &str); 2] = [
    (
        &cca_512::SCHEME,
        "NewHope512-CCAKEM",
        "abcd4809dd7580c281a91b41345d7866944c49124b6381f52633d3b5a2203944",
    ),
    (
        &cca_1024::SCHEME,
        "NewHope1024-CCAKEM",
        "74bb5fa3bf0795dcc72cda56816b76a0abf2dca428a4fbf45a213fb14d577d16",
    ),
];

/// Protects: byte compatibility of NewHope as submitted to NIST, on every backend.
#[test]
fn response_files_of_new_hope() {
    for cpu in Cpu::available() {
        for (scheme, name, expected) in NEW_HOPE {
            let file = response_file(cpu, scheme, 100).expect("a scheme takes its own keys");
            let file = file.replacen(scheme.name, name, 1);
            assert_eq!(digest(&file), expected, "{name} on {cpu:?}");
        }
    }
}
