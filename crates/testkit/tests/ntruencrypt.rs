//! NTRUEncrypt against the files of both libraries' keys and messages, of strongSwan's generators, and of a
//! model of the scheme over a field; they are not in this repository.
//!
//! `RINGSMITH_VECTORS` names a folder with the folders `ntruencrypt`, `ntruencrypt_libntru` and
//! `ntruprime_x998`, whose files are named after their sets, compressed or not. That keys and ciphertexts are
//! those of the first, and that none has changed, is checked without them, too
//! (`crates/ntruencrypt/tests/known_answers.rs`).

use ringsmith::ntruencrypt::{SCHEMES, libntru, ntruprime739};
use ringsmith::scheme::PublicKeyEncryption;
use ringsmith_simd::Cpu;
use ringsmith_testkit::vectors::{Kind, Run, Selection, Tally};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The files of a folder whose names begin so, in their order, or why there are none.
fn files(folder: &str, start: &str) -> Result<Vec<PathBuf>, String> {
    let root = std::env::var_os("RINGSMITH_VECTORS").ok_or("RINGSMITH_VECTORS is not set")?;
    let folder = Path::new(&root).join(folder);
    let entries = std::fs::read_dir(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let named =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start));
    let mut files: Vec<_> = paths.filter(named).collect();
    files.sort();
    Ok(files)
}

/// Says so where a test was not run: past the harness, which keeps to itself what a test prints that passes.
fn not_run(folder: &str, why: &str) {
    writeln!(std::io::stderr(), "{folder}: NOT RUN: {why}").expect("standard error");
}

/// How many cases of a kind a set has.
type Count<'a> = (&'a str, Kind, usize);

/// What was counted of a file, where all passed.
fn counted<'a>(file: &Path, tally: &'a Tally) -> Vec<Count<'a>> {
    for row in &tally.rows {
        assert_eq!((row.failed, row.first_failure.as_deref()), (0, None), "{}", file.display());
        assert!(row.passed == 0 || row.not_checked.is_empty(), "{} {}", file.display(), row.kind);
    }
    tally.rows.iter().map(|row| (&row.set[..], row.kind, row.passed)).collect()
}

/// Checks all of a folder, on every backend: the files are these, and each has these cases and no others.
fn every(folder: &str, start: &str, expected: &[(String, Vec<Count<'_>>)]) {
    let files = match files(folder, start) {
        Ok(files) => files,
        Err(why) => return not_run(folder, &why),
    };
    assert_eq!(files.len(), expected.len(), "{folder}");
    for (name, cases) in expected {
        let is_it = |file: &&PathBuf| {
            let found = file.file_name().expect("a name").to_string_lossy();
            found.strip_suffix(".xz").unwrap_or(&found) == name
        };
        let file = files.iter().find(is_it).unwrap_or_else(|| panic!("{folder}: no {name}"));
        let contents = std::fs::read(file).expect("a file");
        for cpu in Cpu::available() {
            let run = Run { cpu, selection: Selection::All };
            let tally = run.check(&contents).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
            assert_eq!(counted(file, &tally), *cases, "{} on {cpu:?}", file.display());
        }
    }
    println!("{folder}: {} files", files.len());
}

/// A file of each set, with so many keys, encryptions and decryptions.
fn of_each<'a>(
    sets: impl IntoIterator<Item = &'a PublicKeyEncryption>,
    [keys, messages]: [usize; 2],
    file: impl Fn(&str) -> String,
) -> Vec<(String, Vec<Count<'a>>)> {
    let of = |set: &'a PublicKeyEncryption| {
        let kinds = [
            (set.name, Kind::KeyGeneration, keys),
            (set.name, Kind::Encryption, messages),
            (set.name, Kind::Decryption, messages),
        ];
        (file(set.name), kinds.to_vec())
    };
    sets.into_iter().map(of).collect()
}

/// Protects: every key and every message of NTRU's own library.
#[test]
fn the_standards_library() {
    every("ntruencrypt", "oss_", &of_each(SCHEMES, [6, 36], |set| format!("oss_{set}.json")));
}

/// Protects: the mask and the indices of strongSwan, of two sets.
#[test]
fn strong_swans_generators() {
    let cases =
        vec![("ees439ep1", Kind::Mask, 1), ("ees439ep1", Kind::Indices, 1), ("ees613ep1", Kind::Indices, 1)];
    every("ntruencrypt", "strongswan_", &[("strongswan_mgf_igf_sha1.json".to_string(), cases)]);
}

/// Protects: every key and every message of libntru, of whose keys no random bytes are known.
#[test]
fn libntrus() {
    let file = |set: &str| format!("{}.json", set.replacen('-', "_", 1));
    every("ntruencrypt_libntru", "libntru_", &of_each(libntru::SCHEMES, [0, 8], file));
}

/// Protects: every key and every message of the model, which was written from the paper, and not from this
/// library.
#[test]
fn the_model_over_a_field() {
    let model = ntruprime739::SCHEMES.into_iter().take(1);
    every(
        "ntruprime_x998",
        "ntruprime739_",
        &of_each(model, [4, 20], |set| format!("{}.json", set.replacen('-', "_", 1))),
    );
}
