//! What is linked into the programs and the Python module: cargo's trees of dependencies for the machines
//! that they are made for, without what runs at compile time alone.

use super::binaries::{PACKAGES, PLATFORMS};
use crate::shell::{capture, cargo, root};
use cargo_metadata::{MetadataCommand, Package};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The package of the Python module.
const MODULE: &str = "ringsmith-python";

/// A package's name and version.
pub(super) type Id = (String, String);

/// Which package depends on which.
pub(super) type Graph = BTreeMap<Id, BTreeSet<Id>>;

/// A package that is linked.
pub(super) struct Linked {
    /// What its manifest says.
    pub(super) package: Package,
    /// On what it depends.
    pub(super) on: BTreeSet<Id>,
    /// The SHA-256 of its archive, as the lock file has it; none for packages of this tree.
    pub(super) checksum: Option<String>,
}

/// The packages that are asked for.
pub(super) fn roots() -> impl Iterator<Item = &'static str> {
    PACKAGES.into_iter().chain([MODULE])
}

/// Every package that is linked.
pub(super) fn all() -> Result<BTreeMap<Id, Linked>, String> {
    let lock = fs::read_to_string(root().join("Cargo.lock")).map_err(|why| format!("Cargo.lock: {why}"))?;
    let checksums = checksums(&lock);
    let mut command = MetadataCommand::new();
    command.manifest_path(root().join("Cargo.toml")).other_options(["--locked".to_string()]);
    let metadata = command.exec().map_err(|why| why.to_string())?;
    let known: BTreeMap<Id, Package> = metadata
        .packages
        .into_iter()
        .map(|package| ((package.name.to_string(), package.version.to_string()), package))
        .collect();
    let linked = graph()?.into_iter().map(|(id, on)| {
        let package = known.get(&id).ok_or_else(|| format!("cargo's metadata has no {} {}", id.0, id.1))?;
        let checksum = checksums.get(&id).cloned();
        Ok((id, Linked { package: package.clone(), on, checksum }))
    });
    linked.collect()
}

/// The trees of all programs on all machines, in one.
fn graph() -> Result<Graph, String> {
    let mut graph = Graph::new();
    for platform in &PLATFORMS {
        add(&mut graph, &tree(&PACKAGES, platform.triple)?)?;
        add(&mut graph, &tree(&[MODULE], platform.wheel)?)?;
    }
    Ok(graph)
}

/// A tree as cargo prints it, with the depth before each name.
fn tree(packages: &[&str], triple: &str) -> Result<String, String> {
    let asked =
        ["tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "depth", "--format", " {p}"];
    capture(cargo(&asked).args(["--target", triple]).args(crate::builds::selected(packages)))
}

/// Adds what a tree shows. Behind a name that was shown before, cargo leaves out what is below.
fn add(graph: &mut Graph, tree: &str) -> Result<(), String> {
    let mut above: Vec<Id> = Vec::new();
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let (depth, id) = entry(line).ok_or_else(|| format!("cargo tree wrote: {line}"))?;
        above.truncate(depth);
        if let Some(user) = above.last() {
            graph.entry(user.clone()).or_default().insert(id.clone());
        }
        graph.entry(id.clone()).or_default();
        above.push(id);
    }
    Ok(())
}

/// The depth, the name and the version of a line such as `2 zeroize v1.9.1 (*)`.
fn entry(line: &str) -> Option<(usize, Id)> {
    let mut words = line.split(' ');
    let (depth, name, version) = (words.next()?, words.next()?, words.next()?);
    Some((depth.parse().ok()?, (name.to_string(), version.strip_prefix('v')?.to_string())))
}

/// The checksums of a lock file.
fn checksums(lock: &str) -> BTreeMap<Id, String> {
    let checksum = |package: &str| {
        let field = |name: &str| {
            let value = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
            value.map(|value| value.trim_matches('"').to_string())
        };
        Some(((field("name")?, field("version")?), field("checksum")?))
    };
    lock.split("[[package]]").filter_map(checksum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str =
        "0 a v1.0.0 (/here)\n1 b v2.0.0\n2 c v3.0.0\n1 c v3.0.0\n\n0 d v4.0.0\n1 b v2.0.0 (*)\n";

    fn id(name: &str, version: &str) -> Id {
        (name.to_string(), version.to_string())
    }

    /// Protects: each package has those directly below it, whatever follows at which depth.
    #[test]
    fn trees() {
        let mut graph = Graph::new();
        add(&mut graph, TREE).unwrap();
        let on = |name: &str, version: &str| graph[&id(name, version)].iter().map(|it| &it.0[..]).collect();
        let (a, b, c, d): (Vec<_>, Vec<_>, Vec<_>, Vec<_>) =
            (on("a", "1.0.0"), on("b", "2.0.0"), on("c", "3.0.0"), on("d", "4.0.0"));
        assert_eq!((a, b, c, d), (vec!["b", "c"], vec!["c"], vec![], vec!["b"]));
        assert!(add(&mut graph, "what is this").is_err());
    }

    /// Protects: a package of the registry has its archive's digest, and one of ours none.
    #[test]
    fn digests_of_archives() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n\n\
                    [[package]]\nname = \"b\"\nversion = \"2.0.0\"\nchecksum = \"12ab\"\n";
        assert_eq!(checksums(lock), BTreeMap::from([(id("b", "2.0.0"), "12ab".to_string())]));
    }
}
