//! The programs, linked statically, each in an archive with its manual pages and completions.
//!
//! They are made with the profile `release`, whose code the tools that watch secrets look at, and by the
//! linker of the Rust toolchain, so that no compiler or library of the machine has a part in them.

use super::{Release, VERSION, copy, empty, failed, licences, write};
use crate::shell::{capture, cargo, root, run, target_dir};
use crate::suite::Verdict;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A machine that there are programs for.
pub(super) struct Platform {
    /// As Rust names it.
    pub(super) triple: &'static str,
    /// The same with the C library that Python is linked with.
    pub(super) wheel: &'static str,
    /// As Debian names it.
    pub(super) debian: &'static str,
    /// Its architecture, as Rust names it.
    pub(super) arch: &'static str,
}

/// All of them.
pub(super) const PLATFORMS: [Platform; 2] = [
    Platform {
        triple: "x86_64-unknown-linux-musl",
        wheel: "x86_64-unknown-linux-gnu",
        debian: "amd64",
        arch: "x86_64",
    },
    Platform {
        triple: "aarch64-unknown-linux-musl",
        wheel: "aarch64-unknown-linux-gnu",
        debian: "arm64",
        arch: "aarch64",
    },
];

/// The packages of the programs.
pub(super) const PACKAGES: [&str; 2] = ["ringsmith-cli", "age-plugin-ringsmith"];

/// The programs.
const PROGRAMS: [&str; 2] = ["ringsmith", "age-plugin-ringsmith"];

/// Links without a C compiler, and leaves out names.
const LINKED: [&str; 3] = ["-Clinker=rust-lld", "-Clinker-flavor=ld.lld", "-Cstrip=symbols"];

/// Where shells look for completions, below `share`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/ringsmith"),
    ("fish", "fish/vendor_completions.d/ringsmith.fish"),
    ("zsh", "zsh/vendor-completions/_ringsmith"),
];

/// The archives.
pub(super) fn make(release: &Release) -> Verdict {
    release.platforms.iter().try_for_each(|platform| archive(release, platform))
}

/// The machine of a name, which is Rust's or Debian's.
pub(super) fn named(name: &str) -> Result<Vec<&'static Platform>, String> {
    let is_named = |platform: &&Platform| [platform.triple, platform.debian, platform.arch].contains(&name);
    let found: Vec<_> = PLATFORMS.iter().filter(is_named).collect();
    if found.is_empty() { Err(format!("a release has no programs for `{name}`")) } else { Ok(found) }
}

/// Flags of the compiler, as `CARGO_ENCODED_RUSTFLAGS` has them: these, and those by which no path of this
/// machine gets into a program.
pub(super) fn flags(more: &[&str]) -> Result<String, String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let home = home.ok_or("neither CARGO_HOME nor HOME is set")?;
    let places = [(root(), "/ringsmith"), (&home, "/cargo")];
    let places = places.map(|(path, name)| format!("--remap-path-prefix={}={name}", path.display()));
    Ok([more, &places.each_ref().map(String::as_str)].concat().join("\x1f"))
}

/// Where all of a release is compiled.
pub(super) fn builds() -> PathBuf {
    target_dir().join("dist")
}

/// Compiles the programs for a machine, and says where they are.
fn compile(platform: &Platform) -> Result<PathBuf, String> {
    let mut build = cargo(&["build", "--release", "--locked", "--target", platform.triple]);
    build.args(crate::builds::selected(&PACKAGES)).env("CARGO_TARGET_DIR", builds());
    run(build.env("CARGO_ENCODED_RUSTFLAGS", flags(&LINKED)?))?;
    Ok(builds().join(platform.triple).join("release"))
}

/// The programs that run on this machine: they write their own manual pages.
fn of_this_machine() -> Result<PathBuf, String> {
    let platform = PLATFORMS.iter().find(|platform| platform.arch == std::env::consts::ARCH);
    compile(platform.ok_or("no program of the release runs on this machine")?)
}

/// Puts programs, manual pages and completions into `bin` and `share` of a folder.
pub(super) fn lay_out(release: &Release, platform: &Platform, prefix: &Path) -> Verdict {
    let (programs, ringsmith) = (compile(platform)?, of_this_machine()?.join("ringsmith"));
    for name in PROGRAMS {
        copy(&programs.join(name), &prefix.join("bin").join(name))?;
    }
    let (share, man) = (prefix.join("share"), prefix.join("share/man/man1"));
    empty(&man)?;
    capture(release.timed(Command::new(&ringsmith).arg("man").arg(&man)))?;
    let page = "age-plugin-ringsmith.1";
    copy(&root().join("crates/age-plugin/man").join(page), &man.join(page))?;
    for (shell, path) in COMPLETIONS {
        let script = capture(Command::new(&ringsmith).args(["completions", shell]))?;
        write(&share.join(path), script.as_bytes())?;
    }
    Ok(())
}

/// An archive that is unpacked in `/usr/local` or anywhere else.
fn archive(release: &Release, platform: &Platform) -> Verdict {
    let name = format!("ringsmith-{VERSION}-{}", platform.triple);
    let place = builds().join("archives");
    let folder = place.join(&name);
    empty(&folder)?;
    lay_out(release, platform, &folder)?;
    for text in ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "CHANGELOG.md", "SECURITY.md"] {
        copy(&root().join(text), &folder.join(text))?;
    }
    write(&folder.join("LICENCES.txt"), licences::text()?.as_bytes())?;
    readable(&folder)?;
    let tar = place.join(format!("{name}.tar"));
    let mut pack = Command::new("tar");
    pack.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=ustar"]);
    pack.arg(format!("--mtime=@{}", release.epoch)).arg("--create").arg("--file").arg(&tar);
    run(release.timed(pack.arg("--directory").arg(&place).arg(&name)))?;
    let packed = place.join(format!("{name}.tar.gz"));
    fs::remove_file(&packed).or_else(missing).map_err(failed(&packed))?;
    super::gzip(&tar)?;
    copy(&packed, &release.folder.join(format!("{name}.tar.gz")))
}

fn missing(error: std::io::Error) -> Result<(), std::io::Error> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// Whatever the mask of this user, everybody reads, and runs the programs.
pub(super) fn readable(folder: &Path) -> Verdict {
    run(Command::new("chmod").args(["-R", "u=rwX,go=rX"]).arg(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: a machine is found by each of its names, and another one is an error.
    #[test]
    fn machines() {
        for name in ["aarch64", "arm64", "aarch64-unknown-linux-musl"] {
            assert!(named(name).is_ok_and(|found| found.len() == 1 && found[0].debian == "arm64"));
        }
        assert!(named("vax").is_err());
    }

    /// Protects: paths of this machine are replaced, and flags with spaces stay whole.
    #[test]
    fn paths_are_replaced() {
        let flags = flags(&LINKED).unwrap();
        let flags: Vec<_> = flags.split('\x1f').collect();
        assert_eq!(flags[..3], LINKED);
        assert_eq!(flags[3], format!("--remap-path-prefix={}=/ringsmith", root().display()));
        assert!(flags[4].ends_with("=/cargo") && flags.len() == 5);
    }
}
