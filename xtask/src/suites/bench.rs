//! `cargo xtask bench`: builds and runs the benchmarks.

use crate::builds::Build;
use crate::shell;
use crate::suite::Verdict;

/// The feature with the peers of the suite that the pattern of `--only` begins with, as in `^ring/`; else
/// with all.
fn peers(args: &[&str]) -> &'static str {
    let mut after = args.iter().skip_while(|arg| **arg != "--only").skip(1);
    let only = after.next().copied().or_else(|| args.iter().find_map(|arg| arg.strip_prefix("--only=")));
    match only.and_then(|only| only.strip_prefix('^')?.split_once('/')) {
        Some(("ring", _)) => "tool,peers-ring",
        Some(("kem" | "hash", _)) => "tool,peers-kem",
        _ => "tool,peers",
    }
}

/// Forwards the arguments; `--peers` builds the peers' crates in as well, those that can be measured. With
/// `--table`, it is the command `ringsmith bench` that runs, with kernels in plain Rust for the tables'
/// portable column, and with the peers that tables need.
pub(crate) fn run(args: &[&str]) -> Verdict {
    let with_peers = args.contains(&"--peers");
    let is_table = |arg: &&str| *arg == "--table" || arg.starts_with("--table=");
    let (package, features, first) = match args.iter().any(is_table) {
        true => ("ringsmith-cli", if with_peers { "peers-ntru-prime" } else { "default" }, &["bench"][..]),
        false => ("ringsmith-bench", if with_peers { peers(args) } else { "tool" }, &[][..]),
    };
    let mut run = shell::cargo(&["run", "--release", "-p", package, "--features", features, "--"]);
    Build::Checked.environment(&mut run);
    // Nothing but what the program writes is written: tables go into files.
    match run.args(first).args(args.iter().filter(|arg| **arg != "--peers")).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the benchmarks: {status}")),
        Err(error) => Err(format!("cargo: {error}")),
    }
}
