//! Multiplying: a CPU, a route, and the functions behind them.
//!
//! An algorithm implements [`Multiply`]; or [`Transform`] where it has a transform of its own to offer
//! ([`ByTransform`] makes products of it); or [`Product`] where operands are kept as they are ([`ByProduct`]
//! does so). A ring lists the implementations that serve it as [`Entry`]s; a [`Multiplier`] holds the chosen
//! one.

use crate::algorithm::choice::{self, Any, Operand};
use crate::bound::Bound;
use crate::reduce::three;
use crate::ring::{Coefficients, Poly, Ring, Room, Shape, Small, Workspace};
use crate::route::{Route, WhyNot};
use core::marker::PhantomData;
use ringsmith_simd::{Cpu, Row, Row32, Run};

/// An algorithm for products in `R`. Constant time in all coefficients. What runs its kernels is a [`Cpu`],
/// or a token of the caller's.
pub trait Multiply<R: Ring> {
    /// The algorithm's id.
    const ROUTE: Route;
    /// What it accepts in each coefficient.
    const IN: Bound = Bound::centred(R::Q);
    /// What it returns in each coefficient.
    const OUT: Bound = Bound::centred(R::Q);
    /// Evaluating this proves that no lane overflows.
    const CHECK: ();
    /// The scratch memory that it takes.
    const SCRATCH: Room;
    /// The memory of an operand that is prepared.
    const PREPARED: Room;

    /// `out = a b`.
    fn multiply(cpu: impl Run, a: &R::Coeffs, b: &R::Coeffs, out: &mut R::Coeffs, scratch: &mut R::Scratch);

    /// `out = a b` with `|b| <= R::SMALL`; where the bound helps, faster.
    fn multiply_small(
        cpu: impl Run,
        a: &R::Coeffs,
        b: &R::Coeffs,
        out: &mut R::Coeffs,
        scratch: &mut R::Scratch,
    ) {
        Self::multiply(cpu, a, b, out, scratch);
    }

    /// Does the part of a product that depends on `b` alone.
    fn prepare(cpu: impl Run, b: &R::Coeffs, prepared: &mut R::Prepared, scratch: &mut R::Scratch);

    /// `out = a b` for the `b` that was prepared.
    fn multiply_prepared(
        cpu: impl Run,
        a: &R::Coeffs,
        prepared: &R::Prepared,
        out: &mut R::Coeffs,
        scratch: &mut R::Scratch,
    );
}

/// An algorithm whose transform is of use by itself: a product is two transforms forward, one product slot by
/// slot, and one transform back. Constant time in all coefficients.
///
/// The domain's order and factor are the algorithm's own; see its page.
pub trait Transform<R: Ring> {
    /// The algorithm's id.
    const ROUTE: Route;
    /// What it accepts in each coefficient.
    const IN: Bound = Bound::centred(R::Q);
    /// What it returns in each coefficient.
    const OUT: Bound = Bound::centred(R::Q);
    /// Evaluating this proves that no lane overflows.
    const CHECK: ();
    /// Values in the domain.
    type Domain: Domain;

    /// Into the domain.
    fn forward(cpu: impl Run, a: &R::Coeffs, domain: &mut Self::Domain);
    /// `a = a b`, slot by slot.
    fn pointwise(cpu: impl Run, a: &mut Self::Domain, b: &Self::Domain);
    /// Out of the domain; spoils it. A forward transform, [`pointwise`](Transform::pointwise) and this make a
    /// product: the factor of the domain is taken off here.
    fn inverse(cpu: impl Run, domain: &mut Self::Domain, out: &mut R::Coeffs);
}

/// The rows of a transform's domain, as they lie in a ring's memory.
pub trait Domain: Sized {
    /// How much memory it takes.
    const ROOM: Room;
    /// At the beginning of the memory.
    fn of(space: &impl Workspace) -> &Self;
    /// At the beginning of the memory, to write.
    fn of_mut(space: &mut impl Workspace) -> &mut Self;
    /// Two of them, to write.
    fn two_of_mut(space: &mut impl Workspace) -> [&mut Self; 2];
}

/// What every memory of a ring holds: making an [`Entry`] proves it.
const ROOM: &str = "memory for the domain";

