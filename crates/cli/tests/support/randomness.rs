//! A system whose randomness fails, at any call and in any way.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Errors that a system gives, and 0 for no error and no bytes: EIO, EAGAIN.
const ERRORS: [u32; 3] = [0, 5, 11];
/// A system that has no such call; randomness comes from a file then.
const ENOSYS: u32 = 38;
/// More calls than any command makes.
const CALLS: u32 = 1000;

/// Makes the library that is preloaded.
fn library(dir: &Path) -> PathBuf {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/tests/support/no_randomness.c");
    let library = dir.join("no_randomness.so");
    let compiler = std::env::var("CC").unwrap_or("cc".into());
    let mut make = Command::new(compiler);
    make.args(["-shared", "-fPIC", "-o"]).arg(&library).args([source, "-ldl"]);
    assert!(make.status().unwrap().success(), "no C compiler");
    library
}

/// Has `fails` run a command whose randomness fails, at the first call and at each later one, in every way:
/// it says whether the command failed, and checks how. The command must succeed in the end, when it no
/// longer draws so often, and at once where the system has no such call.
pub(crate) fn at_every_call(dir: &Path, mut fails: impl FnMut(&[(&str, String)]) -> bool) {
    let library = library(dir).display().to_string();
    let mut try_one = |at: u32, with: u32| {
        let (at, with) = (at.to_string(), with.to_string());
        fails(&[("LD_PRELOAD", library.clone()), ("FAIL_AT", at), ("FAIL_WITH", with)])
    };
    for error in ERRORS {
        let failed = (1..CALLS).take_while(|at| try_one(*at, error)).count();
        assert!(failed > 0, "a command that draws nothing");
    }
    assert!(!try_one(1, ENOSYS), "no fallback");
    std::fs::remove_file(library).unwrap();
}

/// Has `fails` run a command whose randomness fails at each of the first calls, in every way. The command
/// must not succeed.
#[allow(dead_code, reason = "not every test has commands that take long")]
pub(crate) fn at_first_calls(dir: &Path, calls: u32, mut fails: impl FnMut(&[(&str, String)])) {
    let library = library(dir).display().to_string();
    for (at, with) in (1..=calls).flat_map(|at| ERRORS.map(|error| (at, error))) {
        let (at, with) = (at.to_string(), with.to_string());
        fails(&[("LD_PRELOAD", library.clone()), ("FAIL_AT", at), ("FAIL_WITH", with)]);
    }
    std::fs::remove_file(library).unwrap();
}
