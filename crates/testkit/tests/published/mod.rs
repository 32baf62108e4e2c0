//! Published vectors that are not in this repository: `RINGSMITH_VECTORS` names a folder of folders with
//! them.

use ringsmith_simd::Cpu;
use ringsmith_testkit::vectors::{Kind, Run, Selection, Tally};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The files of a folder whose names are such, in their order, or why there are none.
fn files(folder: &str, is_one: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, String> {
    let root = std::env::var_os("RINGSMITH_VECTORS").ok_or("RINGSMITH_VECTORS is not set")?;
    let folder = Path::new(&root).join(folder);
    let entries = std::fs::read_dir(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let named = |path: &PathBuf| path.file_name().is_some_and(|name| is_one(&name.to_string_lossy()));
    let mut files: Vec<_> = paths.filter(named).collect();
    files.sort();
    Ok(files)
}

/// Says so where a test was not run: past the harness, which keeps to itself what a test prints that passes.
fn not_run(folder: &str, why: &str) {
    writeln!(std::io::stderr(), "{folder}: NOT RUN: {why}").expect("standard error");
}

/// How many cases of a kind a set has.
pub(crate) type Count<'a> = (&'a str, Kind, usize);

/// What was counted of a file, where all passed.
fn counted<'a>(file: &Path, tally: &'a Tally) -> Vec<Count<'a>> {
    for row in &tally.rows {
        assert_eq!((row.failed, row.first_failure.as_deref()), (0, None), "{}", file.display());
        assert!(row.passed == 0 || row.not_checked.is_empty(), "{} {}", file.display(), row.kind);
    }
    tally.rows.iter().map(|row| (&row.set[..], row.kind, row.passed)).collect()
}

/// Checks all of a folder, on every backend: the files are these, and each has these cases and no others.
pub(crate) fn every(folder: &str, is_one: impl Fn(&str) -> bool, expected: &[(String, Vec<Count<'_>>)]) {
    let files = match files(folder, is_one) {
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
            let tally =
                run.check_named(name, &contents).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
            assert_eq!(counted(file, &tally), *cases, "{} on {cpu:?}", file.display());
        }
    }
    println!("{folder}: {} files", files.len());
}
