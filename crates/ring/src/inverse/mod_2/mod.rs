//! Inverses modulo 2 and `x^n - 1`, in constant time: by symmetric elements.
//!
//! # The map
//! `n` is odd, so `x - 1` and `Phi_n = 1 + x + .. + x^(n-1)` have no factor in common modulo 2. Modulo
//! `x - 1` an element is its value at 1, which must be 1. Modulo `Phi_n` the product of an element and its
//! mirror image is symmetric, as modulo 3 ([`ternary::symmetric`](super::ternary::symmetric)):
//!
//! ```text
//! s = a(x) a(1/x),    1 / a = a(1/x) / s
//! ```
//!
//! A symmetric element is a polynomial in `x + 1/x` of degree less than `(n - 1) / 2` (`symmetric`), which
//! division steps invert (`jumps`). The result is right modulo `Phi_n`; where its value at 1 is 0, `Phi_n` is
//! added, whose value there is 1.
//!
//! # Modulo `(x^n - 1) / (x - 1)`
//! Let `f = 1 + x + .. + x^(n-1)`, which has an odd value at 1. An element that has an inverse modulo `f` and
//! an even value at 1 becomes a unit modulo `x^n - 1` by adding `f` ([`unit_modulo_2`]), and is the same
//! modulo `f`. So that ring needs no other code.
//!
//! # Conditions
//! `n` odd, between 193 and `2^12`.
//!
//! # Source
//! Division steps, also in jumps: D. J. Bernstein, B.-Y. Yang (eprint 2019/266). The norm is one step of T.
//! Itoh's and S. Tsujii's inverses in GF(2^m), 1988, which A. Hülsing, J. Rijneveld, J. Schanck, P. Schwabe
//! took for NTRU (High-speed key encapsulation from NTRU, 2017). To leave the rest to division steps is
//! Ringsmith's own.
//!
//! ```
//! use ringsmith_ring::inverse::mod_2;
//! use ringsmith_simd::Cpu;
//!
//! // 1 / x = x^508
//! let (inverse, exists) = mod_2::inverse::<509, 8>(Cpu::detect(), &[2, 0, 0, 0, 0, 0, 0, 0]);
//! assert!(exists.to_bool());
//! assert_eq!(inverse, [0, 0, 0, 0, 0, 0, 0, 1 << (508 - 448)]);
//! ```

mod convert;
mod jumps;
mod pairs;
mod polynomial;
mod symmetric;

use crate::memory::wipe;
use core::hint::black_box;
use ctutils::{Choice, CtEq};
use jumps::Divide;
use pairs::Pairs;
use polynomial::{Multiply, Square, fits, keep};
use ringsmith_simd::Cpu;
use symmetric::{LEVELS, digits, from_powers, half_of, mirror, modulus, shift_down, to_powers, whole_of};

pub use convert::{from_rows, to_rows, unit_modulo_2};
pub use polynomial::{Bits, words};

/// `a b` modulo 2 and `x^N - 1`. `WORDS` is [`words`] of `N`. Constant time.
pub fn product<const N: usize, const WORDS: usize>(
    cpu: Cpu,
    a: &Bits<WORDS>,
    b: &Bits<WORDS>,
) -> Bits<WORDS> {
    const { assert!(fits(N, WORDS)) };
    let (mut wide, mut out) = ([[0; WORDS]; 2], [0; WORDS]);
    cpu.run(Multiply { n: N, a, b, wide: wide.as_flattened_mut(), out: &mut out });
    wipe(wide.as_flattened_mut());
    out
}

/// `a^2`, modulo 2 and `x^N - 1`. Constant time.
pub fn square<const N: usize, const WORDS: usize>(cpu: Cpu, a: &Bits<WORDS>) -> Bits<WORDS> {
    const { assert!(fits(N, WORDS)) };
    let (mut wide, mut out) = ([[0; WORDS]; 2], *a);
    cpu.run(Square { n: N, a: &mut out, wide: wide.as_flattened_mut() });
    wipe(wide.as_flattened_mut());
    out
}

