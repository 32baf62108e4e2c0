//! Lanes of 32 bits whose constants have quotients: arithmetic modulo primes below `2^30`, lazily reduced,
//! for CPUs that compute 16 lanes at once.
//!
//! # The maps
//! Numbers have no sign, and are kept times `R = 2^32`; constants `w` are as they are, beside their quotients
//! `w' = floor(2^32 w / p)`. A product by a constant is four multiplications for 16 lanes, of which one
//! waits for others (`ringsmith_simd::TwoRowLanes`, where the proof is). Montgomery's takes six, of which
//! four wait. The product is kept times `R` as its operand is. Products of two values are Montgomery's:
//! nothing is prepared.
//!
//! A butterfly forward is
//!
//! ```text
//! a' + w b   and   a' - w b + 2 p,
//! ```
//!
//! where `a'` is `a`, or `a - 2 p` where that is not negative: the *step*, which is a subtraction and a
//! minimum. Backward it is `a + b`, stepped, and `w (a - b + 2 p)`. Two layers at once would save nothing:
//! a reduced sum of two products takes seven multiplications, two products eight, and sums take more steps.
//!
//! A row is in a vector of two; what goes row by row computes another row of no meaning.
//!
//! # Bounds
//! `bounds`: lanes are below `4 p` forward, and below `2 p` backward.
//!
//! # Source
//! V. Shoup's quotients (NTL), and D. Harvey's butterflies, *Faster arithmetic for number-theoretic
//! transforms*, Journal of Symbolic Computation 60 (2014). The reduced product of values: see
//! `ringsmith_simd::ProductLanes`.

mod bounds;

use crate::WordError;
use crate::lanes::{Arithmetic, Body, Kind, Lanes, OnLanes, TwoRows};
use crate::memory::{Lines, Rows};
use crate::number;
use ringsmith_simd::{Cpu, Cpu52, Kernel, Line32, RowsApart, Simd, TwoRowLanes, WideLanes, WideRow, each};

/// This kind of lanes.
#[derive(Clone, Copy)]
pub(crate) struct Quotients;

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
        let kept = (1 << u32::BITS) % p;
        Prime { p, inverse, square: (kept * kept % p) as i32 }
    }
}

/// With AVX-512 two rows in a register, in plain Rust in two.
impl<B: Body<Quotients>> Kernel for OnLanes<'_, Quotients, B> {
    type Out = B::Out;
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> B::Out {
        self.body.run(QuotientLanes::new(RowsApart(s), self.prime))
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, _: S, w: W) -> B::Out {
        self.body.run(QuotientLanes::new(w, self.prime))
    }
}

impl Kind for Quotients {
    type Cpu = Cpu52;
    type Line = Line32;
    type Prime = Prime;
    type Factor = [i32; 2];
    type Cross = ();
    type FactorLines = [Line32; 2];
    type CrossLines = ();
    const PREPARED: usize = 1;
    /// 64 KiB: they need not stay in the first cache, since loads from the second are hidden.
    const NEAR: usize = 2048;

    fn on(cpu: Cpu) -> Option<Cpu52> {
        Cpu52::new(cpu)
    }
    fn prime(_: Cpu52, p: u64) -> Prime {
        Prime::new(p)
    }
    /// The constant and its quotient.
    fn factor(prime: &Prime, w: u64) -> [i32; 2] {
        [w as i32, ((w << u32::BITS) / prime.p) as i32]
    }
    fn cross(_: &Prime, _: [u64; 3]) {}
    fn put(lines: &mut [Line32; 2], lane: usize, factor: [i32; 2]) {
        lines.iter_mut().zip(factor).for_each(|(line, factor)| line.0[lane] = factor);
    }
    fn put_cross((): &mut (), _: usize, (): ()) {}
    fn zero(_: &Prime) -> Line32 {
        Line32::default()
    }
    fn run<B: Body<Self>>(on: Cpu52, prime: &Prime, body: B) -> B::Out {
        on.run(OnLanes::<Self, _> { prime, body })
    }
    fn rows(count: usize) -> Result<Rows, WordError> {
        Ok(Rows::Narrow(Lines::zero(count)?))
    }
    fn lines(rows: &Rows) -> Result<&[Line32], WordError> {
        if let Rows::Narrow(lines) = rows { Ok(lines) } else { Err(WordError::OtherRing) }
    }
    fn lines_mut(rows: &mut Rows) -> Result<&mut [Line32], WordError> {
        if let Rows::Narrow(lines) = rows { Ok(lines) } else { Err(WordError::OtherRing) }
    }
}

/// The arithmetic in vectors of two rows.
#[derive(Clone, Copy)]
struct QuotientLanes<V: TwoRowLanes> {
    v: V,
    p: V::Lanes,
    /// `2 p`.
    twice: V::Lanes,
    inverse: V::Lanes,
    square: V::Lanes,
    masks: V::LaneMasks,
}

impl<V: TwoRowLanes> QuotientLanes<V> {
    /// Of a prime.
    #[inline(always)]
    fn new(v: V, prime: &Prime) -> Self {
        let p = v.splat_lanes(prime.p as i32);
        let (inverse, square) = (v.splat_lanes(prime.inverse), v.splat_lanes(prime.square));
        QuotientLanes { v, p, twice: v.add_lanes(p, p), inverse, square, masks: v.lane_masks() }
    }

    /// A lane below `4 p` as one below `2 p`. Below `2 p` the difference wraps, and is the greater.
    #[inline(always)]
    fn step(self, a: V::Lanes) -> V::Lanes {
        self.v.least_lanes(a, self.v.sub_lanes(a, self.twice))
    }

