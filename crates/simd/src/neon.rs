//! AArch64's vectors: a row is two 128-bit registers.

use crate::{
    ByteLanes, Enter, I16Lanes, I32Lanes, Kernel, LazyReduction, Places, Pmull, Row, Row32, Row64, Simd,
    U64Lanes, Watched, bits, compaction, each,
};
use core::arch::aarch64::*;

/// The token of NEON, and of PMULL where the CPU has it; only [`detect`](Neon::detect) makes one.
///
/// PMULL multiplies without carries, and not every CPU has it. Kernels that gain by it
/// ([`Kernel::CARRYLESS`]) are compiled twice, with it and without; all others are the same on every CPU.
#[derive(Clone, Copy)]
pub struct Neon {
    /// The token of PMULL.
    pmull: Option<Pmull>,
}

type H = int16x8_t;
/// Lanes 0..8 and 8..16.
type V = (H, H);
/// Lanes 0..4 and 4..8.
type W = (int32x4_t, int32x4_t);

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs NEON alone; a `Neon` token exists only where the
        // target has it.
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

impl Neon {
    /// The token where the target has NEON, as all do but those of bare machines without vector registers.
    #[cfg(all(target_feature = "neon", not(ringsmith_scalar)))]
    pub(crate) const BASELINE: Self = Neon { pmull: None };

    /// The token: NEON belongs to the AArch64 targets that this module is compiled for. PMULL is found where
    /// the target has it, and on Linux, Android and Apple's systems, which tell what the CPU has.
    pub fn detect() -> Option<Self> {
        cfg!(target_feature = "neon").then(|| Neon { pmull: Pmull::detect() })
    }

    /// The token for a CPU without PMULL, where this one has it.
    pub(crate) fn without_pmull(self) -> Option<Self> {
        self.pmull.map(|_| Neon { pmull: None })
    }

    #[inline(always)]
    fn load_half(self, words: &[i16]) -> H {
        let words: &[i16; 8] = words.first_chunk().expect("8 words");
        // SAFETY: the reference is valid for reads of 16 bytes; the load needs the alignment of a word alone.
        unsafe { vld1q_s16(words.as_ptr()) }
    }

    #[inline(always)]
    fn load32_half(self, words: &[i32; 4]) -> int32x4_t {
        // SAFETY: the reference is valid for reads of 16 bytes; the load needs the alignment of a word alone.
        unsafe { vld1q_s32(words.as_ptr()) }
    }
}

/// 16-bit words of a register of 32-bit or 64-bit lanes, and back.
#[inline(always)]
fn words(v: int32x4_t) -> H {
    op!(vreinterpretq_s16_s32; v)
}
#[inline(always)]
fn dwords(v: H) -> int32x4_t {
    op!(vreinterpretq_s32_s16; v)
}

#[inline(always)]
fn mul_hi_half(a: H, b: H) -> H {
    let (low_a, low_b) = (op!(vget_low_s16; a), op!(vget_low_s16; b));
    let (low, high) = (op!(vmull_s16; low_a, low_b), op!(vmull_high_s16; a, b));
    op!(vuzp2q_s16; words(low), words(high))
}

/// `(2 a z / 2^16 - 2 low q / 2^16) / 2`: both doubled products agree in their low 16 bits, so this is the
/// exact difference of the two high words in four instructions.
#[inline(always)]
fn mul_mont_half(a: H, z: H, zq: H, q: H) -> H {
    let low = op!(vmulq_s16; a, zq);
    let (high, carry) = (op!(vqdmulhq_s16; a, z), op!(vqdmulhq_s16; low, q));
    op!(vhsubq_s16; high, carry)
}

#[inline(always)]
fn apply_sign_half(a: H, s: H) -> H {
    let (negative, negated) = (op!(vcltzq_s16; s), op!(vnegq_s16; a));
    op!(vbslq_s16; negative, negated, a)
}

#[inline(always)]
fn zip_half<const B: usize>(a: H, b: H) -> (H, H) {
    match B {
        1 => (op!(vzip1q_s16; a, b), op!(vzip2q_s16; a, b)),
        2 => {
            let (a, b) = (dwords(a), dwords(b));
            (words(op!(vzip1q_s32; a, b)), words(op!(vzip2q_s32; a, b)))
        }
        _ => {
            let (a, b) = (op!(vreinterpretq_s64_s16; a), op!(vreinterpretq_s64_s16; b));
            let (low, high) = (op!(vzip1q_s64; a, b), op!(vzip2q_s64; a, b));
            (op!(vreinterpretq_s16_s64; low), op!(vreinterpretq_s16_s64; high))
        }
    }
}

