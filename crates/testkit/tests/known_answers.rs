//! Every scheme against the digest of its response file of 100 runs, which its reference implementation wrote.

use ringsmith_schemes::scheme;
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
            let digest = Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            assert_eq!(digest, expected, "{name} on {cpu:?}");
        }
    }
}
