//! `ringsmith bench`: what schemes, hash and each route cost on this machine; measured by `ringsmith-bench`.

use crate::error::{Error, excerpt};
use crate::lookup;
use crate::near::plain;
use crate::output::{Access, NewFile, print};
use crate::progress::Progress;
use clap::{Args, ValueHint, value_parser};
use ringsmith_bench::machine::Machine;
use ringsmith_bench::{Budget, Case, Measurement, cases, json, measure, table};
use ringsmith_probe::{Counter, pin};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// What to measure.
#[derive(Args)]
pub(crate) struct Bench {
    /// Measure only rows whose name contains this, as in 'ring/Z_3329[x]/(x^256+1)/product/ringsmith/avx2/ntt:2'
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Write the rows to a new file too, an array of objects; a file that exists is never overwritten
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    json: Option<PathBuf>,
    /// The time for each row, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 30, value_parser = value_parser!(u64).range(1..=60_000))]
    time: u64,
}

/// Runs the command.
pub(crate) fn run(args: &Bench) -> Result<(), Error> {
    let cases = selection(args.only.as_deref())?;
    // Opened before the work, so that a path that can't be written costs no time.
    let mut file = args.json.as_deref().map(|path| NewFile::create(path, Access::All)).transpose()?;
    let (header, mut counter) = start().map_err(Error::Counter)?;
    print(header.as_bytes())?;
    let rows = measured(cases, &mut counter, &Budget::per_row(Duration::from_millis(args.time)))
        .map_err(Error::Counter)?;
    print(table::text(&rows).as_bytes())?;
    if let Some(file) = &mut file {
        file.write(json::text(&rows).as_bytes())?;
    }
    file.map_or(Ok(()), NewFile::finish)
}

/// The cases whose names contain the text; spaces and case don't matter.
fn selection(only: Option<&str>) -> Result<Vec<Case>, Error> {
    let wanted = only.map(plain).unwrap_or_default();
    let mut cases = cases(&lookup::cpus()?);
    cases.retain(|case| plain(&case.id().to_string()).contains(&wanted));
    match (cases.is_empty(), only) {
        (true, Some(only)) => Err(Error::Usage(format!("no row's name contains '{}'", excerpt(only)))),
        _ => Ok(cases),
    }
}

/// Pins the thread, opens the counter, and says what the figures are of.
fn start() -> io::Result<(String, Counter)> {
    let pinned = match pin() {
        Ok(core) => format!("to core {core}"),
        Err(error) => format!("no ({error}): expect noise"),
    };
    let mut counter = Counter::open();
    let machine = Machine::look(&mut counter)?.to_string();
    // Peers are never measured here: only the crate that single streams of the hash go through.
    let lines: String =
        machine.lines().filter(|line| !line.starts_with("peers")).map(|l| format!("{l}\n")).collect();
    Ok((format!("{lines}pinned   {pinned}\n\n"), counter))
}

fn measured(cases: Vec<Case>, counter: &mut Counter, budget: &Budget) -> io::Result<Vec<Measurement>> {
    let (progress, all, mut done) = (Progress::new(), cases.len(), 0);
    let rows = measure(cases, counter, budget, &mut |id| {
        done += 1;
        progress.show(&format!("{done}/{all} {id}"));
    });
    progress.clear();
    rows
}