/// The even and odd sums of one register each, joined and split in words.
#[inline(always)]
fn even_odd_half(e: [int32x4_t; 2], o: [int32x4_t; 2]) -> (H, H) {
    let (e, o) = (op!(vpaddq_s32; e[0], e[1]), op!(vpaddq_s32; o[0], o[1]));
    (op!(vtrn1q_s16; words(e), words(o)), op!(vtrn2q_s16; words(e), words(o)))
}

/// Eight words from word `AT` of four registers on.
#[inline(always)]
fn eight<const AT: usize>(w: &[H; 4]) -> H {
    let (low, high) = (w[AT / 8], w[if AT < 24 { AT / 8 + 1 } else { 3 }]);
    match AT % 8 {
        0 => low,
        1 => op!(vextq_s16::<1>; low, high),
        2 => op!(vextq_s16::<2>; low, high),
        3 => op!(vextq_s16::<3>; low, high),
        4 => op!(vextq_s16::<4>; low, high),
        5 => op!(vextq_s16::<5>; low, high),
        6 => op!(vextq_s16::<6>; low, high),
        _ => op!(vextq_s16::<7>; low, high),
    }
}

#[inline(always)]
fn mul_split32_half<const K: i32>(a: int32x4_t, b: int32x4_t) -> (int32x4_t, int32x4_t) {
    let (low_a, low_b) = (op!(vget_low_s32; a), op!(vget_low_s32; b));
    let (low, high) = (op!(vmull_s32; low_a, low_b), op!(vmull_high_s32; a, b));
    let count = op!(vdupq_n_s64; -(K as i64));
    let (low_k, high_k) = (op!(vshlq_s64; low, count), op!(vshlq_s64; high, count));
    let even = |x, y| {
        let (x, y) = (op!(vreinterpretq_s32_s64; x), op!(vreinterpretq_s32_s64; y));
        op!(vuzp1q_s32; x, y)
    };
    (even(low, high), even(low_k, high_k))
}

impl I16Lanes for Neon {
    type I16 = V;
    type Acc = [int32x4_t; 4];
    type Pairs = W;
    const HAS_ROUNDED_PRODUCT: bool = true;
    const STEP: LazyReduction = LazyReduction::Barrett;
    const SIDE_BY_SIDE: bool = false;

