//! `cargo xtask release-check`: what is looked at before a release, by tools that CI does not install.
//!
//! `cargo deny`, `cargo hack` and `cargo semver-checks` take minutes to build, and the list of advisories is
//! fetched. So it is no suite. With `--offline` cargo asks no network, and advisories are left out; what else
//! is needed then must be there: the crates of the lock file, and the targets of [`TARGETS`].

use super::packages::{self, is_published, members};
use crate::book::dead_elsewhere;
use crate::builds::{LIBRARY, selected};
use crate::needs::NIGHTLY;
use crate::shell::{capture, cargo, cargo_of, program, root, run, target_dir};
use crate::suite::Verdict;
use cargo_metadata::Package;
use serde_json::Value;
use std::fs;
use std::path::Path;
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

/// The texts of the licences, of which each package has a copy: links in the crates' folders name them.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// A check, by its name.
type Step = (&'static str, fn(&Options) -> Verdict);

/// What was asked for.
struct Options {
    offline: bool,
    /// The commit that interfaces are compared with.
    since: Option<String>,
}

impl Options {
    /// Runs a command, which asks no network where none is wanted.
    fn run(&self, command: &mut Command) -> Verdict {
        run(command.envs(self.offline.then_some(("CARGO_NET_OFFLINE", "true"))))
    }
}

const STEPS: [Step; 7] = [
    ("manifests", manifests),
    ("dependencies", dependencies),
    ("packages", |options| options.run(&mut packages::package(&[])?)),
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
            other => {
                return Err(format!("release-check has no `{other}`; its steps are {}", steps().join(", ")));
            }
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

/// The names of all steps.
fn steps() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.0).collect()
}

/// A tool, or how to get it.
fn tool(name: &str) -> Result<Command, String> {
    match program(name) {
        Some(_) => Ok(Command::new(name)),
        None => Err(format!("{name} is missing: cargo install --locked {name}")),
    }
}

/// What the registry asks of a manifest, and what a reader of docs.rs misses otherwise; licences in packages.
fn manifests(options: &Options) -> Verdict {
    let members = members()?;
    let mut lacking = Vec::new();
    for package in members.iter().filter(|package| is_published(package)) {
        lacking.extend(lacks(package));
        lacking.extend(lacks_page(package)?);
        lacking.extend(lacks_licences(package, &packed(options, package)?)?);
    }
    match lacking.as_slice() {
        [] => Ok(()),
        lacking => Err(lacking.join("; ")),
    }
}

/// What a manifest lacks.
fn lacks(package: &Package) -> Option<String> {
    let keyword =
        |word: &String| word.len() <= 20 && word.starts_with(|first: char| first.is_ascii_alphanumeric());
    let has = [
        ("a description", package.description.is_some()),
        ("a licence", package.license.is_some()),
        ("a repository", package.repository.is_some()),
        ("one to five keywords of at most 20 letters", (1..=5).contains(&package.keywords.len())),
        ("keywords that the registry takes", package.keywords.iter().all(keyword)),
        ("one to five categories", (1..=5).contains(&package.categories.len())),
        ("features for docs.rs", package.features.is_empty() || of_docs_rs(package).is_some()),
    ];
    let lacking: Vec<_> = has.into_iter().filter(|(_, has)| !has).map(|(what, _)| what).collect();
    (!lacking.is_empty()).then(|| format!("{} lacks {}", package.name, lacking.join(", ")))
}

/// What is wrong with the page that a registry shows of a package: it has the package alone, so a link to a
/// file leads nowhere there.
fn lacks_page(package: &Package) -> Result<Option<String>, String> {
    let Some(page) = package.readme() else { return Ok(None) };
    let text = fs::read_to_string(&page).map_err(|why| format!("{page}: {why}"))?;
    let dead = dead_elsewhere(&text);
    let says = || format!("the page of {} links to files: {}", package.name, dead.join(", "));
    Ok((!dead.is_empty()).then(says))
}

/// The files of a package, as cargo packs it.
fn packed(options: &Options, package: &Package) -> Result<String, String> {
    let mut list = cargo(&["package", "--list", "--allow-dirty", "-p", package.name.as_str()]);
    capture(list.envs(options.offline.then_some(("CARGO_NET_OFFLINE", "true"))))
}

