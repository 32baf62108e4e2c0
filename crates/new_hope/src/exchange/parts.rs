//! The exchanges taken apart, to measure each part. No part of the interface.

use super::Way;
use super::noise::{self, ROWS};
use super::{Form, reconcile};
use ringsmith_ring::{Rows, Values};
use ringsmith_simd::Cpu;

/// What the parts read and write.
pub struct Work {
    /// The seed of the noise, or of the public polynomial.
    pub(crate) seed: [u8; 32],
    /// Two polynomials in `[0, 2)`, which is in the range of whatever reads them: what is transformed and
    /// reconciled, and the hints.
    pub(crate) polynomials: [Rows<ROWS>; 2],
    /// The polynomial, the noise or the hints that come out.
    pub(crate) out: Rows<ROWS>,
    /// The reconciled bits.
    pub(crate) key: [u8; 32],
}

impl Work {
    /// With coefficients of a generator, which are 0 or 1.
    pub fn new(seed: [u8; 32], mut coefficient: impl FnMut() -> i16) -> Self {
        let polynomials = [(); 2].map(|()| Rows([(); ROWS].map(|()| [(); 16].map(|()| coefficient()))));
        Work { seed, polynomials, out: Rows([[0; 16]; ROWS]), key: [0; 32] }
    }
}

/// What [`Part::run`] calls.
type Run = fn(Cpu, &mut Work);

/// A part of an exchange.
pub struct Part {
    /// What it computes.
    pub name: &'static str,
    /// Whether the route of the ring makes a difference.
    pub by_route: bool,
    /// Computes it.
    pub run: Run,
}

impl Part {
    pub(crate) const fn new(name: &'static str, run: Run) -> Self {
        Part { name, by_route: false, run }
    }

    pub(crate) const fn by_route(name: &'static str, run: Run) -> Self {
        Part { name, by_route: true, run }
    }
}

pub(crate) fn ntt<F: Form>(way: Way<F>, work: &mut Work) {
    let mut values = Values::ZERO;
    way.forward(&work.polynomials[0], &mut values);
    work.out = *values.rows();
}

pub(crate) fn intt<F: Form>(way: Way<F>, work: &mut Work) {
    let mut values = Values::ZERO;
    *values.rows_mut() = work.polynomials[0];
    way.inverse(&mut values, &mut work.out);
}

pub(crate) fn uniform<F: Form>(way: Way<F>, work: &mut Work) {
    noise::uniform(way.cpu(), &work.seed, &mut work.out);
}

pub(crate) fn error<F: Form>(way: Way<F>, noise: &F::Noise<'_>, out: &mut Rows<ROWS>) {
    F::noise(way.cpu(), noise, 0, out);
}

pub(crate) fn help<F: Form>(way: Way<F>, noise: &F::Noise<'_>, v: &Rows<ROWS>, out: &mut Rows<ROWS>) {
    super::hints::<F>(way.cpu(), noise, v, out);
}

pub(crate) fn reconcile<F: Form>(way: Way<F>, work: &mut Work) {
    let [v, hints] = &work.polynomials;
    reconcile::reconcile(way.cpu(), v, hints, F::INCLUSIVE, &mut work.key);
}
