//! The polynomials of a seed: distinct indices of a hash (IGF-2), and where each of two values stands (BPGM).
//!
//! # The map
//! A seed gives a stream of hashes, that gives candidates (`candidates`), and of these
//! distinct indices are chosen (`choose`). All parts of a product are of one stream.
//!
//! Source: EESS#1 v3.1, sections 8.3.2.1 and 8.3.2.2. Constant time but for the number of hashed blocks.

use crate::candidates::{Blocks, Candidates, LIMIT, Words};
use crate::choose::Chooser;
use crate::compact::compact;
use crate::facts::{Counts, Facts, MOST_COEFFICIENTS};
pub use crate::set::first_f;
use ringsmith_simd::{Cpu, Row};
use zeroize::Zeroizing;

/// Bytes of the counter behind the digest of a seed.
const COUNTER: usize = 4;
/// Rows of a polynomial of any set.
const ROWS: usize = MOST_COEFFICIENTS.div_ceil(16);

/// Writes the polynomials of a seed, with as many coefficients of each value as these counts say; so many
/// blocks are hashed at first. Writes their indices too where they are wanted, in the order of the stream.
pub(crate) fn polynomials(
    cpu: Cpu,
    facts: &Facts,
    seed: &[u8],
    (all, first): (&[Counts], usize),
    out: &mut [&mut [Row]],
    indices: Option<&mut [u16]>,
) {
    let mut blocks = Blocks::zero(facts.hash);
    let mut taken = Words::zero();
    blocks.of_digest(seed, COUNTER);
    let mut stream = Candidates::new(facts, &mut blocks);
    stream.begin(first);
    let marks = indices.is_some().then_some(&mut taken);
    let mut chooser = Chooser { cpu, n: facts.n, minus_first: false, taken: marks };
    chooser.parts(&mut stream, all, out);
    let Some(indices) = indices else { return };
    let list = stream.list();
    let mut numbers = Words::<LIMIT>::zero();
    let numbers = &mut numbers.0[..list.len()];
    numbers.copy_from_slice(list);
    compact::<LIMIT>(numbers, &taken.0);
    indices.copy_from_slice(&numbers[..indices.len()]);
}

/// The indices of `F` of a seed, for vectors of other implementations: of each part those of 1, then those of
/// -1. The standard's sets alone, whose seeds are hashed; there are [`Facts::indices`] of them.
pub fn indices(cpu: Cpu, facts: &Facts, seed: &[u8], out: &mut [u16]) {
    let mut parts = Zeroizing::new([[[0; 16]; ROWS]; 3]);
    let mut rows = parts.each_mut().map(|rows| &mut rows[..]);
    let (all, count) = facts.counts();
    let of_f = (&all[..count], facts.plan.blocks_of_f);
    polynomials(cpu, facts, seed, of_f, &mut rows[..count], Some(out));
}

/// The mask of a seed (MGF-TP-1), for vectors of other implementations: -1, 0, 1, as many as the degree.
pub fn mask(cpu: Cpu, facts: &Facts, seed: &[u8], out: &mut [i16]) {
    let mut rows = Zeroizing::new([[0; 16]; ROWS]);
    crate::mask::mask(cpu, facts, seed, &mut rows[..]);
    out.copy_from_slice(&rows.as_flattened()[..facts.n]);
}