/// Which licences are not among the files of a package, or are not the project's.
fn lacks_licences(package: &Package, packed: &str) -> Result<Option<String>, String> {
    let read = |path: &Path| fs::read(path).map_err(|why| format!("{}: {why}", path.display()));
    let folder = package.manifest_path.parent().ok_or("a manifest is in no folder")?;
    let mut lacking = Vec::new();
    for name in LICENCES {
        let is_packed = packed.lines().any(|file| file == name);
        if !is_packed || read(folder.join(name).as_std_path())? != read(&root().join(name))? {
            lacking.push(name);
        }
    }
    let says = || format!("the package of {} lacks {}", package.name, lacking.join(", "));
    Ok((!lacking.is_empty()).then(says))
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
fn features(options: &Options) -> Verdict {
    let mut hack = tool("cargo-hack")?;
    hack.args(["hack", "check", "--feature-powerset", "--depth", "2", "--no-dev-deps"])
        .args(selected(LIBRARY));
    options.run(hack.env("CARGO_TARGET_DIR", target_dir().join("lint")))
}

/// What of the interfaces is no more as it was. From 1.0 on that is a fault; of versions before, and of
/// candidates, it is a list.
fn interfaces(options: &Options) -> Verdict {
    let Some(commit) = &options.since else {
        println!("NOT compared: --since COMMIT says with what");
        return Ok(());
    };
    let then = version_at(commit)?;
    let mut broken = Vec::new();
    for package in members()?.iter().filter(|package| LIBRARY.contains(&package.name.as_str())) {
        if !existed(package, commit) {
            println!("{}: new", package.name);
            continue;
        }
        // As if nothing might break, so that what does is listed.
        let mut semver = tool("cargo-semver-checks")?;
        semver.args(["semver-checks", "--baseline-rev", commit, "--release-type", "minor"]);
        if let Err(why) = options.run(semver.args(["-p", package.name.as_str()])) {
            println!("{why}");
            broken.push(package.name.to_string());
        }
    }
    match binding(&then, env!("CARGO_PKG_VERSION")) && !broken.is_empty() {
        true => Err(format!("not as in {then}: {}", broken.join(", "))),
        false => Ok(()),
    }
}

/// Whether a version promised what another one must still have.
fn binding(then: &str, now: &str) -> bool {
    let major = |version: &str| version.split('.').next().unwrap_or_default().to_string();
    !then.contains('-') && major(then) != "0" && major(then) == major(now)
}

/// The version of the project at a commit.
fn version_at(commit: &str) -> Result<String, String> {
    let manifest =
        capture(Command::new("git").args(["show", &format!("{commit}:Cargo.toml")]).current_dir(root()))?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = "));
    Ok(version.ok_or("the commit has no version")?.trim_matches('"').to_string())
}

/// Whether a package was there at a commit.
fn existed(package: &Package, commit: &str) -> bool {
    let manifest = package.manifest_path.strip_prefix(root()).unwrap_or(&package.manifest_path);
    capture(Command::new("git").args(["cat-file", "-e", &format!("{commit}:{manifest}")]).current_dir(root()))
        .is_ok()
}

/// The documentation of every library as docs.rs builds it: with the features that a manifest names for that.
fn documentation(options: &Options) -> Verdict {
    let is_library = |package: &Package| package.targets.iter().any(|target| target.is_lib());
    for package in members()?.iter().filter(|package| is_published(package) && is_library(package)) {
        let mut doc = cargo_of(NIGHTLY, &["doc", "--no-deps", "--lib", "-p", package.name.as_str()]);
        doc.args(of_docs_rs(package).map(|features| format!("--features={features}")));
        doc.env("RUSTDOCFLAGS", "--cfg docsrs -Dwarnings")
            .env("CARGO_TARGET_DIR", target_dir().join("docs.rs"));
        options.run(&mut doc)?;
    }
    Ok(())
}

/// The features that a manifest names for docs.rs.
fn of_docs_rs(package: &Package) -> Option<String> {
    let features = package.metadata["docs"]["rs"]["features"].as_array()?;
    Some(features.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","))
}

/// The library with its default features, for other machines.
fn targets(options: &Options) -> Verdict {
    for target in TARGETS {
        let mut check = cargo(&["check", "-p", "ringsmith", "--target", target]);
        options
            .run(check.env("CARGO_TARGET_DIR", target_dir().join("lint")))
            .map_err(|why| format!("{why} (rustup target add {target})"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the features are those of the manifest, and a manifest that lacks something is seen.
    #[test]
    fn what_manifests_have() {
        let members = members().unwrap();
        let mut package = members.into_iter().find(|it| it.name.as_str() == "ringsmith-hash").unwrap();
        assert_eq!(of_docs_rs(&package).as_deref(), Some("sha512"));
        assert_eq!(lacks(&package), None);
        (package.description, package.metadata) = (None, Value::Null);
        package.keywords.push("a-word-of-more-than-20-letters".into());
        let lacking = lacks(&package).unwrap();
        let all = ["a description", "one to five keywords", "keywords that the registry takes", "docs.rs"];
        assert!(all.iter().all(|what| lacking.contains(what)), "{lacking}");
    }

    /// Protects: no page of a published package links to a file, and the repository's first page, which does,
    /// is seen.
    #[test]
    fn pages_of_registries() {
        let members = members().unwrap();
        let mut pages = 0;
        for package in members.iter().filter(|package| is_published(package)) {
            assert_eq!(lacks_page(package).unwrap(), None);
            pages += package.readme.is_some() as usize;
        }
        assert!(pages >= 3, "{pages} packages have a page");
        let mut package = members.into_iter().find(|it| it.name.as_str() == "ringsmith-cli").unwrap();
        package.readme = Some("../../README.md".into());
        assert!(lacks_page(&package).unwrap().is_some_and(|says| says.contains("docs/files.md")));
    }

    /// Protects: a package has both licences, and one that lost one is seen.
    #[test]
    fn what_packages_have() {
        let members = members().unwrap();
        let package = members.iter().find(|it| it.name.as_str() == "ringsmith-capi").unwrap();
        let packed = packed(&Options { offline: true, since: None }, package).unwrap();
        assert_eq!(lacks_licences(package, &packed).unwrap(), None);
        let without: String =
            packed.lines().filter(|it| *it != "LICENSE-MIT").map(|it| format!("{it}\n")).collect();
        let says = lacks_licences(package, &without).unwrap();
        assert_eq!(says.as_deref(), Some("the package of ringsmith-capi lacks LICENSE-MIT"));
    }

    /// Protects: from 1.0 on a break is a fault, until the first number changes.
    #[test]
    fn promises() {
        assert!(binding("1.0.0", "1.1.0"));
        assert!(!binding("0.2.0", "1.0.0") && !binding("1.0.0-rc.1", "1.0.0") && !binding("1.4.0", "2.0.0"));
    }
}
