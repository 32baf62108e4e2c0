//! Four streams at a time.

use crate::permutation::{State4, permute};
use crate::{RATE_128, RATE_256, SHAKE};
use ringsmith_simd::Cpu;

/// SHAKE128 of four messages.
pub type Shake128x4 = Xof4<RATE_128>;
/// SHAKE256 of four messages.
pub type Shake256x4 = Xof4<RATE_256>;

/// SHAKE of four messages of the same length, read block by block.
pub struct Xof4<const RATE: usize> {
    cpu: Cpu,
    state: State4,
}

impl<const RATE: usize> Xof4<RATE> {
    /// Absorbs four messages of equal length.
    pub fn new<const N: usize>(messages: [&[u8; N]; 4]) -> Self {
        Self::new_on(Cpu::detect(), messages)
    }

    /// The same, on this CPU.
    pub fn new_on<const N: usize>(cpu: Cpu, messages: [&[u8; N]; 4]) -> Self {
        const { assert!(RATE.is_multiple_of(8) && RATE < 200) };
        let mut xof = Xof4 { cpu, state: State4::new() };
        let whole = N / RATE * RATE;
        for at in (0..whole).step_by(RATE) {
            xof.add(messages.map(|message| &message[at..at + RATE]));
            permute(cpu, &mut xof.state);
        }
        xof.add(messages.map(|message| &message[whole..]));
        let end = N - whole;
        for stream in 0..4 {
            xof.state.0[end / 8][stream] ^= (SHAKE as u64) << (8 * (end % 8));
            xof.state.0[RATE / 8 - 1][stream] ^= 1 << 63;
        }
        xof
    }

    /// Adds four parts of one length, less than a block or a whole one, to the state.
    fn add(&mut self, parts: [&[u8]; 4]) {
        for (stream, part) in parts.into_iter().enumerate() {
            let (words, rest) = part.as_chunks::<8>();
            for (lane, word) in self.state.0.iter_mut().zip(words) {
                lane[stream] ^= u64::from_le_bytes(*word);
            }
            for (i, byte) in rest.iter().enumerate() {
                self.state.0[words.len()][stream] ^= (*byte as u64) << (8 * i);
            }
        }
    }

    /// The next block of each stream.
    pub fn squeeze(&mut self, blocks: &mut [[u8; RATE]; 4]) {
        permute(self.cpu, &mut self.state);
        for (stream, block) in blocks.iter_mut().enumerate() {
            for (word, lane) in block.as_chunks_mut::<8>().0.iter_mut().zip(&self.state.0) {
                *word = lane[stream].to_le_bytes();
            }
        }
    }
}
