//! Two registers: the even and the odd lanes of each, two products each.

use crate::{ProductLanes, Sse2};
use core::arch::x86_64::*;

type H = __m128i;
type V = (H, H);

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs SSE2 alone, which every x86-64 CPU has.
        unsafe { $intrinsic($($arg),*) }
    };
}

/// The odd lanes in the places of the even ones.
#[inline(always)]
fn odd(a: H) -> H {
    op!(_mm_shuffle_epi32::<0xf5>; a)
}

/// The even lanes alone.
#[inline(always)]
fn low(a: H) -> H {
    let mask = op!(_mm_set1_epi64x; 0xffff_ffff);
    op!(_mm_and_si128; a, mask)
}

/// The signed products of the even lanes: the unsigned ones, less `2^32 ((a < 0) b + (b < 0) a)`.
#[inline(always)]
fn product(a: H, b: H) -> H {
    let (sign_a, sign_b) = (op!(_mm_srai_epi32::<31>; a), op!(_mm_srai_epi32::<31>; b));
    let (x, y) = (op!(_mm_and_si128; sign_a, b), op!(_mm_and_si128; sign_b, a));
    let excess = op!(_mm_add_epi32; x, y);
    let excess = op!(_mm_slli_epi64::<32>; excess);
    let unsigned = op!(_mm_mul_epu32; a, b);
    op!(_mm_sub_epi64; unsigned, excess)
}

/// The high half of `x - m p` in the odd lanes.
#[inline(always)]
fn reduced(x: H, p: H, inverse: H) -> H {
    let m = op!(_mm_mul_epu32; x, inverse);
    op!(_mm_sub_epi64; x, product(m, p))
}

/// The same of four lanes, each in its place.
#[inline(always)]
fn montgomery((even, high): V, p: H, inverse: H) -> H {
    let even = op!(_mm_srli_epi64::<32>; reduced(even, p, inverse));
    let high = reduced(high, odd(p), odd(inverse));
    let high = op!(_mm_slli_epi64::<32>; odd(high));
    op!(_mm_or_si128; low(even), high)
}

/// `a - p`, or `a + p` where `a` is negative.
#[inline(always)]
fn step(a: H, p: H) -> H {
    let sign = op!(_mm_srai_epi32::<31>; a);
    let signed = op!(_mm_xor_si128; p, sign);
    let signed = op!(_mm_sub_epi32; signed, sign);
    op!(_mm_sub_epi32; a, signed)
}

impl ProductLanes for Sse2 {
    /// For each register the products of its even and of its odd lanes.
    type Products = [V; 2];

    #[inline(always)]
    fn products32(self, a: V, b: V) -> [V; 2] {
        [(product(a.0, b.0), product(odd(a.0), odd(b.0))), (product(a.1, b.1), product(odd(a.1), odd(b.1)))]
    }
    #[inline(always)]
    fn add_products32(self, [a, b]: [V; 2], [c, d]: [V; 2]) -> [V; 2] {
        [
            (op!(_mm_add_epi64; a.0, c.0), op!(_mm_add_epi64; a.1, c.1)),
            (op!(_mm_add_epi64; b.0, d.0), op!(_mm_add_epi64; b.1, d.1)),
        ]
    }
    #[inline(always)]
    fn sub_products32(self, [a, b]: [V; 2], [c, d]: [V; 2]) -> [V; 2] {
        [
            (op!(_mm_sub_epi64; a.0, c.0), op!(_mm_sub_epi64; a.1, c.1)),
            (op!(_mm_sub_epi64; b.0, d.0), op!(_mm_sub_epi64; b.1, d.1)),
        ]
    }
    #[inline(always)]
    fn montgomery32(self, [low, high]: [V; 2], p: V, inverse: V) -> V {
        (montgomery(low, p.0, inverse.0), montgomery(high, p.1, inverse.1))
    }
    #[inline(always)]
    fn step32(self, a: V, p: V) -> V {
        (step(a.0, p.0), step(a.1, p.1))
    }
}
