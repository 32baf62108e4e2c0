//! The routes that are compiled for a ring, as entries of a table.

use crate::bound::Bound;
use crate::memory::Workspace;
use crate::multiply::{ByProduct, ByTransform, Domain, Multiply, Product, Transform};
use crate::ring::Ring;
use crate::route::Route;
use ringsmith_simd::Cpu;

/// A ring with the routes that its planner chooses from.
pub trait Routes: Ring {
    /// The routes, the planner's choice first; others are compiled elsewhere. A reference to a `static`, so
    /// that kernels are compiled, and their plans found, once: in the crate that names the ring.
    const PLANNED: &'static [Entry<Self>];
    /// Evaluating this proves the bounds of all routes; a family does so in one named line per ring.
    const CHECK: () = assert!(!Self::PLANNED.is_empty(), "a ring without a route");
}

type Multiplication<R> =
    fn(Cpu, &<R as Ring>::Coeffs, &<R as Ring>::Coeffs, &mut <R as Ring>::Coeffs, &mut <R as Ring>::Scratch);

type PreparedMultiplication<R> = fn(
    Cpu,
    &<R as Ring>::Coeffs,
    &<R as Ring>::Prepared,
    &mut <R as Ring>::Coeffs,
    &mut <R as Ring>::Scratch,
);

/// The functions of a route with a transform; values in its domain live in the memory of a prepared operand.
pub struct TransformEntry<R: Ring> {
    /// [`Transform::forward`].
    pub forward: fn(Cpu, &R::Coeffs, &mut R::Prepared),
    /// [`Transform::pointwise`].
    pub pointwise: fn(Cpu, &mut R::Prepared, &R::Prepared),
    /// [`Transform::inverse`].
    pub inverse: fn(Cpu, &mut R::Prepared, &mut R::Coeffs),
}

/// A route of a ring: its id and its functions.
pub struct Entry<R: Ring> {
    /// The algorithm's id.
    pub route: Route,
    /// [`Multiply::multiply`].
    pub multiply: Multiplication<R>,
    /// [`Multiply::multiply_small`].
    pub multiply_small: Multiplication<R>,
    /// [`Multiply::prepare`].
    pub prepare: fn(Cpu, &R::Coeffs, &mut R::Prepared, &mut R::Scratch),
    /// [`Multiply::multiply_prepared`].
    pub multiply_prepared: PreparedMultiplication<R>,
    /// The transform, where the route has one of its own.
    pub transform: Option<TransformEntry<R>>,
}

impl<R: Ring> Entry<R> {
    /// The entry of an algorithm. Making it, at compile time, proves the algorithm's bounds, and that it
    /// takes and gives what [`Poly`] holds.
    pub const fn of<M: Multiply<R>>() -> Self {
        let ((), centred) = (M::CHECK, Bound::centred(R::Q));
        assert!(centred.within(M::IN) && M::OUT.within(centred), "not for centred coefficients");
        assert!(<R::Scratch as Workspace>::ROOM.holds(M::SCRATCH), "the ring's scratch memory is too small");
        assert!(
            <R::Prepared as Workspace>::ROOM.holds(M::PREPARED),
            "a prepared operand has too little memory"
        );
        Entry {
            route: M::ROUTE,
            multiply: M::multiply,
            multiply_small: M::multiply_small,
            prepare: M::prepare,
            multiply_prepared: M::multiply_prepared,
            transform: None,
        }
    }

    /// The entry of an algorithm that keeps operands as they are.
    pub const fn product<P: Product<R>>() -> Self {
        Self::of::<ByProduct<P>>()
    }

    /// The entry of an algorithm that offers its transform too.
    pub const fn transform<M: Transform<R>>() -> Self {
        let transform = TransformEntry {
            forward: |cpu, a, domain| M::forward(cpu, a, M::Domain::of_mut(domain)),
            pointwise: |cpu, a, b| M::pointwise(cpu, M::Domain::of_mut(a), M::Domain::of(b)),
            inverse: |cpu, domain, out| M::inverse(cpu, M::Domain::of_mut(domain), out),
        };
        Entry { transform: Some(transform), ..Self::of::<ByTransform<M>>() }
    }
}
