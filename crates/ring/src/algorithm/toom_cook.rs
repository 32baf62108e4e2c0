//! Toom and Cook's product: for any modulus and any `f`.
//!
//! # The map
//! Operands are cut into `k` parts, `a = a_0 + a_1 y + ... + a_(k-1) y^(k-1)` with `y = x^h`. Their product
//! has `2 k - 1` parts `c_j`, and is known by its values at `2 k - 1` points: 0, 1, -1, 2, -2, 3 as far as
//! needed, and infinity, where the value is `c_(2k-2)`. Each value is one product of parts;
//! [Karatsuba](super::karatsuba)'s `k = 2` has no need of divisions.
//!
//! The parts are linear combinations of the values with fractions, found by Lagrange: the denominators divide
//! 12 for `k = 3`, and 120 for `k = 4`. Modulo an odd prime that is a constant. Modulo a power of two the odd
//! part of the denominator is a constant, too, and the sum is shifted for the rest: the words, which were
//! right modulo `2^16`, then are so modulo `2^15` for `k = 3` and `2^13` for `k = 4`.
//!
//! # Conditions
//! Three or four parts; an odd prime above 5 and below `2^14`, or a power of two up to `2^15` or `2^13`; any
//! [`Convolution`] for products of parts.
//!
//! # Bounds
//! In: centred; out: centred. Values at points and sums are shrunk at once ([`PROOF`](Convolution::PROOF)).
//!
//! # Source
//! A. L. Toom, 1963; S. A. Cook, 1966. For rings of this kind with powers of two: A. Karmakar, J. M. Bermudo
//! Mera, S. Sinha Roy, I. Verbauwhede, TCHES 2018.
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
use super::karatsuba;
use crate::number::{centred, inverse, inverse_mod_word, is_prime};
use crate::reduce::montgomery::{Factor, bound_any};
use crate::reduce::residues::{Modulus, Residues};
use crate::route::{Inner, Route};
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// The most points, infinity among them.
const POINTS: usize = 7;
/// The finite ones.
const FINITE: [i64; POINTS - 1] = [0, 1, -1, 2, -2, 3];

/// How the parts are made of the values at the finite points, once `c_(2k-2)` is taken off: numerators, and
/// for each point the denominator.
struct Lagrange {
    numerators: [[i64; POINTS - 1]; POINTS - 1],
    denominators: [i64; POINTS - 1],
}

