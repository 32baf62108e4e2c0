//! One arithmetic for odd moduli and for powers of two.
//!
//! Products of rows come as 32-bit sums. Modulo an odd `q` they become 16-bit residues by a Montgomery step,
//! which leaves a factor `2^-16`; modulo a power of two the low word is the residue, all arithmetic wraps,
//! and nothing ever overflows.

use super::{barrett, montgomery};
use crate::bound::Bound;
use ringsmith_simd::Simd;

/// Whether residues modulo `q` are words that wrap.
pub const fn wraps(q: i64) -> bool {
    (1 << 16) % q == 0
}

/// A residue of `p = high 2^16 + low`: `p 2^-16` modulo an odd `Q`, `p` modulo a power of two.
#[inline(always)]
pub fn from_wide<S: Simd, const Q: i64>(s: S, low: S::I16, high: S::I16) -> S::I16 {
    if const { wraps(Q) } { low } else { montgomery::reduce_wide::<S, Q>(s, low, high) }
}

/// Where [`from_wide`] lies for 32-bit values in `p`. A power of two needs no bound: any word stands for its
/// residue.
pub const fn from_wide_bound(p: Bound, q: i64) -> Bound {
    if wraps(q) { Bound::symmetric(0) } else { montgomery::bound_wide(p, q) }
}

/// A representative within [`shrink_bound`] of a residue that need not stay lazy; factor 1.
#[inline(always)]
pub fn shrink<S: Simd, const Q: i64>(s: S, a: S::I16) -> S::I16 {
    if const { wraps(Q) } { a } else { barrett::exact::<S, Q>(s, a) }
}

/// Every word.
const WORD: Bound = Bound::new(-(1 << 15), (1 << 15) - 1);

/// Where [`shrink`] of any word lies: centred, or one past the centre where [`barrett::exact_limit`] is no
/// whole word.
pub const fn shrink_bound(q: i64) -> Bound {
    if wraps(q) { Bound::symmetric(0) } else { barrett::exact_bound(WORD, q) }
}

/// Whether [`finish`] is centred for every word: its product must lie where the exact reduction is exact.
pub const fn finish_is_centred(q: i64) -> bool {
    wraps(q) || montgomery::bound_any(WORD, q).magnitude() <= barrett::exact_limit(q)
}

/// Takes the factor of [`from_wide`] off and returns the centred representative.
#[inline(always)]
pub fn finish<S: Simd, const Q: i64>(s: S, a: S::I16) -> S::I16 {
    const { assert!(finish_is_centred(Q), "the product leaves the range where the reduction is exact") };
    if const { wraps(Q) } {
        // The low log2(Q) bits with their sign: up to the top of the word, and down again with the sign.
        let up = const { ((1i64 << 16) / Q) as i16 };
        s.mul_hi(s.mul_lo(a, s.splat(up)), s.splat(Q as i16))
    } else {
        // `Q | 1` is `Q` here; it lets the constant be evaluated for even moduli too, where it is not used.
        let factor = const { montgomery::Factor::new(1 << 16, Q | 1) };
        barrett::exact::<S, Q>(s, montgomery::scale::<S, Q>(s, a, factor))
    }
}