    #[inline(always)]
    fn splat(self, x: i16) -> V {
        let v = op!(vdupq_n_s16; x);
        (v, v)
    }
    #[inline(always)]
    fn load(self, row: &Row) -> V {
        (self.load_half(&row[..8]), self.load_half(&row[8..]))
    }
    #[inline(always)]
    fn store(self, row: &mut Row, v: V) {
        let (low, high) = row.split_at_mut(8);
        // SAFETY: the slice has 8 words, so it is valid for writes of 16 bytes; the store needs the alignment
        // of a word alone.
        unsafe { vst1q_s16(low.as_mut_ptr(), v.0) };
        // SAFETY: as above.
        unsafe { vst1q_s16(high.as_mut_ptr(), v.1) };
    }
    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        both!(vaddq_s16; a, b)
    }
    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        both!(vsubq_s16; a, b)
    }
    #[inline(always)]
    fn and(self, a: V, b: V) -> V {
        both!(vandq_s16; a, b)
    }
    #[inline(always)]
    fn or(self, a: V, b: V) -> V {
        both!(vorrq_s16; a, b)
    }
    #[inline(always)]
    fn xor(self, a: V, b: V) -> V {
        both!(veorq_s16; a, b)
    }
    #[inline(always)]
    fn select(self, mask: V, a: V, b: V) -> V {
        let mask = both!(vreinterpretq_u16_s16; mask);
        (op!(vbslq_s16; mask.0, a.0, b.0), op!(vbslq_s16; mask.1, a.1, b.1))
    }
    #[inline(always)]
    fn eq(self, a: V, b: V) -> V {
        both!(vreinterpretq_s16_u16; both!(vceqq_s16; a, b))
    }
    #[inline(always)]
    fn gt(self, a: V, b: V) -> V {
        both!(vreinterpretq_s16_u16; both!(vcgtq_s16; a, b))
    }
    #[inline(always)]
    fn mul_lo(self, a: V, b: V) -> V {
        both!(vmulq_s16; a, b)
    }
    #[inline(always)]
    fn mul_hi(self, a: V, b: V) -> V {
        (mul_hi_half(a.0, b.0), mul_hi_half(a.1, b.1))
    }
    #[inline(always)]
    fn mul_hi_rounded(self, a: V, b: V) -> V {
        both!(vqrdmulhq_s16; a, b)
    }
    #[inline(always)]
    fn round_shift<const K: i32>(self, a: V) -> V {
        let count = op!(vdupq_n_s16; -(K as i16));
        both!(vrshlq_s16; a, (count, count))
    }
    #[inline(always)]
    fn shift_right<const K: i32>(self, a: V) -> V {
        both!(vshrq_n_s16::<K>; a)
    }
    #[inline(always)]
    fn apply_sign(self, a: V, s: V) -> V {
        (apply_sign_half(a.0, s.0), apply_sign_half(a.1, s.1))
    }
    #[inline(always)]
    fn add_signed(self, sum: V, a: V, sign: V) -> V {
        (op!(vmlaq_s16; sum.0, a.0, sign.0), op!(vmlaq_s16; sum.1, a.1, sign.1))
    }
    #[inline(always)]
    fn mul_mont(self, a: V, z: V, zq: V, q: V) -> V {
        (mul_mont_half(a.0, z.0, zq.0, q.0), mul_mont_half(a.1, z.1, zq.1, q.1))
    }
    #[inline(always)]
    fn mul_mont_n<const K: usize>(self, a: [V; K], z: [V; K], zq: [V; K], q: V) -> [V; K] {
        let mut out = a;
        let mut j = 0;
        while j < K {
            out[j] = self.mul_mont(a[j], z[j], zq[j], q);
            j += 1;
        }
        out
    }
    #[inline(always)]
    fn zip<const B: usize>(self, a: V, b: V) -> (V, V) {
        const { assert!(B == 1 || B == 2 || B == 4 || B == 8) };
        if B == 8 {
            return ((a.0, b.0), (a.1, b.1));
        }
        let (low, high) = (zip_half::<B>(a.0, b.0), zip_half::<B>(a.1, b.1));
        ((low.0, high.0), (low.1, high.1))
    }
    #[inline(always)]
    fn load_twice(self, half: &[i16; 8]) -> V {
        let half = self.load_half(half);
        (half, half)
    }
    #[inline(always)]
    fn half_window<const AT: usize>(self, low: V, high: V) -> V {
        match AT {
            1 => both!(vextq_s16::<1>; low, high),
            2 => both!(vextq_s16::<2>; low, high),
            3 => both!(vextq_s16::<3>; low, high),
            4 => both!(vextq_s16::<4>; low, high),
            5 => both!(vextq_s16::<5>; low, high),
            6 => both!(vextq_s16::<6>; low, high),
            7 => both!(vextq_s16::<7>; low, high),
            _ => {
                const { assert!(1 <= AT && AT <= 8) };
                high
            }
        }
    }
    #[inline(always)]
    fn half_pair<const K: usize>(self, a: V) -> V {
        let spread = |half: H| {
            let pairs = dwords(half);
            words(match K {
                0 => op!(vdupq_laneq_s32::<0>; pairs),
                1 => op!(vdupq_laneq_s32::<1>; pairs),
                2 => op!(vdupq_laneq_s32::<2>; pairs),
                _ => {
                    const { assert!(K < 4) };
                    op!(vdupq_laneq_s32::<3>; pairs)
                }
            })
        };
        (spread(a.0), spread(a.1))
    }
    #[inline(always)]
    fn swap_pairs(self, a: V) -> V {
        both!(vrev32q_s16; a)
    }
    #[inline(always)]
    fn acc_zero(self) -> [int32x4_t; 4] {
        [op!(vdupq_n_s32; 0); 4]
    }
    #[inline(always)]
    fn madd_pairs(self, c: [int32x4_t; 4], a: V, b: V) -> [int32x4_t; 4] {
        let low = both!(vget_low_s16; a);
        let other = both!(vget_low_s16; b);
        [
            op!(vmlal_s16; c[0], low.0, other.0),
            op!(vmlal_high_s16; c[1], a.0, b.0),
            op!(vmlal_s16; c[2], low.1, other.1),
            op!(vmlal_high_s16; c[3], a.1, b.1),
        ]
    }
    #[inline(always)]
    fn even_odd(self, e: [int32x4_t; 4], o: [int32x4_t; 4]) -> (V, V) {
        let (x, y) = (even_odd_half([e[0], e[1]], [o[0], o[1]]), even_odd_half([e[2], e[3]], [o[2], o[3]]));
        ((x.0, y.0), (x.1, y.1))
    }
    #[inline(always)]
    fn word_operand(self, a: V) -> V {
        a
    }
    /// By lane: eight products and their sums in one instruction. Sums of words stand in the first two of
    /// the registers.
    #[inline(always)]
    fn mac_words(self, sums: &mut [[int32x4_t; 4]; 2], a: &Row, rows: &[Row; 2]) {
        let (a, low, high) = (self.load(a), self.load(&rows[0]), self.load(&rows[1]));
        let w = [low.0, low.1, high.0, high.1];
        let (mut x, mut y) = (words(sums[0][0]), words(sums[0][1]));
        macro_rules! lanes {
            ($($lane:literal)*) => { $(
                x = op!(vmlaq_laneq_s16::<$lane>; x, eight::<{ 16 - $lane }>(&w), a.0);
                y = op!(vmlaq_laneq_s16::<$lane>; y, eight::<{ 24 - $lane }>(&w), a.0);
                x = op!(vmlaq_laneq_s16::<$lane>; x, eight::<{ 8 - $lane }>(&w), a.1);
                y = op!(vmlaq_laneq_s16::<$lane>; y, eight::<{ 16 - $lane }>(&w), a.1);
            )* };
        }
        lanes!(0 1 2 3 4 5 6 7);
        (sums[0][0], sums[0][1]) = (dwords(x), dwords(y));
    }
    #[inline(always)]
    fn word_sums(self, sums: [[int32x4_t; 4]; 2]) -> V {
        (words(sums[0][0]), words(sums[0][1]))
    }
    #[inline(always)]
    fn before_next(self, a: V) -> V {
        core::hint::black_box(a)
    }
    #[inline(always)]
    fn splat_pair(self, p: &[i16; 2]) -> V {
        // SAFETY: the reference is valid for reads of 4 bytes; the read has no alignment requirement.
        let word = unsafe { p.as_ptr().cast::<i32>().read_unaligned() };
        let v = words(op!(vdupq_n_s32; word));
        (v, v)
    }
    #[inline(always)]
    fn pairs(self, row: &Row) -> W {
        let v = self.load(row);
        (dwords(v.0), dwords(v.1))
    }
    #[inline(always)]
    fn pair<const K: usize>(self, _: &Row, row: W) -> V {
        const { assert!(K < 8) };
        let half = if K < 4 { row.0 } else { row.1 };
        let v = words(match K % 4 {
            0 => op!(vdupq_laneq_s32::<0>; half),
            1 => op!(vdupq_laneq_s32::<1>; half),
            2 => op!(vdupq_laneq_s32::<2>; half),
            _ => op!(vdupq_laneq_s32::<3>; half),
        });
        (v, v)
    }
}

