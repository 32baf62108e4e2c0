//! No test stands where none is built: a library whose manifest says `test = false` has its tests in `tests/`, and one in its sources
//! would neither run nor fail.

use crate::shell;
use crate::suite::Verdict;
use std::fs;
use std::path::{Path, PathBuf};

/// A manifest and a source that must be caught together.
const SAMPLE: (&str, &str) = ("[lib]\ntest = false\n", "#[cfg(test)]\nmod tests {}\n");

/// Whether a manifest says that no tests of its library are built.
fn builds_none(manifest: &str) -> bool {
    let section = manifest.lines().map(str::trim).skip_while(|line| *line != "[lib]").skip(1);
    let mut settings = section.take_while(|line| !line.starts_with('['));
    settings.any(|line| {
        line.split_once('=').is_some_and(|(key, value)| (key.trim(), value.trim()) == ("test", "false"))
    })
}

/// Whether a line is an attribute of code for tests alone.
fn is_of_tests(line: &str) -> bool {
    let line = line.trim_start();
    let configured = ["#[cfg(", "#![cfg("].iter().any(|start| line.starts_with(start));
    // A feature's name is in quotes.
    let mut words = line.split(|c: char| !c.is_alphanumeric() && !['_', '"'].contains(&c));
    line.starts_with("#[test]") || configured && words.any(|word| word == "test")
}

/// The lines of a source that only tests have, as their numbers from 1 on, where `manifest` builds none.
fn unbuilt(manifest: &str, source: &str) -> Vec<usize> {
    if !builds_none(manifest) {
        return Vec::new();
    }
    let lines = source.lines().enumerate().filter(|(_, line)| is_of_tests(line));
    lines.map(|(number, _)| number + 1).collect()
}

/// All files below a folder.
fn files(folder: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => files(&path, out)?,
            false => out.push(path),
        }
    }
    Ok(())
}

/// What stands in the sources of a crate, as `FILE:LINE`.
fn of_crate(folder: &Path) -> std::io::Result<Vec<String>> {
    let (manifest, mut sources) = (fs::read_to_string(folder.join("Cargo.toml"))?, Vec::new());
    files(&folder.join("src"), &mut sources)?;
    let mut found = Vec::new();
    for path in sources {
        let lines = unbuilt(&manifest, &fs::read_to_string(&path)?);
        found.extend(lines.iter().map(|line| format!("{}:{line}", path.display())));
    }
    Ok(found)
}

/// The check, of every crate; the sample first.
pub(super) fn run() -> Verdict {
    if unbuilt(SAMPLE.0, SAMPLE.1).is_empty() {
        return Err("a test in the sources of a crate that builds none was not seen".to_string());
    }
    println!("sample of a test that is not built: caught");
    let (mut found, crates) = (Vec::new(), shell::root().join("crates"));
    let folders = fs::read_dir(&crates).map_err(|error| format!("{}: {error}", crates.display()))?;
    for folder in folders {
        let folder = folder.map_err(|error| error.to_string())?.path();
        found.extend(of_crate(&folder).map_err(|error| format!("{}: {error}", folder.display()))?);
    }
    found.iter().for_each(|place| println!("{place}: a test, but the crate's manifest says `test = false`"));
    match found.len() {
        0 => Ok(()),
        count => {
            Err(format!("{count} tests that are not built; they belong into the crate's folder `tests`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: tests that would never run are seen in each of their forms, and nothing else is taken for one.
    #[test]
    fn forms_of_tests() {
        let (library, program) = (SAMPLE.0, "[lib]\nbench = false\n[[bin]]\ntest = false\n");
        for line in ["    #[cfg(test)]", "#![cfg(all(test, unix))]", "#[test]"] {
            assert_eq!(unbuilt(library, &format!("//! A page.\n{line}\n")), [2]);
            assert!(unbuilt(program, line).is_empty());
        }
        for line in
            ["// #[cfg(test)]", "#[cfg(feature = \"test\")]", "#[cfg(unix)]", "/// #[test]", "fn test() {}"]
        {
            assert!(unbuilt(library, line).is_empty(), "{line}");
        }
    }
}
