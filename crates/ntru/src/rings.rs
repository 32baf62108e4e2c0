//! The rings `Z_q[x]/(x^n - 1)` of NTRU, and inverses modulo `Phi_n = 1 + x + .. + x^(n-1)`.
//!
//! `n` is a prime of which 2 and 3 are primitive roots. So `Phi_n` is irreducible modulo 2 and modulo 3:
//! whatever is not 0 modulo one of them has an inverse there.
//!
//! Modulo `q` ([`newton`]) the products of the lift are those of the ring, and the element that is inverted
//! is prepared for its three.

use super::element::{Element, InRows, Prepared, Second, Ternary, Work};
use super::sample::Numbers;
use ctutils::Choice;
use ringsmith_cyclic::rows;
use ringsmith_ring::inverse::mod_2::{unit_modulo_2, words};
use ringsmith_ring::inverse::newton::{self, Products, modulo_phi};
use ringsmith_ring::inverse::ternary::{self, AllOnes, vectors};
use ringsmith_ring::{Ring, Routes, Rows, Rows32};

pub use ringsmith_cyclic::rings::{
    NtruHps509, NtruHps677, NtruHps821, NtruHps1229, NtruHrss701, NtruHrss1373,
};

/// A ring with inverses modulo `Phi_n`. Constant time in all coefficients.
pub trait Quotient: Routes {
    /// Numbers of 32 bits, as many as coefficients.
    type Numbers: Numbers;

    /// `1 / a` modulo 3 and `Phi_n`, and whether it exists. The top coefficient of `a` must be 0.
    fn inverse_mod_3_into(work: &Work<Self>, a: &Ternary<Self>, out: &mut Ternary<Self>) -> Choice;

    /// `1 / a` modulo `q` and `Phi_n`, and whether it exists; its top coefficient is 0.
    fn inverse_into(work: &mut Work<Self>, a: &Element<Self>, out: &mut Element<Self>) -> Choice;
}

/// The products of a lift.
struct Lift<'a, R: Ring> {
    work: &'a mut Work<R>,
    f: Prepared<R>,
    operands: [Element<R>; 2],
    product: Element<R>,
}

impl<R: Ring<Coeffs = Rows<ROWS>>, const ROWS: usize> Products<ROWS> for Lift<'_, R> {
    /// Modulo 4 the coefficients of `a` are 0 and 1.
    fn by_element(&mut self, bits: u32, a: &Rows<ROWS>, out: &mut Rows<ROWS>) {
        if bits == 2 {
            let mut small = Ternary::zero();
            *small.0.coeffs_mut() = *a;
            of_element(&self.f).ternary_product_into(self.work, &small, &mut self.product);
        } else {
            *self.operands[0].0.coeffs_mut() = *a;
            of_element(&self.f).product_into(self.work, &self.operands[0], &mut self.product);
        }
        *out = *self.product.0.coeffs();
    }
    fn multiply(&mut self, _: u32, a: &Rows<ROWS>, b: &Rows<ROWS>, out: &mut Rows<ROWS>) {
        let [x, y] = &mut self.operands;
        (*x.0.coeffs_mut(), *y.0.coeffs_mut()) = (*a, *b);
        y.product_into(self.work, x, &mut self.product);
        *out = *self.product.0.coeffs();
    }
}

/// What was made of an element.
fn of_element<R: Ring>(prepared: &Prepared<R>) -> &impl Second<R, Element<R>> {
    prepared
}

impl<'a, R: Ring<Coeffs = Rows<ROWS>>, const ROWS: usize> Lift<'a, R> {
    /// Room for what is computed.
    fn blank(work: &'a mut Work<R>) -> Self {
        let [x, y, product] = [(); 3].map(|()| Element::zero());
        Lift { work, f: Prepared::blank(), operands: [x, y], product }
    }

    /// Takes an element, which becomes a unit modulo `x^N - 1` where it is one modulo `Phi_n`.
    fn take<const N: usize>(&mut self, unit: &mut Element<R>) {
        const { assert!(R::Q.count_ones() == 1 && N == R::N) };
        unit_modulo_2::<N, ROWS>(unit.0.coeffs_mut());
        // One more than the greatest centred number is the least.
        let half = const { (R::Q / 2) as i16 };
        for x in &mut unit.rows_mut().as_flattened_mut()[..N] {
            *x = ((*x + half) & (2 * half - 1)) - half;
        }
        Second::<R, Element<R>>::set(&mut self.f, self.work, unit);
    }
}

macro_rules! quotients {
    ($($(#[$doc:meta])* $ring:ident: $q:literal, $n:literal;)*) => { $(
        impl Quotient for $ring {
            type Numbers = Rows32<{ 2 * rows($n) }>;

            fn inverse_mod_3_into(work: &Work<Self>, a: &Ternary<Self>, out: &mut Ternary<Self>) -> Choice {
                const VECTORS: usize = vectors($n - 1);
                let (a, out) = (a.0.coeffs(), out.0.coeffs_mut());
                ternary::inverse::<AllOnes<$n>, VECTORS, { rows($n) }>(work.cpu(), a, out)
            }

            fn inverse_into(work: &mut Work<Self>, a: &Element<Self>, out: &mut Element<Self>) -> Choice {
                const BITS: u32 = ($q as u32).ilog2();
                let (cpu, out, mut unit) = (work.cpu(), out.0.coeffs_mut(), a.clone());
                let mut by = Lift::blank(work);
                by.take::<$n>(&mut unit);
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
