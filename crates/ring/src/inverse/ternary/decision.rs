//! What decides division steps modulo 3: the first coefficients of `f` and `g`, as words.
//!
//! `n` steps are decided by the first `n` coefficients of `f` and `g`. A plane is words (`planes`): bit `k`
//! of word `w` is coefficient `4 V k + w`. Of each word as many bits are taken as have room in one together.
//!
//! Constant time: what is decided is masks.

use super::super::exchange;
use super::super::planes::Bits;

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

/// Steps that the first bits of all words decide: so many bits of each that copies of them do not meet.
const fn block(vectors: usize) -> usize {
    let stride = 4 * vectors;
    let bits = if 64 / stride < stride { 64 / stride } else { stride - 1 };
    bits * stride
}

/// Steps of a block where there are so many in all: an even number, and no block much shorter than others.
pub(super) const fn steps_of_a_block(vectors: usize, all: usize) -> usize {
    all.div_ceil(all.div_ceil(block(vectors))).next_multiple_of(2)
}

/// The first coefficients, in order, of one plane: bit `k` of a word goes to place `4 V k`, and a word's
/// place among all is its own.
#[inline(always)]
fn first<const V: usize>(bits: &Bits<V>, plane: usize) -> u64 {
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
    pub(super) delta: i32,
    pub(super) f: [u64; 2],
    pub(super) g: [u64; 2],
}

impl Decision {
    /// The next step.
    #[inline(always)]
    pub(super) fn step(&mut self) -> Step {
        let ([f, minus_f], [g, minus_g]) = (self.f, self.g);
        let (swap, next) = exchange(self.delta, (g & 1) as i32);
        let (one, minus) = ((g & 1).wrapping_neg(), (!(minus_f ^ minus_g) & 1).wrapping_neg());
        let step = Step { swap: swap as i64 as u64, one, minus };
        let (a, signs) = (f & one, minus_f ^ minus_g);
        let differ = signs ^ minus;
        self.delta = next;
        self.f = [f ^ ((f ^ g) & step.swap), minus_f ^ (signs & step.swap)];
        self.g = [((a ^ g) | (a & !differ)) >> 1, (minus_g ^ (a & (differ ^ g))) >> 1];
        step
    }

    /// `f(0)` behind the steps.
    pub(super) const fn constant(&self) -> i16 {
        let [one, minus] = self.f;
        ((one & 1) as i16) - 2 * ((one & minus & 1) as i16)
    }

    /// Takes the first coefficients of `f` and `g`.
    #[inline(always)]
    pub(super) fn read<const V: usize>(&mut self, f: &Bits<V>, g: &Bits<V>) {
        (self.f, self.g) = ([first(f, 0), first(f, 1)], [first(g, 0), first(g, 1)]);
    }
}
