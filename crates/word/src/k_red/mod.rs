//! Lanes of 32 bits that K-RED reduces, modulo primes `p = k 2^M + 1` below `2^26`: a route that is measured
//! beside Montgomery's reduction.
//!
//! # The maps
//! `k 2^M = -1` modulo `p`. So for `C = C_0 + 2^M C_1` with `0 <= C_0 < 2^M`,
//!
//! ```text
//! K-RED(C) = k C_0 - C_1
//! ```
//!
//! is `k C` modulo `p`, and `M` bits shorter but for `p`. A product has twice the bits of `p`, and takes two
//! of these in a row: `D = K-RED(C)`, and `K-RED(D) = k^2 C` modulo `p`. `D` has more than 32 bits, but with
//! `C = C_0 + 2^M c_1 + 2^(2 M) C_2`, `0 <= c_1 < 2^M`, it is `E - 2^M C_2` with `E = k C_0 - c_1`, which has
//! not. So, of the low 32 bits of `C` and of `C_2` alone,
//!
//! ```text
//! K-RED(K-RED(C)) = k E_0 - E_1 + C_2.
//! ```
//!
//! Numbers are signed, and kept times `R = k^-2` modulo `p`, as Montgomery's are times `2^32`; constants are
//! centred, and kept likewise. Then a reduced product is the product, kept likewise: the powers of `k` that
//! reductions bring are gone at once, nothing is prepared, and a transform there and back undoes nothing.
//!
//! Two layers at once are those of [`narrow`](crate::narrow). Steps towards 0 are fewer and greater.
//!
//! # Bounds
//! `bounds`: lanes are at most `16 p` forward and at most `2 p` backward, in absolute value.
//!
//! # Source
//! K-RED: P. Longa, M. Naehrig, *Speeding up the number theoretic transform for faster ideal lattice-based
//! cryptography* (CANS 2016), section 3. Deviations: `k` need not be odd, so one `M` serves all primes that
//! are 1 modulo `2^M`; the two reductions in a row are one body; and the powers of `k` don't grow.

mod bounds;

use crate::WordError;
use crate::lanes::{Body, Kind, Lanes, OnLanes};
use crate::memory::{Line32, Lines, Rows};
use crate::number::{inverse, multiply};
use bounds::STEP;
pub(crate) use bounds::{M, PRIME_BITS};
use ringsmith_simd::{Cpu, Kernel, Simd, WideRow, each, transpose32};

/// [`M`], as shifts take it.
const SHIFT: i32 = M as i32;
/// The low bits.
const LOW: i32 = (1 << M) - 1;

/// Whether a modulus has the form.
pub(crate) const fn serves(p: u64) -> bool {
    p >> PRIME_BITS == 0 && p & LOW as u64 == 1
}

/// This kind of lanes.
#[derive(Clone, Copy)]
pub(crate) struct KRed;

/// A prime and what follows from it.
#[derive(Clone, Copy)]
pub(crate) struct Prime {
    /// The prime.
    p: u64,
    /// `(p - 1) / 2^M`.
    k: i32,
    /// `R`.
    kept: u64,
    /// `R^2` modulo `p`, by which a reduced product is a number as it is kept.
    square: i32,
}

impl Prime {
    /// Of a prime that serves.
    fn new(p: u64) -> Self {
        let k = p >> M;
        let kept = inverse(multiply(k, k, p), p);
        let mut prime = Prime { p, k: k as i32, kept, square: 0 };
        prime.square = prime.factor(kept);
        prime
    }

    /// `w R` modulo `p`, centred, for `w < p`.
    fn factor(&self, w: u64) -> i32 {
        let kept = multiply(w, self.kept, self.p);
        if 2 * kept > self.p { kept as i32 - self.p as i32 } else { kept as i32 }
    }
}

/// `x / R` modulo `p`, in `[0, p)`, for a lane: [`Lanes::write`] of one.
pub(crate) fn number(x: i32, p: u64) -> u64 {
    let k_red = |c: i64| (p >> M) as i64 * (c & i64::from(LOW)) - (c >> M);
    let reduced = k_red(k_red(x.into()));
    (reduced + (p as i64 & reduced >> (i64::BITS - 1))) as u64
}

