//! The checks of published test vectors: on files that are synthesised here, whole and broken, and on Wycheproof's.

use flate2::{Compression, Crc, write::GzEncoder};
use lzma_rust2::{XzOptions, XzWriter};
use ringsmith_schemes::ml_kem::ml_kem_512;
use ringsmith_schemes::scheme;
use ringsmith_simd::Cpu;
use ringsmith_testkit::nist::response_file;
use ringsmith_testkit::vectors::{Deterministic, FileError, Kind, Run, Selection, Tally, report, table};
use serde_json::{Value, json};
use std::io::Write;
use wycheproof::mlkem::{TestName, TestSet};

const SET: &str = "ML-KEM-512";

fn cpu() -> Cpu {
    Cpu::from_env().expect("RINGSMITH_CPU names a backend of this machine")
}

fn run(selection: &str) -> Run {
    Run { cpu: cpu(), selection: Selection::parse(selection).expect("a scheme") }
}

fn check(contents: impl AsRef<[u8]>) -> Result<Tally, FileError> {
    run("all").check(contents.as_ref())
}

/// What is said of a file that can't be checked.
fn error(contents: impl AsRef<[u8]>) -> String {
    check(contents).err().expect("a file that is malformed").to_string()
}

fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02X}")).collect()
}

/// Passed, failed and not checked, of a kind.
fn counts(tally: &Tally, kind: Kind) -> [usize; 3] {
    let rows = tally.rows.iter().filter(|row| row.kind == kind);
    rows.fold([0; 3], |[passed, failed, not_checked], row| {
        let here: usize = row.not_checked.iter().map(|(_, count)| count).sum();
        [passed + row.passed, failed + row.failed, not_checked + here]
    })
}

/// All kinds with what was counted, in the order of the file.
fn all_counts(tally: &Tally) -> Vec<(Kind, [usize; 3])> {
    tally.rows.iter().map(|row| (row.kind, counts(tally, row.kind))).collect()
}

/// What failed first, of a kind.
fn first_failure(tally: &Tally, kind: Kind) -> &str {
    let row = tally.rows.iter().find(|row| row.kind == kind).expect("a row of the kind");
    row.first_failure.as_deref().expect("a failure")
}

/// A text with another digit in the last place of the `nth` line that starts so.
fn flipped(text: &str, start: &str, nth: usize) -> String {
    let (number, line) =
        text.lines().enumerate().filter(|(_, line)| line.starts_with(start)).nth(nth).expect("such a line");
    let digit = if line.ends_with('0') { "1" } else { "0" };
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    lines[number].replace_range(line.len() - 1.., digit);
    lines.join("\n")
}

/// The value at a path with another last digit, or another truth value.
fn flipped_at(file: &Value, pointer: &str) -> String {
    let mut file = file.clone();
    let value = file.pointer_mut(pointer).expect("a value at the path");
    *value = match &*value {
        Value::Bool(truth) => json!(!truth),
        Value::String(digits) => {
            let (rest, last) = digits.split_at(digits.len() - 1);
            json!(format!("{rest}{}", if last == "0" { "1" } else { "0" }))
        }
        other => panic!("nothing to flip: {other}"),
    };
    file.to_string()
}

/// A file with another value at a path.
fn with(file: &Value, pointer: &str, value: Value) -> String {
    let mut file = file.clone();
    *file.pointer_mut(pointer).expect("a value at the path") = value;
    file.to_string()
}

/// A file without the field of a parent.
fn without(file: &Value, parent: &str, field: &str) -> String {
    let mut file = file.clone();
    let parent = file.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object at the path");
    parent.remove(field).expect("the field");
    file.to_string()
}

/// One case of everything.
struct Sample {
    d: [u8; 32],
    z: [u8; 32],
    m: [u8; 32],
    ek: Vec<u8>,
    dk: Vec<u8>,
    c: Vec<u8>,
    k: Vec<u8>,
}

