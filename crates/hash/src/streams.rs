//! Streams of any lengths, four at a time.
//!
//! Each of the four states of a [`State4`] runs one stream; where it ends, the next one takes its place. So a long hash is
//! almost free where short streams run beside it: ML-KEM hashes a public key while it samples the matrix from the key's
//! seed.

use crate::permutation::{State4, permute};
use crate::{RATE_256, SHA3, SHAKE};
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// A stream's state, between two permutations.
pub struct Lane<'a> {
    state: &'a mut State4,
    stream: usize,
}

impl Lane<'_> {
    fn clear(&mut self) {
        self.state.0.iter_mut().for_each(|lane| lane[self.stream] = 0);
    }

    /// Adds bytes to the state, from its byte `at` on.
    fn add(&mut self, mut at: usize, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(at.next_multiple_of(8) - at));
        let (words, tail) = rest.as_chunks::<8>();
        head.iter().for_each(|byte| {
            self.add_byte(at, *byte);
            at += 1;
        });
        words.iter().for_each(|word| {
            self.state.0[at / 8][self.stream] ^= u64::from_le_bytes(*word);
            at += 8;
        });
        tail.iter().enumerate().for_each(|(i, byte)| self.add_byte(at + i, *byte));
    }

    fn add_byte(&mut self, at: usize, byte: u8) {
        self.state.0[at / 8][self.stream] ^= (byte as u64) << (8 * (at % 8));
    }

    /// Ends a message at byte `at` of a block.
    fn pad<const RATE: usize>(&mut self, at: usize, suffix: u8) {
        self.add_byte(at, suffix);
        self.add_byte(RATE - 1, 0x80);
    }

    /// SHAKE with this rate of a seed that is shorter than a block.
    pub fn shake<const RATE: usize, const N: usize>(&mut self, seed: &[u8; N]) {
        const { assert!(N < RATE && RATE < 200) };
        self.add(0, seed);
        self.pad::<RATE>(N, SHAKE);
    }

    /// The first bytes of the state: a block, or the digest.
    pub fn read<const N: usize>(&self, out: &mut [u8; N]) {
        const { assert!(N.is_multiple_of(8) && N < 200) };
        for (word, lane) in out.as_chunks_mut::<8>().0.iter_mut().zip(&self.state.0) {
            *word = lane[self.stream].to_le_bytes();
        }
    }
}

/// What is absorbed and squeezed.
pub trait Stream {
    /// Puts bytes into the state, which is zero at first, or takes some out of it; whether it goes on after a permutation. The
    /// answer must not depend on a secret.
    fn step(&mut self, lane: &mut Lane<'_>) -> bool;
}

/// Runs streams to their ends, in the order given: the longest should come first.
pub fn run_streams<'a>(cpu: Cpu, streams: impl Iterator<Item = &'a mut dyn Stream>) {
    let (mut streams, mut state) = (streams.fuse(), State4::new());
    let mut running = [const { None::<&mut dyn Stream> }; 4];
    loop {
        for (stream, slot) in running.iter_mut().enumerate() {
            let mut lane = Lane { state: &mut state, stream };
            while slot.as_mut().is_none_or(|stream| !stream.step(&mut lane)) {
                *slot = streams.next();
                if slot.is_none() {
                    break;
                }
                lane.clear();
            }
        }
        if running.iter().all(Option::is_none) {
            return;
        }
        permute(cpu, &mut state);
    }
}

/// The first 32 bytes of a hash of rate 136, of a message in two parts.
pub struct Digest<'a> {
    suffix: u8,
    rest: [&'a [u8]; 2],
    padded: bool,
    out: Zeroizing<[u8; 32]>,
}

impl<'a> Digest<'a> {
    /// SHA3-256 of `head || tail`.
    pub fn sha3_256(head: &'a [u8], tail: &'a [u8]) -> Self {
        Digest { suffix: SHA3, rest: [head, tail], padded: false, out: Zeroizing::new([0; 32]) }
    }

    /// SHAKE256 of `head || tail`.
    pub fn shake256(head: &'a [u8], tail: &'a [u8]) -> Self {
        Digest { suffix: SHAKE, ..Self::sha3_256(head, tail) }
    }

    /// The digest, once [`run_streams`] has run the stream.
    pub fn digest(&self) -> &[u8; 32] {
        &self.out
    }
}

impl Stream for Digest<'_> {
    fn step(&mut self, lane: &mut Lane<'_>) -> bool {
        if self.padded {
            lane.read(&mut self.out);
            return false;
        }
        let mut at = 0;
        for rest in &mut self.rest {
            let (now, later) = rest.split_at(rest.len().min(RATE_256 - at));
            lane.add(at, now);
            at += now.len();
            *rest = later;
        }
        self.padded = at < RATE_256;
        if self.padded {
            lane.pad::<RATE_256>(at, self.suffix);
        }
        true
    }
}