impl<B: Body<KRed>> Kernel for OnLanes<'_, KRed, B> {
    type Out = B::Out;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> B::Out {
        self.body.run(KRedLanes::new(s, self.prime))
    }
}

impl Kind for KRed {
    type Cpu = Cpu;
    type Line = Line32;
    type Prime = Prime;
    type Factor = i32;
    /// The products of the first factor and the others.
    type Cross = [i32; 2];
    type FactorLines = Line32;
    type CrossLines = [Line32; 2];
    const PREPARED: usize = 1;
    /// 64 KiB, as for Montgomery's lanes.
    const NEAR: usize = 2048;

    fn on(cpu: Cpu) -> Option<Cpu> {
        Some(cpu)
    }
    fn prime(_: Cpu, p: u64) -> Prime {
        Prime::new(p)
    }
    fn factor(prime: &Prime, w: u64) -> i32 {
        prime.factor(w)
    }
    fn cross(prime: &Prime, [w, v, u]: [u64; 3]) -> [i32; 2] {
        [v, u].map(|x| prime.factor(multiply(w, x, prime.p)))
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
        Ok(Rows::KRed(Lines::zero(count)?))
    }
    fn lines(rows: &Rows) -> Result<&[Line32], WordError> {
        match rows {
            Rows::KRed(lines) => Ok(lines),
            _ => Err(WordError::OtherRing),
        }
    }
    fn lines_mut(rows: &mut Rows) -> Result<&mut [Line32], WordError> {
        match rows {
            Rows::KRed(lines) => Ok(lines),
            _ => Err(WordError::OtherRing),
        }
    }
}

/// The arithmetic in the lanes of a token.
#[derive(Clone, Copy)]
struct KRedLanes<S: Simd> {
    s: S,
    p: S::I32,
    k: S::I32,
    low: S::I32,
    square: S::I32,
}

impl<S: Simd> KRedLanes<S> {
    /// Of a prime.
    #[inline(always)]
    fn new(s: S, prime: &Prime) -> Self {
        let [p, k] = [s.splat32(prime.p as i32), s.splat32(prime.k)];
        KRedLanes { s, p, k, low: s.splat32(LOW), square: s.splat32(prime.square) }
    }

    /// `k X_0` of numbers whose low bits are `X_0`.
    #[inline(always)]
    fn low_by_k(self, x: S::I32) -> S::I32 {
        self.s.mul_word32(self.s.and32(x, self.low), self.k)
    }

    /// Two steps of K-RED of a sum of products.
    #[inline(always)]
    fn reduced(self, c: S::Products) -> S::I32 {
        let s = self.s;
        let (low, above) = s.split_products32::<{ 2 * SHIFT }>(c);
        let middle = s.and32(s.shift_right32::<SHIFT>(low), self.low);
        let e = s.sub32(self.low_by_k(low), middle);
        s.add32(s.sub32(self.low_by_k(e), s.shift_right32::<SHIFT>(e)), above)
    }

    /// A product, reduced.
    #[inline(always)]
    fn times(self, a: S::I32, b: S::I32) -> S::I32 {
        self.reduced(self.s.products32(a, b))
    }

    /// A step of so many `p` towards 0.
    #[inline(always)]
    fn step<const BY: u32>(self, a: S::I32) -> S::I32 {
        self.s.step32(a, self.multiple::<BY>())
    }

    /// `BY p`.
    #[inline(always)]
    fn multiple<const BY: u32>(self) -> S::I32 {
        let mut multiple = self.p;
        let mut by = 1;
        while by < BY {
            (multiple, by) = (self.s.add32(multiple, multiple), 2 * by);
        }
        multiple
    }

