//! Lanes of 32 bits: all that does not depend on how a product is reduced.
//!
//! # The maps
//! Numbers are signed, and kept times a power `R` that a reduction divides by. Constants are centred, and
//! kept likewise. So a reduced product is the product, kept likewise: of a value and a constant, or of two
//! values. Nothing is prepared, and a transform there and back undoes nothing.
//!
//! A butterfly is a reduced product, a sum and a difference. Two layers at once are three reductions in place
//! of four. With `w` the factor of a node, `v` and `v'` those of its children, rows `x_0 .. x_3` become
//!
//! ```text
//! x_0 + w x_2 +- (v x_1 + v w x_3)   and   x_0 - w x_2 +- (v' x_1 - v' w x_3).
//! ```
//!
//! Each bracket is a sum of full products, which is reduced once. Backward, with the inverses, and
//! `d = x_0 - x_1`, `d' = x_2 - x_3`, they become
//!
//! ```text
//! (x_0 + x_1) + (x_2 + x_3),   v d + v' d',   w ((x_0 + x_1) - (x_2 + x_3)),   v w d - v' w d'.
//! ```
//!
//! Between these a lane takes *steps*: a multiple of `p` is subtracted or added, towards 0. Which steps, and
//! where, is the reduction's choice ([`Reduction`]).
//!
//! # Bounds
//! Those of the reduction: [`narrow`](crate::narrow) and `k_red`.
//!
//! # Source
//! That a sum of products is reduced once is usual; steps are those of the transforms of 16 bits.

use crate::WordError;
use crate::lanes::{Body, Kind, Lanes, OnLanes};
use crate::memory::{Line32, Lines, Rows};
use ringsmith_simd::{Cpu, Kernel, Simd, WideRow, each, transpose32};

/// What reduces sums of products, and the steps that keep lanes within its bounds.
pub(crate) trait Reduction: Copy + 'static {
    /// A prime and what follows from it.
    type Prime: Copy;
    /// The constants of a prime, in all lanes.
    type Constants<S: Simd>: Copy;

    /// Of an odd prime that the reduction serves.
    fn of_prime(p: u64) -> Self::Prime;
    /// The prime itself.
    fn p(prime: &Self::Prime) -> u64;
    /// A constant below `p`, centred, as it is kept.
    fn constant(prime: &Self::Prime, w: u64) -> i32;
    /// `R^2` modulo `p`, by which a reduced product is a number as it is kept.
    fn square(prime: &Self::Prime) -> i32;
    /// Its rows, among those of all kinds.
    fn to_rows(lines: Lines<Line32>) -> Rows;
    /// The lines of its rows; `None` where the rows are another kind's.
    fn of_rows(rows: &Rows) -> Option<&Lines<Line32>>;
    /// The same, to write.
    fn of_rows_mut(rows: &mut Rows) -> Option<&mut Lines<Line32>>;

    /// The constants of a prime.
    fn constants<S: Simd>(s: S, prime: &Self::Prime) -> Self::Constants<S>;
    /// A sum of products, reduced.
    fn reduced<S: Simd>(l: Lanes32<S, Self>, sum: S::Products) -> S::I32;
    /// The steps of a row before a butterfly forward adds a product to it.
    fn step<S: Simd>(l: Lanes32<S, Self>, a: S::I32) -> S::I32;
    /// The steps of the same row between two layers at once.
    fn step_between<S: Simd>(l: Lanes32<S, Self>, a: S::I32) -> S::I32;
    /// The steps of a sum of a butterfly backward.
    fn step_back<S: Simd>(l: Lanes32<S, Self>, sum: S::I32) -> S::I32;
    /// Of the sums of both pairs in the first of two layers backward: their sum and their difference.
    fn sums_back<S: Simd>(l: Lanes32<S, Self>, a: S::I32, c: S::I32) -> [S::I32; 2];
    /// A lane as forward transforms leave it, as one that goes backward.
    fn turned<S: Simd>(l: Lanes32<S, Self>, a: S::I32) -> S::I32;
    /// A lane as forward transforms leave it, as the second factor of a product.
    fn second<S: Simd>(l: Lanes32<S, Self>, a: S::I32) -> S::I32;
}

impl<R: Reduction, B: Body<R>> Kernel for OnLanes<'_, R, B> {
    type Out = B::Out;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> B::Out {
        self.body.run(Lanes32::new(s, self.prime))
    }
}

