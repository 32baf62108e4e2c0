//! Two registers of four lanes: high halves by fused multiply-adds, low halves by 32-bit products.

use super::{BITS, Factor, LOW};
use crate::{Avx2, WideRow, WordLanes, each};
use core::arch::x86_64::*;

type V = __m256i;
/// Lanes 0..4 and 4..8.
type Pair = (V, V);

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs AVX2 or FMA; an `Avx2` token exists only where
        // its `detect` saw both.
        unsafe { $intrinsic($($arg),*) }
    };
}

/// The same on both registers.
macro_rules! both {
    ($operation:expr; $($arg:expr),*) => { (op!($operation; $($arg.0),*), op!($operation; $($arg.1),*)) };
}

/// `2^BITS`, where a unit is the last bit of a double.
const UNIT: f64 = (1_u64 << BITS) as f64;
/// `2^(2 BITS)`, where `2^BITS` is the last bit.
const HIGH: f64 = UNIT * UNIT;

/// Four words of all lanes.
#[inline(always)]
fn splat(x: u64) -> V {
    op!(_mm256_set1_epi64x; x as i64)
}

/// The low 52 bits as doubles: they are put below the exponent of `2^52`, which is then taken off.
#[inline(always)]
fn doubles(a: V) -> __m256d {
    let unit = op!(_mm256_set1_pd; UNIT);
    let low = op!(_mm256_and_si256; a, splat(LOW));
    let above = op!(_mm256_or_si256; low, splat(UNIT.to_bits()));
    let above = op!(_mm256_castsi256_pd; above);
    op!(_mm256_sub_pd; above, unit)
}

/// The high half of a product, as the module's page proves it.
#[inline(always)]
fn high(a: V, b: V) -> V {
    let (a, b, c) = (doubles(a), doubles(b), op!(_mm256_set1_pd; HIGH));
    let s = op!(_mm256_fmadd_pd; a, b, c);
    let minus_high = op!(_mm256_sub_pd; c, s);
    let r = op!(_mm256_fmadd_pd; a, b, minus_high);
    let (s, r) = (op!(_mm256_castpd_si256; s), op!(_mm256_castpd_si256; r));
    let one_if_negative = op!(_mm256_srli_epi64::<63>; r);
    let floor = op!(_mm256_sub_epi64; s, one_if_negative);
    op!(_mm256_and_si256; floor, splat(LOW))
}

/// The low half of a product, of which the high words of both factors are no part.
#[inline(always)]
fn low(a: V, b: V) -> V {
    let (a_high, b_high) = (op!(_mm256_srli_epi64::<32>; a), op!(_mm256_srli_epi64::<32>; b));
    let (first, second) = (op!(_mm256_mul_epu32; a_high, b), op!(_mm256_mul_epu32; a, b_high));
    let across = op!(_mm256_add_epi64; first, second);
    let across = op!(_mm256_slli_epi64::<32>; across);
    let product = op!(_mm256_mul_epu32; a, b);
    let product = op!(_mm256_add_epi64; product, across);
    op!(_mm256_and_si256; product, splat(LOW))
}

/// `a - b` where that is not negative, else `a`.
#[inline(always)]
fn sub_if(a: V, b: V) -> V {
    let difference = op!(_mm256_sub_epi64; a, b);
    let (a, mask) = (op!(_mm256_castsi256_pd; a), op!(_mm256_castsi256_pd; difference));
    let chosen = op!(_mm256_blendv_pd; mask, a, mask);
    op!(_mm256_castpd_si256; chosen)
}

/// A prime on doubles.
#[derive(Clone, Copy)]
pub struct Prime {
    p: __m256d,
    /// `2^BITS + p`.
    above: __m256d,
    /// `p` as an integer.
    whole: V,
}

/// `b w` modulo `p`, in the low 52 bits: `k p` more than `t`, where `above` is `2^BITS + k p`, as the
/// module's page proves it.
#[inline(always)]
fn times(b: V, [w, quotient]: [V; 2], above: __m256d, prime: Prime) -> V {
    let (w, v) = (op!(_mm256_castsi256_pd; w), op!(_mm256_castsi256_pd; quotient));
    let b = doubles(b);
    let unit = op!(_mm256_set1_pd; UNIT);
    let k_above = op!(_mm256_fmadd_pd; b, v, unit);
    let k = op!(_mm256_sub_pd; k_above, unit);
    let h = op!(_mm256_mul_pd; b, w);
    let l = op!(_mm256_fmsub_pd; b, w, h);
    let r = op!(_mm256_fnmadd_pd; k, prime.p, h);
    let r = op!(_mm256_add_pd; r, l);
    let t = op!(_mm256_add_pd; r, above);
    op!(_mm256_castpd_si256; t)
}

