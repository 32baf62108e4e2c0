//! Constant time on machines that are emulated, NEON and 32-bit x86: every instruction and every address is
//! the same for every secret.
//!
//! A QEMU plugin hashes them between the marks of the test kit; the hashes of many secrets are compared. It
//! counts instructions as well, for the suite `instructions`.

use super::constant_time::kinds;
use super::harness::Programs;
use crate::builds::Build;
use crate::shell;
use crate::suite::{Options, Verdict};
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// How many secrets are compared.
pub(super) const SECRETS: usize = 32;
/// The same of NEON where nobody asks for more: emulation is slow.
const SOME: usize = 16;
/// The same of 32-bit x86, which is slower.
const FEW: usize = 5;
/// The same where the CPU itself runs step by step: a step takes microseconds, and each secret is unlike the
/// first.
pub(super) const STEPPED: usize = 8;

/// As many as that, or as all there are.
pub(super) fn secrets(options: &Options, least: usize) -> usize {
    if options.exhaustive { SECRETS } else { least }
}

/// An instruction that moves a byte counts once for each: x86's libc is told to move vectors, whatever the
/// length.
pub(crate) const NO_REPEATED_MOVES: &str =
    "glibc.cpu.x86_rep_movsb_threshold=0x40000000:glibc.cpu.x86_rep_stosb_threshold=0x40000000";

/// What the plugin saw between two marks.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Region {
    /// How many instructions ran.
    pub(crate) instructions: u64,
    /// The hash of their addresses and of the addresses of memory that they used.
    pub(crate) hash: String,
}

/// The plugin; compiled once. Suites of several builds run beside each other, so files are named by the
/// build.
fn plugin(programs: &Programs) -> Result<PathBuf, String> {
    static PLUGIN: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let compile = || {
        let folder = shell::target_dir().join("harness");
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let library = folder.join(format!("libtrace_hash-{}.so", programs.build()));
        let source = shell::root().join("crates/testkit/qemu-plugin/trace_hash.c");
        let args = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"];
        shell::run(Command::new("cc").args(args).arg(&library).arg(source))?;
        Ok(library)
    };
    PLUGIN.get_or_init(compile).clone()
}

/// Where the marks of the test kit are in `ct`: where observation begins, and where it ends.
///
/// # Errors
/// Where the program has none.
pub(super) fn marks(programs: &Programs) -> Result<[u64; 2], String> {
    let mark = |name: &str| programs.address("ct", &format!("ringsmith_testkit::observe::{name}"));
    Ok([mark("begin")?, mark("end")?])
}

