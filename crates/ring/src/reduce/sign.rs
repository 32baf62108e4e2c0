//! The sign step: `a -> a - sign(a) q`.
//!
//! The cheapest reduction of all where a CPU has a conditional negation: two instructions, no multiplication.
//! It takes `q` off the magnitude and no more, which is what a butterfly that is about to overflow needs. Not
//! idempotent, and not centred.

use crate::bound::Bound;
use ringsmith_simd::Simd;

/// `a - sign(a) q`; at zero either `0` or `-q` (CPUs differ).
#[inline(always)]
pub fn reduce<S: Simd, const Q: i64>(s: S, a: S::I16) -> S::I16 {
    s.sub(a, s.apply_sign(s.splat(Q as i16), a))
}

/// Where the result lies. Congruent to the input, factor 1.
pub const fn bound(a: Bound, q: i64) -> Bound {
    let (low, high, most) = (a.low + q, a.high - q, if a.low < 0 { q - 1 } else { 0 });
    Bound { low: if low < -q { low } else { -q }, high: if high > most { high } else { most } }
}