/// `sum_(i<j) a_i a_j x^(i+j)` modulo 2 and `x^N - 1`: `(a^2 - a(x^2)) / 2`, of a square modulo 4. Constant
/// time.
pub fn sum_of_pairs<const N: usize, const WORDS: usize>(cpu: Cpu, a: &Bits<WORDS>) -> Bits<WORDS> {
    const { assert!(fits(N, WORDS)) };
    let ([mut near, mut wide], mut out) = ([[[0; WORDS]; 2]; 2], [0; WORDS]);
    let places = near.each_mut().map(|sums| &mut sums[..]);
    cpu.run(Pairs { n: N, a, near: places, wide: wide.as_flattened_mut(), out: &mut out });
    wipe(near.as_flattened_mut());
    wipe(wide.as_flattened_mut());
    out
}

/// What an inversion computes with; cleared on drop.
struct Memory<const WORDS: usize> {
    mirrored: Bits<WORDS>,
    symmetric: Bits<WORDS>,
    image: Bits<WORDS>,
    f: Bits<WORDS>,
    xv: Bits<WORDS>,
    r: Bits<WORDS>,
}

impl<const WORDS: usize> Drop for Memory<WORDS> {
    fn drop(&mut self) {
        let Memory { mirrored, symmetric, image, f, xv, r } = self;
        [mirrored, symmetric, image, f, xv, r].into_iter().for_each(|words| wipe(words));
    }
}

impl<const WORDS: usize> Memory<WORDS> {
    /// The inverse of the symmetric element in its place, modulo `1 + x + .. + x^(N-1)`, and whether it
    /// exists.
    fn invert<const N: usize>(&mut self, cpu: Cpu) -> Choice {
        let (h, digits) = (N / 2, const { &digits::<WORDS>(N / 2) });
        half_of(N, &mut self.symmetric);
        // As many words as the modulus polynomial has.
        let [g, f, xv, r] =
            [&mut self.symmetric, &mut self.f, &mut self.xv, &mut self.r].map(|words| &mut words[..=h / 64]);
        to_powers(g, h, digits);
        let delta = cpu.run(Divide { steps: 2 * h - 1, f, g, xv, r });
        // v is the inverse in reverse.
        shift_down(&mut self.xv, 1);
        keep(h, &mut self.xv);
        from_powers(&mut self.xv[..=h / 64], h, digits);
        whole_of(N, &self.xv, &mut self.symmetric);
        mirror(N, &self.symmetric, &mut self.image);
        self.symmetric.iter_mut().zip(&self.image).for_each(|(x, y)| *x ^= y);
        self.symmetric[0] ^= self.xv[(h - 1) / 64] >> ((h - 1) % 64) & 1;
        black_box(delta).ct_eq(&0)
    }
}

/// All ones where the value at 1 is 0.
fn even(a: &[u64]) -> u64 {
    u64::from(a.iter().fold(0, |all, word| all ^ word).count_ones() & 1).wrapping_sub(1)
}

/// `1 / a` modulo 2 and `x^N - 1`, and whether it exists; where it does not, what is in its place is of no
/// meaning. `WORDS` is [`words`] of `N`. Constant time.
pub fn inverse<const N: usize, const WORDS: usize>(cpu: Cpu, a: &Bits<WORDS>) -> (Bits<WORDS>, Choice) {
    const { assert!(fits(N, WORDS) && N / 2 < 1 << LEVELS) };
    let (zero, f) = ([0; WORDS], const { modulus::<WORDS>(N) });
    let mut memory = Memory { mirrored: zero, symmetric: zero, image: zero, f, xv: zero, r: zero };
    memory.r[0] = 1;
    mirror(N, a, &mut memory.mirrored);
    memory.symmetric = product::<N, WORDS>(cpu, a, &memory.mirrored);
    let exists = memory.invert::<N>(cpu);
    let mut out = product::<N, WORDS>(cpu, &memory.mirrored, &memory.symmetric);
    // 1 + x + .. + x^(N-1), whose value at 1 is 1.
    let all = even(&out);
    out.iter_mut().for_each(|word| *word ^= all);
    keep(N, &mut out);
    (out, exists & black_box(even(a)).ct_eq(&0))
}
