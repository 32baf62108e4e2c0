//! The baseline of x86-64: a row is two 128-bit registers.
//!
//! SSE2 lacks the rounding product, the conditional sign and the 32-bit product; they are made of what there
//! is.

use crate::{
    ByteLanes, Enter, I16Lanes, I32Lanes, Kernel, LazyReduction, Row, Row32, Row64, Simd, U64Lanes, Watched,
    each,
};
use core::arch::x86_64::*;
use core::hint::black_box;

/// The token of SSE2; only [`detect`](Sse2::detect) makes one.
#[derive(Clone, Copy)]
pub struct Sse2(());

type H = __m128i;
/// Two registers: lanes 0..8 and 8..16 of 16 bits, or 0..4 and 4..8 of 32 bits.
type V = (H, H);

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs SSE2 alone, which every x86-64 CPU has.
        unsafe { $intrinsic($($arg),*) }
    };
}

/// The same intrinsic on both registers.
macro_rules! both {
    ($intrinsic:expr; $a:expr) => {{
        let a = $a;
        (op!($intrinsic; a.0), op!($intrinsic; a.1))
    }};
    ($intrinsic:expr; $a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        (op!($intrinsic; a.0, b.0), op!($intrinsic; a.1, b.1))
    }};
}

impl Sse2 {
    /// The token where the target has SSE2, as all do but those of bare machines without vector registers.
    #[cfg(all(target_feature = "sse2", not(ringsmith_scalar)))]
    #[allow(dead_code, reason = "a build for CPUs with AVX2 has another baseline")]
    pub(crate) const BASELINE: Self = Sse2(());

    /// The token: SSE2 belongs to the x86-64 targets of operating systems.
    pub fn detect() -> Option<Self> {
        cfg!(target_feature = "sse2").then_some(Sse2(()))
    }

    #[inline(always)]
    fn load_halves<T>(self, low: &[T; 8], high: &[T; 8]) -> V {
        const { assert!(size_of::<T>() == 2) };
        // SAFETY: the reference is valid for reads of 16 bytes; the load has no alignment requirement.
        let low = unsafe { _mm_loadu_si128(low.as_ptr().cast()) };
        // SAFETY: as above.
        let high = unsafe { _mm_loadu_si128(high.as_ptr().cast()) };
        (low, high)
    }
}

/// The low words of four products `a b` of 32 bits.
#[inline(always)]
fn mul_lo32_half(a: H, b: H) -> H {
    let even = op!(_mm_mul_epu32; a, b);
    let (high_a, high_b) = (op!(_mm_srli_epi64::<32>; a), op!(_mm_srli_epi64::<32>; b));
    let odd = op!(_mm_mul_epu32; high_a, high_b);
    let (even, odd) = (op!(_mm_shuffle_epi32::<0x08>; even), op!(_mm_shuffle_epi32::<0x08>; odd));
    op!(_mm_unpacklo_epi32; even, odd)
}

/// Low dwords of each quadword from `even`, high ones from `odd`.
#[inline(always)]
fn blend_odd(even: H, odd: H) -> H {
    let mask = op!(_mm_set1_epi64x; 0xffff_ffff);
    let (low, high) = (op!(_mm_and_si128; mask, even), op!(_mm_andnot_si128; mask, odd));
    op!(_mm_or_si128; low, high)
}

/// The unsigned product corrected: a signed product is `a b - 2^32 ((a < 0) b + (b < 0) a)`.
#[inline(always)]
fn mul_split32_half<const K: i32>(a: H, b: H) -> (H, H) {
    let (sign_a, sign_b) = (op!(_mm_srai_epi32::<31>; a), op!(_mm_srai_epi32::<31>; b));
    let (x, y) = (op!(_mm_and_si128; sign_a, b), op!(_mm_and_si128; sign_b, a));
    let excess = op!(_mm_add_epi32; x, y);
    let even = op!(_mm_mul_epu32; a, b);
    let even_excess = op!(_mm_slli_epi64::<32>; excess);
    let even = op!(_mm_sub_epi64; even, even_excess);
    let (high_a, high_b) = (op!(_mm_srli_epi64::<32>; a), op!(_mm_srli_epi64::<32>; b));
    let odd = op!(_mm_mul_epu32; high_a, high_b);
    let high_excess = op!(_mm_srli_epi64::<32>; excess);
    let odd_excess = op!(_mm_slli_epi64::<32>; high_excess);
    let odd = op!(_mm_sub_epi64; odd, odd_excess);
    let low = blend_odd(even, op!(_mm_slli_epi64::<32>; odd));
    let (down, up) = (op!(_mm_cvtsi32_si128; K), op!(_mm_cvtsi32_si128; 32 - K));
    (low, blend_odd(op!(_mm_srl_epi64; even, down), op!(_mm_sll_epi64; odd, up)))
}

