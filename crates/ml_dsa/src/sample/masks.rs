//! The masks `y` of attempts: FIPS 204, algorithm 34.
//!
//! Element `i` of the mask of attempt `a` has the number `a l + i`: its coefficients are `gamma1 - v`, with
//! `v` the numbers of 18 or 20 bits of SHAKE256 on `rho'' || number`, five blocks of it. So masks are
//! numbered through, and who samples them need not know which attempt they are of.
//!
//! An attempt takes 4, 5 or 7 of them, but 4 or 8 streams run in the time of one. So what runs beside those
//! of an attempt are those of the next ones: masks are sampled ahead, to places that go round.
//!
//! Constant time: how many are sampled depends on the number of attempts alone.

use super::{BLOCKS, numbered};
use crate::codec;
use crate::ring::Poly;
use ringsmith_hash::{InOrder, Lane, RATE_256, Work, run_streams};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::Cpu;

/// Masks, which are sampled ahead: algorithm 34, on `rho'' || number`. Constant time.
pub(crate) struct Masks<'a> {
    seed: &'a [u8; 64],
    /// The number of the first mask that no attempt had, and of the first that is not sampled.
    first: u16,
    end: u16,
    bytes: &'a mut MaskBytes,
    /// Blocks so far; `None` before the seed is absorbed.
    blocks: [Option<usize>; AHEAD],
}

/// Places for masks: 6 that are left and 8 more, rounded up to a power of two.
const AHEAD: usize = 16;
/// Bytes of a mask.
const MASK: usize = BLOCKS * RATE_256;
/// Memory for them.
pub(crate) type MaskBytes = SecretBytes<{ AHEAD * MASK }>;

impl<'a> Masks<'a> {
    /// Those of a seed, from 0 on.
    pub(crate) fn new(seed: &'a [u8; 64], bytes: &'a mut MaskBytes) -> Self {
        Masks { seed, first: 0, end: 0, bytes, blocks: [None; AHEAD] }
    }

    /// How many to sample so that `wanted` are there, beside `others` streams as long as they are, and no
    /// state is idle.
    pub(crate) fn more(&self, cpu: Cpu, wanted: usize, others: usize) -> usize {
        let needed = wanted.saturating_sub(usize::from(self.end - self.first));
        let at_a_time = if cpu.wide_64() { 8 } else { 4 };
        if needed == 0 { 0 } else { (needed + others).next_multiple_of(at_a_time) - others }
    }

    /// The work of so many.
    pub(crate) fn work(more: usize) -> Work {
        Work::new(more, BLOCKS)
    }

    /// A step of stream `i` of those that are sampled now; see [`Streams`](ringsmith_hash::Streams).
    pub(crate) fn step(&mut self, i: usize, lane: &mut Lane<'_>) -> bool {
        let number = self.end + i as u16;
        let place = usize::from(number) & (AHEAD - 1);
        let Some(block) = self.blocks[place] else {
            numbered(lane, self.seed, number);
            self.blocks[place] = Some(0);
            return true;
        };
        lane.read(&mut self.bytes.as_chunks_mut::<RATE_256>().0[place * BLOCKS + block]);
        self.blocks[place] = Some(block + 1);
        block + 1 < BLOCKS
    }

    /// So many are sampled.
    pub(crate) fn sampled(&mut self, more: usize) {
        self.end += more as u16;
    }

    /// Samples what lacks of the masks of an attempt.
    pub(crate) fn ensure(&mut self, cpu: Cpu, wanted: usize) {
        let more = self.more(cpu, wanted, 0);
        if more > 0 {
            let step = |stream: usize, lane: &mut Lane<'_>| self.step(stream, lane);
            run_streams(cpu, Self::work(more), &mut InOrder::new(more, step));
            self.sampled(more);
        }
    }

    /// Mask `i` of the attempt, in `(-gamma1, gamma1]`, of `bits` bits.
    pub(crate) fn unpack(&self, cpu: Cpu, bits: usize, i: usize, y: &mut Poly) {
        let place = (usize::from(self.first) + i) & (AHEAD - 1);
        codec::unpack_mask(cpu, bits, &self.bytes[place * MASK..][..MASK], 1 << bits, y);
    }

    /// Lets go of the masks of an attempt.
    pub(crate) fn consume(&mut self, count: usize) {
        for _ in 0..count {
            self.blocks[usize::from(self.first) & (AHEAD - 1)] = None;
            self.first += 1;
        }
    }
}
