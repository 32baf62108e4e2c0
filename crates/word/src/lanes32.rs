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
use crate::lanes::{Arithmetic, Body, Kind, Lanes, OnLanes, TwoRows};
use crate::memory::{Lines, Rows};
use crate::pair::Pair;
use ringsmith_simd::{Cpu, Kernel, Line32, RowLanes, Simd, TwoRowLanes, WideLanes, WideRow, each};

/// What reduces sums of products, and the steps that keep lanes within its bounds.
pub(crate) trait Reduction: Copy + 'static {
    /// A prime and what follows from it.
    type Prime: Copy;
    /// The constants of a prime, in all lanes.
    type Constants<V: RowLanes>: Copy;

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
    fn constants<V: RowLanes>(v: V, prime: &Self::Prime) -> Self::Constants<V>;
    /// A sum of products, reduced.
    fn reduced<V: RowLanes>(l: Lanes32<V, Self>, sum: V::LaneProducts) -> V::Lanes;
    /// The steps of a row before a butterfly forward adds a product to it.
    fn step<V: RowLanes>(l: Lanes32<V, Self>, a: V::Lanes) -> V::Lanes;
    /// The steps of the same row between two layers at once.
    fn step_between<V: RowLanes>(l: Lanes32<V, Self>, a: V::Lanes) -> V::Lanes;
    /// The steps of a sum of a butterfly backward.
    fn step_back<V: RowLanes>(l: Lanes32<V, Self>, sum: V::Lanes) -> V::Lanes;
    /// Of the sums of both pairs in the first of two layers backward: their sum and their difference.
    fn sums_back<V: RowLanes>(l: Lanes32<V, Self>, a: V::Lanes, c: V::Lanes) -> [V::Lanes; 2];
    /// A lane as forward transforms leave it, as one that goes backward.
    fn turned<V: RowLanes>(l: Lanes32<V, Self>, a: V::Lanes) -> V::Lanes;
    /// A lane as forward transforms leave it, as the second factor of a product.
    fn second<V: RowLanes>(l: Lanes32<V, Self>, a: V::Lanes) -> V::Lanes;
}

