//! 256-bit integer vectors of x86-64.

use crate::{
    ByteLanes, Enter, I16Lanes, I32Lanes, Kernel, LazyReduction, Places, Row, Row32, Row64, Simd, U64Lanes,
    Watched, bits, compaction, each,
};
use core::arch::x86_64::*;
use core::hint::black_box;
use core::mem::MaybeUninit;

/// The token of AVX2, and of BMI1, BMI2, FMA and PCLMULQDQ, which CPUs with AVX2 have; only
/// [`detect`](Avx2::detect) makes one.
#[derive(Clone, Copy)]
pub struct Avx2(());

type V = __m256i;

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs AVX2 alone; an `Avx2` token exists only where
        // `detect` saw AVX2.
        unsafe { $intrinsic($($arg),*) }
    };
}

impl Avx2 {
    /// The token where the target has all of that.
    #[cfg(all(
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "fma",
        target_feature = "pclmulqdq",
        not(ringsmith_scalar)
    ))]
    pub(crate) const BASELINE: Self = Avx2(());

    /// The token, where the CPU and the operating system support AVX2 and the CPU has BMI1, BMI2,
    /// FMA and PCLMULQDQ, as each since Intel's Haswell and AMD's Zen does.
    pub fn detect() -> Option<Self> {
        cpufeatures::new!(has_avx2, "avx2", "bmi1", "bmi2", "fma", "pclmulqdq");
        has_avx2::get().then_some(Avx2(()))
    }

    #[inline(always)]
    fn load128(self, words: &[i16; 8]) -> __m128i {
        // SAFETY: the reference is valid for reads of 16 bytes; the load has no alignment requirement.
        unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_at<const AT: usize>(self, rows: &[Row; 2]) -> V {
        self.load(rows.as_flattened()[AT..AT + 16].first_chunk().expect("16 words"))
    }
}

impl I16Lanes for Avx2 {
    type I16 = V;
    type Acc = V;
    type Pairs = V;
    const HAS_ROUNDED_PRODUCT: bool = true;
    const STEP: LazyReduction = LazyReduction::Sign;
    const SIDE_BY_SIDE: bool = true;

