//! Signed Montgomery reduction in 16-bit lanes.
//!
//! For odd `q < 2^15` and a product `p` of 32 bits, `t = (p q^-1 mod 2^16)` as a signed word makes `p - t q`
//! divisible by `2^16`, and `(p - t q) / 2^16 = hi(p) - hi(t q)` because the low words are equal. Congruent
//! to `p 2^-16`, and at most `|p| / 2^16 + q / 2` in absolute value.
//!
//! By a constant `z`, `t = a (z q^-1) mod 2^16` needs no product to wait for: three multiplications, none of
//! which depends on more than one other. Source: P. Montgomery 1985; the signed form with a prepared
//! constant: G. Seiler, eprint 2018/039.

use crate::bound::{Bound, floor_shift};
use crate::number::{centred, inverse_mod_word};
use ringsmith_simd::{Row, Simd};

/// A constant prepared for Montgomery products: `z 2^16 mod q`, centred, and that times `q^-1 mod 2^16`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Factor {
    /// `z 2^16 mod q`, centred.
    pub z: i16,
    /// `z 2^16 q^-1 mod 2^16`.
    pub zq: i16,
}

impl Factor {
    /// The factor that multiplies by `z` modulo `q`.
    #[inline]
    pub const fn new(z: i64, q: i64) -> Self {
        let z = centred(z.rem_euclid(q) << 16, q) as i16;
        Factor { z, zq: z.wrapping_mul(inverse_mod_word(q)) }
    }
    /// The factor that multiplies by `-z`.
    pub const fn negated(self) -> Self {
        Factor { z: -self.z, zq: self.zq.wrapping_neg() }
    }
    /// In every lane of two rows, as the kernels load it.
    pub const fn rows(self) -> [Row; 2] {
        [[self.z; 16], [self.zq; 16]]
    }
}

/// `a z` for the constant behind `factor`.
#[inline(always)]
pub fn scale<S: Simd, const Q: i64>(s: S, a: S::I16, factor: Factor) -> S::I16 {
    s.mul_mont(a, s.splat(factor.z), s.splat(factor.zq), s.splat(Q as i16))
}

/// `p 2^-16` for the 32-bit values `p = high 2^16 + low` (`low` unsigned).
#[inline(always)]
pub fn reduce_wide<S: Simd, const Q: i64>(s: S, low: S::I16, high: S::I16) -> S::I16 {
    let t = s.mul_lo(low, s.splat(const { inverse_mod_word(Q) }));
    s.sub(high, s.mul_hi(t, s.splat(Q as i16)))
}

/// `a b 2^-16` for two variables.
#[inline(always)]
pub fn product<S: Simd, const Q: i64>(s: S, a: S::I16, b: S::I16) -> S::I16 {
    reduce_wide::<S, Q>(s, s.mul_lo(a, b), s.mul_hi(a, b))
}

/// Where the reduction of values in `p` lies: `(p - t q) / 2^16` with any signed word `t`.
pub const fn bound_wide(p: Bound, q: i64) -> Bound {
    // Rounded up and down.
    Bound { low: -((((1 << 15) - 1) * q - p.low) >> 16), high: (p.high + (q << 15)) >> 16 }
}

/// Where `a z` lies for a prepared constant (`z` is [`Factor::z`]).
pub const fn bound_scaled(a: Bound, z: i16, q: i64) -> Bound {
    let (x, y) = (a.low * z as i64, a.high * z as i64);
    bound_wide(if z < 0 { Bound { low: y, high: x } } else { Bound { low: x, high: y } }, q)
}

/// Where `a z` lies for whatever prepared constant.
pub const fn bound_any(a: Bound, q: i64) -> Bound {
    Bound::symmetric(floor_shift(a.magnitude() * (q / 2) + (q << 15), 16))
}