/// With AVX-512 two rows at once.
impl<R: Reduction, B: Body<R>> Kernel for OnLanes<'_, R, B> {
    type Out = B::Out;
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> B::Out {
        let one = Lanes32::<_, R>::new(s, self.prime);
        self.body.run(OneRow { one, two: Alone })
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, s: S, w: W) -> B::Out {
        let (one, two) = (Lanes32::<_, R>::new(s, self.prime), Lanes32::<_, R>::new(w, self.prime));
        self.body.run(OneRow { one, two })
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

/// The arithmetic in the vectors of a token, of a row or of two.
#[derive(Clone, Copy)]
pub(crate) struct Lanes32<V: RowLanes, R: Reduction> {
    /// The token.
    pub(crate) v: V,
    /// The prime.
    pub(crate) p: V::Lanes,
    /// What the reduction needs beside.
    pub(crate) constants: R::Constants<V>,
    square: V::Lanes,
}

impl<V: RowLanes, R: Reduction> Lanes32<V, R> {
    /// Of a prime.
    #[inline(always)]
    pub(crate) fn new(v: V, prime: &R::Prime) -> Self {
        let [p, square] = [v.splat_lanes(R::p(prime) as i32), v.splat_lanes(R::square(prime))];
        Lanes32 { v, p, constants: R::constants(v, prime), square }
    }

    /// A product, reduced.
    #[inline(always)]
    fn times(self, a: V::Lanes, b: V::Lanes) -> V::Lanes {
        R::reduced(self, self.v.multiply_lanes(a, b))
    }

    /// `a + t` and `a - t`.
    #[inline(always)]
    pub(crate) fn both(self, a: V::Lanes, t: V::Lanes) -> [V::Lanes; 2] {
        [self.v.add_lanes(a, t), self.v.sub_lanes(a, t)]
    }

    /// `u_0 a + v_0 b` and `u_1 a - v_1 b`.
    #[inline(always)]
    fn across(self, [a, b]: [V::Lanes; 2], u: [V::Lanes; 2], v: [V::Lanes; 2]) -> [V::Lanes; 2] {
        let by = self.v;
        let sum = by.add_products(by.multiply_lanes(a, u[0]), by.multiply_lanes(b, v[0]));
        let difference = by.sub_products(by.multiply_lanes(a, u[1]), by.multiply_lanes(b, v[1]));
        [R::reduced(self, sum), R::reduced(self, difference)]
    }
}

impl<V: RowLanes, R: Reduction> Arithmetic for Lanes32<V, R> {
    type Vector = V::Lanes;
    type Factors = V::Lanes;
    type Cross = [V::Lanes; 2];
    type Operand = V::Lanes;

    #[inline(always)]
    fn butterfly(self, a: V::Lanes, b: V::Lanes, w: V::Lanes) -> [V::Lanes; 2] {
        self.both(R::step(self, a), self.times(b, w))
    }
    #[inline(always)]
    fn butterfly_back(self, a: V::Lanes, b: V::Lanes, w: V::Lanes) -> [V::Lanes; 2] {
        let [sum, difference] = self.both(a, b);
        [R::step_back(self, sum), self.times(difference, w)]
    }
    #[inline(always)]
    fn quad(self, x: [V::Lanes; 4], [w, v0, v1]: [V::Lanes; 3], cross: [V::Lanes; 2]) -> [V::Lanes; 4] {
        let [a, c] = self.both(R::step(self, x[0]), self.times(x[2], w));
        let [b, d] = self.across([x[1], x[3]], [v0, v1], cross);
        let ([a, b], [c, d]) =
            (self.both(R::step_between(self, a), b), self.both(R::step_between(self, c), d));
        [a, b, c, d]
    }
    #[inline(always)]
    fn quad_back(
        self,
        x: [V::Lanes; 4],
        [w, v0, v1]: [V::Lanes; 3],
        cross: [V::Lanes; 2],
        _: bool,
    ) -> [V::Lanes; 4] {
        let ([a, b], [c, d]) = (self.both(x[0], x[1]), self.both(x[2], x[3]));
        let [b, d] = self.across([b, d], [v0, cross[0]], [v1, cross[1]]);
        let [a, c] = R::sums_back(self, a, c);
        [a, b, self.times(c, w), d]
    }
    /// Nothing: every sum has taken its steps.
    #[inline(always)]
    fn end_back(self, x: V::Lanes) -> V::Lanes {
        x
    }
    #[inline(always)]
    fn transpose(self, x: [V::Lanes; 8]) -> [V::Lanes; 8] {
        self.v.transpose_lanes(x)
    }
    #[inline(always)]
    fn renew(self, x: V::Lanes) -> V::Lanes {
        x
    }
    #[inline(always)]
    fn reduce(self, x: V::Lanes) -> V::Lanes {
        R::turned(self, x)
    }
    #[inline(always)]
    fn scale(self, x: V::Lanes, factor: V::Lanes) -> V::Lanes {
        self.times(x, factor)
    }
    #[inline(always)]
    fn operand(self, x: V::Lanes) -> V::Lanes {
        R::second(self, x)
    }
    #[inline(always)]
    fn product(self, a: V::Lanes, b: V::Lanes) -> V::Lanes {
        R::turned(self, self.times(a, b))
    }
}

/// A row in a vector of a token, and what two rows at once are computed by.
#[derive(Clone, Copy)]
struct OneRow<S: Simd, R: Reduction, T> {
    one: Lanes32<S, R>,
    two: T,
}

/// What computes two rows at once.
trait Twice<S: Simd, R: Reduction>: Copy {
    /// Whether it is faster than one row after the other.
    const FASTER: bool;
    /// The lanes of two rows.
    type Two: TwoRows<OneRow<S, R, Self>>;
    /// The same.
    fn two(of: OneRow<S, R, Self>) -> Self::Two;
}

/// The vectors of one row.
#[derive(Clone, Copy)]
struct Alone;

impl<S: Simd, R: Reduction> Twice<S, R> for Alone {
    const FASTER: bool = false;
    type Two = Pair<OneRow<S, R, Self>>;
    #[inline(always)]
    fn two(of: OneRow<S, R, Self>) -> Self::Two {
        Pair(of)
    }
}

impl<S: Simd, R: Reduction, V: TwoRowLanes> Twice<S, R> for Lanes32<V, R> {
    const FASTER: bool = true;
    type Two = Self;
    #[inline(always)]
    fn two(of: OneRow<S, R, Self>) -> Self {
        of.two
    }
}

impl<S: Simd, R: Reduction, V: TwoRowLanes> TwoRows<OneRow<S, R, Self>> for Lanes32<V, R> {
    const ONE_VECTOR: bool = true;

    #[inline(always)]
    fn load_apart(self, lines: [&Line32; 2]) -> V::Lanes {
        self.v.load_rows([&lines[0].0, &lines[1].0])
    }
    #[inline(always)]
    fn store_apart(self, [first, second]: [&mut Line32; 2], x: V::Lanes) {
        self.v.store_rows([&mut first.0, &mut second.0], x);
    }
    #[inline(always)]
    fn load_together(self, lines: &[Line32; 2]) -> V::Lanes {
        self.v.load_lines(lines)
    }
    #[inline(always)]
    fn store_together(self, lines: &mut [Line32; 2], x: V::Lanes) {
        self.v.store_lines(lines, x);
    }
    #[inline(always)]
    fn splat(self, factors: [i32; 2]) -> V::Lanes {
        self.v.splat_rows(factors)
    }
    #[inline(always)]
    fn splat_cross(self, [a, b]: [[i32; 2]; 2]) -> [V::Lanes; 2] {
        [self.v.splat_rows([a[0], b[0]]), self.v.splat_rows([a[1], b[1]])]
    }
    #[inline(always)]
    fn load_factors(self, lines: [&Line32; 2]) -> V::Lanes {
        self.v.load_rows([&lines[0].0, &lines[1].0])
    }
    #[inline(always)]
    fn load_cross(self, [a, b]: [&[Line32; 2]; 2]) -> [V::Lanes; 2] {
        [self.v.load_rows([&a[0].0, &b[0].0]), self.v.load_rows([&a[1].0, &b[1].0])]
    }
    #[inline(always)]
    fn load_operands(self, lines: &[Line32; 2]) -> V::Lanes {
        self.v.load_lines(lines)
    }
}

/// That of the row.
impl<S: Simd, R: Reduction, T: Copy> Arithmetic for OneRow<S, R, T> {
    type Vector = S::I32;
    type Factors = S::I32;
    type Cross = [S::I32; 2];
    type Operand = S::I32;

    #[inline(always)]
    fn butterfly(self, a: S::I32, b: S::I32, w: S::I32) -> [S::I32; 2] {
        self.one.butterfly(a, b, w)
    }
    #[inline(always)]
    fn butterfly_back(self, a: S::I32, b: S::I32, w: S::I32) -> [S::I32; 2] {
        self.one.butterfly_back(a, b, w)
    }
    #[inline(always)]
    fn quad(self, x: [S::I32; 4], w: [S::I32; 3], cross: [S::I32; 2]) -> [S::I32; 4] {
        self.one.quad(x, w, cross)
    }
    #[inline(always)]
    fn quad_back(self, x: [S::I32; 4], w: [S::I32; 3], cross: [S::I32; 2], sums: bool) -> [S::I32; 4] {
        self.one.quad_back(x, w, cross, sums)
    }
    #[inline(always)]
    fn end_back(self, x: S::I32) -> S::I32 {
        self.one.end_back(x)
    }
    #[inline(always)]
    fn transpose(self, x: [S::I32; 8]) -> [S::I32; 8] {
        self.one.transpose(x)
    }
    #[inline(always)]
    fn renew(self, x: S::I32) -> S::I32 {
        self.one.renew(x)
    }
    #[inline(always)]
    fn reduce(self, x: S::I32) -> S::I32 {
        self.one.reduce(x)
    }
    #[inline(always)]
    fn scale(self, x: S::I32, factor: S::I32) -> S::I32 {
        self.one.scale(x, factor)
    }
    #[inline(always)]
    fn operand(self, x: S::I32) -> S::I32 {
        self.one.operand(x)
    }
    #[inline(always)]
    fn product(self, a: S::I32, b: S::I32) -> S::I32 {
        self.one.product(a, b)
    }
}

impl<S: Simd, R: Reduction, T: Twice<S, R>> Lanes for OneRow<S, R, T> {
    type Kind = R;
    type Two = T::Two;
    const TWO: bool = T::FASTER;

    #[inline(always)]
    fn two(self) -> T::Two {
        T::two(self)
    }
    #[inline(always)]
    fn load(self, line: &Line32, _: usize) -> S::I32 {
        self.one.v.load32(&line.0)
    }
    #[inline(always)]
    fn store(self, line: &mut Line32, _: usize, x: S::I32) {
        self.one.v.store32(&mut line.0, x);
    }
    #[inline(always)]
    fn splat(self, factor: i32) -> S::I32 {
        self.one.v.splat32(factor)
    }
    #[inline(always)]
    fn splat_cross(self, [v, u]: [i32; 2]) -> [S::I32; 2] {
        [self.splat(v), self.splat(u)]
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
    fn load_operand(self, lines: &[Line32], _: usize) -> S::I32 {
        self.load(&lines[0], 0)
    }
    #[inline(always)]
    fn store_operand(self, lines: &mut [Line32], _: usize, x: S::I32) {
        self.store(&mut lines[0], 0, x);
    }
    #[inline(always)]
    fn add_product(self, sum: S::I32, product: S::I32) -> S::I32 {
        R::step_back(self.one, self.one.v.add32(R::turned(self.one, sum), product))
    }
    #[inline(always)]
    fn read(self, numbers: &WideRow, _: usize) -> S::I32 {
        let row = each(
            #[inline(always)]
            |i| numbers[i] as i32,
        );
        self.one.times(self.one.v.load32(&row), self.one.square)
    }
    #[inline(always)]
    fn begin(self, x: S::I32) -> S::I32 {
        x
    }
    /// A reduced product by 1 is in `(-p, p)`.
    #[inline(always)]
    fn write(self, numbers: &mut WideRow, _: usize, x: S::I32) {
        let s = self.one.v;
        let x = self.one.times(x, s.splat32(1));
        let negative = s.shift_right32::<31>(x);
        let mut row = [0; 8];
        s.store32(&mut row, s.add32(x, s.and32(negative, self.one.p)));
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
