//! Sampling, four streams at a time: FIPS 203, section 4.2.2.

use super::{Element, Q};
use ringsmith_hash::{RATE_128, RATE_256, Shake128x4, Shake256x4};
use ringsmith_ring::Rows;
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// The matrix of the seed `rho`, in the domain; coefficients in `[0, q)`. Its time depends on `rho`, which is public.
pub(super) fn matrix<const K: usize>(cpu: Cpu, rho: &[u8; 32]) -> [[Element; K]; K] {
    let mut matrix = [[Rows([[0; 16]; 16]); K]; K];
    for (batch, elements) in matrix.as_flattened_mut().chunks_mut(4).enumerate() {
        let seeds: [[u8; 34]; 4] = core::array::from_fn(|stream| {
            let at = 4 * batch + stream;
            let mut seed = [0; 34];
            seed[..32].copy_from_slice(rho);
            // XOF(rho, j, i): the column first. Streams past the last element are computed and not used.
            (seed[32], seed[33]) = ((at % K) as u8, (at / K) as u8);
            seed
        });
        uniform(cpu, &seeds, elements);
    }
    matrix
}

/// Algorithm 7 on up to four streams.
fn uniform(cpu: Cpu, seeds: &[[u8; 34]; 4], elements: &mut [Element]) {
    let mut xof = Shake128x4::new(cpu, seeds.each_ref());
    let (mut blocks, mut filled) = ([[0; RATE_128]; 4], [0; 4]);
    while filled[..elements.len()].iter().any(|filled| *filled < 256) {
        xof.squeeze(&mut blocks);
        for ((element, block), filled) in elements.iter_mut().zip(&blocks).zip(&mut filled) {
            *filled = take(block, element.0.as_flattened_mut(), *filled);
        }
    }
}

/// Appends the numbers below `q` among a block's 12-bit numbers; how many there are then.
fn take(block: &[u8; RATE_128], out: &mut [i16], mut filled: usize) -> usize {
    for [a, b, c] in block.as_chunks::<3>().0 {
        let first = *a as u16 | (*b as u16 & 15) << 8;
        let second = (*b >> 4) as u16 | (*c as u16) << 4;
        for number in [first, second] {
            if let Some(place) = out.get_mut(filled) {
                *place = number as i16;
                filled += ((number as i64) < Q) as usize;
            }
        }
    }
    filled
}

/// Noise of the centred binomial distribution `eta` from `PRF(seed, nonce)`, `nonce` and up (algorithm 8). Constant time.
pub(super) fn noise(cpu: Cpu, eta: usize, seed: &[u8; 32], nonce: u8, out: &mut [Element]) {
    for (batch, elements) in out.chunks_mut(4).enumerate() {
        let keys: Zeroizing<[[u8; 33]; 4]> = Zeroizing::new(core::array::from_fn(|stream| {
            let mut key = [0; 33];
            key[..32].copy_from_slice(seed);
            key[32] = nonce + (4 * batch + stream) as u8;
            key
        }));
        let mut xof = Shake256x4::new(cpu, keys.each_ref());
        let mut blocks = Zeroizing::new([[[0; RATE_256]; 4]; 2]);
        xof.squeeze(&mut blocks[0]);
        if eta == 3 {
            xof.squeeze(&mut blocks[1]);
        }
        for (stream, element) in elements.iter_mut().enumerate() {
            if eta == 3 {
                let mut bytes = Zeroizing::new([0; 2 * RATE_256]);
                bytes[..RATE_256].copy_from_slice(&blocks[0][stream]);
                bytes[RATE_256..].copy_from_slice(&blocks[1][stream]);
                binomial_3(&bytes[..192], element);
            } else {
                binomial_2(&blocks[0][stream][..128], element);
            }
        }
    }
}

/// Four bits a coefficient: the sum of two minus the sum of the other two.
fn binomial_2(bytes: &[u8], element: &mut Element) {
    const EVEN: u64 = u64::MAX / 3;
    for (word, values) in bytes.as_chunks::<8>().0.iter().zip(&mut element.0) {
        let bits = u64::from_le_bytes(*word);
        let sums = (bits & EVEN) + (bits >> 1 & EVEN);
        for (i, value) in values.iter_mut().enumerate() {
            *value = (sums >> (4 * i) & 3) as i16 - (sums >> (4 * i + 2) & 3) as i16;
        }
    }
}

/// Six bits a coefficient: the sum of three minus the sum of the other three.
fn binomial_3(bytes: &[u8], element: &mut Element) {
    // Every third bit of 24.
    const THIRD: u32 = ((1 << 24) - 1) / 7;
    let groups = element.0.as_flattened_mut().as_chunks_mut::<4>().0;
    for ([a, b, c], values) in bytes.as_chunks::<3>().0.iter().zip(groups) {
        let bits = u32::from_le_bytes([*a, *b, *c, 0]);
        let sums = (bits & THIRD) + (bits >> 1 & THIRD) + (bits >> 2 & THIRD);
        for (i, value) in values.iter_mut().enumerate() {
            *value = (sums >> (6 * i) & 7) as i16 - (sums >> (6 * i + 3) & 7) as i16;
        }
    }
}
