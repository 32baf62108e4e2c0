//! The rings `Z_2048[x]/(x^n - 1)` of NTRUEncrypt and their inverses; and a [`field`].
//!
//! `n` is a prime, but 2 is no primitive root of eight of them: `x^n - 1` has more than two factors modulo 2.
//! The [power](ringsmith_ring::inverse::mod_2) that inverts modulo 2 inverts every unit all the same, and
//! tells what is none; [`newton`] lifts it.

pub mod field;

use crate::modulus::{Modulus, TwoTo11};
use ctutils::Choice;
use ringsmith_cyclic::element::{Element, Prepared, Work};
use ringsmith_cyclic::lift::Lift;
use ringsmith_cyclic::rows;
use ringsmith_ring::Routes;
use ringsmith_ring::inverse::mod_2::words;
use ringsmith_ring::inverse::newton;

pub use field::NtruPrime739;
pub use ringsmith_cyclic::rings::{
    Ees401, Ees439, Ees443, Ees449, Ees541, Ees587, Ees593, Ees613, Ees653, Ees659, Ees743, Ees761, Ees853,
    Ees887, Ees1087, Ees1171, Ees1499, NtruHps677,
};

/// A ring with inverses modulo `q`. Constant time in all coefficients.
pub trait Inverse: Routes {
    /// `1 / a`, and whether it exists; where it does not, what is in its place is of no meaning.
    fn inverse_into(work: &mut Work<Self>, a: &Element<Self>, out: &mut Element<Self>) -> Choice;
}

macro_rules! inverses {
    ($($(#[$doc:meta])* $ring:ident: $q:literal, $n:literal;)*) => { $(
        impl Inverse for $ring {
            fn inverse_into(work: &mut Work<Self>, a: &Element<Self>, out: &mut Element<Self>) -> Choice {
                const { assert!($q == TwoTo11::Q) };
                let (cpu, out) = (work.cpu(), out.0.coeffs_mut());
                let mut memory = Prepared::blank();
                let mut by = Lift::blank(work, &mut memory);
                by.take(a);
                newton::inverse::<$n, { words($n) }, { rows($n) }>(
                    cpu,
                    TwoTo11::BITS as u32,
                    a.0.coeffs(),
                    &mut by,
                    out,
                )
            }
        }
    )* };
}

ringsmith_cyclic::each_ntruencrypt_ring!(inverses);
