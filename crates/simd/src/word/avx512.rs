//! One register, and an instruction for each half of a product.

use super::{Factor, shoup};
use crate::{Avx512, WideRow, WordLanes, each};
use core::arch::x86_64::*;

type V = __m512i;

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs AVX-512F, DQ or IFMA; an `Avx512` token exists
        // only where its `detect` saw them.
        unsafe { $intrinsic($($arg),*) }
    };
}

/// The high 32 bits.
#[inline(always)]
fn top(a: V) -> V {
    op!(_mm512_srli_epi64::<32>; a)
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
    const PIECES: usize = 1;

    #[inline(always)]
    fn splat_words(self, x: u64) -> V {
        op!(_mm512_set1_epi64; x as i64)
    }
    #[inline(always)]
    fn load_words(self, row: &WideRow, _: usize) -> V {
        // SAFETY: the reference is valid for reads of 64 bytes; the load has no alignment requirement.
        unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store_words(self, row: &mut WideRow, _: usize, v: V) {
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
    fn low64(self, a: V, b: V) -> V {
        op!(_mm512_mullo_epi64; a, b)
    }
    /// The carry of the low halves' product is a multiply-add, `floor(2^20 x y / 2^52)`: compilers take the
    /// usual form apart, into words.
    #[inline(always)]
    fn high64(self, a: V, b: V) -> V {
        let (a_high, b_high, half) = (top(a), top(b), self.splat_words(u32::MAX.into()));
        let (first, second) = (op!(_mm512_mul_epu32; a, b_high), op!(_mm512_mul_epu32; a_high, b));
        // Neither sum overflows: a product of halves is at most `(2^32 - 1)^2`.
        let first = self.madd_high52(first, op!(_mm512_slli_epi64::<20>; a), self.and_words(b, half));
        let second = self.add_words(second, self.and_words(first, half));
        let high = op!(_mm512_mul_epu32; a_high, b_high);
        self.add_words(self.add_words(high, top(first)), top(second))
    }
    type LongPrime = V;

    #[inline(always)]
    fn prime64(self, p: u64) -> V {
        self.splat_words(p)
    }
    #[inline(always)]
    fn times64(self, b: V, [w, quotient]: [V; 2], p: V) -> V {
        let (b1, w1) = (top(b), top(quotient));
        // From 0, not from the product: one addition more, but a shorter way to the quotient.
        let across = self.madd_high52(self.splat_words(0), op!(_mm512_slli_epi64::<20>; b), w1);
        let across = self.madd_high52(across, b1, op!(_mm512_slli_epi64::<20>; quotient));
        let q = self.add_words(op!(_mm512_mul_epu32; b1, w1), across);
        self.sub_words(self.low64(b, w), self.low64(q, p))
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
