//! Candidates for indices: numbers of a few bits from a stream of hashes.
//!
//! # The map
//! A stream is blocks `H(Z || counter)`. A candidate is its next `c` bits, the most significant first, across
//! blocks; it counts where it is below the greatest multiple of `n`, and is an index then, modulo `n`
//! (IGF-2). Others are [`NONE`].
//!
//! libntru's stream is read from its end: the bytes of all blocks that it begins with in reverse. What is
//! left when there are fewer than `c` bits is read behind the next block.
//!
//! # Constant time
//! A candidate's place is public. How many blocks there are is, too.
//!
//! Source: EESS#1 v3.1, section 8.2.4.3 and 8.3.2.1; X9.98, section 10.4.

use crate::facts::{Facts, Flavour};
use crate::hash::{BLOCK, Hash, MOST, pad};
use crate::seed::Seed;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::wipe;

/// No index: greater than all.
pub(crate) const NONE: u16 = 0x7fff;
/// Most candidates. That any polynomial of any set needs more has a probability below `2^-150`; it has fewer
/// indices then.
pub(crate) const LIMIT: usize = 2560;

/// Blocks `H(Z || counter)`, filled in their place: a move would leave a copy.
pub(crate) struct Blocks<'a> {
    hash: Hash,
    /// What is hashed, padded: room for a counter is behind the digest.
    block: SecretBytes<BLOCK>,
    /// Bytes of the counter, the most significant first.
    counter: usize,
    /// Of libntru: the seed itself, and a counter of two bytes, the least significant first.
    seed: Option<&'a Seed>,
}

impl<'a> Blocks<'a> {
    /// Room for those of a function.
    pub(crate) const fn zero(hash: Hash) -> Self {
        Blocks { hash, block: SecretBytes::zero(), counter: 0, seed: None }
    }

    /// Those of the digest of bytes whose number is public.
    pub(crate) fn of_digest(&mut self, bytes: &[u8], counter: usize) {
        let mut z = SecretBytes::zero();
        self.hash.digest(bytes, &mut z);
        self.of_z(&z, counter);
    }

    /// Those of a seed.
    pub(crate) fn of_seed(&mut self, facts: &Facts, seed: &'a Seed) {
        if facts.flavour.is_libntru() {
            self.seed = Some(seed);
            return;
        }
        let mut z = SecretBytes::zero();
        seed.digest(self.hash, None, &mut z);
        self.of_z(&z, 4);
    }

    fn of_z(&mut self, z: &[u8; MOST], counter: usize) {
        let length = self.hash.bytes();
        self.block[..length].copy_from_slice(&z[..length]);
        pad(&mut self.block[..], length + counter);
        self.counter = counter;
    }

    /// Writes block number `index`, and gives how many bytes it has.
    pub(crate) fn write(&mut self, index: usize, out: &mut [u8; MOST]) -> usize {
        if let Some(seed) = self.seed {
            seed.digest(self.hash, Some(index as u16), out);
            return self.hash.bytes();
        }
        let place = &mut self.block[self.hash.bytes()..][..self.counter];
        place.copy_from_slice(&(index as u32).to_be_bytes()[4 - self.counter..]);
        self.hash.of_blocks(core::slice::from_ref(&*self.block), out);
        self.hash.bytes()
    }
}

/// The index of a number `x` below `2^c <= 2^13`: the error of the quotient, `x / 2^32`, is below `1 / n`.
const fn index(facts: &Facts, x: u32) -> u16 {
    let quotient = ((x as u64 * facts.plan.reciprocal as u64) >> 32) as u32;
    let none = (facts.plan.limit.wrapping_sub(x + 1) as i32 >> 31) as u16;
    (x - quotient * facts.n as u32) as u16 & !none | NONE & none
}

/// Candidates, and the stream that they are from; cleared on drop.
pub(crate) struct Candidates<'a, 'b> {
    facts: &'a Facts,
    blocks: &'a mut Blocks<'b>,
    /// Blocks that were read.
    read: usize,
    /// What is left of the stream: bits, and how many.
    left: (u64, u32),
    list: Words<LIMIT>,
    count: usize,
}

/// Words that are cleared on drop.
pub(crate) struct Words<const COUNT: usize>(pub(crate) [u16; COUNT]);

impl<const COUNT: usize> Words<COUNT> {
    pub(crate) const fn zero() -> Self {
        Words([0; COUNT])
    }
}

impl<const COUNT: usize> Drop for Words<COUNT> {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

impl<'a, 'b> Candidates<'a, 'b> {
    /// None of a stream yet.
    pub(crate) const fn new(facts: &'a Facts, blocks: &'a mut Blocks<'b>) -> Self {
        Candidates { facts, blocks, read: 0, left: (0, 0), list: Words::zero(), count: 0 }
    }

    /// Those of so many blocks from the beginning, or of those that libntru begins with.
    pub(crate) fn begin(&mut self, first: usize) {
        let blocks = match self.facts.flavour {
            Flavour::Libntru { blocks } if self.is_backwards() => blocks,
            _ => return (0..first).for_each(|_| self.more()),
        };
        let (mut bytes, mut place) = (SecretBytes::<MOST_FIRST>::zero(), 0);
        for index in 0..blocks {
            let mut block = SecretBytes::zero();
            let length = self.blocks.write(index, &mut block);
            bytes[place..][..length].copy_from_slice(&block[..length]);
            place += length;
        }
        self.read = blocks;
        self.push(backwards(&bytes[..place]));
    }

    /// Whether blocks are read from their end.
    fn is_backwards(&self) -> bool {
        self.blocks.seed.is_some()
    }

    /// Those of the next block.
    pub(crate) fn more(&mut self) {
        let mut block = SecretBytes::zero();
        let length = self.blocks.write(self.read, &mut block);
        self.read += 1;
        if !self.is_backwards() {
            return self.push(block[..length].as_chunks().0.iter().map(|four| u32::from_be_bytes(*four)));
        }
        let (bits, count) = core::mem::take(&mut self.left);
        self.push(backwards(&block[..length]));
        // Below `c` were left, and there are below `c` now.
        self.left = (self.left.0 << count | bits, self.left.1 + count);
        self.take();
    }

    /// Takes all candidates of what is left and of these bytes, four in a number, the first one the most
    /// significant.
    fn push(&mut self, fours: impl Iterator<Item = u32>) {
        for four in fours {
            let (left, count) = self.left;
            self.left = (left << 32 | u64::from(four), count + 32);
            self.take();
        }
    }

    /// Takes all candidates of what is left.
    fn take(&mut self) {
        let (facts, (mut left, mut count)) = (self.facts, self.left);
        while count >= facts.c {
            count -= facts.c;
            if let Some(place) = self.list.0.get_mut(self.count) {
                *place = index(facts, (left >> count) as u32);
                self.count += 1;
            }
            left &= (1 << count) - 1;
        }
        self.left = (left, count);
    }

    /// All that there are.
    pub(crate) fn list(&self) -> &[u16] {
        &self.list.0[..self.count]
    }

    /// Whether there are as many as there may be.
    pub(crate) fn are_all(&self) -> bool {
        self.count == LIMIT
    }
}

/// Bytes in reverse, four in a number; their number is a multiple of four.
fn backwards(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks().0.iter().rev().map(|four| u32::from_le_bytes(*four))
}

/// Most bytes of the blocks that libntru begins with.
const MOST_FIRST: usize = 32 * 32;

/// Clears what is left of the stream.
impl Drop for Candidates<'_, '_> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.left.0));
    }
}
