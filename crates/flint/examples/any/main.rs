//! Products in `Z_q[x]/(f)`, for `q` and `f` that are known at run time, beside FLINT's: nanoseconds, the
//! least of many, both sides in turn. Products are compared at every point.
//!
//! `FLINT_PREFIX=/where/flint/is cargo run --release -p ringsmith-flint --features code --example any`
//!
//! Ours reads slices of `u64` and checks them; its room is made once. FLINT reads its operands where they
//! stand (`ringsmith_flint` says what is called); where `f` has many terms its faster division counts.
#![forbid(unsafe_code)]

mod measure;
// The same points as those of the model of costs.
#[path = "../../../any/examples/grid/points.rs"]
mod points;
mod report;

use measure::{Budget, measure};
use points::{Filter, Point};
use report::{Row, print_heading, print_row, print_summary};
use ringsmith_simd::Cpu;
use std::error::Error;
use std::process::ExitCode;

const USAGE: &str = "Measures products in Z_q[x]/(f) beside FLINT's. RINGSMITH_CPU chooses our backend.

  --only KEY=VALUE,..  only these values of q, n or f, as in q=3,2^32 or n=1024 or f=dense; of several
                       --only, all must hold
  --quick              measure a twentieth of the time: noisy figures
  --list               print the points, one a line, and stop

Exit codes: 0; 1 where two products differ or nothing can be measured; 2 where the arguments are bad.
";

/// What a user asks for.
#[derive(Default)]
struct Arguments {
    only: Vec<Filter>,
    quick: bool,
    list: bool,
    help: bool,
}

impl Arguments {
    fn parse(mut texts: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self::default();
        while let Some(text) = texts.next() {
            match text.as_str() {
                "--only" => arguments.only.push(texts.next().ok_or("--only needs KEY=VALUE")?.parse()?),
                "--quick" => arguments.quick = true,
                "--list" => arguments.list = true,
                "--help" => arguments.help = true,
                _ => return Err(format!("there is no {text}; --help prints what there is")),
            }
        }
        Ok(arguments)
    }
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let cpu = Cpu::from_env()?;
    let chosen = |point: &Point| arguments.only.iter().all(|filter| filter.takes(point));
    let points: Vec<Point> = points::all().filter(chosen).collect();
    if points.is_empty() {
        return Err("nothing matches; --list prints all points".into());
    }
    if arguments.list {
        points.iter().for_each(|point| println!("{point}"));
        return Ok(());
    }
    let budget = if arguments.quick { Budget::QUICK } else { Budget::FULL };
    print_heading(cpu, &budget);
    let row = |point: Point| -> Result<Row, Box<dyn Error>> {
        let times = measure(cpu, &point, &budget).map_err(|error| format!("{point}: {error}"))?;
        let row = Row { point, times };
        print_row(&row);
        Ok(row)
    };
    let rows = points.into_iter().map(row).collect::<Result<Vec<_>, _>>()?;
    print_summary(&rows);
    Ok(())
}

fn main() -> ExitCode {
    let fail = |error: &dyn std::fmt::Display, code| {
        eprintln!("any: {error}");
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
