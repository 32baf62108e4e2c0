//! ACVP's JSON.

use crate::support::{SET, Sample, all_counts, check, error, first_failure, flipped_at, hex, with, without};
use ringsmith_testkit::vectors::Kind;
use serde_json::{Value, json};

/// An ACVP file of key generation.
fn acvp_key_generation() -> Value {
    let test = |id: u8| {
        let s = Sample::new(id);
        json!({"tcId": id, "d": hex(s.d), "z": hex(s.z), "ek": hex(&s.ek), "dk": hex(&s.dk)})
    };
    json!({"algorithm": "ML-KEM", "mode": "keyGen", "revision": "FIPS203", "testGroups": [
        {"tgId": 1, "testType": "AFT", "parameterSet": SET, "tests": [test(1), test(2)]},
        {"tgId": 2, "testType": "AFT", "parameterSet": "ML-KEM-896", "tests": [test(3)]},
    ]})
}

/// An ACVP file of all other functions; the key of the decapsulations stands in the group, as in older files.
pub(crate) fn acvp_encapsulation() -> Value {
    let s = Sample::new(9);
    let [ek, dk, c, k] = [&s.ek, &s.dk, &s.c, &s.k].map(hex);
    let [bad_ek, bad_dk] = [s.bad_ek(), s.bad_dk()].map(hex);
    let group = |kind: &str, function: &str, tests: Value| {
        let mut group = json!({"testType": kind, "parameterSet": SET, "tests": tests});
        group["function"] = json!(function);
        group
    };
    let mut decapsulation = group("VAL", "decapsulation", json!([{"tcId": 2, "c": c, "k": k}]));
    decapsulation["dk"] = json!(dk);
    json!({"algorithm": "ML-KEM", "mode": "encapDecap", "revision": "FIPS203", "testGroups": [
        group("AFT", "encapsulation", json!([
            {"tcId": 1, "ek": ek, "m": hex(s.m), "c": c, "k": k, "dk": dk},
        ])),
        decapsulation,
        group("VAL", "encapsulationKeyCheck", json!([
            {"tcId": 3, "ek": ek, "testPassed": true}, {"tcId": 4, "ek": bad_ek, "testPassed": false},
            {"tcId": 5, "ek": &ek[2..], "testPassed": false},
        ])),
        group("VAL", "decapsulationKeyCheck", json!([
            {"tcId": 6, "dk": dk, "testPassed": true}, {"tcId": 7, "dk": bad_dk, "testPassed": false},
        ])),
    ]})
}

/// A file of the revision that has private keys as seeds too.
fn acvp_of_seeds() -> Value {
    let s = Sample::new(5);
    let [dk, c, k, d, z] = [&s.dk[..], &s.c, &s.k, &s.d, &s.z].map(hex);
    let group = |format: &str, test: Value| {
        let mut group = json!({"parameterSet": SET, "function": "decapsulation", "tests": [test]});
        group["keyFormat"] = json!(format);
        group
    };
    json!({"algorithm": "ML-KEM", "mode": "encapDecap", "revision": "FIPS203-tr1", "testGroups": [
        group("seed", json!({"tcId": 1, "d": d, "z": z, "dk": dk, "c": c, "k": k})),
        group("seed", json!({"tcId": 2, "d": d, "z": z, "c": c, "k": k})),
        group("expanded", json!({"tcId": 3, "dk": dk, "c": c, "k": k})),
        group("none", json!({"tcId": 4, "dk": dk, "c": c, "k": k})),
    ]})
}

/// Protects: private keys that are given as seeds are made of them, and are those that the file has.
#[test]
fn keys_as_seeds() {
    let file = acvp_of_seeds();
    let tally = check(file.to_string()).expect("a file");
    assert_eq!(all_counts(&tally), [(Kind::Decapsulation, [4, 0, 0])]);
    for (path, said) in [
        ("/testGroups/0/tests/0/dk", "tcId 1: `dk` is not the seed's"),
        ("/testGroups/1/tests/0/z", ""),
        ("/testGroups/1/tests/0/d", "tcId 2: the shared key differs from the computed one, first in byte 0"),
    ] {
        let tally = check(flipped_at(&file, path)).expect("a file");
        match said {
            // The seed's second half is used where a ciphertext is rejected.
            "" => assert_eq!(tally.failed(), 0),
            said => assert_eq!(first_failure(&tally, Kind::Decapsulation), said),
        }
    }
    let missing = without(&file, "/testGroups/1/tests/0", "d");
    assert_eq!(error(missing), "testGroups[1].tests[0].d: missing");
    let other = with(&file, "/testGroups/0/keyFormat", json!("pem"));
    assert_eq!(error(other), "testGroups[0].keyFormat: is not `seed`, `expanded` or `none`");
}

/// Protects: ACVP files pass, and a set that no scheme has is counted as not checked.
#[test]
fn acvp_files() {
    let tally = check(acvp_key_generation().to_string()).expect("a file");
    let counted: Vec<_> =
        tally.rows.iter().map(|row| (row.set.as_str(), row.passed, row.not_checked.clone())).collect();
    assert_eq!(counted, [(SET, 2, vec![]), ("ML-KEM-896", 0, vec![("no such scheme here", 1)])]);
    let tally = check(acvp_encapsulation().to_string()).expect("a file");
    let expected = [
        (Kind::Encapsulation, 1),
        (Kind::Decapsulation, 2),
        (Kind::EncapsulationKeyTaken, 1),
        (Kind::EncapsulationKeyRefused, 2),
        (Kind::DecapsulationKeyTaken, 1),
        (Kind::DecapsulationKeyRefused, 1),
    ];
    assert_eq!(all_counts(&tally), expected.map(|(kind, passed)| (kind, [passed, 0, 0])));
}

