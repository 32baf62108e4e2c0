//! What decides division steps modulo 3: the first coefficients of `f` and `g`, as words.
//!
//! `n` steps are decided by the first `n` coefficients of `f` and `g`. A plane is words (`planes`): bit `k`
//! of word `w` is coefficient `4 V k + w`. Of each word as many bits are taken as have room in one together.
//!
//! Constant time: what is decided is masks.

use super::super::planes::Bits;
use core::hint::black_box;

/// One step for all of its polynomials, as masks: whether `f` and `g` change places; whether `g(0)` is not 0;
/// whether `-f(0) g(0)` is -1.
#[derive(Clone, Copy, Default)]
pub(super) struct Step {
    pub(super) swap: u64,
    pub(super) one: u64,
    pub(super) minus: u64,
}

/// As many as a block can have.
pub(super) const MAX: usize = 64;

/// Steps that the first bits of all words decide: so many bits of each that copies of them do not meet. Of
/// four words, which are one vector, bits are spread without copies.
pub(super) const fn block(vectors: usize) -> usize {
    let stride = 4 * vectors;
    if vectors == 1 {
        return MAX;
    }
    let bits = if 64 / stride < stride { 64 / stride } else { stride - 1 };
    bits * stride
}

/// The first 16 bits of a word, of which bit `k` goes to place `4 k`: the upper half of each group of bits
/// moves, and groups become half as long.
const fn spread(word: u64) -> u64 {
    let (mut bits, mut half) = (word & 0xffff, 8);
    while half > 0 {
        // The first `half` bits of every `4 half` ones.
        let groups = ((1 << half) - 1) * (u64::MAX / (u64::MAX >> (64 - 4 * half)));
        bits = (bits | (bits << (3 * half))) & groups;
        half /= 2;
    }
    bits
}

/// The first coefficients, in order, of one plane: bit `k` of a word goes to place `4 V k`, and a word's
/// place among all is its own.
#[inline(always)]
fn first<const V: usize>(bits: &Bits<V>, plane: usize) -> u64 {
    if V == 1 {
        return (0..4).fold(0, |all, lane| all | (spread(bits[0][plane][lane]) << lane));
    }
    let stride = 4 * V;
    let (mut copies, mut places, mut k) = (0, 0, 0);
    while k < block(V) / stride {
        // Copies of all bits, each a word's bits further; of copy k bit k alone is wanted.
        copies |= 1 << ((stride - 1) * k);
        places |= 1 << (stride * k);
        k += 1;
    }
    let (low, mut all, mut i, mut lane) = ((1 << k) - 1, 0, 0, 0);
    while lane < 4 {
        let mut vector = 0;
        while vector < V {
            all |= ((bits[vector][plane][lane] & low).wrapping_mul(copies) & places) << i;
            (i, vector) = (i + 1, vector + 1);
        }
        lane += 1;
    }
    all
}

/// What decides steps: the first coefficients of `f` and `g`, and `delta`.
#[derive(Clone, Copy)]
pub(super) struct Decision {
    pub(super) minus_delta: i64,
    pub(super) f: [u64; 2],
    pub(super) g: [u64; 2],
}

impl Decision {
    /// The next step.
    #[inline(always)]
    pub(super) fn step(&mut self) -> Step {
        let ([f, minus_f], [g, minus_g]) = (self.f, self.g);
        let (one, signs) = ((g & 1).wrapping_neg(), minus_f ^ minus_g);
        let (swap, minus) = ((self.minus_delta >> 63) as u64 & one, (signs & 1).wrapping_sub(1));
        self.minus_delta = (self.minus_delta ^ swap as i64) - swap as i64 - 1;
        let a = f & one;
        let (sum, differ) = (a ^ g, signs ^ minus);
        self.f = [f ^ (sum & swap), minus_f ^ (signs & swap)];
        self.g = [(sum | (a & !differ)) >> 1, (minus_g ^ (a & (differ ^ g))) >> 1];
        Step { swap, one, minus }
    }

    /// `f(0)` behind the steps.
    pub(super) const fn constant(&self) -> i16 {
        let [one, minus] = self.f;
        ((one & 1) as i16) - 2 * ((one & minus & 1) as i16)
    }

    /// Takes the first coefficients of `f` and `g`.
    #[inline(always)]
    pub(super) fn read<const V: usize>(&mut self, f: &Bits<V>, g: &Bits<V>) {
        // Else the compiler puts pairs of words in vectors, where a step takes twice as long.
        let word = |bits, plane| black_box(first(bits, plane));
        (self.f, self.g) = ([word(f, 0), word(f, 1)], [word(g, 0), word(g, 1)]);
    }
}