impl Sample {
    fn new(seed: u8) -> Self {
        let [d, z, m] = [seed, seed + 1, seed + 2].map(|byte| [byte; 32]);
        let seed = [d, z].concat().try_into().expect("two halves of 32 bytes");
        let key = ml_kem_512::DecapsulationKey::from_seed(cpu(), &seed);
        let (c, k) = key.encapsulation_key().encapsulate_deterministic(&m);
        let (ek, dk) = (key.encapsulation_key().to_bytes().to_vec(), key.to_bytes().to_vec());
        Sample { d, z, m, ek, dk, c: c.to_vec(), k: k.to_vec() }
    }

    /// An encapsulation key whose first coefficient is 4095.
    fn bad_ek(&self) -> Vec<u8> {
        [&[0xff, self.ek[1] | 0x0f], &self.ek[2..]].concat()
    }

    /// A decapsulation key with another hash.
    fn bad_dk(&self) -> Vec<u8> {
        let mut dk = self.dk.clone();
        dk[ml_kem_512::DK_BYTES - 64] ^= 1;
        dk
    }
}

/// A response file with `d || z || m`.
fn given_file() -> String {
    let record = |count: u8| {
        let s = Sample::new(count);
        let random = hex([s.d, s.z, s.m].concat());
        let [pk, sk, ct, ss] = [&s.ek, &s.dk, &s.c, &s.k].map(hex);
        format!("\ncount = {count}\nrandom = {random}\npk = {pk}\nsk = {sk}\nct = {ct}\nss = {ss}\n")
    };
    "# MLKem512\n".to_string() + &(0..3).map(record).collect::<String>()
}

const ALL_THREE: [Kind; 3] = [Kind::KeyGeneration, Kind::Encapsulation, Kind::Decapsulation];

/// Protects: both kinds of response file of every scheme pass, in either case of the digits and with either line ending.
#[test]
fn response_files() {
    for scheme in scheme::ALL {
        let file = response_file(cpu(), scheme, 4).expect("a scheme takes its own keys");
        for text in [file.clone(), file.to_lowercase(), file.replace('\n', "\r\n")] {
            let tally = check(text).expect("a response file");
            assert_eq!(all_counts(&tally), ALL_THREE.map(|kind| (kind, [4, 0, 0])), "{}", scheme.name);
            assert!(tally.rows.iter().all(|row| row.set == scheme.name));
        }
    }
    assert_eq!(all_counts(&check(given_file()).expect("a file")), ALL_THREE.map(|kind| (kind, [3, 0, 0])));
}

/// Protects: one wrong digit anywhere in a response file fails what depends on it, and nothing else.
#[test]
fn a_wrong_digit_in_a_response_file() {
    use Kind::{Decapsulation, Encapsulation, KeyGeneration};
    let seeds = response_file(cpu(), &ml_kem_512::SCHEME, 3).expect("a scheme takes its own keys");
    for text in [seeds, given_file()] {
        // The last bytes: of `pk` the seed of the matrix, of `sk` what a rejected ciphertext's key is made of.
        let fields: [(&str, &[Kind]); 4] = [
            ("pk = ", &[KeyGeneration, Encapsulation]),
            ("sk = ", &[KeyGeneration]),
            ("ct = ", &[Encapsulation, Decapsulation]),
            ("ss = ", &[Encapsulation, Decapsulation]),
        ];
        for (field, fails) in fields {
            let tally = check(flipped(&text, field, 1)).expect("a response file");
            for kind in ALL_THREE {
                let failed = usize::from(fails.contains(&kind));
                assert_eq!(counts(&tally, kind), [3 - failed, failed, 0], "{field}{kind}");
            }
            assert!(first_failure(&tally, fails[0]).starts_with("count = 1: the "), "{field}");
        }
        let start = if text.contains("seed") { "seed = " } else { "random = " };
        let tally = check(flipped(&text, start, 2)).expect("a response file");
        assert_eq!(counts(&tally, Encapsulation), [2, 1, 0], "{start}");
    }
}

