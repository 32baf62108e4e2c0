//! Every product of coefficients: `n^2 / 16` multiply-adds, for any modulus and any `f`.
//!
//! # The map
//! `c = a b` over the integers by rows (see [`convolution`]), reduced by `f`.
//!
//! # Conditions
//! Nothing of `n` and `f`; of `q` that one row of products fits a 32-bit sum, and three residues a lane.
//!
//! # Bounds
//! In: centred; out: centred. A small second operand lets more rows share a sum.
//!
//! # Source
//! The definition. Deviation: sixteen products of a pair of coefficients at a time, as [`convolution`] says.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{multiplier, rings::NtruPrime761};
//! use ringsmith_simd::Cpu;
//!
//! // x^760 * x = x^761 = x + 1
//! let (mut a, mut b) = ([0i16; 761], [0i16; 761]);
//! (a[760], b[1]) = (1, 1);
//! let multiplier = multiplier::<NtruPrime761>(Cpu::detect(), Route::Schoolbook)?;
//! let c = multiplier.multiply(&Poly::new(&a).unwrap(), &Poly::new(&b).unwrap(), &mut multiplier.scratch());
//! assert_eq!(c.centred()[..3], [1, 1, 0]);
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::choice::Operand;
use super::convolution::{self, product_scratch, rows_per_sum};
use crate::bound::Bound;
use crate::memory::Rows;
use crate::multiply::Product;
use crate::reduce::residues::Residues;
use crate::ring::Ring;
use crate::route::Route;
use core::marker::PhantomData;
use ringsmith_simd::{Row, Run};

/// The schoolbook product for operands of `ROWS` rows of residues `M`.
pub struct Schoolbook<M, const ROWS: usize> {
    residues: PhantomData<M>,
}

impl<R: Ring<Coeffs = Rows<ROWS>>, M: Residues, const ROWS: usize> Product<R> for Schoolbook<M, ROWS> {
    const ROUTE: Route = Route::Schoolbook;
    const CHECK: () = {
        assert!(M::MODULUS.serves(R::Q) && R::N.div_ceil(16) == ROWS);
        assert!(rows_per_sum(M::MODULUS, Bound::centred(R::Q), Bound::centred(R::Q), ROWS) > 0);
        convolution::check_fold(M::MODULUS);
    };

    const SCRATCH: usize = 2 * ROWS + product_scratch(ROWS);

    fn product<B: Operand<R>>(cpu: impl Run, a: &[Row], b: &[Row], out: &mut [Row], scratch: &mut [Row]) {
        let rows_per_sum = const { rows_per_sum(M::MODULUS, Bound::centred(R::Q), B::BOUND, ROWS) };
        let ((c, scratch), by) = (scratch.split_at_mut(2 * ROWS), M::modulo(R::Q));
        convolution::product(cpu, by, rows_per_sum, a, b, c, scratch);
        convolution::fold(cpu, by, R::SHAPE, R::N, c, out, scratch);
    }
}
