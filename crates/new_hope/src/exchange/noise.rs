//! The randomness of the exchanges: the public polynomial from SHAKE128, everything secret from ChaCha20.

use super::chacha20::ChaCha20;
use crate::rejection::{Rule, Take};
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

/// The first bytes of ChaCha20's key stream. Constant time.
pub(crate) fn stream<const BYTES: usize>(cpu: Cpu, key: &[u8; 32], nonce: [u8; 8]) -> SecretBytes<BYTES> {
    let mut bytes = SecretBytes::zero();
    ChaCha20::new(cpu, key, nonce).write(bytes.as_mut_slice());
    bytes
}
