//! Inverses in constant time: modulo `q` and modulo 3 in the fields of NTRU Prime, by division steps; in the
//! rings of NTRU modulo 3 and modulo 2 by the same, and modulo `2^k` lifted from there ([`newton`]).
//!
//! # The map
//! In `Z_q[x]/(x^n - x - 1)` and in `Z_3[x]/(x^n - x - 1)`:
//!
//! `f` and `g` are the modulus polynomial and the element, their coefficients in reverse: `f(0)` is not 0.
//! A division step for a number `delta`, which is 1 at first:
//!
//! ```text
//! (delta, f, g) -> (1 - delta, g, (g(0) f - f(0) g) / x)    where delta > 0 and g(0) is not 0
//!                  (1 + delta, f, (f(0) g - g(0) f) / x)    elsewhere
//! ```
//!
//! After `2 n - 1` steps `g` is 0 and `f` is the greatest common divisor; it is a constant where `delta` is
//! 0, and only there is the element invertible. The same steps on `(v, r)`, which are `(0, 1)` at first, with
//! `v` multiplied by `x` each time, give `f(0) / g`, reversed, in `v`. Which of the two cases a step is is a
//! secret, so both are computed by the same instructions: the second one's results are the first one's up to
//! a sign, and an exchange is a choice by masks.
//!
//! # How
//! * With `s` steps to come no more than `s + 1` coefficients of `f` and `g` matter, and after `s` steps `v`
//!   and `r` have no more than `s + 1`: a quarter of the work falls away.
//! * Modulo `q` ([`field`]): rows of 16 words; a few hundred steps at a time where products are fast.
//! * Modulo 3 ([`ternary`]): planes of bits in vectors, about 60 steps at a time. In the rings of NTRU they
//!   invert a symmetric element, of half as many coefficients ([`ternary::symmetric`]).
//! * Modulo 2 ([`mod_2`]): likewise, in words of 64 coefficients, 63 steps at a time.
//!
//! * Whether there is an inverse modulo 3, and no more, is a question of divisors ([`divisors`]).
//!
//! # Source
//! D. J. Bernstein, B.-Y. Yang: Fast constant-time gcd computation and modular inversion, 2019 (eprint
//! 2019/266), sections 5 to 7.
//!
//! ```
//! use ringsmith_ring::inverse::Inverses;
//! use ringsmith_ring::Poly;
//! use ringsmith_routes::rings::NtruPrime761 as Field;
//! use ringsmith_simd::Cpu;
//!
//! let cpu = Cpu::detect();
//! let x = Poly::<Field>::new(&core::array::from_fn::<i16, 761, _>(|i| (i == 1) as i16)).unwrap();
//! let (inverse, exists) = Field::inverse(cpu, &x);
//! assert!(exists.to_bool());
//! // x^761 = x + 1, so x (x^760 - 1) = 1
//! assert_eq!((inverse.centred()[0], inverse.centred()[760]), (-1, 1));
//! ```

pub mod divisors;
pub mod field;
pub mod mod_2;
pub mod newton;
mod planes;
#[doc(hidden)]
pub mod polynomial;
pub mod ternary;

use crate::entry::Routes;
use crate::poly::{Poly, Small};
use crate::ring::Ring;
use ctutils::Choice;
use ringsmith_simd::Cpu;

pub use divisors::Invertible;

/// A way to `1 / a` modulo `q`: whether it exists; where it does not, what is in its place is of no meaning.
pub type Inversion<R> = fn(Cpu, &<R as Ring>::Coeffs, &mut <R as Ring>::Coeffs) -> Choice;

/// A ring with inverses modulo `q`. Constant time in all coefficients.
pub trait Inverses: Routes {
    /// `1 / a`, and whether it exists; where it does not, what is in its place is of no meaning.
    fn inverse_into(cpu: Cpu, a: &Self::Coeffs, out: &mut Self::Coeffs) -> Choice;

    /// `1 / a`, and whether it exists.
    fn inverse(cpu: Cpu, a: &Poly<Self>) -> (Poly<Self>, Choice) {
        let mut out = Poly::zero();
        let exists = Self::inverse_into(cpu, &a.coeffs, &mut out.coeffs);
        (out, exists)
    }
}

/// A ring with inverses modulo 3, too. Constant time in all coefficients.
pub trait InversesMod3: Inverses {
    /// `1 / a` modulo 3 of coefficients -1, 0, 1, and whether it exists; where it does not, what is in its
    /// place is of no meaning.
    fn inverse_mod_3_into(cpu: Cpu, a: &Self::Coeffs, out: &mut Self::Coeffs) -> Choice;

    /// `f / P` for each large irreducible factor `P` of the modulus polynomial `f` modulo 3 ([`divisors`]).
    const COFACTORS_MOD_3: &'static [Self::Coeffs];

    /// Whether none of the others divides `a`, of coefficients -1, 0, 1.
    fn no_small_factor_mod_3(cpu: Cpu, a: &Self::Coeffs) -> Choice;

    /// `1 / a` modulo 3, and whether it exists.
    fn inverse_mod_3(cpu: Cpu, a: &Small<Self>) -> (Small<Self>, Choice) {
        const { assert!(Self::SMALL == 1, "coefficients modulo 3") };
        let mut out = Small { coeffs: a.coeffs };
        let exists = Self::inverse_mod_3_into(cpu, &a.coeffs, &mut out.coeffs);
        (out, exists)
    }
}

/// All ones where `x` is not 0.
#[inline(always)]
const fn nonzero(x: i32) -> i32 {
    (x | x.wrapping_neg()) >> 31
}

/// A step's exchange, as all ones or zero, and the `delta` after it.
#[inline(always)]
const fn exchange(delta: i32, g0: i32) -> (i32, i32) {
    let swap = (-delta >> 31) & nonzero(g0);
    (swap, ((delta ^ swap) - swap) + 1)
}
