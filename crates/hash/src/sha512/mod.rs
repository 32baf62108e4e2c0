//! SHA-512 (FIPS 180-4) of one stream.
//!
//! # The map
//! A block of sixteen 64-bit words is made 80 words long,
//! `w[t] = w[t-16] + s0(w[t-15]) + w[t-7] + s1(w[t-2])`; each goes with a constant into one of 80 rounds on
//! eight words of state, and the state before them is added (section 6.4).
//!
//! # How
//! That is the crate `sha2`'s, which has AArch64's instructions for it, but with AVX2. There the words of two
//! blocks are made together, two of each at a time, between the rounds of the first block, which leave the
//! vector units idle; and CPUs with AVX2 rotate into another register in one instruction, which a crate that
//! is built for every x86-64 can't use (docs/decisions/0034).
//!
//! # Constant time
//! In the bytes, not in how many there are. State, blocks and words are cleared.

mod blocks;
mod roots;

use blocks::Blocks;
use ringsmith_simd::{Cpu, Row64, wipe};
use roots::SQUARE_ROOTS;

/// Bytes of a block.
const BLOCK: usize = 128;
/// Bytes of the message's length in bits, at the end of the last block.
const LENGTH: usize = 16;
/// Rounds of a block.
const ROUNDS: usize = 80;
/// Words `2 i` and `2 i + 1` of two blocks, the first block's in front, with the constants of their rounds.
/// Aligned: a round reads what was just written.
#[repr(C, align(64))]
struct Words([Row64; ROUNDS / 2]);
/// Bytes of two blocks, which are taken together.
const TWO: usize = 2 * BLOCK;

/// SHA-512 for any number of hashes, one after another, in the same memory; cleared on drop.
///
/// ```
/// let digest = ringsmith_hash::Sha512::new().digest(&[b"a", b"bc"]);
/// assert_eq!(digest[..4], [0xdd, 0xaf, 0x35, 0xa1]);
/// ```
pub struct Sha512 {
    cpu: Cpu,
    state: [u64; 8],
    /// Bytes that wait for others.
    waiting: [[u8; BLOCK]; 2],
    /// How many they are, fewer than two blocks.
    filled: usize,
    words: Words,
}

impl Sha512 {
    /// For any number of hashes.
    #[expect(clippy::new_without_default, reason = "it asks the machine")]
    pub fn new() -> Self {
        Self::new_on(Cpu::detect())
    }

    /// The same, on this CPU.
    pub fn new_on(cpu: Cpu) -> Self {
        Sha512 {
            cpu,
            state: SQUARE_ROOTS,
            waiting: [[0; BLOCK]; 2],
            filled: 0,
            words: Words([[0; 4]; ROUNDS / 2]),
        }
    }

    /// The hash of the parts, one behind the other.
    pub fn digest(&mut self, parts: &[&[u8]]) -> [u8; 64] {
        self.state = SQUARE_ROOTS;
        self.filled = 0;
        parts.iter().for_each(|part| self.absorb(part));
        let length: usize = parts.iter().map(|part| part.len()).sum();
        self.finish(8 * length as u128);
        let mut digest = [0; 64];
        for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(&self.state) {
            *bytes = word.to_be_bytes();
        }
        digest
    }

    fn absorb(&mut self, mut bytes: &[u8]) {
        if self.filled > 0 {
            let (some, rest) = bytes.split_at(bytes.len().min(TWO - self.filled));
            self.wait(some);
            bytes = rest;
        }
        if self.filled == 0 {
            let (blocks, rest) = bytes.as_chunks();
            let (blocks, last) = blocks.split_at(blocks.len() / 2 * 2);
            compress(self.cpu, &mut self.state, blocks, &mut self.words);
            last.iter().for_each(|block| self.wait(block));
            self.wait(rest);
        }
    }

    /// Takes bytes that there is room for.
    fn wait(&mut self, bytes: &[u8]) {
        self.waiting.as_flattened_mut()[self.filled..][..bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
        if self.filled == TWO {
            compress(self.cpu, &mut self.state, &self.waiting, &mut self.words);
            self.filled = 0;
        }
    }

    /// A bit that is 1, zeroes up to the end of a block, and in this end the length in bits.
    fn finish(&mut self, bits: u128) {
        self.wait(&[0x80]);
        if self.filled % BLOCK > BLOCK - LENGTH {
            self.wait(&[0; LENGTH][..BLOCK - self.filled % BLOCK]);
        }
        let blocks = self.filled / BLOCK + 1;
        let bytes = self.waiting[..blocks].as_flattened_mut();
        bytes[self.filled..].fill(0);
        *bytes.last_chunk_mut().expect("a block is longer") = bits.to_be_bytes();
        compress(self.cpu, &mut self.state, &self.waiting[..blocks], &mut self.words);
    }
}

impl Drop for Sha512 {
    fn drop(&mut self) {
        wipe(&mut self.state);
        wipe(self.waiting.as_flattened_mut());
        wipe(self.words.0.as_flattened_mut());
    }
}

/// Takes whole blocks.
fn compress(cpu: Cpu, state: &mut [u64; 8], blocks: &[[u8; BLOCK]], words: &mut Words) {
    if !cpu.run(Blocks { state, blocks, words }) {
        sha2::block_api::compress512(state, blocks);
    }
}
