//! The routes that are compiled for a ring, as entries of a table.

use crate::bound::Bound;
use crate::domain::{DomainEntry, Native};
use crate::memory::Workspace;
use crate::multiply::{ByProduct, ByTransform, Multiply, Product, Transform};
use crate::ring::Ring;
use crate::route::Route;
use ringsmith_simd::Cpu;

/// A ring with the routes that its planner chooses from.
pub trait Routes: Ring {
    /// The routes; others are compiled elsewhere. A reference to a `static` array, so that kernels are
    /// compiled, and their plans found, once: in the crate that names the ring. (Where the `static` is a
    /// reference itself, the constant is what that refers to: each crate compiles the routes again.)
    const PLANNED: &'static [Entry<Self>];
    /// Evaluating this proves the bounds of all routes; a family does so in one named line per ring.
    const CHECK: () = assert!(!Self::PLANNED.is_empty(), "a ring without a route");

    /// The one of these routes that is fastest on this CPU: the first, where a ring does not say otherwise.
    fn planned(_: Cpu) -> &'static Entry<Self> {
        Self::PLANNED.first().expect("a ring lists a route: its CHECK proves that")
    }

    /// The same for products by small operands.
    fn planned_small(cpu: Cpu) -> &'static Entry<Self> {
        Self::planned(cpu)
    }

    /// The planner's choice for products of two small operands.
    fn planned_smalls(cpu: Cpu) -> &'static Entry<Self> {
        Self::planned_small(cpu)
    }
}

type Multiplication<R> =
    fn(Cpu, &<R as Ring>::Coeffs, &<R as Ring>::Coeffs, &mut <R as Ring>::Coeffs, &mut <R as Ring>::Scratch);

type Preparation<R> = fn(Cpu, &<R as Ring>::Coeffs, &mut <R as Ring>::Prepared, &mut <R as Ring>::Scratch);

type PreparedMultiplication<R> = fn(
    Cpu,
    &<R as Ring>::Coeffs,
    &<R as Ring>::Prepared,
    &mut <R as Ring>::Coeffs,
    &mut <R as Ring>::Scratch,
);

/// A route of a ring: its id and its functions.
pub struct Entry<R: Ring> {
    /// The algorithm's id.
    pub(crate) route: Route,
    /// [`Multiply::multiply`].
    pub(crate) multiply: Multiplication<R>,
    /// [`Multiply::multiply_small`].
    pub(crate) multiply_small: Multiplication<R>,
    /// [`Multiply::multiply_smalls`].
    pub(crate) multiply_smalls: Multiplication<R>,
    /// [`Multiply::prepare`].
    pub(crate) prepare: Preparation<R>,
    /// [`Multiply::prepare_for_small`].
    pub(crate) prepare_for_small: Preparation<R>,
    /// [`Multiply::prepare_for_smalls`].
    pub(crate) prepare_for_smalls: Preparation<R>,
    /// [`Multiply::multiply_prepared`].
    pub(crate) multiply_prepared: PreparedMultiplication<R>,
    /// [`Multiply::multiply_prepared_small`].
    pub(crate) multiply_prepared_small: PreparedMultiplication<R>,
    /// [`Multiply::multiply_prepared_smalls`].
    pub(crate) multiply_prepared_smalls: PreparedMultiplication<R>,
    /// The transform, where the route has one of its own.
    pub(crate) transform: Option<DomainEntry<R, Native>>,
}

impl<R: Ring> Entry<R> {
    /// The entry of an algorithm. Making it, at compile time, proves the algorithm's bounds, and that it
    /// takes and gives what [`Poly`](crate::Poly) holds.
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
            multiply_smalls: M::multiply_smalls,
            prepare: M::prepare,
            prepare_for_small: M::prepare_for_small,
            prepare_for_smalls: M::prepare_for_smalls,
            multiply_prepared: M::multiply_prepared,
            multiply_prepared_small: M::multiply_prepared_small,
            multiply_prepared_smalls: M::multiply_prepared_smalls,
            transform: None,
        }
    }

    /// The entry of an algorithm that keeps operands as they are.
    pub const fn product<P: Product<R>>() -> Self {
        Self::of::<ByProduct<P>>()
    }

    /// The entry of an algorithm that offers its transform too.
    pub const fn transform<T: Transform<R>>() -> Self {
        Entry { transform: Some(DomainEntry::native::<T>()), ..Self::of::<ByTransform<T>>() }
    }

    /// The algorithm's id.
    pub const fn route(&self) -> Route {
        self.route
    }

    /// Whether the route has a [domain](crate::Multiplier::domain) of its own.
    pub const fn has_transform(&self) -> bool {
        self.transform.is_some()
    }
}
