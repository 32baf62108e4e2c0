//! SHA-512 (FIPS 180-4) of one stream.
//!
//! # The map
//! A block of sixteen 64-bit words is made 80 words long, `w[t] = w[t-16] + s0(w[t-15]) + w[t-7] + s1(w[t-2])`; each goes with a constant into
//! one of 80 rounds on eight words of state, and the state before them is added (section 6.4).
//!
//! # How
//! That is the crate `sha2`'s, which has AArch64's instructions for it, but with AVX2. There the words of two blocks are made together, two of
//! each at a time, between the rounds of the first block, which leave the vector units idle; and CPUs with AVX2 rotate into another register in
//! one instruction, which a crate that is built for every x86-64 can't use (docs/decisions/0034).
//!
//! # Constant time
//! In the bytes, not in how many there are. State, blocks and words are cleared.

use crate::clear;
use crate::roots::{CUBE_ROOTS, SQUARE_ROOTS};
use ringsmith_simd::{Cpu, Row64};
#[cfg(target_arch = "x86_64")]
use ringsmith_simd::{Kernel, Simd, each};

/// Bytes of a block.
const BLOCK: usize = 128;
/// Bytes of the message's length in bits, at the end of the last block.
const LENGTH: usize = 16;
/// Rounds of a block.
const ROUNDS: usize = 80;
/// Words `2 i` and `2 i + 1` of two blocks, the first block's in front, with the constants of their rounds. Aligned: a round reads what was just
/// written.
#[repr(C, align(64))]
struct Words([Row64; ROUNDS / 2]);
/// Bytes of two blocks, which are taken together.
const TWO: usize = 2 * BLOCK;

/// The hash of the parts, one behind the other.
///
/// ```
/// let digest = ringsmith_hash::sha512(ringsmith_simd::Cpu::detect(), &[b"a", b"bc"]);
/// assert_eq!(digest[..4], [0xdd, 0xaf, 0x35, 0xa1]);
/// ```
pub fn sha512(cpu: Cpu, parts: &[&[u8]]) -> [u8; 64] {
    Sha512::new(cpu).digest(parts)
}

/// Memory for hashes one after the other; cleared on drop.
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
    pub fn new(cpu: Cpu) -> Self {
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
        clear(&mut self.state);
        self.waiting.as_flattened_mut().fill(0);
        zeroize::optimization_barrier(&self.waiting);
        clear(self.words.0.as_flattened_mut());
    }
}

/// Takes whole blocks.
fn compress(cpu: Cpu, state: &mut [u64; 8], blocks: &[[u8; BLOCK]], words: &mut Words) {
    match cpu {
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx2(_) => cpu.run(Blocks { state, blocks, words }),
        _ => {
            let _ = words;
            sha2::block_api::compress512(state, blocks);
        }
    }
}

#[cfg(target_arch = "x86_64")]
struct Blocks<'a> {
    state: &'a mut [u64; 8],
    blocks: &'a [[u8; BLOCK]],
    words: &'a mut Words,
}

#[cfg(target_arch = "x86_64")]
impl Kernel for Blocks<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (pairs, last) = self.blocks.as_chunks();
        for pair in pairs {
            make_and_run(s, self.state, pair, self.words);
            run(self.state, self.words);
        }
        for block in last {
            make_and_run(s, self.state, &[*block; 2], self.words);
        }
    }
}

/// The words of two blocks with their constants, and the rounds of the first.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn make_and_run<S: Simd>(s: S, state: &mut [u64; 8], blocks: &[[u8; BLOCK]; 2], words: &mut Words) {
    let mut w: [S::U64; 8] = each(
        #[inline(always)]
        |i| {
            let row = given(blocks, i);
            s.load64(&row)
        },
    );
    let mut i = 0;
    while i < 8 {
        with_constants(s, w[i], i, words);
        i += 1;
    }
    let (mut v, mut t) = (*state, 0);
    while t < ROUNDS / 2 - 8 {
        macro_rules! two_rounds {
            ($($i:literal)*) => { $(
                let row = words.0[t + $i];
                round::<{ 2 * $i % 8 }>(&mut v, row[0]);
                w[$i] = next(s, &w, $i);
                with_constants(s, w[$i], t + 8 + $i, words);
                round::<{ (2 * $i + 1) % 8 }>(&mut v, row[1]);
            )* };
        }
        two_rounds!(0 1 2 3 4 5 6 7);
        t += 8;
    }
    while t < ROUNDS / 2 {
        four_rows::<0>(&mut v, words, t);
        t += 4;
    }
    add(state, &v);
}