macro_rules! domain {
    ($row:ty, $part:tt, |$n:ident| $room:expr) => {
        impl<const $n: usize> Domain for [$row; $n] {
            const ROOM: Room = $room;
            fn of(space: &impl Workspace) -> &Self {
                space.parts().$part.first_chunk().expect(ROOM)
            }
            fn of_mut(space: &mut impl Workspace) -> &mut Self {
                space.parts_mut().$part.first_chunk_mut().expect(ROOM)
            }
            fn two_of_mut(space: &mut impl Workspace) -> [&mut Self; 2] {
                let (a, rest) = space.parts_mut().$part.split_first_chunk_mut().expect(ROOM);
                [a, rest.first_chunk_mut().expect(ROOM)]
            }
        }
    };
}

domain!(Row, 0, |N| Room::rows(N));
domain!(Row32, 1, |N| Room { rows: 0, wide: N });

/// Products by a transform.
pub struct ByTransform<T>(PhantomData<T>);

impl<R: Ring, T: Transform<R>> Multiply<R> for ByTransform<T> {
    const ROUTE: Route = T::ROUTE;
    const IN: Bound = T::IN;
    const OUT: Bound = T::OUT;
    const CHECK: () = T::CHECK;
    const SCRATCH: Room = {
        let Room { rows, wide } = T::Domain::ROOM;
        Room { rows: 2 * rows, wide: 2 * wide }
    };
    const PREPARED: Room = T::Domain::ROOM;

    fn multiply(cpu: impl Run, a: &R::Coeffs, b: &R::Coeffs, out: &mut R::Coeffs, scratch: &mut R::Scratch) {
        let [x, y] = T::Domain::two_of_mut(scratch);
        T::forward(cpu, a, x);
        T::forward(cpu, b, y);
        T::pointwise(cpu, x, y);
        T::inverse(cpu, x, out);
    }

    fn prepare(cpu: impl Run, b: &R::Coeffs, prepared: &mut R::Prepared, _: &mut R::Scratch) {
        T::forward(cpu, b, T::Domain::of_mut(prepared));
    }

    fn multiply_prepared(
        cpu: impl Run,
        a: &R::Coeffs,
        prepared: &R::Prepared,
        out: &mut R::Coeffs,
        scratch: &mut R::Scratch,
    ) {
        let x = T::Domain::of_mut(scratch);
        T::forward(cpu, a, x);
        T::pointwise(cpu, x, T::Domain::of(prepared));
        T::inverse(cpu, x, out);
    }
}

/// An algorithm with nothing to prepare: the part of a product that depends on one operand alone is a small
/// one, or more than a ring has memory for. Constant time in all coefficients, which are centred, as those of
/// the product are.
pub trait Product<R: Ring> {
    /// The algorithm's id.
    const ROUTE: Route;
    /// Evaluating this proves that no lane overflows.
    const CHECK: ();
    /// Rows of scratch memory that it takes.
    const SCRATCH: usize;

    /// `out = a b`, in rows of [`Ring::Coeffs`]; `b` is of the kind `B`.
    fn product<B: Operand<R>>(cpu: impl Run, a: &[Row], b: &[Row], out: &mut [Row], scratch: &mut [Row]);
}

/// Products whose operands are kept as they are.
pub struct ByProduct<P>(PhantomData<P>);

impl<R: Ring, P: Product<R>> Multiply<R> for ByProduct<P> {
    const ROUTE: Route = P::ROUTE;
    const CHECK: () = P::CHECK;
    const SCRATCH: Room = Room::rows(P::SCRATCH);
    const PREPARED: Room = Room::rows(R::N.div_ceil(16));

    fn multiply(cpu: impl Run, a: &R::Coeffs, b: &R::Coeffs, out: &mut R::Coeffs, scratch: &mut R::Scratch) {
        P::product::<Any>(cpu, a.rows(), b.rows(), out.rows_mut(), scratch.parts_mut().0);
    }

    fn multiply_small(
        cpu: impl Run,
        a: &R::Coeffs,
        b: &R::Coeffs,
        out: &mut R::Coeffs,
        scratch: &mut R::Scratch,
    ) {
        P::product::<choice::Small>(cpu, a.rows(), b.rows(), out.rows_mut(), scratch.parts_mut().0);
    }

    fn prepare(_: impl Run, b: &R::Coeffs, prepared: &mut R::Prepared, _: &mut R::Scratch) {
        prepared.parts_mut().0[..b.rows().len()].copy_from_slice(b.rows());
    }

