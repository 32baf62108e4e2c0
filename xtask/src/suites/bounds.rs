//! Plans with one reduction left out must not compile: the proof of the bounds is a proof only if it can fail.
//!
//! The test kit lists the cases (name and constant expression). Each becomes a program of a throw-away package; one
//! `cargo check` must fail for every one of them with an overflow in a constant, and succeed for `control`.

use super::harness::cargo_here;
use crate::shell;
use crate::suite::{Options, Verdict};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const CONTROL: &str = "control";

/// Names and expressions, from the test kit: some of each plan, or all.
fn cases(options: &Options) -> Result<Vec<(String, String)>, String> {
    let mut list = cargo_here("run");
    list.args(["--quiet", "-p", "ringsmith-testkit", "--bin", "bound-cases"]);
    list.args(if options.exhaustive { &["--", "--all"][..] } else { &[] });
    let text = shell::capture(&mut list)?;
    let split = |line: &str| line.split_once('\t').map(|(name, code)| (name.to_string(), code.to_string()));
    text.lines().map(|line| split(line).ok_or(format!("bound-cases wrote `{line}`"))).collect()
}

/// Writes the package.
fn write(dir: &Path, cases: &[(String, String)]) -> std::io::Result<()> {
    let _ = fs::remove_dir_all(dir.join("src"));
    fs::create_dir_all(dir.join("src/bin"))?;
    let ring = shell::root().join("crates/ring");
    let manifest = format!(
        "[package]\nname = \"bound-cases\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nringsmith-ring = {{ path = {ring:?} }}\n"
    );
    fs::write(dir.join("Cargo.toml"), manifest)?;
    fs::copy(shell::root().join("Cargo.lock"), dir.join("Cargo.lock"))?;
    for (name, expression) in cases {
        let allow = "#![allow(long_running_const_eval)]";
        let program = format!("{allow}\nconst _: () = {expression};\nfn main() {{}}\n");
        fs::write(dir.join("src/bin").join(format!("{name}.rs")), program)?;
    }
    Ok(())
}

/// The names of the programs that failed as they must: a constant that overflows (E0080).
fn overflowed(messages: &str) -> BTreeSet<String> {
    let of = |line: &str| {
        let target = line.split_once("\"target\":{")?.1.split_once("\"name\":\"")?.1;
        let overflow = line.contains("\"code\":\"E0080\"") && line.contains("overflow");
        overflow.then(|| target.split('"').next().unwrap_or_default().to_string())
    };
    messages.lines().filter_map(of).collect()
}

/// The names of the programs that compile.
fn compiled(messages: &str) -> BTreeSet<String> {
    let of = |line: &str| {
        let artifact =
            line.starts_with("{\"reason\":\"compiler-artifact\"") && line.contains("\"kind\":[\"bin\"]");
        let target = line.split_once("\"target\":{")?.1.split_once("\"name\":\"")?.1;
        artifact.then(|| target.split('"').next().unwrap_or_default().to_string())
    };
    messages.lines().filter_map(of).collect()
}

/// The suite.
pub(crate) fn run(options: &Options) -> Verdict {
    let cases = cases(options)?;
    if cases.len() < 2 || cases.iter().all(|(name, _)| name != CONTROL) {
        return Err("the test kit lists no plans with a reduction left out, or no control".to_string());
    }
    let dir: PathBuf = shell::target_dir().join("bounds");
    write(&dir, &cases).map_err(|error| format!("{}: {error}", dir.display()))?;
    let mut check = shell::cargo(&["check", "--keep-going", "--message-format=json", "--bins"]);
    let finished = shell::finish(check.current_dir(&dir).env("CARGO_TARGET_DIR", dir.join("target")))?;
    let (overflowed, compiled) = (overflowed(&finished.stdout), compiled(&finished.stdout));
    let mut bad = 0;
    for (name, _) in &cases {
        let fine = if name == CONTROL { compiled.contains(name) } else { overflowed.contains(name) };
        if !fine {
            let how = if compiled.contains(name) {
                "compiles"
            } else {
                "fails, but not by an overflow in a constant"
            };
            println!("{name}: {how}");
            bad += 1;
        }
    }
    println!(
        "{} plans with a reduction left out, and the whole ones; {bad} not as they must be",
        cases.len() - 1
    );
    if bad == 0 { Ok(()) } else { Err(format!("{bad} plans; cargo said:\n{}", finished.stderr)) }
}
