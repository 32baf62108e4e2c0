//! Toom and Cook's product: for any modulus and any `f`.
//!
//! # The map
//! Operands are cut into `k` parts, `a = a_0 + a_1 y + ... + a_(k-1) y^(k-1)` with `y = x^h`. Their product
//! has `2 k - 1` parts `c_j`, and is known by its values at `2 k - 1` points `(p : q)`: the value of an
//! operand there is `sum_i a_i p^i q^(k-1-i)`. The points are 0, 1, -1, 2 and infinity for three parts, -2
//! and 3 besides for four, and 1/2 and -1/2 for five. Each value is one product of parts;
//! [Karatsuba](super::karatsuba)'s `k = 2` has no need of divisions.
//!
//! The parts are linear combinations of the values with fractions, found by Lagrange: the numerator of point
//! `i` is the product of the forms `q_j y - p_j z` of the other points, the denominator that of
//! `p_i q_j - q_i p_j`.
//!
//! # Bits that are lost
//! Modulo an odd prime a fraction is a constant. Modulo a power of two the odd part of the denominator is a
//! constant, too, and the sum is shifted for the rest, once: words that were right modulo `2^16` then are so
//! modulo `2^(16-l)` with
//!
//! ```text
//! l = max_i sum_(j != i) v_2(p_i q_j - q_i p_j)
//! ```
//!
//! ([`loss`]): the numerators are products of primitive forms, so primitive (Gauss), and no power of two is
//! left in all of their coefficients. Points agree modulo 2 in three classes, and any three of a class have
//! two that agree modulo 4. So seven points lose 3 bits at the least, and nine, three of each class, lose
//! no more: that is what 1/2 and -1/2 are for. Losses add where one product is inside another: an inner
//! error is a multiple of `2^(16-l)`, which every outer shift divides. `16 - k` bits can be lost modulo
//! `2^k`: five parts in three in three modulo `2^11`, five alone modulo `2^13`, neither five nor four
//! modulo `2^14`.
//!
//! Elsewhere values are halved and quartered step by step. That has fewer operations, and a trap: two halves
//! that are taken apart, of `w(1) + w(-1)` and `w(1) - w(-1)`, lose a fourth bit. Here every sum is shifted
//! once, at its end.
//!
//! # Conditions
//! Three to five parts; an odd prime above 7 and below `2^14`, or a power of two that leaves the bits that
//! are lost; any [`Convolution`] for products of parts.
//!
//! # Bounds
//! In: centred; out: centred. Values at points and sums are shrunk at once ([`PROOF`](Convolution::PROOF)).
//!
//! # Source
//! A. L. Toom, 1963; S. A. Cook, 1966. For rings of this kind with powers of two: A. Karmakar, J. M. Bermudo
//! Mera, S. Sinha Roy, I. Verbauwhede, TCHES 2018. Five parts with 3 bits lost: H.-T. Chen, Y.-H. Chung,
//! V. Hwang, C.-T. Liu, B.-Y. Yang (eprint 2023/541); the rule for the loss is derived above. Deviation: a
//! matrix by Lagrange in place of steps.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{multiplier, rings::NtruPrime653};
//! use ringsmith_simd::Cpu;
//!
//! let mut x = [0i16; 653];
//! x[652] = 1;
//! let x = Poly::<NtruPrime653>::new(&x).unwrap();
//! let toom_cook = multiplier(Cpu::detect(), Route::ToomCook { parts: 4, inner: None })?;
//! // x^1304 = x^651 x^653 = x^652 + x^651
//! assert_eq!(toom_cook.multiply(&x, &x, &mut toom_cook.scratch()).centred()[650..], [0, 1, 1]);
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::choice::{Operand, Shrunk};
use super::convolution::{self, Convolution};
use crate::number::{centred, inverse, inverse_mod_word, is_prime};
use crate::reduce::montgomery::{Factor, bound_any};
use crate::reduce::residues::{Modulus, Residues};
use crate::route::{Inner, Route};
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// The most parts.
const MOST: usize = 5;
/// The most points.
pub(super) const POINTS: usize = 2 * MOST - 1;

/// A point `(p : q)`.
type Point = [i64; 2];

/// The points for so many parts: the first `2 k - 1`.
pub(super) const ALL: [Point; POINTS] =
    [[0, 1], [1, 0], [1, 1], [-1, 1], [2, 1], [-2, 1], [3, 1], [1, 2], [-1, 2]];

