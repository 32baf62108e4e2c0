//! How long products modulo `x^n + x^(n-d) + 1` take, beside what the model of costs predicts: cycles of the
//! core. A small `d` folds few powers at once, so that a division by products may be faster.
//!
//! `cargo run --release -p ringsmith-any --example gaps -- [--quick] [D ..]`: for some `d` from 1 to half of
//! the degree, or for these. `--quick` takes a sixth of the time. `RINGSMITH_CPU` chooses the backend.
//!
//! A line has `q`, `n`, `d`, the predicted and the measured cycles of the chosen method, their ratio, how
//! many times slower it is than the fastest method, and these methods.

#[path = "../grid/measure.rs"]
mod measure;
mod points;
#[path = "../grid/report.rs"]
mod report;

use measure::{Budget, measure};
use report::{print_row, print_summary};
use ringsmith_any::{Costs, Operands};
use ringsmith_simd::Cpu;
use std::error::Error;
use std::io::{self, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut gaps, mut budget) = (Vec::new(), Budget::FULL);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--quick" => budget = Budget::QUICK,
            gap => gaps.push(gap.parse().map_err(|_| format!("{gap} is no number"))?),
        }
    }
    let cpu = Cpu::from_env()?;
    let (costs, mut out, mut rows) = (Costs::of(cpu), io::stdout(), Vec::new());
    writeln!(out, "backend {}; cycles of the core, the least of many\n", cpu.name())?;
    for point in points::all(&gaps) {
        let row = measure(cpu, point, Operands::any(), &costs, &budget)?;
        print_row(&mut out, &row, &costs)?;
        rows.push(row);
    }
    print_summary(&mut out, &rows, &costs)?;
    Ok(())
}
