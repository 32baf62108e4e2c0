//! Barrett reduction with a rounded quotient: `a -> a - round(a / q) q`.
//!
//! * [`exact`] computes the quotient with 16 extra bits: with `v = round(2^(16+k) / q)` as large as fits a
//!   word, `t = round(floor(a v / 2^16) / 2^k)`. Canonical up to [`exact_limit`]: for most moduli that is
//!   every word, for others (3457, 12289) the rounding of `v` moves some far boundary across an integer, and
//!   the result there is one past the centre.
//! * [`reduce`] takes a quotient of one word, `t = round(a v / 2^15)` with `v = round(2^15 / q)`: one
//!   instruction fewer, and a result that exceeds `q / 2` by at most `|a| |q v - 2^15| / 2^15`. CPUs without
//!   a rounding product run [`exact`], which is cheaper there and lies within the same bound.
//!
//! Source: P. Barrett, CRYPTO 1986; the rounding product for it is folklore.

use crate::bound::Bound;
use ringsmith_simd::{LazyReduction, Simd};

/// `round(2^15 / q)`, the one-word quotient.
const fn short_inverse(q: i64) -> i64 {
    ((1 << 16) / q + 1) / 2
}

/// The largest `k` with `2^(16+k) / q < 2^15`.
const fn shift(q: i64) -> u32 {
    let mut k = 0;
    while (1i64 << (17 + k)) / q < (1 << 15) {
        k += 1;
    }
    k
}

/// Whether [`exact`] is there for a modulus: one of 8 to 15 bits.
pub(crate) const fn serves(q: i64) -> bool {
    1 << 7 < q && q < 1 << 15
}

/// `round(2^(16+k) / q)`.
pub(super) const fn long_inverse(q: i64) -> i64 {
    ((1i64 << (17 + shift(q))) / q + 1) / 2
}

/// The greatest magnitude up to which [`exact`] centres, `2^15` where it centres every word.
///
/// `|q v - 2^(16+k)| <= q / 2 <= 2^(k+1)`, so for no word does `a v / 2^(16+k)` differ from `a / q` by more
/// than `1 / q`: only the two integers beside a boundary `(n + 1/2) q` can be rounded to the wrong side.
pub const fn exact_limit(q: i64) -> i64 {
    let (v, k) = (long_inverse(q), shift(q));
    let mut quotient = 0;
    while quotient * q + q / 2 < 1 << 15 {
        let last = quotient * q + q / 2;
        if rounded(last, v, k) != quotient || rounded(-last, v, k) != -quotient {
            return last - 1;
        }
        quotient += 1;
        if rounded(last + 1, v, k) != quotient || rounded(-last - 1, v, k) != -quotient {
            return last;
        }
    }
    1 << 15
}

/// The quotient of [`exact`].
const fn rounded(a: i64, v: i64, k: u32) -> i64 {
    (((a * v) >> 16) + (1 << (k - 1))) >> k
}

/// Where the result of [`exact`] lies, for inputs in `a`: centred, or one past the centre.
pub const fn exact_bound(a: Bound, q: i64) -> Bound {
    exact_bound_to(a, q, exact_limit(q))
}

/// The same for the limit of [`exact_limit`], which takes long to compute.
const fn exact_bound_to(a: Bound, q: i64, limit: i64) -> Bound {
    let past = if a.magnitude() <= limit { 0 } else { 1 };
    Bound::symmetric((q - 1) / 2 + past)
}

/// The centred representative modulo an odd `Q < 2^15` of an input up to [`exact_limit`]; of any word, a
/// representative within [`exact_bound`]. Congruent to the input, factor 1.
#[inline(always)]
pub fn exact<S: Simd, const Q: i64>(s: S, a: S::I16) -> S::I16 {
    exact_by::<S, Q>(s, a, const { long_inverse(Q) as i16 }, Q as i16)
}

