//! The even and the odd lanes, four products each.

use crate::{Avx2, I32Lanes, ProductLanes, Quotient};
use core::arch::x86_64::*;

type V = __m256i;

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs AVX2 alone; an `Avx2` token exists only where its
        // `detect` saw it.
        unsafe { $intrinsic($($arg),*) }
    };
}

/// The odd lanes in the places of the even ones.
#[inline(always)]
fn odd(a: V) -> V {
    op!(_mm256_shuffle_epi32::<0xf5>; a)
}

/// The high half of `x - m p`.
#[inline(always)]
fn reduced(x: V, p: V, inverse: V) -> V {
    let m = op!(_mm256_mul_epi32; x, inverse);
    let multiple = op!(_mm256_mul_epi32; m, p);
    op!(_mm256_sub_epi64; x, multiple)
}

/// The high halves of `e` and `o`, the even and the odd lanes.
#[inline(always)]
fn high_halves((e, o): (V, V)) -> V {
    op!(_mm256_blend_epi32::<0xaa>; odd(e), o)
}

impl ProductLanes for Avx2 {
    /// Of the even and of the odd lanes.
    type Products = (V, V);

    #[inline(always)]
    fn products32(self, a: V, b: V) -> (V, V) {
        (op!(_mm256_mul_epi32; a, b), op!(_mm256_mul_epi32; odd(a), odd(b)))
    }
    #[inline(always)]
    fn add_products32(self, a: (V, V), b: (V, V)) -> (V, V) {
        (op!(_mm256_add_epi64; a.0, b.0), op!(_mm256_add_epi64; a.1, b.1))
    }
    #[inline(always)]
    fn sub_products32(self, a: (V, V), b: (V, V)) -> (V, V) {
        (op!(_mm256_sub_epi64; a.0, b.0), op!(_mm256_sub_epi64; a.1, b.1))
    }
    #[inline(always)]
    fn montgomery32(self, x: (V, V), p: V, inverse: V) -> V {
        let (inverse_odd, p_odd) = (odd(inverse), odd(p));
        high_halves((reduced(x.0, p, inverse), reduced(x.1, p_odd, inverse_odd)))
    }
    #[inline(always)]
    fn split_products32<const K: i32>(self, (even, odd): (V, V)) -> (V, V) {
        let up = op!(_mm256_slli_epi64::<32>; odd);
        let count = op!(_mm_cvtsi32_si128; K);
        let down = op!(_mm256_srl_epi64; even, count);
        let count = op!(_mm_cvtsi32_si128; 32 - K);
        let odd = op!(_mm256_sll_epi64; odd, count);
        (op!(_mm256_blend_epi32::<0xaa>; even, up), op!(_mm256_blend_epi32::<0xaa>; down, odd))
    }
    const QUOTIENT: Quotient = Quotient::Floor;

    #[inline(always)]
    fn times32(self, a: V, [z, quotient]: [V; 2], p: V) -> V {
        let t = high_halves(self.products32(a, quotient));
        self.sub32(self.mul_lo32(a, z), self.mul_lo32(t, p))
    }
    #[inline(always)]
    fn times_sum32(self, [a, b]: [V; 2], [z, w]: [[V; 2]; 2], p: V) -> V {
        let t = high_halves(self.add_products32(self.products32(a, z[1]), self.products32(b, w[1])));
        let low = self.add32(self.mul_lo32(a, z[0]), self.mul_lo32(b, w[0]));
        self.sub32(low, self.mul_lo32(t, p))
    }
    /// The lesser of `a` and `a + p`, taken as numbers without a sign.
    #[inline(always)]
    fn add_if_negative32(self, a: V, p: V) -> V {
        op!(_mm256_min_epu32; a, self.add32(a, p))
    }
    #[inline(always)]
    fn step32(self, a: V, p: V) -> V {
        let signed = op!(_mm256_sign_epi32; p, a);
        op!(_mm256_sub_epi32; a, signed)
    }
}
