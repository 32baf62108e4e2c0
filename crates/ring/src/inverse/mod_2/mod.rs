//! Inverses modulo 2 and `x^n - 1`, in constant time: a power.
//!
//! # The map
//! `n` is odd, so `x^n - 1` has no multiple factor modulo 2, and all of its factors are of degrees that
//! divide `d`, the order of 2 modulo `n`. Modulo each of them `a^(2^d) = a`, so for a unit `a`
//!
//! ```text
//! 1 / a = a^(2^d - 2) = b_(d-1)^2      with b_t = a^(2^t - 1),    b_(s+t) = b_s^(2^t) b_t
//! ```
//!
//! (T. Itoh, S. Tsujii, 1988). The products are as many as a chain of sums to `d - 1` has (`chain`), powers
//! by `2^t` are permutations (`polynomial`). What is no unit has a power as well, which is no inverse: one
//! more product tells.
//!
//! # Modulo `(x^n - 1) / (x - 1)`
//! Let `f = 1 + x + .. + x^(n-1)`, which has an odd value at 1. An element that has an inverse modulo `f` and
//! an even value at 1 becomes a unit modulo `x^n - 1` by adding `f` ([`unit_modulo_2`]), and is the same
//! modulo `f`. So that ring needs no other code.
//!
//! # Conditions
//! `n` odd, between 193 and `2^11`; `d` at least 17.
//!
//! # Source
//! The method: T. Itoh, S. Tsujii, A fast algorithm for computing multiplicative inverses in GF(2^m), 1988.
//! Its use for NTRU: A. Hülsing, J. Rijneveld, J. Schanck, P. Schwabe, High-speed key encapsulation from
//! NTRU, 2017.
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

#[cfg(not(ringsmith_internals))]
#[allow(unreachable_pub, reason = "tests see it")]
mod chain;
#[cfg(ringsmith_internals)]
pub mod chain;
mod convert;
mod pairs;
mod polynomial;

use crate::memory::wipe;
use chain::{Chain, MAX, inverse_power_of_2, order_of_2};
use core::hint::black_box;
use ctutils::{Choice, CtEq};
use pairs::Pairs;
use polynomial::{Bytes, Multiply, Places, Power, Square, fits, no_places, places_mut};
use ringsmith_simd::Cpu;

pub use convert::{from_rows, to_rows, unit_modulo_2};
pub use polynomial::{Bits, words};

/// Up to so many squares are cheaper than the permutation at once.
const SQUARES: usize = 20;

/// Memory of products and powers.
struct Memory<const WORDS: usize> {
    wide: [Bits<WORDS>; 2],
    bytes: Bytes<WORDS>,
    places: [Places<WORDS>; 2],
}

impl<const WORDS: usize> Memory<WORDS> {
    const fn new() -> Self {
        let places = [no_places(), no_places()];
        Memory { wide: [[0; WORDS]; 2], bytes: [[[0; 8]; WORDS]; 2], places }
    }

    /// `out = a b`.
    fn multiply<const N: usize>(
        &mut self,
        cpu: Cpu,
        a: &Bits<WORDS>,
        b: &Bits<WORDS>,
        out: &mut Bits<WORDS>,
    ) {
        cpu.run(Multiply { n: N, a, b, wide: self.wide.as_flattened_mut(), out });
    }

    /// `a` to the power `2^t`; `step` is `2^-t` modulo `N`.
    fn power<const N: usize>(&mut self, cpu: Cpu, a: &mut Bits<WORDS>, t: usize, step: usize) {
        if t <= SQUARES {
            cpu.run(Square { n: N, a, wide: self.wide.as_flattened_mut(), times: t });
        } else {
            let bytes = self.bytes.as_flattened_mut().as_flattened_mut();
            let places = self.places.each_mut().map(places_mut);
            let steps = [1, 2, 4, 8, 16].map(|multiple| multiple * step % N);
            cpu.run(Power { n: N, a, bytes, places, steps });
        }
    }
}

impl<const WORDS: usize> Drop for Memory<WORDS> {
    fn drop(&mut self) {
        wipe(self.wide.as_flattened_mut());
        wipe(self.bytes.as_flattened_mut().as_flattened_mut());
        wipe(self.places.as_flattened_mut().as_flattened_mut().as_flattened_mut().as_flattened_mut());
    }
}

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

/// `a` to the power `2^t`, modulo 2 and `x^N - 1`. Constant time in `a`.
pub fn power<const N: usize, const WORDS: usize>(cpu: Cpu, a: &Bits<WORDS>, t: usize) -> Bits<WORDS> {
    const { assert!(fits(N, WORDS)) };
    let mut out = *a;
    if t <= SQUARES {
        let mut wide = [[0; WORDS]; 2];
        cpu.run(Square { n: N, a: &mut out, wide: wide.as_flattened_mut(), times: t });
        wipe(wide.as_flattened_mut());
    } else {
        Memory::new().power::<N>(cpu, &mut out, t, inverse_power_of_2(t, N));
    }
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

/// The chain of an inverse; and for each of its sums `e + with` the number `2^-with` modulo `N`.
const fn plan<const N: usize>() -> (Chain, [usize; MAX]) {
    let (chain, mut steps, mut k) = (Chain::to(order_of_2(N) - 1), [0; MAX], 1);
    while k < chain.length {
        steps[k] = inverse_power_of_2(chain.sums[chain.with[k]], N);
        k += 1;
    }
    (chain, steps)
}

/// `1 / a` modulo 2 and `x^N - 1`, and whether it exists; where it does not, what is in its place is of no
/// meaning. `WORDS` is [`words`] of `N`. Constant time.
pub fn inverse<const N: usize, const WORDS: usize>(cpu: Cpu, a: &Bits<WORDS>) -> (Bits<WORDS>, Choice) {
    const { assert!(fits(N, WORDS)) };
    let (chain, steps) = const { &plan::<N>() };
    let (mut memory, mut powers, mut last, mut k) = (Memory::new(), [[0; WORDS]; MAX], *a, 1);
    powers[0] = *a;
    while k < chain.length {
        let with = chain.with[k];
        memory.power::<N>(cpu, &mut last, chain.sums[with], steps[k]);
        let (known, new) = powers.split_at_mut(k);
        memory.multiply::<N>(cpu, &last, &known[with], &mut new[0]);
        last = new[0];
        k += 1;
    }
    wipe(powers.as_flattened_mut());
    memory.power::<N>(cpu, &mut last, 1, const { inverse_power_of_2(1, N) });
    let mut one = [0; WORDS];
    memory.multiply::<N>(cpu, a, &last, &mut one);
    one[0] ^= 1;
    let rest = one.iter().fold(0, |any, word| any | word);
    wipe(&mut one);
    (last, black_box(rest).ct_eq(&0))
}
