//! Rows of centred residues.

use super::residues::Arithmetic;
use ringsmith_simd::{Kernel, Row, Simd};

/// Centres rows, in place: what [`Modulus::shrunk`](super::residues::Modulus::shrunk) says of them then.
pub(crate) struct Centre<'a, M, T: ?Sized> {
    /// The arithmetic.
    pub(crate) by: M,
    /// The rows: an array where there are always as many, which is faster.
    pub(crate) rows: &'a mut T,
}

impl<M: Arithmetic, T: AsMut<[Row]> + ?Sized> Kernel for Centre<'_, M, T> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for row in self.rows.as_mut() {
            let x = s.load(row);
            s.store(row, self.by.shrink(s, x));
        }
    }
}