/// [`exact`] modulo a `q` of as many bits as `LIKE`, by its own `inverse`.
#[inline(always)]
pub(super) fn exact_by<S: Simd, const LIKE: i64>(s: S, a: S::I16, inverse: i16, q: i16) -> S::I16 {
    let scaled = s.mul_hi(a, s.splat(inverse));
    let quotient = Rounder::<LIKE>::shift(s, scaled);
    s.sub(a, s.mul_lo(quotient, s.splat(q)))
}

/// `round_shift` by the count of a modulus, which is that of all with as many bits (a const generic cannot be
/// computed from another).
struct Rounder<const Q: i64>;
impl<const Q: i64> Rounder<Q> {
    #[inline(always)]
    fn shift<S: Simd>(s: S, x: S::I16) -> S::I16 {
        const { assert!(serves(Q) && shift(Q) >= 6 && shift(Q) <= 13, "a modulus of 8 to 15 bits") };
        match const { shift(Q) } {
            6 => s.round_shift::<6>(x),
            7 => s.round_shift::<7>(x),
            8 => s.round_shift::<8>(x),
            9 => s.round_shift::<9>(x),
            10 => s.round_shift::<10>(x),
            11 => s.round_shift::<11>(x),
            12 => s.round_shift::<12>(x),
            _ => s.round_shift::<13>(x),
        }
    }
}

/// A representative within [`bound`], at this CPU's lowest price. Congruent to the input, factor 1.
#[inline(always)]
pub fn reduce<S: Simd, const Q: i64>(s: S, a: S::I16) -> S::I16 {
    if const { S::HAS_ROUNDED_PRODUCT } {
        let quotient = s.mul_hi_rounded(a, s.splat(const { short_inverse(Q) as i16 }));
        s.sub(a, s.mul_lo(quotient, s.splat(Q as i16)))
    } else {
        exact::<S, Q>(s, a)
    }
}

/// Where the result of [`reduce`] lies, for inputs in `a`.
///
/// With `e = q v - 2^15` and `t = a v / 2^15 + d`, `-1/2 < d <= 1/2`: `a - q t = -a e / 2^15 - q d`.
pub const fn bound(a: Bound, q: i64) -> Bound {
    let short = short_bound(a, q);
    // The other bound is at most one past the centre, and takes long to compute.
    if Bound::symmetric((q - 1) / 2 + 1).within(short) { short } else { short.join(exact_bound(a, q)) }
}

/// [`bound`] for the limit of [`exact_limit`], where it is at hand. Searches ask for it most.
pub(crate) const fn bound_to(a: Bound, q: i64, limit: i64) -> Bound {
    let Bound { low, high } = short_bound(a, q);
    let exact = if -limit <= a.low && a.high <= limit { (q - 1) / 2 } else { (q - 1) / 2 + 1 };
    Bound { low: if low < -exact { low } else { -exact }, high: if high > exact { high } else { exact } }
}

/// Where the result lies on CPUs with a rounding product.
const fn short_bound(a: Bound, q: i64) -> Bound {
    let (error, half) = (q * short_inverse(q) - (1 << 15), q << 14);
    let (x, y) = (a.low * error, a.high * error);
    let (low, high) = if error < 0 { (y, x) } else { (x, y) };
    // Rounded up and down.
    Bound { low: -((high + half) >> 15), high: (half - low) >> 15 }
}

/// This CPU's cheapest small reduction (see [`Step`]).
#[inline(always)]
pub fn step<S: Simd, const Q: i64>(s: S, a: S::I16) -> S::I16 {
    match S::STEP {
        LazyReduction::Sign => super::sign::reduce::<S, Q>(s, a),
        LazyReduction::Barrett => reduce::<S, Q>(s, a),
    }
}

/// Where the result of [`step`] lies.
pub const fn step_bound(step: LazyReduction, a: Bound, q: i64) -> Bound {
    match step {
        LazyReduction::Sign => super::sign::bound(a, q),
        LazyReduction::Barrett => bound(a, q),
    }
}