impl I16Lanes for Sse2 {
    type I16 = V;
    type Acc = V;
    type Pairs = V;
    const HAS_ROUNDED_PRODUCT: bool = false;
    const STEP: LazyReduction = LazyReduction::Sign;
    const SIDE_BY_SIDE: bool = false;

    #[inline(always)]
    fn splat(self, x: i16) -> V {
        let v = op!(_mm_set1_epi16; x);
        (v, v)
    }
    #[inline(always)]
    fn load(self, row: &Row) -> V {
        self.load_halves(row.first_chunk().expect("16 words"), row.last_chunk().expect("16 words"))
    }
    #[inline(always)]
    fn store(self, row: &mut Row, v: V) {
        let (low, high) = row.split_at_mut(8);
        // SAFETY: the slice has 8 words, so it is valid for writes of 16 bytes; the store has no alignment
        // requirement.
        unsafe { _mm_storeu_si128(low.as_mut_ptr().cast(), v.0) };
        // SAFETY: as above.
        unsafe { _mm_storeu_si128(high.as_mut_ptr().cast(), v.1) };
    }
    /// In a loop whose length the compiler is not told: it would write both rounds out. What is computed of the zeroes
    /// is not used, and so not computed.
    #[inline(always)]
    fn in_parts<const N: usize>(self, n: usize, x: [V; N], part: impl Fn([V; N]) -> [V; N]) -> [V; N] {
        let zero = op!(_mm_setzero_si128;);
        let (mut halves, mut k, mut i) = ([[zero; 2]; N], 0, 0);
        while k < n {
            halves[k] = [x[k].0, x[k].1];
            k += 1;
        }
        while i < black_box(2) {
            let y = part(each(
                #[inline(always)]
                |k| (if k < n { halves[k][i & 1] } else { zero }, zero),
            ));
            k = 0;
            while k < n {
                halves[k][i & 1] = y[k].0;
                k += 1;
            }
            i += 1;
        }
        each(
            #[inline(always)]
            |k| (halves[k][0], halves[k][1]),
        )
    }
    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        both!(_mm_add_epi16; a, b)
    }
    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        both!(_mm_sub_epi16; a, b)
    }
    #[inline(always)]
    fn and(self, a: V, b: V) -> V {
        both!(_mm_and_si128; a, b)
    }
    #[inline(always)]
    fn or(self, a: V, b: V) -> V {
        both!(_mm_or_si128; a, b)
    }
    #[inline(always)]
    fn xor(self, a: V, b: V) -> V {
        both!(_mm_xor_si128; a, b)
    }
    #[inline(always)]
    fn eq(self, a: V, b: V) -> V {
        both!(_mm_cmpeq_epi16; a, b)
    }
    #[inline(always)]
    fn gt(self, a: V, b: V) -> V {
        both!(_mm_cmpgt_epi16; a, b)
    }
    #[inline(always)]
    fn mul_lo(self, a: V, b: V) -> V {
        both!(_mm_mullo_epi16; a, b)
    }
    #[inline(always)]
    fn mul_hi(self, a: V, b: V) -> V {
        both!(_mm_mulhi_epi16; a, b)
    }
    /// `2 high + round(low / 2^15)`; the average with zero rounds.
    #[inline(always)]
    fn mul_hi_rounded(self, a: V, b: V) -> V {
        let (low, high) = (self.mul_lo(a, b), self.mul_hi(a, b));
        let rounded = both!(_mm_avg_epu16; both!(_mm_srli_epi16::<14>; low), self.splat(0));
        self.add(self.add(high, high), rounded)
    }
    #[inline(always)]
    fn round_shift<const K: i32>(self, a: V) -> V {
        both!(_mm_srai_epi16::<K>; self.add(a, self.splat(1 << (K - 1))))
    }
    #[inline(always)]
    fn shift_right<const K: i32>(self, a: V) -> V {
        both!(_mm_srai_epi16::<K>; a)
    }
    #[inline(always)]
    fn apply_sign(self, a: V, s: V) -> V {
        let mask = both!(_mm_srai_epi16::<15>; s);
        self.sub(both!(_mm_xor_si128; a, mask), mask)
    }
    #[inline(always)]
    fn zip<const B: usize>(self, a: V, b: V) -> (V, V) {
        let (low, high) = match B {
            1 => (both!(_mm_unpacklo_epi16; a, b), both!(_mm_unpackhi_epi16; a, b)),
            2 => (both!(_mm_unpacklo_epi32; a, b), both!(_mm_unpackhi_epi32; a, b)),
            4 => (both!(_mm_unpacklo_epi64; a, b), both!(_mm_unpackhi_epi64; a, b)),
            _ => {
                const { assert!(B == 1 || B == 2 || B == 4 || B == 8) };
                ((a.0, b.0), (a.1, b.1))
            }
        };
        (low, high)
    }
    #[inline(always)]
    fn load_twice(self, half: &[i16; 8]) -> V {
        self.load_halves(half, half)
    }
    #[inline(always)]
    fn half_window<const AT: usize>(self, low: V, high: V) -> V {
        macro_rules! window {
            ($down:literal, $up:literal) => {{
                let (low, high) = (both!(_mm_srli_si128::<$down>; low), both!(_mm_slli_si128::<$up>; high));
                both!(_mm_or_si128; low, high)
            }};
        }
        match AT {
            1 => window!(2, 14),
            2 => window!(4, 12),
            3 => window!(6, 10),
            4 => window!(8, 8),
            5 => window!(10, 6),
            6 => window!(12, 4),
            7 => window!(14, 2),
            _ => {
                const { assert!(1 <= AT && AT <= 8) };
                high
            }
        }
    }
    #[inline(always)]
    fn half_pair<const K: usize>(self, a: V) -> V {
        match K {
            0 => both!(_mm_shuffle_epi32::<0x00>; a),
            1 => both!(_mm_shuffle_epi32::<0x55>; a),
            2 => both!(_mm_shuffle_epi32::<0xaa>; a),
            _ => {
                const { assert!(K < 4) };
                both!(_mm_shuffle_epi32::<0xff>; a)
            }
        }
    }
    #[inline(always)]
    fn swap_pairs(self, a: V) -> V {
        let (up, down) = (both!(_mm_slli_epi32::<16>; a), both!(_mm_srli_epi32::<16>; a));
        both!(_mm_or_si128; up, down)
    }
    #[inline(always)]
    fn acc_zero(self) -> V {
        self.splat(0)
    }
    #[inline(always)]
    fn madd_pairs(self, c: V, a: V, b: V) -> V {
        let sums = both!(_mm_madd_epi16; a, b);
        both!(_mm_add_epi32; c, sums)
    }
    #[inline(always)]
    fn even_odd(self, e: V, o: V) -> (V, V) {
        let low = op!(_mm_set1_epi32; 0xffff);
        let join = |even: V, odd: V| {
            let even = both!(_mm_and_si128; (low, low), even);
            let odd = both!(_mm_andnot_si128; (low, low), odd);
            both!(_mm_or_si128; even, odd)
        };
        (join(e, both!(_mm_slli_epi32::<16>; o)), join(both!(_mm_srli_epi32::<16>; e), o))
    }
    #[inline(always)]
    fn splat_pair(self, p: &[i16; 2]) -> V {
        // SAFETY: the reference is valid for reads of 4 bytes; the read has no alignment requirement.
        let word = unsafe { p.as_ptr().cast::<i32>().read_unaligned() };
        let v = op!(_mm_set1_epi32; word);
        (v, v)
    }
    #[inline(always)]
    fn pairs(self, row: &Row) -> V {
        self.load(row)
    }
    #[inline(always)]
    fn pair<const K: usize>(self, _: &Row, row: V) -> V {
        const { assert!(K < 8) };
        let half = if K < 4 { row.0 } else { row.1 };
        let v = match K % 4 {
            0 => op!(_mm_shuffle_epi32::<0x00>; half),
            1 => op!(_mm_shuffle_epi32::<0x55>; half),
            2 => op!(_mm_shuffle_epi32::<0xaa>; half),
            _ => op!(_mm_shuffle_epi32::<0xff>; half),
        };
        (v, v)
    }
}