/// `p q' - q p'`.
const fn determinant(x: Point, y: Point) -> i64 {
    x[0] * y[1] - x[1] * y[0]
}

/// How many bits are lost by so many of the points.
const fn loss_of(count: usize) -> u32 {
    let (mut most, mut i) = (0, 0);
    while i < count {
        let (mut lost, mut j) = (0, 0);
        while j < count {
            if j != i {
                lost += twos(determinant(ALL[i], ALL[j]));
            }
            j += 1;
        }
        if lost > most {
            most = lost;
        }
        i += 1;
    }
    most
}

/// How many bits are lost by so many parts.
pub const fn loss(parts: usize) -> u32 {
    loss_of(2 * parts - 1)
}

// What is lost is as little as can be.
const _: () = assert!(loss(3) == 1 && loss(4) == 3 && loss(5) == 3);

/// How the parts are made of the values: numerators, and for each point the denominator.
pub(super) struct Lagrange {
    pub(super) numerators: [[i64; POINTS]; POINTS],
    pub(super) denominators: [i64; POINTS],
}

/// Lagrange's polynomials of the first `count` points: the coefficient of `y^j` in that of point `i` is
/// `numerators[j][i] / denominators[i]`.
pub(super) const fn lagrange(count: usize) -> Lagrange {
    let mut out = Lagrange { numerators: [[0; POINTS]; POINTS], denominators: [1; POINTS] };
    let mut i = 0;
    while i < count {
        // The product of all q y - p z but for this point's.
        let (mut polynomial, mut j) = ([0; POINTS], 0);
        polynomial[0] = 1;
        while j < count {
            if j != i {
                let ([p, q], mut k) = (ALL[j], POINTS - 1);
                while k > 0 {
                    polynomial[k] = q * polynomial[k - 1] - p * polynomial[k];
                    k -= 1;
                }
                polynomial[0] *= -p;
                out.denominators[i] *= determinant(ALL[i], ALL[j]);
            }
            j += 1;
        }
        let mut k = 0;
        while k < count {
            out.numerators[k][i] = polynomial[k];
            k += 1;
        }
        i += 1;
    }
    out
}

/// How a part is made: a factor for each value, and how far their sum is shifted.
#[derive(Clone, Copy)]
struct Sum {
    factors: [Factor; POINTS],
    shift: u32,
}

/// The power of two in a number.
pub(super) const fn twos(x: i64) -> u32 {
    x.trailing_zeros()
}

/// The sums that make the parts of the values.
const fn sums(modulus: Modulus, parts: usize) -> [Sum; POINTS] {
    let (count, mut j) = (2 * parts - 1, 0);
    let table = lagrange(count);
    let mut out = [Sum { factors: [Factor { z: 0, zq: 0 }; POINTS], shift: 0 }; POINTS];
    while j < count {
        let mut i = 0;
        while i < count {
            // Of a numerator and a denominator without common powers of two.
            let (top, bottom) = (table.numerators[j][i], table.denominators[i]);
            if top != 0 && twos(bottom) > twos(top) && twos(bottom) - twos(top) > out[j].shift {
                out[j].shift = twos(bottom) - twos(top);
            }
            i += 1;
        }
        i = 0;
        while i < count {
            let fraction = fraction(modulus, table.numerators[j][i], table.denominators[i], out[j].shift);
            out[j].factors[i] = modulus.factor(fraction);
            i += 1;
        }
        j += 1;
    }
    out
}

/// `top / bottom` modulo an odd `q`; `2^shift top / bottom` modulo `2^16`, where that is whole.
const fn fraction(modulus: Modulus, top: i64, bottom: i64, shift: u32) -> i64 {
    match modulus {
        Modulus::Odd(q) => centred(top * inverse(bottom.rem_euclid(q), q), q),
        Modulus::Wrapping => {
            let odd = bottom >> twos(bottom);
            let whole = (top << shift) >> twos(bottom);
            centred(whole * inverse_mod_word(odd) as i64, 1 << 16)
        }
    }
}