/// The halves of each lane, changed round.
#[inline(always)]
fn swap(a: V) -> V {
    op!(_mm256_shuffle_epi32::<0b10_11_00_01>; a)
}

/// The high half of each lane, in both.
#[inline(always)]
fn top(a: V) -> V {
    op!(_mm256_shuffle_epi32::<0b11_11_01_01>; a)
}

/// A product modulo `2^64`, without the products across the halves of the factors, and these: their sum, in
/// both halves of `across`, belongs to the high half.
#[inline(always)]
fn with_across(product: V, across: V) -> V {
    let sum = op!(_mm256_add_epi32; product, across);
    let sum = op!(_mm256_add_epi32; sum, swap(across));
    op!(_mm256_blend_epi32::<0b1010_1010>; product, sum)
}

/// A product modulo `2^64`.
#[inline(always)]
fn low64(a: V, b: V) -> V {
    with_across(op!(_mm256_mul_epu32; a, b), op!(_mm256_mullo_epi32; a, swap(b)))
}

/// The high half of a product of words.
#[inline(always)]
fn high64(a: V, b: V) -> V {
    let (a_high, b_high) = (top(a), top(b));
    let (low, first) = (op!(_mm256_mul_epu32; a, b), op!(_mm256_mul_epu32; a, b_high));
    let (second, high) = (op!(_mm256_mul_epu32; a_high, b), op!(_mm256_mul_epu32; a_high, b_high));
    // Neither sum overflows: a product of halves is at most `(2^32 - 1)^2`.
    let carry = op!(_mm256_srli_epi64::<32>; low);
    let first = op!(_mm256_add_epi64; first, carry);
    let half = op!(_mm256_and_si256; first, splat(u32::MAX.into()));
    let second = op!(_mm256_add_epi64; second, half);
    let (first, second) = (op!(_mm256_srli_epi64::<32>; first), op!(_mm256_srli_epi64::<32>; second));
    let high = op!(_mm256_add_epi64; high, first);
    op!(_mm256_add_epi64; high, second)
}

/// `b w` modulo `p`, in `[0, 4 p)`, as the module's page proves it.
#[inline(always)]
fn times64(b: V, [w, quotient]: [V; 2], p: V) -> V {
    let (b1, w1) = (top(b), top(quotient));
    let (first, second) = (op!(_mm256_mul_epu32; b, w1), op!(_mm256_mul_epu32; b1, quotient));
    let (first, second) = (op!(_mm256_srli_epi64::<32>; first), op!(_mm256_srli_epi64::<32>; second));
    let q = op!(_mm256_mul_epu32; b1, w1);
    let q = op!(_mm256_add_epi64; q, first);
    let q = op!(_mm256_add_epi64; q, second);
    let (product, multiple) = (op!(_mm256_mul_epu32; b, w), op!(_mm256_mul_epu32; q, p));
    let product = op!(_mm256_sub_epi64; product, multiple);
    let (across, multiple) = (op!(_mm256_mullo_epi32; b, swap(w)), op!(_mm256_mullo_epi32; q, swap(p)));
    with_across(product, op!(_mm256_sub_epi32; across, multiple))
}

/// Transposes 4 x 4 lanes.
#[inline(always)]
fn transpose(x: [V; 4]) -> [V; 4] {
    let low = [op!(_mm256_unpacklo_epi64; x[0], x[1]), op!(_mm256_unpacklo_epi64; x[2], x[3])];
    let high = [op!(_mm256_unpackhi_epi64; x[0], x[1]), op!(_mm256_unpackhi_epi64; x[2], x[3])];
    [
        op!(_mm256_permute2x128_si256::<0x20>; low[0], low[1]),
        op!(_mm256_permute2x128_si256::<0x20>; high[0], high[1]),
        op!(_mm256_permute2x128_si256::<0x31>; low[0], low[1]),
        op!(_mm256_permute2x128_si256::<0x31>; high[0], high[1]),
    ]
}

impl WordLanes for Avx2 {
    type Words = Pair;
    const PIECES: usize = 1;

