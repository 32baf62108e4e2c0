//! Operands that tests of all routes have in common, and what the oracle makes of them.

use ringsmith_oracle::{self as oracle, Random};
use ringsmith_ring::Ring;

/// Pairs of kinds of operands.
pub(crate) const KINDS: [[usize; 2]; 11] =
    [[0, 0], [0, 1], [2, 2], [3, 3], [4, 1], [5, 8], [6, 6], [7, 8], [3, 8], [8, 8], [8, 9]];

/// The inputs of a kind: worst cases of the bound first, then structure, then random ones.
pub(crate) fn operand<R: Ring>(kind: usize, random: &mut Random) -> Vec<i64> {
    let (low, high) = (-(R::Q / 2), (R::Q - 1) / 2);
    (0..R::N)
        .map(|i| match kind {
            0 => high,
            1 => low,
            2 => [low, high][i % 2],
            3 => [low, high][random.within(0, 1) as usize],
            4 => [low, high][(i / 16) % 2],
            5 => 0,
            6 => (i == R::N - 1) as i64,
            7 => random.within(-1, 1),
            _ => random.within(low, high),
        })
        .collect()
}

/// Small operands for `a`: random; the worst of their bound, all of one sign; and those that make coefficient
/// `n - 1` of the product before it is reduced as large as can be, by signs that are those of `a` backwards.
pub(crate) fn smalls<R: Ring>(a: &[i64], random: &mut Random) -> [Vec<i64>; 4] {
    let most = i64::from(R::SMALL);
    [
        (0..R::N).map(|_| random.within(-most, most)).collect(),
        vec![most; R::N],
        vec![-most; R::N],
        a.iter().rev().map(|x| if *x < 0 { -most } else { most }).collect(),
    ]
}

/// `a b` by the oracle.
pub(crate) fn expect<R: Ring>(a: &[i64], b: &[i64]) -> Vec<i64> {
    let wide = |v: &[i64]| v.iter().map(|x| i128::from(*x)).collect::<Vec<_>>();
    let c =
        oracle::product(oracle::Ring::named(R::NAME).expect("a ring of the oracle's"), &wide(a), &wide(b));
    c.into_iter().map(|x| oracle::centred(x, R::Q.into()) as i64).collect()
}
