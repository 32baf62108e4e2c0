//! The incomplete number-theoretic transform: 128 residues of degree `d` = 4, 6 or 8.
//!
//! # The map
//! With `y = x^d` an element is `d` polynomials in `y` of 128 coefficients each, its planes: plane `k` has
//! the coefficients of `x^(d j + k)`. The ring splits into 128 rings modulo `x^d - w`, by seven layers on
//! each plane by itself; products of the residues mix the planes.
//!
//! `x^n + 1` splits as `y^m - r^2 = (y^(m/2) - r)(y^(m/2) + r)` from `y^128 + 1` on. `x^n - x^(n/2) + 1` has
//! a first layer of its own: with `z` of order 6, `z + z^-1 = 1`, so
//!
//! ```text
//! y^128 - y^64 + 1 = (y^64 - z)(y^64 - (1 - z)),     (a, b) -> (a + z b, a + b - z b)
//! ```
//!
//! one product for two results, as in the other layers.
//!
//! # A plane in registers
//! A plane is eight rows, and stays in eight registers from its first layer to the last (two planes go side
//! by side, since a layer waits for the one before): three layers across rows; a zip of halves and one layer
//! between them; a transpose of 8 x 8 in each half, after which each lane holds one problem of size 8; three
//! layers. So slot (row `8 k + c`, lane `8 h + j`) holds coefficient `k` of residue
//! `16 (4 h + j mod 4) + 8 floor(j / 4) + c`.
//!
//! # The planes
//! Between elements in rows and planes lie zips of 4 or 8 rows (found by a search), for `d = 6` a loop. The
//! order in which NewHope- Compact keeps and sends elements is that of the planes already:
//! [`planar`](super::ordered::planar).
//!
//! # Bounds
//! In: centred; out: what the plans prove, centred after the inverse.
//!
//! # Conditions
//! `n = 128 d`, `d` = 4, 6 or 8; negacyclic with roots of unity of order 256, or `x^n - x^(n/2) + 1` with
//! those of order 384, modulo a prime `q`.
//!
//! # Source
//! V. Lyubashevsky, G. Seiler: NTTRU, TCHES 2019 (the first layer of the half trinomial). E. Alkim, Y. A.
//! Bilgin, M. Cenk: Compact and simple RLWE based key encapsulation mechanism, LATINCRYPT 2019, section 3.
//! Planes in registers: Ringsmith's.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{multiplier, rings::Compact768};
//! use ringsmith_simd::Cpu;
//!
//! // x^767 x = x^768 = x^384 - 1
//! let (mut a, mut b) = ([0i16; 768], [0i16; 768]);
//! (a[767], b[1]) = (1, 1);
//! let (a, b) = (Poly::<Compact768>::new(&a).unwrap(), Poly::new(&b).unwrap());
//! let ntt = multiplier(Cpu::detect(), Route::Ntt { base: 6 })?;
//! let c = ntt.multiply(&a, &b, &mut ntt.scratch());
//! assert_eq!((c.centred()[0], c.centred()[384]), (-1, 1));
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

mod interleave;
mod kernels;
mod parameters;
mod planes;

use super::choice::{self, Sign};
use super::convolution::NegacyclicProduct;
use super::plan::Plans;
use super::residues;
use super::tree::roots_serve;
use crate::bound::{Bound, hold};
use crate::memory::Rows;
use crate::multiply::Transform;
use crate::reduce::barrett;
use crate::reduce::residues::Odd;
use crate::reduce::sum;
use crate::ring::{Ring, Shape};
use crate::route::Route;
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use interleave::Interleave;
pub(super) use kernels::{Forward, InPlace, Inverse, Multiply};
pub use parameters::{BaseProduct, ByKaratsuba, BySchoolbook, Factors, HalfTrinomial, Negacyclic};
pub(super) use parameters::{InOrder, InSlots, route};
pub(super) use planes::Planes;
pub use planes::residue_at;
use ringsmith_simd::{Row, Run};

/// Rows of a plane.
const PLANE: usize = 8;

/// The conditions; the degrees of residues that a route by this name may have begin with `min`.
pub(crate) const fn serves(q: i64, n: usize, shape: Shape, base: usize, min: usize) -> Result<(), WhyNot> {
    if !(base == 4 || base == 6 || base == 8) {
        return Err(WhyNot::Base { min });
    }
    let order = match shape {
        Shape::Negacyclic => 256,
        Shape::HalfTrinomial => 384,
        _ => return Err(WhyNot::Shape { needs: Shape::Negacyclic }),
    };
    if n != 128 * base {
        return Err(WhyNot::Residues { needs: 128 * base });
    }
    roots_serve(q, order)
}

/// The transform modulo `Q` on `ROWS` rows down to residues of degree `DEGREE`, and their products.
pub struct Incomplete<const Q: i64, const ROWS: usize, const DEGREE: usize, F, B> {
    parameters: PhantomData<(F, B)>,
}

