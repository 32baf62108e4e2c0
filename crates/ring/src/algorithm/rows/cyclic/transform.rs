//! The kernels of the transform, forward and backward.

use super::PRODUCT;
use super::geometry::{BACK, COLUMNS, FIRST, Geometry, LAST, SECOND};
use super::plan::Plans;
use crate::algorithm::codelet::POINTS;
use crate::algorithm::codelet::run::{Code, Schedule};
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Simd, each};

/// What kernels need of a transform, whatever its parameters are.
pub(super) trait Cyclic: Copy {
    /// How the rows are cut.
    const GEOMETRY: Geometry;
    /// Its codelets with their reductions.
    const PLANS: &'static Plans;

    /// Codelet `I`.
    fn codelet<S: Simd, const I: usize>(self, s: S, x: [S::I16; POINTS]) -> [S::I16; POINTS];
    /// A row of super-row `k` of a second operand: times `W^k`, and as it is, both scaled.
    fn window<S: Simd>(self, s: S, k: usize, b: S::I16) -> [S::I16; 2];
}

/// Codelet `I` of a transform, for [`run`](crate::algorithm::codelet::run::run).
pub(super) struct Nth<P, const I: usize>(PhantomData<P>);

impl<P: Cyclic, const I: usize> Code for Nth<P, I> {
    const SIGN: Schedule = Schedule::of(&P::PLANS.sign.chain.codelets[I]);
    const BARRETT: Schedule = Schedule::of(&P::PLANS.barrett.chain.codelets[I]);
}

/// The first pass forward: a codelet for each column.
pub(super) struct Columns<'a, P, const OPERAND: usize, const ROWS: usize> {
    pub(super) by: P,
    pub(super) input: &'a [Row; OPERAND],
    pub(super) out: &'a mut [Row; ROWS],
}

impl<P: Cyclic, const OPERAND: usize, const ROWS: usize> Columns<'_, P, OPERAND, ROWS> {
    /// [`places`], evaluated once for all columns.
    const PLACES: [[u8; POINTS]; POINTS] = places(&P::GEOMETRY);

    /// The column of codelet `I`.
    #[inline(always)]
    fn column<S: Simd, const I: usize>(&mut self, s: S) {
        let Geometry { a, b, width, .. } = const { P::GEOMETRY };
        let c = const { I - COLUMNS };
        let places = const { &Self::PLACES[I - COLUMNS] };
        let mut j = 0;
        while j < width {
            let x: [_; POINTS] = each(
                #[inline(always)]
                |r| {
                    let row = places[r] as usize + j;
                    if r < a && row < OPERAND { s.load(&self.input[row]) } else { s.splat(0) }
                },
            );
            let y = self.by.codelet::<S, I>(s, x);
            let mut r = 0;
            while r < a {
                s.store(&mut self.out[(b * r + c) * width + j], y[r]);
                r += 1;
            }
            j += 1;
        }
    }
}

impl<P: Cyclic, const OPERAND: usize, const ROWS: usize> Kernel for Columns<'_, P, OPERAND, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        // Constants, so that nothing is made of columns that are not there.
        macro_rules! columns {
            ($($i:literal)*) => { $(
                if const { $i - COLUMNS < P::GEOMETRY.b } {
                    self.column::<S, $i>(s);
                }
            )* };
        }
        // COLUMNS and the fifteen behind it.
        columns!(4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    }
}

/// The first row of the super-row that is point `r` of column `c`, in an operand and in a product:
/// `places[c][r]`.
const fn places(geometry: &Geometry) -> [[u8; POINTS]; POINTS] {
    let (mut places, mut c) = ([[0; POINTS]; POINTS], 0);
    while c < geometry.b {
        let mut r = 0;
        while r < geometry.a {
            places[c][r] = (geometry.width * geometry.place(r, c)) as u8;
            r += 1;
        }
        c += 1;
    }
    places
}

/// Loads `n` rows, `step` apart; zeroes behind them.
#[inline(always)]
fn gather<S: Simd, const ROWS: usize>(
    s: S,
    rows: &[Row; ROWS],
    at: usize,
    step: usize,
    n: usize,
) -> [S::I16; POINTS] {
    each(
        #[inline(always)]
        |i| if i < n { s.load(&rows[at + step * i]) } else { s.splat(0) },
    )
}

