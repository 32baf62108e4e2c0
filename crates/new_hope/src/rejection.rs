//! Rejection sampling of the public polynomial: the words of a block of SHAKE128 that are accepted, one
//! behind the other.
//!
//! A vector of words is compacted and written whole; the next one is written over what is behind the accepted
//! ones. Its time depends on the words, which are public.

use ringsmith_hash::RATE_128;
use ringsmith_kem::bits::words;
use ringsmith_simd::{Kernel, Row, Simd};

/// Which words are accepted, and as what.
pub(super) trait Rule: Copy {
    /// The numbers of words; -1 where one is accepted, otherwise 0.
    fn apply<S: Simd>(self, s: S, words: S::I16) -> [S::I16; 2];
}

/// Puts the accepted words of a block behind the numbers that were taken before, until all places are taken;
/// how many are then.
pub(super) struct Take<'a, R> {
    pub(super) rule: R,
    pub(super) block: &'a [u8; RATE_128],
    pub(super) taken: usize,
    pub(super) numbers: &'a mut [i16],
}

/// The last vector ends with the block: only its last lanes are not in the one before.
const NEW: Row = {
    let (mut lanes, mut i) = ([0; 16], 16 - RATE_128 % 32 / 2);
    while i < 16 {
        lanes[i] = -1;
        i += 1;
    }
    lanes
};

impl<R: Rule> Kernel for Take<'_, R> {
    type Out = usize;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> usize {
        let (mut taken, numbers) = (self.taken, self.numbers);
        for bytes in self.block.as_chunks().0 {
            taken = put(s, self.rule.apply(s, s.load(&words(bytes))), numbers, taken);
        }
        if let Some(bytes) = self.block.last_chunk() {
            let [number, accepted] = self.rule.apply(s, s.load(&words(bytes)));
            taken = put(s, [number, s.and(accepted, s.load(&NEW))], numbers, taken);
        }
        taken
    }
}

/// The same for one vector.
#[inline(always)]
fn put<S: Simd>(s: S, [number, accepted]: [S::I16; 2], numbers: &mut [i16], taken: usize) -> usize {
    if let Some(place) = numbers[taken..].first_chunk_mut() {
        return taken + s.take(number, accepted, place);
    }
    let (mut row, mut i) = ([0; 16], 0);
    let count = s.take(number, accepted, &mut row);
    while i < count && taken + i < numbers.len() {
        numbers[taken + i] = row[i];
        i += 1;
    }
    taken + i
}