/// Protects: a failure says what differs and where, and shows no key.
#[test]
fn what_a_failure_says() {
    let tally = check(flipped(&given_file(), "ct = ", 2)).expect("a file");
    assert_eq!(
        first_failure(&tally, Kind::Encapsulation),
        "count = 2: the ciphertext differs from the computed one, first in byte 767"
    );
    let text = given_file();
    let cut = &text[..text.trim_end().len() - 2];
    let tally = check(cut).expect("a file");
    assert_eq!(
        first_failure(&tally, Kind::Decapsulation),
        "count = 2: the shared key has 31 bytes, and 32 computed"
    );
}

/// Protects: a malformed response file is refused with the line.
#[test]
fn malformed_response_files() {
    let text = given_file();
    let replaced = |from: &str, to: &str| error(text.replacen(from, to, 1));
    let cut = &text[..text.trim_end().len() - 1];
    assert_eq!(error(cut), "line 22: `ss`: an odd number of hexadecimal digits: 63");
    assert_eq!(replaced("pk = ", "pk = x"), "line 5: `pk`: character 1 is no hexadecimal digit");
    assert_eq!(replaced("pk = ", "key = "), "line 5: `key` is no field of a response file");
    assert_eq!(replaced("pk = ", "pk "), "line 5: is not of the form `name = value`");
    assert_eq!(
        replaced("random = ", "random = 00"),
        "line 4: `random` has 97 bytes, where the format has 96"
    );
    assert_eq!(replaced("random = ", "seed = "), "line 4: `seed` has 96 bytes, where the format has 48");
    assert_eq!(replaced("count = 0\n", "count = 0\npk = 00\n"), "line 6: a second `pk`");
    assert_eq!(replaced("count = 0\n", "count = 0\nseed = 00\n"), "line 5: `random` beside `seed`");
    assert_eq!(
        replaced("random = ", "# "),
        "line 3: the record that starts here has no `seed` and no `random`"
    );
    assert_eq!(replaced("count = 0", "count ="), "line 3: `count` has no value");
    let (cut, _) = text.rsplit_once("ct = ").expect("a ciphertext");
    assert_eq!(error(cut), "line 17: the record that starts here has no `ct`");
}

