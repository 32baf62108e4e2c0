//! The kernels of the transform: across rows, and the transposes.

use super::pieces::{merge, split};
use super::plan::{Nth, SEVENTEEN, SEVENTEEN_BACK, SIX, SIX_BACK, Tables, is_twisted};
use super::{BLOCK, INPUTS, POINTS, ROWS};
use crate::algorithm::codelet::run::run;
use crate::algorithm::network::{Twiddle, gather, transpose16};
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor};
use crate::reduce::residues::Odd;
use ringsmith_simd::{Kernel, Row, Simd, each};

/// The transform of 17 points: row `r` of the element of `k` at `16 r + k - 1`.
pub(super) struct Spread<'a, const Q: i64, const OPERAND: usize> {
    pub(super) from: &'a [Row; OPERAND],
    pub(super) to: &'a mut [Row; ROWS],
}

impl<const Q: i64, const OPERAND: usize> Kernel for Spread<'_, Q, OPERAND> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < BLOCK {
            let x = each(
                #[inline(always)]
                |i| {
                    let row = BLOCK * i + r;
                    if i < INPUTS && row < OPERAND { s.load(&self.from[row]) } else { s.splat(0) }
                },
            );
            let y = run::<S, Nth<Q, SEVENTEEN>, Odd<Q>>(s, x);
            let mut k = 0;
            while k < POINTS {
                s.store(&mut self.to[POINTS * r + k], y[k]);
                k += 1;
            }
            r += 1;
        }
    }
}

/// A value times the factor of row `r`, which is 1 for the first.
#[inline(always)]
fn scaled<S: Simd, const Q: i64>(s: S, x: S::I16, factors: &[Factor; BLOCK], r: usize) -> S::I16 {
    if is_twisted(r) { montgomery::scale::<S, Q>(s, x, factors[r]) } else { x }
}

/// Codelet `I` of six points across the rows of each element, in place; the factors of the rows come before
/// it; backwards after it, and then values are centred.
#[inline(always)]
fn six<S: Simd, const Q: i64, const I: usize>(s: S, x: &mut [Row; ROWS]) {
    let table = const { &Tables::<Q>::ROWS[(I == SIX_BACK) as usize] };
    let mut k = 0;
    while k < POINTS {
        let (mut values, mut r) = ([s.splat(0); POINTS], 0);
        while r < BLOCK {
            let value = s.load(&x[POINTS * r + k]);
            values[r] = if I == SIX { scaled::<S, Q>(s, value, &table[k], r) } else { value };
            r += 1;
        }
        let y = run::<S, Nth<Q, I>, Odd<Q>>(s, values);
        r = 0;
        while r < BLOCK {
            let value = if I == SIX {
                y[r]
            } else {
                barrett::exact::<S, Q>(s, scaled::<S, Q>(s, y[r], &table[k], r))
            };
            s.store(&mut x[POINTS * r + k], value);
            r += 1;
        }
        k += 1;
    }
}

/// Coefficient by coefficient times a row of a table, in place.
#[inline(always)]
fn twist<S: Simd, const Q: i64>(s: S, tile: &mut [Row; 16], table: &[Twiddle; 16]) {
    for (row, twiddle) in tile.iter_mut().zip(table) {
        let twisted = s.mul_mont(s.load(row), s.load(&twiddle[0]), s.load(&twiddle[1]), s.splat(Q as i16));
        s.store(row, twisted);
    }
}

/// From the elements of `k` to pieces of eight coefficients, one problem a lane: two pieces for each `m`, in
/// 16 rows.
pub(super) struct Split<'a, const Q: i64> {
    pub(super) x: &'a mut [Row; ROWS],
}

impl<const Q: i64> Kernel for Split<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        six::<S, Q, SIX>(s, self.x);
        let tables = const { &Tables::<Q>::LANES.0 }.as_chunks::<16>().0;
        for (m, (tile, table)) in self.x.as_chunks_mut::<16>().0.iter_mut().zip(tables).enumerate() {
            transpose16(s, tile);
            twist::<S, Q>(s, tile, table);
            split::<S, Q>(s, tile, m % 2 == 1);
        }
    }
}

/// The way back of [`Split`].
pub(super) struct Merge<'a, const Q: i64> {
    pub(super) x: &'a mut [Row; ROWS],
}

impl<const Q: i64> Kernel for Merge<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let tables = const { &Tables::<Q>::LANES_BACK.0 }.as_chunks::<16>().0;
        for (m, (tile, table)) in self.x.as_chunks_mut::<16>().0.iter_mut().zip(tables).enumerate() {
            merge::<S, Q>(s, tile, m % 2 == 1);
            twist::<S, Q>(s, tile, table);
            transpose16(s, tile);
        }
        six::<S, Q, SIX_BACK>(s, self.x);
    }
}

/// The way back of [`Spread`], to rows in their order; centred.
pub(super) struct Gather<'a, const Q: i64> {
    pub(super) x: &'a [Row; ROWS],
    pub(super) out: &'a mut [Row; ROWS],
}

impl<const Q: i64> Kernel for Gather<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (r, tile) in self.x.as_chunks::<16>().0.iter().enumerate() {
            let y = run::<S, Nth<Q, SEVENTEEN_BACK>, Odd<Q>>(s, gather(s, tile, 0, 1));
            let mut i = 0;
            while i < POINTS {
                s.store(&mut self.out[BLOCK * i + r], barrett::exact::<S, Q>(s, y[i]));
                i += 1;
            }
        }
    }
}
