//! Wycheproof's JSON.

use crate::support::{SET, Sample, all_counts, check, counts, error, flipped_at, hex, with, without};
use ringsmith_simd::Cpu;
use ringsmith_testkit::vectors::{Kind, Run, Selection};
use serde_json::{Value, json};
use wycheproof::mlkem::{TestName, TestSet};

/// A Wycheproof file with every type of group.
pub(crate) fn wycheproof_file() -> Value {
    let s = Sample::new(5);
    let [ek, dk, c, k, m] = [&s.ek[..], &s.dk, &s.c, &s.k, &s.m].map(hex);
    let (seed, [bad_ek, bad_dk]) = (hex([s.d, s.z].concat()), [s.bad_ek(), s.bad_dk()].map(hex));
    let group = |kind: &str, tests: Value| json!({"type": kind, "parameterSet": SET, "tests": tests});
    json!({"algorithm": "ML-KEM", "schema": "mlkem_test_schema.json", "numberOfTests": 16, "testGroups": [
        group("MLKEMKeyGen", json!([
            {"tcId": 1, "result": "valid", "seed": seed, "ek": ek, "dk": dk},
            {"tcId": 2, "result": "invalid", "seed": &seed[2..], "ek": "", "dk": ""},
        ])),
        group("MLKEMEncapsTest", json!([
            {"tcId": 3, "result": "valid", "ek": ek, "m": m, "c": c, "K": k},
            {"tcId": 4, "result": "invalid", "ek": bad_ek, "m": m, "c": "", "K": ""},
            {"tcId": 5, "result": "invalid", "ek": &ek[2..], "m": m, "c": "", "K": ""},
            {"tcId": 6, "result": "acceptable", "ek": bad_ek, "m": m, "c": "", "K": ""},
            {"tcId": 7, "result": "acceptable", "ek": ek, "m": m, "c": c, "K": k},
        ])),
        group("MLKEMTest", json!([
            {"tcId": 8, "result": "valid", "seed": seed, "ek": ek, "c": c, "K": k},
            {"tcId": 9, "result": "invalid", "seed": &seed[2..], "c": c, "K": ""},
            {"tcId": 10, "result": "invalid", "seed": seed, "ek": ek, "c": c.clone() + "00", "K": ""},
        ])),
        group("MLKEMDecapsValidationTest", json!([
            {"tcId": 11, "result": "valid", "dk": dk, "c": c, "K": k},
            {"tcId": 12, "result": "invalid", "dk": bad_dk, "c": c},
            {"tcId": 13, "result": "invalid", "dk": &dk[2..], "c": c},
            {"tcId": 14, "result": "invalid", "dk": dk, "c": &c[2..]},
            {"tcId": 15, "result": "acceptable", "dk": bad_dk, "c": c, "K": k},
            {"tcId": 16, "result": "acceptable", "dk": dk, "c": c, "K": k},
        ])),
    ]})
}

/// Protects: Wycheproof's types, results and wrong lengths.
#[test]
fn wycheproof_files() {
    let tally = check(wycheproof_file().to_string()).expect("a file");
    let expected = [
        (Kind::KeyGeneration, [3, 0, 0]),
        (Kind::SeedRefused, [2, 0, 0]),
        (Kind::Encapsulation, [3, 0, 0]),
        (Kind::EncapsulationKeyRefused, [2, 0, 0]),
        (Kind::Decapsulation, [4, 0, 0]),
        (Kind::CiphertextRefused, [1, 0, 0]),
        (Kind::DecapsulationRefused, [3, 0, 0]),
    ];
    assert_eq!(all_counts(&tally), expected);
}

