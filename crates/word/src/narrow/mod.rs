//! Lanes of 32 bits: arithmetic modulo primes below `2^30`, lazily reduced.
//!
//! # The maps
//! Numbers are signed, and kept times `R = 2^32` modulo `p`. Constants are centred, and kept likewise, so
//! that a reduced product (`ringsmith_simd::ProductLanes`) is the product, kept likewise: of a value and a
//! constant, or of two values. Nothing is prepared, and a transform there and back undoes nothing.
//!
//! A butterfly is a reduced product, a sum and a difference; before these, `a` takes a *step*: `p` is taken
//! off or added, towards 0. Two layers at once are three reductions in place of four. With `w` the factor of
//! a node, `v` and `v'` those of its children, rows `x_0 .. x_3` become
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
//! # Bounds
//! `bounds`: lanes are at most `2 p` forward and at most `p` backward, in absolute value.
//!
//! # Source
//! The reduced product: see `ringsmith_simd::ProductLanes`. That a sum of products is reduced once is usual;
//! steps are those of the transforms of 16 bits.

mod bounds;

use crate::WordError;
use crate::lanes::{Body, Kind, Lanes, OnLanes};
use crate::memory::{Line32, Rows};
use crate::number;
pub(crate) use bounds::PRIME_BITS;
use ringsmith_simd::{Cpu, Kernel, Simd, WideRow, each, transpose32};

/// This kind of lanes.
#[derive(Clone, Copy)]
pub(crate) struct Narrow;

/// A prime and what follows from it.
#[derive(Clone, Copy)]
pub(crate) struct Prime {
    /// The prime.
    p: u64,
    /// `p^-1` modulo `2^32`.
    inverse: i32,
    /// `R^2` modulo `p`, by which a reduced product is a number as it is kept.
    square: i32,
}

impl Prime {
    /// Of an odd prime below `2^30`.
    fn new(p: u64) -> Self {
        let inverse = number::inverse_of_word(p) as i32;
        let mut prime = Prime { p, inverse, square: 0 };
        prime.square = prime.kept(prime.kept(1) as u64 % p);
        prime
    }

    /// `w R` modulo `p`, in `[0, p)`, for `w < p`.
    fn kept(&self, w: u64) -> i32 {
        ((w << u32::BITS) % self.p) as i32
    }

    /// The centred one of a number in `[0, p)`.
    fn centred(&self, w: i32) -> i32 {
        if 2 * i64::from(w) > self.p as i64 { w - self.p as i32 } else { w }
    }
}

/// `x / R` modulo `p`, in `[0, p)`, for a lane and `p^-1` modulo `2^32`: [`Lanes::write`] of one.
pub(crate) fn number(x: i32, p: u64, inverse: u64) -> u64 {
    let multiple = i64::from(x.wrapping_mul(inverse as i32)) * p as i64;
    let quotient = (i64::from(x) - multiple) >> u32::BITS;
    (quotient + (p as i64 & quotient >> u32::BITS)) as u64
}

impl<B: Body<Narrow>> Kernel for OnLanes<'_, Narrow, B> {
    type Out = B::Out;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> B::Out {
        self.body.run(Lanes32::new(s, self.prime))
    }
}

impl Kind for Narrow {
    type Cpu = Cpu;
    type Line = Line32;
    type Prime = Prime;
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
    fn prime(_: Cpu, p: u64) -> Prime {
        Prime::new(p)
    }
    fn factor(prime: &Prime, w: u64) -> i32 {
        prime.centred(prime.kept(w))
    }
    fn cross(prime: &Prime, [w, v, u]: [u64; 3]) -> [i32; 2] {
        [v, u].map(|x| Self::factor(prime, w * x % prime.p))
    }
    fn put(line: &mut Line32, lane: usize, factor: i32) {
        line.0[lane] = factor;
    }
    fn put_cross(lines: &mut [Line32; 2], lane: usize, cross: [i32; 2]) {
        lines.iter_mut().zip(cross).for_each(|(line, cross)| line.0[lane] = cross);
    }
    fn zero(_: &Prime) -> Line32 {
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
    fn run<B: Body<Self>>(on: Cpu, prime: &Prime, body: B) -> B::Out {
        on.run(OnLanes { prime, body })
    }
    fn rows(count: usize) -> Result<Rows, WordError> {
        Rows::narrow(count)
    }
    fn lines(rows: &Rows) -> Result<&[Line32], WordError> {
        match rows {
            Rows::Narrow(lines) => Ok(lines),
            _ => Err(WordError::OtherRing),
        }
    }
    fn lines_mut(rows: &mut Rows) -> Result<&mut [Line32], WordError> {
        match rows {
            Rows::Narrow(lines) => Ok(lines),
            _ => Err(WordError::OtherRing),
        }
    }
}

/// The arithmetic in the lanes of a token.
#[derive(Clone, Copy)]
pub(crate) struct Lanes32<S: Simd> {
    s: S,
    p: S::I32,
    inverse: S::I32,
    square: S::I32,
}

impl<S: Simd> Lanes32<S> {
    /// Of a prime.
    #[inline(always)]
    fn new(s: S, prime: &Prime) -> Self {
        let [p, inverse, square] =
            [s.splat32(prime.p as i32), s.splat32(prime.inverse), s.splat32(prime.square)];
        Lanes32 { s, p, inverse, square }
    }