/// The values of both operands at a point, by Horner.
struct Values<'a, M, const PARTS: usize> {
    by: M,
    /// An operand, in parts of as many rows as its value has; the last part may have fewer.
    operands: [&'a [Row]; 2],
    point: Point,
    values: [&'a mut [Row]; 2],
}

/// `x` times a small constant, by additions.
#[inline(always)]
fn times<S: Simd>(s: S, x: S::I16, point: i64) -> S::I16 {
    let (mut sum, mut i) = (s.splat(0), 0);
    while i < point.unsigned_abs() {
        sum = if point < 0 { s.sub(sum, x) } else { s.add(sum, x) };
        i += 1;
    }
    sum
}

impl<M: Residues, const PARTS: usize> Values<'_, M, PARTS> {
    /// Row `i` of the value of an operand in parts of `h` rows. Where `q` is not 1, `p` is 1 or -1: the parts
    /// ascend, each with its sign.
    #[inline(always)]
    fn row<S: Simd>(&self, s: S, operand: &[Row], h: usize, i: usize) -> S::I16 {
        let [p, q] = self.point;
        let (mut value, mut k) = (s.splat(0), 0);
        while k < PARTS {
            let (part, by) = if q == 1 { (PARTS - 1 - k, p) } else { (k, q) };
            value = times(s, value, by);
            if let Some(row) = operand.get(part * h + i) {
                let minus = q != 1 && p < 0 && k % 2 == 1;
                value = if minus { s.sub(value, s.load(row)) } else { s.add(value, s.load(row)) };
            }
            value = self.by.shrink(s, value);
            k += 1;
        }
        value
    }
}

impl<M: Residues, const PARTS: usize> Kernel for Values<'_, M, PARTS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let mut values = core::mem::take(&mut self.values);
        for (operand, out) in self.operands.into_iter().zip(&mut values) {
            let h = out.len();
            for (i, out) in out.iter_mut().enumerate() {
                s.store(out, self.row(s, operand, h, i));
            }
        }
    }
}

/// From values to parts, in place, and from these to the product `c`.
struct Interpolate<'a, M, const PARTS: usize> {
    by: M,
    /// `2 PARTS - 1` polynomials one after the other, of equally many rows.
    values: &'a mut [Row],
    /// Each part but the first begins in the middle of the one before.
    c: &'a mut [Row],
}

/// The sum of `x` times constants, which is shrunk as it grows where a word does not hold it.
#[inline(always)]
fn combine<S: Simd, M: Residues>(s: S, by: M, x: &[S::I16; POINTS], sum: &Sum, count: usize) -> S::I16 {
    let (mut total, mut i) = (s.splat(0), 0);
    while i < count {
        total = s.add(total, by.scale(s, x[i], sum.factors[i]));
        if const { !sums_fit(M::MODULUS, POINTS as i64) } {
            total = by.shrink(s, total);
        }
        i += 1;
    }
    by.shrink(s, by.divide(s, total, sum.shift))
}

/// Whether a sum of so many products by constants fits a word.
const fn sums_fit(modulus: Modulus, count: i64) -> bool {
    match modulus {
        Modulus::Odd(q) => bound_any(modulus.shrunk(), q).scale(count).fits(16),
        Modulus::Wrapping => true,
    }
}

impl<M: Residues, const PARTS: usize> Kernel for Interpolate<'_, M, PARTS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let sums = const { &sums(M::MODULUS, PARTS) };
        let count = const { 2 * PARTS - 1 };
        let rows = self.values.len() / count;
        for i in 0..rows {
            let (mut x, mut j) = ([s.splat(0); POINTS], 0);
            while j < count {
                x[j] = s.load(&self.values[j * rows + i]);
                j += 1;
            }
            j = 0;
            while j < count {
                s.store(&mut self.values[j * rows + i], combine(s, self.by, &x, &sums[j], count));
                j += 1;
            }
        }
        overlap(s, self.by, self.values, rows / 2, self.c);
    }
}

/// Adds parts of `2 h` rows, each with its beginning on the middle of the one before: `h` rows of the product
/// at a time.
#[inline(always)]
fn overlap<S: Simd, M: Residues>(s: S, by: M, mut parts: &[Row], h: usize, mut c: &mut [Row]) {
    let mut before: &[Row] = &[];
    while let Some((rows, more)) = c.split_at_mut_checked(h) {
        // Past the last part there is only its upper half.
        let (low, rest) = parts.split_at_checked(h).unwrap_or_default();
        for (i, out) in rows.iter_mut().enumerate() {
            let lane = |rows: &[Row]| rows.get(i).map_or(s.splat(0), |row| s.load(row));
            s.store(out, by.shrink(s, s.add(lane(before), lane(low))));
        }
        (before, parts) = rest.split_at_checked(h).unwrap_or_default();
        c = more;
    }
}

