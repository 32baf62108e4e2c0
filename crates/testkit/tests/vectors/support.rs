//! What the tests of all formats need.

use ringsmith::ml_kem::ml_kem_512;
use ringsmith_simd::Cpu;
use ringsmith_testkit::vectors::{FileError, Kind, Run, Selection, Tally};
use serde_json::{Value, json};

pub(crate) const SET: &str = "ML-KEM-512";

pub(crate) fn cpu() -> Cpu {
    Cpu::from_env().expect("RINGSMITH_CPU names a backend of this machine")
}

pub(crate) fn run(selection: &str) -> Run {
    Run { cpu: cpu(), selection: Selection::parse(selection).expect("a scheme") }
}

pub(crate) fn check(contents: impl AsRef<[u8]>) -> Result<Tally, FileError> {
    run("all").check(contents.as_ref())
}

/// What is said of a file that can't be checked.
pub(crate) fn error(contents: impl AsRef<[u8]>) -> String {
    check(contents).err().expect("a file that is malformed").to_string()
}

pub(crate) fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02X}")).collect()
}

/// Passed, failed and not checked, of a kind.
pub(crate) fn counts(tally: &Tally, kind: Kind) -> [usize; 3] {
    let rows = tally.rows.iter().filter(|row| row.kind == kind);
    rows.fold([0; 3], |[passed, failed, not_checked], row| {
        let here: usize = row.not_checked.iter().map(|(_, count)| count).sum();
        [passed + row.passed, failed + row.failed, not_checked + here]
    })
}

/// All kinds with what was counted, in the order of the file.
pub(crate) fn all_counts(tally: &Tally) -> Vec<(Kind, [usize; 3])> {
    tally.rows.iter().map(|row| (row.kind, counts(tally, row.kind))).collect()
}

/// What failed first, of a kind.
pub(crate) fn first_failure(tally: &Tally, kind: Kind) -> &str {
    let row = tally.rows.iter().find(|row| row.kind == kind).expect("a row of the kind");
    row.first_failure.as_deref().expect("a failure")
}

/// A text with another digit in the last place of the `nth` line that starts so.
pub(crate) fn flipped(text: &str, start: &str, nth: usize) -> String {
    let (number, line) =
        text.lines().enumerate().filter(|(_, line)| line.starts_with(start)).nth(nth).expect("such a line");
    let digit = if line.ends_with('0') { "1" } else { "0" };
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    lines[number].replace_range(line.len() - 1.., digit);
    lines.join("\n")
}

/// The value at a path with another last digit, or another truth value.
pub(crate) fn flipped_at(file: &Value, pointer: &str) -> String {
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
pub(crate) fn with(file: &Value, pointer: &str, value: Value) -> String {
    let mut file = file.clone();
    *file.pointer_mut(pointer).expect("a value at the path") = value;
    file.to_string()
}

/// A file without the field of a parent.
pub(crate) fn without(file: &Value, parent: &str, field: &str) -> String {
    let mut file = file.clone();
    let parent = file.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object at the path");
    parent.remove(field).expect("the field");
    file.to_string()
}

/// One case of everything.
pub(crate) struct Sample {
    pub(crate) d: [u8; 32],
    pub(crate) z: [u8; 32],
    pub(crate) m: [u8; 32],
    pub(crate) ek: Vec<u8>,
    pub(crate) dk: Vec<u8>,
    pub(crate) c: Vec<u8>,
    pub(crate) k: Vec<u8>,
}

impl Sample {
    pub(crate) fn new(seed: u8) -> Self {
        let [d, z, m] = [seed, seed + 1, seed + 2].map(|byte| [byte; 32]);
        let seed = [d, z].concat().try_into().expect("two halves of 32 bytes");
        let key = ml_kem_512::DecapsulationKey::from_seed_on(cpu(), &seed);
        let (c, k) = key.encapsulation_key().encapsulate_deterministic(&m);
        let (ek, dk) = (key.encapsulation_key().to_bytes().to_vec(), key.to_bytes().to_vec());
        Sample { d, z, m, ek, dk, c: c.to_vec(), k: k.as_bytes().to_vec() }
    }

    /// An encapsulation key whose first coefficient is 4095.
    pub(crate) fn bad_ek(&self) -> Vec<u8> {
        [&[0xff, self.ek[1] | 0x0f], &self.ek[2..]].concat()
    }

    /// A decapsulation key with another hash.
    pub(crate) fn bad_dk(&self) -> Vec<u8> {
        let mut dk = self.dk.clone();
        dk[ml_kem_512::DK_BYTES - 64] ^= 1;
        dk
    }
}

/// A response file with `d || z || m`.
pub(crate) fn given_file() -> String {
    let record = |count: u8| {
        let s = Sample::new(count);
        let random = hex([s.d, s.z, s.m].concat());
        let [pk, sk, ct, ss] = [&s.ek, &s.dk, &s.c, &s.k].map(hex);
        format!("\ncount = {count}\nrandom = {random}\npk = {pk}\nsk = {sk}\nct = {ct}\nss = {ss}\n")
    };
    "# MLKem512\n".to_string() + &(0..3).map(record).collect::<String>()
}

pub(crate) const ALL_THREE: [Kind; 3] = [Kind::KeyGeneration, Kind::Encapsulation, Kind::Decapsulation];
