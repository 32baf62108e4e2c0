//! `cargo xtask release-check`: what is looked at before a release, by tools that CI does not install.
//!
//! `cargo deny`, `cargo hack` and `cargo semver-checks` take minutes to build, and the list of advisories is
//! fetched. So it is no suite.

use super::packages;
use crate::builds::{LIBRARY, selected};
use crate::needs::NIGHTLY;
use crate::shell::{capture, cargo, cargo_of, program, run, target_dir};
use crate::suite::Verdict;
use std::process::Command;

/// What is checked of the dependencies without a network.
const HERE: [&str; 3] = ["licenses", "bans", "sources"];

/// Machines for which the library must be accepted, beside those of the suites.
const TARGETS: [&str; 4] = [
    "x86_64-pc-windows-gnu",
    "aarch64-apple-darwin",
    "wasm32-unknown-unknown",
    "armv7-unknown-linux-gnueabihf",
];

/// A check, by its name.
type Step = (&'static str, fn(&Options) -> Verdict);

/// What was asked for.
struct Options {
    offline: bool,
    /// The commit that interfaces are compared with.
    since: Option<String>,
}

const STEPS: [Step; 6] = [
    ("dependencies", dependencies),
    ("packages", |_| run(&mut packages::package(&[]))),
    ("features", features),
    ("interfaces", interfaces),
    ("documentation", documentation),
    ("targets", targets),
];

/// Every step, one after the other, whatever the others say; `--offline` leaves advisories out, `--since
/// COMMIT` compares interfaces with those of a commit, and names say which steps.
///
/// # Errors
/// Where one of them complains, or its tool is missing.
pub(crate) fn check(args: &[&str]) -> Verdict {
    let (mut options, mut names, mut args) =
        (Options { offline: false, since: None }, Vec::new(), args.iter());
    while let Some(arg) = args.next() {
        match *arg {
            "--offline" => options.offline = true,
            "--since" => options.since = Some(args.next().ok_or("--since wants a commit")?.to_string()),
            name if STEPS.iter().any(|step| step.0 == name) => names.push(name),
            other => return Err(format!("release-check knows no `{other}`")),
        }
    }
    let mut failed = Vec::new();
    for (name, step) in STEPS.iter().filter(|step| names.is_empty() || names.contains(&step.0)) {
        println!("\n{name}");
        if let Err(why) = step(&options) {
            println!("{name}: {why}");
            failed.push(*name);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// A tool, or how to get it.
fn tool(name: &str) -> Result<Command, String> {
    match program(name) {
        Some(_) => Ok(Command::new(name)),
        None => Err(format!("{name} is missing: cargo install --locked {name}")),
    }
}

/// Licences, duplicates and sources of all dependencies; advisories where there is a network.
fn dependencies(options: &Options) -> Verdict {
    let deny = |what: &[&str]| {
        let mut deny = tool("cargo-deny")?;
        deny.arg("--workspace").args(options.offline.then_some("--offline")).arg("check").args(what);
        run(&mut deny)
    };
    deny(&HERE)?;
    if options.offline {
        println!("advisories: NOT checked, there is no network");
        return Ok(());
    }
    deny(&["advisories"])
}

/// The library with every feature, and with every two of them.
fn features(_: &Options) -> Verdict {
    let mut hack = tool("cargo-hack")?;
    hack.args(["hack", "check", "--feature-powerset", "--depth", "2", "--no-dev-deps"])
        .args(selected(LIBRARY));
    run(hack.env("CARGO_TARGET_DIR", target_dir().join("lint")))
}

/// What of the interfaces is no more as it was: a list, no verdict, because a minor version before 1.0 may
/// break them.
fn interfaces(options: &Options) -> Verdict {
    let Some(commit) = &options.since else {
        println!("NOT compared: --since COMMIT says with what");
        return Ok(());
    };
    for package in LIBRARY {
        if !existed(package, commit) {
            println!("{package}: new");
            continue;
        }
        // As if nothing might break, so that what does is listed.
        let mut semver = tool("cargo-semver-checks")?;
        semver.args(["semver-checks", "--baseline-rev", commit, "--release-type", "minor", "-p", package]);
        if let Err(why) = run(&mut semver) {
            println!("{why}");
        }
    }
    Ok(())
}

/// Whether a package was there at a commit.
fn existed(package: &str, commit: &str) -> bool {
    let manifest = format!("{commit}:crates/{}/Cargo.toml", folder(package));
    capture(Command::new("git").args(["cat-file", "-e", &manifest])).is_ok()
}

/// The documentation as docs.rs builds it: with the features that a manifest names for that.
fn documentation(_: &Options) -> Verdict {
    for package in LIBRARY {
        let manifest = crate::shell::root().join("crates").join(folder(package)).join("Cargo.toml");
        let text =
            std::fs::read_to_string(&manifest).map_err(|why| format!("{}: {why}", manifest.display()))?;
        let mut doc = cargo_of(NIGHTLY, &["doc", "--no-deps", "-p", package]);
        let features = of_docs_rs(&text);
        doc.args(features.iter().map(|features| format!("--features={features}")));
        doc.env("RUSTDOCFLAGS", "--cfg docsrs -Dwarnings")
            .env("CARGO_TARGET_DIR", target_dir().join("docs.rs"));
        run(&mut doc)?;
    }
    Ok(())
}

/// The folder of a package.
fn folder(package: &str) -> String {
    match package.strip_prefix("ringsmith-") {
        Some(name) => name.replace('-', "_"),
        None => package.to_string(),
    }
}

/// The features that a manifest names for docs.rs.
fn of_docs_rs(manifest: &str) -> Option<String> {
    let (_, after) = manifest.split_once("[package.metadata.docs.rs]\n")?;
    let list = after.strip_prefix("features = [")?.split_once(']')?.0;
    Some(list.replace('"', ""))
}

/// The library with its default features, for other machines.
fn targets(_: &Options) -> Verdict {
    for target in TARGETS {
        let mut check = cargo(&["check", "-p", "ringsmith", "--target", target]);
        run(check.env("CARGO_TARGET_DIR", target_dir().join("lint")))
            .map_err(|why| format!("{why} (rustup target add {target})"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the features are those of the manifest, and every package has a folder.
    #[test]
    fn manifests() {
        let text = "[features]\n\n[package.metadata.docs.rs]\nfeatures = [\"a\", \"b-c\"]\n";
        assert_eq!(of_docs_rs(text).as_deref(), Some("a, b-c"));
        assert_eq!(of_docs_rs("[features]\n"), None);
        let crates = crate::shell::root().join("crates");
        assert!(LIBRARY.iter().all(|name| crates.join(folder(name)).is_dir()));
    }
}
