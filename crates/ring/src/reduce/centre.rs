//! Rows of centred residues.

use super::residues::Residues;
use ringsmith_simd::{Kernel, Row, Simd};

/// Centres rows, in place: what [`Modulus::shrunk`](super::residues::Modulus::shrunk) says of them then.
pub(crate) struct Centre<'a, M> {
    /// The arithmetic.
    pub(crate) by: M,
    /// The rows.
    pub(crate) rows: &'a mut [Row],
}

impl<M: Residues> Kernel for Centre<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for row in self.rows {
            let x = s.load(row);
            s.store(row, self.by.shrink(s, x));
        }
    }
}
