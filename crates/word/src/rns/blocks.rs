//! Numbers of several words to residues and back, block by block: as many coefficients as there is room for.

use super::constants::{Basis, ROOM, SMALL_DIGITS};
use super::digits::{GROUP, Group, ZEROES, collect, spread, spread_small};
use super::element::Limb;
use super::kernels::{Lift, Numbers, Remainders, Unpack};
use crate::{WordError, WordRing};
use core::slice::from_mut;
use ringsmith_simd::declassify::publish;
use ringsmith_simd::{Cpu, wipe};

/// What a block's numbers are made to and of. Cleared when it is dropped. It is an array of words, as
/// compilers write out each step of a loop that fills one of groups.
struct Room([u64; ROOM * GROUP]);

impl Room {
    /// Of zeroes.
    fn new() -> Self {
        Room([0; ROOM * GROUP])
    }

    /// So many groups, and the rest.
    fn split(&mut self, groups: usize) -> (&mut [Group], &mut [Group]) {
        self.0.as_chunks_mut().0.as_chunks_mut().0.split_at_mut(groups)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// Some coefficients in a row.
#[derive(Clone, Copy)]
struct Block {
    at: usize,
    count: usize,
}

impl Block {
    /// The first of `n` coefficients.
    fn first(basis: &Basis, n: usize) -> Self {
        Block { at: 0, count: basis.block().min(n) }
    }

    /// The next.
    fn next(self, n: usize) -> Self {
        let at = self.at + self.count;
        Block { at, count: self.count.min(n - at) }
    }

    /// How many groups of vectors it has.
    fn groups(self) -> usize {
        self.count.div_ceil(GROUP)
    }

    /// Its part of numbers of so many words.
    fn of<T>(self, numbers: &[T], words: usize) -> &[T] {
        &numbers[self.at * words..(self.at + self.count) * words]
    }

    /// The residues modulo prime `i`.
    fn limb(self, values: &mut [Group], i: usize) -> &mut [u64] {
        let groups = self.groups();
        let values = &mut values[i * groups..(i + 1) * groups];
        &mut values.as_flattened_mut().as_flattened_mut()[..self.count]
    }
}

/// What numbers are brought to and from: the rings of the primes, and what follows from these.
pub(super) struct Blocks<'a> {
    pub(super) cpu: Cpu,
    pub(super) n: usize,
    pub(super) rings: &'a [WordRing],
    pub(super) basis: &'a Basis,
}

impl Blocks<'_> {
    /// Numbers of several words to residues, or 0 where one is not below the product of the primes. Whether
    /// all are is told, not which.
    pub(super) fn set(&self, limbs: &mut [Limb], numbers: &[u64]) -> Result<(), WordError> {
        let (basis, mut outside) = (self.basis, 0);
        self.each(limbs, basis.digits, Numbers::Long, |block, digits| {
            spread(block.of(numbers, basis.words), basis.words, digits, basis.digits);
            outside |= self.cpu.run(Unpack { basis, digits });
        })?;
        publish(from_mut(&mut outside));
        if outside == 0 {
            return Ok(());
        }
        self.set_small(limbs, None)?;
        Err(WordError::Product)
    }

    /// Numbers with a sign to residues, or 0.
    pub(super) fn set_small(&self, limbs: &mut [Limb], numbers: Option<&[i64]>) -> Result<(), WordError> {
        self.each(limbs, SMALL_DIGITS, Numbers::Small, |block, digits| match numbers {
            Some(numbers) => spread_small(block.of(numbers, 1), digits),
            None => digits.fill(ZEROES),
        })
    }

    /// Residues of what `read` makes of each block: so many digits a group.
    fn each(
        &self,
        limbs: &mut [Limb],
        count: usize,
        numbers: Numbers,
        mut read: impl FnMut(Block, &mut [Group]),
    ) -> Result<(), WordError> {
        let (mut room, basis) = (Room::new(), self.basis);
        let mut block = Block::first(basis, self.n);
        while block.count > 0 {
            let groups = block.groups();
            let (values, rest) = room.split(groups * self.rings.len());
            let digits = &mut rest[..groups * count];
            read(block, digits);
            self.cpu.run(Remainders { basis, groups, numbers, digits, values });
            for (i, (limb, ring)) in limbs.iter_mut().zip(self.rings).enumerate() {
                ring.set_part(limb.polynomial_mut()?, block.at, block.limb(values, i))?;
            }
            block = block.next(self.n);
        }
        Ok(())
    }

    /// Numbers of several words from residues.
    pub(super) fn coefficients(&self, limbs: &[Limb], out: &mut [u64]) -> Result<(), WordError> {
        let (mut room, basis, words) = (Room::new(), self.basis, self.basis.words);
        let mut block = Block::first(basis, self.n);
        while block.count > 0 {
            let groups = block.groups();
            let (values, rest) = room.split(groups * self.rings.len());
            let digits = &mut rest[..groups * basis.digits];
            for (i, (limb, ring)) in limbs.iter().zip(self.rings).enumerate() {
                ring.coefficients_part(limb.polynomial()?, block.at, block.limb(values, i))?;
            }
            self.cpu.run(Lift { basis, groups, values, digits });
            let end = (block.at + block.count) * words;
            collect(digits, basis.digits, &mut out[block.at * words..end], words);
            block = block.next(self.n);
        }
        Ok(())
    }
}
