//! The secret `s1` and `s2`: FIPS 204, algorithms 15, 31 and 33.
//!
//! Coefficients in `[-eta, eta]` are taken from the nibbles of SHAKE256 on `rho' || number`, the lower one of
//! a byte first. For `eta = 2` nibbles below 15 are taken, and `z` stands for `2 - (z mod 5)`; for `eta = 4`
//! those below 9, and `z` stands for `4 - z`. All values are equally likely, as 15 is a multiple of 5.
//!
//! `z mod 5 = z - 5 floor(13 z / 64)`, with no division: `13 z / 64` is a little more than `z / 5`, less than
//! the next integer for `z < 16`.
//!
//! Which nibbles are taken is published; the values stay secret.

use super::numbered;
use crate::publish;
use crate::ring::{N, Secret, Words};
use ringsmith_hash::{Lane, RATE_256, Work};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_ring::Rows;
use ringsmith_simd::{Cpu, Kernel, Simd};

/// A block of SHAKE256, and bytes of the state behind it that the vectors read.
const READ_256: usize = RATE_256 + 24;
/// Rows of its nibbles.
const NIBBLES: usize = 17;
/// Its nibbles.
type Nibbles = Rows<NIBBLES>;

/// `s1` and `s2`: algorithm 33, on `rho' || number`. Coefficients in `[-eta, eta]`. Which nibbles it takes is
/// [published](publish::acceptance); their values stay secret.
pub(crate) struct Small<'a> {
    cpu: Cpu,
    eta: i32,
    seed: &'a [u8; 64],
    polys: &'a mut [Words],
    taken: [Option<usize>; MOST_SMALL],
    started: usize,
    /// Elements that are not complete.
    left: usize,
    work: Secret<Rows<NIBBLES>>,
}

/// Most elements of `s1` and `s2`.
const MOST_SMALL: usize = 15;

impl<'a> Small<'a> {
    /// Of this seed.
    pub(crate) fn new(cpu: Cpu, eta: i32, seed: &'a [u8; 64], polys: &'a mut [Words]) -> Self {
        let left = polys.len();
        let work = Secret::of(Rows([[0; 16]; NIBBLES]));
        Small { cpu, eta, seed, polys, taken: [None; MOST_SMALL], started: 0, left, work }
    }

    /// Those that are there already: no stream.
    pub(crate) fn given(cpu: Cpu, eta: i32, polys: &'a mut [Words]) -> Self {
        let (started, work) = (polys.len(), Secret::of(Rows([[0; 16]; NIBBLES])));
        Small { cpu, eta, seed: &[0; 64], polys, taken: [Some(N); MOST_SMALL], started, left: 0, work }
    }

    /// The work of its streams.
    pub(crate) fn work(&self) -> Work {
        Work::new(self.polys.len() - self.started, 2)
    }

    /// The next stream.
    pub(crate) fn next(&mut self) -> Option<usize> {
        let stream = self.started;
        self.started += usize::from(stream < self.polys.len());
        (stream < self.polys.len()).then_some(stream)
    }

    /// The elements, when all are there.
    pub(crate) fn polys(&self) -> Option<&[Words]> {
        (self.left == 0).then_some(self.polys)
    }

    /// A step of a stream; see [`Streams`](ringsmith_hash::Streams).
    pub(crate) fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
        let Some(taken) = self.taken[stream] else {
            numbered(lane, self.seed, stream as u16);
            self.taken[stream] = Some(0);
            return true;
        };
        let mut block = SecretBytes::<READ_256>::zero();
        lane.read(&mut block);
        let (mut accepted, eta) = (Rows([[0; 16]; NIBBLES]), self.eta);
        let numbers = self.polys[stream].0.as_flattened_mut();
        self.cpu.run(Coefficients { block: &block, eta, out: &mut self.work, accepted: &mut accepted });
        publish::acceptance(accepted.0.as_flattened_mut());
        let taken = take(self.cpu, &self.work, &accepted, numbers, taken);
        self.taken[stream] = Some(taken);
        self.left -= usize::from(taken == N);
        taken < N
    }
}

