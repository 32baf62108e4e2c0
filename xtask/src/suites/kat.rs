//! `cargo xtask kat SCHEME`: the response file of NIST's known-answer tests, and nothing else, on standard
//! output.

use crate::shell;

/// Forwards the arguments.
pub(crate) fn run(args: &[&str]) -> Result<bool, String> {
    shell::forward("kat", args)
}