/// Codelet `I` on the points of each row of each line of super-rows, in place; `finish` has the results
/// before they are stored.
#[inline(always)]
fn lines<S: Simd, P: Cyclic, const I: usize, const ROWS: usize>(
    s: S,
    by: P,
    rows: &mut [Row; ROWS],
    finish: impl Fn(S::I16) -> S::I16,
) {
    let Geometry { a, b, width, .. } = const { P::GEOMETRY };
    let mut i = 0;
    while i < a * width {
        let at = b * width * (i / width) + i % width;
        let y = by.codelet::<S, I>(s, gather(s, rows, at, width, b));
        let mut c = 0;
        while c < b {
            s.store(&mut rows[at + width * c], finish(y[c]));
            c += 1;
        }
        i += 1;
    }
}

/// The second pass of the first operand, in place; pairs are swapped for the base products.
pub(super) struct FirstRows<'a, P, const ROWS: usize> {
    pub(super) by: P,
    pub(super) rows: &'a mut [Row; ROWS],
}

impl<P: Cyclic, const ROWS: usize> Kernel for FirstRows<'_, P, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        lines::<S, P, FIRST, ROWS>(
            s,
            self.by,
            self.rows,
            #[inline(always)]
            |y| s.swap_pairs(y),
        );
    }
}

/// The second pass of the second operand: the windows `[W^k b | b]`.
pub(super) struct SecondRows<'a, P, const ROWS: usize, const PAIRS: usize> {
    pub(super) by: P,
    pub(super) rows: &'a [Row; ROWS],
    pub(super) windows: &'a mut [[Row; 2]; PAIRS],
}

impl<P: Cyclic, const ROWS: usize, const PAIRS: usize> SecondRows<'_, P, ROWS, PAIRS> {
    /// Row `J` of all super-rows.
    #[inline(always)]
    fn rows<S: Simd, const J: usize>(&mut self, s: S) {
        let Geometry { a, b, width, .. } = const { P::GEOMETRY };
        let mut r = 0;
        while r < a {
            let x = gather(s, self.rows, b * width * r + J, width, b);
            let y = self.by.codelet::<S, SECOND>(s, x);
            let mut c = 0;
            while c < b {
                let [twisted, plain] = self.by.window(s, b * r + c, y[c]);
                let first = (2 * width - 1) * (b * r + c);
                put(s, self.windows, first, 2 * width, J, twisted);
                put(s, self.windows, first, 2 * width, J + width, plain);
                c += 1;
            }
            r += 1;
        }
    }
}

impl<P: Cyclic, const ROWS: usize, const PAIRS: usize> Kernel for SecondRows<'_, P, ROWS, PAIRS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        self.rows::<S, 0>(s);
        if const { P::GEOMETRY.width > 1 } {
            self.rows::<S, 1>(s);
        }
        if const { P::GEOMETRY.width > 2 } {
            self.rows::<S, 2>(s);
        }
    }
}

/// Row `j` of so many, in the windows of two neighbours that begin at `first`.
#[inline(always)]
pub(super) fn put<S: Simd, const PAIRS: usize>(
    s: S,
    windows: &mut [[Row; 2]; PAIRS],
    first: usize,
    rows: usize,
    j: usize,
    row: S::I16,
) {
    if j > 0 {
        s.store(&mut windows[first + j - 1][1], row);
    }
    if j + 1 < rows {
        s.store(&mut windows[first + j][0], row);
    }
}

/// The transform backwards; spoils its input.
pub(super) struct Backward<'a, P, const ROWS: usize> {
    pub(super) by: P,
    pub(super) rows: &'a mut [Row; ROWS],
    pub(super) out: &'a mut [Row; PRODUCT],
}

impl<P: Cyclic, const ROWS: usize> Kernel for Backward<'_, P, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        lines::<S, P, BACK, ROWS>(
            s,
            self.by,
            self.rows,
            #[inline(always)]
            |y| y,
        );
        let Geometry { a, b, width, .. } = const { P::GEOMETRY };
        let places = const { &places(&P::GEOMETRY) };
        let mut i = 0;
        while i < b * width {
            let y = self.by.codelet::<S, LAST>(s, gather(s, self.rows, i, b * width, a));
            let mut r = 0;
            while r < a {
                let place = places[i / width][r].wrapping_add((i % width) as u8);
                s.store(&mut self.out[place as usize], y[r]);
                r += 1;
            }
            i += 1;
        }
    }
}
