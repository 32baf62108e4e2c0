//! Numbers of more bits than a word has: in bytes, one behind the other, and chosen ones of eight.
//!
//! The same for words are [`ByteLanes`](crate::ByteLanes). Numbers have an even count of bits, so that four
//! of them fill whole bytes.

#[cfg(target_arch = "x86_64")]
mod avx2;

use crate::{I32Lanes, Row32, each};

/// Vectors of 8 lanes of `i32`, from bytes and to bytes.
pub trait NumberLanes: I32Lanes {
    /// The eight numbers of `D` bits in the first `D` bytes; `D` is even, 16 to 24.
    #[inline(always)]
    fn unpack32<const D: usize>(self, bytes: &[u8; 32]) -> Self::I32 {
        const { assert!(16 <= D && D <= 24 && D.is_multiple_of(2)) };
        self.load32(&each(
            #[inline(always)]
            |i| {
                let four: &[u8; 4] = bytes[D * i / 8..].first_chunk().expect("D is at most 24");
                (u32::from_le_bytes(*four) >> (D * i % 8)) as i32 & ((1 << D) - 1)
            },
        ))
    }

    /// The eight numbers of 24 bits in three words.
    #[inline(always)]
    fn of_words32(self, words: [u64; 3]) -> Self::I32 {
        let (mut bytes, mut i) = ([0; 32], 0);
        while i < 3 {
            *bytes[8 * i..].first_chunk_mut().expect("24 bytes") = words[i].to_le_bytes();
            i += 1;
        }
        self.unpack32::<24>(&bytes)
    }

    /// Eight numbers below `2^D` in the first `D` bytes; what follows them in `out` is of no meaning. `D` is
    /// even, 16 to 24.
    #[inline(always)]
    fn pack32<const D: usize>(self, numbers: Self::I32, out: &mut [u8; 32]) {
        const { assert!(16 <= D && D <= 24 && D.is_multiple_of(2)) };
        let (mut row, mut i) = ([0; 8], 0);
        self.store32(&mut row, numbers);
        while i < 8 {
            let pairs =
                [row[i] as u64 | (row[i + 1] as u64) << D, row[i + 2] as u64 | (row[i + 3] as u64) << D];
            let four = pairs[0] as u128 | (pairs[1] as u128) << (2 * D);
            *out[i / 4 * (D / 2)..].first_chunk_mut().expect("D is at most 24") = four.to_le_bytes();
            i += 4;
        }
    }

    /// Whether all lanes are negative.
    ///
    /// **Not constant time**: it is for branches.
    #[inline(always)]
    fn all_negative32(self, a: Self::I32) -> bool {
        let (mut row, mut all, mut i) = ([0; 8], -1, 0);
        self.store32(&mut row, a);
        while i < 8 {
            all &= row[i];
            i += 1;
        }
        all < 0
    }

    /// The lanes whose mask is -1 (of the others it is 0), in their order, at the beginning of `out`; how
    /// many they are. What follows them in `out` is of no meaning.
    ///
    /// **Not constant time**: addresses depend on the mask.
    #[inline(always)]
    fn take32(self, numbers: Self::I32, chosen: Self::I32, out: &mut Row32) -> usize {
        let (mut words, mut masks, mut count, mut i) = ([0; 8], [0; 8], 0, 0);
        self.store32(&mut words, numbers);
        self.store32(&mut masks, chosen);
        while i < 8 {
            // At most 7 were taken before each number, so the place is there.
            out[count & 7] = words[i];
            count += (masks[i] & 1) as usize;
            i += 1;
        }
        count
    }
}

impl NumberLanes for crate::Scalar {}
#[cfg(target_arch = "x86_64")]
impl NumberLanes for crate::Sse2 {}
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
impl NumberLanes for crate::Neon {}
