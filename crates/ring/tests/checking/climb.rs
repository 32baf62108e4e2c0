//! Operands that make sums of a forward transform large.
//!
//! Up to where lanes change places a transform does the same to each lane, whatever the others hold: so
//! sixteen searches go side by side. Each climbs: it begins with coefficients that are as large as can be,
//! changes one, and keeps what makes no smaller the greatest sum in its lane. Signs alone do not reach the
//! bounds, because a product by a constant is reduced by multiples of the modulus that depend on all of its
//! bits.

use crate::operands::operand;
use ringsmith_oracle::Random;
use ringsmith_ring::{Multiply, Poly, Ring, Workspace};
use ringsmith_watch::{Machine, Watching, peaks};

/// Operands of extreme coefficients.
const EXTREMES: usize = 3;

/// The greatest sum in each lane of the forward transform of `a`.
fn measured<R: Ring, M: Multiply<R>, K: Machine>(a: &[i64]) -> [i32; 16] {
    let (mut prepared, mut scratch) = (R::Prepared::new(), R::Scratch::new());
    let a = Poly::<R>::new(a).unwrap();
    peaks(|| M::prepare(Watching::<K>::new(), a.coeffs(), &mut prepared, &mut scratch))
}

/// A coefficient for the next step: an extreme one, or any.
fn next<R: Ring>(random: &mut Random) -> i64 {
    let (low, high) = (-(R::Q / 2), (R::Q - 1) / 2);
    match random.within(0, 2) {
        0 => low,
        1 => high,
        _ => random.within(low, high),
    }
}

/// An operand whose forward transform has large sums, and the greatest: 0 where an operand is kept as it is.
pub(crate) fn climbed<R: Ring, M: Multiply<R>, K: Machine>(
    steps: usize,
    random: &mut Random,
) -> (Vec<i64>, i32) {
    let mut best = operand::<R>(EXTREMES, random);
    let mut heights = measured::<R, M, K>(&best);
    for _ in 0..if heights == [0; 16] { 0 } else { steps } {
        let row = 16 * random.within(0, R::N.div_ceil(16) as i64 - 1) as usize;
        let mut changed = best.clone();
        for x in changed[row..].iter_mut().take(16) {
            *x = next::<R>(random);
        }
        let now = measured::<R, M, K>(&changed);
        for lane in (0..16).take(R::N - row) {
            if now[lane] >= heights[lane] {
                (best[row + lane], heights[lane]) = (changed[row + lane], now[lane]);
            }
        }
    }
    (best, heights.into_iter().max().unwrap_or(0))
}