impl I32Lanes for Neon {
    type I32 = W;

    #[inline(always)]
    fn splat32(self, x: i32) -> W {
        let v = op!(vdupq_n_s32; x);
        (v, v)
    }
    #[inline(always)]
    fn load32(self, row: &Row32) -> W {
        let [low, high] = row.as_chunks::<4>().0 else { unreachable!("two halves") };
        (self.load32_half(low), self.load32_half(high))
    }
    #[inline(always)]
    fn store32(self, row: &mut Row32, v: W) {
        let (low, high) = row.split_at_mut(4);
        // SAFETY: the slice has 4 words, so it is valid for writes of 16 bytes; the store needs the alignment
        // of a word alone.
        unsafe { vst1q_s32(low.as_mut_ptr(), v.0) };
        // SAFETY: as above.
        unsafe { vst1q_s32(high.as_mut_ptr(), v.1) };
    }
    #[inline(always)]
    fn add32(self, a: W, b: W) -> W {
        both!(vaddq_s32; a, b)
    }
    #[inline(always)]
    fn sub32(self, a: W, b: W) -> W {
        both!(vsubq_s32; a, b)
    }
    #[inline(always)]
    fn xor32(self, a: W, b: W) -> W {
        both!(veorq_s32; a, b)
    }
    #[inline(always)]
    fn rotate_left32<const LEFT: i32, const RIGHT: i32>(self, a: W) -> W {
        const { assert!(0 < LEFT && 0 < RIGHT && LEFT + RIGHT == 32) };
        let bits = both!(vreinterpretq_u32_s32; a);
        let up = both!(vshlq_n_u32::<LEFT>; bits);
        both!(vreinterpretq_s32_u32; both!(vsriq_n_u32::<RIGHT>; up, bits))
    }
    #[inline(always)]
    fn min_max32(self, a: W, b: W) -> (W, W) {
        (both!(vminq_s32; a, b), both!(vmaxq_s32; a, b))
    }
    #[inline(always)]
    fn and32(self, a: W, b: W) -> W {
        both!(vandq_s32; a, b)
    }
    #[inline(always)]
    fn shift_right32<const K: i32>(self, a: W) -> W {
        both!(vshrq_n_s32::<K>; a)
    }
    #[inline(always)]
    fn mul_lo32(self, a: W, b: W) -> W {
        both!(vmulq_s32; a, b)
    }
    #[inline(always)]
    fn mul_word32(self, a: W, b: W) -> W {
        both!(vmulq_s32; a, b)
    }
    #[inline(always)]
    fn mul_split32<const K: i32>(self, a: W, b: W) -> (W, W) {
        let (x, y) = (mul_split32_half::<K>(a.0, b.0), mul_split32_half::<K>(a.1, b.1));
        ((x.0, y.0), (x.1, y.1))
    }
    #[inline(always)]
    fn zip32<const B: usize>(self, a: W, b: W) -> (W, W) {
        const { assert!(B == 1 || B == 2 || B == 4) };
        // Blocks of B lanes of 32 bits are blocks of 2 B lanes of 16 bits.
        let (a, b) = ((words(a.0), words(a.1)), (words(b.0), words(b.1)));
        let (low, high) = match B {
            1 => self.zip::<2>(a, b),
            2 => self.zip::<4>(a, b),
            _ => self.zip::<8>(a, b),
        };
        ((dwords(low.0), dwords(low.1)), (dwords(high.0), dwords(high.1)))
    }
    #[inline(always)]
    fn madd32(self, a: V, b: V) -> W {
        let half = |a, b| {
            let (low_a, low_b) = (op!(vget_low_s16; a), op!(vget_low_s16; b));
            let (low, high) = (op!(vmull_s16; low_a, low_b), op!(vmull_high_s16; a, b));
            op!(vpaddq_s32; low, high)
        };
        (half(a.0, b.0), half(a.1, b.1))
    }
    #[inline(always)]
    fn words(self, a: W) -> V {
        (words(a.0), words(a.1))
    }
    #[inline(always)]
    fn double_words(self, a: V) -> W {
        (dwords(a.0), dwords(a.1))
    }
    #[inline(always)]
    fn widen(self, a: V) -> (W, W) {
        let low = both!(vget_low_s16; a);
        let (low, high) = (both!(vmovl_s16; low), both!(vmovl_high_s16; a));
        ((low.0, high.0), (low.1, high.1))
    }
    #[inline(always)]
    fn narrow(self, low: W, high: W) -> V {
        let (x, y) = (both!(vmovn_s32; low), both!(vmovn_s32; high));
        (op!(vcombine_s16; x.0, x.1), op!(vcombine_s16; y.0, y.1))
    }
}

