//! The crates as they are published: each packs what it needs, and a family needs no other.

use crate::cost::compiling;
use crate::shell::{capture, cargo, root, run, target_dir};
use crate::suite::{Options, Verdict};
use cargo_metadata::{Metadata, MetadataCommand, Package};
use std::process::Command;

/// The crates of schemes, with the features that make them what they are, and the families that they are of.
const ALONE: [(&str, &[&str], &[&str]); 16] = [
    ("ringsmith-ml-dsa", &[], &["ringsmith-ml-dsa"]),
    ("ringsmith-ml-kem", &[], &["ringsmith-ml-kem"]),
    ("ringsmith-new-hope", &[], &["ringsmith-new-hope"]),
    ("ringsmith-ntru", &[], &["ringsmith-cyclic", "ringsmith-ntru"]),
    ("ringsmith-ntru-prime", &[], &["ringsmith-ntru-prime"]),
    ("ringsmith-ntruencrypt", &[], &["ringsmith-cyclic", "ringsmith-ntruencrypt"]),
    ("ringsmith-cyclic", &[], &["ringsmith-cyclic"]),
    ("ringsmith-word", &[], &["ringsmith-word"]),
    ("ringsmith-any", &[], &["ringsmith-word", "ringsmith-any"]),
    ("ringsmith-gpu", &[], &["ringsmith-word", "ringsmith-gpu"]),
    ("ringsmith-hybrid", &["--features", "hpke"], &["ringsmith-ml-kem"]),
    ("ringsmith-hybrid", &["--features", "ssh"], &["ringsmith-ntru-prime"]),
    ("ringsmith-hybrid", &["--features", "tls"], &["ringsmith-ml-kem"]),
    ("ringsmith-rustls", &[], &["ringsmith-ml-kem"]),
    ("ringsmith", &[], &["ringsmith-ml-kem"]),
    ("ringsmith-capi", &[], &["ringsmith-ml-kem"]),
];

/// The crates that a family must not need: other families, routes that no planner takes, rings that are
/// chosen at run time, and GPUs.
const FAMILIES: [&str; 11] = [
    "ringsmith-ml-dsa",
    "ringsmith-ml-kem",
    "ringsmith-new-hope",
    "ringsmith-cyclic",
    "ringsmith-ntru",
    "ringsmith-ntru-prime",
    "ringsmith-ntruencrypt",
    "ringsmith-routes",
    "ringsmith-word",
    "ringsmith-any",
    "ringsmith-gpu",
];

/// What a package depends on, as cargo prints it.
fn tree(package: &str, features: &[&str]) -> Result<String, String> {
    capture(cargo(&["tree", "--edges", "normal", "--prefix", "none", "-p", package]).args(features))
}

/// The families in a tree of dependencies.
fn families(tree: &str) -> Vec<&'static str> {
    let is_in = |family: &&str| tree.lines().any(|line| line.split(' ').next() == Some(family));
    FAMILIES.into_iter().filter(is_in).collect()
}

/// Each family's crate is accepted by itself, and depends on no other family; that the command, which has all
/// of them, is seen to is the proof of the check. GPUs it has by a feature alone.
fn alone() -> Verdict {
    let (all, but_gpus) = (FAMILIES.as_slice(), &FAMILIES[..FAMILIES.len() - 1]);
    for (features, expected) in [(&["--features", "cuda"][..], all), (&[][..], but_gpus)] {
        let found = families(&tree("ringsmith-cli", features)?);
        if found != expected {
            return Err(format!("the command {} depends on {}", features.join(" "), found.join(", ")));
        }
    }
    for (package, features, expected) in ALONE {
        let found = families(&tree(package, features)?);
        if found != expected {
            return Err(format!("{package} {}: depends on {}", features.join(" "), found.join(", ")));
        }
        let mut check = cargo(&["check", "-p", package]);
        check.args(features).env("CARGO_TARGET_DIR", target_dir().join("lint"));
        compiling(|| run(&mut check))?;
        println!("{package} {}: alone", features.join(" "));
    }
    Ok(())
}

/// The workspace, as its manifests have it.
pub(crate) fn workspace() -> Result<Metadata, String> {
    let mut command = MetadataCommand::new();
    command.manifest_path(root().join("Cargo.toml")).no_deps();
    command.exec().map_err(|why| why.to_string())
}

/// Its packages.
pub(crate) fn members() -> Result<Vec<Package>, String> {
    workspace().map(|metadata| metadata.packages)
}

/// Whether a package goes to the registry: one for the project alone says `publish = false`.
pub(crate) fn is_published(package: &Package) -> bool {
    package.publish.as_ref().is_none_or(|registries| !registries.is_empty())
}

/// `cargo package` of every crate that is published.
pub(crate) fn package(args: &[&str]) -> Result<Command, String> {
    let mut package = cargo(&["package", "--workspace", "--allow-dirty"]);
    let members = members()?;
    let others = members.iter().filter(|package| !is_published(package));
    package.args(others.map(|package| format!("--exclude={}", package.name))).args(args);
    Ok(package)
}

/// The suite.
pub(crate) fn run_all(_: &Options) -> Verdict {
    alone()?;
    let mut package = package(&["--no-verify"])?;
    run(package.env("CARGO_TARGET_DIR", target_dir().join("lint")))
}

#[cfg(test)]
mod tests {
    use super::{families, is_published, members};

    /// Protects: what is for the project alone is not packed, and the library is.
    #[test]
    fn what_is_published() {
        let members = members().unwrap();
        let published = |name: &str| members.iter().any(|it| it.name.as_str() == name && is_published(it));
        assert!(published("ringsmith") && published("ringsmith-cli"));
        assert!(!published("xtask") && !published("ringsmith-book"));
    }

    /// Protects: a family is told by its whole name.
    #[test]
    fn families_by_name() {
        let tree = "ringsmith v1.0.0 (x)\nringsmith-ml-kem v1.0.0 (y)\nml-kem v0.3.4\nringsmith-new-hopes v1";
        assert_eq!(families(tree), ["ringsmith-ml-kem"]);
    }
}
