//! Every product of coefficients: `n^2 / 16` multiply-adds, for any modulus and any `f`.
//!
//! The map: `c = a b` over the integers by rows (see [`convolution`]), reduced by `f`. Needs
//! nothing of `(q, n, f)` but that one row of products fits a 32-bit sum. In: centred coefficients. Out: centred. A small
//! second operand lets more rows share a sum.
//!
//! ```
//! use ringsmith_ring::{Multiplier, Poly, Route, rings::NtruPrime761};
//! use ringsmith_simd::Cpu;
//!
//! // x^760 * x = x^761 = x + 1
//! let (mut a, mut b) = ([0i16; 761], [0i16; 761]);
//! (a[760], b[1]) = (1, 1);
//! let multiplier = Multiplier::<NtruPrime761>::with_route(Cpu::detect(), Route::Schoolbook)?;
//! let c = multiplier.multiply(&Poly::new(&a).unwrap(), &Poly::new(&b).unwrap(), &mut multiplier.scratch());
//! assert_eq!(c.centred()[..3], [1, 1, 0]);
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::convolution::{self, rows_per_sum};
use crate::bound::Bound;
use crate::multiplier::Multiply;
use crate::ring::{Ring, Rows, Workspace};
use crate::route::Route;
use ringsmith_simd::Run;

/// The schoolbook product for operands of `ROWS` rows modulo `Q`.
pub struct Schoolbook<const Q: i64, const ROWS: usize>;

impl<const Q: i64, const ROWS: usize> Schoolbook<Q, ROWS> {
    const BIG: usize = rows_per_sum(Q, Bound::centred(Q), Bound::centred(Q), ROWS);

    fn finish<R: Ring<Coeffs = Rows<ROWS>>>(
        cpu: impl Run,
        rows_per_sum: usize,
        a: &Rows<ROWS>,
        windows: &[ringsmith_simd::Row],
        out: &mut Rows<ROWS>,
        scratch: &mut [ringsmith_simd::Row],
    ) {
        let (c, scratch) = scratch.split_at_mut(2 * ROWS);
        convolution::product_by_windows::<Q>(cpu, rows_per_sum, &a.0, windows, c, scratch);
        convolution::fold::<Q>(cpu, R::SHAPE, R::N, c, &mut out.0, scratch);
    }

    fn product<R: Ring<Coeffs = Rows<ROWS>>>(
        cpu: impl Run,
        rows_per_sum: usize,
        a: &Rows<ROWS>,
        b: &Rows<ROWS>,
        out: &mut Rows<ROWS>,
        scratch: &mut R::Scratch,
    ) {
        let (windows, scratch) = scratch.parts_mut().0.split_at_mut(ROWS + 2);
        convolution::windows(&b.0, windows);
        Self::finish::<R>(cpu, rows_per_sum, a, windows, out, scratch);
    }
}

impl<R: Ring<Coeffs = Rows<ROWS>>, const Q: i64, const ROWS: usize> Multiply<R> for Schoolbook<Q, ROWS> {
    const ROUTE: Route = Route::Schoolbook;
    const IN: Bound = Bound::centred(Q);
    const OUT: Bound = Bound::centred(Q);
    const CHECK: () = {
        assert!(R::Q == Q && R::N.div_ceil(16) == ROWS);
        assert!(Self::BIG > 0);
        convolution::check_fold(Q);
    };

    fn multiply(
        cpu: impl Run,
        a: &Rows<ROWS>,
        b: &Rows<ROWS>,
        out: &mut Rows<ROWS>,
        scratch: &mut R::Scratch,
    ) {
        Self::product::<R>(cpu, Self::BIG, a, b, out, scratch);
    }

    fn multiply_small(
        cpu: impl Run,
        a: &Rows<ROWS>,
        b: &Rows<ROWS>,
        out: &mut Rows<ROWS>,
        scratch: &mut R::Scratch,
    ) {
        let small = const { rows_per_sum(Q, Bound::centred(Q), Bound::symmetric(R::SMALL as i64), ROWS) };
        Self::product::<R>(cpu, small, a, b, out, scratch);
    }

    fn prepare(_: impl Run, b: &Rows<ROWS>, prepared: &mut R::Prepared, _: &mut R::Scratch) {
        convolution::windows(&b.0, &mut prepared.parts_mut().0[..ROWS + 2]);
    }

    fn multiply_prepared(
        cpu: impl Run,
        a: &Rows<ROWS>,
        prepared: &R::Prepared,
        out: &mut Rows<ROWS>,
        scratch: &mut R::Scratch,
    ) {
        let windows = &prepared.parts().0[..ROWS + 2];
        Self::finish::<R>(cpu, Self::BIG, a, windows, out, scratch.parts_mut().0);
    }
}
