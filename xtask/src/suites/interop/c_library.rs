//! The C library as it is installed: `cargo xtask c-library FOLDER`.
//!
//! The linker of the system makes the shared library of the static one, with versions of symbols, which
//! Rust's compiler does not give them. `cargo cinstall`, where cargo-c is there, installs the same without
//! versions.

use super::place;
use crate::builds::Build;
use crate::shell;
use crate::suite::Verdict;
use std::fs;
use std::io::Error;
use std::path::Path;
use std::process::Command;

/// The version of the library: that of the whole project.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The profile by which users have it; and that for ML-KEM alone, which is smaller.
const PROFILES: [&str; 2] = ["c-library", "c-library-ml-kem"];
/// Relocations of 24 bytes each are packed into a bit or two; glibc reads them since 2.36. Linkers that are
/// older leave them as they are.
const PACKED: &str = "-Wl,-z,pack-relative-relocs";
/// What a library of Rust's needs of the system.
const SYSTEM: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

/// Where its headers and other texts are.
fn texts() -> std::path::PathBuf {
    shell::root().join("crates/capi")
}

/// The part of the version with which interfaces change.
fn major() -> String {
    let parts: Vec<&str> = VERSION.split('.').collect();
    if parts[0] == "0" { parts[..2].join(".") } else { parts[0].to_string() }
}

/// Builds the library with certain features, and installs it.
///
/// # Errors
/// Where it can't be built, or the folder not be written.
pub(crate) fn command(folder: &Path, features: &str) -> Verdict {
    let profile = PROFILES[usize::from(features == ML_KEM)];
    // The static library alone: the shared one is made of it.
    let built = ["rustc", "--profile", profile, "-p", "ringsmith-capi", "--lib", "--crate-type", "staticlib"];
    shell::run(shell::cargo(&built).args(["--no-default-features", "--features", features]))?;
    install(&shell::target_dir().join(profile), folder)?;
    println!("export PKG_CONFIG_PATH={0}/lib/pkgconfig LD_LIBRARY_PATH={0}/lib", absolute(folder)?);
    Ok(())
}

fn absolute(folder: &Path) -> Result<String, String> {
    let path = fs::canonicalize(folder).map_err(failed(folder))?;
    Ok(path.display().to_string())
}

fn failed(path: &Path) -> impl Fn(Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

fn copy(from: &Path, to: &Path) -> Verdict {
    let made = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::copy(from, to));
    made.map(|_| ()).map_err(failed(to))
}

/// Puts the library in a folder, of what cargo left in another one.
fn install(from: &Path, folder: &Path) -> Verdict {
    copy(&from.join("libringsmith_capi.a"), &folder.join("lib/libringsmith.a"))?;
    for header in ["ringsmith.h", "ringsmith_schemes.h", "ringsmith_supercop.h"] {
        copy(&texts().join("include").join(header), &folder.join("include").join(header))?;
    }
    copy(&texts().join("man/libringsmith.3"), &folder.join("share/man/man3/libringsmith.3"))?;
    shared(&folder.join("lib"))?;
    package(folder)
}

/// Makes the shared library of the static one, and the names under which linkers and loaders look for it.
fn shared(lib: &Path) -> Verdict {
    let (whole, name) = (format!("libringsmith.so.{VERSION}"), format!("libringsmith.so.{}", major()));
    let mut link = Command::new(std::env::var("CC").unwrap_or("cc".into()));
    link.args(["-shared", "-Wl,--gc-sections", "-Wl,-s", PACKED, &format!("-Wl,-soname,{name}"), "-o"]);
    link.arg(lib.join(&whole))
        .arg(format!("-Wl,--version-script={}", texts().join("ringsmith.map").display()));
    link.arg("-Wl,--whole-archive").arg(lib.join("libringsmith.a")).arg("-Wl,--no-whole-archive");
    shell::run(link.args(SYSTEM))?;
    for link in [&name, "libringsmith.so"] {
        let link = lib.join(link);
        let made = fs::remove_file(&link).or(Ok(())).and_then(|()| symlink(&whole, &link));
        made.map_err(failed(&link))?;
    }
    Ok(())
}

#[cfg(unix)]
fn symlink(to: &str, link: &Path) -> Result<(), Error> {
    std::os::unix::fs::symlink(to, link)
}

#[cfg(not(unix))]
fn symlink(_: &str, _: &Path) -> Result<(), Error> {
    Err(Error::other("the C library is installed on Unix alone"))
}

/// What pkg-config reads.
fn package(folder: &Path) -> Verdict {
    let text = format!(
        "prefix={}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\n\
         Name: ringsmith\n\
         Description: Post-quantum schemes, and products in the rings of lattice cryptography\n\
         Version: {VERSION}\nLibs: -L${{libdir}} -lringsmith\nLibs.private: {}\nCflags: -I${{includedir}}\n",
        absolute(folder)?,
        SYSTEM.join(" ")
    );
    let to = folder.join("lib/pkgconfig");
    let made = fs::create_dir_all(&to).and_then(|()| fs::write(to.join("ringsmith.pc"), text));
    made.map_err(failed(&to))
}

/// ML-KEM alone, as a feature.
const ML_KEM: &str = "ml-kem";
/// Bytes that the shared library with ML-KEM alone may have, stripped, on x86-64.
const MOST: u64 = 500_000;
/// By how many bytes the guide's figure may be wrong: linkers differ.
const NEAR: u64 = 5_000;

