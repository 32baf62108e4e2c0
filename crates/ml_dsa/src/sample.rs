//! Sampling: FIPS 204, section 7.3. Each element is a stream of SHAKE, of which several run at a time
//! ([`run_streams`](ringsmith_hash::run_streams)).

use crate::codec;
use crate::publish;
use crate::ring::{N, Poly, Q};
use ringsmith_hash::{InOrder, Lane, RATE_128, RATE_256, Shake256, Work, run_streams};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::Cpu;

/// Most elements of a call: the matrix of 8 rows and 7 columns.
const MOST: usize = 56;
/// Most elements of a mask.
const MOST_MASKS: usize = 7;

/// Elements of the matrix from number `first` on, row after row, of so many columns: algorithm 30 on
/// `rho || column || row`. In the domain, in `[0, q)`. Its time depends on `rho`, which is public.
pub(crate) fn matrix(cpu: Cpu, rho: &[u8; 32], columns: usize, first: usize, out: &mut [Poly]) {
    let (count, mut taken) = (out.len(), [None; MOST]);
    let step = |stream: usize, lane: &mut Lane<'_>| {
        let Some(before) = taken[stream] else {
            let (row, column) = place(first + stream, columns);
            let mut seed = [0; 34];
            seed[..32].copy_from_slice(rho);
            (seed[32], seed[33]) = (column, row);
            lane.shake::<RATE_128, 34>(&seed);
            taken[stream] = Some(0);
            return true;
        };
        let mut block = [0; RATE_128];
        lane.read(&mut block);
        let now = take_uniform(&block, &mut out[stream], before);
        taken[stream] = Some(now);
        now < N
    };
    run_streams(cpu, Work::new(count, 5), &mut InOrder::new(count, step));
}

/// The row and the column of an element's number.
fn place(mut number: usize, columns: usize) -> (u8, u8) {
    let mut row = 0;
    while number >= columns {
        (row, number) = (row + 1, number - columns);
    }
    (row, number as u8)
}

/// Puts the numbers of 23 bits below `q` behind those `taken` before; how many they are then.
fn take_uniform(block: &[u8; RATE_128], poly: &mut Poly, mut taken: usize) -> usize {
    for [a, b, c] in block.as_chunks::<3>().0 {
        let number = i32::from_le_bytes([*a, *b, c & 0x7f, 0]);
        if taken < N && number < Q {
            poly.0[taken] = number;
            taken += 1;
        }
    }
    taken
}

/// `s1` and `s2`: algorithm 33, on `rho' || number`. Coefficients in `[-eta, eta]`. Which nibbles it takes is
/// [published](publish::acceptance); their values stay secret.
pub(crate) fn small(cpu: Cpu, eta: i32, seed: &[u8; 64], s1: &mut [Poly], s2: &mut [Poly]) {
    let (columns, count, mut taken) = (s1.len(), s1.len() + s2.len(), [None; MOST]);
    let step = |stream: usize, lane: &mut Lane<'_>| {
        let Some(before) = taken[stream] else {
            numbered(lane, seed, stream as u16);
            taken[stream] = Some(0);
            return true;
        };
        let mut block = SecretBytes::<RATE_256>::zero();
        lane.read(&mut block);
        let poly = if stream < columns { &mut s1[stream] } else { &mut s2[stream - columns] };
        let now = take_small(eta, &block, poly, before);
        taken[stream] = Some(now);
        now < N
    };
    run_streams(cpu, Work::new(count, 2), &mut InOrder::new(count, step));
}

/// Starts the stream of a secret seed and a number.
fn numbered(lane: &mut Lane<'_>, seed: &[u8; 64], number: u16) {
    let mut with_number = SecretBytes::<66>::zero();
    with_number[..64].copy_from_slice(seed);
    with_number[64..].copy_from_slice(&number.to_le_bytes());
    lane.shake::<RATE_256, 66>(&with_number);
}

/// Puts the nibbles that give a coefficient (algorithm 15) behind those `taken` before; how many there are
/// then.
fn take_small(eta: i32, block: &[u8; RATE_256], poly: &mut Poly, mut taken: usize) -> usize {
    let mut nibbles = SecretBytes::<{ 2 * RATE_256 }>::zero();
    for (pair, byte) in nibbles.as_chunks_mut::<2>().0.iter_mut().zip(block) {
        *pair = [byte & 15, byte >> 4];
    }
    let limit = if eta == 2 { 15 } else { 9 };
    let mut accepted: [u8; 2 * RATE_256] = core::array::from_fn(|i| nibbles[i].wrapping_sub(limit) >> 7);
    publish::acceptance(&mut accepted);
    for (nibble, _) in nibbles.iter().zip(accepted).filter(|(_, accepted)| *accepted != 0) {
        if taken < N {
            poly.0[taken] = coefficient(eta, (*nibble).into());
            taken += 1;
        }
    }
    taken
}

/// The coefficient of a nibble: `2 - (nibble mod 5)` for `eta = 2`, `4 - nibble` for `eta = 4`.
#[inline(always)]
const fn coefficient(eta: i32, nibble: i32) -> i32 {
    // 13/64 is a little more than 1/5: right for all nibbles.
    if eta == 2 { 2 - (nibble - 5 * ((13 * nibble) >> 6)) } else { 4 - nibble }
}

/// `y`: algorithm 34, on `rho'' || number` for the numbers from `kappa` on. Coefficients in
/// `(-gamma1, gamma1]`, of `bits` bits. Constant time.
pub(crate) fn masks(cpu: Cpu, bits: usize, seed: &[u8; 64], kappa: u16, y: &mut [Poly]) {
    /// Blocks of 576 or 640 bytes.
    const BLOCKS: usize = 5;
    let mut bytes = SecretBytes::<{ MOST_MASKS * BLOCKS * RATE_256 }>::zero();
    let rows = bytes.as_chunks_mut::<RATE_256>().0.as_chunks_mut::<BLOCKS>().0;
    let mut blocks = [None; MOST_MASKS];
    let step = |stream: usize, lane: &mut Lane<'_>| {
        let Some(block) = blocks[stream] else {
            numbered(lane, seed, kappa + stream as u16);
            blocks[stream] = Some(0);
            return true;
        };
        lane.read(&mut rows[stream][block]);
        blocks[stream] = Some(block + 1);
        block + 1 < BLOCKS
    };
    run_streams(cpu, Work::new(y.len(), BLOCKS), &mut InOrder::new(y.len(), step));
    for (y, row) in y.iter_mut().zip(rows) {
        codec::unpack_below(bits, 1 << (bits - 1), row.as_flattened(), y);
    }
}

/// The challenge `c`: algorithm 29, `tau` coefficients of 1 and -1. Its time depends on `ctilde`, which is
/// published.
pub(crate) fn in_ball(cpu: Cpu, tau: usize, ctilde: &[u8], c: &mut Poly) {
    let (mut reader, mut signs) = (Shake256::new_on(cpu).absorb(ctilde).reader(), [0; 8]);
    reader.squeeze(&mut signs);
    let mut signs = u64::from_le_bytes(signs);
    *c = Poly::ZERO;
    for i in N - tau..N {
        let mut byte = [0];
        reader.squeeze(&mut byte);
        while usize::from(byte[0]) > i {
            reader.squeeze(&mut byte);
        }
        let j = usize::from(byte[0]);
        c.0[i] = c.0[j];
        c.0[j] = 1 - 2 * (signs & 1) as i32;
        signs >>= 1;
    }
}
