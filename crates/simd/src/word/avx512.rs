//! One register, and an instruction for each half of a product.

use super::{Factor, shoup};
use crate::{Avx512, WideRow, WordLanes, each};
use core::arch::x86_64::*;

type V = __m512i;

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs AVX-512F or IFMA; an `Avx512` token exists only
        // where its `detect` saw both.
        unsafe { $intrinsic($($arg),*) }
    };
}

/// The even and the odd pairs of lanes of `a`, then of `b`.
#[inline(always)]
fn pairs(a: V, b: V) -> [V; 2] {
    [op!(_mm512_shuffle_i64x2::<0x88>; a, b), op!(_mm512_shuffle_i64x2::<0xdd>; a, b)]
}

/// Lanes `k`, `k + 2`, `k + 4`, `k + 6` of eight rows, where `x` has them of two rows in turn.
#[inline(always)]
fn columns(x: [V; 4]) -> [V; 4] {
    let (upper, lower) = (pairs(x[0], x[1]), pairs(x[2], x[3]));
    let (even, odd) = (pairs(upper[0], lower[0]), pairs(upper[1], lower[1]));
    [even[0], odd[0], even[1], odd[1]]
}

impl WordLanes for Avx512 {
    type Words = V;

    #[inline(always)]
    fn splat_words(self, x: u64) -> V {
        op!(_mm512_set1_epi64; x as i64)
    }
    #[inline(always)]
    fn load_words(self, row: &WideRow) -> V {
        // SAFETY: the reference is valid for reads of 64 bytes; the load has no alignment requirement.
        unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store_words(self, row: &mut WideRow, v: V) {
        // SAFETY: the reference is valid for writes of 64 bytes; the store has no alignment requirement.
        unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn add_words(self, a: V, b: V) -> V {
        op!(_mm512_add_epi64; a, b)
    }
    #[inline(always)]
    fn sub_words(self, a: V, b: V) -> V {
        op!(_mm512_sub_epi64; a, b)
    }
    #[inline(always)]
    fn or_words(self, a: V, b: V) -> V {
        op!(_mm512_or_si512; a, b)
    }
    #[inline(always)]
    fn and_words(self, a: V, b: V) -> V {
        op!(_mm512_and_si512; a, b)
    }
    #[inline(always)]
    fn top_words(self, a: V) -> V {
        op!(_mm512_srli_epi64::<48>; a)
    }
    #[inline(always)]
    fn madd_low32(self, c: V, a: V, b: V) -> V {
        let product = op!(_mm512_mul_epu32; a, b);
        op!(_mm512_add_epi64; c, product)
    }
    #[inline(always)]
    fn sub_if_words(self, a: V, b: V) -> V {
        // A difference below nothing is the greater word.
        op!(_mm512_min_epu64; a, self.sub_words(a, b))
    }
    #[inline(always)]
    fn madd_low52(self, c: V, a: V, b: V) -> V {
        op!(_mm512_madd52lo_epu64; c, a, b)
    }
    #[inline(always)]
    fn madd_high52(self, c: V, a: V, b: V) -> V {
        op!(_mm512_madd52hi_epu64; c, a, b)
    }
    type Prime = V;

    #[inline(always)]
    fn prime52(self, p: u64) -> V {
        shoup::minus(self, p)
    }
    fn factor52(w: u64, p: u64) -> Factor {
        shoup::factor(w, p)
    }
    #[inline(always)]
    fn madd_factor52(self, c: V, b: V, factors: [V; 2], p: V) -> V {
        shoup::madd(self, c, b, factors, p)
    }
    #[inline(always)]
    fn around52(self, k: u64, _: u64) -> V {
        shoup::around(self, k)
    }
    #[inline(always)]
    fn reduce52(self, a: V, one: [V; 2], around: V, p: V) -> V {
        shoup::reduce(self, a, one, around, p)
    }
    #[inline(always)]
    fn transpose_words(self, x: [V; 8]) -> [V; 8] {
        let even = columns(each(
            #[inline(always)]
            |i| op!(_mm512_unpacklo_epi64; x[2 * i], x[2 * i + 1]),
        ));
        let odd = columns(each(
            #[inline(always)]
            |i| op!(_mm512_unpackhi_epi64; x[2 * i], x[2 * i + 1]),
        ));
        [even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]]
    }
}
