//! `cargo xtask kat SCHEME`: the response file of NIST's known-answer tests, on standard output.

use crate::shell;
use crate::suite::Verdict;

/// Forwards the arguments.
pub(crate) fn run(args: &[&str]) -> Verdict {
    shell::run(
        shell::cargo(&["run", "--quiet", "--release", "-p", "ringsmith-testkit", "--bin", "kat", "--"])
            .args(args),
    )
}
