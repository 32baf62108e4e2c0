//! Two rows in one register: the even and the odd lanes, eight products each.

use super::rows::{Line32, RowLanes, TwoRowLanes};
use crate::{Avx512, Row32, each};
use core::arch::x86_64::*;
use core::hint::black_box;

type V = __m512i;

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs AVX-512F or IFMA; an `Avx512` token exists only
        // where its `detect` saw them.
        unsafe { $intrinsic($($arg),*) }
    };
}

/// The lanes with even numbers.
const EVEN: u16 = 0x5555;
/// The second row.
const SECOND: u16 = 0xff00;

/// The odd lanes in the places of the even ones.
#[inline(always)]
fn odd(a: V) -> V {
    op!(_mm512_shuffle_epi32::<0xf5>; a)
}

/// `x - m p`, whose low half is 0. `m` is the low half of what it is read from: of a product of 52 bits,
/// which compilers leave as it is, where they make one of 64 of another.
#[inline(always)]
fn reduced(x: V, p: V, inverse: V) -> V {
    let zero = op!(_mm512_setzero_si512;);
    let m = op!(_mm512_madd52lo_epu64; zero, x, inverse);
    let multiple = op!(_mm512_mul_epi32; m, p);
    op!(_mm512_sub_epi64; x, multiple)
}

/// The first and the last 128 bits of each row of `a` and of `b` in turn, by the order of their words.
#[inline(always)]
fn halves(a: V, b: V) -> [V; 2] {
    let first = op!(_mm512_setr_epi64; 0, 1, 8, 9, 4, 5, 12, 13);
    let second = op!(_mm512_setr_epi64; 2, 3, 10, 11, 6, 7, 14, 15);
    [op!(_mm512_permutex2var_epi64; a, first, b), op!(_mm512_permutex2var_epi64; a, second, b)]
}

/// A row from memory, in 256 bits.
#[inline(always)]
fn load(row: &Row32) -> __m256i {
    // SAFETY: the reference is valid for reads of 32 bytes; the load has no alignment requirement.
    unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
}

/// A row to memory.
#[inline(always)]
fn store(row: &mut Row32, v: __m256i) {
    // SAFETY: the reference is valid for writes of 32 bytes; the store has no alignment requirement.
    unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), v) }
}

impl RowLanes for Avx512 {
    type Lanes = V;
    /// Of the even and of the odd lanes.
    type LaneProducts = (V, V);

    #[inline(always)]
    fn splat_lanes(self, x: i32) -> V {
        op!(_mm512_set1_epi32; x)
    }
    #[inline(always)]
    fn add_lanes(self, a: V, b: V) -> V {
        op!(_mm512_add_epi32; a, b)
    }
    #[inline(always)]
    fn sub_lanes(self, a: V, b: V) -> V {
        op!(_mm512_sub_epi32; a, b)
    }
    #[inline(always)]
    fn and_lanes(self, a: V, b: V) -> V {
        op!(_mm512_and_si512; a, b)
    }
    #[inline(always)]
    fn shift_right_lanes<const K: i32>(self, a: V) -> V {
        let count = op!(_mm_cvtsi32_si128; K);
        op!(_mm512_sra_epi32; a, count)
    }
    #[inline(always)]
    fn multiply_words(self, a: V, b: V) -> V {
        op!(_mm512_madd_epi16; a, b)
    }
    #[inline(always)]
    fn multiply_lanes(self, a: V, b: V) -> (V, V) {
        let (odd_a, odd_b) = (odd(a), odd(b));
        (op!(_mm512_mul_epi32; a, b), op!(_mm512_mul_epi32; odd_a, odd_b))
    }
    #[inline(always)]
    fn add_products(self, a: (V, V), b: (V, V)) -> (V, V) {
        (op!(_mm512_add_epi64; a.0, b.0), op!(_mm512_add_epi64; a.1, b.1))
    }
    #[inline(always)]
    fn sub_products(self, a: (V, V), b: (V, V)) -> (V, V) {
        (op!(_mm512_sub_epi64; a.0, b.0), op!(_mm512_sub_epi64; a.1, b.1))
    }
    /// Both differences have low halves of 0, so that one, with its halves exchanged, is added to the other.
    #[inline(always)]
    fn montgomery(self, x: (V, V), p: V, inverse: V) -> V {
        let (even, odds) = (reduced(x.0, p, inverse), reduced(x.1, odd(p), odd(inverse)));
        let exchanged = op!(_mm512_shuffle_epi32::<0xb1>; even);
        op!(_mm512_or_si512; odds, exchanged)
    }
    #[inline(always)]
    fn split_products<const K: i32>(self, (even, odd): (V, V)) -> (V, V) {
        let up = op!(_mm512_slli_epi64::<32>; odd);
        let count = op!(_mm_cvtsi32_si128; K);
        let down = op!(_mm512_srl_epi64; even, count);
        let count = op!(_mm_cvtsi32_si128; 32 - K);
        let odd = op!(_mm512_sll_epi64; odd, count);
        (op!(_mm512_mask_blend_epi32; EVEN, up, even), op!(_mm512_mask_blend_epi32; EVEN, odd, down))
    }
    /// The lesser of `a` and `a + 2 p`, taken as numbers without a sign, is in `[0, 2 p]`.
    #[inline(always)]
    fn step(self, a: V, p: V) -> V {
        let above = self.add_lanes(a, self.add_lanes(p, p));
        let least = op!(_mm512_min_epu32; a, above);
        self.sub_lanes(least, p)
    }
    #[inline(always)]
    fn transpose_lanes(self, x: [V; 8]) -> [V; 8] {
        let pairs: [[V; 2]; 4] = each(
            #[inline(always)]
            |i| {
                let (a, b) = (x[2 * i], x[2 * i + 1]);
                [op!(_mm512_unpacklo_epi32; a, b), op!(_mm512_unpackhi_epi32; a, b)]
            },
        );
        // Lane `k` and lane `k + 4` of four rows.
        let quads: [[V; 4]; 2] = each(
            #[inline(always)]
            |i| {
                let ([a, b], [c, d]) = (pairs[2 * i], pairs[2 * i + 1]);
                let (first, second) = (op!(_mm512_unpacklo_epi64; a, c), op!(_mm512_unpackhi_epi64; a, c));
                let (third, fourth) = (op!(_mm512_unpacklo_epi64; b, d), op!(_mm512_unpackhi_epi64; b, d));
                [first, second, third, fourth]
            },
        );
        let columns: [[V; 2]; 4] = each(
            #[inline(always)]
            |k| halves(quads[0][k], quads[1][k]),
        );
        each(
            #[inline(always)]
            |i| columns[i % 4][i / 4],
        )
    }
}