impl U64Lanes for Neon {
    /// Lanes 0..2 and 2..4.
    type U64 = (uint64x2_t, uint64x2_t);
    const REGISTERS_64: usize = 2;

    #[inline(always)]
    fn splat64(self, x: u64) -> Self::U64 {
        let half = op!(vdupq_n_u64; x);
        (half, half)
    }
    #[inline(always)]
    fn load64(self, row: &Row64) -> Self::U64 {
        let [low, high] = row.as_chunks::<2>().0 else { unreachable!("two halves") };
        // SAFETY: the reference is valid for reads of 16 bytes, and aligned to its words.
        let low = unsafe { vld1q_u64(low.as_ptr()) };
        // SAFETY: as above.
        let high = unsafe { vld1q_u64(high.as_ptr()) };
        (low, high)
    }
    #[inline(always)]
    fn store64(self, row: &mut Row64, v: Self::U64) {
        let [low, high] = row.as_chunks_mut::<2>().0 else { unreachable!("two halves") };
        // SAFETY: the reference is valid for writes of 16 bytes, and aligned to its words.
        unsafe { vst1q_u64(low.as_mut_ptr(), v.0) };
        // SAFETY: as above.
        unsafe { vst1q_u64(high.as_mut_ptr(), v.1) };
    }
    #[inline(always)]
    fn add64(self, a: Self::U64, b: Self::U64) -> Self::U64 {
        both!(vaddq_u64; a, b)
    }
    #[inline(always)]
    fn xor64(self, a: Self::U64, b: Self::U64) -> Self::U64 {
        both!(veorq_u64; a, b)
    }
    #[inline(always)]
    fn and64(self, a: Self::U64, b: Self::U64) -> Self::U64 {
        both!(vandq_u64; a, b)
    }
    #[inline(always)]
    fn or64(self, a: Self::U64, b: Self::U64) -> Self::U64 {
        both!(vorrq_u64; a, b)
    }
    #[inline(always)]
    fn shift_right64<const K: i32>(self, a: Self::U64) -> Self::U64 {
        both!(vshrq_n_u64::<K>; a)
    }
    #[inline(always)]
    fn shift_left64<const K: i32>(self, a: Self::U64) -> Self::U64 {
        both!(vshlq_n_u64::<K>; a)
    }
    #[inline(always)]
    fn across64(self, a: Self::U64, b: Self::U64) -> Self::U64 {
        both!(vextq_u64::<1>; a, b)
    }
    #[inline(always)]
    fn rotate_lanes64<const K: usize>(self, a: Self::U64) -> Self::U64 {
        const { assert!(1 <= K && K <= 3) };
        let (middle, ends) = (op!(vextq_u64::<1>; a.0, a.1), op!(vextq_u64::<1>; a.1, a.0));
        match K {
            1 => (middle, ends),
            2 => (a.1, a.0),
            _ => (ends, middle),
        }
    }
    #[inline(always)]
    fn and_not64(self, a: Self::U64, b: Self::U64) -> Self::U64 {
        both!(vbicq_u64; b, a)
    }
    #[inline(always)]
    fn select64(self, mask: Self::U64, a: Self::U64, b: Self::U64) -> Self::U64 {
        (op!(vbslq_u64; mask.0, a.0, b.0), op!(vbslq_u64; mask.1, a.1, b.1))
    }
    #[inline(always)]
    fn replace64(self, mask: Self::U64, a: Self::U64, b: Self::U64, _: Self::U64) -> Self::U64 {
        self.select64(mask, b, a)
    }
    #[inline(always)]
    fn rotate_left64<const LEFT: i32, const RIGHT: i32>(self, a: Self::U64) -> Self::U64 {
        const { assert!(0 < LEFT && 0 < RIGHT && LEFT + RIGHT == 64) };
        let up = both!(vshlq_n_u64::<LEFT>; a);
        both!(vsriq_n_u64::<RIGHT>; up, a)
    }
}

