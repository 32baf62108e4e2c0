//! Costs of measured products.

use crate::cost::Costs;
use crate::cost::work::{KINDS, Work};
use core::iter::zip;

/// How much a cost that the products tell nothing of holds on to what it was: as a product's error counts.
const HOLD: f64 = 1e-3;
/// Costs that were less hold on as if they were this.
const LEAST: f64 = 0.05;
/// How many times every cost is corrected: many more change nothing in four digits.
const SWEEPS: usize = 4_000;
/// How many times products are weighed: those that are far off, as where something else ran, count less.
const ROUNDS: usize = 5;
/// An error of this share of the time halves a product's weight.
const OFF: f64 = 0.1;

impl Costs {
    /// Fits the costs to measured products, given each product's work and the cycles that it took. Errors are
    /// relative to the time. A cost that the products hardly depend on keeps its present value.
    pub fn fitted(&self, products: &[(Work, f64)]) -> Self {
        (0..ROUNDS).fold(*self, |costs, round| {
            let weight =
                |error: f64| if round == 0 { 1.0 } else { 1.0 / (1.0 + error * error / (OFF * OFF)) };
            let (mut squares, mut sides) = (self.hold(), self.values().map(|cost| HOLD / cost.max(LEAST)));
            for (work, cycles) in products.iter().filter(|(_, cycles)| *cycles > 0.0) {
                let weight = weight(costs.cycles(work) / cycles - 1.0);
                add(&work.units().map(|x| x / cycles), weight, &mut squares, &mut sides);
            }
            let mut cycles = *self.values();
            (0..SWEEPS).for_each(|_| sweep(&squares, &sides, &mut cycles));
            Costs::new(&cycles).unwrap_or(costs)
        })
    }

    /// What holds costs to what they were.
    fn hold(&self) -> Squares {
        let mut squares = [[0.0; KINDS]; KINDS];
        for (i, cost) in self.values().iter().map(|cost| cost.max(LEAST)).enumerate() {
            squares[i][i] = HOLD / (cost * cost);
        }
        squares
    }
}

/// The matrix of the equations.
type Squares = [[f64; KINDS]; KINDS];

/// A product's part of the equations.
fn add(units: &[f64; KINDS], weight: f64, squares: &mut Squares, sides: &mut [f64; KINDS]) {
    for (row, x) in zip(squares, units) {
        zip(row, units).for_each(|(sum, y)| *sum += weight * x * y);
    }
    zip(sides, units).for_each(|(sum, x)| *sum += weight * x);
}

/// Corrects every cost once, the others as they are: Gauss and Seidel's step, cut off at 0.
fn sweep(squares: &Squares, sides: &[f64; KINDS], cycles: &mut [f64; KINDS]) {
    for (i, (row, side)) in zip(squares, sides).enumerate().filter(|(i, (row, _))| row[*i] > 0.0) {
        let others: f64 = zip(row, &*cycles).map(|(x, y)| x * y).sum::<f64>() - row[i] * cycles[i];
        cycles[i] = ((side - others) / row[i]).max(0.0);
    }
}