/// Protects: the scheme of a response file is the one that it names, or the one with these sizes, and no other is checked.
#[test]
fn the_scheme_of_a_response_file() {
    let unnamed = given_file().replace("# MLKem512", "# of no scheme");
    assert!(check(&unnamed).expect("a file").rows.iter().all(|row| row.set == SET));
    assert_eq!(run("ml-kem-512").check(unnamed.as_bytes()).map(|tally| tally.failed()).ok(), Some(0));
    for text in [unnamed.clone(), given_file()] {
        let error = run("ML-KEM-768").check(text.as_bytes()).err().expect("another set").to_string();
        assert_eq!(error, "has nothing to check for ML-KEM-768 (other set)");
    }
    let short = unnamed.replacen("ss = ", "ss = 00", 1);
    assert_eq!(error(short), "no scheme has pk, sk, ct, ss of [800, 1632, 768, 33] bytes");
}

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
fn acvp_encapsulation() -> Value {
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
        group("AFT", "encapsulation", json!([{"tcId": 1, "ek": ek, "m": hex(s.m), "c": c, "k": k, "dk": dk}])),
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
        (with(&keys, "/algorithm", json!("ML-DSA")), "algorithm: is not `ML-KEM`"),
        (with(&keys, "/revision", json!("FIPS204")), "revision: is not `FIPS203`"),
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

/// A Wycheproof file with every type of group.
fn wycheproof_file() -> Value {
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

/// CCTV listings: intermediate values, an unlucky sample, and a comparison that stops at zero.
fn cctv_listings() -> [String; 3] {
    let s = Sample::new(1);
    let [d, z, m, ek, dk, c, k] =
        [&s.d[..], &s.z, &s.m, &s.ek, &s.dk, &s.c, &s.k].map(|bytes| hex(bytes).to_lowercase());
    let unlucky = format!("d = {d}\nz = {z}\nek = {ek}\ndk = {dk}\nm = {m}\nK = {k}\nc = {c}\n");
    let within = format!("{unlucky}A[0, 0] = {{1, 2}}\nr = 01\nr = 02\nH(ek) = 00\n");
    [within, unlucky, format!("dk = {dk}\nc = {c}\nK = {k}\n")]
}

/// Protects: what of CCTV's listings is checked, and that key generation is counted as not checked.
#[test]
fn cctv_listings_pass() {
    let [within, unlucky, strcmp] = cctv_listings().map(|text| check(text).expect("a listing"));
    for (tally, format) in [(&within, "CCTV intermediate"), (&unlucky, "CCTV unluckysample")] {
        assert_eq!(tally.format, format);
        let expected = [
            (Kind::KeyGeneration, [0, 0, 1]),
            (Kind::Encapsulation, [1, 0, 0]),
            (Kind::Decapsulation, [1, 0, 0]),
        ];
        assert_eq!(all_counts(tally), expected);
        assert_eq!(tally.rows[0].not_checked, [("of the draft, not of FIPS 203", 1)]);
    }
    assert_eq!((strcmp.format, all_counts(&strcmp)), ("CCTV strcmp", vec![(Kind::Decapsulation, [1, 0, 0])]));
}

/// Protects: wrong digits fail, and malformed listings are refused with the line.
#[test]
fn broken_cctv_listings() {
    let [_, unlucky, strcmp] = cctv_listings();
    for (start, failed) in [("m = ", 1), ("c = ", 2), ("K = ", 2), ("ek = ", 1)] {
        assert_eq!(
            check(flipped(&unlucky, start, 0)).map(|tally| tally.failed()).ok(),
            Some(failed),
            "{start}"
        );
    }
    assert_eq!(check(flipped(&strcmp, "c = ", 0)).map(|tally| tally.failed()).ok(), Some(1));
    assert_eq!(
        error(strcmp.replace("dk = ", "dk = 00")),
        "line 1: dk: no parameter set has a key of 1633 bytes"
    );
    assert_eq!(
        error(strcmp.replace("c = ", "c = 0")),
        "line 2: `c`: an odd number of hexadecimal digits: 1537"
    );
    assert_eq!(error(unlucky.replace("m = ", "m = 00")), "line 5: `m` has 33 bytes, where the format has 32");
    assert_eq!(error(unlucky.replace("ek = ", "ex = ")), "has no line `ek`");
    assert_eq!(error(format!("{strcmp}c = 00\n")), "line 4: a second `c`");
}

/// Protects: every key of a list must be refused, as no key and not for its length.
#[test]
fn cctv_key_lists() {
    let s = Sample::new(7);
    let (good, bad) = (hex(&s.ek), hex(s.bad_ek()));
    let tally = check(format!("{bad}\n{bad}\n")).expect("a list");
    assert_eq!(all_counts(&tally), [(Kind::EncapsulationKeyRefused, [2, 0, 0])]);
    let tally = check(format!("{bad}\n\n{good}\n{bad}")).expect("a list");
    assert_eq!(all_counts(&tally), [(Kind::EncapsulationKeyRefused, [2, 1, 0])]);
    assert_eq!(first_failure(&tally, Kind::EncapsulationKeyRefused), "line 3: taken, and should be refused");
    assert_eq!(
        error(format!("{bad}\n{}", &bad[2..])),
        "line 2: a key: no parameter set has a key of 799 bytes"
    );
    assert_eq!(error(format!("{bad}\n{}", &bad[1..])), "line 2: an odd number of hexadecimal digits: 1599");
    assert_eq!(
        error(format!("{bad}\n{}", "0".repeat(2368))),
        "line 2: a key of another length than those before"
    );
    assert_eq!(error(format!("{bad}\nkey")), "line 2: character 1 is no hexadecimal digit");
}

fn xz(text: &str) -> Vec<u8> {
    let mut writer =
        XzWriter::new(Vec::new(), XzOptions::default()).expect("the options are those of a preset");
    writer.write_all(text.as_bytes()).expect("memory takes what it is given");
    writer.finish().expect("memory takes what it is given")
}

fn gzip(text: &str) -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::best());
    writer.write_all(text.as_bytes()).expect("memory takes what it is given");
    writer.finish().expect("memory takes what it is given")
}