impl I32Lanes for Sse2 {
    type I32 = V;

    #[inline(always)]
    fn splat32(self, x: i32) -> V {
        let v = op!(_mm_set1_epi32; x);
        (v, v)
    }
    #[inline(always)]
    fn load32(self, row: &Row32) -> V {
        // SAFETY: the reference is valid for reads of 32 bytes; the load has no alignment requirement.
        let low = unsafe { _mm_loadu_si128(row[..4].as_ptr().cast()) };
        // SAFETY: as above.
        let high = unsafe { _mm_loadu_si128(row[4..].as_ptr().cast()) };
        (low, high)
    }
    #[inline(always)]
    fn store32(self, row: &mut Row32, v: V) {
        let (low, high) = row.split_at_mut(4);
        // SAFETY: the slice has 4 words, so it is valid for writes of 16 bytes; the store has no alignment
        // requirement.
        unsafe { _mm_storeu_si128(low.as_mut_ptr().cast(), v.0) };
        // SAFETY: as above.
        unsafe { _mm_storeu_si128(high.as_mut_ptr().cast(), v.1) };
    }
    #[inline(always)]
    fn add32(self, a: V, b: V) -> V {
        both!(_mm_add_epi32; a, b)
    }
    #[inline(always)]
    fn sub32(self, a: V, b: V) -> V {
        both!(_mm_sub_epi32; a, b)
    }
    #[inline(always)]
    fn xor32(self, a: V, b: V) -> V {
        both!(_mm_xor_si128; a, b)
    }
    #[inline(always)]
    fn rotate_left32<const LEFT: i32, const RIGHT: i32>(self, a: V) -> V {
        const { assert!(0 < LEFT && 0 < RIGHT && LEFT + RIGHT == 32) };
        let (up, down) = (both!(_mm_slli_epi32::<LEFT>; a), both!(_mm_srli_epi32::<RIGHT>; a));
        both!(_mm_or_si128; up, down)
    }
    #[inline(always)]
    fn min_max32(self, a: V, b: V) -> (V, V) {
        // Where a > b, both change places.
        let greater = both!(_mm_cmpgt_epi32; a, b);
        let change = both!(_mm_and_si128; greater, both!(_mm_xor_si128; a, b));
        (both!(_mm_xor_si128; a, change), both!(_mm_xor_si128; b, change))
    }
    #[inline(always)]
    fn and32(self, a: V, b: V) -> V {
        both!(_mm_and_si128; a, b)
    }
    #[inline(always)]
    fn shift_right32<const K: i32>(self, a: V) -> V {
        both!(_mm_srai_epi32::<K>; a)
    }
    #[inline(always)]
    fn mul_lo32(self, a: V, b: V) -> V {
        (mul_lo32_half(a.0, b.0), mul_lo32_half(a.1, b.1))
    }
    #[inline(always)]
    fn mul_word32(self, a: V, b: V) -> V {
        both!(_mm_madd_epi16; a, b)
    }
    #[inline(always)]
    fn mul_split32<const K: i32>(self, a: V, b: V) -> (V, V) {
        let (x, y) = (mul_split32_half::<K>(a.0, b.0), mul_split32_half::<K>(a.1, b.1));
        ((x.0, y.0), (x.1, y.1))
    }
    #[inline(always)]
    fn zip32<const B: usize>(self, a: V, b: V) -> (V, V) {
        // Blocks of B lanes of 32 bits are blocks of 2 B lanes of 16 bits.
        const { assert!(B == 1 || B == 2 || B == 4) };
        match B {
            1 => self.zip::<2>(a, b),
            2 => self.zip::<4>(a, b),
            _ => self.zip::<8>(a, b),
        }
    }
    #[inline(always)]
    fn madd32(self, a: V, b: V) -> V {
        both!(_mm_madd_epi16; a, b)
    }
    #[inline(always)]
    fn words(self, a: V) -> V {
        a
    }
    #[inline(always)]
    fn double_words(self, a: V) -> V {
        a
    }
    #[inline(always)]
    fn widen(self, a: V) -> (V, V) {
        let (low, high) = (both!(_mm_unpacklo_epi16; a, a), both!(_mm_unpackhi_epi16; a, a));
        let (low, high) = (both!(_mm_srai_epi32::<16>; low), both!(_mm_srai_epi32::<16>; high));
        ((low.0, high.0), (low.1, high.1))
    }
    #[inline(always)]
    fn narrow(self, low: V, high: V) -> V {
        (op!(_mm_packs_epi32; low.0, low.1), op!(_mm_packs_epi32; high.0, high.1))
    }
}

