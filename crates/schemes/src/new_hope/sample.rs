//! Sampling. Blocks of 64 coefficients are streams of their own, of which four run at a time.

use super::codec::Q;
use crate::secret::SecretBytes;
use ringsmith_hash::{Lane, RATE_128, RATE_256};
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// Coefficients of a block.
const BLOCK: usize = 64;
/// Rows of a block.
pub(super) const BLOCK_ROWS: usize = BLOCK / 16;
/// The most blocks that an element has.
const BLOCKS: usize = 16;
/// Words below it are taken, modulo `q`.
const LIMIT: u16 = 5 * Q as u16;

/// The public polynomial of a seed, in the domain: block `i` is SHAKE128 of the seed and `i`, of whose 16-bit words those below
/// `5 q` are taken, modulo `q`. Its time depends on the seed, which is public.
pub(super) struct Uniform<'a> {
    seed: &'a [u8; 32],
    /// In `[0, q)`.
    rows: &'a mut [Row],
    /// Coefficients so far; `None` before the seed is absorbed.
    taken: [Option<usize>; BLOCKS],
}

impl<'a> Uniform<'a> {
    pub(super) fn new(seed: &'a [u8; 32], rows: &'a mut [Row]) -> Self {
        Uniform { seed, rows, taken: [None; BLOCKS] }
    }

    /// A step of block `stream`; see [`Streams`](ringsmith_hash::Streams).
    pub(super) fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
        let Some(mut taken) = self.taken[stream] else {
            let mut seed = [0; 33];
            seed[..32].copy_from_slice(self.seed);
            seed[32] = stream as u8;
            lane.shake::<RATE_128, 33>(&seed);
            self.taken[stream] = Some(0);
            return true;
        };
        let mut block = [0; RATE_128];
        lane.read(&mut block);
        let block_rows = &mut self.rows[BLOCK_ROWS * stream..][..BLOCK_ROWS];
        let coefficients = block_rows.as_flattened_mut();
        for word in block.as_chunks().0 {
            let word = u16::from_le_bytes(*word);
            if let Some(place) = coefficients.get_mut(taken) {
                *place = (word % Q as u16) as i16;
                taken += (word < LIMIT) as usize;
            }
        }
        self.taken[stream] = Some(taken);
        taken < BLOCK
    }
}

/// Noise of the centred binomial distribution with `k = 8`: block `i` is SHAKE256 of the seed, a nonce and `i`; of two bytes, the
/// bits of the first less those of the second. Constant time.
pub(super) struct Noise<'a> {
    cpu: Cpu,
    seed: &'a [u8; 32],
    nonce: u8,
    rows: &'a mut [Row],
    absorbed: [bool; BLOCKS],
}

impl<'a> Noise<'a> {
    pub(super) fn new(cpu: Cpu, seed: &'a [u8; 32], nonce: u8, rows: &'a mut [Row]) -> Self {
        Noise { cpu, seed, nonce, rows, absorbed: [false; BLOCKS] }
    }

    /// A step of block `stream`; see [`Streams`](ringsmith_hash::Streams).
    pub(super) fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
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
        let out = &mut self.rows[BLOCK_ROWS * stream..][..BLOCK_ROWS];
        self.cpu.run(Binomial { bytes: block.as_chunks().0, out });
        false
    }
}

/// Of each word, the bits of its low byte less those of its high byte.
struct Binomial<'a> {
    bytes: &'a [[u8; 32]],
    out: &'a mut [Row],
}

impl Kernel for Binomial<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (ones, twos, fours) = (s.splat(0x5555), s.splat(0x3333), s.splat(0x0f0f));
        for (bytes, out) in self.bytes.iter().zip(self.out) {
            let mut words = [0; 16];
            let mut i = 0;
            while i < 16 {
                words[i] = i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
                i += 1;
            }
            let x = s.load(&words);
            let pairs = s.add(s.and(x, ones), s.and(s.shift_right::<1>(x), ones));
            let nibbles = s.add(s.and(pairs, twos), s.and(s.shift_right::<2>(pairs), twos));
            let bits = s.add(s.and(nibbles, fours), s.and(s.shift_right::<4>(nibbles), fours));
            s.store(out, s.sub(s.and(bits, s.splat(15)), s.shift_right::<8>(bits)));
        }
    }
}
