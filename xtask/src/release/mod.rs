//! `cargo xtask release FOLDER [PART...] [--for MACHINE]`: what is published of a commit.
//!
//! One commit, one toolchain and the same versions of the programs in [`NEEDS`] give the same bytes: times
//! are the commit's, owners are nobody, files are sorted, paths of this machine are not in the programs. A
//! tree with changes is refused. All is written beside the folder, which appears when it is whole.
//! `docs/releasing.md` says what the parts are for, and what is done with them.

mod binaries;
mod debian;
mod inventory;
mod licences;
mod linked;
mod sources;
mod wheel;

use crate::needs::Need::{self, Module, Program, Target};
use crate::shell::{capture, run};
use crate::suite::Verdict;
use binaries::Platform;
use std::fs;
use std::io::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The C compiler for the other machine, and its package: it links the other wheel.
const CC_ELSEWHERE: (&str, &str) = if cfg!(target_arch = "aarch64") {
    ("x86_64-linux-gnu-gcc", "gcc-x86-64-linux-gnu")
} else {
    ("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu")
};

/// What the parts need of the machine: `cargo xtask install release` gets it.
pub(crate) const NEEDS: &[Need] = &[
    Target(binaries::PLATFORMS[0].triple),
    Target(binaries::PLATFORMS[1].triple),
    Target(binaries::PLATFORMS[0].wheel),
    Target(binaries::PLATFORMS[1].wheel),
    Program { name: "cc", package: "gcc" },
    Program { name: CC_ELSEWHERE.0, package: CC_ELSEWHERE.1 },
    Program { name: "chmod", package: "coreutils" },
    Program { name: "dpkg-deb", package: "dpkg" },
    Program { name: "git", package: "git" },
    Program { name: "gzip", package: "gzip" },
    Program { name: "tar", package: "tar" },
    Module { name: "ensurepip", package: "python3-venv" },
];

/// The version of all that is made.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that is released, and where its files go.
pub(crate) struct Release {
    /// Where files are written.
    folder: PathBuf,
    /// The commit's name.
    commit: String,
    /// The commit's time, in seconds since 1970.
    epoch: String,
    /// The same as text, in UTC.
    time: String,
    /// The machines that programs are made for.
    platforms: Vec<&'static Platform>,
}

/// A part, by its name.
type Part = (&'static str, fn(&Release) -> Verdict);

const PARTS: [Part; 6] = [
    ("sources", sources::make),
    ("inventory", inventory::make),
    ("licences", licences::make),
    ("binaries", binaries::make),
    ("debian", debian::make),
    ("wheel", wheel::make),
];

/// Makes every part, or those that are named, in a new folder; for all machines, or the one behind `--for`.
///
/// # Errors
/// Where the tree has changes, the folder is there, something is missing, or a part can't be made. Nothing is
/// left in the folder's place then.
pub(crate) fn command(folder: &Path, args: &[&str]) -> Verdict {
    let (names, platforms) = match args {
        [names @ .., "--for", machine] => (names, binaries::named(machine)?),
        names => (names, binaries::PLATFORMS.iter().collect()),
    };
    if let Some(unknown) = names.iter().find(|name| PARTS.iter().all(|part| part.0 != **name)) {
        return Err(format!("a release has no part `{unknown}`"));
    }
    NEEDS
        .iter()
        .try_for_each(|need| need.present().map_err(|why| why.replace("install`", "install release`")))?;
    let unfinished = beside(folder)?;
    let release = Release::of_this_commit(unfinished.clone(), platforms)?;
    let parts = PARTS.iter().filter(|part| names.is_empty() || names.contains(&part.0));
    let made = empty(&unfinished).and_then(|()| release.make(parts));
    let moved = made.and_then(|()| fs::rename(&unfinished, folder).map_err(failed(folder)));
    if moved.is_err() {
        let _ = fs::remove_dir_all(&unfinished);
    }
    moved.map(|()| println!("{}: version {VERSION}", folder.display()))
}

/// Where a folder is written until it is whole.
fn beside(folder: &Path) -> Result<PathBuf, String> {
    if folder.exists() {
        return Err(format!("{} is there already; nothing is overwritten", folder.display()));
    }
    let name = folder.file_name().ok_or_else(|| format!("{} has no name", folder.display()))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(".unfinished");
    std::path::absolute(folder.with_file_name(hidden)).map_err(failed(folder))
}

impl Release {
    /// The commit that is checked out.
    fn of_this_commit(folder: PathBuf, platforms: Vec<&'static Platform>) -> Result<Self, String> {
        clean(&git(&["status", "--porcelain"])?)?;
        Ok(Release {
            folder,
            commit: git(&["rev-parse", "HEAD"])?,
            epoch: git(&["log", "-1", "--format=%ct"])?,
            time: git(&["log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd"])?,
            platforms,
        })
    }

    /// Makes parts, and the list of what they made.
    fn make<'a>(&self, parts: impl Iterator<Item = &'a Part>) -> Verdict {
        for (name, part) in parts {
            println!("\n{name}");
            part(self)?;
        }
        let sums = sums(&self.folder)?;
        print!("\n{sums}");
        write(&self.folder.join("SHA256SUMS"), sums.as_bytes())
    }

    /// A command whose output has the commit's time, and is the same in every country.
    fn timed<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("SOURCE_DATE_EPOCH", &self.epoch).env("TZ", "UTC").env("LC_ALL", "C")
    }
}

