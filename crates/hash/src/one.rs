//! One stream: the sponge.

use crate::permutation::permute_one;
use crate::{RATE_128, RATE_256, RATE_512, SHA3, SHAKE};
use ringsmith_simd::{Cpu, wipe};

/// SHA3-256.
pub type Sha3_256 = Sponge<RATE_256, SHA3>;
/// SHA3-512.
pub type Sha3_512 = Sponge<RATE_512, SHA3>;
/// SHAKE128.
pub type Shake128 = Sponge<RATE_128, SHAKE>;
/// SHAKE256.
pub type Shake256 = Sponge<RATE_256, SHAKE>;

/// A sponge that takes bytes: `RATE` of them between two permutations, `SUFFIX` after the last.
pub struct Sponge<const RATE: usize, const SUFFIX: u8> {
    cpu: Cpu,
    state: [u64; 25],
    /// Bytes of the block so far, below `RATE`.
    filled: usize,
}

/// A sponge that gives bytes.
pub struct Reader<const RATE: usize> {
    cpu: Cpu,
    state: [u64; 25],
    /// Bytes of the block that are given, at most `RATE`.
    given: usize,
}

/// Adds a byte to the state.
fn add(state: &mut [u64; 25], at: usize, byte: u8) {
    state[at / 8] ^= (byte as u64) << (8 * (at % 8));
}

impl<const RATE: usize, const SUFFIX: u8> Sponge<RATE, SUFFIX> {
    /// Nothing absorbed yet.
    #[expect(clippy::new_without_default, reason = "it asks the machine")]
    pub fn new() -> Self {
        Self::new_on(Cpu::detect())
    }

    /// The same, on this CPU.
    pub fn new_on(cpu: Cpu) -> Self {
        const { assert!(RATE.is_multiple_of(8) && RATE < 200) };
        Sponge { cpu, state: [0; 25], filled: 0 }
    }

    /// Absorbs more bytes.
    pub fn absorb(mut self, bytes: &[u8]) -> Self {
        self.update(bytes);
        self
    }

    /// [`absorb`](Self::absorb) in place.
    pub fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (some, rest) = bytes.split_at(bytes.len().min(RATE - self.filled));
            self.add(some);
            if self.filled == RATE {
                permute_one(self.cpu, &mut self.state);
                self.filled = 0;
            }
            bytes = rest;
        }
    }

    /// Adds bytes that the block has room for: words, where it is filled to the end of one.
    fn add(&mut self, bytes: &[u8]) {
        let (words, tail) =
            if self.filled.is_multiple_of(8) { bytes.as_chunks::<8>() } else { (&[][..], bytes) };
        for (lane, word) in self.state[self.filled / 8..].iter_mut().zip(words) {
            *lane ^= u64::from_le_bytes(*word);
        }
        self.filled += 8 * words.len();
        for byte in tail {
            add(&mut self.state, self.filled, *byte);
            self.filled += 1;
        }
    }

    /// The state between two blocks.
    pub(crate) fn state(&mut self) -> &mut [u64; 25] {
        &mut self.state
    }

    /// Ends the message; what it hashes to is read then.
    pub fn reader(mut self) -> Reader<RATE> {
        add(&mut self.state, self.filled, SUFFIX);
        add(&mut self.state, RATE - 1, 0x80);
        permute_one(self.cpu, &mut self.state);
        Reader { cpu: self.cpu, state: self.state, given: 0 }
    }

    /// Ends the message; its first `N` bytes: the digest, of SHA-3.
    pub fn digest<const N: usize>(self) -> [u8; N] {
        let mut out = [0; N];
        self.reader().squeeze(&mut out);
        out
    }
}

impl<const RATE: usize> Reader<RATE> {
    /// The next bytes.
    pub fn squeeze(&mut self, mut out: &mut [u8]) {
        while !out.is_empty() {
            if self.given == RATE {
                permute_one(self.cpu, &mut self.state);
                self.given = 0;
            }
            let (some, rest) = out.split_at_mut(out.len().min(RATE - self.given));
            self.give(some);
            out = rest;
        }
    }

    /// Bytes that the block still has: words, where it is given to the end of one.
    fn give(&mut self, out: &mut [u8]) {
        let (words, tail) =
            if self.given.is_multiple_of(8) { out.as_chunks_mut::<8>() } else { (&mut [][..], out) };
        for (word, lane) in words.iter_mut().zip(&self.state[self.given / 8..]) {
            *word = lane.to_le_bytes();
        }
        self.given += 8 * words.len();
        for byte in tail {
            *byte = (self.state[self.given / 8] >> (8 * (self.given % 8))) as u8;
            self.given += 1;
        }
    }
}

impl<const RATE: usize, const SUFFIX: u8> Drop for Sponge<RATE, SUFFIX> {
    fn drop(&mut self) {
        wipe(&mut self.state);
    }
}

impl<const RATE: usize> Drop for Reader<RATE> {
    fn drop(&mut self) {
        wipe(&mut self.state);
    }
}
