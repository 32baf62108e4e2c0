//! `ringsmith tour`: everything that a user can do, tried on this machine, and everything that the library
//! computes, checked and timed.

mod encryptions;
mod exchanges;
mod files;
mod rings;
mod schemes;
mod session;
mod signatures;
mod things;

use crate::error::Error;
use crate::lookup::{cpu, cpus};
use crate::output::print;
use clap::{Args, ValueHint};
use ringsmith::Cpu;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Which file, and what stays.
#[derive(Args)]
pub(crate) struct Tour {
    /// Leave the key, the encrypted file and its copy in this directory, which is made if it is not there
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    keep: Option<PathBuf>,
    /// What is encrypted; this project's README if left out
    #[arg(value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Tour) -> Result<(), Error> {
    let cpus = cpus()?;
    files::run(cpu()?, args.file.as_deref(), args.keep.as_deref())?;
    let things = things::run()?;
    let parts = [rings::run, schemes::run, exchanges::run, encryptions::run, signatures::run];
    let checks = parts.into_iter().map(|run| run(&cpus)).sum::<Result<usize, Error>>()?;
    let end = format!("{things} things, {checks} checks on {}: all right", backends(cpus.len()));
    print(format!("\n{end}\n\n{ELSEWHERE}\n{NEXT}").as_bytes())
}

/// What has no command, so that the tour can't do it: its page.
const ELSEWHERE: &str = "\
Without a command of its own:
  products and schemes in Rust      docs/rust.md, docs/any-ring.md
  the same in Python and in C       docs/python.md, docs/c.md
  TLS by rustls, for Rust           docs/tls.md
  our keys in age and rage          docs/files.md: the plugin age-plugin-ringsmith
  batches of products on a GPU      docs/gpu.md
";

/// What to try next.
const NEXT: &str = "\
Next:
  ringsmith keygen -o key.txt       a key of your own; `ringsmith encrypt --help` goes on
  ringsmith sign --help             signatures; `verify` and `certificate` belong to it
  ringsmith plan 'Z_q[x]/(f)'       your own ring; `ringsmith multiply --help` computes in it
  ringsmith bench --table ntru      a paper's tables beside this machine's times
  ringsmith --help                  all commands; docs/start.md has Rust, Python, C and TLS
";

/// `2 backends`.
fn backends(count: usize) -> String {
    format!("{count} backend{}", if count == 1 { "" } else { "s" })
}

/// Compares what a scheme computes on each backend, `checks` checks included; how many checks that were in
/// all.
fn check_backends(
    name: &str,
    cpus: &[Cpu],
    checks: usize,
    transcript: impl Fn(Cpu) -> Result<Vec<u8>, Error>,
) -> Result<usize, Error> {
    let mut first: Option<Vec<u8>> = None;
    for cpu in cpus {
        let transcript = transcript(*cpu)?;
        match &first {
            Some(first) if *first != transcript => {
                return Err(wrong(name, *cpu, "does not compute what the first backend does"));
            }
            _ => first = Some(transcript),
        }
    }
    Ok(cpus.len() * (checks + 1) - usize::from(first.is_some()))
}

fn wrong(name: &str, cpu: Cpu, what: &str) -> Error {
    Error::Wrong(format!("{name} on {} {what}", cpu.name()))
}

/// Nanoseconds that an operation takes: the best of a few batches, each long enough for the clock. `bench`
/// measures better; the tour has a thousand figures, and nobody waits for them.
fn measure(mut operation: impl FnMut()) -> f64 {
    const BATCHES: u32 = 5;
    const BATCH: Duration = Duration::from_micros(200);
    let mut batch = |repetitions: u32| {
        let start = Instant::now();
        (0..repetitions).for_each(|_| operation());
        start.elapsed()
    };
    let mut repetitions = 1;
    while repetitions < 1 << 20 && batch(repetitions) < BATCH {
        repetitions *= 2;
    }
    let best = (0..BATCHES).map(|_| batch(repetitions)).min().unwrap_or_default();
    best.as_secs_f64() * 1e9 / f64::from(repetitions)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the pages that the tour names are there.
    #[test]
    fn pages_are_there() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let words = [ELSEWHERE, NEXT].into_iter().flat_map(str::split_whitespace);
        let pages: Vec<_> = words
            .filter(|word| word.starts_with("docs/"))
            .map(|word| word.trim_end_matches([',', ':']))
            .collect();
        assert_eq!(pages.len(), 8);
        assert!(pages.iter().all(|page| root.join(page).is_file()), "{pages:?}");
    }
}