/// The high double word of `a` and the low one of `b`.
#[inline(always)]
fn across(a: __m128i, b: __m128i) -> __m128i {
    let (a, b) = (op!(_mm_castsi128_pd; a), op!(_mm_castsi128_pd; b));
    let both = op!(_mm_shuffle_pd::<1>; a, b);
    op!(_mm_castpd_si128; both)
}

impl U64Lanes for Sse2 {
    type U64 = V;
    const REGISTERS_64: usize = 2;

    #[inline(always)]
    fn splat64(self, x: u64) -> V {
        let half = op!(_mm_set1_epi64x; x as i64);
        (half, half)
    }
    #[inline(always)]
    fn load64(self, row: &Row64) -> V {
        let [low, high] = row.as_chunks::<2>().0 else { unreachable!("two halves") };
        // SAFETY: the reference is valid for reads of 16 bytes; the load has no alignment requirement.
        let low = unsafe { _mm_loadu_si128(low.as_ptr().cast()) };
        // SAFETY: as above.
        let high = unsafe { _mm_loadu_si128(high.as_ptr().cast()) };
        (low, high)
    }
    #[inline(always)]
    fn store64(self, row: &mut Row64, v: V) {
        let [low, high] = row.as_chunks_mut::<2>().0 else { unreachable!("two halves") };
        // SAFETY: the reference is valid for writes of 16 bytes; the store has no alignment requirement.
        unsafe { _mm_storeu_si128(low.as_mut_ptr().cast(), v.0) };
        // SAFETY: as above.
        unsafe { _mm_storeu_si128(high.as_mut_ptr().cast(), v.1) };
    }
    #[inline(always)]
    fn add64(self, a: V, b: V) -> V {
        both!(_mm_add_epi64; a, b)
    }
    #[inline(always)]
    fn xor64(self, a: V, b: V) -> V {
        both!(_mm_xor_si128; a, b)
    }
    #[inline(always)]
    fn and64(self, a: V, b: V) -> V {
        both!(_mm_and_si128; a, b)
    }
    #[inline(always)]
    fn or64(self, a: V, b: V) -> V {
        both!(_mm_or_si128; a, b)
    }
    #[inline(always)]
    fn shift_right64<const K: i32>(self, a: V) -> V {
        both!(_mm_srli_epi64::<K>; a)
    }
    #[inline(always)]
    fn shift_left64<const K: i32>(self, a: V) -> V {
        both!(_mm_slli_epi64::<K>; a)
    }
    #[inline(always)]
    fn across64(self, a: V, b: V) -> V {
        (across(a.0, b.0), across(a.1, b.1))
    }
    #[inline(always)]
    fn rotate_lanes64<const K: usize>(self, a: V) -> V {
        const { assert!(1 <= K && K <= 3) };
        let (middle, ends) = (across(a.0, a.1), across(a.1, a.0));
        match K {
            1 => (middle, ends),
            2 => (a.1, a.0),
            _ => (ends, middle),
        }
    }
    #[inline(always)]
    fn and_not64(self, a: V, b: V) -> V {
        both!(_mm_andnot_si128; a, b)
    }
    #[inline(always)]
    fn rotate_left64<const LEFT: i32, const RIGHT: i32>(self, a: V) -> V {
        const { assert!(0 < LEFT && 0 < RIGHT && LEFT + RIGHT == 64) };
        let (up, down) = (both!(_mm_slli_epi64::<LEFT>; a), both!(_mm_srli_epi64::<RIGHT>; a));
        both!(_mm_or_si128; up, down)
    }
}