    /// A sum of products, reduced.
    #[inline(always)]
    fn reduced(self, x: S::Products) -> S::I32 {
        self.s.montgomery32(x, self.p, self.inverse)
    }

    /// A product, reduced.
    #[inline(always)]
    fn times(self, a: S::I32, b: S::I32) -> S::I32 {
        self.reduced(self.s.products32(a, b))
    }

    /// A step towards 0.
    #[inline(always)]
    fn step(self, a: S::I32) -> S::I32 {
        self.s.step32(a, self.p)
    }

    /// `a + t` and `a - t`.
    #[inline(always)]
    fn both(self, a: S::I32, t: S::I32) -> [S::I32; 2] {
        [self.s.add32(a, t), self.s.sub32(a, t)]
    }

    /// `u_0 a + v_0 b` and `u_1 a - v_1 b`.
    #[inline(always)]
    fn across(self, [a, b]: [S::I32; 2], u: [S::I32; 2], v: [S::I32; 2]) -> [S::I32; 2] {
        let s = self.s;
        let sum = s.add_products32(s.products32(a, u[0]), s.products32(b, v[0]));
        let difference = s.sub_products32(s.products32(a, u[1]), s.products32(b, v[1]));
        [self.reduced(sum), self.reduced(difference)]
    }
}

impl<S: Simd> Lanes for Lanes32<S> {
    type Kind = Narrow;
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
        self.both(self.step(a), self.times(b, w))
    }
    #[inline(always)]
    fn butterfly_back(self, a: S::I32, b: S::I32, w: S::I32) -> [S::I32; 2] {
        let [sum, difference] = self.both(a, b);
        [self.step(sum), self.times(difference, w)]
    }
    #[inline(always)]
    fn quad(self, x: [S::I32; 4], [w, v0, v1]: [S::I32; 3], cross: [S::I32; 2]) -> [S::I32; 4] {
        let [a, c] = self.both(self.step(x[0]), self.times(x[2], w));
        let [b, d] = self.across([x[1], x[3]], [v0, v1], cross);
        let ([a, b], [c, d]) = (self.both(self.step(a), b), self.both(self.step(c), d));
        [a, b, c, d]
    }
    #[inline(always)]
    fn quad_back(self, x: [S::I32; 4], [w, v0, v1]: [S::I32; 3], cross: [S::I32; 2], _: bool) -> [S::I32; 4] {
        let ([a, b], [c, d]) = (self.both(x[0], x[1]), self.both(x[2], x[3]));
        let [b, d] = self.across([b, d], [v0, cross[0]], [v1, cross[1]]);
        let [a, c] = self.both(self.step(a), self.step(c));
        [self.step(a), b, self.times(c, w), d]
    }
    /// Nothing: every sum has taken its step.
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
        self.step(x)
    }
    #[inline(always)]
    fn scale(self, x: S::I32, factor: S::I32) -> S::I32 {
        self.times(x, factor)
    }

    #[inline(always)]
    fn operand(self, x: S::I32) -> S::I32 {
        x
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
        self.step(self.times(a, b))
    }
    #[inline(always)]
    fn add_product(self, sum: S::I32, product: S::I32) -> S::I32 {
        self.step(self.s.add32(self.step(sum), product))
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
    /// A reduced product by 1 is at most `(p - 1) / 2`.
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
