//! Rounding: FIPS 204, section 7.4.
//!
//! Power2Round: `r = r1 2^d + r0`, `r0` in `(-2^(d-1), 2^(d-1)]`. Decompose: `r = r1 2 gamma2 + r0`, `r0` in
//! `(-gamma2, gamma2]`, but where `r - r0 = q - 1` it is `r1 = 0`, and `r0` is less by one; so there are
//! `m = (q - 1)/(2 gamma2)` values of `r1`.
//!
//! The quotient `floor(x / (2 gamma2))` is a product with a reciprocal. It does not decrease in `x`, so it is
//! right for all `x` if it is right on both sides of every multiple: the compiler looks at these.
//!
//! # Hints
//! Signing knows `(w1, w0) = Decompose(w)`, and that `|w0 - c s2| < gamma2 - beta`: then
//! `HighBits(w - c s2) = w1`. Adding `c t0` gives `x = w0 - c s2 + c t0`, with `|c t0| < gamma2`. The high
//! part changes where `x` leaves the interval of remainders: above `gamma2`, below `-gamma2`, and at
//! `-gamma2` itself except that with `w1 = 0` it still belongs there (the case of `q - 1`).
//!
//! Constant time; no division.

use crate::ring::Q;

/// Bits that [`power2round`] drops.
pub(crate) const D: u32 = 13;
/// Bits of the fraction of the reciprocal.
const FRACTION: u32 = 44;

/// The rounding of a set, by its `gamma2`.
#[derive(Clone, Copy)]
pub(crate) struct Rounding {
    gamma2: i32,
    /// Values of the high part.
    parts: i32,
    reciprocal: u64,
}

impl Rounding {
    /// Of this `gamma2`, where `2 gamma2` divides `q - 1`.
    pub(crate) const fn new(gamma2: i32) -> Self {
        let step = 2 * gamma2;
        assert!((Q - 1) % step == 0);
        let rounding =
            Rounding { gamma2, parts: (Q - 1) / step, reciprocal: (1 << FRACTION) / step as u64 + 1 };
        let mut j = 1;
        while j <= rounding.parts + 1 {
            assert!(rounding.quotient(j * step - 1) == j - 1 && rounding.quotient(j * step) == j);
            j += 1;
        }
        rounding
    }

    /// `floor(x / (2 gamma2))` for `x` in `[0, q + gamma2)`.
    #[inline(always)]
    const fn quotient(self, x: i32) -> i32 {
        ((x as u64 * self.reciprocal) >> FRACTION) as i32
    }

    /// Algorithm 36: the high and the low part of `r` in `[0, q)`.
    #[inline(always)]
    pub(crate) const fn decompose(self, r: i32) -> (i32, i32) {
        let high = self.quotient(r + self.gamma2 - 1);
        let low = r - high * 2 * self.gamma2;
        let wraps = (self.parts - 1 - high) >> 31;
        (high & !wraps, low + wraps)
    }

    /// The hint of a coefficient, 0 or 1, by `x = w0 - c s2 + c t0` and `w1`: see the head of this file.
    #[inline(always)]
    pub(crate) const fn make_hint(self, x: i32, high: i32) -> i32 {
        let above = (self.gamma2 - x) >> 31;
        let below = (x + self.gamma2) >> 31;
        let edge = x ^ -self.gamma2;
        let at_edge = !((edge | edge.wrapping_neg()) >> 31);
        let not_zero = (high | high.wrapping_neg()) >> 31;
        (above | below | (at_edge & not_zero)) & 1
    }

    /// Algorithm 40: the high part of `r` in `[0, q)` as a hint corrects it. The low part decides by
    /// `r0 > 0`: zero goes down.
    #[inline(always)]
    pub(crate) const fn use_hint(self, hint: bool, r: i32) -> i32 {
        let (high, low) = self.decompose(r);
        match (hint, low > 0) {
            (false, _) => high,
            (true, true) if high + 1 == self.parts => 0,
            (true, true) => high + 1,
            (true, false) if high == 0 => self.parts - 1,
            (true, false) => high - 1,
        }
    }
}

/// Algorithm 35: the high and the low part of `r` in `[0, q)`.
#[inline(always)]
pub(crate) const fn power2round(r: i32) -> (i32, i32) {
    let high = (r + (1 << (D - 1)) - 1) >> D;
    (high, r - (high << D))
}

/// -1 where `|a| >= bound`, else 0; `a` is centred.
#[inline(always)]
pub(crate) const fn exceeds(a: i32, bound: i32) -> i32 {
    let magnitude = (a ^ (a >> 31)) - (a >> 31);
    (bound - 1 - magnitude) >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: both roundings on every residue, and hints against their definition.
    #[test]
    fn roundings() {
        for gamma2 in [(Q - 1) / 88, (Q - 1) / 32] {
            let rounding = Rounding::new(gamma2);
            for r in 0..Q {
                let (high, low) = rounding.decompose(r);
                let rest = r.rem_euclid(2 * gamma2);
                let centred = if rest > gamma2 { rest - 2 * gamma2 } else { rest };
                let expected = match r - centred {
                    wrap if wrap == Q - 1 => (0, centred - 1),
                    whole => (whole / (2 * gamma2), centred),
                };
                assert_eq!((high, low), expected, "{r}");
                let (high, low) = power2round(r);
                assert!(high * 8192 + low == r && low > -4096 && low <= 4096);
            }
        }
    }

    /// Protects: hints by one decomposition against the definition of MakeHint, and that UseHint undoes them,
    /// at the ends of every interval.
    #[test]
    fn hints() {
        for (gamma2, beta) in [((Q - 1) / 88, 78), ((Q - 1) / 32, 196)] {
            let rounding = Rounding::new(gamma2);
            let limit = gamma2 - beta - 1;
            let changes = [1 - gamma2, -beta - 2, -beta - 1, -1, 0, 1, beta, beta + 1, beta + 2, gamma2 - 1];
            for part in 0..rounding.parts {
                for low in [-limit, -1, 0, 1, limit] {
                    for change in changes {
                        // r = w - c s2, whose parts are these; adding c t0 is the change.
                        let r = (part * 2 * gamma2 + low).rem_euclid(Q);
                        let changed = (r + change).rem_euclid(Q);
                        let expected = rounding.decompose(changed).0 != part;
                        assert_eq!(rounding.make_hint(low + change, part) != 0, expected, "{r} {change}");
                        assert_eq!(rounding.use_hint(expected, changed), part, "{r} {change}");
                    }
                }
            }
        }
    }

    /// Protects: the bound of what is rejected.
    #[test]
    fn bounds() {
        for (a, expected) in [(5, -1), (-5, -1), (4, 0), (-4, 0), (6, -1), (0, 0)] {
            assert_eq!(exceeds(a, 5), expected);
        }
    }
}