    #[inline(always)]
    fn splat_words(self, x: u64) -> Pair {
        (splat(x), splat(x))
    }
    #[inline(always)]
    fn load_words(self, row: &WideRow, _: usize) -> Pair {
        let [low, high] = row.as_chunks::<4>().0 else { unreachable!("eight words") };
        // SAFETY: the reference is valid for reads of 32 bytes; the load has no alignment requirement.
        let low = unsafe { _mm256_loadu_si256(low.as_ptr().cast()) };
        // SAFETY: as above.
        let high = unsafe { _mm256_loadu_si256(high.as_ptr().cast()) };
        (low, high)
    }
    #[inline(always)]
    fn store_words(self, row: &mut WideRow, _: usize, v: Pair) {
        let [low, high] = row.as_chunks_mut::<4>().0 else { unreachable!("eight words") };
        // SAFETY: the reference is valid for writes of 32 bytes; the store has no alignment requirement.
        unsafe { _mm256_storeu_si256(low.as_mut_ptr().cast(), v.0) };
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(high.as_mut_ptr().cast(), v.1) };
    }
    #[inline(always)]
    fn add_words(self, a: Pair, b: Pair) -> Pair {
        both!(_mm256_add_epi64; a, b)
    }
    #[inline(always)]
    fn sub_words(self, a: Pair, b: Pair) -> Pair {
        both!(_mm256_sub_epi64; a, b)
    }
    #[inline(always)]
    fn or_words(self, a: Pair, b: Pair) -> Pair {
        both!(_mm256_or_si256; a, b)
    }
    #[inline(always)]
    fn and_words(self, a: Pair, b: Pair) -> Pair {
        both!(_mm256_and_si256; a, b)
    }
    #[inline(always)]
    fn top_words(self, a: Pair) -> Pair {
        both!(_mm256_srli_epi64::<48>; a)
    }
    #[inline(always)]
    fn madd_low32(self, c: Pair, a: Pair, b: Pair) -> Pair {
        let product = both!(_mm256_mul_epu32; a, b);
        both!(_mm256_add_epi64; c, product)
    }
    #[inline(always)]
    fn sub_if_words(self, a: Pair, b: Pair) -> Pair {
        (sub_if(a.0, b.0), sub_if(a.1, b.1))
    }
    #[inline(always)]
    fn madd_low52(self, c: Pair, a: Pair, b: Pair) -> Pair {
        self.add_words(c, (low(a.0, b.0), low(a.1, b.1)))
    }
    #[inline(always)]
    fn madd_high52(self, c: Pair, a: Pair, b: Pair) -> Pair {
        self.add_words(c, (high(a.0, b.0), high(a.1, b.1)))
    }
    type Prime = Prime;

    #[inline(always)]
    fn prime52(self, p: u64) -> Prime {
        let (whole, p) = (splat(p), p as f64);
        Prime { p: op!(_mm256_set1_pd; p), above: op!(_mm256_set1_pd; UNIT + p), whole }
    }
    fn factor52(w: u64, p: u64) -> Factor {
        [(w as f64).to_bits(), (w as f64 / p as f64).to_bits()]
    }
    #[inline(always)]
    fn madd_factor52(self, c: Pair, b: Pair, [w, v]: [Pair; 2], p: Prime) -> Pair {
        let c = self.sub_words(c, (p.whole, p.whole));
        self.add_words(c, (times(b.0, [w.0, v.0], p.above, p), times(b.1, [w.1, v.1], p.above, p)))
    }
    #[inline(always)]
    fn around52(self, k: u64, p: u64) -> Pair {
        self.splat_words((UNIT + (k * p) as f64).to_bits())
    }
    #[inline(always)]
    fn reduce52(self, a: Pair, [w, v]: [Pair; 2], around: Pair, p: Prime) -> Pair {
        let above = both!(_mm256_castsi256_pd; around);
        (times(a.0, [w.0, v.0], above.0, p), times(a.1, [w.1, v.1], above.1, p))
    }
    #[inline(always)]
    fn low64(self, a: Pair, b: Pair) -> Pair {
        (low64(a.0, b.0), low64(a.1, b.1))
    }
    #[inline(always)]
    fn high64(self, a: Pair, b: Pair) -> Pair {
        (high64(a.0, b.0), high64(a.1, b.1))
    }
    type LongPrime = V;

    #[inline(always)]
    fn prime64(self, p: u64) -> V {
        splat(p)
    }
    #[inline(always)]
    fn times64(self, b: Pair, [w, v]: [Pair; 2], p: V) -> Pair {
        (times64(b.0, [w.0, v.0], p), times64(b.1, [w.1, v.1], p))
    }
    #[inline(always)]
    fn transpose_words(self, x: [Pair; 8]) -> [Pair; 8] {
        let lanes = [x.map(|row| row.0), x.map(|row| row.1)];
        // Rows 0..4 and 4..8 of the lanes 4 h..4 h + 4.
        let quarter = |h: usize, first: usize| transpose(each(|i| lanes[h][first + i]));
        let of = [[quarter(0, 0), quarter(0, 4)], [quarter(1, 0), quarter(1, 4)]];
        each(
            #[inline(always)]
            |i| (of[i / 4][0][i % 4], of[i / 4][1][i % 4]),
        )
    }
}
