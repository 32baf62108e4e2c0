//! K-RED: reduction modulo `q = k 2^m + l` or `q = k 2^m - l` without a multiplication by an inverse.
//!
//! With `C = C0 + 2^m C1`, `0 <= C0 < 2^m` and `C1 = floor(C / 2^m)` for `C` of either sign: `k 2^m = -l`
//! modulo `q = k 2^m + l`, so
//!
//! * `K-RED(C) = k C0 - l C1`, congruent to `k C`;
//! * `K-RED-2x(C) = k^2 C0 - k l C1 + l^2 C2` with `C = C0 + 2^m C1 + 2^(2m) C2`, congruent to `k^2 C`: two
//!   steps in one.
//!
//! For `q = k 2^m - l` replace `l` by `-l`. The factors `k` are undone in the tables that follow. `|K-RED(C)|
//! < k 2^m +
//! |l C| / 2^m`; the interval is one-sided in its first term, and [`Bound`] keeps it so.
//!
//! Source: P. Longa, M. Naehrig, CANS 2016, section 3.

use crate::bound::Bound;
use ringsmith_simd::Simd;

/// The `(k, m, l)` of `q = k 2^m + l` with `l = 1` or `-1` and the largest `m`, where there are such with
/// `m >= 8`.
pub const fn k_red_form(q: i64) -> Option<(i64, u32, i64)> {
    let (plus, minus) = ((q - 1).trailing_zeros(), (q + 1).trailing_zeros());
    if plus >= minus && plus >= 8 {
        Some(((q - 1) >> plus, plus, 1))
    } else if minus >= 8 {
        Some(((q + 1) >> minus, minus, -1))
    } else {
        None
    }
}

/// The decomposition `q = k 2^m + l`, `l` of either sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decomposition {
    /// The cofactor.
    pub k: i64,
    /// The exponent.
    pub m: u32,
    /// The rest, positive or negative, small.
    pub l: i64,
}

impl Decomposition {
    /// The form of `q` with `l = 1` or `-1`.
    pub const fn of(q: i64) -> Decomposition {
        match k_red_form(q) {
            Some((k, m, l)) => Decomposition { k, m, l },
            None => panic!("q is not k 2^m +- 1 with m >= 8"),
        }
    }

    /// The lower part's interval.
    const fn low(self) -> Bound {
        Bound::new(0, (1 << self.m) - 1)
    }

    /// Where `K-RED` of values in `c` lies.
    pub const fn bound(self, c: Bound) -> Bound {
        self.low().scale(self.k).add(c.shift_right(self.m).scale(-self.l))
    }

    /// Where `K-RED-2x` of values in `c` lies.
    pub const fn bound_2x(self, c: Bound) -> Bound {
        let (middle, high) =
            (self.low().scale(-self.k * self.l), c.shift_right(2 * self.m).scale(self.l * self.l));
        self.low().scale(self.k * self.k).add(middle).add(high)
    }
}

/// K-RED in 32-bit lanes for the form of `Q`.
pub struct KRed<const Q: i64>;

impl<const Q: i64> KRed<Q> {
    /// The form of `Q`.
    pub const FORM: Decomposition = Decomposition::of(Q);

    #[inline(always)]
    fn shift<S: Simd>(s: S, c: S::I32) -> S::I32 {
        match const { Self::FORM.m } {
            8 => s.shift_right32::<8>(c),
            9 => s.shift_right32::<9>(c),
            10 => s.shift_right32::<10>(c),
            11 => s.shift_right32::<11>(c),
            12 => s.shift_right32::<12>(c),
            _ => {
                const { assert!(Self::FORM.m >= 8 && Self::FORM.m <= 13) };
                s.shift_right32::<13>(c)
            }
        }
    }

    /// `K-RED` of `c = low + 2^m high` whose two parts are known: `low` taken modulo `2^m`.
    #[inline(always)]
    fn join<S: Simd>(s: S, low: S::I32, high: S::I32) -> S::I32 {
        let mask = s.splat32(const { (1 << Self::FORM.m) - 1 });
        let scaled = s.mul_word32(s.and32(low, mask), s.splat32(const { Self::FORM.k as i32 }));
        match const { Self::FORM.l } {
            1 => s.sub32(scaled, high),
            -1 => s.add32(scaled, high),
            _ => s.sub32(scaled, s.mul_lo32(high, s.splat32(const { Self::FORM.l as i32 }))),
        }
    }

    /// `K-RED(c)` in every lane.
    #[inline(always)]
    pub fn reduce<S: Simd>(s: S, c: S::I32) -> S::I32 {
        Self::join(s, c, Self::shift(s, c))
    }

    /// `K-RED-2x` of `c = low + 2^m high`.
    #[inline(always)]
    fn join_2x<S: Simd>(s: S, low: S::I32, high: S::I32) -> S::I32 {
        let mask = s.splat32(const { (1 << Self::FORM.m) - 1 });
        let (c0, c1, c2) = (s.and32(low, mask), s.and32(high, mask), Self::shift(s, high));
        let square = s.mul_word32(c0, s.splat32(const { (Self::FORM.k * Self::FORM.k) as i32 }));
        let cross = s.mul_word32(c1, s.splat32(const { (Self::FORM.k * Self::FORM.l) as i32 }));
        const { assert!(Self::FORM.l * Self::FORM.l == 1) };
        s.add32(s.sub32(square, cross), c2)
    }

    /// `K-RED-2x(c)` in every lane.
    #[inline(always)]
    pub fn reduce_2x<S: Simd>(s: S, c: S::I32) -> S::I32 {
        Self::join_2x(s, c, Self::shift(s, c))
    }

    /// The low word of the exact 64-bit product, and that shifted by `m`.
    #[inline(always)]
    fn split<S: Simd>(s: S, a: S::I32, b: S::I32) -> (S::I32, S::I32) {
        match const { Self::FORM.m } {
            8 => s.mul_split32::<8>(a, b),
            9 => s.mul_split32::<9>(a, b),
            10 => s.mul_split32::<10>(a, b),
            11 => s.mul_split32::<11>(a, b),
            12 => s.mul_split32::<12>(a, b),
            _ => s.mul_split32::<13>(a, b),
        }
    }

    /// `K-RED(a b)` of the exact 64-bit product; `a b / 2^m` must fit 32 bits.
    #[inline(always)]
    pub fn reduce_product<S: Simd>(s: S, a: S::I32, b: S::I32) -> S::I32 {
        let (low, high) = Self::split(s, a, b);
        Self::join(s, low, high)
    }

    /// `K-RED-2x(a b)` of the exact 64-bit product; `a b / 2^m` must fit 32 bits.
    #[inline(always)]
    pub fn reduce_2x_product<S: Simd>(s: S, a: S::I32, b: S::I32) -> S::I32 {
        let (low, high) = Self::split(s, a, b);
        Self::join_2x(s, low, high)
    }
}
