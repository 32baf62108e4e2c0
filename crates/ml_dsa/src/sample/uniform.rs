//! Uniform numbers below `q`: FIPS 204, algorithms 14 and 30.
//!
//! Bytes `b_0, b_1, b_2` of a block are the number `b_0 + 2^8 b_1 + 2^16 (b_2 mod 2^7)`, which is taken where
//! it is below `q`. A block of SHAKE128 has 168 bytes, 21 words, 56 numbers: seven groups of eight numbers,
//! three words each, which are taken from the state where it is, its words `STRIDE` apart.
//!
//! A group of which all numbers are below `q` is stored as it is; so is a row of groups. Others go number by
//! number to their places ([`NumberLanes::take32`](ringsmith_simd::NumberLanes::take32)). The last places,
//! less than eight, are filled without vectors. A CPU without vectors takes groups of eight in the same way.
//!
//! Not constant time: the numbers are public.

use crate::ring::{N, Q};
use ringsmith_hash::RATE_128;
use ringsmith_simd::{Cpu, Kernel, Simd, each};

/// Puts the numbers of a block, whose words are so far apart, behind those `taken` before, until there are
/// `N`; how many they are then.
#[inline]
pub(super) fn take_uniform(
    cpu: Cpu,
    (words, stride): (&[u64], usize),
    values: &mut [i32],
    taken: usize,
) -> usize {
    let (taken, group) = match (stride, words.first_chunk(), words.first_chunk()) {
        (1, ..) => return words.first_chunk().map_or(taken, |words| take_words(words, values, taken)),
        (4, Some(words), _) => cpu.run(TakeUniform::<4, { reach(4) }> { words, values, taken, group: 0 }),
        (_, _, Some(words)) => cpu.run(TakeUniform::<8, { reach(8) }> { words, values, taken, group: 0 }),
        _ => (taken, 0),
    };
    if taken < N && group < GROUPS { take_last((words, stride), group, values, taken) } else { taken }
}

/// Groups of eight numbers in a block.
const GROUPS: usize = RATE_128 / 24;

/// Words from the first of a block to the last, where they are so far apart.
const fn reach(stride: usize) -> usize {
    (RATE_128 / 8 - 1) * stride + 1
}

/// Puts the numbers of 23 bits below `q` among those of a block, whose words are `STRIDE` apart, behind those
/// `taken` before; how many they are then. It ends where there are places for less than eight.
struct TakeUniform<'a, const STRIDE: usize, const REACH: usize> {
    words: &'a [u64; REACH],
    values: &'a mut [i32],
    taken: usize,
    /// Groups that it went through, 0 at first.
    group: usize,
}

impl<const STRIDE: usize, const REACH: usize> Kernel for TakeUniform<'_, STRIDE, REACH> {
    /// Those that are taken, and the groups.
    type Out = (usize, usize);
    const SPILLS: bool = false;
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) -> (usize, usize) {
        const { assert!(GROUPS == 4 + 3) };
        let (q, mask) = (s.splat32(Q), s.splat32((1 << 23) - 1));
        let first: [_; 4] = each(
            #[inline(always)]
            |group| self.numbers(s, group, mask),
        );
        self.take(s, first, q);
        if self.group == 4 {
            let others: [_; 3] = each(
                #[inline(always)]
                |group| self.numbers(s, 4 + group, mask),
            );
            self.take(s, others, q);
        }
        (self.taken, self.group)
    }
}

impl<const STRIDE: usize, const REACH: usize> TakeUniform<'_, STRIDE, REACH> {
    /// Those of a group.
    #[inline(always)]
    fn numbers<S: Simd>(&self, s: S, group: usize, mask: S::I32) -> S::I32 {
        let word: [u64; 3] = each(
            #[inline(always)]
            |i| self.words[(3 * group + i) * STRIDE],
        );
        s.and32(s.of_words32(word), mask)
    }

    /// Takes those of the next groups: mostly all of them.
    #[inline(always)]
    fn take<S: Simd, const G: usize>(&mut self, s: S, numbers: [S::I32; G], q: S::I32) {
        let (mut all, mut i) = (s.splat32(-1), 0);
        while i < G {
            all = s.and32(all, s.sub32(numbers[i], q));
            i += 1;
        }
        i = 0;
        let places = self.values[self.taken..].as_chunks_mut::<8>().0;
        if let Some(places) = places.first_chunk_mut::<G>()
            && s.all_negative32(all)
        {
            while i < G {
                s.store32(&mut places[i], numbers[i]);
                i += 1;
            }
            (self.taken, self.group) = (self.taken + 8 * G, self.group + G);
            return;
        }
        while i < G {
            let Some(place) = self.values[self.taken..].first_chunk_mut() else { return };
            let below = s.shift_right32::<31>(s.sub32(numbers[i], q));
            self.taken += s.take32(numbers[i], below, place);
            (self.group, i) = (self.group + 1, i + 1);
        }
    }
}

