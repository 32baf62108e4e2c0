//! Byte shuffles in each half of the vector, which has four numbers.

use crate::{Avx2, I32Lanes, NumberLanes, Row32, bits, compaction};
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

#[inline(always)]
fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the reference is valid for reads of 16 bytes; the load has no alignment requirement. AVX2's
    // methods alone call it.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline(always)]
fn store(bytes: &mut [u8; 16], v: __m128i) {
    // SAFETY: the reference is valid for writes of 16 bytes; the store has no alignment requirement. AVX2's
    // methods alone call it.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), v) }
}

/// A shuffle of the bytes of each half.
#[inline(always)]
fn shuffle(v: V, order: &[u8; 16]) -> V {
    let order = op!(_mm256_broadcastsi128_si256; load(order));
    op!(_mm256_shuffle_epi8; v, order)
}

impl NumberLanes for Avx2 {
    #[inline(always)]
    fn unpack32<const D: usize>(self, bytes: &[u8; 32]) -> V {
        const { assert!(16 <= D && D <= 24 && D.is_multiple_of(2)) };
        let low = load(bytes.first_chunk().expect("32 bytes"));
        let high = load(bytes[D / 2..].first_chunk().expect("D is at most 24"));
        let bytes = op!(_mm256_set_m128i; high, low);
        let fours = shuffle(bytes, const { &bits::bytes_of(D, 4, 0) });
        let [a, b, c, d] = const { bits::from_the_bottom(D, 0) };
        let distance = op!(_mm256_setr_epi32; a, b, c, d, a, b, c, d);
        let down = op!(_mm256_srlv_epi32; fours, distance);
        self.and32(down, self.splat32((1 << D) - 1))
    }
    #[inline(always)]
    fn of_words32(self, [a, b, c]: [u64; 3]) -> V {
        // The fourth byte of each is no byte.
        const LOW: [i64; 2] = [0x8005_0403_8002_0100_u64 as i64, 0x800b_0a09_8008_0706_u64 as i64];
        const HIGH: [i64; 2] = [0x8009_0807_8006_0504_u64 as i64, 0x800f_0e0d_800c_0b0a_u64 as i64];
        let order = op!(_mm256_setr_epi64x; LOW[0], LOW[1], HIGH[0], HIGH[1]);
        let words = op!(_mm256_setr_epi64x; a as i64, b as i64, b as i64, c as i64);
        op!(_mm256_shuffle_epi8; words, order)
    }
    /// Pairs by shifting one up and both down, pairs of pairs by shuffles, as numbers of half as many bits.
    #[inline(always)]
    fn pack32<const D: usize>(self, numbers: V, out: &mut [u8; 32]) {
        const { assert!(16 <= D && D <= 24 && D.is_multiple_of(2)) };
        let gap = 32 - D as i32;
        let up = op!(_mm256_set1_epi64x; gap as i64);
        let joined = op!(_mm256_sllv_epi32; numbers, up);
        let down = op!(_mm_cvtsi32_si128; gap);
        let pairs = op!(_mm256_srl_epi64; joined, down);
        let packed = if const { D.is_multiple_of(4) } {
            shuffle(pairs, const { &bits::joined(D / 2) })
        } else {
            let half_a_byte = op!(_mm256_setr_epi64x; 0, 4, 0, 4);
            let pairs = op!(_mm256_sllv_epi64; pairs, half_a_byte);
            let [first, second] = const { &bits::packed(D / 2) };
            op!(_mm256_or_si256; shuffle(pairs, first), shuffle(pairs, second))
        };
        store(out.first_chunk_mut().expect("32 bytes"), op!(_mm256_castsi256_si128; packed));
        let place = out[D / 2..].first_chunk_mut().expect("D is at most 24");
        store(place, op!(_mm256_extracti128_si256::<1>; packed));
    }
    #[inline(always)]
    fn all_negative32(self, a: V) -> bool {
        let signs = op!(_mm256_castsi256_ps; a);
        op!(_mm256_movemask_ps; signs) & 0xff == 0xff
    }
    #[inline(always)]
    fn take32(self, numbers: V, chosen: V, out: &mut Row32) -> usize {
        let signs = op!(_mm256_castsi256_ps; chosen);
        let mask = op!(_mm256_movemask_ps; signs) as usize & 0xff;
        let order = op!(_mm_set1_epi64x; i64::from_le_bytes(compaction::PLACES[mask]));
        let order = op!(_mm256_cvtepu8_epi32; order);
        self.store32(out, op!(_mm256_permutevar8x32_epi32; numbers, order));
        (compaction::COUNT[mask] & 15) as usize
    }
}
