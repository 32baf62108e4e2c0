//! `cargo xtask bench`: builds and runs the benchmarks.

use crate::shell;
use crate::suite::Verdict;

/// The feature with the peers of the suite that the pattern of `--only` begins with, as in `^ring/`; else with all.
fn peers(args: &[&str]) -> &'static str {
    let mut after = args.iter().skip_while(|arg| **arg != "--only").skip(1);
    let only = after.next().copied().or_else(|| args.iter().find_map(|arg| arg.strip_prefix("--only=")));
    match only.and_then(|only| only.strip_prefix('^')?.split_once('/')) {
        Some(("ring", _)) => "tool,peers-ring",
        Some(("kem" | "hash", _)) => "tool,peers-kem",
        _ => "tool,peers",
    }
}

/// Forwards the arguments; `--peers` builds the peers' crates in as well, those that can be measured.
pub(crate) fn run(args: &[&str]) -> Verdict {
    let features = if args.contains(&"--peers") { peers(args) } else { "tool" };
    let rest = args.iter().filter(|arg| **arg != "--peers");
    shell::run(
        shell::cargo(&["run", "--release", "-p", "ringsmith-bench", "--features", features, "--"]).args(rest),
    )
}
