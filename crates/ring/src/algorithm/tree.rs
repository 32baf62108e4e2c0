//! The layers across rows that every negacyclic transform in 16-bit lanes begins with, and ends with
//! backwards.
//!
//! `y = x^16`; a row is 16 consecutive coefficients, so a layer of distance `16 d` adds and subtracts whole
//! rows: no shuffle. Rows are a power of two, `2^r`. The first pass takes `r - 3` layers over rows eight
//! apart (columns side by side where that is fewer than three), the second pass three layers over eight
//! neighbours. What happens to the eight registers then is the caller's: the complete transform transposes
//! them, the row transform stores them.

use super::network::{self, Twiddle, column, family, gather, scatter};
use super::plan::{Pass, PassForm, Plan, Problem};
use crate::number::is_prime;
use crate::ring::Shape;
use crate::why_not::WhyNot;
use ringsmith_simd::{Row, Simd, each};

/// The conditions of a negacyclic transform down to residues of degree `base`.
pub(crate) const fn serves(q: i64, n: usize, shape: Shape, base: usize) -> Result<(), WhyNot> {
    if !matches!(shape, Shape::Negacyclic) {
        return Err(WhyNot::Shape { needs: Shape::Negacyclic });
    }
    if !(n == 256 || n == 512 || n == 1024) {
        return Err(WhyNot::Degree);
    }
    roots_serve(q, 2 * n / base)
}

/// Whether `q` is an odd prime that has roots of unity of this order.
pub(super) const fn roots_serve(q: i64, order: usize) -> Result<(), WhyNot> {
    match q % 2 == 1 && is_prime(q) {
        false => Err(WhyNot::Modulus),
        true if (q - 1) % order as i64 != 0 => Err(WhyNot::Roots { order }),
        true => Ok(()),
    }
}

/// Twiddles of the row layers in heap order: node `i` at place `i`, the same in every lane.
pub(crate) const fn table<const ROWS: usize>(problem: &Problem, inverted: bool) -> [Twiddle; ROWS] {
    let mut table = [[[0; 16]; 2]; ROWS];
    let mut i = 1;
    while i < ROWS {
        table[i] = problem.twiddle(i, inverted).rows();
        i += 1;
    }
    if inverted && problem.scaled {
        table[1] = problem.last()[1].rows();
    }
    table
}

/// The passes of the inverse over rows, as the planner wants them: eight neighbours, then the columns.
pub(crate) const fn passes(rows: usize) -> [PassForm; 2] {
    let columns = PassForm { registers: 8, first: 3 - outer_layers(rows) };
    [PassForm { registers: 8, first: 0 }, columns]
}

/// Layers of the first pass.
pub(crate) const fn outer_layers(rows: usize) -> usize {
    match rows {
        64 => 3,
        32 => 2,
        16 => 1,
        _ => panic!("transforms across 16, 32 or 64 rows"),
    }
}

/// Three codes of a pass for eight registers, `codes[l][i]`.
pub(crate) const fn codes8(pass: &Pass, offset: usize) -> [[u8; 8]; 3] {
    let (mut out, mut k) = ([[0; 8]; 3], 0);
    while k < 24 {
        out[k / 8][k % 8] = pass.layers[k / 8][offset + k % 8];
        k += 1;
    }
    out
}

/// The first pass of the forward transform.
#[inline(always)]
pub(crate) fn forward_columns<S: Simd, const Q: i64, const ROWS: usize>(
    s: S,
    table: &[Twiddle; ROWS],
    plan: &Plan,
    input: &[Row; ROWS],
    out: &mut [Row; ROWS],
) {
    let layers = const { outer_layers(ROWS) };
    let codes = [plan.forward[0], plan.forward[1], plan.forward[2]];
    let mut i = 0;
    while i < 8 {
        let mut x: [_; 8] = each(
            #[inline(always)]
            |r| s.load(&input[column(layers, i, r, 8)]),
        );
        network::forward::<S, Q>(s, layers, &mut x, family(table, 1), codes);
        store_columns(s, out, i, x);
        i += 8 >> layers;
    }
}

#[inline(always)]
fn store_columns<S: Simd, const ROWS: usize>(s: S, out: &mut [Row; ROWS], i: usize, x: [S::I16; 8]) {
    let mut r = 0;
    while r < 8 {
        s.store(&mut out[column(const { outer_layers(ROWS) }, i, r, 8)], x[r]);
        r += 1;
    }
}

/// Three layers over the eight neighbours that begin at row `8 block`.
#[inline(always)]
pub(crate) fn forward_neighbours<S: Simd, const Q: i64, const ROWS: usize>(
    s: S,
    table: &[Twiddle; ROWS],
    plan: &Plan,
    rows: &[Row; ROWS],
    block: usize,
) -> [S::I16; 8] {
    let first = const { outer_layers(ROWS) };
    let codes = [plan.forward[first], plan.forward[first + 1], plan.forward[first + 2]];
    let mut x = gather::<S, ROWS, 8>(s, rows, 8 * block, 1);
    network::forward::<S, Q>(s, 3, &mut x, family(table, ROWS / 8 + block), codes);
    x
}

/// The same three layers backwards, on registers; with the reductions at the end of the pass.
#[inline(always)]
pub(crate) fn inverse_neighbours<S: Simd, const Q: i64, const ROWS: usize>(
    s: S,
    table: &[Twiddle; ROWS],
    pass: &Pass,
    block: usize,
    mut x: [S::I16; 8],
) -> [S::I16; 8] {
    network::inverse::<S, Q>(s, 3, &mut x, family(table, ROWS / 8 + block), codes8(pass, 0));
    each(
        #[inline(always)]
        |r| super::plan::reduce::<S, Q>(s, pass.end[r], x[r]),
    )
}

/// The last pass of the inverse transform; `finish` has the eight registers before they are stored.
#[inline(always)]
pub(crate) fn inverse_columns<S: Simd, const Q: i64, const ROWS: usize>(
    s: S,
    table: &[Twiddle; ROWS],
    pass: &Pass,
    input: &[Row; ROWS],
    out: &mut [Row; ROWS],
    finish: impl Fn([S::I16; 8]) -> [S::I16; 8],
) {
    let layers = const { outer_layers(ROWS) };
    let mut i = 0;
    while i < 8 {
        let mut x: [_; 8] = each(
            #[inline(always)]
            |r| s.load(&input[column(layers, i, r, 8)]),
        );
        network::inverse::<S, Q>(s, layers, &mut x, family(table, 1), codes8(pass, 0));
        let x = each(
            #[inline(always)]
            |r| super::plan::reduce::<S, Q>(s, pass.end[r], x[r]),
        );
        store_columns(s, out, i, finish(x));
        i += 8 >> layers;
    }
}

/// Copies eight registers to the neighbours that begin at row `8 block`.
#[inline(always)]
pub(crate) fn store_neighbours<S: Simd, const ROWS: usize>(
    s: S,
    rows: &mut [Row; ROWS],
    block: usize,
    x: [S::I16; 8],
) {
    scatter(s, rows, 8 * block, 1, x);
}
