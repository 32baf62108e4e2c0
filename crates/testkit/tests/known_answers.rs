//! Every scheme against the digest of its response file of 100 runs, which its reference implementation wrote.

use ringsmith_schemes::scheme;
use ringsmith_simd::Cpu;
use ringsmith_testkit::nist::response_file;
use sha2::{Digest, Sha256};

/// SHA-256 of the files, by scheme.
const FILES: [(&str, &str); 10] = [
    ("ML-KEM-512", "ba9b9f86b71dab2ff4c63593f72eb3a1a5dbeee6626fbee301b3394fdecf8629"),
    ("ML-KEM-768", "b87497154830f7b9f2b2c67041e33b1a840a4515957d07825bfdea8924a254f4"),
    ("ML-KEM-1024", "c8234999c771024b46ebf8aa0691e86651e96f8e2457a405cc46d939fb698127"),
    ("NewHope-CPA-512", "857f9ad02e25e7764604adc30501b31f0e516c292a166e54dbe80e81fd249d87"),
    ("NewHope-CPA-1024", "03d289c0b6ea93aa415120a4d5b211950096bd066d3bc31602bc1d839a2e7932"),
    ("NewHope-CCA-512", "abcd4809dd7580c281a91b41345d7866944c49124b6381f52633d3b5a2203944"),
    ("NewHope-CCA-1024", "74bb5fa3bf0795dcc72cda56816b76a0abf2dca428a4fbf45a213fb14d577d16"),
    // Of the reference with coefficients written in [0, q).
    ("NewHope-Compact-512", "2d683f721f16fc3e9b57d5a6f80766530ebe4393b8771d540e6785c8739baa79"),
    ("NewHope-Compact-768", "12e09868b6606bdd8187f1bbeb9fac08945960b7790232140eb484076db36395"),
    ("NewHope-Compact-1024", "a11118d94730baf44658ddcb117e1eca8affc381a2c4d38e72c4956e008f26a4"),
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
