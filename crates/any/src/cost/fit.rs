//! Costs of measured products.

use crate::cost::Costs;
use crate::cost::work::{KINDS, Work};
use core::iter::zip;

/// How much a cost that the products tell nothing of holds on to what it was: as a product's error counts.
const HOLD: f64 = 1e-3;
/// How many times every cost is corrected: many more change nothing in four digits.
const SWEEPS: usize = 20_000;

impl Costs {
    /// The costs that fit measured products best: each product's work, and the cycles that it took. Errors
    /// count by their ratio to the time. What the products tell little of stays as it is here.
    pub fn fitted(&self, products: &[(Work, f64)]) -> Self {
        let mut squares = [[0.0; KINDS]; KINDS];
        let mut sides = [0.0; KINDS];
        for (work, cycles) in products.iter().filter(|(_, cycles)| *cycles > 0.0) {
            let units = work.units().map(|x| x / cycles);
            for (row, x) in zip(&mut squares, units) {
                zip(row, units).for_each(|(sum, y)| *sum += x * y);
            }
            zip(&mut sides, units).for_each(|(sum, x)| *sum += x);
        }
        for (i, cost) in self.values().iter().enumerate().filter(|(_, cost)| **cost > 0.0) {
            squares[i][i] += HOLD / (cost * cost);
            sides[i] += HOLD / cost;
        }
        let mut cycles = *self.values();
        (0..SWEEPS).for_each(|_| sweep(&squares, &sides, &mut cycles));
        Costs::new(&cycles).unwrap_or(*self)
    }
}

/// Corrects every cost once, the others as they are: Gauss and Seidel's step, cut off at 0.
fn sweep(squares: &[[f64; KINDS]; KINDS], sides: &[f64; KINDS], cycles: &mut [f64; KINDS]) {
    for (i, (row, side)) in zip(squares, sides).enumerate().filter(|(i, (row, _))| row[*i] > 0.0) {
        let others: f64 = zip(row, &*cycles).map(|(x, y)| x * y).sum::<f64>() - row[i] * cycles[i];
        cycles[i] = ((side - others) / row[i]).max(0.0);
    }
}