/// Protects: each wrong digit and each wrong result in a Wycheproof file fails.
#[test]
fn a_wrong_value_in_a_wycheproof_file() {
    let file = wycheproof_file();
    let digits = ["0/tests/0/seed", "0/tests/0/dk", "1/tests/0/m", "1/tests/0/c", "1/tests/4/K"];
    let digits = digits.into_iter().chain(["2/tests/0/ek", "2/tests/0/c", "3/tests/0/K", "3/tests/5/K"]);
    for path in digits {
        let tally = check(flipped_at(&file, &format!("/testGroups/{path}"))).expect("a file");
        assert_eq!(tally.failed(), 1, "{path}");
    }
    let results = [
        ("0/tests/0", "invalid", "tcId 1: a seed of 64 bytes is always taken"),
        ("0/tests/1", "valid", "tcId 2: refused: a seed of 63 bytes, where the scheme has 64"),
        ("1/tests/0", "invalid", "tcId 3: taken, and should be refused"),
        ("1/tests/1", "valid", "tcId 4: refused: the bytes are no key of the scheme"),
        ("1/tests/2", "valid", "tcId 5: refused: a public key of 799 bytes, where the scheme has 800"),
        ("2/tests/0", "invalid", "tcId 8: taken, and should be refused"),
        ("2/tests/2", "valid", "tcId 10: refused: a ciphertext of 769 bytes, where the scheme has 768"),
        ("3/tests/0", "invalid", "tcId 11: taken, and should be refused"),
    ];
    for (path, result, says) in results {
        let tally = check(with(&file, &format!("/testGroups/{path}/result"), json!(result))).expect("a file");
        let first: Vec<_> = tally.rows.iter().filter_map(|row| row.first_failure.as_deref()).collect();
        assert_eq!(first, [says], "{path}");
    }
}

/// Protects: a malformed Wycheproof file is refused with the path.
#[test]
fn malformed_wycheproof_files() {
    let file = wycheproof_file();
    let cases = [
        (with(&file, "/numberOfTests", json!(17)), "numberOfTests: says 17, and there are 16"),
        (without(&file, "/testGroups/1/tests/0", "m"), "testGroups[1].tests[0].m: missing"),
        (without(&file, "/testGroups/2/tests/2", "c"), "testGroups[2].tests[2].c: missing"),
        (without(&file, "/testGroups/3/tests/0", "K"), "testGroups[3].tests[0].K: missing"),
    ];
    for (file, says) in cases {
        assert_eq!(error(file), says);
    }
    let unknown = error(with(&file, "/testGroups/0/type", json!("MLKEMSignTest")));
    assert!(unknown.starts_with("testGroups[0].type: unknown variant `MLKEMSignTest`"), "{unknown}");
    let unknown = error(with(&file, "/testGroups/0/tests/0/result", json!("perhaps")));
    assert!(unknown.starts_with("testGroups[0].tests[0].result: unknown variant `perhaps`"), "{unknown}");
}

/// Protects: all that Wycheproof publishes for ML-KEM, on every backend; every case of its files is counted.
#[test]
fn wycheproof_as_published() {
    for cpu in Cpu::available() {
        for name in TestName::all() {
            let set = TestSet::load(name).expect("the crate reads its own data");
            let run = Run { cpu, selection: Selection::All };
            let tally = run.check(name.json_data().as_bytes()).expect("a published file");
            let complete = matches!(name, TestName::MlKem512 | TestName::MlKem768 | TestName::MlKem1024);
            // A case with a seed and a ciphertext counts in two rows.
            let rows = tally.rows.iter().filter(|row| !(complete && row.kind == Kind::KeyGeneration));
            let counted: usize = rows.map(|row| counts(&tally, row.kind).iter().sum::<usize>()).sum();
            assert_eq!(counted, set.number_of_tests, "{name:?} on {cpu:?}");
            assert_eq!(tally.failed(), 0, "{name:?} on {cpu:?}");
            let not_checked: usize = tally.rows.iter().map(|row| counts(&tally, row.kind)[2]).sum();
            assert_eq!(not_checked, 0, "{name:?} on {cpu:?}");
        }
    }
}
