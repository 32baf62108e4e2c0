//! The licences of all that is linked: who wrote it, under which licence, and the texts that come with it.

use super::linked::{self, Linked};
use super::{Release, copy, failed, write};
use crate::shell::{capture, root};
use crate::suite::Verdict;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is linked and is no package of cargo's.
const RUST: &str = "\
The standard library of Rust: MIT OR Apache-2.0, and what it stands on, as rust-standard-library.html says.
In the static programs, the C library musl: MIT, Copyright 2005-2020 Rich Felker, et al.
";

/// How the files begin that have a licence.
const NAMES: [&str; 6] = ["copying", "copyright", "licence", "license", "notice", "unlicense"];

/// The texts, and what comes with the Rust toolchain.
pub(super) fn make(release: &Release) -> Verdict {
    write(&release.folder.join("LICENCES.txt"), text()?.as_bytes())?;
    let sysroot = capture(Command::new("rustc").args(["--print", "sysroot"]).current_dir(root()))?;
    let of_rust = Path::new(sysroot.trim()).join("share/doc/rust/COPYRIGHT-library.html");
    copy(&of_rust, &release.folder.join("rust-standard-library.html"))
}

/// Everything in one text: the packages with their authors, then each text once with those that have it.
pub(super) fn text() -> Result<String, String> {
    let linked = linked::all()?;
    let (mut list, mut texts) = (String::new(), BTreeMap::<String, Vec<String>>::new());
    for (_, linked) in linked.iter().filter(|(_, linked)| linked.package.source.is_some()) {
        list += &line(linked)?;
        for text in texts_of(linked)? {
            texts.entry(text).or_default().push(linked.package.name.to_string());
        }
    }
    let texts =
        texts.into_iter().map(|(text, names)| format!("{:=<110}\n{}:\n\n{text}\n", "", names.join(", ")));
    Ok(format!("What is linked into Ringsmith's programs.\n\n{RUST}\n{list}\n{}", texts.collect::<String>()))
}

/// Name, version, licence, authors, and where it is from.
fn line(linked: &Linked) -> Result<String, String> {
    let package = &linked.package;
    let licence = expression(linked)?;
    let authors = if package.authors.is_empty() { "its authors".into() } else { package.authors.join(", ") };
    let from = package.repository.as_deref().unwrap_or("https://crates.io");
    Ok(format!("{} {}: {licence}; {authors}; {from}\n", package.name, package.version))
}

/// The licence as SPDX writes it: old manifests have a slash for `OR`.
pub(super) fn expression(linked: &Linked) -> Result<String, String> {
    let licence = linked.package.license.as_deref();
    let licence = licence.ok_or_else(|| format!("{} names no licence", linked.package.name))?;
    Ok(spdx(licence))
}

fn spdx(licence: &str) -> String {
    licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ")
}

/// The texts in a package; the usual one of its licence where it has none.
fn texts_of(linked: &Linked) -> Result<Vec<String>, String> {
    let folder = linked.package.manifest_path.parent().map(|folder| PathBuf::from(folder.as_std_path()));
    let folder = folder.unwrap_or_default();
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed(&folder))? {
        let path = entry.map_err(failed(&folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_file() && NAMES.iter().any(|start| name.starts_with(start)) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        files.push(root().join(usual(&expression(linked)?)?));
    }
    files.iter().map(|file| fs::read_to_string(file).map_err(failed(file))).collect()
}

/// A text of this project's for a package that has none: the same words but for who holds the copyright,
/// which the list says.
fn usual(expression: &str) -> Result<&'static str, String> {
    let has = |name: &str| expression.split(" OR ").any(|licence| licence == name);
    match () {
        () if has("Apache-2.0") => Ok("LICENSE-APACHE"),
        () if has("MIT") => Ok("LICENSE-MIT"),
        () => Err(format!("a package under `{expression}` comes without the licence's text")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: licences are SPDX expressions; a package without a text is refused where we have none, too.
    #[test]
    fn expressions() {
        assert_eq!(spdx("MIT/Apache-2.0"), "MIT OR Apache-2.0");
        assert_eq!(spdx("(MIT OR Apache-2.0) AND Unicode-3.0"), "(MIT OR Apache-2.0) AND Unicode-3.0");
        assert_eq!(usual("MIT OR Apache-2.0"), Ok("LICENSE-APACHE"));
        assert_eq!(usual("MIT"), Ok("LICENSE-MIT"));
        assert!(usual("ISC").is_err());
    }
}