/// Protects: compressed files are checked as what is in them, and damage is an error.
#[test]
fn compressed_files() {
    let text = given_file();
    let (first, second) = text.split_at(text.len() / 2);
    for streams in [[xz(first), xz(second)], [gzip(first), gzip(second)]] {
        let tally = check(streams.concat()).expect("a file of two streams");
        assert_eq!(all_counts(&tally), ALL_THREE.map(|kind| (kind, [3, 0, 0])));
    }
    for (format, packed) in [("xz", xz(&text)), ("gzip", gzip(&text))] {
        let tally = check(&packed).expect("a compressed file");
        assert_eq!(all_counts(&tally), ALL_THREE.map(|kind| (kind, [3, 0, 0])), "{format}");
        let mut damaged = packed.clone();
        damaged[packed.len() / 2] ^= 1;
        let trailing = [&packed[..], b"more"].concat();
        // The first cut is within the data, the second within what follows it: index and checksum, or checksum and size.
        let broken = [&packed[..packed.len() / 2], &packed[..packed.len() - 3], &damaged, &trailing];
        for (i, broken) in broken.into_iter().enumerate() {
            let said = error(broken);
            assert!(said.starts_with(&format!("can't be decompressed ({format}): ")), "{i}: {said}");
        }
    }
    assert_eq!(error(xz("")), "is empty");
}

/// Protects: a dictionary of 4 GiB, which a few bytes can ask for, is refused before it is allocated.
#[test]
fn a_huge_dictionary() {
    // XZ file format, section 3.1: after the header of 12 bytes the block's, its size in the first byte, the dictionary's in the
    // fifth, a checksum in the last four.
    const HEADER: usize = 12;
    const DICTIONARY: usize = HEADER + 4;
    let mut packed = xz("some text");
    let end = HEADER + 4 * usize::from(packed[HEADER]);
    assert_eq!(packed[HEADER + 2..DICTIONARY], [0x21, 1], "the LZMA2 filter with one byte");
    packed[DICTIONARY] = 40;
    let mut checksum = Crc::new();
    checksum.update(&packed[HEADER..end]);
    packed[end..end + 4].copy_from_slice(&checksum.sum().to_le_bytes());
    let said = error(packed);
    assert!(said.starts_with("can't be decompressed (xz): ") && said.contains("memory"), "{said}");
}

/// Protects: what is no file of vectors is refused in one line.
#[test]
fn no_vectors() {
    const UNKNOWN: &str = "has none of the formats: NIST response file, ACVP, Wycheproof, CCTV";
    let cases: [(&[u8], &str); 11] = [
        (b"", "is empty"),
        (b"\n \n# a comment\n", "is empty"),
        (b"\xff\xfe", "is no text"),
        (b"some text", UNKNOWN),
        (b"name = value", UNKNOWN),
        (b"seed = 00\ncount = 1", UNKNOWN),
        (b"[dependencies]", UNKNOWN),
        (b"{\"algorithm\": \"ML-KEM\"}", UNKNOWN),
        (b"{}", "algorithm: missing"),
        (b"{\"algorithm\": \"ML-KEM\", ", "EOF while parsing a value at line 1 column 24"),
        (b"{} {}", "trailing characters at line 1 column 4"),
    ];
    for (contents, says) in cases {
        assert_eq!(error(contents), says, "{}", String::from_utf8_lossy(contents));
    }
    let deep = error("{\"algorithm\": ".repeat(100_000));
    assert!(!deep.contains('\n') && deep.len() < 200, "{deep}");
    let deep = error(format!("{{\"other\": {}", "[".repeat(100_000)));
    assert!(!deep.contains('\n') && deep.len() < 200, "{deep}");
}