/// The rounds of the second block.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn run(state: &mut [u64; 8], words: &Words) {
    let (mut v, mut t) = (*state, 0);
    while t < ROUNDS / 2 {
        four_rows::<2>(&mut v, words, t);
        t += 4;
    }
    add(state, &v);
}

/// Words `2 i` and `2 i + 1` of both blocks.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn given(blocks: &[[u8; BLOCK]; 2], i: usize) -> Row64 {
    each(
        #[inline(always)]
        |lane| u64::from_be_bytes(blocks[lane / 2].as_chunks().0[2 * i + lane % 2]),
    )
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn with_constants<S: Simd>(s: S, w: S::U64, i: usize, words: &mut Words) {
    let [a, b] = CUBE_ROOTS.as_chunks().0[i];
    s.store64(&mut words.0[i], s.add64(w, s.load64(&[a, b, a, b])));
}

/// The two words of both blocks that are sixteen behind those in `w[i]`, which holds eight pairs in a ring.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn next<S: Simd>(s: S, w: &[S::U64; 8], i: usize) -> S::U64 {
    let (third, last) = (s.across64(w[i], w[(i + 1) % 8]), w[(i + 7) % 8]);
    let seventh = s.across64(w[(i + 4) % 8], w[(i + 5) % 8]);
    let rotated = s.xor64(s.rotate_left64::<63, 1>(third), s.rotate_left64::<56, 8>(third));
    let small = s.xor64(rotated, s.shift_right64::<7>(third));
    let rotated = s.xor64(s.rotate_left64::<45, 19>(last), s.rotate_left64::<3, 61>(last));
    let great = s.xor64(rotated, s.shift_right64::<6>(last));
    s.add64(s.add64(w[i], seventh), s.add64(small, great))
}

/// Eight rounds, with the words from `LANE` on.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn four_rows<const LANE: usize>(v: &mut [u64; 8], words: &Words, t: usize) {
    macro_rules! two_rounds {
        ($($i:literal)*) => { $(
            round::<{ 2 * $i }>(v, words.0[t + $i][LANE]);
            round::<{ 2 * $i + 1 }>(v, words.0[t + $i][LANE + 1]);
        )* };
    }
    two_rounds!(0 1 2 3);
}

/// A round whose number is `I` modulo 8, with a word and its constant. The words of the state don't move, their names do.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn round<const I: usize>(v: &mut [u64; 8], word: u64) {
    let name = const { names(I) };
    let [a, b, c, d, e, f, g, h] = each(
        #[inline(always)]
        |i| v[name[i]],
    );
    let great = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
    // In this order: what `e` is not needed for comes last, as it is there already.
    let sum = (((f ^ g) & e) ^ g).wrapping_add(h).wrapping_add(great).wrapping_add(word);
    let great = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
    // `b & c` is `a & b` of the round before.
    let majority = (a & b) ^ (a & c) ^ (b & c);
    v[name[3]] = d.wrapping_add(sum);
    v[name[7]] = sum.wrapping_add(majority.wrapping_add(great));
}

/// Where words `a` to `h` of the state are in a round.
#[cfg(target_arch = "x86_64")]
const fn names(round: usize) -> [usize; 8] {
    let (mut names, mut i) = ([0; 8], 0);
    while i < 8 {
        names[i] = (8 + i - round) % 8;
        i += 1;
    }
    names
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn add(state: &mut [u64; 8], v: &[u64; 8]) {
    let mut i = 0;
    while i < 8 {
        state[i] = state[i].wrapping_add(v[i]);
        i += 1;
    }
}
