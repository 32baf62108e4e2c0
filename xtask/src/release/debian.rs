//! A Debian package of the programs for each machine, made by `dpkg-deb` of a folder laid out here.
//!
//! The programs need no library, so the package needs no other one, and serves every release of Debian and of
//! what stands on it (decision 80).

use super::binaries::{self, Platform};
use super::{Release, VERSION, empty, failed, files, gzip, licences, write};
use crate::shell::{capture, root, run};
use crate::suite::Verdict;
use crate::suites::packages;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What a list of packages says.
const DESCRIPTION: &str = "post-quantum encryption, signatures, and products in lattice rings
 The command ringsmith encrypts files to post-quantum keys in the age format,
 signs them with ML-DSA, makes and uses keys of ML-KEM, NTRU, NTRU Prime,
 NewHope and NTRUEncrypt, and multiplies polynomials in the rings of lattice
 cryptography by every known algorithm, checked and timed.
 .
 age-plugin-ringsmith does the same for programs of the age family.";

/// The packages.
pub(super) fn make(release: &Release) -> Verdict {
    release.platforms.iter().try_for_each(|platform| package(release, platform))
}

/// A version as Debian sorts it: a candidate is before what it is a candidate for.
fn version() -> String {
    format!("{}-1", VERSION.replacen('-', "~", 1))
}

fn package(release: &Release, platform: &Platform) -> Verdict {
    let stage = binaries::builds().join("debian").join(platform.debian);
    empty(&stage)?;
    let usr = stage.join("usr");
    binaries::lay_out(release, platform, &usr)?;
    files(&usr.join("share/man"))?.iter().try_for_each(|page| gzip(page))?;
    documents(&usr.join("share/doc/ringsmith"))?;
    let installed = files(&stage)?;
    write(&stage.join("DEBIAN/md5sums"), md5sums(&stage, &installed)?.as_bytes())?;
    let control = control(platform, kilobytes(&installed)?, &maintainer()?);
    write(&stage.join("DEBIAN/control"), control.as_bytes())?;
    binaries::readable(&stage)?;
    let name = format!("ringsmith_{}_{}.deb", version(), platform.debian);
    // How many threads compress changes the bytes.
    let mut build = Command::new("dpkg-deb");
    build.args(["--root-owner-group", "-Zxz", "--build"]).arg(&stage).arg(release.folder.join(name));
    run(release.timed(build.env("DPKG_DEB_THREADS_MAX", "1")))
}

/// What Debian asks for in a package's folder of documents.
fn documents(folder: &Path) -> Verdict {
    let changes = folder.join("changelog");
    super::copy(&root().join("CHANGELOG.md"), &changes)?;
    gzip(&changes)?;
    super::copy(&root().join("README.md"), &folder.join("README.md"))?;
    write(&folder.join("copyright"), copyright()?.as_bytes())
}

/// Whose it is, and the licences of all that is linked.
fn copyright() -> Result<String, String> {
    Ok(format!(
        "Ringsmith, {}\nLicence: MIT or Apache-2.0, whichever you choose.\n\n{}",
        env!("CARGO_PKG_REPOSITORY"),
        licences::text()?
    ))
}

/// Whom packages name as the one who keeps them: the workspace's `metadata.debian.maintainer`. It is part of
/// the commit, so that the same commit makes the same bytes.
fn maintainer() -> Result<String, String> {
    let metadata = &packages::workspace()?.workspace_metadata["debian"]["maintainer"];
    Ok(metadata.as_str().ok_or("Cargo.toml names no metadata.debian.maintainer")?.into())
}

fn control(platform: &Platform, kilobytes: u64, maintainer: &str) -> String {
    format!(
        "Package: ringsmith\nVersion: {}\nArchitecture: {}\nMaintainer: {maintainer}\n\
         Installed-Size: {kilobytes}\nSuggests: age\nSection: utils\nPriority: optional\nHomepage: {}\n\
         Description: {DESCRIPTION}\n",
        version(),
        platform.debian,
        env!("CARGO_PKG_REPOSITORY")
    )
}

/// The size of files on a disk, as Debian counts it.
fn kilobytes(files: &[std::path::PathBuf]) -> Result<u64, String> {
    let sizes =
        files.iter().map(|file| fs::metadata(file).map(|it| it.len().div_ceil(1024)).map_err(failed(file)));
    sizes.sum()
}

/// The digests by which `dpkg --verify` sees files that were changed.
fn md5sums(stage: &Path, files: &[std::path::PathBuf]) -> Result<String, String> {
    let names = files.iter().map(|file| file.strip_prefix(stage).unwrap_or(file));
    capture(Command::new("md5sum").args(names).current_dir(stage))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::binaries::PLATFORMS;

    /// Protects: `dpkg` reads the fields, and a candidate is older than its release.
    #[test]
    fn fields() {
        let maintainer = maintainer().unwrap();
        let text = control(&PLATFORMS[1], 7, &maintainer);
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        assert_eq!(field("Architecture"), Some("arm64"));
        assert_eq!(field("Installed-Size"), Some("7"));
        assert_eq!(field("Maintainer"), Some(&*maintainer));
        let mailbox = maintainer.split_once(" <").and_then(|(_, rest)| rest.strip_suffix('>'));
        assert!(mailbox.is_some_and(|it| it.split('@').count() == 2), "{maintainer}");
        assert!(field("Version").is_some_and(|it| it.ends_with("-1") && it.matches('-').count() == 1));
        // What goes on is indented; an empty line would end the paragraph.
        let goes_on = |line: &str| line.starts_with(' ') && line.trim() != "";
        assert!(text.lines().all(|line| goes_on(line) || line.contains(": ")));
    }
}