    fn multiply_prepared(
        cpu: impl Run,
        a: &R::Coeffs,
        prepared: &R::Prepared,
        out: &mut R::Coeffs,
        scratch: &mut R::Scratch,
    ) {
        let b = &prepared.parts().0[..a.rows().len()];
        P::product::<Any>(cpu, a.rows(), b, out.rows_mut(), scratch.parts_mut().0);
    }
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

/// Picks the route of a ring.
pub struct Planner;

impl Planner {
    /// The rule of thumb: the first route that the ring lists, which is the fastest one measured
    /// (`docs/performance.md`), so far on every CPU.
    pub fn choose<R: Ring>(_: Cpu) -> &'static Entry<R> {
        R::ROUTES.first().expect("a ring lists a route: its CHECK proves that")
    }

    /// The one of these routes that `cost` finds cheapest on `cpu`; ties go to the earlier one. `cost`
    /// measures: in cycles, say, or in instructions. None of none.
    pub fn measured<R: Ring>(
        cpu: Cpu,
        entries: impl IntoIterator<Item = &'static Entry<R>>,
        mut cost: impl FnMut(Cpu, &Entry<R>) -> u64,
    ) -> Option<&'static Entry<R>> {
        entries.into_iter().min_by_key(|entry| cost(cpu, entry))
    }
}

/// Whether a product of two elements with coefficients -1, 0, 1 is the integer one, and can be reduced modulo
/// 3: a coefficient is a sum of `n` products, and of twice as many where a coefficient of degree `n` and more
/// goes to two places.
pub const fn small_products_are_exact<R: Ring>() -> bool {
    let places = match R::SHAPE {
        Shape::Cyclic | Shape::Negacyclic => 1,
        Shape::HalfTrinomial | Shape::PrimeTrinomial => 2,
    };
    let most = places * R::N as i64;
    2 * most < R::Q && most <= three::LIMIT
}

/// Multiplies in `R` on one CPU by one route.
///
/// ```
/// use ringsmith_ring::{Multiplier, Poly, Workspace, Ring};
/// use ringsmith_routes::rings::MlKem;
///
/// // x^255 * x = x^256 = -1
/// let mut a = [0i16; 256];
/// let mut b = [0i16; 256];
/// (a[255], b[1]) = (1, 1);
/// let (a, b) = (Poly::<MlKem>::new(&a)?, Poly::new(&b)?);
/// let multiplier = Multiplier::new();
/// let product = multiplier.multiply(&a, &b, &mut multiplier.scratch());
/// assert_eq!(product.centred()[0], -1);
/// # Ok::<(), ringsmith_ring::PolyError>(())
/// ```
pub struct Multiplier<R: Ring> {
    cpu: Cpu,
    entry: &'static Entry<R>,
}

impl<R: Ring> Clone for Multiplier<R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<R: Ring> Copy for Multiplier<R> {}

impl<R: Ring> Default for Multiplier<R> {
    fn default() -> Self {
        Self::new()
    }
}

/// The second operand of many products, transformed once; made by [`Multiplier::prepare`].
///
/// Belongs to the route and the CPU backend that made it; cleared on drop.
pub struct Prepared<R: Ring> {
    by: (Route, Cpu),
    space: R::Prepared,
}

impl<R: Ring> Multiplier<R> {
    /// By the planner's choice, on the best CPU backend of the machine.
    pub fn new() -> Self {
        Self::new_on(Cpu::detect())
    }

    /// The same on this backend.
    pub fn new_on(cpu: Cpu) -> Self {
        Multiplier { cpu, entry: Planner::choose(cpu) }
    }

    /// By an entry: the ring's own, or one that another crate has compiled for it.
    pub fn by(entry: &'static Entry<R>) -> Self {
        Self::by_on(Cpu::detect(), entry)
    }

    /// The same on this backend.
    pub fn by_on(cpu: Cpu, entry: &'static Entry<R>) -> Self {
        Multiplier { cpu, entry }
    }

    /// By a route of the ring's own. The crate `ringsmith-routes` has the others.
    ///
    /// # Errors
    /// Where the route does not serve the ring, or the ring does not list it.
    pub fn with_route(route: Route) -> Result<Self, WhyNot> {
        Self::with_route_on(Cpu::detect(), route)
    }

