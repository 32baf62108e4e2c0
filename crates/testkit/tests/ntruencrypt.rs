//! NTRUEncrypt against the files of both libraries' keys and messages, of strongSwan's generators, and of a
//! model of the scheme over a field; they are not in this repository.
//!
//! `RINGSMITH_VECTORS` names a folder with the folders `ntruencrypt`, `ntruencrypt_libntru` and
//! `ntruprime_x998`, whose files are named after their sets, compressed or not. That keys and ciphertexts are
//! those of the first is checked without them, too (`crates/ntruencrypt/tests/known_answers.rs`).

use ringsmith::ntruencrypt::{SCHEMES, libntru};
use ringsmith_simd::Cpu;
use ringsmith_testkit::vectors::{Kind, Run, Selection};
use std::path::{Path, PathBuf};

/// The files of a folder, or why there are none.
fn files(folder: &str, start: &str) -> Result<Vec<PathBuf>, String> {
    let root = std::env::var_os("RINGSMITH_VECTORS").ok_or("RINGSMITH_VECTORS is not set")?;
    let folder = Path::new(&root).join(folder);
    let entries = std::fs::read_dir(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let named =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start));
    Ok(paths.filter(named).collect())
}

/// Checks all of a folder, on every backend: so many files, and so many cases of each kind in each.
fn every(folder: &str, start: &str, count: usize, cases: &[(Kind, usize)]) {
    let files = match files(folder, start) {
        Ok(files) => files,
        Err(why) => return println!("{folder}: not run: {why}"),
    };
    assert_eq!(files.len(), count, "{folder}");
    for file in &files {
        let contents = std::fs::read(file).expect("a file");
        for cpu in Cpu::available() {
            let run = Run { cpu, selection: Selection::All };
            let tally = run.check(&contents).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
            for row in &tally.rows {
                let expected = cases.iter().find(|(kind, _)| *kind == row.kind).map(|(_, count)| *count);
                let found = (row.failed, row.first_failure.as_deref());
                assert_eq!(found, (0, None), "{} on {cpu:?}", file.display());
                assert_eq!(Some(row.passed), expected, "{} {}", file.display(), row.kind);
            }
        }
    }
    println!("{folder}: {} files", files.len());
}

/// Protects: every key and every message of NTRU's own library.
#[test]
fn the_standards_library() {
    let cases = [(Kind::KeyGeneration, 6), (Kind::Encryption, 36), (Kind::Decryption, 36)];
    every("ntruencrypt", "oss_", SCHEMES.len(), &cases);
}

/// Protects: the masks and the indices of strongSwan.
#[test]
fn strong_swans_generators() {
    every("ntruencrypt", "strongswan_", 1, &[(Kind::Mask, 1), (Kind::Indices, 1)]);
}

/// Protects: every key and every message of libntru.
#[test]
fn libntrus() {
    let cases = [(Kind::KeyGeneration, 0), (Kind::Encryption, 8), (Kind::Decryption, 8)];
    every("ntruencrypt_libntru", "libntru_", libntru::SCHEMES.len(), &cases);
}

/// Protects: every key and every message of the model, which was written from the paper, and not from this
/// library.
#[test]
fn the_model_over_a_field() {
    let cases = [(Kind::KeyGeneration, 4), (Kind::Encryption, 20), (Kind::Decryption, 20)];
    every("ntruprime_x998", "ntruprime739_", 1, &cases);
}
