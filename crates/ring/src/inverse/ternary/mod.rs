//! Division steps modulo 3, in planes of bits.
//!
//! # The map
//! A coefficient is two bits: whether it is not 0, and, where it is not, whether it is -1; the second bit of
//! 0 is of no meaning. Coefficient `i` of a polynomial in `V` vectors is in vector `i mod V`; in a vector,
//! the lanes go first, then the bits: so a division by `x` makes vector `k + 1` vector `k`, and moves one
//! vector alone by one place. A sum is seven operations on planes:
//!
//! ```text
//! d = a_1 ^ b_1:    (a + b)_0 = (a_0 ^ b_0) | (a_0 & !d),    (a + b)_1 = b_1 ^ (a_0 & (d ^ b_0))
//! ```
//!
//! Where one of the two is 0 the sum has the other's bits. Else `d` tells whether they differ, which makes 0;
//! and if not, the sum is the negative of both.
//!
//! # A step
//! `f(0)` and `g(0)` are 1, -1 or 0, so `g' = g - f(0) g(0) f` does in place of `f(0) g - g(0) f`: a unit's
//! difference, the same for `r` and `v`. Where `f` and `g` change places it is the same up to a unit again. A
//! product by a unit is one operation, and the `d` of the signs serves the exchange as well.
//!
//! # Blocks
//! What `n` steps do is decided by the first `n` coefficients of `f` and `g`. Those of about 60 are gathered
//! in a word for each plane, and steps are decided there: each is three masks. The vectors do them two steps
//! later, all four polynomials in one loop: words and vectors have circuits of their own.
//!
//! # Conditions
//! Any [`Modulus`]. It need not be irreducible modulo 3: whether there is an
//! inverse is part of the result.
//!
//! # Bounds
//! In and out: -1, 0, 1. There is nothing to overflow: `f` and `g` have as many coefficients as the modulus
//! polynomial, for which `256 V` have room.
//!
//! # Source
//! D. J. Bernstein, B.-Y. Yang (eprint 2019/266), sections 5 and 7. Deviations: coefficients go around the
//! vectors before they fill one; the sign of 0 is of no meaning; all polynomials go through one loop, and so
//! does what decides their steps.
//!
//! ```
//! use ringsmith_ring::{Ring, Small, inverse::InversesMod3};
//! use ringsmith_routes::rings::NtruPrime761 as Field;
//! use ringsmith_simd::Cpu;
//!
//! let x = Small::<Field>::new(&core::array::from_fn::<i16, 761, _>(|i| (i == 1) as i16)).unwrap();
//! let (inverse, exists) = Field::inverse_mod_3(Cpu::detect(), &x);
//! // x (x^760 - 1) = 1
//! assert!(exists.to_bool() && (inverse.centred()[0], inverse.centred()[760]) == (-1, 1));
//! ```

mod decision;
mod steps;
pub mod symmetric;

use super::planes::{Bits, Pack, Unpack, Words, reversed};
use crate::memory::{Rows, wipe};
use crate::reduce::three;
use ctutils::Choice;
use decision::{Decision, MAX, Step};
use ringsmith_simd::{Cpu, Row};
use steps::Steps;

/// The most coefficients of a modulus polynomial.
pub const MOST: usize = 256 * 8;

/// A modulus polynomial with coefficients -1, 0, 1.
pub trait Modulus {
    /// Its degree.
    const DEGREE: usize;
    /// Its coefficients, that of 1 first; that of `x^DEGREE` is not 0, and those behind it are.
    const COEFFICIENTS: [i16; MOST];
}

/// `x^N - x - 1`.
pub struct PrimeTrinomial<const N: usize>;

impl<const N: usize> Modulus for PrimeTrinomial<N> {
    const DEGREE: usize = N;
    const COEFFICIENTS: [i16; MOST] = {
        let mut all = [0; MOST];
        (all[0], all[1], all[N]) = (-1, -1, 1);
        all
    };
}