    /// A product by a constant, below `2 p`.
    #[inline(always)]
    fn times(self, a: V::Lanes, w: V::LaneFactors) -> V::Lanes {
        self.v.times_lanes(a, w, self.p, self.masks)
    }

    /// `a b / R` modulo `p`, below `2 p`, of lanes below `2 p`. It is in `[0, p)` where `a b < 2^32`.
    ///
    /// The reduced product is in `(-p / 2, 3 p / 2)`; it wraps where it is negative, and `p` more does not.
    #[inline(always)]
    fn montgomery(self, a: V::Lanes, b: V::Lanes) -> V::Lanes {
        let x = self.v.montgomery(self.v.multiply_lanes(a, b), self.p, self.inverse);
        self.v.least_lanes(x, self.v.add_lanes(x, self.p))
    }
}

impl<V: TwoRowLanes> Arithmetic for QuotientLanes<V> {
    type Vector = V::Lanes;
    type Factors = V::LaneFactors;
    type Cross = ();
    type Operand = V::Lanes;

    #[inline(always)]
    fn butterfly(self, a: V::Lanes, b: V::Lanes, w: V::LaneFactors) -> [V::Lanes; 2] {
        let (a, t) = (self.step(a), self.times(b, w));
        [self.v.add_lanes(a, t), self.v.sub_lanes(self.v.add_lanes(a, self.twice), t)]
    }
    #[inline(always)]
    fn butterfly_back(self, a: V::Lanes, b: V::Lanes, w: V::LaneFactors) -> [V::Lanes; 2] {
        let difference = self.v.sub_lanes(self.v.add_lanes(a, self.twice), b);
        [self.step(self.v.add_lanes(a, b)), self.times(difference, w)]
    }
    /// Nothing: every sum has taken its step.
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
        self.step(x)
    }
    #[inline(always)]
    fn scale(self, x: V::Lanes, factor: V::LaneFactors) -> V::Lanes {
        self.times(x, factor)
    }
    #[inline(always)]
    fn operand(self, x: V::Lanes) -> V::Lanes {
        self.step(x)
    }
    #[inline(always)]
    fn product(self, a: V::Lanes, b: V::Lanes) -> V::Lanes {
        self.montgomery(self.step(a), b)
    }
}

impl<V: TwoRowLanes> Lanes for QuotientLanes<V> {
    type Kind = Quotients;
    type Two = Self;
    const TWO: bool = true;
    const FOUR: bool = true;

    #[inline(always)]
    fn two(self) -> Self {
        self
    }
    #[inline(always)]
    fn load(self, line: &Line32, _: usize) -> V::Lanes {
        self.v.load_row(&line.0)
    }
    #[inline(always)]
    fn store(self, line: &mut Line32, _: usize, x: V::Lanes) {
        self.v.store_row(&mut line.0, x);
    }
    #[inline(always)]
    fn splat(self, factor: [i32; 2]) -> V::LaneFactors {
        self.v.splat_factors([factor; 2], self.masks)
    }
    #[inline(always)]
    fn splat_cross(self, (): ()) {}
    #[inline(always)]
    fn load_factors(self, [z, quotient]: &[Line32; 2], _: usize) -> V::LaneFactors {
        self.v.lane_factors([self.load(z, 0), self.load(quotient, 0)])
    }
    #[inline(always)]
    fn load_cross(self, (): &(), _: usize) {}
    #[inline(always)]
    fn load_operand(self, lines: &[Line32], _: usize) -> V::Lanes {
        self.load(&lines[0], 0)
    }
    #[inline(always)]
    fn store_operand(self, lines: &mut [Line32], _: usize, x: V::Lanes) {
        self.store(&mut lines[0], 0, x);
    }
    #[inline(always)]
    fn add_product(self, sum: V::Lanes, product: V::Lanes) -> V::Lanes {
        self.step(self.v.add_lanes(self.step(sum), product))
    }
    #[inline(always)]
    fn read(self, numbers: &WideRow, _: usize) -> V::Lanes {
        let row = each(
            #[inline(always)]
            |i| numbers[i] as i32,
        );
        self.montgomery(self.v.load_row(&row), self.square)
    }
    #[inline(always)]
    fn begin(self, x: V::Lanes) -> V::Lanes {
        x
    }
    /// Values take a step before. A reduced product by 1 is in `[0, p)`.
    #[inline(always)]
    fn write(self, numbers: &mut WideRow, _: usize, x: V::Lanes) {
        let x = self.montgomery(self.step(x), self.v.splat_lanes(1));
        let mut row = [0; 8];
        self.v.store_row(&mut row, x);
        let mut i = 0;
        while i < row.len() {
            numbers[i] = row[i] as u64;
            i += 1;
        }
    }
    #[inline(always)]
    fn write_values(self, numbers: &mut WideRow, _: usize, x: V::Lanes) {
        self.write(numbers, 0, x);
    }
}

impl<V: TwoRowLanes> TwoRows<Self> for QuotientLanes<V> {
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
    fn splat(self, factors: [[i32; 2]; 2]) -> V::LaneFactors {
        self.v.splat_factors(factors, self.masks)
    }
    #[inline(always)]
    fn splat_cross(self, _: [(); 2]) {}
    #[inline(always)]
    fn load_factors(self, [a, b]: [&[Line32; 2]; 2]) -> V::LaneFactors {
        let (z, quotient) = ([&a[0], &b[0]], [&a[1], &b[1]]);
        self.v.lane_factors([self.load_apart(z), self.load_apart(quotient)])
    }
    #[inline(always)]
    fn load_cross(self, _: [&(); 2]) {}
    #[inline(always)]
    fn load_operands(self, lines: &[Line32; 2]) -> V::Lanes {
        self.load_together(lines)
    }
}
