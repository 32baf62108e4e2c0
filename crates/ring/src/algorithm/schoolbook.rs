//! Every product of coefficients: `n^2 / 16` multiply-adds, for any modulus and any `f`.
//!
//! # The map
//! `c = a b` over the integers by rows (see [`convolution`]), reduced by `f`.
//!
//! # Conditions
//! Nothing of `n` and `f`; of `q` what [`convolution`] asks for.
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

use super::choice::{Finish, Operand, Shrunk};
use super::convolution::{self, Convolution, product_scratch, rows_per_sum};
use crate::reduce::residues::Residues;
use crate::route::Route;
use core::marker::PhantomData;
use ringsmith_simd::{Row, Run};

/// The schoolbook product for operands of `ROWS` rows of residues `M`.
pub struct Schoolbook<M, const ROWS: usize> {
    residues: PhantomData<M>,
}

impl<M: Residues, const ROWS: usize> Convolution<ROWS> for Schoolbook<M, ROWS> {
    type Residues = M;
    type Last = Finish;
    const ROUTE: Route = Route::Schoolbook;
    const SCRATCH: usize = product_scratch(ROWS);
    const PROOF: () = assert!(convolution::serves(M::MODULUS.greatest(16)).is_ok(), "overflow: a sum");

    fn product<B: Operand>(cpu: impl Run, [a, b]: [&[Row; ROWS]; 2], out: &mut [Row], scratch: &mut [Row]) {
        let rows_per_sum = const { rows_per_sum(M::MODULUS, Shrunk::<M>::BOUND, B::BOUND, ROWS) };
        convolution::product(cpu, M::BY, rows_per_sum, a, b, out, scratch);
    }
}