/// The coefficients of all nibbles (algorithm 15), and masks of those that are accepted: `2 - (nibble mod 5)`
/// below 15 for `eta = 2`, `4 - nibble` below 9 for `eta = 4`.
struct Coefficients<'a> {
    block: &'a [u8; READ_256],
    eta: i32,
    out: &'a mut Nibbles,
    accepted: &'a mut Nibbles,
}

impl Kernel for Coefficients<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (eta, limit, fives) = if self.eta == 2 { (2, 15, 5) } else { (4, 9, 0) };
        let (mut row, mut byte) = (0, 0);
        while let Some(bytes) = self.block[byte..].first_chunk()
            && row < NIBBLES
        {
            let nibbles = s.unpack::<4>(bytes);
            // 13/64 is a little more than 1/5: right for all nibbles.
            let fifth = s.shift_right::<6>(s.mul_lo(nibbles, s.splat(13)));
            let rest = s.sub(nibbles, s.mul_lo(fifth, s.splat(fives)));
            s.store(&mut self.out.0[row], s.sub(s.splat(eta), rest));
            s.store(&mut self.accepted.0[row], s.gt(s.splat(limit), nibbles));
            (row, byte) = (row + 1, byte + 8);
        }
    }
}

/// Puts those that are chosen, which is public, behind those `taken` before, until there are `N`; how many
/// they are then.
fn take(cpu: Cpu, from: &Nibbles, chosen: &Nibbles, numbers: &mut [i16], taken: usize) -> usize {
    let (mut taken, row) = cpu.run(Take { from, chosen, numbers, taken });
    for (number, chosen) in from.0[row..].as_flattened().iter().zip(chosen.0[row..].as_flattened()) {
        let Some(place) = numbers.get_mut(taken) else { break };
        *place = *number;
        taken += usize::from(*chosen != 0);
    }
    taken
}

/// The same, up to where there are places for less than sixteen; and the rows that it went through.
struct Take<'a> {
    from: &'a Nibbles,
    chosen: &'a Nibbles,
    numbers: &'a mut [i16],
    taken: usize,
}

impl Kernel for Take<'_> {
    type Out = (usize, usize);
    const SPILLS: bool = false;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> (usize, usize) {
        let (mut taken, mut row) = (self.taken, 0);
        while row < NIBBLES
            && let Some(place) = self.numbers[taken..].first_chunk_mut()
        {
            taken += s.take(s.load(&self.from.0[row]), s.load(&self.chosen.0[row]), place);
            row += 1;
        }
        (taken, row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: algorithm 15 on every nibble, and the end of an element anywhere in a block.
    #[test]
    fn small() {
        for cpu in Cpu::available() {
            for (eta, limit) in [(2, 15), (4, 9)] {
                for before in [0, 1, 100, 200, 240, 241, 255] {
                    let block: [u8; READ_256] = core::array::from_fn(|i| (i * 37 + i / 16) as u8);
                    let nibbles = block[..RATE_256].iter().flat_map(|byte| [byte & 15, byte >> 4]);
                    let of = |n: u8| if eta == 2 { 2 - i16::from(n % 5) } else { 4 - i16::from(n) };
                    let accepted = nibbles.filter(|n| *n < limit).map(of);
                    let expected: std::vec::Vec<_> = accepted.take(N - before).collect();
                    let (mut out, mut chosen, mut numbers) =
                        (Rows([[0; 16]; NIBBLES]), Rows([[0; 16]; NIBBLES]), [9; N]);
                    cpu.run(Coefficients { block: &block, eta, out: &mut out, accepted: &mut chosen });
                    let taken = take(cpu, &out, &chosen, &mut numbers, before);
                    assert_eq!(numbers[before..taken], expected, "{eta} {before} on {cpu:?}");
                    assert_eq!(taken, before + expected.len());
                }
            }
        }
    }
}
