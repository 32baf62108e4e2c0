//! The rings `Z_q[x]/(x^n - 1)` of NTRU, and inverses modulo `Phi_n = 1 + x + .. + x^(n-1)`.
//!
//! `n` is a prime of which 2 and 3 are primitive roots. So `Phi_n` is irreducible modulo 2 and modulo 3:
//! whatever is not 0 modulo one of them has an inverse there.
//!
//! Modulo 3 an inverse is that of a symmetric element, of half the degree, and two products of ternary
//! elements ([`symmetric`]).
//!
//! Modulo `q` ([`newton`]) the products of the lift are those of the ring, and the element that is inverted
//! is prepared for its three.

use super::element::{Element, InRows, Prepared, Second, Ternary, Work};
use super::sample::Numbers;
use super::ternary::modulo_3_and_phi;
use ctutils::Choice;
use ringsmith_cyclic::lift::Lift;
use ringsmith_cyclic::rows;
use ringsmith_ring::inverse::mod_2::{unit_modulo_2, words};
use ringsmith_ring::inverse::newton::{self, modulo_phi};
use ringsmith_ring::inverse::ternary::{symmetric, vectors};
use ringsmith_ring::sort::{ROWS, blocks};
use ringsmith_ring::{Ring, Routes, Rows, Rows32};

pub use ringsmith_cyclic::rings::{
    NtruHps509, NtruHps677, NtruHps821, NtruHps1229, NtruHrss701, NtruHrss1373,
};

/// A ring with inverses modulo `Phi_n`. Constant time in all coefficients.
pub trait Quotient: Routes {
    /// Numbers of 32 bits, as many as are sorted.
    type Numbers: Numbers;

    /// `1 / a` modulo 3 and `Phi_n`, and whether it exists. The top coefficient of `a` must be 0; `by` is `a`
    /// for products by ternary elements.
    fn inverse_mod_3_into(
        work: &mut Work<Self>,
        by: &impl Second<Self, Ternary<Self>>,
        a: &Ternary<Self>,
        out: &mut Ternary<Self>,
    ) -> Choice;

    /// `1 / a` modulo `q` and `Phi_n`, and whether it exists; its top coefficient is 0. What is prepared
    /// meanwhile is in `memory`.
    fn inverse_into(
        work: &mut Work<Self>,
        memory: &mut Prepared<Self>,
        a: &Element<Self>,
        out: &mut Element<Self>,
    ) -> Choice;
}

/// Makes an element a unit modulo `x^N - 1` where it is one modulo `Phi_n`.
fn make_unit<R: Ring<Coeffs = Rows<ROWS>>, const N: usize, const ROWS: usize>(a: &mut Element<R>) {
    const { assert!(R::Q.count_ones() == 1 && N == R::N) };
    unit_modulo_2::<N, ROWS>(a.0.coeffs_mut());
    // One more than the greatest centred number is the least.
    let half = const { (R::Q / 2) as i16 };
    for x in &mut a.rows_mut().as_flattened_mut()[..N] {
        *x = ((*x + half) & (2 * half - 1)) - half;
    }
}

macro_rules! quotients {
    ($($(#[$doc:meta])* $ring:ident: $q:literal, $n:literal;)*) => { $(
        impl Quotient for $ring {
            type Numbers = Rows32<{ ROWS * blocks($n - 1) }>;

            fn inverse_mod_3_into(
                work: &mut Work<Self>,
                by: &impl Second<Self, Ternary<Self>>,
                a: &Ternary<Self>,
                out: &mut Ternary<Self>,
            ) -> Choice {
                const HALF: usize = ($n / 2_usize).div_ceil(16);
                let (cpu, mut mirrored, mut product) = (work.cpu(), Ternary::zero(), Element::zero());
                symmetric::mirror::<$n>(a.rows(), mirrored.rows_mut());
                by.ternary_product_into(work, &mirrored, &mut product);
                let (norm, inverse) = (product.rows(), out.rows_mut());
                let exists = symmetric::inverse::<$n, { vectors($n / 2) }, HALF>(cpu, norm, inverse);
                work.ternary_product_into(&mirrored, out, &mut product);
                modulo_3_and_phi(cpu, &product, out);
                exists
            }

            fn inverse_into(
                work: &mut Work<Self>,
                memory: &mut Prepared<Self>,
                a: &Element<Self>,
                out: &mut Element<Self>,
            ) -> Choice {
                const BITS: u32 = ($q as u32).ilog2();
                let (cpu, out, mut unit) = (work.cpu(), out.0.coeffs_mut(), a.clone());
                make_unit::<$ring, $n, { rows($n) }>(&mut unit);
                let mut by = Lift::blank(work, memory);
                by.take(&unit);
                let unit = unit.0.coeffs();
                let exists =
                    newton::inverse::<$n, { words($n) }, { rows($n) }>(cpu, BITS, unit, &mut by, out);
                modulo_phi::<$n, { rows($n) }>(cpu, BITS, out);
                exists
            }
        }
    )* };
}

ringsmith_cyclic::each_ntru_ring!(quotients);
