//! Candidates for indices: numbers of a few bits from a stream of hashes.
//!
//! # The map
//! A stream is blocks `H(Z || counter)`. A candidate is its next `c` bits, the most significant first, across
//! blocks; it counts where it is below the greatest multiple of `n`, and is an index then, modulo `n`
//! (IGF-2). Others are [`NONE`].
//!
//! libntru's stream is read from its end: the bytes of all blocks that it begins with in reverse. What is left
//! when there are fewer than `c` bits is read behind the next block.
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

/// Blocks `H(Z || counter)`.
pub(crate) enum Blocks {
    /// A counter of so many bytes, the most significant first.
    Of {
        /// The function.
        hash: Hash,
        /// What is hashed, padded: room for a counter is behind the digest.
        block: SecretBytes<BLOCK>,
        /// Bytes of the counter.
        counter: usize,
    },
    /// The seed itself, and a counter of two bytes, the least significant first.
    Libntru(Hash, Seed),
}

impl Blocks {
    /// Of the digest of bytes whose number is public.
    pub(crate) fn of_digest(hash: Hash, bytes: &[u8], counter: usize) -> Self {
        let mut z = SecretBytes::zero();
        hash.digest(bytes, &mut z);
        Blocks::of(hash, &z, counter)
    }

    fn of(hash: Hash, z: &[u8; MOST], counter: usize) -> Self {
        let mut block = SecretBytes::zero();
        block[..hash.bytes()].copy_from_slice(&z[..hash.bytes()]);
        pad(&mut block[..], hash.bytes() + counter);
        Blocks::Of { hash, block, counter }
    }

    /// Of a seed.
    pub(crate) fn of_seed(facts: &Facts, seed: Seed) -> Self {
        if let Flavour::Libntru { .. } = facts.flavour {
            return Blocks::Libntru(facts.hash, seed);
        }
        let mut z = SecretBytes::zero();
        seed.digest(facts.hash, None, &mut z);
        Blocks::of(facts.hash, &z, 4)
    }

    /// Writes block number `index`, and gives how many bytes it has.
    pub(crate) fn write(&mut self, index: usize, out: &mut [u8; MOST]) -> usize {
        match self {
            Blocks::Of { hash, block, counter } => {
                let place = &mut block[hash.bytes()..][..*counter];
                place.copy_from_slice(&(index as u32).to_be_bytes()[4 - *counter..]);
                hash.of_blocks(core::slice::from_ref(&**block), out);
                hash.bytes()
            }
            Blocks::Libntru(hash, seed) => {
                seed.digest(*hash, Some(index as u16), out);
                hash.bytes()
            }
        }
    }
}

/// The index of a number `x` below `2^c <= 2^13`: the error of the quotient, `x / 2^32`, is below `1 / n`.
const fn index(facts: &Facts, x: u32) -> u16 {
    let quotient = ((x as u64 * facts.plan.reciprocal as u64) >> 32) as u32;
    let none = (facts.plan.limit.wrapping_sub(x + 1) as i32 >> 31) as u16;
    (x - quotient * facts.n as u32) as u16 & !none | NONE & none
}

/// Candidates, and the stream that they are from; cleared on drop.
pub(crate) struct Candidates<'a> {
    facts: &'a Facts,
    blocks: Blocks,
    /// Blocks that were read.
    read: usize,
    /// What is left of the stream: bits, and how many.
    left: (u64, u32),
    backwards: bool,
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

impl<'a> Candidates<'a> {
    /// From the beginning of a stream: of so many blocks, or those that libntru begins with.
    pub(crate) fn new(facts: &'a Facts, blocks: Blocks, first: usize) -> Self {
        let backwards = matches!(blocks, Blocks::Libntru(..));
        let (left, list) = ((0, 0), Words::zero());
        let mut new = Candidates { facts, blocks, read: 0, left, backwards, list, count: 0 };
        new.begin(match facts.flavour {
            Flavour::Libntru { blocks } if backwards => blocks,
            _ => first,
        });
        new
    }

    fn begin(&mut self, blocks: usize) {
        if !self.backwards {
            (0..blocks).for_each(|_| self.more());
            return;
        }
        let (mut bytes, mut place) = (SecretBytes::<MOST_FIRST>::zero(), 0);
        for index in 0..blocks {
            let mut block = SecretBytes::zero();
            let length = self.blocks.write(index, &mut block);
            bytes[place..][..length].copy_from_slice(&block[..length]);
            place += length;
        }
        self.read = blocks;
        self.push(bytes[..place].iter().rev());
    }

    /// Those of the next block.
    pub(crate) fn more(&mut self) {
        let mut block = SecretBytes::zero();
        let length = self.blocks.write(self.read, &mut block);
        self.read += 1;
        if !self.backwards {
            return self.push(block[..length].iter());
        }
        let (bits, count) = core::mem::take(&mut self.left);
        self.push(block[..length].iter().rev());
        // Below `c` were left, and there are below `c` now.
        self.left = (self.left.0 << count | bits, self.left.1 + count);
        self.push([].iter());
    }

    /// Takes all candidates of what is left and of these bytes.
    fn push<'b>(&mut self, bytes: impl Iterator<Item = &'b u8>) {
        let (facts, (mut left, mut count)) = (self.facts, self.left);
        let (c, mut places) = (facts.c, self.list.0[self.count..].iter_mut());
        let mut take = |left: u64, rest: u32| {
            let place = places.next();
            self.count += usize::from(place.is_some());
            place.into_iter().for_each(|place| *place = index(facts, (left >> rest) as u32));
            left & ((1 << rest) - 1)
        };
        if count >= c {
            count -= c;
            left = take(left, count);
        }
        for byte in bytes {
            (left, count) = (left << 8 | u64::from(*byte), count + 8);
            if count >= c {
                count -= c;
                left = take(left, count);
            }
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

/// Most bytes of the blocks that libntru begins with.
const MOST_FIRST: usize = 32 * 32;

/// Clears what is left of the stream.
impl Drop for Candidates<'_> {
    fn drop(&mut self) {
        wipe(core::slice::from_mut(&mut self.left.0));
    }
}