impl Neon {
    #[inline(always)]
    fn load_bytes(self, bytes: &[u8; 16]) -> uint8x16_t {
        // SAFETY: the reference is valid for reads of 16 bytes; bytes need no alignment.
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }

    #[inline(always)]
    fn store_half(self, words: &mut [i16; 8], v: int16x8_t) {
        // SAFETY: the reference is valid for writes of 16 bytes, and aligned to its words.
        unsafe { vst1q_s16(words.as_mut_ptr(), v) }
    }

    #[inline(always)]
    fn store_bytes(self, bytes: &mut [u8; 16], v: uint8x16_t) {
        // SAFETY: the reference is valid for writes of 16 bytes; bytes need no alignment.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), v) }
    }

    /// A shuffle by a table.
    #[inline(always)]
    fn shuffle(self, v: uint8x16_t, order: &[u8; 16]) -> uint8x16_t {
        op!(vqtbl1q_u8; v, self.load_bytes(order))
    }

    /// Eight numbers of `D` bits: shifted to the top of words and down, where they lie within two bytes, else
    /// shifted down in double words.
    #[inline(always)]
    fn numbers<const D: usize>(self, bytes: &[u8; 16]) -> H {
        let bytes = self.load_bytes(bytes);
        if const { bits::within_two_bytes(D) } {
            let words = self.shuffle(bytes, const { &bits::bytes_of(D, 2, 0) });
            let words = op!(vreinterpretq_s16_u8; words);
            let top = op!(vmulq_s16; words, self.load_half(const { &bits::to_the_top(D) }));
            let (top, down) = (op!(vreinterpretq_u16_s16; top), op!(vdupq_n_s16; D as i16 - 16));
            let numbers = op!(vshlq_u16; top, down);
            return op!(vreinterpretq_s16_u16; numbers);
        }
        let orders = const { [bits::bytes_of(D, 4, 0), bits::bytes_of(D, 4, 4)] };
        let distances = const { [bits::from_the_bottom(D, 0), bits::from_the_bottom(D, 4)] };
        let fours: [int16x4_t; 2] = each(
            #[inline(always)]
            |i| {
                let four = self.shuffle(bytes, &orders[i]);
                let (four, distance) = (op!(vreinterpretq_u32_u8; four), self.load32_half(&distances[i]));
                let (down, mask) = (op!(vnegq_s32; distance), op!(vdupq_n_s32; (1 << D) - 1));
                let four = op!(vshlq_u32; four, down);
                let four = op!(vreinterpretq_s32_u32; four);
                let four = op!(vandq_s32; four, mask);
                op!(vmovn_s32; four)
            },
        );
        op!(vcombine_s16; fours[0], fours[1])
    }

