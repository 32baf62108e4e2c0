//! `cargo xtask bench`: builds and runs the benchmarks.

use crate::shell;
use crate::suite::Verdict;

/// Forwards the arguments; `--peers` builds the peers' crates in as well.
pub(crate) fn run(args: &[&str]) -> Verdict {
    let peers = args.contains(&"--peers");
    let features = if peers { "tool,peers" } else { "tool" };
    let rest = args.iter().filter(|arg| **arg != "--peers");
    shell::run(
        shell::cargo(&["run", "--release", "-p", "ringsmith-bench", "--features", features, "--"]).args(rest),
    )
}
