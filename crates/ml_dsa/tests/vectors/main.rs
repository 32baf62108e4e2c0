//! ML-DSA against NIST's ACVP files, Wycheproof's, and cases that isolate one check of verification each;
//! they are not in this repository.
//!
//! `RINGSMITH_VECTORS` names a folder with the folder `mldsa`, whose files are JSON, compressed by xz. That
//! keys and signatures are right is checked without them, too (`tests/known_answers.rs`).

mod case;

use case::{Case, Key, Tally};
use ringsmith_simd::Cpu;
use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// A file's contents, or why there are none.
fn file(name: &str) -> Result<Value, String> {
    let root = std::env::var_os("RINGSMITH_VECTORS").ok_or("RINGSMITH_VECTORS is not set")?;
    let path = Path::new(&root).join("mldsa").join(format!("{name}.json.xz"));
    let contents = std::fs::File::open(&path).map_err(|why| format!("{}: {why}", path.display()))?;
    let mut text = String::new();
    lzma_rust2::XzReader::new(contents, false)
        .read_to_string(&mut text)
        .unwrap_or_else(|why| panic!("{name}: {why}"));
    Ok(serde_json::from_str(&text).unwrap_or_else(|why| panic!("{name}: {why}")))
}

/// Checks a file on every backend: so many cases that must hold, and so many that must be refused.
fn check(name: &str, valid: usize, invalid: usize, key: Key) {
    let contents = match file(name) {
        Ok(contents) => contents,
        Err(why) => return println!("{name}: not run: {why}"),
    };
    for cpu in Cpu::available() {
        let mut tally = Tally::default();
        for (group, test) in cases(&contents) {
            let case = Case::new(cpu, &contents, group, test);
            let set = case.text("parameterSet").or_else(|| case.text("algorithm")).expect("a set");
            match &*set {
                "ML-DSA-44" => case.check::<ringsmith_ml_dsa::MlDsa44>(key, &mut tally),
                "ML-DSA-65" => case.check::<ringsmith_ml_dsa::MlDsa65>(key, &mut tally),
                "ML-DSA-87" => case.check::<ringsmith_ml_dsa::MlDsa87>(key, &mut tally),
                other => panic!("{name}: {other}"),
            }
        }
        assert_eq!((tally.valid, tally.invalid), (valid, invalid), "{name} on {cpu:?}");
    }
    println!("{name}: {valid} valid and {invalid} invalid cases");
}

/// The cases of a file, with their groups.
fn cases(contents: &Value) -> Vec<(&Value, &Value)> {
    let Some(groups) = contents["testGroups"].as_array() else {
        let tests = contents["tests"].as_array().expect("tests");
        return tests.iter().map(|test| (test, test)).collect();
    };
    groups
        .iter()
        .flat_map(|group| group["tests"].as_array().expect("tests").iter().map(move |test| (group, test)))
        .collect()
}

/// Protects: every byte of keys.
#[test]
fn acvp_key_generation() {
    check("acvp_keyGen_a", 39, 0, Key::Generated);
}

/// Protects: every byte of signatures, in every form of the standard.
#[test]
fn acvp_signing() {
    check("acvp_sigGen_a", 60, 0, Key::Signing("sk"));
    check("acvp_sigGen_tr1_seed_a", 132, 0, Key::Signing("seed"));
}

/// Protects: what verification accepts, in every form of the standard.
#[test]
fn acvp_verifying() {
    check("acvp_sigVer_a", 14, 61, Key::Verifying("pk", "signature"));
}

/// Protects: signatures of many attempts and of each rejection, keys of wrong lengths and out of range.
#[test]
fn wycheproof_signing() {
    check("wycheproof_mldsa_44_sign_seed_test", 82, 4, Key::Signing("privateSeed"));
    check("wycheproof_mldsa_65_sign_noseed_test", 73, 5, Key::Signing("privateKey"));
    check("wycheproof_mldsa_87_sign_seed_test", 92, 4, Key::Signing("privateSeed"));
}

/// Protects: every rule of verification.
#[test]
fn wycheproof_verifying() {
    check("wycheproof_mldsa_44_verify_test", 77, 103, Key::Verifying("publicKey", "sig"));
    check("wycheproof_mldsa_87_verify_test", 71, 170, Key::Verifying("publicKey", "sig"));
}

/// Protects: each rule of verification by itself.
#[test]
fn edges() {
    check("edges_verify_a", 48, 99, Key::Verifying("pk", "sig"));
}
