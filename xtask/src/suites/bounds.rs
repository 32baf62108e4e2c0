//! Plans with one reduction left out must not compile: the proof of the bounds is a proof only if it can
//! fail.
//!
//! The test kit lists the cases (name and constant expression). They are the constants of a program of a
//! throw-away package: its check must report an overflow for each. A second program, `control`, must compile.

use super::harness::Programs;
use crate::builds::Build;
use crate::cost::compiling;
use crate::shell;
use crate::suite::{Options, Verdict};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const CONTROL: &str = "control";

/// Names and expressions, from the test kit: some of each plan, or all.
fn cases(options: &Options) -> Result<Vec<(String, String)>, String> {
    let mut list = Command::new(Programs::of(Build::Checked)?.path("bound-cases"));
    list.args(options.exhaustive.then_some("--all"));
    let text = shell::capture(&mut list)?;
    let split = |line: &str| line.split_once('\t').map(|(name, code)| (name.to_string(), code.to_string()));
    text.lines().map(|line| split(line).ok_or(format!("bound-cases wrote `{line}`"))).collect()
}

/// Writes the package: a constant for each case.
fn write(dir: &Path, cases: &[(String, String)]) -> std::io::Result<()> {
    let _ = fs::remove_dir_all(dir.join("src"));
    fs::create_dir_all(dir.join("src/bin"))?;
    let ring = shell::root().join("crates/ring");
    let manifest = format!(
        "[package]\nname = \"bound-cases\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nringsmith-ring = {{ path = {ring:?} }}\n"
    );
    fs::write(dir.join("Cargo.toml"), manifest)?;
    fs::copy(shell::root().join("Cargo.lock"), dir.join("Cargo.lock"))?;
    let program = |control: bool| {
        let chosen = cases.iter().filter(|(name, _)| (name == CONTROL) == control);
        let lines = chosen.map(|(_, expression)| format!("const _: () = {expression};\n"));
        "#![allow(long_running_const_eval)] ".to_string() + &lines.collect::<String>() + "fn main() {}\n"
    };
    fs::write(dir.join("src/bin/control.rs"), program(true))?;
    fs::write(dir.join("src/bin/overflows.rs"), program(false))
}

/// Whether the compiler reports that this constant overflows (E0080).
fn overflows(messages: &str, expression: &str) -> bool {
    let failed = format!("evaluation of `{expression}` failed");
    let of =
        |message: &str| message.contains("\"code\":\"E0080\"") && message.contains("panicked: overflow:");
    messages.lines().any(|message| of(message) && message.contains(&failed))
}

/// The suite.
pub(crate) fn run(options: &Options) -> Verdict {
    let cases = cases(options)?;
    if cases.len() < 2 || cases.iter().all(|(name, _)| name != CONTROL) {
        return Err("the test kit lists no plans with a reduction left out, or no control".to_string());
    }
    let dir: PathBuf = shell::target_dir().join("bounds");
    write(&dir, &cases).map_err(|error| format!("{}: {error}", dir.display()))?;
    let check = |program: &str| {
        let mut check = shell::cargo(&["check", "--message-format=json", "--bin", program]);
        compiling(|| shell::finish(check.current_dir(&dir).env("CARGO_TARGET_DIR", dir.join("target"))))
    };
    let control = check(CONTROL)?;
    if control.code != Some(0) {
        return Err(format!("the whole plans do not compile; cargo said:\n{}", control.stderr));
    }
    let failed = check("overflows")?;
    let missed =
        |(name, expression): &&(String, String)| name != CONTROL && !overflows(&failed.stdout, expression);
    let missed: Vec<_> = cases.iter().filter(missed).collect();
    missed.iter().for_each(|(name, _)| println!("{name}: no overflow is reported"));
    println!(
        "{} plans with a reduction left out, {} missed; the whole ones compile",
        cases.len() - 1,
        missed.len()
    );
    if missed.is_empty() {
        Ok(())
    } else {
        Err(format!("{} plans; cargo said:\n{}", missed.len(), failed.stderr))
    }
}