fn git(args: &[&str]) -> Result<String, String> {
    let mut git = Command::new("git");
    let text = capture(git.args(args).current_dir(crate::shell::root()).env("TZ", "UTC"))?;
    Ok(text.trim_end().to_string())
}

/// Refuses what git lists as changed or unknown.
fn clean(status: &str) -> Verdict {
    match status.lines().count() {
        0 => Ok(()),
        count => Err(format!("the tree is not that of the commit: {count} files differ\n{status}")),
    }
}

/// The digests of a folder's files, in the form that `sha256sum --check` reads.
fn sums(folder: &Path) -> Result<String, String> {
    let mut lines = String::new();
    for path in files(folder)? {
        let bytes = fs::read(&path).map_err(failed(&path))?;
        let name = path.strip_prefix(folder).map_err(|why| why.to_string())?;
        lines += &format!("{}  {}\n", crate::suites::digest(&bytes), name.display());
    }
    Ok(lines)
}

/// All files in a folder and below, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed(folder))? {
        let path = entry.map_err(failed(folder))?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}

fn failed(path: &Path) -> impl Fn(Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Makes a folder that has nothing in it.
fn empty(folder: &Path) -> Verdict {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failed(folder))?;
    }
    fs::create_dir_all(folder).map_err(failed(folder))
}

fn write(path: &Path, bytes: &[u8]) -> Verdict {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(path, bytes)).map_err(failed(path))
}

fn copy(from: &Path, to: &Path) -> Verdict {
    let made = to.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::copy(from, to)).map(|_| ()).map_err(failed(to))
}

/// Compresses a file in its place, without its name and time.
fn gzip(path: &Path) -> Verdict {
    run(Command::new("gzip").args(["-9", "-n"]).arg(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: a tree with changes, or with files that git does not know, is not released.
    #[test]
    fn changes_are_refused() {
        assert_eq!(clean(""), Ok(()));
        assert!(clean(" M README.md\n?? left-over\n").is_err_and(|why| why.contains("2 files")));
    }

    /// Protects: nothing is written over a folder; a hidden one beside it takes the files first.
    #[test]
    fn folders() {
        assert!(beside(crate::shell::root()).is_err());
        let unfinished = beside(Path::new("/no/such/folder")).unwrap();
        assert_eq!(unfinished, Path::new("/no/such/.folder.unfinished"));
        assert!(beside(Path::new("..")).is_err());
    }

    /// Protects: every file is in the list, below folders too, under the name that `sha256sum` looks for.
    #[test]
    fn digests() {
        let folder = std::env::temp_dir().join(format!("ringsmith-sums-{}", std::process::id()));
        empty(&folder).unwrap();
        write(&folder.join("b"), b"").unwrap();
        write(&folder.join("a/c"), b"abc").unwrap();
        let lines = sums(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let lines: Vec<_> = lines.lines().map(|line| (&line[..8], &line[64..])).collect();
        assert_eq!(lines, [("ba7816bf", "  a/c"), ("e3b0c442", "  b")]);
    }
}