/// Lagrange's polynomials of the first `count` finite points: the coefficient of `y^j` in that of point `i`
/// is `numerators[j][i] / denominators[i]`.
const fn lagrange(count: usize) -> Lagrange {
    let mut out = Lagrange { numerators: [[0; POINTS - 1]; POINTS - 1], denominators: [1; POINTS - 1] };
    let mut i = 0;
    while i < count {
        // The product of all (y - point) but for this point's.
        let (mut polynomial, mut degree, mut j) = ([0; POINTS], 0, 0);
        polynomial[0] = 1;
        while j < count {
            if j != i {
                let mut k = degree + 1;
                while k > 0 {
                    polynomial[k] = polynomial[k - 1] - FINITE[j] * polynomial[k];
                    k -= 1;
                }
                polynomial[0] *= -FINITE[j];
                degree += 1;
                out.denominators[i] *= FINITE[i] - FINITE[j];
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
const fn twos(x: i64) -> u32 {
    x.trailing_zeros()
}

/// The sums that make the parts, of the values at the finite points and at infinity, in this
/// order.
const fn sums(modulus: Modulus, parts: usize) -> [Sum; POINTS] {
    let (count, mut j) = (2 * parts - 2, 0);
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
        // The value at infinity enters as its power at each point.
        let (mut infinity, mut i) = (0, 0);
        while i < count {
            let fraction = fraction(modulus, table.numerators[j][i], table.denominators[i], out[j].shift);
            out[j].factors[i] = modulus.factor(fraction);
            let mut k = 0;
            let mut power = 1;
            while k < count {
                power *= FINITE[i];
                k += 1;
            }
            infinity -= fraction * power;
            i += 1;
        }
        out[j].factors[count] = modulus.factor(infinity);
        j += 1;
    }
    out[count].factors[count] = modulus.factor(1);
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

/// The values of both operands at a finite point, by Horner.
struct Values<'a, M, const PARTS: usize> {
    by: M,
    /// An operand, in parts of as many rows as its value has; the last part may have fewer.
    operands: [&'a [Row]; 2],
    point: i64,
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

impl<M: Residues, const PARTS: usize> Kernel for Values<'_, M, PARTS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (operand, out) in self.operands.into_iter().zip(self.values) {
            let h = out.len();
            for (i, out) in out.iter_mut().enumerate() {
                let (mut value, mut part) = (s.splat(0), PARTS);
                while part > 0 {
                    part -= 1;
                    value = times(s, value, self.point);
                    if let Some(row) = operand.get(part * h + i) {
                        value = s.add(value, s.load(row));
                    }
                    value = self.by.shrink(s, value);
                }
                s.store(out, value);
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

/// What every memory of a ring holds: making an [`Entry`](crate::Entry) proves it.
const ROOM: &str = "memory for two values";

/// The rows from `at` on, and zeroes.
fn last_part(from: &[Row], at: usize, to: &mut [Row]) {
    let rows = &from[at..];
    let (there, rest) = to.split_at_mut(rows.len());
    there.copy_from_slice(rows);
    rest.fill([0; 16]);
}

/// How many low bits of words divisions leave.
const fn bits(parts: usize) -> u32 {
    if parts == 3 { 15 } else { 13 }
}

/// The conditions of so many parts, and of `inner` for their products, where it is known: points that have
/// inverses, or leave bits; values and sums that fit a lane.
pub(crate) const fn serves(q: i64, n: usize, parts: usize, inner: Option<Inner>) -> Result<(), WhyNot> {
    let Some(modulus) = Modulus::of(q) else { return Err(WhyNot::Points) };
    let points = match modulus {
        Modulus::Odd(q) => q > 5 && q < 1 << 14 && is_prime(q),
        Modulus::Wrapping => q <= 1 << bits(parts),
    };
    if !(parts == 3 || parts == 4) || !points {
        return Err(WhyNot::Points);
    }
    if let Err(why) = convolution::serves(q) {
        return Err(why);
    }
    // Horner's step: the largest point times a value, and a coefficient.
    if !modulus.hold(modulus.operand().mirrored().scale(4)) || !sums_fit(modulus, 2) {
        return Err(WhyNot::Bounds);
    }
    match inner {
        None | Some(Inner::Schoolbook) => Ok(()),
        Some(Inner::Karatsuba { levels }) => {
            karatsuba::serves(q, 16 * n.div_ceil(16).div_ceil(parts), levels)
        }
        Some(_) => Err(WhyNot::Inside),
    }
}

impl<I: Convolution<PART>, const ROWS: usize, const PARTS: usize, const PART: usize> Convolution<ROWS>
    for ToomCook<I, ROWS, PARTS, PART>
{
    type Residues = I::Residues;
    type Last = I::Last;
    const ROUTE: Route = Route::ToomCook { parts: PARTS, inner: Inner::of(I::ROUTE) };
    const BITS: u32 = I::BITS + bits(PARTS) - 16;
    const OUT: usize = 2 * PARTS * PART;
    const SCRATCH: usize = 2 * PART * (2 * PARTS - 1) + 2 * PART + I::SCRATCH;
    const PROOF: () = {
        let ((), modulus) = (I::PROOF, <I::Residues as Residues>::MODULUS);
        assert!(serves(modulus.greatest(Self::BITS), 16 * ROWS, PARTS, None).is_ok(), "points, or bounds");
        assert!(PART == ROWS.div_ceil(PARTS) && I::OUT == 2 * PART && 32 * PART <= I::LENGTH, "other parts");
        assert!(Shrunk::<I::Residues>::BOUND.within(I::INPUT), "parts are too large");
    };

    fn product<B: Operand>(cpu: impl Run, [a, b]: [&[Row; ROWS]; 2], out: &mut [Row], scratch: &mut [Row]) {
        let (by, count) = (I::Residues::BY, 2 * PARTS - 1);
        let (values, rest) = scratch.split_at_mut(2 * PART * count);
        let (x, rest) = rest.split_first_chunk_mut::<PART>().expect(ROOM);
        let (y, rest) = rest.split_first_chunk_mut::<PART>().expect(ROOM);
        for (i, value) in values.chunks_exact_mut(2 * PART).enumerate() {
            if i + 1 < count {
                cpu.run(Values::<_, PARTS> { by, operands: [a, b], point: FINITE[i], values: [x, y] });
            } else {
                last_part(a, PART * (PARTS - 1), x);
                last_part(b, PART * (PARTS - 1), y);
            }
            I::product::<Shrunk<I::Residues>>(cpu, [x, y], value, rest);
        }
        cpu.run(Interpolate::<_, PARTS> { by, values, c: out });
    }
}
