//! The kernels: elements in planes into the domain, out of it, and products in it.

use super::PLANE;
use super::parameters::{Arrangement, BaseProduct};
use super::planes::Layers;
use crate::algorithm::choice::{self, Direction};
use crate::algorithm::network::{Lots, gather, lots, scatter, transpose8, zips8};
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Simd, each};

/// From planes of coefficients into the domain, or back to centred ones, in place.
pub(in crate::algorithm) struct InPlace<'a, P, const ROWS: usize, D> {
    rows: &'a mut [Row; ROWS],
    parameters: PhantomData<(P, D)>,
}

impl<'a, P: Layers, const ROWS: usize, D: Direction> InPlace<'a, P, ROWS, D> {
    pub(in crate::algorithm) fn new(rows: &'a mut [Row; ROWS]) -> Self {
        InPlace { rows, parameters: PhantomData }
    }

    /// All planes, `W` at a time.
    #[inline(always)]
    fn planes<S: Simd, const W: usize>(self, s: S) {
        let mut plane = 0;
        while plane < P::DEGREE {
            let x = load_planes::<S, ROWS, W>(s, self.rows, plane);
            let x = if D::INVERSE { P::inverse::<S, W>(s, x) } else { P::forward::<S, W>(s, x) };
            store_planes(s, self.rows, plane, x);
            plane += W;
        }
    }
}

impl<P: Layers, const ROWS: usize, D: Direction> Kernel for InPlace<'_, P, ROWS, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if S::SIDE_BY_SIDE { self.planes::<S, 2>(s) } else { self.planes::<S, 1>(s) }
    }
}

/// From planes into the domain with its residues in their order, centred; or back to centred coefficients.
pub(in crate::algorithm) struct Ordered<'a, P, const ROWS: usize, D> {
    from: &'a [Row; ROWS],
    to: &'a mut [Row; ROWS],
    parameters: PhantomData<(P, D)>,
}

/// Into the domain.
pub(in crate::algorithm) type Forward<'a, P, const ROWS: usize> = Ordered<'a, P, ROWS, choice::Forward>;
/// Out of it.
pub(in crate::algorithm) type Inverse<'a, P, const ROWS: usize> = Ordered<'a, P, ROWS, choice::Inverse>;

impl<'a, P: Layers, const ROWS: usize, D: Direction> Ordered<'a, P, ROWS, D> {
    pub(in crate::algorithm) fn new(from: &'a [Row; ROWS], to: &'a mut [Row; ROWS]) -> Self {
        Ordered { from, to, parameters: PhantomData }
    }

    /// All planes, `W` at a time.
    #[inline(always)]
    fn planes<S: Simd, const W: usize>(self, s: S) {
        let mut plane = 0;
        while plane < P::DEGREE {
            let x = load_planes::<S, ROWS, W>(s, self.from, plane);
            let y = if D::INVERSE {
                let x = lots(
                    x,
                    #[inline(always)]
                    |x| transpose8(s, zips8::<S, 8, 4>(s, x)),
                );
                P::inverse::<S, W>(s, x)
            } else {
                lots(
                    P::forward::<S, W>(s, x),
                    #[inline(always)]
                    |x| P::in_order(s, x),
                )
            };
            store_planes(s, self.to, plane, y);
            plane += W;
        }
    }
}

impl<P: Layers, const ROWS: usize, D: Direction> Kernel for Ordered<'_, P, ROWS, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if S::SIDE_BY_SIDE { self.planes::<S, 2>(s) } else { self.planes::<S, 1>(s) }
    }
}

#[inline(always)]
fn load_planes<S: Simd, const ROWS: usize, const W: usize>(
    s: S,
    rows: &[Row; ROWS],
    plane: usize,
) -> Lots<S::I16, W> {
    each(
        #[inline(always)]
        |p| gather::<S, ROWS, 8>(s, rows, PLANE * (plane + p), 1),
    )
}

#[inline(always)]
fn store_planes<S: Simd, const ROWS: usize, const W: usize>(
    s: S,
    rows: &mut [Row; ROWS],
    plane: usize,
    x: Lots<S::I16, W>,
) {
    let mut p = 0;
    while p < W {
        scatter(s, rows, PLANE * (plane + p), 1, x[p]);
        p += 1;
    }
}

/// `a = a b 2^-16`, residue by residue; these as `A` says.
pub(in crate::algorithm) struct Multiply<'a, P, const ROWS: usize, B, A> {
    a: &'a mut [Row; ROWS],
    b: &'a [Row; ROWS],
    parameters: PhantomData<(P, B, A)>,
}

impl<'a, P: Layers, const ROWS: usize, B: BaseProduct, A: Arrangement> Multiply<'a, P, ROWS, B, A> {
    pub(in crate::algorithm) fn new(a: &'a mut [Row; ROWS], b: &'a [Row; ROWS]) -> Self {
        Multiply { a, b, parameters: PhantomData }
    }
}

impl<P: Layers, const ROWS: usize, B: BaseProduct, A: Arrangement> Kernel for Multiply<'_, P, ROWS, B, A> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        P::multiply::<S, ROWS, B, A>(s, self.a, self.b);
    }
}
