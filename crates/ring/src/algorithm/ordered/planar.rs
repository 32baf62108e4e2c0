//! The domain of the incomplete transform, in planes.
//!
//! NewHope-Compact keeps elements and values in the same arrays: place `128 k + j` holds the coefficient of
//! `x^(d j + k)`, or coefficient `k` of the residue `j`. Its public keys and ciphertexts send values so, and
//! noise is sampled and messages stand in coefficients so.
//!
//! # The map
//! [`Incomplete`] works on planes; to put the residues of a plane in their order takes the shuffles of its
//! second half backwards, in registers.
//!
//! # Factors
//! A product has a factor `2^-16`. NewHope-Compact's own has the same, and sends it.
//!
//! # Bounds and conditions
//! Those of the transform. In: centred coefficients, or below `q`.
//!
//! # Source
//! E. Alkim, Y. A. Bilgin, M. Cenk: Compact and simple RLWE based key encapsulation mechanism, LATINCRYPT
//! 2019, and its code.

use super::{InPlanes, Scaled, accumulate, scale, sum};
use crate::algorithm::choice::{Minus, Plus};
use crate::algorithm::incomplete::{
    BaseProduct, Factors, Forward, InOrder, Incomplete, Inverse, Multiply, Planes, route,
};
use crate::bound::Bound;
use crate::domain::DomainEntry;
use crate::memory::Rows;
use crate::reduce::barrett;
use crate::ring::Ring;

impl<R: Ring<Coeffs = Rows<N>>, const DEGREE: usize, const N: usize> DomainEntry<R, InPlanes<DEGREE>> {
    /// The domain in planes, of residues of degree `DEGREE`. Making it, at compile time, proves the bounds.
    pub const fn planar<const Q: i64, F: Factors, B: BaseProduct>() -> Self {
        let () = Incomplete::<Q, N, DEGREE, F, B>::PROOF;
        assert!(R::Q == Q);
        let value = Bound::symmetric(Q - 1);
        let sums = Planes::<Q, DEGREE, F>::products_bound().mirrored().add(value);
        assert!(
            sums.fits(16) && sums.magnitude() <= barrett::exact_limit(Q),
            "overflow: a sum in the domain"
        );
        DomainEntry {
            route: route::<B>(DEGREE),
            forward: |cpu, a, out| cpu.run(Forward::<Planes<Q, DEGREE, F>, N>::new(&a.0, &mut out.0)),
            inverse: |cpu, a, out| cpu.run(Inverse::<Planes<Q, DEGREE, F>, N>::new(&a.0, &mut out.0)),
            accumulate: |cpu, a, b, out| {
                accumulate::<R, InPlanes<DEGREE>, Q, N>(cpu, a, b, out, |a, b, out| {
                    *out = *a;
                    cpu.run(Multiply::<Planes<Q, DEGREE, F>, N, B, InOrder>::new(&mut out.0, &b.0));
                });
            },
            add: sum::<Plus, Q, N>,
            subtract: sum::<Minus, Q, N>,
            more: Scaled { scale: scale::<Q, N>, unfactor: (1 << 16) % Q },
        }
    }
}
