//! Sums over pairs: what a square modulo 4 has besides its squares.
//!
//! # The map
//! `(sum_i a_i x^i)^2 = sum_i a_i x^2i + 2 s` with `s = sum_(i<j) a_i a_j x^(i+j)`, of which the parity is
//! wanted.
//! * Pairs of different words: a carry-less product of both.
//! * Pairs of a word at a distance `d`: the bits of `u = a & (a >> d)`. Bit `i` of `u` belongs to place
//!   `2 i + d`. For even `d` that is twice place `i + d / 2`, for odd `d` twice place `i + (d - 1) / 2` and
//!   one. So both kinds are added up before they are spread, and no bit leaves the word.

use super::polynomial::{fold, pairs};
use ringsmith_simd::{CarrylessProducts, Kernel, Simd};

/// Sums of pairs modulo 2 and `x^n - 1`.
pub(super) struct Pairs<'a> {
    pub(super) n: usize,
    pub(super) a: &'a [u64],
    /// Of even and of odd distance.
    pub(super) near: [&'a mut [u64]; 2],
    /// Of twice as many words.
    pub(super) wide: &'a mut [u64],
    pub(super) out: &'a mut [u64],
}

/// Pairs of a word at each distance of a parity, the least of which is `first`.
#[inline(always)]
fn within(a: &[u64], first: usize, near: &mut [u64]) {
    near.fill(0);
    let mut d = first;
    while d < 64 {
        for (sums, a) in near.iter_mut().zip(a) {
            *sums ^= (a & (a >> d)) << (d / 2);
        }
        d += 2;
    }
}

impl Kernel for Pairs<'_> {
    type Out = ();
    const CARRYLESS: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.run_carryless(s, s);
    }
    #[inline(always)]
    fn run_carryless<S: Simd, C: CarrylessProducts>(self, _: S, s: C) {
        let Pairs { n, a, near: [even, odd], wide, out } = self;
        within(a, 2, even);
        within(a, 1, odd);
        let (words, mut carry) = (a.len(), 0);
        let Some((last, columns)) = wide.split_last_mut() else { return };
        for (c, place) in columns.iter_mut().enumerate() {
            let first = if c < words { 0 } else { c + 1 - words };
            let ([a, a_back], mut column) = (pairs(a, first, c), s.carryless_multiply64(0, 0));
            for (x, x_back) in a.iter().zip(a_back.iter().rev()) {
                column = s.carryless_add(column, s.carryless_multiply64(*x, *x_back));
            }
            let [low, high] = s.carryless_words(column);
            (*place, carry) = (low ^ carry, high);
        }
        *last = carry;
        let near = even.iter().zip(&*odd);
        for (pair, (even, odd)) in wide.as_chunks_mut::<2>().0.iter_mut().zip(near) {
            let even = s.carryless_words(s.carryless_square64(*even));
            let odd = s.carryless_words(s.carryless_square64(*odd));
            pair[0] ^= even[0] ^ (odd[0] << 1);
            pair[1] ^= even[1] ^ (odd[1] << 1);
        }
        fold(n, wide, out);
    }
}
