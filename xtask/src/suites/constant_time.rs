//! Constant time on x86-64: valgrind's memcheck follows the secrets.

use super::harness::Programs;
use super::workspace::backends_here;
use crate::builds::Build;
use crate::cost::compiling;
use crate::shell;
use crate::suite::{Options, Verdict};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What valgrind exits with where it found an error.
const FOUND: i32 = 99;

fn valgrind(program: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("valgrind");
    command.args(["-q", "--error-limit=no", &format!("--error-exitcode={FOUND}")]);
    let public = shell::root().join("crates/testkit/valgrind.supp");
    command.arg(format!("--suppressions={}", public.display())).arg(program).args(args);
    command
}

/// What a case does: the last word after a ring and its route, all words after a scheme or a hash.
fn kind(name: &str) -> &str {
    let split = if name.starts_with("Z_") { name.rsplit_once(' ') } else { name.split_once(' ') };
    split.map_or(name, |(_, kind)| kind)
}

/// How many cases there are of each kind.
pub(super) fn kinds<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    names.for_each(|name| *kinds.entry(kind(name)).or_default() += 1);
    let kinds = kinds.into_iter().map(|(kind, count)| format!("  {count:>4} x {kind}\n"));
    kinds.collect()
}

/// The names of the cases that leaked, and of all cases; a line is a name, a tab and a count.
fn leaks(stdout: &str) -> (Vec<&str>, usize) {
    let lines: Vec<_> = stdout.lines().filter_map(|line| line.split_once('\t')).collect();
    (lines.iter().filter(|(_, count)| *count != "0").map(|(name, _)| *name).collect(), lines.len())
}

/// Text of the names of the cases that leak with few optimisations, on every backend.
const KNOWN: [&str; 7] = [
    "X-Wing encapsulate",
    "X-Wing decapsulate",
    "HPKE seal",
    "SSH ",
    "X25519MLKEM768 respond",
    "X25519MLKEM768 finish",
    "open a stanza",
];

/// Why they leak.
const WHY: &str = "curve25519-dalek makes a choice of two bits that differ, the compiler a branch";

/// Takes those that are known from what leaks on a backend.
///
/// # Errors
/// Where one of them does not leak.
fn take_known(leaky: &mut Vec<&str>, backend: &str, known: &[&str]) -> Verdict {
    for text in known {
        let before = leaky.len();
        leaky.retain(|name| !name.contains(text));
        match before - leaky.len() {
            0 => return Err(format!("{backend}: `{text}` leaks no more: take it off the list")),
            count => println!("  known to leak: {count} x {text}: {WHY}"),
        }
    }
    Ok(())
}

/// Every case on one backend is clean, but for those that are known to leak in the program.
fn clean(program: &Path, backend: &str, known: &[&str]) -> Verdict {
    let finished = shell::finish(&mut valgrind(program, &["--backend", backend]))?;
    let (mut leaky, cases) = leaks(&finished.stdout);
    println!("{backend}: {cases} operations, {} leak", leaky.len());
    take_known(&mut leaky, backend, known)?;
    let code = if known.is_empty() { 0 } else { FOUND };
    if finished.code == Some(code) && leaky.is_empty() && cases > 0 {
        return Ok(());
    }
    leaky.iter().for_each(|name| println!("  leaks: {name}"));
    finished.stderr.lines().take(60).for_each(|line| println!("  {line}"));
    Err(format!("{backend}: exit code {:?}, {} of {cases} operations leak", finished.code, leaky.len()))
}

/// Every leaky sample is caught.
fn caught(program: &Path) -> Verdict {
    for name in shell::capture(Command::new(program).args(["--leaky", "--list"]))?.lines() {
        let finished = shell::finish(&mut valgrind(program, &["--leaky", "--only", name]))?;
        let (leaky, cases) = leaks(&finished.stdout);
        if finished.code != Some(FOUND) || leaky.len() != 1 || cases != 1 {
            return Err(format!("valgrind did not catch the leaky sample {name}"));
        }
        println!("leaky sample {name}: caught");
    }
    Ok(())
}

/// The program in another folder, built in another way.
fn built(folder: &str, variable: &str, value: &str) -> Result<PathBuf, String> {
    let folder = shell::target_dir().join(folder);
    let mut build = Build::Checked.cargo("build");
    build.args(["--bin", "ct"]).env("CARGO_TARGET_DIR", &folder).env(variable, value);
    compiling(|| shell::run(&mut build))?;
    Ok(folder.join("release/ct"))
}

/// The program with few optimisations, as in a build to look for mistakes with, where branches stand that the
/// others take away. Without the checks of such a build, which compare the data with their bounds.
fn hardly_optimised() -> Result<PathBuf, String> {
    built("hardly-optimised", "CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
}

/// The program with kernels in plain Rust, which builds for x86-64 do without.
fn plain() -> Result<PathBuf, String> {
    built("plain", "RUSTFLAGS", &Build::with_plain_rust())
}

/// The suite.
pub(crate) fn run(options: &Options) -> Verdict {
    let program = Programs::of(Build::Checked)?.path("ct");
    print!("{}", kinds(shell::capture(Command::new(&program).arg("--list"))?.lines()));
    every_backend(&program, &[])?;
    if options.exhaustive {
        every_backend(&hardly_optimised()?, &KNOWN)?;
        clean(&plain()?, "scalar", &[])?;
    }
    Ok(())
}

/// The samples are caught, and every case is clean on every backend, but for those that are known.
fn every_backend(program: &Path, known: &[&str]) -> Verdict {
    caught(program)?;
    println!("avx512: not here, because valgrind does not know its instructions: see constant-time-avx512");
    let backends = backends_here().into_iter().filter(|backend| *backend != "avx512");
    let verdicts: Vec<Verdict> = backends.map(|backend| clean(program, backend, known)).collect();
    verdicts.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::kinds;

    /// Protects: what the suites sum up is what is done, of whatever ring, route or scheme.
    #[test]
    fn kinds_are_what_is_done() {
        let names = [
            "Z_4591[x]/(x^761-x-1) rows product",
            "Z_4591[x]/(x^761-x-1) karatsuba:3 product",
            "Z_4591[x]/(x^761-x-1) sort",
            "sntrup761 generate a batch",
        ];
        let summary = "     1 x generate a batch\n     2 x product\n     1 x sort\n";
        assert_eq!(kinds(names.into_iter()), summary);
    }
}
