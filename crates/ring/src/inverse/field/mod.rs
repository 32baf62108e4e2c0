//! Inverses modulo an odd prime `q`.
//!
//! * [`DivisionSteps`]: one step after the other on all coefficients (`steps`).
//! * [`jump::Jumps`]: a few hundred steps on the first coefficients alone, then all polynomials at once by a
//!   matrix.
//!
//! # The map
//! `1 / a` modulo `q` and `x^n - x - 1`: `f(0)` to the power of -1 times `v`, reversed, after `2 n - 1`
//! division steps ([`inverse`](super)).
//!
//! # Conditions
//! A prime `q` below `2^14`, and rows that hold one coefficient more than `x^n - x - 1` has.
//!
//! # Bounds
//! In: centred; out: centred. In between about `q (1 + q / 2^15)`, which [`PROOF`](DivisionSteps::PROOF)
//! follows.
//!
//! # Source
//! D. J. Bernstein, B.-Y. Yang (eprint 2019/266). Deviation: `f(0)` is inverted once, at the end, by Fermat.
//!
//! ```
//! use ringsmith_ring::inverse::field::DivisionSteps;
//! use ringsmith_ring::Poly;
//! use ringsmith_routes::rings::NtruPrime761;
//! use ringsmith_simd::Cpu;
//!
//! type Steps = DivisionSteps<4591, 761, 48>;
//! let x = Poly::<NtruPrime761>::new(&core::array::from_fn::<i16, 761, _>(|i| (i == 1) as i16)).unwrap();
//! let mut inverse = Poly::<NtruPrime761>::zero().coeffs().to_owned();
//! let exists = Steps::inverse(Cpu::detect(), x.coeffs(), &mut inverse, &mut [[0; 16]; Steps::SCRATCH]);
//! // x (x^760 - 1) = 1
//! assert!(exists.to_bool() && (inverse.0[0][0], inverse.0[47][8]) == (-1, 1));
//! ```

pub mod jump;
mod steps;

use super::nonzero;
use crate::bound::{Bound, hold};
use crate::memory::Rows;
use crate::number::{inverse_mod_word, is_prime};
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor, bound_any};
use ctutils::Choice;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};
use steps::{Column, Run, centred, lanes_bound};

/// `x^(q - 2)` modulo `q` of a centred `x`: its inverse, or 0.
#[inline(always)]
fn scalar_inverse<const Q: i64>(x: i32) -> i32 {
    let (mut result, mut square, mut exponent) = (1, x, Q - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = centred::<Q>(result * square);
        }
        square = centred::<Q>(square * square);
        exponent >>= 1;
    }
    result
}

/// Inverses modulo `Q` and `x^N - x - 1`, in `ROWS` rows, step by step.
pub struct DivisionSteps<const Q: i64, const N: usize, const ROWS: usize>;

impl<const Q: i64, const N: usize, const ROWS: usize> DivisionSteps<Q, N, ROWS> {
    /// Rows of memory: each polynomial, one row behind `g` and one before `v`.
    pub const SCRATCH: usize = 4 * ROWS + 2;
    /// Evaluating this proves that no lane overflows, and that the polynomials fit.
    pub const PROOF: () = {
        let bound = lanes_bound(Q);
        assert!(is_prime(Q) && Q < 1 << 14 && bound.fits(16), "a lane overflows");
        assert!(bound_any(bound, Q).magnitude() <= barrett::exact_limit(Q), "the inverse is not centred");
        assert!(N + 1 < 16 * ROWS, "the modulus polynomial, x g and x v have one more coefficient");
    };

    /// `out = 1 / a`, and whether it exists. `a` and `out` are centred; `scratch` has
    /// [`SCRATCH`](Self::SCRATCH) rows. Constant time.
    pub fn inverse(cpu: Cpu, a: &Rows<ROWS>, out: &mut Rows<ROWS>, scratch: &mut [Row]) -> Choice {
        let () = Self::PROOF;
        scratch.fill([0; 16]);
        let (f, rest) = scratch.split_at_mut(ROWS);
        let (g, rest) = rest.split_at_mut(ROWS + 1);
        let (v, r) = rest.split_at_mut(ROWS + 1);
        modulus::<N>(f.as_flattened_mut());
        reversed::<N>(&a.0, &mut g.as_flattened_mut()[1..]);
        r[0][0] = 1;
        let columns = [Column { v: &mut *v, r }];
        let end = cpu.run(Run::<Q, 1> { delta: 1, steps: 2 * N - 1, f, g, columns });
        cpu.run(Quotient::<Q, N> { f0: end.f0, v: &mut v[1..], first: 0, out: out.0.as_flattened_mut() });
        debug_assert!(hold(scratch.as_flattened(), lanes_bound(Q)));
        debug_assert!(hold(out.0.as_flattened(), Bound::centred(Q)));
        is_zero(end.delta)
    }
}

/// `x^N - x - 1`, reversed, where there were zeroes.
fn modulus<const N: usize>(words: &mut [i16]) {
    (words[0], words[N - 1], words[N]) = (1, -1, -1);
}

/// The coefficients of `a`, the last one first.
fn reversed<const N: usize>(a: &[Row], words: &mut [i16]) {
    for (to, from) in words.iter_mut().zip(a.as_flattened()[..N].iter().rev()) {
        *to = *from;
    }
}

fn is_zero(delta: i32) -> Choice {
    Choice::from_u32_lsb(!nonzero(delta) as u32 & 1)
}

/// `v / f(0)`, reversed; `v` begins with word `first`.
struct Quotient<'a, const Q: i64, const N: usize> {
    f0: i32,
    v: &'a mut [Row],
    first: usize,
    out: &'a mut [i16],
}

impl<const Q: i64, const N: usize> Kernel for Quotient<'_, Q, N> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let inverse = scalar_inverse::<Q>(self.f0);
        // Times 2^16, for the Montgomery product.
        let z = centred::<Q>(inverse * const { crate::number::centred(1 << 16, Q) as i32 });
        let factor = Factor { z: z as i16, zq: (z as i16).wrapping_mul(const { inverse_mod_word(Q) }) };
        for row in &mut *self.v {
            let x = montgomery::scale::<S, Q>(s, s.load(row), factor);
            s.store(row, barrett::exact::<S, Q>(s, x));
        }
        let words = &self.v.as_flattened()[self.first..][..N];
        for (to, from) in self.out.iter_mut().zip(words.iter().rev()) {
            *to = *from;
        }
        self.out[N..].fill(0);
    }
}