/// The product of operands of `ROWS` rows in `PARTS` parts of `PART` rows, whose products are by `I`.
pub struct ToomCook<I, const ROWS: usize, const PARTS: usize, const PART: usize> {
    inner: PhantomData<I>,
}

/// Panic message for too little memory; it cannot occur, because making an [`Entry`](crate::Entry) proves
/// that the memory is large enough.
const ROOM: &str = "memory for two values";

/// The rows from `at` on, and zeroes.
fn last_part(from: &[Row], at: usize, to: &mut [Row]) {
    let rows = &from[at..];
    let (there, rest) = to.split_at_mut(rows.len());
    there.copy_from_slice(rows);
    rest.fill([0; 16]);
}

/// The conditions of so many parts: points that have inverses, or leave bits; values and sums that fit a
/// lane.
pub(crate) const fn serves(q: i64, parts: usize) -> Result<(), WhyNot> {
    let Some(modulus) = Modulus::of(q) else { return Err(WhyNot::Points) };
    if parts < 3 || parts > MOST {
        return Err(WhyNot::Points);
    }
    match modulus {
        Modulus::Odd(q) if q <= 7 || q >= 1 << 14 || !is_prime(q) => return Err(WhyNot::Points),
        Modulus::Odd(_) => (),
        Modulus::Wrapping if q.ilog2() + loss(parts) > 16 => return Err(WhyNot::Bits { lost: loss(parts) }),
        Modulus::Wrapping => (),
    }
    if let Err(why) = convolution::serves(q) {
        return Err(why);
    }
    // Horner's step: the largest point times a value, and a coefficient.
    if !modulus.hold(modulus.operand().mirrored().scale(4)) || !sums_fit(modulus, 2) {
        return Err(WhyNot::Bounds);
    }
    Ok(())
}

/// The modulus and the length for products of so many parts: what they lose, those inside have lost before.
pub(super) const fn inside(q: i64, n: usize, parts: usize) -> (i64, usize) {
    let q = if q % 2 == 0 { q << loss(parts) } else { q };
    (q, 16 * n.div_ceil(16).div_ceil(parts))
}

impl<I: Convolution<PART>, const ROWS: usize, const PARTS: usize, const PART: usize> Convolution<ROWS>
    for ToomCook<I, ROWS, PARTS, PART>
{
    type Residues = I::Residues;
    type Last = I::Last;
    const ROUTE: Route = Route::ToomCook { parts: PARTS, inner: Inner::of(I::ROUTE) };
    const BITS: u32 = I::BITS - loss(PARTS);
    const OUT: usize = 2 * PARTS * PART;
    const SCRATCH: usize = 2 * PART * (2 * PARTS - 1) + 2 * PART + I::SCRATCH;
    const PROOF: () = {
        let ((), modulus) = (I::PROOF, <I::Residues as Residues>::MODULUS);
        assert!(serves(modulus.greatest(Self::BITS), PARTS).is_ok(), "points, or bounds");
        assert!(PART == ROWS.div_ceil(PARTS) && I::OUT == 2 * PART && 32 * PART <= I::LENGTH, "other parts");
        assert!(Shrunk::<I::Residues>::BOUND.within(I::INPUT), "parts are too large");
    };

    fn product<B: Operand>(cpu: impl Run, [a, b]: [&[Row; ROWS]; 2], out: &mut [Row], scratch: &mut [Row]) {
        let (by, count) = (I::Residues::BY, 2 * PARTS - 1);
        let (values, rest) = scratch.split_at_mut(2 * PART * count);
        let (x, rest) = rest.split_first_chunk_mut::<PART>().expect(ROOM);
        let (y, rest) = rest.split_first_chunk_mut::<PART>().expect(ROOM);
        for (value, point) in values.chunks_exact_mut(2 * PART).zip(ALL) {
            if let [_, 0] = point {
                last_part(a, PART * (PARTS - 1), x);
                last_part(b, PART * (PARTS - 1), y);
            } else {
                cpu.run(Values::<_, PARTS> { by, operands: [a, b], point, values: [x, y] });
            }
            I::product::<Shrunk<I::Residues>>(cpu, [x, y], value, rest);
        }
        cpu.run(Interpolate::<_, PARTS> { by, values, c: out });
    }
}