    /// The same on this backend.
    ///
    /// # Errors
    /// The same.
    pub fn with_route_on(cpu: Cpu, route: Route) -> Result<Self, WhyNot> {
        Ok(Self::by_on(cpu, route.find(R::ROUTES)?))
    }

    /// The CPU backend.
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// The route.
    pub fn route(&self) -> Route {
        self.entry.route
    }

    /// The functions of the route, for whoever keeps coefficients in rows of their own.
    pub fn entry(&self) -> &'static Entry<R> {
        self.entry
    }

    /// Memory for [`multiply`](Self::multiply); make it once and use it again.
    pub fn scratch(&self) -> R::Scratch {
        R::Scratch::new()
    }

    /// `a b`. Constant time in both.
    pub fn multiply(&self, a: &Poly<R>, b: &Poly<R>, scratch: &mut R::Scratch) -> Poly<R> {
        let mut out = Poly::zero();
        self.multiply_into(a, b, &mut out, scratch);
        out
    }

    /// `out = a b`. Constant time in both.
    pub fn multiply_into(&self, a: &Poly<R>, b: &Poly<R>, out: &mut Poly<R>, scratch: &mut R::Scratch) {
        debug_assert!(a.is_centred() && b.is_centred(), "an operand is not centred");
        (self.entry.multiply)(self.cpu, &a.coeffs, &b.coeffs, &mut out.coeffs, scratch);
        debug_assert!(out.is_centred(), "the product is not centred");
    }

    /// `out = a b` for a small `b`. Constant time in both.
    pub fn multiply_small_into(
        &self,
        a: &Poly<R>,
        b: &Small<R>,
        out: &mut Poly<R>,
        scratch: &mut R::Scratch,
    ) {
        (self.entry.multiply_small)(self.cpu, &a.coeffs, &b.coeffs, &mut out.coeffs, scratch);
        debug_assert!(out.is_centred(), "the product is not centred");
    }

    /// `out = a b` modulo 3, that is in `Z_3[x]/(f)`, of coefficients -1, 0, 1. Constant time in both.
    ///
    /// The product is that modulo `q`, which is the integer one: of a ring where it is not, this does not
    /// compile.
    pub fn multiply_mod_3_into(
        &self,
        a: &Small<R>,
        b: &Small<R>,
        out: &mut Small<R>,
        scratch: &mut R::Scratch,
    ) {
        const { assert!(R::SMALL == 1 && small_products_are_exact::<R>()) };
        (self.entry.multiply_small)(self.cpu, &a.coeffs, &b.coeffs, &mut out.coeffs, scratch);
        three::reduce(self.cpu, out.coeffs.rows_mut());
    }

    /// Transforms `b` for products by many `a`.
    pub fn prepare(&self, b: &Poly<R>, scratch: &mut R::Scratch) -> Prepared<R> {
        let mut prepared = Prepared { by: (self.entry.route, self.cpu), space: R::Prepared::new() };
        (self.entry.prepare)(self.cpu, &b.coeffs, &mut prepared.space, scratch);
        prepared
    }

    /// `out = a b` for a prepared `b`. Constant time in both.
    ///
    /// # Errors
    /// Where another route, or the same on another backend, prepared it.
    pub fn multiply_prepared_into(
        &self,
        a: &Poly<R>,
        b: &Prepared<R>,
        out: &mut Poly<R>,
        scratch: &mut R::Scratch,
    ) -> Result<(), OtherRoute> {
        let own = (self.entry.route, self.cpu);
        if b.by != own {
            return Err(OtherRoute { prepared: b.by, multiplier: own });
        }
        (self.entry.multiply_prepared)(self.cpu, &a.coeffs, &b.space, &mut out.coeffs, scratch);
        debug_assert!(out.is_centred(), "the product is not centred");
        Ok(())
    }
}

/// An operand was prepared by another multiplier: by another route, or on another CPU backend, whose bounds
/// differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherRoute {
    /// The route and the backend that prepared it.
    pub prepared: (Route, Cpu),
    /// The multiplier's.
    pub multiplier: (Route, Cpu),
}

impl core::fmt::Display for OtherRoute {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let ((route, cpu), (own, here)) = (self.prepared, self.multiplier);
        write!(
            f,
            "the operand was prepared by route {route} on {cpu:?}, the multiplier's is {own} on {here:?}"
        )
    }
}

impl core::error::Error for OtherRoute {}
