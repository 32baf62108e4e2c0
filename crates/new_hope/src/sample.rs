//! Sampling. The public polynomial comes in blocks of 64 coefficients, noise in blocks of 64 or 256: streams
//! of their own, of which several run at a time.

use super::codec::Coding;
use super::parameters::{self, Parameters};
use super::rejection::{Rule, Take};
use core::marker::PhantomData;
use ringsmith_hash::{Lane, RATE_128, RATE_256};
use ringsmith_kem::binomial::{Binomial2, Binomial8};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::{Cpu, Row, Simd};

/// Coefficients of a block of the public polynomial.
const BLOCK: usize = 64;
/// Rows of a block of the public polynomial.
const BLOCK_ROWS: usize = BLOCK / 16;
/// The most blocks that an element has.
const BLOCKS: usize = 16;

/// The public polynomial of a seed, in the domain: block `i` is SHAKE128 of the seed and `i`, of whose 16-bit
/// words those below [`LIMIT`](Coding::LIMIT) are taken. Its time depends on the seed, which is public.
pub(super) struct Uniform<'a, P> {
    cpu: Cpu,
    seed: &'a [u8; 32],
    /// Words that are taken; then coefficients.
    rows: &'a mut [Row],
    /// Coefficients so far; `None` before the seed is absorbed.
    taken: [Option<usize>; BLOCKS],
    parameters: PhantomData<P>,
}

impl<'a, P> Uniform<'a, P> {
    /// How many streams an element of so many rows has.
    pub(super) const fn streams(rows: usize) -> usize {
        rows / BLOCK_ROWS
    }

    pub(super) fn new(cpu: Cpu, seed: &'a [u8; 32], rows: &'a mut [Row]) -> Self {
        Uniform { cpu, seed, rows, taken: [None; BLOCKS], parameters: PhantomData }
    }

    /// A step of block `stream`; see [`Streams`](ringsmith_hash::Streams).
    pub(super) fn step<const ROWS: usize>(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool
    where
        P: Parameters<ROWS>,
    {
        let Some(taken) = self.taken[stream] else {
            let mut seed = [0; 33];
            seed[..32].copy_from_slice(self.seed);
            seed[32] = stream as u8;
            lane.shake::<RATE_128, 33>(&seed);
            self.taken[stream] = Some(0);
            return true;
        };
        let mut block = [0; RATE_128];
        lane.read(&mut block);
        let rows = &mut self.rows[BLOCK_ROWS * stream..][..BLOCK_ROWS];
        let numbers = rows.as_flattened_mut();
        let taken = self.cpu.run(Take { rule: Below(P::Numbers::LIMIT), block: &block, taken, numbers });
        self.taken[stream] = Some(taken);
        if taken == BLOCK {
            P::Numbers::reduce(self.cpu, rows, P::RULES.signed);
        }
        taken < BLOCK
    }
}

/// Unsigned words below a limit, as they are.
#[derive(Clone, Copy)]
struct Below(u16);

impl Rule for Below {
    #[inline(always)]
    fn apply<S: Simd>(self, s: S, words: S::I16) -> [S::I16; 2] {
        // As signed numbers, in the order of unsigned ones.
        let limit = s.splat((self.0 ^ 1 << 15) as i16);
        [words, s.gt(limit, s.add(words, s.splat(i16::MIN)))]
    }
}

/// Noise of a seed and a nonce: block `i` is SHAKE256 of them and `i`. Constant time.
pub(super) struct Noise<'a, P> {
    cpu: Cpu,
    seed: &'a [u8; 32],
    nonce: u8,
    rows: &'a mut [Row],
    absorbed: [bool; BLOCKS],
    parameters: PhantomData<P>,
}

impl<'a, P> Noise<'a, P> {
    pub(super) fn new(cpu: Cpu, seed: &'a [u8; 32], nonce: u8, rows: &'a mut [Row]) -> Self {
        Noise { cpu, seed, nonce, rows, absorbed: [false; BLOCKS], parameters: PhantomData }
    }

    /// How many streams it has.
    pub(super) const fn streams<const ROWS: usize>() -> usize
    where
        P: Parameters<ROWS>,
    {
        ROWS / Self::rows_of_block::<ROWS>()
    }

    const fn rows_of_block<const ROWS: usize>() -> usize
    where
        P: Parameters<ROWS>,
    {
        match P::RULES.noise {
            parameters::Noise::Eight => 4,
            parameters::Noise::Two => 16,
        }
    }

    /// A step of block `stream`; see [`Streams`](ringsmith_hash::Streams).
    pub(super) fn step<const ROWS: usize>(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool
    where
        P: Parameters<ROWS>,
    {
        if !self.absorbed[stream] {
            let mut seed = SecretBytes::<34>::zero();
            seed[..32].copy_from_slice(self.seed);
            (seed[32], seed[33]) = (self.nonce, stream as u8);
            lane.shake::<RATE_256, 34>(&seed);
            self.absorbed[stream] = true;
            return true;
        }
        let mut block = SecretBytes::<RATE_256>::zero();
        lane.read(&mut block);
        let (bytes, rows) = (block.as_chunks().0, const { Self::rows_of_block::<ROWS>() });
        let out = &mut self.rows[rows * stream..][..rows];
        match (P::RULES.noise, bytes.first_chunk(), out.first_chunk_mut()) {
            (parameters::Noise::Two, Some(bytes), Some(out)) => self.cpu.run(Binomial2 { bytes, out }),
            _ => self.cpu.run(Binomial8 { bytes, out }),
        }
        false
    }
}