impl<R: Reduction> Kind for R {
    type Cpu = Cpu;
    type Line = Line32;
    type Prime = R::Prime;
    type Factor = i32;
    /// The products of the first factor and the others.
    type Cross = [i32; 2];
    type FactorLines = Line32;
    type CrossLines = [Line32; 2];
    const PREPARED: usize = 1;
    /// 64 KiB: they need not stay in the first cache, since loads from the second are hidden.
    const NEAR: usize = 2048;

    fn on(cpu: Cpu) -> Option<Cpu> {
        Some(cpu)
    }
    fn prime(_: Cpu, p: u64) -> R::Prime {
        R::of_prime(p)
    }
    fn factor(prime: &R::Prime, w: u64) -> i32 {
        R::constant(prime, w)
    }
    fn cross(prime: &R::Prime, [w, v, u]: [u64; 3]) -> [i32; 2] {
        [v, u].map(|x| R::constant(prime, w * x % R::p(prime)))
    }
    fn put(line: &mut Line32, lane: usize, factor: i32) {
        line.0[lane] = factor;
    }
    fn put_cross(lines: &mut [Line32; 2], lane: usize, cross: [i32; 2]) {
        lines.iter_mut().zip(cross).for_each(|(line, cross)| line.0[lane] = cross);
    }
    fn zero(_: &R::Prime) -> Line32 {
        Line32::default()
    }
    /// Two layers at once, and three where their number is odd.
    #[inline(always)]
    fn radix(ratio: usize) -> usize {
        if ratio == 8 { 8 } else { ratio.min(4) }
    }
    #[inline(always)]
    fn transpose(rows: &mut [Line32; 8]) {
        let copy = *rows;
        rows.iter_mut().enumerate().for_each(|(i, row)| row.0 = copy.map(|of| of.0[i]));
    }
    fn run<B: Body<Self>>(on: Cpu, prime: &R::Prime, body: B) -> B::Out {
        on.run(OnLanes { prime, body })
    }
    fn rows(count: usize) -> Result<Rows, WordError> {
        Ok(R::to_rows(Lines::zero(count)?))
    }
    fn lines(rows: &Rows) -> Result<&[Line32], WordError> {
        Ok(R::of_rows(rows).ok_or(WordError::OtherRing)?)
    }
    fn lines_mut(rows: &mut Rows) -> Result<&mut [Line32], WordError> {
        Ok(R::of_rows_mut(rows).ok_or(WordError::OtherRing)?)
    }
}

/// The arithmetic in the lanes of a token.
#[derive(Clone, Copy)]
pub(crate) struct Lanes32<S: Simd, R: Reduction> {
    /// The token.
    pub(crate) s: S,
    /// The prime.
    pub(crate) p: S::I32,
    /// What the reduction needs beside.
    pub(crate) constants: R::Constants<S>,
    square: S::I32,
}

impl<S: Simd, R: Reduction> Lanes32<S, R> {
    /// Of a prime.
    #[inline(always)]
    pub(crate) fn new(s: S, prime: &R::Prime) -> Self {
        let [p, square] = [s.splat32(R::p(prime) as i32), s.splat32(R::square(prime))];
        Lanes32 { s, p, constants: R::constants(s, prime), square }
    }

    /// A product, reduced.
    #[inline(always)]
    fn times(self, a: S::I32, b: S::I32) -> S::I32 {
        R::reduced(self, self.s.products32(a, b))
    }

    /// `a + t` and `a - t`.
    #[inline(always)]
    pub(crate) fn both(self, a: S::I32, t: S::I32) -> [S::I32; 2] {
        [self.s.add32(a, t), self.s.sub32(a, t)]
    }

    /// `u_0 a + v_0 b` and `u_1 a - v_1 b`.
    #[inline(always)]
    fn across(self, [a, b]: [S::I32; 2], u: [S::I32; 2], v: [S::I32; 2]) -> [S::I32; 2] {
        let s = self.s;
        let sum = s.add_products32(s.products32(a, u[0]), s.products32(b, v[0]));
        let difference = s.sub_products32(s.products32(a, u[1]), s.products32(b, v[1]));
        [R::reduced(self, sum), R::reduced(self, difference)]
    }
}

impl<S: Simd, R: Reduction> Lanes for Lanes32<S, R> {
    type Kind = R;
    type Vector = S::I32;
    type Factors = S::I32;
    type Cross = [S::I32; 2];
    type Operand = S::I32;