/// Runs `ct` with these arguments and returns what was seen between each pair of marks, in order.
///
/// # Errors
/// Where the emulator or the program fails.
pub(crate) fn regions(programs: &Programs, args: &[&str]) -> Result<Vec<Region>, String> {
    let [begin, end] = marks(programs)?;
    let out = shell::target_dir().join(format!("harness/trace-{}.txt", programs.build()));
    let options = format!(",begin={begin:#x},end={end:#x},out={}", out.display());
    let mut command = Command::new("setarch");
    command.env_clear().args(["-R", programs.emulator(), "-cpu", "max", "-seed", "1", "-plugin"]);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("GLIBC_TUNABLES", NO_REPEATED_MOVES);
    command.arg(format!("{}{options}", plugin(programs)?.display())).arg(programs.path("ct")).args(args);
    shell::capture(&mut command)?;
    let text = std::fs::read_to_string(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let parse = |line: &str| {
        let (instructions, hash) = line.split_once(' ')?;
        Some(Region { instructions: instructions.parse().ok()?, hash: hash.to_string() })
    };
    text.lines().map(|line| parse(line).ok_or(format!("the plugin wrote `{line}`"))).collect()
}

/// The names of the cases.
///
/// # Errors
/// Where the program fails.
pub(crate) fn names(programs: &Programs, args: &[&str]) -> Result<Vec<String>, String> {
    let mut command = Command::new(programs.emulator());
    command.args(["-cpu", "max"]).arg(programs.path("ct"));
    listed(command.args(args))
}

/// The names that a command with the program lists.
///
/// # Errors
/// Where it fails.
pub(super) fn listed(command: &mut Command) -> Result<Vec<String>, String> {
    Ok(shell::capture(command.arg("--list"))?.lines().map(str::to_string).collect())
}

/// A case with the number of different traces among its secrets.
pub(super) type Compared = (String, usize);

/// Compares the traces of each case, of which there are as many as secrets.
///
/// # Errors
/// Where there are more or fewer.
pub(super) fn compare(
    names: Vec<String>,
    regions: &[Region],
    secrets: usize,
) -> Result<Vec<Compared>, String> {
    if names.is_empty() || regions.len() != secrets * names.len() {
        return Err(format!("{} cases, {} traces", names.len(), regions.len()));
    }
    let different = |regions: &[Region]| regions.iter().collect::<HashSet<_>>().len();
    Ok(names.into_iter().zip(regions.chunks(secrets).map(different)).collect())
}

/// Every leaky sample is caught.
///
/// # Errors
/// Where one is not.
pub(super) fn caught(samples: &[Compared], secrets: usize) -> Verdict {
    for (name, different) in samples {
        println!("leaky sample {name}: {different} different traces of {secrets}");
        if *different == 1 {
            return Err(format!("the trace does not show the leaky sample {name}"));
        }
    }
    Ok(())
}

/// No case leaks.
///
/// # Errors
/// Where one does.
pub(super) fn clean(traces: &[Compared], secrets: usize) -> Verdict {
    let leaky: Vec<_> = traces.iter().filter(|(_, different)| *different != 1).collect();
    println!("{} operations, {secrets} secrets each, {} leak", traces.len(), leaky.len());
    leaky.iter().for_each(|(name, different)| println!("  leaks: {name} ({different} different traces)"));
    match leaky.first() {
        None => Ok(()),
        Some((name, _)) => Err(format!("{} operations leak, the first of them {name}", leaky.len())),
    }
}

/// The traces of which those of a second run differ, too. Both runs have the same secrets, addresses and
/// instructions, so what a secret changes, it changes in both; anything else is the emulator's.
fn repeated(first: Vec<Compared>, second: &[Compared]) -> Vec<Compared> {
    let pairs = first.into_iter().zip(second);
    let kept = |((name, different), (_, again)): (Compared, &Compared)| {
        if different != 1 && *again == 1 {
            println!("  not repeated: {name} ({different} different traces, then 1)");
        }
        (name, different.min(*again))
    };
    pairs.map(kept).collect()
}

/// Each case with the number of different traces among its secrets.
fn traces(programs: &Programs, secrets: usize, args: &[&str]) -> Result<Vec<Compared>, String> {
    let regions = regions(programs, &[args, &["--seeds", &secrets.to_string()]].concat())?;
    compare(names(programs, args)?, &regions, secrets)
}

/// The suite of NEON.
pub(crate) fn neon(options: &Options) -> Verdict {
    same(Build::Aarch64, "neon", secrets(options, SOME))
}

/// The suite of 32-bit x86, which has plain Rust.
pub(crate) fn i686(options: &Options) -> Verdict {
    same(Build::I686, "scalar", secrets(options, FEW))
}

/// Every case of the only backend of a build has the same trace for so many secrets; one that has not runs
/// again.
fn same(build: Build, backend: &str, secrets: usize) -> Verdict {
    let programs = Programs::of(build)?;
    caught(&traces(&programs, SECRETS, &["--leaky"])?, SECRETS)?;
    print!("{}", kinds(names(&programs, &[])?.iter().map(String::as_str)));
    let run = || traces(&programs, secrets, &["--backend", backend]);
    let mut seen = run()?;
    if seen.iter().any(|(_, different)| *different != 1) {
        seen = repeated(seen, &run()?);
    }
    clean(&seen, secrets)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: a leak is what both runs see, and neither run hides it by another number of traces.
    #[test]
    fn leaks_repeat() {
        let run = |different: [usize; 4]| ["a", "b", "c", "d"].map(str::to_string).into_iter().zip(different);
        let seen = repeated(run([1, 3, 2, 5]).collect(), &run([1, 1, 2, 4]).collect::<Vec<_>>());
        assert_eq!(seen, run([1, 1, 2, 4]).collect::<Vec<_>>());
        assert_eq!(clean(&seen, 8), Err("2 operations leak, the first of them c".to_string()));
        assert_eq!(clean(&seen[..2], 8), Ok(()));
    }
}
