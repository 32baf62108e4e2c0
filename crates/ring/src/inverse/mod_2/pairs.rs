//! Sums over pairs: what a square modulo 4 has besides its squares.
//!
//! # The map
//! `(sum_i a_i x^i)^2 = sum_i a_i x^2i + 2 s` with `s = sum_(i<j) a_i a_j x^(i+j)`, of which the parity is
//! wanted.
//! * Pairs of different words: a carry-less product of both.
//! * Pairs of a word at a distance `d`: the bits of `u = a & (a >> d)`. Bit `i` of `u` belongs to place
//!   `2 i + d`. For even `d` that is twice place `i + d / 2`, for odd `d` twice place `i + (d - 1) / 2` and
//!   one. So both kinds are added up before they are spread, and no bit leaves the word.

use super::polynomial::{Bits, fold};
use ringsmith_simd::{Kernel, Simd};

/// Sums of pairs modulo 2 and `x^N - 1`.
pub(super) struct Pairs<'a, const N: usize, const WORDS: usize> {
    pub(super) a: &'a Bits<WORDS>,
    /// Of even and of odd distance.
    pub(super) near: &'a mut [Bits<WORDS>; 2],
    pub(super) wide: &'a mut [Bits<WORDS>; 2],
    pub(super) out: &'a mut Bits<WORDS>,
}

/// Pairs of a word at each distance.
#[inline(always)]
fn within<const WORDS: usize>(a: &Bits<WORDS>, near: &mut [Bits<WORDS>; 2]) {
    let mut d = 1;
    while d < 64 {
        let (sums, mut i) = (&mut near[d % 2], 0);
        while i < WORDS {
            sums[i] ^= (a[i] & (a[i] >> d)) << (d / 2);
            i += 1;
        }
        d += 1;
    }
}

impl<const N: usize, const WORDS: usize> Kernel for Pairs<'_, N, WORDS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let a = self.a;
        *self.near = [[0; WORDS]; 2];
        within(a, self.near);
        let (wide, mut carry, mut c) = (self.wide.as_flattened_mut(), 0, 0);
        while c < 2 * WORDS - 1 {
            let mut i = if c < WORDS { 0 } else { c + 1 - WORDS };
            let mut column = s.carryless_multiply64(0, 0);
            while 2 * i < c {
                column = s.carryless_add(column, s.carryless_multiply64(a[i], a[c - i]));
                i += 1;
            }
            let [low, high] = s.carryless_words(column);
            (wide[c], carry) = (low ^ carry, high);
            c += 1;
        }
        wide[2 * WORDS - 1] = carry;
        let mut i = 0;
        while i < WORDS {
            let [even, odd] = [self.near[0][i], self.near[1][i]].map(
                #[inline(always)]
                |sums| s.carryless_words(s.carryless_square64(sums)),
            );
            wide[2 * i] ^= even[0] ^ (odd[0] << 1);
            wide[2 * i + 1] ^= even[1] ^ (odd[1] << 1);
            i += 1;
        }
        fold::<N, WORDS>(self.wide, self.out);
    }
}