    /// Eight numbers below `2^D` as the first `D` of sixteen bytes: pairs and pairs of pairs by shifting one
    /// up and both down, the rest by shuffles.
    #[inline(always)]
    fn packed<const D: usize>(self, numbers: H) -> uint8x16_t {
        let numbers = op!(vreinterpretq_u16_s16; numbers);
        let (up, down) = (op!(vdupq_n_u32; 16 - D as u32), op!(vdupq_n_s32; D as i32 - 16));
        let up = op!(vreinterpretq_s16_u32; up);
        let joined = op!(vshlq_u16; numbers, up);
        let joined = op!(vreinterpretq_u32_u16; joined);
        let pairs = op!(vshlq_u32; joined, down);
        let (up, down) = (op!(vdupq_n_u64; 32 - 2 * D as u64), op!(vdupq_n_s64; 2 * D as i64 - 32));
        let up = op!(vreinterpretq_s32_u64; up);
        let joined = op!(vshlq_u32; pairs, up);
        let joined = op!(vreinterpretq_u64_u32; joined);
        let fours = op!(vshlq_u64; joined, down);
        if D.is_multiple_of(2) {
            let bytes = op!(vreinterpretq_u8_u64; fours);
            return self.shuffle(bytes, const { &bits::joined(D) });
        }
        let (none, four) = (op!(vcreate_s64; 0), op!(vcreate_s64; 4));
        let half_a_byte = op!(vcombine_s64; none, four);
        let fours = op!(vshlq_u64; fours, half_a_byte);
        let bytes = op!(vreinterpretq_u8_u64; fours);
        let [first, second] = const { &bits::packed(D) };
        op!(vorrq_u8; self.shuffle(bytes, first), self.shuffle(bytes, second))
    }

