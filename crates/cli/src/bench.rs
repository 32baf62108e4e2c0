//! `ringsmith bench`: what schemes, hash and each route cost on this machine; measured by `ringsmith-bench`.

use crate::error::Error;
use crate::lookup;
use crate::near::plain;
use crate::output::{Access, NewFile, Output, finish_all, print};
use crate::progress::Progress;
use crate::shown::excerpt;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint, value_parser};
use ringsmith_bench::machine::Machine;
use ringsmith_bench::paper::{PAPERS, Paper};
use ringsmith_bench::peers::Peers;
use ringsmith_bench::{Budget, Case, Measurement, cases, check, json, measure, table};
use ringsmith_probe::{Counter, pin};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What to measure.
#[derive(Args)]
pub(crate) struct Bench {
    /// Measure only rows whose name contains this, as in
    /// 'ring/Z_3329[x]/(x^256+1)/product/ringsmith/avx2/ntt:2'
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Measure what a paper's tables have, and print these: the published figures, this machine's, and the
    /// ratios
    #[arg(long, value_name = "PAPER", conflicts_with = "only", value_parser = paper_parser())]
    table: Option<&'static Paper>,
    /// Draw the tables to a new file; a file that exists is never overwritten
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "table")]
    svg: Option<PathBuf>,
    /// Write the rows to a new file too, an array of objects; a file that exists is never overwritten
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    json: Option<PathBuf>,
    /// Measure products a second on an NVIDIA GPU, by its number: 0 where none is given. With '--table
    /// akleylek-tok', fill the table's columns of GPUs
    #[cfg(feature = "cuda")]
    #[arg(long, value_name = "NUMBER", num_args = 0..=1, default_missing_value = "0")]
    #[arg(conflicts_with = "only")]
    gpu: Option<usize>,
    /// The time for each row, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 30, value_parser = value_parser!(u64).range(1..=60_000))]
    time: u64,
}

/// A paper by its name.
fn paper_parser() -> impl TypedValueParser<Value = &'static Paper> {
    PossibleValuesParser::new(PAPERS.iter().map(|paper| paper.name))
        .try_map(|name| Paper::find(&name).ok_or("there is no such paper"))
}

/// Runs the command.
pub(crate) fn run(args: &Bench) -> Result<(), Error> {
    let time = Duration::from_millis(args.time);
    #[cfg(feature = "cuda")]
    let device = match (args.gpu, args.table) {
        (Some(_), None) if args.json.is_some() => {
            return Err(Error::Usage("--json has no rows of --gpu without --table".into()));
        }
        (Some(number), None) => return crate::gpu::run(number, time),
        (Some(number), Some(paper)) => Some(crate::gpu::open(number, paper)?),
        (None, _) => None,
    };
    let cases = match args.table {
        Some(paper) => paper.cases(&lookup::cpus()?, &Peers::NONE),
        None => selection(args.only.as_deref())?,
    };
    // Opened before the work, so that a path that can't be written costs no time.
    let open = |path: &Path| NewFile::create(path, Access::All);
    let mut json = args.json.as_deref().map(open).transpose()?;
    let mut svg = args.svg.as_deref().map(open).transpose()?;
    check(&cases).map_err(Error::Wrong)?;
    let (header, mut counter) = start().map_err(Error::Counter)?;
    #[cfg(feature = "cuda")]
    crate::gpu::print_header(device.as_ref())?;
    print(header.as_bytes())?;
    let rows = measured(cases, &mut counter, &Budget::per_row(time)).map_err(Error::Counter)?;
    #[cfg(feature = "cuda")]
    let rows = crate::gpu::with_rows(rows, device, args.table, time)?;
    match args.table {
        Some(paper) => print_tables(paper, &rows, svg.as_mut())?,
        None => print(table::text(&rows).as_bytes())?,
    }
    if let Some(file) = &mut json {
        file.write(json::text(&rows).as_bytes())?;
    }
    finish_all([json, svg].into_iter().flatten().map(Output::File))
}

/// Prints a paper's tables, and draws them where there is a file for that.
fn print_tables(paper: &Paper, rows: &[Measurement], svg: Option<&mut NewFile>) -> Result<(), Error> {
    let page = paper.page(&paper.tables(rows));
    print(page.as_bytes())?;
    match svg {
        Some(file) => file.write(ringsmith_plot::paper::draw(&page).unwrap_or_default().as_bytes()),
        None => Ok(()),
    }
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

/// Pins the thread, opens the counter, and says what the figures are of: nothing but ours.
fn start() -> io::Result<(String, Counter)> {
    let pinned = match pin() {
        Ok(core) => format!("to core {core}"),
        Err(error) => format!("no ({error}): expect noise"),
    };
    let mut counter = Counter::open();
    let machine = Machine::look(&mut counter, &Peers::NONE)?.to_string();
    let said = machine.lines().filter(|line| !line.starts_with("peers"));
    let lines: String = said.map(|line| format!("{line}\n")).collect();
    Ok((format!("{lines}pinned   {pinned}\n\n"), counter))
}

/// Measures cases, and shows how far it is.
pub(crate) fn measured(
    cases: Vec<Case>,
    counter: &mut Counter,
    budget: &Budget,
) -> io::Result<Vec<Measurement>> {
    let (progress, all, mut done) = (Progress::new(), cases.len(), 0);
    let rows = measure(cases, counter, budget, &mut |id| {
        done += 1;
        progress.show(&format!("{done}/{all} {id}"));
    });
    progress.clear();
    rows
}
