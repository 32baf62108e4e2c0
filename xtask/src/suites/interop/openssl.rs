//! A program `openssl` of 3.5 or later, which has ML-KEM and ML-DSA of its own. Debian 12's is 3.0: the suite
//! takes the program that `RINGSMITH_OPENSSL` names, else that of the search path where it is new enough,
//! else one that it built before; where it is exhaustive, it builds one, of the source in the crate
//! `openssl-src` (`xtask/interop/openssl/source`).

use super::{place, scripts};
use crate::cost::compiling;
use crate::shell;
use crate::suite::Verdict;
use cargo_metadata::MetadataCommand;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first version with ML-KEM and ML-DSA.
const FIRST: [u32; 2] = [3, 5];
/// Names a program.
const VARIABLE: &str = "RINGSMITH_OPENSSL";
/// What is not built: documents, tests, what a program that stands alone does not need, and what the crate
/// has not all files of.
const WITHOUT: [&str; 5] = ["no-docs", "no-tests", "no-shared", "no-module", "no-legacy"];

/// Such a program.
pub(super) struct Openssl(PathBuf);

impl Openssl {
    /// The one that is named, that of this machine, or one that was built; where the suite is exhaustive, it
    /// is built if there is no other.
    ///
    /// # Errors
    /// Where the one that is named does not serve, or none can be built.
    pub(super) fn find(exhaustive: bool) -> Result<Option<Self>, String> {
        if let Some(named) = std::env::var_os(VARIABLE) {
            return Openssl::at(named.into()).map(Some).map_err(|why| format!("{VARIABLE}: {why}"));
        }
        let built = folder().join("bin/openssl");
        let there = Openssl::of_the_machine().or_else(|_| Openssl::at(built.clone())).ok();
        match there {
            None if exhaustive => {
                compiling(build)?;
                Openssl::at(built).map(Some)
            }
            there => Ok(there),
        }
    }

    fn of_the_machine() -> Result<Self, String> {
        Openssl::at(shell::program("openssl").ok_or("no program openssl in the search path")?)
    }

    /// A program, if it is one and new enough.
    fn at(program: PathBuf) -> Result<Self, String> {
        let version = shell::capture(Command::new(&program).arg("version"))?;
        match numbers(&version) {
            Some(numbers) if numbers >= FIRST => Ok(Openssl(program)),
            _ => {
                Err(format!("{} is {}, and 3.5 is the first with ML-KEM", program.display(), version.trim()))
            }
        }
    }

    /// Says which checks are not run without one, and why.
    pub(super) fn missing(checks: &str) {
        let why = Openssl::of_the_machine().err().unwrap_or_default();
        println!("not run: {checks}: {why} ({VARIABLE} names another program; --exhaustive builds one)");
    }

    /// Where it is.
    pub(super) fn program(&self) -> &Path {
        &self.0
    }

    /// The folder with its headers and its libraries, where it has one beside it: the system's linker does
    /// not look there.
    pub(super) fn development(&self) -> Option<&Path> {
        let folder = self.0.parent()?.parent()?;
        let files = ["include/openssl/evp.h", "lib/libcrypto.a"];
        files.iter().all(|file| folder.join(file).exists()).then_some(folder)
    }
}

/// The numbers of `OpenSSL 3.5.5 27 Jan 2026`, say. Other libraries' programs have none.
fn numbers(version: &str) -> Option<[u32; 2]> {
    let mut numbers = version.strip_prefix("OpenSSL ")?.split(['.', ' ', '-']).map(str::parse);
    Some([numbers.next()?.ok()?, numbers.next()?.ok()?])
}

/// Where it is installed when it is built here.
fn folder() -> PathBuf {
    place().join("openssl")
}

/// The source, which cargo fetches.
fn source() -> Result<PathBuf, String> {
    let mut metadata = MetadataCommand::new();
    metadata.manifest_path(scripts().join("openssl/source/Cargo.toml")).other_options(["--locked".into()]);
    let metadata = metadata.exec().map_err(|error| format!("cargo's metadata: {error}"))?;
    let package = metadata.packages.iter().find(|package| *package.name == "openssl-src");
    let manifest = &package.ok_or("the manifest has no openssl-src")?.manifest_path;
    Ok(manifest.with_file_name("openssl").into())
}

/// Builds it, which takes some minutes of CPU: the program stands alone, its libraries are static ones.
fn build() -> Verdict {
    let (source, work) = (source()?, place().join("openssl-build"));
    let failed = |error| format!("{}: {error}", work.display());
    if work.exists() {
        fs::remove_dir_all(&work).map_err(failed)?;
    }
    fs::create_dir_all(&work).map_err(failed)?;
    let mut configure = Command::new("perl");
    configure.arg(source.join("Configure")).arg(format!("--prefix={}", folder().display()));
    shell::run(configure.arg("--libdir=lib").args(WITHOUT).current_dir(&work))?;
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    shell::run(Command::new("make").args(["-s", &format!("-j{at_once}")]).current_dir(&work))?;
    // The program is the last that is installed: where it is, all is.
    shell::run(Command::new("make").args(["-s", "install_sw"]).current_dir(&work))?;
    fs::remove_dir_all(&work).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::{FIRST, numbers};

    /// Protects: versions are compared as numbers, and other libraries are none.
    #[test]
    fn versions() {
        let new_enough = |version| numbers(version).is_some_and(|numbers| numbers >= FIRST);
        let new =
            ["OpenSSL 3.5.5 27 Jan 2026", "OpenSSL 3.10.0", "OpenSSL 4.0.3 29 Sep 2026", "OpenSSL 4.0-dev"];
        assert!(new.into_iter().all(new_enough));
        let old =
            ["OpenSSL 3.0.19 27 Jan 2026 (Library: OpenSSL 3.5.0)", "OpenSSL 1.1.1w", "LibreSSL 4.2.1", ""];
        assert!(!old.into_iter().any(new_enough));
    }
}
