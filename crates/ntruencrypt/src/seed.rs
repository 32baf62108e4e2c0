//! What a message is blinded with, as it is hashed: `OID || m || b || h`, `h` the beginning of the public
//! key.
//!
//! The length of `m` is a secret where a ciphertext is opened. So `b || h` is moved behind `m` by all powers
//! of two, each of which takes place or not by a mask.

use crate::facts::{Facts, MOST_MESSAGE};
use crate::hash::{BLOCK, Hash, MOST, blocks, equal, pad};
use core::hint::black_box;
use ringsmith_kem::secret::SecretBytes;

/// Bytes of an identifier.
const OID: usize = 3;
/// Bytes of a counter behind the seed.
const COUNTER: usize = 2;
/// Most bytes of a seed's end: `b`, `h` and a counter.
const MOST_TAIL: usize = 32 + 32 + COUNTER;
/// Most bytes of all, in whole blocks.
const SIZE: usize = BLOCK * blocks(OID + MOST_MESSAGE + MOST_TAIL);

impl Facts {
    /// Blocks of the longest seed of a message, padded and without a counter.
    pub const fn blocks_of_seed(&self) -> usize {
        blocks(OID + self.message + self.random + self.strength)
    }
}

/// Writes a seed as it is hashed, padded and with zeroes behind it, and gives its blocks. The length of the
/// message is public here.
pub(crate) fn write(facts: &Facts, message: &[u8], random: &[u8], packed: &[u8], out: &mut [u8]) -> usize {
    out.fill(0);
    let mut length = 0;
    for part in [&facts.oid, message, random, &packed[..facts.strength]] {
        out[length..][..part.len()].copy_from_slice(part);
        length += part.len();
    }
    let count = blocks(length);
    pad(&mut out[..BLOCK * count], length);
    count
}

/// A seed in parts, cleared on drop.
pub(crate) struct Seed {
    /// The identifier and the message, zeroes behind it.
    head: SecretBytes<{ OID + MOST_MESSAGE }>,
    /// Bytes of the message, a secret.
    length: usize,
    tail: SecretBytes<MOST_TAIL>,
    /// Bytes of the tail.
    tail_bytes: usize,
    /// Blocks of the longest seed of the set.
    blocks: usize,
}

impl Seed {
    /// Room for one of a set.
    pub(crate) const fn zero(facts: &Facts) -> Self {
        let tail_bytes = facts.random + facts.strength;
        let blocks = blocks(OID + facts.message + tail_bytes + COUNTER);
        Seed { head: SecretBytes::zero(), length: 0, tail: SecretBytes::zero(), tail_bytes, blocks }
    }

    /// Of a message in its place, zeroes behind it; of random bytes and the public key, packed.
    pub(crate) fn fill(
        &mut self,
        facts: &Facts,
        (message, length): (&[u8], usize),
        random: &[u8],
        packed: &[u8],
    ) {
        self.head[..OID].copy_from_slice(&facts.oid);
        self.head[OID..][..facts.message].copy_from_slice(&message[..facts.message]);
        self.length = length;
        let (first, second) = self.tail.split_at_mut(facts.random);
        first.copy_from_slice(&random[..facts.random]);
        second[..facts.strength].copy_from_slice(&packed[..facts.strength]);
    }

    /// The digest of the seed, with a counter behind it where there is one.
    pub(crate) fn digest(&self, hash: Hash, counter: Option<u16>, out: &mut [u8; MOST]) {
        let (mut text, mut tail_bytes) = (SecretBytes::<SIZE>::zero(), self.tail_bytes);
        text[OID..][..tail_bytes].copy_from_slice(&self.tail[..tail_bytes]);
        if let Some(counter) = counter {
            text[OID + tail_bytes..][..COUNTER].copy_from_slice(&counter.to_le_bytes());
            tail_bytes += COUNTER;
        }
        let text = &mut text[..BLOCK * self.blocks];
        move_up(text, self.length);
        text.iter_mut().zip(self.head.iter()).for_each(|(text, head)| *text |= head);
        hash.digest_into(text, OID + self.length + tail_bytes, out);
    }
}

/// Moves bytes up by a number below 256, which is a secret, and makes those before them zero.
fn move_up(bytes: &mut [u8], by: usize) {
    let mut from = SecretBytes::<SIZE>::zero();
    for bit in 0..8 {
        // Opaque to the compiler, which would make a branch of it.
        let (step, is_set) = (1 << bit, black_box(!equal(by & (1 << bit), 0)) as u8);
        let from = &mut from[..bytes.len()];
        from.copy_from_slice(bytes);
        let (first, rest) = bytes.split_at_mut(step);
        first.iter_mut().for_each(|byte| *byte &= !is_set);
        for (to, moved) in rest.iter_mut().zip(&*from) {
            *to = *to & !is_set | moved & is_set;
        }
    }
}