    /// A lane forward as one backward.
    #[inline(always)]
    fn steps(self, a: S::I32) -> S::I32 {
        self.step::<{ STEP / 4 }>(self.step::<{ STEP / 2 }>(self.step::<STEP>(a)))
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

impl<S: Simd> Lanes for KRedLanes<S> {
    type Kind = KRed;
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
        self.both(self.step::<STEP>(a), self.times(b, w))
    }
    #[inline(always)]
    fn butterfly_back(self, a: S::I32, b: S::I32, w: S::I32) -> [S::I32; 2] {
        let [sum, difference] = self.both(a, b);
        [self.step::<{ STEP / 4 }>(sum), self.times(difference, w)]
    }
    #[inline(always)]
    fn quad(self, x: [S::I32; 4], [w, v0, v1]: [S::I32; 3], cross: [S::I32; 2]) -> [S::I32; 4] {
        let [a, c] = self.both(self.step::<STEP>(x[0]), self.times(x[2], w));
        let [b, d] = self.across([x[1], x[3]], [v0, v1], cross);
        let ([a, b], [c, d]) = (self.both(a, b), self.both(c, d));
        [a, b, c, d]
    }
    #[inline(always)]
    fn quad_back(self, x: [S::I32; 4], [w, v0, v1]: [S::I32; 3], cross: [S::I32; 2], _: bool) -> [S::I32; 4] {
        let ([a, b], [c, d]) = (self.both(x[0], x[1]), self.both(x[2], x[3]));
        let [b, d] = self.across([b, d], [v0, cross[0]], [v1, cross[1]]);
        let [a, c] = self.both(a, c);
        [self.step::<{ STEP / 4 }>(self.step::<{ STEP / 2 }>(a)), b, self.times(c, w), d]
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
        self.steps(x)
    }
    #[inline(always)]
    fn scale(self, x: S::I32, factor: S::I32) -> S::I32 {
        self.times(x, factor)
    }

    #[inline(always)]
    fn operand(self, x: S::I32) -> S::I32 {
        self.steps(x)
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
        self.steps(self.times(a, b))
    }
    #[inline(always)]
    fn add_product(self, sum: S::I32, product: S::I32) -> S::I32 {
        self.step::<{ STEP / 4 }>(self.s.add32(self.steps(sum), product))
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

#[cfg(test)]
mod tests {
    use super::*;
    use core::array::from_fn;
    use ringsmith_oracle::Random;

    /// `a b + c d`, reduced.
    struct Reduced<'a>(&'a Prime, [[i32; 8]; 4]);

    impl Kernel for Reduced<'_> {
        type Out = [i32; 8];
        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> [i32; 8] {
            let (l, [a, b, c, d]) = (KRedLanes::new(s, self.0), self.1);
            let [ab, cd] =
                [s.products32(s.load32(&a), s.load32(&b)), s.products32(s.load32(&c), s.load32(&d))];
            let mut out = [0; 8];
            s.store32(&mut out, l.reduced(s.add_products32(ab, cd)));
            out
        }
    }

    /// Protects: two steps in a row are `k^2` times a sum of products, and as small as `bounds` has it, for
    /// the greatest lanes that transforms multiply and for random ones, from the least to the greatest prime.
    #[test]
    fn two_steps_in_a_row() {
        let mut random = Random::new(12);
        for p in [65_537_i64, 786_433, 49_201_153, 67_043_329] {
            let (prime, k) = (Prime::new(p as u64), p >> M);
            for round in 0..64 {
                let mut draw = |most: i64| match random.word() % 4 {
                    0 => most as i32,
                    1 => -most as i32,
                    _ => random.within(-most, most) as i32,
                };
                // Lanes of `lanes p` together, by constants; the last as products of values are.
                let (most, by) = if round < 48 { (16 * p, p / 2) } else { (16 * p, 2 * p) };
                let rows: [[i32; 8]; 4] = from_fn(|i| from_fn(|_| draw(if i % 2 == 0 { most } else { by })));
                let rows = if round < 48 { rows } else { [rows[0], rows[1], [0; 8], [0; 8]] };
                let sum: [i64; 8] = from_fn(|lane| {
                    let [a, b, c, d] = rows.map(|row| i64::from(row[lane]));
                    a * b + c * d
                });
                for cpu in Cpu::available() {
                    for (x, c) in cpu.run(Reduced(&prime, rows)).into_iter().zip(sum) {
                        let (x, wide) = (i128::from(x), i128::from(c));
                        let (k, p) = (i128::from(k), i128::from(p));
                        assert_eq!((x - k * k * wide) % p, 0, "{x} of {wide} modulo {p} on {cpu:?}");
                        assert!((x.abs() - p) << (2 * M) <= wide.abs(), "{x} of {wide} modulo {p}");
                    }
                }
            }
        }
    }
}
