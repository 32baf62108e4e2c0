//! Products by factors, by the halves of products.

use super::{BITS, Factor};
use crate::WordLanes;

/// `w` and `ceil(2^52 w / p)`.
pub(super) fn factor(w: u64, p: u64) -> Factor {
    [w, (u128::from(w) << BITS).div_ceil(u128::from(p)) as u64]
}

/// The factor of a constant `w < p` for [`WordLanes::times64`], on every backend: `w` and
/// `floor(2^64 w / p)`. Both are public.
pub fn factor64(w: u64, p: u64) -> Factor {
    [w, ((u128::from(w) << u64::BITS) / u128::from(p)) as u64]
}

/// What quotients are multiplied by: `-p` modulo `2^52`.
#[inline(always)]
pub(super) fn minus<W: WordLanes>(s: W, p: u64) -> W::Words {
    s.splat_words((1 << BITS) - p)
}

/// `c + b w` less a multiple of `p`.
#[inline(always)]
pub(super) fn madd<W: WordLanes>(
    s: W,
    c: W::Words,
    b: W::Words,
    [w, quotient]: [W::Words; 2],
    minus_p: W::Words,
) -> W::Words {
    let quotient = s.madd_high52(s.splat_words(0), b, quotient);
    s.madd_low52(s.madd_low52(c, b, w), quotient, minus_p)
}

/// What quotients begin with, to leave `k p` more: `-k`.
#[inline(always)]
pub(super) fn around<W: WordLanes>(s: W, k: u64) -> W::Words {
    s.splat_words(k.wrapping_neg())
}

/// `a` less a multiple of `p`, and `k p`: the same by 1, where the product is there.
#[inline(always)]
pub(super) fn reduce<W: WordLanes>(
    s: W,
    a: W::Words,
    [_, quotient]: [W::Words; 2],
    minus_k: W::Words,
    minus_p: W::Words,
) -> W::Words {
    s.madd_low52(a, s.madd_high52(minus_k, a, quotient), minus_p)
}
