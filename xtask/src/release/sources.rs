//! The sources: an archive of the whole tree, and the packages as crates.io takes them.

use super::{Release, VERSION, binaries, copy, empty, files};
use crate::shell::{root, run};
use crate::suite::Verdict;
use crate::suites::packages;
use std::path::PathBuf;
use std::process::Command;

pub(super) fn make(release: &Release) -> Verdict {
    let name = format!("ringsmith-{VERSION}");
    let mut archive = Command::new("git");
    archive.args(["archive", "--format=tar.gz", &format!("--prefix={name}/"), "--output"]);
    archive.arg(release.folder.join(format!("{name}.tar.gz"))).arg("HEAD").current_dir(root());
    run(release.timed(&mut archive))?;
    crates(release)
}

/// Every crate that is published. That each builds is seen to by `cargo xtask release-check packages`.
fn crates(release: &Release) -> Verdict {
    let place = binaries::builds().join("package");
    empty(&place)?;
    let mut package = packages::package(&["--no-verify"])?;
    run(release.timed(package.env("CARGO_TARGET_DIR", binaries::builds())))?;
    let is_ours = |file: &PathBuf| {
        file.parent() == Some(&place) && file.to_string_lossy().ends_with(&format!("-{VERSION}.crate"))
    };
    let to = |file: &PathBuf| release.folder.join("crates").join(file.file_name().unwrap_or_default());
    files(&place)?.iter().filter(|file| is_ours(file)).try_for_each(|file| copy(file, &to(file)))
}