    #[inline(always)]
    fn splat(self, x: i16) -> V {
        op!(_mm256_set1_epi16; x)
    }
    #[inline(always)]
    fn load(self, row: &Row) -> V {
        // SAFETY: the reference is valid for reads of 32 bytes; the load has no alignment requirement.
        unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
    }
    /// Two of the places by a shuffle of the windows at 8 and 16, which products of rows load anyway: that
    /// balances the ports.
    #[inline(always)]
    fn window<const AT: usize>(self, rows: &[Row; 2]) -> V {
        const { assert!(AT <= 16) };
        match AT {
            9 => op!(_mm256_alignr_epi8::<2>; self.load_at::<16>(rows), self.load_at::<8>(rows)),
            13 => op!(_mm256_alignr_epi8::<10>; self.load_at::<16>(rows), self.load_at::<8>(rows)),
            _ => self.load_at::<AT>(rows),
        }
    }
    #[inline(always)]
    fn store(self, row: &mut Row, v: V) {
        // SAFETY: the reference is valid for writes of 32 bytes; the store has no alignment requirement.
        unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        op!(_mm256_add_epi16; a, b)
    }
    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        op!(_mm256_sub_epi16; a, b)
    }
    #[inline(always)]
    fn and(self, a: V, b: V) -> V {
        op!(_mm256_and_si256; a, b)
    }
    #[inline(always)]
    fn or(self, a: V, b: V) -> V {
        op!(_mm256_or_si256; a, b)
    }
    #[inline(always)]
    fn xor(self, a: V, b: V) -> V {
        op!(_mm256_xor_si256; a, b)
    }
    #[inline(always)]
    fn select(self, mask: V, a: V, b: V) -> V {
        op!(_mm256_blendv_epi8; b, a, mask)
    }
    #[inline(always)]
    fn eq(self, a: V, b: V) -> V {
        op!(_mm256_cmpeq_epi16; a, b)
    }
    #[inline(always)]
    fn gt(self, a: V, b: V) -> V {
        op!(_mm256_cmpgt_epi16; a, b)
    }
    #[inline(always)]
    fn mul_lo(self, a: V, b: V) -> V {
        op!(_mm256_mullo_epi16; a, b)
    }
    #[inline(always)]
    fn mul_hi(self, a: V, b: V) -> V {
        op!(_mm256_mulhi_epi16; a, b)
    }
    #[inline(always)]
    fn mul_hi_rounded(self, a: V, b: V) -> V {
        op!(_mm256_mulhrs_epi16; a, b)
    }
    #[inline(always)]
    fn round_shift<const K: i32>(self, a: V) -> V {
        op!(_mm256_mulhrs_epi16; a, self.splat(1 << (15 - K)))
    }
    #[inline(always)]
    fn shift_right<const K: i32>(self, a: V) -> V {
        op!(_mm256_srai_epi16::<K>; a)
    }
    #[inline(always)]
    fn apply_sign(self, a: V, s: V) -> V {
        op!(_mm256_sign_epi16; a, s)
    }
    #[inline(always)]
    fn add_signed(self, sum: V, a: V, sign: V) -> V {
        self.add(sum, self.apply_sign(a, sign))
    }
    #[inline(always)]
    fn zip<const B: usize>(self, a: V, b: V) -> (V, V) {
        match B {
            1 => (op!(_mm256_unpacklo_epi16; a, b), op!(_mm256_unpackhi_epi16; a, b)),
            2 => (op!(_mm256_unpacklo_epi32; a, b), op!(_mm256_unpackhi_epi32; a, b)),
            4 => (op!(_mm256_unpacklo_epi64; a, b), op!(_mm256_unpackhi_epi64; a, b)),
            _ => {
                const { assert!(B == 1 || B == 2 || B == 4 || B == 8) };
                (op!(_mm256_permute2x128_si256::<0x20>; a, b), op!(_mm256_permute2x128_si256::<0x31>; a, b))
            }
        }
    }
    /// Loads that broadcast a half and blends, in place of two permutations across halves.
    #[inline(always)]
    fn load_zip8(self, a: &Row, b: &Row) -> (V, V) {
        let low_b = self.load128(b.first_chunk().expect("16 words"));
        let high_a = self.load128(a.last_chunk().expect("16 words"));
        let (low_b, high_a) =
            (op!(_mm256_broadcastsi128_si256; low_b), op!(_mm256_broadcastsi128_si256; high_a));
        (
            op!(_mm256_blend_epi32::<0xf0>; self.load(a), low_b),
            op!(_mm256_blend_epi32::<0xf0>; high_a, self.load(b)),
        )
    }
    #[inline(always)]
    fn load_twice(self, half: &[i16; 8]) -> V {
        let half = self.load128(half);
        op!(_mm256_broadcastsi128_si256; half)
    }
    #[inline(always)]
    fn half_window<const AT: usize>(self, low: V, high: V) -> V {
        match AT {
            1 => op!(_mm256_alignr_epi8::<2>; high, low),
            2 => op!(_mm256_alignr_epi8::<4>; high, low),
            3 => op!(_mm256_alignr_epi8::<6>; high, low),
            4 => op!(_mm256_alignr_epi8::<8>; high, low),
            5 => op!(_mm256_alignr_epi8::<10>; high, low),
            6 => op!(_mm256_alignr_epi8::<12>; high, low),
            7 => op!(_mm256_alignr_epi8::<14>; high, low),
            _ => {
                const { assert!(1 <= AT && AT <= 8) };
                high
            }
        }
    }
    #[inline(always)]
    fn half_pair<const K: usize>(self, a: V) -> V {
        match K {
            0 => op!(_mm256_shuffle_epi32::<0x00>; a),
            1 => op!(_mm256_shuffle_epi32::<0x55>; a),
            2 => op!(_mm256_shuffle_epi32::<0xaa>; a),
            _ => {
                const { assert!(K < 4) };
                op!(_mm256_shuffle_epi32::<0xff>; a)
            }
        }
    }
    /// Two shifts and an or: the byte shuffle would compete with the shuffles around it.
    #[inline(always)]
    fn swap_pairs(self, a: V) -> V {
        let (up, down) = (op!(_mm256_slli_epi32::<16>; a), op!(_mm256_srli_epi32::<16>; a));
        op!(_mm256_or_si256; up, down)
    }
    #[inline(always)]
    fn acc_zero(self) -> V {
        op!(_mm256_setzero_si256;)
    }
    #[inline(always)]
    fn madd_pairs(self, c: V, a: V, b: V) -> V {
        let sums = op!(_mm256_madd_epi16; a, b);
        op!(_mm256_add_epi32; c, sums)
    }
    #[inline(always)]
    fn even_odd(self, e: V, o: V) -> (V, V) {
        let (up, down) = (op!(_mm256_slli_epi32::<16>; o), op!(_mm256_srli_epi32::<16>; e));
        (op!(_mm256_blend_epi16::<0xaa>; e, up), op!(_mm256_blend_epi16::<0xaa>; down, o))
    }
    #[inline(always)]
    fn splat_pair(self, p: &[i16; 2]) -> V {
        // SAFETY: the reference is valid for reads of 4 bytes; the read has no alignment requirement.
        let word = unsafe { p.as_ptr().cast::<i32>().read_unaligned() };
        op!(_mm256_set1_epi32; word)
    }
    #[inline(always)]
    fn pairs(self, row: &Row) -> V {
        let low = self.load128(row.first_chunk().expect("16 words"));
        op!(_mm256_broadcastsi128_si256; low)
    }
    /// The first four pairs by shuffles of the low half, the others by broadcasting loads: that balances the
    /// ports.
    #[inline(always)]
    fn pair<const K: usize>(self, row: &Row, low: V) -> V {
        const { assert!(K < 8) };
        match K {
            0 => op!(_mm256_shuffle_epi32::<0x00>; low),
            1 => op!(_mm256_shuffle_epi32::<0x55>; low),
            2 => op!(_mm256_shuffle_epi32::<0xaa>; low),
            3 => op!(_mm256_shuffle_epi32::<0xff>; low),
            _ => self.splat_pair(&row.as_chunks::<2>().0[K]),
        }
    }
}