/// Protects: nothing panics on a file that is cut short or has one wrong byte, and none of these passes as the whole file.
#[test]
fn cut_and_changed_files() {
    const STEP: usize = 97;
    let [_, unlucky, _] = cctv_listings();
    let list = hex(Sample::new(1).bad_ek());
    let (acvp, wycheproof) = (acvp_encapsulation().to_string(), wycheproof_file().to_string());
    for text in [given_file(), unlucky, list, acvp, wycheproof] {
        let whole = check(&text).map(|tally| all_counts(&tally)).expect("a file");
        for end in (0..text.trim_end().len()).step_by(STEP) {
            let cut = check(&text[..end]);
            let passed = cut.is_ok_and(|tally| tally.failed() == 0 && all_counts(&tally) == whole);
            assert!(!passed, "cut at {end}");
        }
        for at in (0..text.len()).step_by(STEP) {
            for byte in [b'"', b'=', b'}', b'\n', b'z', 0xff] {
                let mut changed = text.clone().into_bytes();
                changed[at] = byte;
                let _ = check(changed);
            }
        }
    }
}

/// Protects: the deterministic forms are listed for every scheme that a format gives seeds for.
#[test]
fn deterministic_forms() {
    let names: Vec<_> = Deterministic::all().iter().map(|forms| forms.scheme.name).collect();
    assert_eq!(names, ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"]);
    assert!(names.iter().all(|name| scheme::by_name(name).and_then(Deterministic::of).is_some()));
}

/// Protects: the table has a line for each file and kind, what was not checked with its reason, and the totals.
#[test]
fn the_table() {
    let [_, unlucky, _] = cctv_listings();
    let files = [
        ("a.txt".into(), check(unlucky).expect("a listing")),
        ("b".into(), check(given_file()).expect("a file")),
    ];
    let expected = "\
file   format                set         checked         passed  failed  not checked
a.txt  CCTV unluckysample    ML-KEM-512  key generation       0       0  1 (of the draft, not of FIPS 203)
a.txt  CCTV unluckysample    ML-KEM-512  encapsulation        1       0  0
a.txt  CCTV unluckysample    ML-KEM-512  decapsulation        1       0  0
b      response file, d z m  ML-KEM-512  key generation       3       0  0
b      response file, d z m  ML-KEM-512  encapsulation        3       0  0
b      response file, d z m  ML-KEM-512  decapsulation        3       0  0
total                                                        11       0  1
";
    assert_eq!(table(&files), expected);
}

/// Protects: the program complains of arguments that are none, of files that it can't read, and of what fails, and shows no table
/// where it checked nothing.
#[test]
fn the_program() {
    let args = |args: &[&str]| args.iter().map(|arg| arg.to_string()).collect::<Vec<_>>();
    for wrong in [&[][..], &["all"], &["all", "-", "-"]] {
        assert!(report(cpu(), &args(wrong)).is_err_and(|why| why.starts_with("usage: ")), "{wrong:?}");
    }
    let unknown = report(cpu(), &args(&["Kyber", "x"])).err().expect("no scheme");
    assert_eq!(unknown, "no scheme `Kyber`; there are: ML-KEM-512, ML-KEM-768, ML-KEM-1024, all");
    let none = report(cpu(), &args(&["all", "no/such/file"])).expect("a report");
    assert_eq!(none.page, "");
    assert!(none.complaints[0].starts_with("no/such/file: can't be read: "), "{}", none.complaints[0]);

    let dir = std::env::temp_dir().join(format!("ringsmith-vectors-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder for temporary files");
    let write = |name: &str, text: String| {
        let path = dir.join(name);
        std::fs::write(&path, text).expect("a temporary file");
        path.to_str().expect("a path in Unicode").to_string()
    };
    let (good, bad) = (write("good", given_file()), write("bad", flipped(&given_file(), "ss = ", 0)));
    let well = report(cpu(), &args(&["all", &good])).expect("a report");
    let ill = report(cpu(), &args(&["all", &good, &bad])).expect("a report");
    std::fs::remove_dir_all(&dir).expect("the temporary files");
    assert!(
        well.page.starts_with(&format!("CPU backend: {}\n\nfile ", cpu().name()))
            && well.complaints.is_empty()
    );
    let says = |kind: &str| {
        format!(
            "{bad}: ML-KEM-512, {kind}: 1 failed, first count = 0: the shared key differs from the computed one, first in byte 31"
        )
    };
    assert_eq!(ill.complaints, [says("encapsulation"), says("decapsulation")]);
}
