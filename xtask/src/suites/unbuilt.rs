//! No test stands where none is built: a library whose manifest says `test = false` has its tests in
//! `tests/`, and one in its sources would neither run nor fail.

use crate::shell;
use crate::suite::Verdict;
use cargo_metadata::MetadataCommand;
use std::fs;
use std::path::{Path, PathBuf};

/// A source that must be caught.
const SAMPLE: &str = "#[cfg(test)]\nmod tests {}\n";

/// Whether a line is an attribute of code for tests alone.
fn is_of_tests(line: &str) -> bool {
    let line = line.trim_start();
    let configured = ["#[cfg(", "#![cfg("].iter().any(|start| line.starts_with(start));
    // A feature's name is in quotes.
    let mut words = line.split(|c: char| !c.is_alphanumeric() && !['_', '"'].contains(&c));
    line.starts_with("#[test]") || configured && words.any(|word| word == "test")
}

/// The lines of a source that only tests have, as their numbers from 1 on.
fn lines_of_tests(source: &str) -> Vec<usize> {
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

/// What stands in the sources of a library, as `FILE:LINE`.
fn of_sources(folder: &Path) -> std::io::Result<Vec<String>> {
    let (mut sources, mut found) = (Vec::new(), Vec::new());
    files(folder, &mut sources)?;
    for path in sources {
        let lines = lines_of_tests(&fs::read_to_string(&path)?);
        found.extend(lines.iter().map(|line| format!("{}:{line}", path.display())));
    }
    Ok(found)
}

/// The folders with the sources of the libraries whose tests are not built.
fn untested() -> Result<Vec<PathBuf>, String> {
    let metadata = MetadataCommand::new().current_dir(shell::root()).no_deps().exec();
    let metadata = metadata.map_err(|error| format!("cargo's metadata: {error}"))?;
    let targets = metadata.packages.iter().flat_map(|package| &package.targets);
    let libraries = targets.filter(|target| target.is_lib() && !target.test);
    Ok(libraries.filter_map(|target| Some(target.src_path.parent()?.into())).collect())
}

/// The check, of every crate; the sample first.
pub(super) fn run() -> Verdict {
    let folders = untested()?;
    if lines_of_tests(SAMPLE).is_empty() || folders.is_empty() {
        return Err("a test in the sources of a crate that builds none was not seen".to_string());
    }
    println!("sample of a test that is not built: caught");
    let mut found = Vec::new();
    for folder in folders {
        found.extend(of_sources(&folder).map_err(|error| format!("{}: {error}", folder.display()))?);
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

    /// Protects: tests that would never run are seen in each of their forms, and nothing else is taken for
    /// one.
    #[test]
    fn forms_of_tests() {
        for line in ["    #[cfg(test)]", "#![cfg(all(test, unix))]", "#[test]"] {
            assert_eq!(lines_of_tests(&format!("//! A page.\n{line}\n")), [2]);
        }
        for line in
            ["// #[cfg(test)]", "#[cfg(feature = \"test\")]", "#[cfg(unix)]", "/// #[test]", "fn test() {}"]
        {
            assert!(lines_of_tests(line).is_empty(), "{line}");
        }
    }
}