impl I32Lanes for Avx2 {
    type I32 = V;

    #[inline(always)]
    fn splat32(self, x: i32) -> V {
        op!(_mm256_set1_epi32; x)
    }
    #[inline(always)]
    fn load32(self, row: &Row32) -> V {
        // SAFETY: the reference is valid for reads of 32 bytes; the load has no alignment requirement.
        unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store32(self, row: &mut Row32, v: V) {
        // SAFETY: the reference is valid for writes of 32 bytes; the store has no alignment requirement.
        unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn add32(self, a: V, b: V) -> V {
        op!(_mm256_add_epi32; a, b)
    }
    #[inline(always)]
    fn sub32(self, a: V, b: V) -> V {
        op!(_mm256_sub_epi32; a, b)
    }
    #[inline(always)]
    fn xor32(self, a: V, b: V) -> V {
        op!(_mm256_xor_si256; a, b)
    }
    /// By whole bytes one shuffle, else two shifts and an or.
    #[inline(always)]
    fn rotate_left32<const LEFT: i32, const RIGHT: i32>(self, a: V) -> V {
        const { assert!(0 < LEFT && 0 < RIGHT && LEFT + RIGHT == 32) };
        const BY_ONE: [i64; 2] = [0x0605_0407_0201_0003, 0x0e0d_0c0f_0a09_080b];
        const BY_TWO: [i64; 2] = [0x0504_0706_0100_0302, 0x0d0c_0f0e_0908_0b0a];
        if LEFT == 8 || LEFT == 16 {
            let [low, high] = if LEFT == 8 { BY_ONE } else { BY_TWO };
            let order = op!(_mm256_set_epi64x; high, low, high, low);
            return op!(_mm256_shuffle_epi8; a, order);
        }
        let (up, down) = (op!(_mm256_slli_epi32::<LEFT>; a), op!(_mm256_srli_epi32::<RIGHT>; a));
        op!(_mm256_or_si256; up, down)
    }
    #[inline(always)]
    fn min_max32(self, a: V, b: V) -> (V, V) {
        (op!(_mm256_min_epi32; a, b), op!(_mm256_max_epi32; a, b))
    }
    #[inline(always)]
    fn and32(self, a: V, b: V) -> V {
        op!(_mm256_and_si256; a, b)
    }
    #[inline(always)]
    fn shift_right32<const K: i32>(self, a: V) -> V {
        op!(_mm256_srai_epi32::<K>; a)
    }
    #[inline(always)]
    fn mul_lo32(self, a: V, b: V) -> V {
        op!(_mm256_mullo_epi32; a, b)
    }
    #[inline(always)]
    fn mul_word32(self, a: V, b: V) -> V {
        op!(_mm256_madd_epi16; a, b)
    }
    #[inline(always)]
    fn mul_split32<const K: i32>(self, a: V, b: V) -> (V, V) {
        let even = op!(_mm256_mul_epi32; a, b);
        let (high_a, high_b) = (op!(_mm256_srli_epi64::<32>; a), op!(_mm256_srli_epi64::<32>; b));
        let odd = op!(_mm256_mul_epi32; high_a, high_b);
        let up = op!(_mm256_slli_epi64::<32>; odd);
        let count = op!(_mm_cvtsi32_si128; K);
        let down = op!(_mm256_srl_epi64; even, count);
        let count = op!(_mm_cvtsi32_si128; 32 - K);
        let odd = op!(_mm256_sll_epi64; odd, count);
        (op!(_mm256_blend_epi32::<0xaa>; even, up), op!(_mm256_blend_epi32::<0xaa>; down, odd))
    }
    #[inline(always)]
    fn zip32<const B: usize>(self, a: V, b: V) -> (V, V) {
        const { assert!(B == 1 || B == 2 || B == 4) };
        // Blocks of B lanes of 32 bits are blocks of 2 B lanes of 16 bits.
        match B {
            1 => self.zip::<2>(a, b),
            2 => self.zip::<4>(a, b),
            _ => self.zip::<8>(a, b),
        }
    }
    #[inline(always)]
    fn madd32(self, a: V, b: V) -> V {
        op!(_mm256_madd_epi16; a, b)
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
        let (low, high) = (op!(_mm256_castsi256_si128; a), op!(_mm256_extracti128_si256::<1>; a));
        (op!(_mm256_cvtepi16_epi32; low), op!(_mm256_cvtepi16_epi32; high))
    }
    #[inline(always)]
    fn narrow(self, low: V, high: V) -> V {
        let packed = op!(_mm256_packs_epi32; low, high);
        op!(_mm256_permute4x64_epi64::<0xd8>; packed)
    }
}

impl U64Lanes for Avx2 {
    type U64 = V;
    const REGISTERS_64: usize = 1;

    #[inline(always)]
    fn splat64(self, x: u64) -> V {
        op!(_mm256_set1_epi64x; x as i64)
    }
    #[inline(always)]
    fn load64(self, row: &Row64) -> V {
        // SAFETY: the reference is valid for reads of 32 bytes; the load has no alignment requirement.
        unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store64(self, row: &mut Row64, v: V) {
        // SAFETY: the reference is valid for writes of 32 bytes; the store has no alignment requirement.
        unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn add64(self, a: V, b: V) -> V {
        op!(_mm256_add_epi64; a, b)
    }
    #[inline(always)]
    fn xor64(self, a: V, b: V) -> V {
        op!(_mm256_xor_si256; a, b)
    }
    #[inline(always)]
    fn and64(self, a: V, b: V) -> V {
        op!(_mm256_and_si256; a, b)
    }
    #[inline(always)]
    fn or64(self, a: V, b: V) -> V {
        op!(_mm256_or_si256; a, b)
    }
    #[inline(always)]
    fn shift_right64<const K: i32>(self, a: V) -> V {
        op!(_mm256_srli_epi64::<K>; a)
    }
    #[inline(always)]
    fn shift_left64<const K: i32>(self, a: V) -> V {
        op!(_mm256_slli_epi64::<K>; a)
    }
    #[inline(always)]
    fn across64(self, a: V, b: V) -> V {
        op!(_mm256_alignr_epi8::<8>; b, a)
    }
    #[inline(always)]
    fn rotate_lanes64<const K: usize>(self, a: V) -> V {
        const { assert!(1 <= K && K <= 3) };
        match K {
            1 => op!(_mm256_permute4x64_epi64::<0x39>; a),
            2 => op!(_mm256_permute4x64_epi64::<0x4e>; a),
            _ => op!(_mm256_permute4x64_epi64::<0x93>; a),
        }
    }
    #[inline(always)]
    fn and_not64(self, a: V, b: V) -> V {
        op!(_mm256_andnot_si256; a, b)
    }
    /// By whole bytes one shuffle, else two shifts and an or.
    #[inline(always)]
    fn select64(self, mask: V, a: V, b: V) -> V {
        op!(_mm256_blendv_epi8; b, a, mask)
    }
    #[inline(always)]
    fn rotate_left64<const LEFT: i32, const RIGHT: i32>(self, a: V) -> V {
        const { assert!(0 < LEFT && 0 < RIGHT && LEFT + RIGHT == 64) };
        const BY_ONE: [i64; 2] = [0x0605_0403_0201_0007, 0x0e0d_0c0b_0a09_080f];
        const BY_SEVEN: [i64; 2] = [0x0007_0605_0403_0201, 0x080f_0e0d_0c0b_0a09];
        if LEFT == 8 || LEFT == 56 {
            let [low, high] = if LEFT == 8 { BY_ONE } else { BY_SEVEN };
            let order = op!(_mm256_set_epi64x; high, low, high, low);
            return op!(_mm256_shuffle_epi8; a, order);
        }
        let (up, down) = (op!(_mm256_slli_epi64::<LEFT>; a), op!(_mm256_srli_epi64::<RIGHT>; a));
        op!(_mm256_or_si256; up, down)
    }
    #[inline(always)]
    fn down64(self, a: V) -> V {
        op!(_mm256_srlv_epi64; self.rotate_lanes64::<1>(a), self.load64(&[0, 0, 0, 1]))
    }
    #[inline(always)]
    fn up64(self, a: V) -> V {
        op!(_mm256_sllv_epi64; self.rotate_lanes64::<3>(a), self.load64(&[1, 0, 0, 0]))
    }
    #[inline(always)]
    fn rotate_each64(self, a: V, left: &Row64) -> V {
        let left = self.load64(left);
        // Below 64, as no rotation is none to the right.
        let right = op!(_mm256_sub_epi64; self.splat64(0), left);
        let right = self.and64(right, self.splat64(63));
        let (up, down) = (op!(_mm256_sllv_epi64; a, left), op!(_mm256_srlv_epi64; a, right));
        op!(_mm256_or_si256; up, down)
    }
}

impl Avx2 {
    #[inline(always)]
    fn load_bytes(self, bytes: &[u8; 16]) -> __m128i {
        // SAFETY: the reference is valid for reads of 16 bytes; the load has no alignment requirement.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_half(self, words: &mut [i16; 8], v: __m128i) {
        // SAFETY: the reference is valid for writes of 16 bytes; the store has no alignment requirement.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn store_bytes(self, bytes: &mut [u8; 16], v: __m128i) {
        // SAFETY: the reference is valid for writes of 16 bytes; the store has no alignment requirement.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), v) }
    }

    /// A shuffle of each half's bytes.
    #[inline(always)]
    fn shuffle(self, v: V, [low, high]: [&[u8; 16]; 2]) -> V {
        let order = op!(_mm256_set_m128i; self.load_bytes(high), self.load_bytes(low));
        op!(_mm256_shuffle_epi8; v, order)
    }
}

/// Places in two times sixteen bytes for each half by itself, of its own bytes and of the other half's: an
/// index with its highest bit set is one of no byte.
const fn by_halves(places: &[u8; 32]) -> [[[u8; 16]; 2]; 2] {
    let ([mut own, mut other], mut i) = ([[[0x80; 16]; 2]; 2], 0);
    while i < 32 {
        let (half, place) = (places[i] as usize / 16, places[i] % 16);
        if half == i / 16 {
            own[i / 16][i % 16] = place;
        } else {
            other[i / 16][i % 16] = place;
        }
        i += 1;
    }
    [own, other]
}

impl ByteLanes for Avx2 {
    #[inline(always)]
    fn load8(self, bytes: &[i8; 32]) -> V {
        // SAFETY: the reference is valid for reads of 32 bytes; the load has no alignment requirement.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store8(self, bytes: &mut [i8; 32], v: V) {
        // SAFETY: the reference is valid for writes of 32 bytes; the store has no alignment requirement.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn add8(self, a: V, b: V) -> V {
        op!(_mm256_add_epi8; a, b)
    }
    #[inline(always)]
    fn sub8(self, a: V, b: V) -> V {
        op!(_mm256_sub_epi8; a, b)
    }
    /// Shifted to the top of words and down, where numbers lie within two bytes, else shifted down in double
    /// words.
    #[inline(always)]
    fn unpack<const D: usize>(self, bytes: &[u8; 32]) -> V {
        const { assert!(1 <= D && D <= 14) };
        let low = self.load_bytes(bytes.first_chunk().expect("32 bytes"));
        let high = self.load_bytes(bytes[D..].first_chunk().expect("D is at most 14"));
        let bytes = op!(_mm256_set_m128i; high, low);
        if const { bits::within_two_bytes(D) } {
            let order = const { &bits::bytes_of(D, 2, 0) };
            let factors = self.load128(const { &bits::to_the_top(D) });
            let factors = op!(_mm256_broadcastsi128_si256; factors);
            let top = self.mul_lo(self.shuffle(bytes, [order; 2]), factors);
            let down = op!(_mm_cvtsi32_si128; 16 - D as i32);
            return op!(_mm256_srl_epi16; top, down);
        }
        let orders = const { [bits::bytes_of(D, 4, 0), bits::bytes_of(D, 4, 4)] };
        let distances = const { [bits::from_the_bottom(D, 0), bits::from_the_bottom(D, 4)] };
        let fours: [V; 2] = each(
            #[inline(always)]
            |i| {
                let [a, b, c, d] = distances[i];
                let distance = op!(_mm256_setr_epi32; a, b, c, d, a, b, c, d);
                let down = op!(_mm256_srlv_epi32; self.shuffle(bytes, [&orders[i]; 2]), distance);
                self.and32(down, self.splat32((1 << D) - 1))
            },
        );
        op!(_mm256_packus_epi32; fours[0], fours[1])
    }
    /// Pairs by a multiply-add, pairs of pairs by shifting one up and both down, halves by shuffles.
    #[inline(always)]
    fn pack<const D: usize>(self, numbers: V, out: &mut [u8; 32]) {
        const { assert!(1 <= D && D <= 14) };
        let pairs = op!(_mm256_madd_epi16; numbers, self.splat_pair(&[1, 1 << D]));
        let gap = 32 - 2 * D as i32;
        let up = op!(_mm256_set1_epi64x; gap as i64);
        let joined = op!(_mm256_sllv_epi32; pairs, up);
        let down = op!(_mm_cvtsi32_si128; gap);
        let fours = op!(_mm256_srl_epi64; joined, down);
        let [first, second] = const { &bits::packed(D) };
        let packed = if D.is_multiple_of(2) {
            let order = const { &bits::joined(D) };
            self.shuffle(fours, [order; 2])
        } else {
            let half_a_byte = op!(_mm256_setr_epi64x; 0, 4, 0, 4);
            let fours = op!(_mm256_sllv_epi64; fours, half_a_byte);
            let (first, second) = (self.shuffle(fours, [first; 2]), self.shuffle(fours, [second; 2]));
            op!(_mm256_or_si256; first, second)
        };
        self.store_bytes(out.first_chunk_mut().expect("32 bytes"), op!(_mm256_castsi256_si128; packed));
        let place = out[D..].first_chunk_mut().expect("D is at most 14");
        self.store_bytes(place, op!(_mm256_extracti128_si256::<1>; packed));
    }
    #[inline(always)]
    fn pick(self, bytes: &[u8; 16], places: &Row) -> V {
        // An index with its sign set is one of no byte.
        let order = self.or(self.load(places), self.splat(i16::MIN));
        let bytes = op!(_mm256_broadcastsi128_si256; self.load_bytes(bytes));
        op!(_mm256_shuffle_epi8; bytes, order)
    }
    #[inline(always)]
    fn narrow8(self, a: V, b: V) -> V {
        let halves = op!(_mm256_packs_epi16; a, b);
        op!(_mm256_permute4x64_epi64::<0xd8>; halves)
    }
    /// Each half by itself, and once more with the halves exchanged.
    #[inline(always)]
    fn permute8<P: Places>(self, a: V) -> V {
        let [own, other] = const { &by_halves(&P::PLACES) };
        let exchanged = op!(_mm256_permute4x64_epi64::<0x4e>; a);
        let (own, other) = (self.shuffle(a, own.each_ref()), self.shuffle(exchanged, other.each_ref()));
        op!(_mm256_or_si256; own, other)
    }
    #[inline(always)]
    fn take(self, numbers: __m256i, chosen: __m256i, out: &mut Row) -> usize {
        // One byte a word, both halves' words once.
        let zero = self.splat(0);
        let packed = op!(_mm256_packs_epi16; chosen, zero);
        let mask = op!(_mm256_movemask_epi8; packed) as u32;
        let (low, high) = ((mask & 0xff) as usize, (mask >> 16 & 0xff) as usize);
        let moved = self.shuffle(numbers, [&compaction::ORDER[low], &compaction::ORDER[high]]);
        let count = (compaction::COUNT[low] & 15) as usize;
        self.store_half(out.first_chunk_mut().expect("16 words"), op!(_mm256_castsi256_si128; moved));
        if let Some(rest) = out[count..].first_chunk_mut() {
            self.store_half(rest, op!(_mm256_extracti128_si256::<1>; moved));
        }
        count + compaction::COUNT[high] as usize
    }
}

impl Watched for Avx2 {}

impl Simd for Avx2 {
    const NAME: &'static str = "avx2";
    const ABOVE_BASELINE: bool = true;
    #[inline]
    fn vectorize<K: Kernel>(self, kernel: K) -> K::Out {
        // SAFETY: `enter` needs AVX2, BMI1, BMI2, FMA and PCLMULQDQ, which the token proves.
        unsafe { kernel.enter(self) }
    }
}

/// Where the compiler keeps what registers don't hold.
///
/// A function is called with a stack aligned to 16 bytes, and what is kept of 32 may lie across two pages:
/// each such access takes some 30 cycles more, and a whole product up to 1.7 times as long. A local value of
/// this alignment makes the compiler align the stack.
#[repr(align(32))]
struct Kept(#[allow(dead_code, reason = "for its size: what has none is not kept")] [u8; 32]);

/// Aligns the stack of a kernel that may keep vectors there.
#[inline(always)]
pub(crate) fn keep_aligned<K: Kernel>() {
    if K::SPILLS {
        black_box(MaybeUninit::<Kept>::uninit());
    }
}

impl<K: Kernel> Enter<Avx2> for K {
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,pclmulqdq")]
    #[inline(never)]
    unsafe fn enter(self, token: Avx2) -> K::Out {
        keep_aligned::<K>();
        self.run(token)
    }
}