/// Vectors that hold a modulus polynomial of degree `n`.
pub const fn vectors(n: usize) -> usize {
    n / 256 + 1
}

/// All memory, cleared on drop. Both planes of a vector are a line of the cache.
#[repr(C, align(64))]
struct Memory<const V: usize> {
    f: Bits<V>,
    g: Bits<V>,
    v: Bits<V>,
    r: Bits<V>,
    steps: [Step; MAX],
    decision: Decision,
}

impl<const V: usize> Memory<V> {
    /// The modulus polynomial, reversed; `g = v = 0`, `r = 1`.
    const fn new<M: Modulus>() -> Self {
        let decision = Decision { minus_delta: -1, f: [0; 2], g: [0; 2] };
        let f = const { reversed(M::DEGREE, &M::COEFFICIENTS) };
        let [g, v, mut r] = [[[[0; 4]; 2]; V]; 3];
        r[V - 1][0][0] = 1;
        let none = Step { swap: 0, one: 0, minus: 0 };
        Memory { f, g, v, r, steps: [none; MAX], decision }
    }
}

impl<const V: usize> Drop for Memory<V> {
    fn drop(&mut self) {
        for bits in [&mut self.f, &mut self.g, &mut self.v, &mut self.r] {
            wipe(bits.as_flattened_mut());
        }
        wipe(&mut self.steps);
        wipe(core::slice::from_mut(&mut self.decision.minus_delta));
        wipe(&mut self.decision.f);
        wipe(&mut self.decision.g);
    }
}

/// `out = 1 / a` modulo 3 and a polynomial, and whether it exists. Coefficients are -1, 0, 1, those of `a`
/// from the degree of the modulus polynomial on do not count; `V` is [`vectors`] of the degree. Constant
/// time.
pub fn inverse<M: Modulus, const V: usize, const ROWS: usize>(
    cpu: Cpu,
    a: &Rows<ROWS>,
    out: &mut Rows<ROWS>,
) -> Choice {
    out.0 = a.0;
    inverse_in::<M, V, ROWS>(cpu, out, |_| (), |_| ())
}

/// The same in place, where coefficients change first and their inverse's change back in the end.
#[inline(always)]
fn inverse_in<M: Modulus, const V: usize, const ROWS: usize>(
    cpu: Cpu,
    a: &mut Rows<ROWS>,
    change: impl FnOnce(&mut Bits<V>),
    change_back: impl FnOnce(&mut Bits<V>),
) -> Choice {
    const { assert!(V == vectors(M::DEGREE) && M::DEGREE <= 16 * ROWS) };
    let (mut memory, mut words) = (Memory::<V>::new::<M>(), Words([[[0; 16]; ROWS]; 2]));
    words.0[1] = a.0;
    let n = M::DEGREE;
    cpu.run(Pack { n, words: words.0.as_flattened().as_flattened(), bits: &mut memory.g });
    change(&mut memory.g);
    cpu.run(Steps { count: 2 * n - 1, memory: &mut memory });
    let (sign, place) = (memory.decision.constant(), words.0.as_flattened_mut().as_flattened_mut());
    let bits = &mut memory.v;
    bits.reverse();
    change_back(bits);
    cpu.run(Unpack { n, bits, sign, words: place });
    a.0 = words.0[1];
    a.0.as_flattened_mut()[n..].fill(0);
    Choice::from_u32_lsb(!super::nonzero(memory.decision.minus_delta as i32) as u32 & 1)
}

/// `a`, of `N` coefficients in rows, modulo 3 and `1 + x + .. + x^(N-1)`: less its top coefficient times
/// that. Coefficients between -4095 and 4095 in, -1, 0, 1 out. Constant time.
///
/// # Panics
/// Where there are fewer.
pub fn modulo_phi<const N: usize>(cpu: Cpu, a: &mut [Row]) {
    const { assert!(2 * 4095 <= three::LIMIT) };
    let all = a.as_flattened_mut();
    let top = all[N - 1];
    all[..N].iter_mut().for_each(|x| *x -= top);
    three::reduce(cpu, a);
}