/// Protects: one wrong digit, or a wrong verdict, in an ACVP file is one failure that names the test.
#[test]
fn a_wrong_value_in_an_acvp_file() {
    for (field, what) in
        [("d", "encapsulation"), ("z", "decapsulation"), ("ek", "encapsulation"), ("dk", "decapsulation")]
    {
        let path = format!("/testGroups/0/tests/1/{field}");
        let tally = check(flipped_at(&acvp_key_generation(), &path)).expect("a file");
        assert_eq!(tally.failed(), 1, "{field}");
        let first = first_failure(&tally, Kind::KeyGeneration);
        assert!(first.starts_with(&format!("tcId 2: the {what} key differs")), "{first}");
    }
    let values = [
        ("0/tests/0/m", Kind::Encapsulation, "tcId 1: the ciphertext differs"),
        ("0/tests/0/k", Kind::Encapsulation, "tcId 1: the shared key differs"),
        ("1/tests/0/c", Kind::Decapsulation, "tcId 2: the shared key differs"),
        ("1/tests/0/k", Kind::Decapsulation, "tcId 2: the shared key differs"),
        ("2/tests/0/testPassed", Kind::EncapsulationKeyRefused, "tcId 3: taken, and should be refused"),
        ("2/tests/1/testPassed", Kind::EncapsulationKeyTaken, "tcId 4: refused: the bytes are no key"),
        ("2/tests/2/testPassed", Kind::EncapsulationKeyTaken, "tcId 5: refused: a public key of 799 bytes"),
        ("3/tests/0/testPassed", Kind::DecapsulationKeyRefused, "tcId 6: taken, and should be refused"),
        ("3/tests/1/testPassed", Kind::DecapsulationKeyTaken, "tcId 7: refused: the bytes are no key"),
    ];
    for (path, kind, says) in values {
        let tally = check(flipped_at(&acvp_encapsulation(), &format!("/testGroups/{path}"))).expect("a file");
        assert!(first_failure(&tally, kind).starts_with(says), "{path}: {}", first_failure(&tally, kind));
    }
}

/// Protects: a malformed ACVP file is refused with the path.
#[test]
fn malformed_acvp_files() {
    let (keys, rest) = (acvp_key_generation(), acvp_encapsulation());
    let missing = [
        (without(&keys, "", "algorithm"), "algorithm: missing"),
        (without(&keys, "/testGroups/0/tests/1", "z"), "testGroups[0].tests[1].z: missing"),
        (without(&rest, "/testGroups/0/tests/0", "k"), "testGroups[0].tests[0].k: missing"),
        (without(&rest, "/testGroups/1", "dk"), "testGroups[1].tests[0].dk: missing"),
        (without(&rest, "/testGroups/2/tests/1", "testPassed"), "testGroups[2].tests[1].testPassed: missing"),
        (without(&rest, "/testGroups/1", "function"), "testGroups[1].function: missing"),
    ];
    let wrong = [
        (with(&keys, "/algorithm", json!("SLH-DSA")), "algorithm: is not `ML-KEM` or `ML-DSA`"),
        (with(&keys, "/revision", json!("FIPS204")), "revision: is not `FIPS203` or `FIPS203-tr1`"),
        (with(&keys, "/mode", json!("sigGen")), "mode: is not `keyGen` or `encapDecap`"),
        (
            with(&keys, "/testGroups/0/tests/0/d", json!("00")),
            "testGroups[0].tests[0].d: has 1 bytes, where the format has 32",
        ),
        (
            with(&rest, "/testGroups/1/function", json!("kem")),
            "testGroups[1].function: is no function of the mode `encapDecap`",
        ),
        (with(&keys, "/testGroups", json!([])), "has nothing to check for the schemes (no cases)"),
    ];
    for (file, says) in missing.into_iter().chain(wrong) {
        assert_eq!(error(file), says);
    }
    let typed = [
        (
            with(&keys, "/testGroups/0/tests/0/d", json!("0x")),
            "testGroups[0].tests[0].d: character 2 is no hexadecimal digit at line 1",
        ),
        (
            with(&keys, "/testGroups/0/tests/0/d", json!(7)),
            "testGroups[0].tests[0].d: invalid type: integer `7`, expected a string",
        ),
        (without(&keys, "/testGroups/0/tests/0", "tcId"), "testGroups[0].tests[0]: missing field `tcId`"),
        (without(&keys, "/testGroups/0", "tests"), "testGroups[0]: missing field `tests`"),
        (
            with(&keys, "/testGroups/1/tests/0/tcId", json!("F0".repeat(800))),
            "testGroups[1].tests[0].tcId: is not as the format has it",
        ),
    ];
    for (file, says) in typed {
        let said = error(file);
        assert!(said.starts_with(says) && said.len() < 200, "{said}");
    }
}
