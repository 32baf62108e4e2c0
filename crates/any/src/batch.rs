//! Many products: one after the other, or on several threads.
//!
//! Threads take parts of the batch, as many as there are threads, and each part has one
//! [`Room`](crate::Room): there are never more rooms than threads. Products take the same time whatever is
//! multiplied, so that parts of the same size end together.

use crate::{Coefficient, Ring, RingError};
use core::iter::zip;
#[cfg(feature = "rayon")]
use rayon::{
    iter::{IntoParallelIterator, ParallelIterator},
    slice::{ParallelSlice, ParallelSliceMut},
};

impl Ring {
    /// Writes the products `a_i b_i` of elements that stand one after the other: `a`, `b` and `out` have the
    /// same length, a multiple of the degree `n`.
    ///
    /// With the feature `rayon`, on the threads of the pool that calls. Memory is taken here, a
    /// [`Room`](crate::Room) a thread.
    ///
    /// # Errors
    /// Where a length or a coefficient does not serve, or there is no memory. Then the contents of `out` have
    /// no meaning.
    ///
    /// ```
    /// use ringsmith_any::Ring;
    ///
    /// let ring = Ring::new(17, &"x^2+1".parse()?)?;
    /// let mut products = [0_u16; 4];
    /// // x x = -1 and 2 (3 + 4 x) = 6 + 8 x
    /// ring.products(&[0, 1, 2, 0], &[0, 1, 3, 4], &mut products)?;
    /// assert_eq!(products, [16, 0, 6, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn products<T: Coefficient>(&self, a: &[T], b: &[T], out: &mut [T]) -> Result<(), RingError> {
        let whole = a.len().next_multiple_of(self.degree());
        for (needs, has) in [(whole, a.len()), (whole, b.len()), (whole, out.len())] {
            if needs != has {
                return Err(RingError::Length { needs, has });
            }
        }
        if out.is_empty() { Ok(()) } else { self.parts(a, b, out) }
    }

    /// In parts.
    #[cfg(feature = "rayon")]
    fn parts<T: Coefficient>(&self, a: &[T], b: &[T], out: &mut [T]) -> Result<(), RingError> {
        let n = self.degree();
        let length = (out.len() / n).div_ceil(rayon::current_num_threads()) * n;
        let parts = (a.par_chunks(length), b.par_chunks(length), out.par_chunks_mut(length));
        parts.into_par_iter().try_for_each(|(a, b, out)| self.part(a, b, out))
    }

    /// As one part.
    #[cfg(not(feature = "rayon"))]
    fn parts<T: Coefficient>(&self, a: &[T], b: &[T], out: &mut [T]) -> Result<(), RingError> {
        self.part(a, b, out)
    }

    /// One after the other.
    fn part<T: Coefficient>(&self, a: &[T], b: &[T], out: &mut [T]) -> Result<(), RingError> {
        let (n, mut room) = (self.degree(), self.room()?);
        let pairs = zip(a.chunks_exact(n), b.chunks_exact(n));
        zip(pairs, out.chunks_exact_mut(n)).try_for_each(|((a, b), out)| self.product(a, b, out, &mut room))
    }
}
