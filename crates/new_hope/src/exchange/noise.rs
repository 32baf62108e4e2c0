//! The randomness of the exchanges: the public polynomial from SHAKE128, everything secret from ChaCha20.

use crate::rejection::{Rule, Take};
use chacha20::ChaCha20LegacyCore;
use chacha20::cipher::array::Array;
use chacha20::cipher::{KeyIvInit, StreamCipherCore};
use ringsmith_hash::{RATE_128, Shake128};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_ring::Rows;
use ringsmith_simd::{Cpu, Simd};

/// Rows of a polynomial.
pub(crate) const ROWS: usize = 64;
/// Coefficients of a polynomial.
const N: usize = 16 * ROWS;
/// The modulus.
const Q: i16 = 12289;

/// The public polynomial of a seed, in the domain: of the 16-bit words of SHAKE128 their lowest 14 bits,
/// those that are below `q`. Its time depends on the seed, which is public.
pub(super) fn uniform(cpu: Cpu, seed: &[u8; 32], a: &mut Rows<ROWS>) {
    let mut reader = Shake128::new_on(cpu).absorb(seed).reader();
    let (mut block, mut taken) = ([0; RATE_128], 0);
    while taken < N {
        reader.squeeze(&mut block);
        taken = cpu.run(Take { rule: Lowest, block: &block, taken, numbers: a.0.as_flattened_mut() });
    }
}

/// The lowest 14 bits, where they are below `q`.
#[derive(Clone, Copy)]
struct Lowest;

impl Rule for Lowest {
    #[inline(always)]
    fn apply<S: Simd>(self, s: S, words: S::I16) -> [S::I16; 2] {
        let number = s.and(words, s.splat(0x3fff));
        [number, s.gt(s.splat(Q), number)]
    }
}

/// The key stream of ChaCha20 with its first nonce, of 64 bits, and a counter of as many. Constant time.
pub(crate) struct Stream(ChaCha20LegacyCore);

impl Stream {
    pub(crate) fn new(key: &[u8; 32], nonce: [u8; 8]) -> Self {
        Stream(ChaCha20LegacyCore::new(key.into(), &nonce.into()))
    }

    /// The next bytes; what is left of their last block is lost.
    pub(crate) fn write(&mut self, bytes: &mut [u8]) {
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
pub(crate) fn stream<const BYTES: usize>(key: &[u8; 32], nonce: [u8; 8]) -> SecretBytes<BYTES> {
    let mut bytes = SecretBytes::zero();
    Stream::new(key, nonce).write(bytes.as_mut_slice());
    bytes
}