/// Puts the numbers of a block, whose words are one behind the other, behind those `taken` before, until
/// there are `N`; how many they are then.
fn take_words(words: &[u64; RATE_128 / 8], values: &mut [i32], mut taken: usize) -> usize {
    for three in words.as_chunks().0 {
        let numbers = numbers_of(three);
        let below = numbers.iter().fold(-1, |below, number| below & (number - Q));
        if let Some(places) = values[taken..].first_chunk_mut()
            && below < 0
        {
            (*places, taken) = (numbers, taken + 8);
            continue;
        }
        for number in numbers {
            let Some(place) = values.get_mut(taken) else { return taken };
            *place = number;
            taken += usize::from(number < Q);
        }
    }
    taken
}

/// The eight numbers of three words.
fn numbers_of([a, b, c]: &[u64; 3]) -> [i32; 8] {
    let bits = [*a, a >> 24, a >> 48 | b << 16, b >> 8, b >> 32, b >> 56 | c << 8, c >> 16, c >> 40];
    bits.map(|bits| (bits & 0x7f_ffff) as i32)
}

/// Takes numbers one by one, from a group of a block on, whose words are so far apart: for the last places.
fn take_last((words, stride): (&[u64], usize), group: usize, values: &mut [i32], mut taken: usize) -> usize {
    let byte = |at: usize| (words[at / 8 * stride] >> (at % 8 * 8)) as u8;
    for i in 8 * group..RATE_128 / 3 {
        let Some(place) = values.get_mut(taken) else { break };
        *place = i32::from_le_bytes([byte(3 * i), byte(3 * i + 1), byte(3 * i + 2) & 0x7f, 0]);
        taken += usize::from(*place < Q);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: uniform numbers against the definition: blocks with rejected numbers at every place, with
    /// bit 23 set, and the end of an element anywhere in a block; of one state, of four and of eight.
    #[test]
    fn uniform() {
        let ends = [(8, 200), (9, 249), (0, 255), (99, 248)];
        for (rejected, before) in (0..56).map(|i| (i, 4 * i)).chain(ends) {
            let (mut block, mut expected) = ([0; RATE_128], std::vec::Vec::new());
            for (i, bytes) in block.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                let outside = i == rejected || i % 13 == 5;
                let number = if outside { Q + i as i32 } else { Q - 1 - 71 * i as i32 };
                let [a, b, c, _] = number.to_le_bytes();
                *bytes = [a, b, c | 0x80];
                expected.extend((!outside).then_some(number));
            }
            expected.truncate(N - before);
            let (mut four, mut eight, mut one) = ([!0; 197], [!0; 193], [!0; 25]);
            for (i, word) in block.as_chunks().0.iter().enumerate() {
                let word = u64::from_le_bytes(*word);
                (four[4 * i], eight[8 * i], one[i]) = (word, word, word);
            }
            for cpu in Cpu::available() {
                let (mut values, mut others, mut third) = ([-1; N], [-1; N], [-1; N]);
                let taken = take_uniform(cpu, (&four, 4), &mut values, before);
                let again = take_uniform(cpu, (&eight, 8), &mut others, before);
                assert_eq!(taken, take_uniform(cpu, (&one, 1), &mut third, before));
                assert_eq!(
                    (taken, again),
                    (before + expected.len(), taken),
                    "{rejected} {before} on {cpu:?}"
                );
                assert_eq!(values[before..taken], expected);
                assert!(values[..taken] == others[..taken] && values[..taken] == third[..taken]);
                assert_eq!(values[..before], [-1; N][..before]);
            }
        }
    }
}