    /// Which of eight words have a mask of -1: bit `i` for word `i`.
    #[inline(always)]
    fn choice(self, masks: int16x8_t) -> usize {
        const BITS: [i16; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
        let bits = op!(vandq_s16; masks, self.load_half(&BITS));
        op!(vaddvq_s16; bits) as usize
    }

    /// The chosen words in front.
    #[inline(always)]
    fn compact(self, words: int16x8_t, chosen: usize) -> int16x8_t {
        let order = self.load_bytes(&compaction::ORDER[chosen]);
        let bytes = op!(vreinterpretq_u8_s16; words);
        let moved = op!(vqtbl1q_u8; bytes, order);
        op!(vreinterpretq_s16_u8; moved)
    }
}

/// Sixteen places and sixteen more.
const fn halves(places: &[u8; 32]) -> [[u8; 16]; 2] {
    let (mut halves, mut i) = ([[0; 16]; 2], 0);
    while i < 32 {
        halves[i / 16][i % 16] = places[i];
        i += 1;
    }
    halves
}

impl ByteLanes for Neon {
    #[inline(always)]
    fn load8(self, bytes: &[i8; 32]) -> V {
        // SAFETY: the slice has 16 bytes, which are valid for reads.
        let low = unsafe { vld1q_s8(bytes[..16].as_ptr()) };
        // SAFETY: as above.
        let high = unsafe { vld1q_s8(bytes[16..].as_ptr()) };
        both!(vreinterpretq_s16_s8; (low, high))
    }
    #[inline(always)]
    fn store8(self, bytes: &mut [i8; 32], v: V) {
        let v = both!(vreinterpretq_s8_s16; v);
        let (low, high) = bytes.split_at_mut(16);
        // SAFETY: the slice has 16 bytes, which are valid for writes.
        unsafe { vst1q_s8(low.as_mut_ptr(), v.0) };
        // SAFETY: as above.
        unsafe { vst1q_s8(high.as_mut_ptr(), v.1) };
    }
    #[inline(always)]
    fn add8(self, a: V, b: V) -> V {
        let (a, b) = (both!(vreinterpretq_s8_s16; a), both!(vreinterpretq_s8_s16; b));
        both!(vreinterpretq_s16_s8; both!(vaddq_s8; a, b))
    }
    #[inline(always)]
    fn sub8(self, a: V, b: V) -> V {
        let (a, b) = (both!(vreinterpretq_s8_s16; a), both!(vreinterpretq_s8_s16; b));
        both!(vreinterpretq_s16_s8; both!(vsubq_s8; a, b))
    }
    #[inline(always)]
    fn unpack<const D: usize>(self, bytes: &[u8; 32]) -> V {
        const { assert!(1 <= D && D <= 14) };
        let (low, high) = (bytes.first_chunk(), bytes[D..].first_chunk());
        (self.numbers::<D>(low.expect("32 bytes")), self.numbers::<D>(high.expect("D is at most 14")))
    }
    #[inline(always)]
    fn pack<const D: usize>(self, numbers: V, out: &mut [u8; 32]) {
        const { assert!(1 <= D && D <= 14) };
        self.store_bytes(out.first_chunk_mut().expect("32 bytes"), self.packed::<D>(numbers.0));
        self.store_bytes(out[D..].first_chunk_mut().expect("D is at most 14"), self.packed::<D>(numbers.1));
    }
    #[inline(always)]
    fn pick(self, bytes: &[u8; 16], places: &Row) -> V {
        // An index beyond 15 is one of no byte.
        let order = both!(vreinterpretq_u8_s16; self.or(self.load(places), self.splat(i16::MIN)));
        let bytes = self.load_bytes(bytes);
        both!(vreinterpretq_s16_u8; both!(vqtbl1q_u8; (bytes, bytes), order))
    }
    #[inline(always)]
    fn narrow8(self, a: V, b: V) -> V {
        let ([first, second], [third, fourth]) = ([a.0, a.1], [b.0, b.1]);
        let first = op!(vmovn_s16; first);
        let low = op!(vmovn_high_s16; first, second);
        let third = op!(vmovn_s16; third);
        let high = op!(vmovn_high_s16; third, fourth);
        both!(vreinterpretq_s16_s8; (low, high))
    }
    #[inline(always)]
    fn permute8<P: Places>(self, a: V) -> V {
        let [low, high] = const { &halves(&P::PLACES) };
        let bytes = both!(vreinterpretq_u8_s16; a);
        let order = (self.load_bytes(low), self.load_bytes(high));
        let bytes = uint8x16x2_t(bytes.0, bytes.1);
        both!(vreinterpretq_s16_u8; both!(vqtbl2q_u8; (bytes, bytes), order))
    }
    #[inline(always)]
    fn take(self, numbers: V, chosen: V, out: &mut Row) -> usize {
        let [in_low, in_high] = [self.choice(chosen.0), self.choice(chosen.1)];
        let count = (compaction::COUNT[in_low] & 15) as usize;
        self.store_half(out.first_chunk_mut().expect("16 words"), self.compact(numbers.0, in_low));
        if let Some(rest) = out[count..].first_chunk_mut() {
            self.store_half(rest, self.compact(numbers.1, in_high));
        }
        count + compaction::COUNT[in_high] as usize
    }
}

impl Watched for Neon {}

impl Simd for Neon {
    const NAME: &'static str = "neon";
    #[inline]
    fn vectorize<K: Kernel>(self, kernel: K) -> K::Out {
        if const { !K::CARRYLESS } {
            // SAFETY: `enter` needs NEON, which the token proves.
            return unsafe { kernel.enter(self) };
        }
        match self.pmull {
            // SAFETY: `enter` needs NEON, which this token proves, and AES, which PMULL's does.
            Some(pmull) => unsafe { kernel.enter(pmull) },
            // SAFETY: `enter` needs NEON, which the token proves.
            None => unsafe { kernel.enter(self) },
        }
    }
}

impl<K: Kernel> Enter<Neon> for K {
    #[target_feature(enable = "neon")]
    #[inline(never)]
    unsafe fn enter(self, token: Neon) -> K::Out {
        self.run(token)
    }
}

impl<K: Kernel> Enter<Pmull> for K {
    #[target_feature(enable = "neon,aes")]
    #[inline(never)]
    unsafe fn enter(self, pmull: Pmull) -> K::Out {
        self.run_carryless(Neon { pmull: Some(pmull) }, pmull)
    }
}
