//! BouncyCastle: NTRU, NTRU Prime and ML-KEM, all sets.

use super::{place, scripts};
use crate::shell;
use crate::suite::Verdict;
use crate::suites::digest;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package, with its version: part of what is shown.
const PACKAGE: [&str; 3] = ["org.bouncycastle", "bcprov-jdk18on", "1.86"];
/// The SHA-256 of its file.
const SHA256: &str = "2af190b300cbb0b35e248ccf5f4a06b6072030aeb3da7a98ec73abe5b4cb371f";
/// What fetches it.
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

/// All sets; Java compiles the program as it starts.
pub(super) fn run(command: &Path) -> Verdict {
    let (library, program) = (library()?, scripts().join("java/BouncyCastle.java"));
    shell::run(Command::new("java").arg("-cp").arg(&library).arg(&program).arg(command))
}

/// The library's file, fetched where it is not there, or not whole.
fn library() -> Result<PathBuf, String> {
    let folder = place().join("java");
    let [_, name, version] = PACKAGE;
    let file = folder.join(format!("{name}-{version}.jar"));
    if !is_right(&file) {
        fetch(&folder, &file)?;
    }
    match is_right(&file) {
        true => Ok(file),
        false => Err(format!("{}: its SHA-256 is not {SHA256}", file.display())),
    }
}

fn fetch(folder: &Path, file: &Path) -> Verdict {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    // Maven overwrites no file.
    let _ = fs::remove_file(file);
    let mut maven = Command::new("mvn");
    maven.args(["--batch-mode", "--quiet", COPY]).arg(format!("-Dartifact={}", PACKAGE.join(":")));
    // Where no project of Maven's is.
    shell::run(maven.arg(format!("-DoutputDirectory={}", folder.display())).current_dir(folder))
}

fn is_right(file: &Path) -> bool {
    fs::read(file).is_ok_and(|bytes| digest(&bytes) == SHA256)
}

#[cfg(test)]
mod tests {
    use super::digest as sha256;

    /// Protects: digests are written as the constant is (an example of FIPS 180).
    #[test]
    fn of_an_example() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
