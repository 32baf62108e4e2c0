//! The challenge `c`: FIPS 204, algorithm 29.
//!
//! `c` has `tau` coefficients 1 or -1, all others 0: a ball's surface. It is a shuffle from within: for `i`
//! from `256 - tau` to 255, coefficient `i` becomes coefficient `j`, and `j` a new sign, with `j` uniform in
//! `[0, i]`. `j` is the next byte of SHAKE256 on `ctilde` that is at most `i`; signs are the first 64 bits.
//!
//! Each step makes one more coefficient that is not 0: `j` where it was 0, else `i`, to which the old one
//! moved. So the places are known as they come, in some order.
//!
//! Not constant time: `ctilde` is published.

use crate::ring::N;
use crate::small::Challenge;
use ringsmith_hash::{RATE_256, Shake256};
use ringsmith_simd::Cpu;

/// The challenge `c`: algorithm 29, `tau` coefficients of 1 and -1. Its time depends on `ctilde`, which is
/// published.
pub(crate) fn in_ball(cpu: Cpu, tau: usize, ctilde: &[u8], c: &mut Challenge) {
    let mut reader = Shake256::new_on(cpu).absorb(ctilde).reader();
    let (mut block, mut at) = ([0; RATE_256], 8);
    reader.squeeze(&mut block);
    let mut signs = u64::from_le_bytes(*block.first_chunk().expect("a block"));
    let mut next = || {
        if at == RATE_256 {
            reader.squeeze(&mut block);
            at = 0;
        }
        at += 1;
        usize::from(block[at - 1])
    };
    c.coefficients = [0; N];
    for (i, place) in (N - tau..N).zip(&mut c.places) {
        let mut j = next();
        while j > i {
            j = next();
        }
        let moved = c.coefficients[j];
        c.coefficients[i] = moved;
        c.coefficients[j] = 1 - 2 * (signs & 1) as i8;
        *place = if moved == 0 { j } else { i } as u8;
        signs >>= 1;
    }
}
