//! The randomness of the exchanges: the public polynomial from SHAKE128, everything secret from ChaCha20.

use crate::bits::words;
use crate::secret::SecretBytes;
use chacha20::ChaCha20LegacyCore;
use chacha20::cipher::array::Array;
use chacha20::cipher::{KeyIvInit, StreamCipherCore};
use ringsmith_hash::{RATE_128, Shake128};
use ringsmith_ring::Rows;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// Rows of a polynomial.
pub(in crate::new_hope) const ROWS: usize = 64;
/// Coefficients of a polynomial.
const N: usize = 16 * ROWS;
/// The modulus.
const Q: i16 = 12289;

/// The public polynomial of a seed, in the domain: of the 16-bit words of SHAKE128 their lowest 14 bits, those that are below `q`. Its
/// time depends on the seed, which is public.
pub(super) fn uniform(cpu: Cpu, seed: &[u8; 32], a: &mut Rows<ROWS>) {
    let mut reader = Shake128::new(cpu).absorb(seed).reader();
    let (mut block, mut taken) = ([0; RATE_128], 0);
    while taken < N {
        reader.squeeze(&mut block);
        taken = cpu.run(Take { block: &block, taken, numbers: a.0.as_flattened_mut() });
    }
}

/// Puts what a block has behind the numbers that were taken before, until there are `N`; how many there are then.
struct Take<'a> {
    block: &'a [u8; RATE_128],
    taken: usize,
    numbers: &'a mut [i16],
}

impl Kernel for Take<'_> {
    type Out = usize;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> usize {
        let (mut taken, numbers) = (self.taken, self.numbers);
        // Vectors write 16 numbers; where there may be no room for these, it goes one by one.
        if numbers.len() - taken < self.block.len() / 2 + 16 {
            for bytes in self.block.as_chunks().0 {
                let number = i16::from_le_bytes(*bytes) & 0x3fff;
                if let Some(place) = numbers.get_mut(taken) {
                    *place = number;
                    taken += (number < Q) as usize;
                }
            }
            return taken;
        }
        for bytes in self.block.as_chunks().0 {
            taken += take(s, bytes, s.splat(-1), numbers, taken);
        }
        // The last vector ends with the block: its first lanes have been taken.
        const REST: usize = RATE_128 % 32 / 2;
        const NEW: Row = {
            let (mut lanes, mut i) = ([0; 16], 16 - REST);
            while i < 16 {
                lanes[i] = -1;
                i += 1;
            }
            lanes
        };
        if let Some(bytes) = self.block.last_chunk() {
            taken += take(s, bytes, s.load(&NEW), numbers, taken);
        }
        taken
    }
}

/// Puts the chosen numbers of a vector behind the `taken` first of `numbers`, if they are below `q`; how many they are.
#[inline(always)]
fn take<S: Simd>(s: S, bytes: &[u8; 32], chosen: S::I16, numbers: &mut [i16], taken: usize) -> usize {
    let number = s.and(s.load(&words(bytes)), s.splat(0x3fff));
    let below = s.gt(s.splat(Q), number);
    match numbers[taken..].first_chunk_mut() {
        Some(place) => s.take(number, s.and(chosen, below), place),
        None => 0,
    }
}

/// The key stream of ChaCha20 with its first nonce, of 64 bits, and a counter of as many. Constant time.
pub(in crate::new_hope) struct Stream(ChaCha20LegacyCore);

impl Stream {
    pub(in crate::new_hope) fn new(key: &[u8; 32], nonce: [u8; 8]) -> Self {
        Stream(ChaCha20LegacyCore::new(key.into(), &nonce.into()))
    }

    /// The next bytes; what is left of their last block is lost.
    pub(in crate::new_hope) fn write(&mut self, bytes: &mut [u8]) {
        let (blocks, rest) = Array::slice_as_chunks_mut(bytes);
        self.0.write_keystream_blocks(blocks);
        if !rest.is_empty() {
            let mut last = SecretBytes::<64>::zero();
            self.0.write_keystream_blocks(Array::slice_as_chunks_mut(last.as_mut_slice()).0);
            rest.copy_from_slice(&last[..rest.len()]);
        }
    }
}

/// The first bytes of a [`Stream`].
pub(in crate::new_hope) fn stream<const BYTES: usize>(key: &[u8; 32], nonce: [u8; 8]) -> SecretBytes<BYTES> {
    let mut bytes = SecretBytes::zero();
    Stream::new(key, nonce).write(bytes.as_mut_slice());
    bytes
}
