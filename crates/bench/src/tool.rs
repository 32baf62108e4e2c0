//! The program: measures the schemes, the hash and every route of every ring on each CPU, and a program's
//! peers; writes the table, the rows, the page, and the tables of papers.

use crate::file::Pending;
use crate::machine::{Machine, RUSTC, cpu_model};
use crate::page::Plots;
use crate::paper::{PAPERS, Paper};
use crate::peers::Peers;
use crate::{Budget, Case, Measurement, cases, check, cpus, json, measure, page, places, table};
use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::{ProgressBar, ProgressStyle};
use regex_lite::Regex;
use ringsmith_plot::{paper, peers, routes};
use ringsmith_probe::{Counter, pin};
use std::borrow::Cow;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Measures Ringsmith's schemes, hash and routes on every CPU backend of this machine.
///
/// RINGSMITH_CPU restricts the backends to one. Exit codes: 0, or 2 where the arguments or files are bad.
#[derive(Parser)]
#[command(name = "ringsmith-bench", version, max_term_width = 100)]
struct Arguments {
    /// Measure only what matches, in "suite/subject/operation/implementation/cpu/route".
    #[arg(long, value_name = "REGEX")]
    only: Option<String>,
    /// Print the names of what would be measured, one a line, and stop.
    #[arg(long)]
    list: bool,
    /// Measure each product with its working memory at every line of a page, and print the worst.
    #[arg(long, conflicts_with_all = ["list", "json", "write_docs", "docs"])]
    places: bool,
    /// Measure what a paper's tables have, and print these: published figures, this machine's, and the
    /// ratios.
    #[arg(long, value_name = "PAPER", value_parser = paper_parser(),
        conflicts_with_all = ["only", "list", "places", "write_docs", "docs"])]
    table: Option<&'static Paper>,
    /// Draw the tables of a paper to a file.
    #[arg(long, value_name = "FILE", requires = "table")]
    svg: Option<PathBuf>,
    /// Fill the columns of NVIDIA's GPUs, of tables that have them, by the GPU of a number: 0 where none is
    /// given.
    #[cfg(feature = "cuda")]
    #[arg(long, value_name = "NUMBER", num_args = 0..=1, default_missing_value = "0", requires = "table")]
    gpu: Option<usize>,
    /// Time for each row, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 100,
        value_parser = clap::value_parser!(u64).range(1..=60_000))]
    time: u64,
    /// Write the rows, an array of objects, to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the page (Markdown), and its plots beside it (.svg, .kem.svg).
    #[arg(long, value_name = "FILE")]
    write_docs: Option<PathBuf>,
    /// Measure nothing: write the page and its plots from a file of rows.
    #[arg(long, num_args = 2, value_names = ["JSON", "MD"],
        conflicts_with_all = ["only", "list", "json", "write_docs"])]
    docs: Option<Vec<PathBuf>>,
    /// What the page calls the machine that measured; this one, if not given.
    #[arg(long, value_name = "TEXT")]
    machine: Option<String>,
}

/// One line for the user.
struct Failure(String);

/// Says what was being done when an error came up.
trait Context<T> {
    fn context(self, what: impl Display) -> Result<T, Failure>;
}

impl<T, E: Display> Context<T> for Result<T, E> {
    fn context(self, what: impl Display) -> Result<T, Failure> {
        self.map_err(|error| Failure(format!("{what}: {error}")))
    }
}

/// A paper by its name.
fn paper_parser() -> impl TypedValueParser<Value = &'static Paper> {
    PossibleValuesParser::new(PAPERS.iter().map(|paper| paper.name))
        .try_map(|name| Paper::find(&name).ok_or("there is no such paper"))
}

/// Runs the program on the arguments of this process, with a program's peers.
pub fn main(peers: &Peers) -> ExitCode {
    match run(&Arguments::parse(), peers) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(line)) => {
            eprintln!("ringsmith-bench: {}", line.lines().map(str::trim).collect::<Vec<_>>().join(" "));
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments, peers: &Peers) -> Result<(), Failure> {
    let machine = arguments.machine.clone().unwrap_or_else(|| format!("{}, {RUSTC}", cpu_model()));
    if let Some([from, to]) = arguments.docs.as_deref() {
        let text = fs::read_to_string(from).context(from.display())?;
        let rows = json::parse(&text).context(from.display())?;
        return Docs::create(to)?.commit(&rows, &machine);
    }
    if arguments.places {
        return measure_places(arguments.only.as_deref());
    }
    let cases = match arguments.table {
        Some(paper) => paper.cases(&cpus().context("RINGSMITH_CPU")?, peers),
        None => selection(arguments.only.as_deref(), peers)?,
    };
    if arguments.list {
        cases.iter().for_each(|case| println!("{}", case.id()));
        return Ok(());
    }
    // Opened before the work, so that a path that can't be written costs no time.
    let rows_file = arguments.json.as_deref().map(pending).transpose()?;
    let docs = arguments.write_docs.as_deref().map(Docs::create).transpose()?;
    let svg = arguments.svg.as_deref().map(pending).transpose()?;
    #[cfg(feature = "cuda")]
    let device = open_gpu(arguments)?;
    let time = Duration::from_millis(arguments.time);
    let rows = benchmark(cases, peers, &Budget::per_row(time))?;
    #[cfg(feature = "cuda")]
    let rows = match (device, arguments.table) {
        (Some(device), Some(paper)) => {
            let effort = crate::gpu::Effort::per_row(time);
            let of_gpu = paper.measure_on(&device, &effort, &|_| true).context("--gpu")?;
            rows.into_iter().chain(of_gpu).collect()
        }
        _ => rows,
    };
    match arguments.table {
        Some(paper) => print_tables(paper, &rows, svg)?,
        None => print!("{}", table::text(&rows)),
    }
    if let Some(file) = rows_file {
        commit(file, &json::text(&rows))?;
    }
    docs.map_or(Ok(()), |docs| docs.commit(&rows, &machine))
}

