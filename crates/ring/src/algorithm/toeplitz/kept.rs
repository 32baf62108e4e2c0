//! Matrices that are kept as they are, and cut with each product.
//!
//! A cut in two parts makes three matrices of half as many rows, so the matrix side of many cuts is long:
//! that of `3/2/2/2/2/2` has 2430 rows, where the entries of 96 have 192. Where inner cuts are left to the
//! product, a prepared operand takes no more memory than by other routes, and the maps of the outer cuts are
//! saved all the same.

use super::Matrix;
use crate::route::Parts;
use core::marker::PhantomData;
use ringsmith_simd::{Row, Run};

/// A matrix whose entries are its matrix side; its own cuts are those of `M`.
pub struct Kept<M>(PhantomData<M>);

impl<M: Matrix<ROWS>, const ROWS: usize> Matrix<ROWS> for Kept<M> {
    const PARTS: Parts = M::PARTS;
    const BITS: u32 = M::BITS;
    const PRODUCTS: usize = M::PRODUCTS;
    const PREPARED: usize = 2 * ROWS;
    const IS_PLAIN: bool = true;
    const EACH: usize = 0;
    const FIXED: usize = M::ONCE;

    fn prepare(_: impl Run, entries: &[Row], prepared: &mut [Row], _: &mut [Row]) {
        prepared.copy_from_slice(entries);
    }

    fn apply(cpu: impl Run, prepared: &[Row], vectors: &mut [Row], scratch: &mut [Row]) {
        let matrices = prepared.chunks_exact(const { 2 * ROWS });
        for (entries, vector) in matrices.zip(vectors.chunks_exact_mut(ROWS)) {
            M::multiply(cpu, entries, vector, scratch);
        }
    }
}