impl TwoRowLanes for Avx512 {
    /// The even lanes, and the second row. Of masks that it knows the compiler makes permutations of two
    /// registers, of which a CPU starts half as many at once.
    type LaneMasks = [__mmask16; 2];
    /// Constants, and the quotients of the even and of the odd lanes.
    type LaneFactors = [V; 3];

    #[inline(always)]
    fn load_rows(self, rows: [&Row32; 2]) -> V {
        let (first, second) = (load(rows[0]), load(rows[1]));
        let first = op!(_mm512_castsi256_si512; first);
        op!(_mm512_inserti64x4::<1>; first, second)
    }
    #[inline(always)]
    fn store_rows(self, rows: [&mut Row32; 2], v: V) {
        let [first, second] = rows;
        store(first, op!(_mm512_castsi512_si256; v));
        store(second, op!(_mm512_extracti64x4_epi64::<1>; v));
    }
    #[inline(always)]
    fn load_lines(self, lines: &[Line32; 2]) -> V {
        // SAFETY: the reference is valid for reads of 64 bytes; the load has no alignment requirement.
        unsafe { _mm512_loadu_si512(lines.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store_lines(self, lines: &mut [Line32; 2], v: V) {
        // SAFETY: the reference is valid for writes of 64 bytes; the store has no alignment requirement.
        unsafe { _mm512_storeu_si512(lines.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn splat_rows(self, x: [i32; 2]) -> V {
        let first = self.splat_lanes(x[0]);
        op!(_mm512_mask_set1_epi32; first, SECOND, x[1])
    }
    #[inline(always)]
    fn load_row(self, row: &Row32) -> V {
        let row = load(row);
        op!(_mm512_zextsi256_si512; row)
    }
    #[inline(always)]
    fn store_row(self, row: &mut Row32, v: V) {
        store(row, op!(_mm512_castsi512_si256; v));
    }
    #[inline(always)]
    fn least_lanes(self, a: V, b: V) -> V {
        op!(_mm512_min_epu32; a, b)
    }
    #[inline(always)]
    fn lane_masks(self) -> [__mmask16; 2] {
        black_box([EVEN, SECOND])
    }
    #[inline(always)]
    fn lane_factors(self, [z, quotient]: [V; 2]) -> [V; 3] {
        [z, quotient, odd(quotient)]
    }
    #[inline(always)]
    fn splat_factors(self, [a, b]: [[i32; 2]; 2], [_, second]: [__mmask16; 2]) -> [V; 3] {
        let (z, quotient) = (self.splat_lanes(a[0]), self.splat_lanes(a[1]));
        let z = op!(_mm512_mask_set1_epi32; z, second, b[0]);
        let quotient = op!(_mm512_mask_set1_epi32; quotient, second, b[1]);
        [z, quotient, quotient]
    }
    #[inline(always)]
    fn times_lanes(self, a: V, [z, even, odds]: [V; 3], p: V, [evens, _]: [__mmask16; 2]) -> V {
        let odd_a = odd(a);
        let (even, odds) = (op!(_mm512_mul_epu32; a, even), op!(_mm512_mul_epu32; odd_a, odds));
        let t = op!(_mm512_mask_shuffle_epi32::<0xf5>; odds, evens, even);
        let (product, multiple) = (op!(_mm512_mullo_epi32; a, z), op!(_mm512_mullo_epi32; t, p));
        op!(_mm512_sub_epi32; product, multiple)
    }
}
