//! The polynomials of a seed, or of a list of indices.

use crate::arithmetic::multiple;
use crate::facts::{Facts, Weights};
use crate::modulus::Modulus;
use ringsmith_cyclic::element::{Element, InRows, Ternary, Work};
use ringsmith_ring::Ring;
use ringsmith_simd::Row;

/// The polynomials that a stream of candidates gives, or a list of indices: one, or three of a product.
pub(super) struct Drawn<R: Ring>(pub(super) [Ternary<R>; 3]);

impl<R: Ring> Drawn<R> {
    pub(super) fn zero() -> Self {
        Drawn([(); 3].map(|()| Ternary::zero()))
    }

    /// The first `count` of them, to write.
    pub(super) fn write<T>(&mut self, count: usize, write: impl FnOnce(&mut [&mut [Row]]) -> T) -> T {
        let mut rows = self.0.each_mut().map(InRows::rows_mut);
        write(&mut rows[..count])
    }

    /// `F_1 F_2 + F_3`.
    pub(super) fn combined<M: Modulus>(&self, work: &mut Work<R>, out: &mut Element<R>) {
        let [a, b, c] = &self.0;
        work.ternary_product_into(a, b, out);
        multiple::<M>(work.cpu(), out.rows_mut(), c.rows(), 1);
    }

    /// The polynomial itself.
    pub(super) fn whole<M: Modulus>(&self, work: &mut Work<R>, facts: &Facts, out: &mut Element<R>) {
        match facts.f {
            Weights::Of(_) => self.0[0].widen_into(out),
            Weights::Product(_) => self.combined::<M>(work, out),
        }
    }
}
