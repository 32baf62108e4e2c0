//! Constant time on x86-64: valgrind's memcheck follows the secrets.

use super::harness::{Machine, Programs};
use super::workspace::backends_here;
use crate::shell;
use crate::suite::{Options, Verdict};
use std::process::Command;

/// What valgrind exits with where it found an error.
const FOUND: i32 = 99;

fn valgrind(programs: &Programs, args: &[&str]) -> Command {
    let mut command = Command::new("valgrind");
    command.args(["-q", "--error-limit=no", &format!("--error-exitcode={FOUND}")]);
    command.arg(programs.path("ct")).args(args);
    command
}

/// The names of the cases that leaked, and of all cases; a line is a name, a tab and a count.
fn leaks(stdout: &str) -> (Vec<&str>, usize) {
    let lines: Vec<_> = stdout.lines().filter_map(|line| line.split_once('\t')).collect();
    (lines.iter().filter(|(_, count)| *count != "0").map(|(name, _)| *name).collect(), lines.len())
}

/// Every case on one backend is clean.
fn clean(programs: &Programs, backend: &str) -> Verdict {
    let finished = shell::finish(&mut valgrind(programs, &["--backend", backend]))?;
    let (leaky, cases) = leaks(&finished.stdout);
    println!("{backend}: {cases} operations, {} leak", leaky.len());
    if finished.code == Some(0) && leaky.is_empty() && cases > 0 {
        return Ok(());
    }
    leaky.iter().for_each(|name| println!("  leaks: {name}"));
    finished.stderr.lines().take(60).for_each(|line| println!("  {line}"));
    Err(format!("{backend}: exit code {:?}, {} of {cases} operations leak", finished.code, leaky.len()))
}

/// Every leaky sample is caught.
fn caught(programs: &Programs) -> Verdict {
    for name in shell::capture(Command::new(programs.path("ct")).args(["--leaky", "--list"]))?.lines() {
        let finished = shell::finish(&mut valgrind(programs, &["--leaky", "--only", name]))?;
        let (leaky, cases) = leaks(&finished.stdout);
        if finished.code != Some(FOUND) || leaky.len() != 1 || cases != 1 {
            return Err(format!("valgrind did not catch the leaky sample {name}"));
        }
        println!("leaky sample {name}: caught");
    }
    Ok(())
}

/// The suite.
pub(crate) fn run(_: &Options) -> Verdict {
    let programs = Machine::X86_64.build()?;
    caught(&programs)?;
    let verdicts: Vec<Verdict> =
        backends_here().into_iter().map(|backend| clean(&programs, backend)).collect();
    verdicts.into_iter().collect()
}