impl<const Q: i64, const ROWS: usize, const DEGREE: usize, F: Factors, B: BaseProduct>
    Incomplete<Q, ROWS, DEGREE, F, B>
{
    /// The plans that the kernels read and the proof replays.
    pub const PLANS: Plans = Planes::<Q, DEGREE, F>::PLANS;

    /// Where the forward transform's results lie, on any CPU.
    pub const fn forward_bound() -> Bound {
        Planes::<Q, DEGREE, F>::forward_bound()
    }

    /// Whether no lane of the transform overflows with these plans, on any CPU.
    pub const fn holds(plans: &Plans) -> bool {
        plans.hold(&Planes::<Q, DEGREE, F>::PROBLEM, Planes::<Q, DEGREE, F>::PRODUCTS)
    }

    /// Proves at compile time that no lane overflows on any CPU.
    pub const PROOF: () = {
        assert!(ROWS == PLANE * DEGREE && (DEGREE == 4 || DEGREE == 6 || DEGREE == 8));
        assert!(Self::holds(&Self::PLANS), "overflow: a lane of the transform");
        if B::KARATSUBA {
            let whole = &Planes::<Q, DEGREE, F>::PROBLEM;
            let rule = Planes::<Q, DEGREE, F>::PRODUCTS;
            let operands = Self::PLANS.forward_bound(whole);
            let operands = match operands {
                Some(operands) => barrett::exact_bound(operands, Q),
                None => panic!("overflow: a lane of the transform"),
            };
            let Some(sums) = residues::karatsuba_bound(Q, DEGREE, operands) else {
                panic!("overflow: a sum of Karatsuba")
            };
            assert!(Self::PLANS.inverse_takes(whole, rule, barrett::bound(sums, Q)), "overflow: the inverse");
        }
    };
}

impl<const Q: i64, const ROWS: usize, const DEGREE: usize, B: BaseProduct> NegacyclicProduct<ROWS>
    for Incomplete<Q, ROWS, DEGREE, Negacyclic, B>
{
    type Residues = Odd<Q>;
    const BASE: usize = DEGREE;
    const PROOF: () = Self::PROOF;

    fn multiply(cpu: impl Run, a: &mut [Row; ROWS], b: &mut [Row; ROWS], domain: &mut [Row; ROWS]) {
        cpu.run(Interleave::<ROWS, DEGREE, choice::Forward> { way: PhantomData, from: a, to: domain });
        cpu.run(InPlace::<Planes<Q, DEGREE, Negacyclic>, ROWS, choice::Forward>::new(domain));
        // The coefficients of the first operand are no longer needed.
        cpu.run(Interleave::<ROWS, DEGREE, choice::Forward> { way: PhantomData, from: b, to: a });
        cpu.run(InPlace::<Planes<Q, DEGREE, Negacyclic>, ROWS, choice::Forward>::new(a));
        cpu.run(Multiply::<Planes<Q, DEGREE, Negacyclic>, ROWS, B, InSlots>::new(domain, a));
        cpu.run(InPlace::<Planes<Q, DEGREE, Negacyclic>, ROWS, choice::Inverse>::new(domain));
        cpu.run(Interleave::<ROWS, DEGREE, choice::Inverse> { way: PhantomData, from: domain, to: a });
    }
}

impl<
    R: Ring<Coeffs = Rows<ROWS>>,
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    F: Factors,
    B: BaseProduct,
> Transform<R> for Incomplete<Q, ROWS, DEGREE, F, B>
{
    const ROUTE: Route = route::<B>(DEGREE);
    const CHECK: () = {
        assert!(R::Q == Q && R::N == 16 * ROWS && R::SHAPE as u8 == F::SHAPE as u8);
        assert!(serves(R::Q, R::N, R::SHAPE, DEGREE, 1).is_ok());
        let () = Self::PROOF;
    };
    type Domain = [Row; ROWS];

    fn forward(cpu: impl Run, a: &Rows<ROWS>, out: &mut [Row; ROWS]) {
        cpu.run(Interleave::<ROWS, DEGREE, choice::Forward> { way: PhantomData, from: &a.0, to: out });
        cpu.run(InPlace::<Planes<Q, DEGREE, F>, ROWS, choice::Forward>::new(out));
        debug_assert!(
            hold(out.as_flattened(), Self::forward_bound()),
            "a lane left the bound of the forward transform"
        );
    }

    fn pointwise(cpu: impl Run, a: &mut [Row; ROWS], b: &[Row; ROWS]) {
        cpu.run(Multiply::<Planes<Q, DEGREE, F>, ROWS, B, InSlots>::new(a, b));
    }

    fn sum<G: Sign>(cpu: impl Run, a: &mut [Row; ROWS], b: &[Row; ROWS]) {
        const {
            let products = Planes::<Q, DEGREE, F>::products_bound();
            assert!(sum::fits(products, Q), "overflow: a sum in the domain");
        };
        sum::centred::<G, Q, ROWS>(cpu, a, b);
    }

    fn inverse(cpu: impl Run, domain: &mut [Row; ROWS], out: &mut Rows<ROWS>) {
        cpu.run(InPlace::<Planes<Q, DEGREE, F>, ROWS, choice::Inverse>::new(domain));
        cpu.run(Interleave::<ROWS, DEGREE, choice::Inverse> {
            way: PhantomData,
            from: domain,
            to: &mut out.0,
        });
    }
}
