//! `cargo xtask release-check`: what is looked at before a release, by tools that CI does not install.
//!
//! `cargo deny` takes minutes to build, and its list of advisories is fetched. So it is no suite.

use crate::shell::{program, run};
use crate::suite::Verdict;
use std::process::Command;

/// What is checked of the dependencies without a network.
const HERE: [&str; 3] = ["licenses", "bans", "sources"];

/// Licences, duplicates and sources of all dependencies; advisories too, unless `--offline` says that there
/// is no network.
///
/// # Errors
/// Where the tool is missing, or complains.
pub(crate) fn check(args: &[&str]) -> Verdict {
    let offline = match args {
        [] => false,
        ["--offline"] => true,
        _ => return Err("release-check takes --offline or nothing".into()),
    };
    if program("cargo-deny").is_none() {
        return Err("cargo-deny is missing: cargo install --locked cargo-deny".into());
    }
    let deny = |what: &[&str]| {
        let mut deny = Command::new("cargo-deny");
        deny.arg("--workspace").args(offline.then_some("--offline")).arg("check").args(what);
        run(&mut deny)
    };
    deny(&HERE)?;
    if offline {
        println!("advisories: NOT checked, there is no network");
        return Ok(());
    }
    deny(&["advisories"])
}