/// The size of the library with ML-KEM alone, as `cargo xtask c-library` makes it.
pub(super) fn size() -> Verdict {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!("not looked at: the size of the C library, which is told for Linux on x86-64");
        return Ok(());
    }
    let folder = place().join("c-library-ml-kem");
    command(&folder, ML_KEM)?;
    let library = folder.join(format!("lib/libringsmith.so.{VERSION}"));
    let bytes = fs::metadata(&library).map_err(failed(&library))?.len();
    println!("the C library with ML-KEM alone, stripped: {bytes} bytes, of {MOST} at most");
    let guide = shell::root().join("docs/c.md");
    judge(bytes, told(&fs::read_to_string(&guide).map_err(failed(&guide))?))?;
    secrets(&folder)
}

/// What valgrind ends with where it sees a branch or an address by a secret.
const SEEN: i32 = 99;

/// What is optimised for size keeps secrets as what tools look at does: valgrind follows a private key
/// through the installed library, and sees the branch of the program's own that it must see.
fn secrets(folder: &Path) -> Verdict {
    let (program, lib) = (folder.join("secrets"), folder.join("lib"));
    let mut compiler = Command::new(std::env::var("CC").unwrap_or("cc".into()));
    compiler.arg("-I").arg(folder.join("include")).arg(texts().join("tests/secrets.c"));
    compiler.arg("-o").arg(&program).arg("-L").arg(&lib).arg("-lringsmith");
    shell::run(&mut compiler)?;
    for (leaks, expected) in [(&[][..], 0), (&["leaks"], SEEN)] {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["-q", &format!("--error-exitcode={SEEN}")]).arg(&program).args(leaks);
        let output = valgrind.env("LD_LIBRARY_PATH", &lib).output().map_err(failed(&program))?;
        if output.status.code() != Some(expected) {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("valgrind ended with {} instead of {expected}:\n{said}", output.status));
        }
    }
    Ok(())
}

/// Whether a size is allowed, and is the one that the guide tells.
fn judge(bytes: u64, told: Option<u64>) -> Verdict {
    match told {
        _ if bytes > MOST => Err(format!("the C library with ML-KEM alone has {bytes} bytes, above {MOST}")),
        Some(told) if bytes.abs_diff(told) <= NEAR => Ok(()),
        _ => Err(format!("docs/c.md does not say that the C library with ML-KEM alone has {bytes} bytes")),
    }
}

/// What the guide tells of ML-KEM alone, in bytes: its table has MB.
fn told(page: &str) -> Option<u64> {
    let (_, after) = page.split_once("| ML-KEM alone | 0.")?;
    let digits = after.get(..3)?;
    digits.parse::<u64>().ok().map(|thousands| 1000 * thousands)
}

/// The first program in C of a page.
fn program(page: &str) -> Option<&str> {
    Some(page.split_once("```c\n")?.1.split_once("```")?.0)
}

/// The guide's program with the library as pkg-config finds it.
pub(super) fn run() -> Verdict {
    Build::Checked.compile("programs")?;
    let folder = place().join("c-library");
    install(&Build::Checked.programs().join("deps"), &folder)?;
    let guide = shell::root().join("docs/c.md");
    let page = fs::read_to_string(&guide).map_err(failed(&guide))?;
    let source = folder.join("hello.c");
    fs::write(&source, program(&page).ok_or("docs/c.md has no program")?).map_err(failed(&source))?;
    let lib = folder.join("lib");
    let mut asked = Command::new("pkg-config");
    asked.args(["--cflags", "--libs", "ringsmith"]).env("PKG_CONFIG_PATH", lib.join("pkgconfig"));
    let flags = shell::capture(&mut asked)?;
    let mut compiler = Command::new(std::env::var("CC").unwrap_or("cc".into()));
    compiler.arg(&source).arg("-o").arg(folder.join("hello")).args(flags.split_whitespace());
    shell::run(&mut compiler)?;
    versioned(&folder.join("hello"))?;
    let said = shell::capture(Command::new(folder.join("hello")).env("LD_LIBRARY_PATH", &lib))?;
    match said.trim() {
        "both have the same key" => Ok(()),
        other => Err(format!("the guide's program said {other:?}")),
    }
}

/// Whether what a program takes of the library has the version that the interface has.
fn versioned(program: &Path) -> Verdict {
    let symbols = shell::capture(Command::new("nm").arg("-D").arg(program))?;
    let version = format!("@RINGSMITH_{}", major());
    let ours: Vec<&str> = symbols.lines().filter(|line| line.contains(" ringsmith_")).collect();
    match ours.iter().find(|line| !line.ends_with(&version)) {
        None if !ours.is_empty() => Ok(()),
        other => Err(format!("no version `{version}`: {}", other.unwrap_or(&"no symbols"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the name by which programs load the library changes when its interface may.
    #[test]
    fn names() {
        assert!(VERSION.starts_with(&format!("{}.", major())));
        assert_eq!(program("text\n```c\nint x;\n```\nmore"), Some("int x;\n"));
    }

    /// Protects: a library that is too large, and a page with another size, are told.
    #[test]
    fn sizes() {
        let page = "| | MB |\n|---|---:|\n| ML-KEM alone | 0.496 |\n";
        assert_eq!((told(page), told("| ML-KEM alone | ? |")), (Some(496_000), None));
        assert!(judge(496_304, told(page)).is_ok() && judge(MOST, Some(496_000)).is_ok());
        for (bytes, told) in [(MOST + 1, Some(500_000)), (490_000, Some(496_000)), (496_304, None)] {
            assert!(judge(bytes, told).is_err(), "{bytes} {told:?}");
        }
    }
}
