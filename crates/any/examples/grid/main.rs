//! What the model of costs predicts beside what is measured, in 420 rings: 15 moduli, 7 degrees and 4
//! polynomials.
//!
//! `cargo run --release -p ringsmith-any --example grid`
//!
//! At each point the methods that the model takes for the fastest ones are measured in turn, each the least
//! of many turns, in cycles of the core: nanoseconds times a thousand by those of a chain of a thousand
//! additions, which is run beside them.
#![forbid(unsafe_code)]

mod measure;
mod points;
mod report;

use measure::{Budget, Row, measure};
use points::{Filter, Point};
use report::{print_row, print_summary};
use ringsmith_any::{Costs, Kind, Operands};
use ringsmith_simd::Cpu;
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

const USAGE: &str = "Measures products in Z_q[x]/(f) beside what the model of costs predicts. RINGSMITH_CPU
chooses the backend.

  --only KEY=VALUE,..  only these values of q, n or f, as in q=3,2^32 or n=1024 or f=dense; of several
                       --only, all must hold
  --small BOUND        measure each ring a second time, by second factors within -BOUND..BOUND
  --quick              measure a sixth of the time: noisy figures
  --fit                print the costs that fit what was measured, and judge by them
  --svg FILE           draw predictions beside measurements
  --points FILE        write the points of that picture, which docs/any-ring.costs.txt has
";

/// What a user asks for.
#[derive(Default)]
struct Arguments {
    only: Vec<Filter>,
    small: Option<u64>,
    quick: bool,
    fit: bool,
    svg: Option<String>,
    points: Option<String>,
    help: bool,
}

impl Arguments {
    fn parse(mut texts: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self::default();
        while let Some(text) = texts.next() {
            match text.as_str() {
                "--only" => arguments.only.push(texts.next().ok_or("--only needs KEY=VALUE")?.parse()?),
                "--small" => {
                    let bound = texts.next().and_then(|text| text.parse().ok());
                    arguments.small = Some(bound.ok_or("--small needs a number")?);
                }
                "--quick" => arguments.quick = true,
                "--fit" => arguments.fit = true,
                "--svg" => arguments.svg = Some(texts.next().ok_or("--svg needs a file")?),
                "--points" => arguments.points = Some(texts.next().ok_or("--points needs a file")?),
                "--help" => arguments.help = true,
                _ => return Err(format!("there is no {text}; --help prints what there is")),
            }
        }
        Ok(arguments)
    }
}

/// The costs that fit all rows.
fn fit(out: &mut impl Write, costs: &Costs, rows: &[Row]) -> io::Result<Costs> {
    let timed = |row: &Row| row.timed.iter().map(|timed| (timed.work, timed.cycles)).collect::<Vec<_>>();
    let fitted = costs.fitted(&rows.iter().flat_map(timed).collect::<Vec<_>>());
    writeln!(out)?;
    for (kind, cycles) in Kind::ALL.iter().zip(fitted.values()) {
        writeln!(out, "    {cycles:.4}, // {}", kind.name())?;
    }
    Ok(fitted)
}

/// A point's cycles as measured and as predicted.
fn cycles(row: &Row, costs: &Costs) -> [f64; 2] {
    let chosen = row.chosen(costs);
    [chosen.cycles, costs.cycles(&chosen.work)]
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let cpu = Cpu::from_env()?;
    let chosen = |point: &Point| arguments.only.iter().all(|filter| filter.takes(point));
    let budget = if arguments.quick { Budget::QUICK } else { Budget::FULL };
    let mut costs = Costs::of(cpu);
    let mut out = io::stdout();
    writeln!(out, "backend {}; cycles of the core, the least of many\n", cpu.name())?;
    let row = |(point, operands): (Point, Operands)| -> Result<Row, Box<dyn Error>> {
        let row =
            measure(cpu, point, operands, &costs, &budget).map_err(|error| format!("{point}: {error}"))?;
        print_row(&mut out, &row, &costs)?;
        Ok(row)
    };
    let small = arguments.small.map(|bound| Operands::any().small(bound));
    let of = |point: Point| {
        let small = small.filter(|small| small.bound().is_some_and(|bound| bound <= point.q / 2));
        [Some(Operands::any()), small].into_iter().flatten().map(move |operands| (point, operands))
    };
    let rows = points::all().filter(chosen).flat_map(of).map(row).collect::<Result<Vec<_>, _>>()?;
    if arguments.fit {
        costs = fit(&mut out, &costs, &rows)?;
    }
    print_summary(&mut out, &rows, &costs)?;
    let points: Vec<_> = rows.iter().map(|row| cycles(row, &costs)).collect();
    if let Some(file) = &arguments.svg {
        std::fs::write(file, ringsmith_plot::costs::draw(&points))?;
    }
    if let Some(file) = &arguments.points {
        std::fs::write(file, ringsmith_plot::costs::text(&points))?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let fail = |error: &dyn std::fmt::Display, code| {
        eprintln!("grid: {error}");
        ExitCode::from(code)
    };
    let arguments = match Arguments::parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(error) => return fail(&error, 2),
    };
    if arguments.help {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    run(&arguments).map_or_else(|error| fail(&error, 1), |()| ExitCode::SUCCESS)
}