    #[inline(always)]
    fn load(self, line: &Line32, _: usize) -> S::I32 {
        self.s.load32(&line.0)
    }
    #[inline(always)]
    fn store(self, line: &mut Line32, _: usize, x: S::I32) {
        self.s.store32(&mut line.0, x);
    }
    #[inline(always)]
    fn splat(self, factor: i32) -> S::I32 {
        self.s.splat32(factor)
    }
    #[inline(always)]
    fn splat_cross(self, [v, u]: [i32; 2]) -> [S::I32; 2] {
        [self.s.splat32(v), self.s.splat32(u)]
    }
    #[inline(always)]
    fn load_factors(self, line: &Line32, _: usize) -> S::I32 {
        self.load(line, 0)
    }
    #[inline(always)]
    fn load_cross(self, [v, u]: &[Line32; 2], _: usize) -> [S::I32; 2] {
        [self.load(v, 0), self.load(u, 0)]
    }

    #[inline(always)]
    fn butterfly(self, a: S::I32, b: S::I32, w: S::I32) -> [S::I32; 2] {
        self.both(R::step(self, a), self.times(b, w))
    }
    #[inline(always)]
    fn butterfly_back(self, a: S::I32, b: S::I32, w: S::I32) -> [S::I32; 2] {
        let [sum, difference] = self.both(a, b);
        [R::step_back(self, sum), self.times(difference, w)]
    }
    #[inline(always)]
    fn quad(self, x: [S::I32; 4], [w, v0, v1]: [S::I32; 3], cross: [S::I32; 2]) -> [S::I32; 4] {
        let [a, c] = self.both(R::step(self, x[0]), self.times(x[2], w));
        let [b, d] = self.across([x[1], x[3]], [v0, v1], cross);
        let ([a, b], [c, d]) =
            (self.both(R::step_between(self, a), b), self.both(R::step_between(self, c), d));
        [a, b, c, d]
    }
    #[inline(always)]
    fn quad_back(self, x: [S::I32; 4], [w, v0, v1]: [S::I32; 3], cross: [S::I32; 2], _: bool) -> [S::I32; 4] {
        let ([a, b], [c, d]) = (self.both(x[0], x[1]), self.both(x[2], x[3]));
        let [b, d] = self.across([b, d], [v0, cross[0]], [v1, cross[1]]);
        let [a, c] = R::sums_back(self, a, c);
        [a, b, self.times(c, w), d]
    }
    /// Nothing: every sum has taken its steps.
    #[inline(always)]
    fn end_back(self, x: S::I32) -> S::I32 {
        x
    }
    #[inline(always)]
    fn transpose(self, x: [S::I32; 8]) -> [S::I32; 8] {
        transpose32(self.s, x)
    }

    #[inline(always)]
    fn renew(self, x: S::I32) -> S::I32 {
        x
    }
    #[inline(always)]
    fn reduce(self, x: S::I32) -> S::I32 {
        R::turned(self, x)
    }
    #[inline(always)]
    fn scale(self, x: S::I32, factor: S::I32) -> S::I32 {
        self.times(x, factor)
    }

    #[inline(always)]
    fn operand(self, x: S::I32) -> S::I32 {
        R::second(self, x)
    }
    #[inline(always)]
    fn load_operand(self, lines: &[Line32], _: usize) -> S::I32 {
        self.load(&lines[0], 0)
    }
    #[inline(always)]
    fn store_operand(self, lines: &mut [Line32], _: usize, x: S::I32) {
        self.store(&mut lines[0], 0, x);
    }
    #[inline(always)]
    fn product(self, a: S::I32, b: S::I32) -> S::I32 {
        R::turned(self, self.times(a, b))
    }
    #[inline(always)]
    fn add_product(self, sum: S::I32, product: S::I32) -> S::I32 {
        R::step_back(self, self.s.add32(R::turned(self, sum), product))
    }

    #[inline(always)]
    fn read(self, numbers: &WideRow, _: usize) -> S::I32 {
        let row = each(
            #[inline(always)]
            |i| numbers[i] as i32,
        );
        self.times(self.s.load32(&row), self.square)
    }
    #[inline(always)]
    fn begin(self, x: S::I32) -> S::I32 {
        x
    }
    /// A reduced product by 1 is in `(-p, p)`.
    #[inline(always)]
    fn write(self, numbers: &mut WideRow, _: usize, x: S::I32) {
        let x = self.times(x, self.s.splat32(1));
        let negative = self.s.shift_right32::<31>(x);
        let mut row = [0; 8];
        self.s.store32(&mut row, self.s.add32(x, self.s.and32(negative, self.p)));
        let mut i = 0;
        while i < row.len() {
            numbers[i] = row[i] as u64;
            i += 1;
        }
    }
    #[inline(always)]
    fn write_values(self, numbers: &mut WideRow, _: usize, x: S::I32) {
        self.write(numbers, 0, x);
    }
}