/// SSE2 has no shuffle by a register.
impl ByteLanes for Sse2 {
    #[inline(always)]
    fn load8(self, bytes: &[i8; 32]) -> V {
        // SAFETY: the slice has 16 bytes, which are valid for reads; the load has no alignment requirement.
        let low = unsafe { _mm_loadu_si128(bytes[..16].as_ptr().cast()) };
        // SAFETY: as above.
        let high = unsafe { _mm_loadu_si128(bytes[16..].as_ptr().cast()) };
        (low, high)
    }
    #[inline(always)]
    fn store8(self, bytes: &mut [i8; 32], v: V) {
        let (low, high) = bytes.split_at_mut(16);
        // SAFETY: the slice has 16 bytes, which are valid for writes; the store has no alignment requirement.
        unsafe { _mm_storeu_si128(low.as_mut_ptr().cast(), v.0) };
        // SAFETY: as above.
        unsafe { _mm_storeu_si128(high.as_mut_ptr().cast(), v.1) };
    }
    #[inline(always)]
    fn add8(self, a: V, b: V) -> V {
        both!(_mm_add_epi8; a, b)
    }
    #[inline(always)]
    fn sub8(self, a: V, b: V) -> V {
        both!(_mm_sub_epi8; a, b)
    }
}

impl Watched for Sse2 {}

impl Simd for Sse2 {
    const NAME: &'static str = "sse2";
    #[inline]
    fn vectorize<K: Kernel>(self, kernel: K) -> K::Out {
        // SAFETY: SSE2 is the baseline, so `enter` needs no feature of its own.
        unsafe { kernel.enter(self) }
    }
}

impl<K: Kernel> Enter<Sse2> for K {
    #[inline(never)]
    unsafe fn enter(self, token: Sse2) -> K::Out {
        self.run(token)
    }
}
