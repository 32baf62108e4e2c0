//! `cargo xtask bench`: builds and runs the benchmarks.

use crate::builds::Build;
use crate::shell;
use crate::suite::Verdict;

/// The peers of the suite that the pattern of `--only` begins with, as in `^ring/`, or of a paper's table;
/// else all.
fn peers(args: &[&str]) -> &'static str {
    let after = |name: &str| {
        let mut after = args.iter().skip_while(|arg| **arg != name).skip(1);
        let joined = || args.iter().find_map(|arg| arg.strip_prefix(name)?.strip_prefix('='));
        after.next().copied().or_else(joined)
    };
    let suite = || after("--only")?.strip_prefix('^')?.split_once('/');
    match (after("--table"), suite()) {
        (Some("ml-dsa"), _) => "signature",
        (Some(_), _) => "pqclean",
        (_, Some(("ring", _))) => "ring",
        (_, Some(("kem" | "hash", _))) => "kem",
        (_, Some(("signature", _))) => "signature",
        _ => "all",
    }
}

/// What asks for peers: those that can be measured, or with one more behind it that is in none of their
/// features, as in `--peers=mldsa-native`.
fn asked(arg: &str) -> Option<Option<&str>> {
    let more = arg.strip_prefix("--peers")?;
    if more.is_empty() { Some(None) } else { more.strip_prefix('=').map(Some) }
}

/// The drivers of GPUs, where their columns are asked for.
fn drivers(args: &[&str]) -> Option<&'static str> {
    let is_asked = args.iter().any(|arg| *arg == "--gpu" || arg.starts_with("--gpu="));
    is_asked.then_some("ringsmith-bench/cuda")
}

/// Forwards the arguments to the program of the benchmarks, with kernels in plain Rust; `--peers` takes the
/// one with the peers, `--gpu` the drivers of GPUs.
pub(crate) fn run(args: &[&str]) -> Verdict {
    let mut run = shell::cargo(&["run", "--release"]);
    if let Some(drivers) = drivers(args) {
        run.args(["--features", drivers]);
    }
    match args.iter().find_map(|arg| asked(arg)) {
        Some(more) => {
            let features = more.map_or(peers(args).into(), |more| format!("{},{more}", peers(args)));
            run.args(["-p", "ringsmith-peers", "--features", &features]);
        }
        None => _ = run.args(["-p", "ringsmith-bench"]),
    }
    run.arg("--");
    Build::Checked.environment(&mut run);
    // A folder of its own: the flag has everything compiled again.
    run.env("RUSTFLAGS", Build::with_plain_rust()).env("CARGO_TARGET_DIR", shell::target_dir().join("plain"));
    // Nothing but what the program writes is written: tables go into files.
    match run.args(args.iter().filter(|arg| asked(arg).is_none())).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the benchmarks: {status}")),
        Err(error) => Err(format!("cargo: {error}")),
    }
}