/// The GPU that was asked for, which is said. A machine without one is told before anything is measured.
#[cfg(feature = "cuda")]
fn open_gpu(arguments: &Arguments) -> Result<Option<ringsmith_gpu::Device>, Failure> {
    let Some(number) = arguments.gpu else { return Ok(None) };
    if let Some(paper) = arguments.table.filter(|paper| !paper.is_on_gpu()) {
        return Err(Failure(format!("--gpu: the tables of {} have no columns of GPUs", paper.name)));
    }
    let device = ringsmith_gpu::Device::cuda(number).context("--gpu")?;
    print!("{}", crate::gpu::header(&device).context("--gpu")?);
    Ok(Some(device))
}

/// Prints a paper's tables, and draws them where there is a file for that.
fn print_tables(paper: &Paper, rows: &[Measurement], svg: Option<Pending>) -> Result<(), Failure> {
    let page = paper.page(&paper.tables(rows));
    print!("{page}");
    svg.map_or(Ok(()), |file| commit(file, &paper::draw(&page).unwrap_or_default()))
}

/// All cases that match.
fn selection(only: Option<&str>, peers: &Peers) -> Result<Vec<Case>, Failure> {
    let regex = only.map(compile).transpose()?;
    let cpus = cpus().context("RINGSMITH_CPU")?;
    let all = cases(&cpus).into_iter().chain((peers.cases)());
    let cases: Vec<_> = all
        .filter(|case| regex.as_ref().is_none_or(|regex| regex.is_match(&case.id().to_string())))
        .collect();
    match cases.is_empty() {
        true => {
            Err(Failure(format!("nothing matches {:?}; --list prints all names", only.unwrap_or_default())))
        }
        false => Ok(cases),
    }
}

/// Products with their memory at all places.
fn measure_places(only: Option<&str>) -> Result<(), Failure> {
    let (regex, cpus) = (only.map(compile).transpose()?, cpus().context("RINGSMITH_CPU")?);
    let mut counter = open(&Peers::NONE)?;
    let chosen = |name: &str| regex.as_ref().is_none_or(|regex| regex.is_match(name));
    let bar = ProgressBar::new_spinner();
    let unit = counter.kind().unit();
    let spreads = places::spreads(&cpus, &chosen, &mut counter, &mut |id| {
        bar.set_message(id.to_string());
        bar.tick();
    });
    bar.finish_and_clear();
    print!("{}", places::text(&spreads.context("measuring")?, unit));
    Ok(())
}

fn compile(only: &str) -> Result<Regex, Failure> {
    Regex::new(only).map_err(|why| Failure(format!("--only {only:?} is no regular expression: {why}")))
}

/// Pins, and prints the header.
fn open(peers: &Peers) -> Result<Counter, Failure> {
    let pinned = pin();
    let mut counter = Counter::open();
    print!("{}", Machine::look(&mut counter, peers).context("measuring")?);
    match pinned {
        Ok(core) => println!("pinned   to core {core}\n"),
        Err(error) => println!("pinned   no ({error}): expect noise\n"),
    }
    Ok(counter)
}

/// Measures all cases.
fn benchmark(cases: Vec<Case>, peers: &Peers, budget: &Budget) -> Result<Vec<Measurement>, Failure> {
    check(&cases).map_err(Failure)?;
    let mut counter = open(peers)?;
    // Drawn on stderr, and only if that is a terminal.
    let bar = ProgressBar::new(cases.len() as u64 * u64::from(budget.sweeps));
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {wide_msg}") {
        bar.set_style(style);
    }
    let rows = measure(cases, &mut counter, budget, &mut |id| {
        bar.set_message(id.to_string());
        bar.inc(1);
    });
    bar.finish_and_clear();
    rows.context("measuring")
}

/// The page and its plots, to be written together.
struct Docs {
    page: Pending,
    schemes: Pending,
    products: Pending,
}

/// The name of a file, where there is something for it.
fn link<'a>(file: &'a Pending, picture: &Option<String>) -> Option<Cow<'a, str>> {
    picture.as_ref().and_then(|_| file.target().file_name()).map(|name| name.to_string_lossy())
}

impl Docs {
    fn create(page: &Path) -> Result<Self, Failure> {
        let beside = |extension| pending(&page.with_extension(extension));
        Ok(Docs { page: pending(page)?, schemes: beside("kem.svg")?, products: beside("svg")? })
    }

    fn commit(self, rows: &[Measurement], machine: &str) -> Result<(), Failure> {
        // Pictures are drawn from the page, so that they can be drawn again without the rows.
        let figures = page::text(rows, machine, Plots::default());
        let (schemes, products) = (peers::draw(&figures), routes::draw(&figures));
        let links = [link(&self.schemes, &schemes), link(&self.products, &products)];
        let plots = Plots { schemes: links[0].as_deref(), products: links[1].as_deref() };
        let page = page::text(rows, machine, plots);
        for (file, picture) in [(self.schemes, schemes), (self.products, products)] {
            picture.map_or(Ok(()), |picture| commit(file, &picture))?;
        }
        commit(self.page, &page)
    }
}

fn pending(path: &Path) -> Result<Pending, Failure> {
    Pending::create(path).context(format_args!("can't write {}", path.display()))
}

fn commit(file: Pending, text: &str) -> Result<(), Failure> {
    let target = file.target().to_owned();
    file.commit(text.as_bytes()).context(format_args!("can't write {}", target.display()))
}
