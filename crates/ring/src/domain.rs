//! Domains: where products are cheap, and values stand in an order.
//!
//! A [`Domain`] takes elements to their values ([`forward`](Domain::forward)), multiplies and adds there
//! ([`pointwise`](Domain::pointwise), [`accumulate`](Domain::accumulate)), and takes sums of products back
//! ([`inverse`](Domain::inverse)). [`Values`] are of one ring and one order: two that do not belong together
//! are different types.
//!
//! A scheme that samples or sends values fixes their [`Order`]; every route gives the same values then. In
//! the order [`Native`] they are as a route's transform leaves them, which is fastest.
//!
//! ```
//! use ringsmith_ring::{Domain, Multiplier, Poly, Route, Values};
//! use ringsmith_routes::{multiplier, rings::MlKem};
//! use ringsmith_simd::Cpu;
//!
//! // 3 x^255 x + 5 x = 5 x - 3, with one transform back.
//! let term = |c: i16, degree: usize| {
//!     let mut coefficients = [0; 256];
//!     coefficients[degree] = c;
//!     Poly::<MlKem>::new(&coefficients)
//! };
//! let by = multiplier::<MlKem>(Cpu::detect(), Route::Ntt { base: 2 }).expect("a route of the ring");
//! let domain = by.domain().expect("a transform of its own");
//! let value = |poly: &Poly<MlKem>| {
//!     let mut out = Values::zero();
//!     domain.forward(poly.coeffs(), &mut out);
//!     out
//! };
//! let (a, b) = (value(&term(3, 255)?), value(&term(5, 0)?));
//! let x = [value(&term(1, 1)?), value(&term(1, 1)?)];
//! let mut sum = Values::zero();
//! domain.accumulate(&[&a, &b], &x, &mut sum);
//! assert_eq!(domain.inverse_to_poly(&mut sum).centred()[..2], [-3, 5]);
//! # Ok::<(), ringsmith_ring::PolyError>(())
//! ```

use crate::algorithm::choice::{Minus, Plus};
use crate::memory::{Coefficients, Workspace};
use crate::multiply::{DomainRows, Transform};
use crate::poly::Poly;
use crate::ring::Ring;
use crate::route::Route;
use core::slice::from_ref;
use ringsmith_simd::Cpu;
use zeroize::Zeroize;

/// In which order a domain has its values, as a type.
pub trait Order: Sized + Copy + Send + Sync + 'static {
    /// Memory of the values of an element.
    type Memory<R: Ring>: Send + Sync;
    /// The second operand of products.
    type Operand<R: Ring>: Send + Sync;
    /// Functions that only domains in this order have.
    type More<R: Ring>: Send + Sync + 'static;
}

/// A ring with a domain in the order `O`.
pub trait Ordered<O: Order>: Ring {
    /// The domain by the planner's route; `ringsmith-routes` has others.
    const DOMAIN: &'static DomainEntry<Self, O>;
}

/// The values of an element of `R` in the order `O`.
#[derive(Clone, Copy)]
pub struct Values<R: Ring, O: Order = Native>(pub(crate) O::Memory<R>);

/// Values in an order that is fixed lie in memory as coefficients do.
impl<R: Ring, O: Order<Memory<R> = R::Coeffs>> Values<R, O> {
    /// All zero.
    pub const ZERO: Self = Values(R::Coeffs::ZERO);

    /// The values in their order.
    pub fn rows(&self) -> &R::Coeffs {
        &self.0
    }

    /// The same, to write: values in `[0, q)`.
    pub fn rows_mut(&mut self) -> &mut R::Coeffs {
        &mut self.0
    }
}

impl<R: Ring, O: Order<Memory<R> = R::Coeffs>> Zeroize for Values<R, O> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

type Sum<R, O> = fn(Cpu, &mut <O as Order>::Memory<R>, &<O as Order>::Memory<R>);
type Accumulate<R, O> = fn(Cpu, &[&Values<R, O>], &[<O as Order>::Operand<R>], &mut <O as Order>::Memory<R>);

/// A domain of a ring by one route: its functions. A family, or whoever compiles the route, has one in a
/// `static`, and makes it by the constructor of its order.
pub struct DomainEntry<R: Ring, O: Order> {
    pub(crate) route: Route,
    pub(crate) forward: fn(Cpu, &R::Coeffs, &mut O::Memory<R>),
    pub(crate) accumulate: Accumulate<R, O>,
    pub(crate) inverse: fn(Cpu, &mut O::Memory<R>, &mut R::Coeffs),
    pub(crate) add: Sum<R, O>,
    pub(crate) subtract: Sum<R, O>,
    pub(crate) more: O::More<R>,
}

impl<R: Ring, O: Order> DomainEntry<R, O> {
    /// The route.
    pub const fn route(&self) -> Route {
        self.route
    }
}

/// A domain of a ring in the order `O`, by one route on one CPU. Constant time in all coefficients and
/// values.
pub struct Domain<R: Ring, O: Order = Native> {
    pub(crate) cpu: Cpu,
    pub(crate) entry: &'static DomainEntry<R, O>,
}

impl<R: Ring, O: Order> Clone for Domain<R, O> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<R: Ring, O: Order> Copy for Domain<R, O> {}

impl<R: Ordered<O>, O: Order> Domain<R, O> {
    /// By the planner's route, on the best CPU backend of the machine.
    pub fn new() -> Self {
        Self::new_on(Cpu::detect())
    }

    /// The same on this backend.
    pub fn new_on(cpu: Cpu) -> Self {
        Self::by_on(cpu, R::DOMAIN)
    }
}

impl<R: Ordered<O>, O: Order> Default for Domain<R, O> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Ring, O: Order> Domain<R, O> {
    /// By an entry: the ring's own, or one that another crate has compiled for it.
    pub fn by_on(cpu: Cpu, entry: &'static DomainEntry<R, O>) -> Self {
        Domain { cpu, entry }
    }

    /// The CPU backend.
    pub fn cpu(self) -> Cpu {
        self.cpu
    }

    /// The route.
    pub fn route(self) -> Route {
        self.entry.route
    }

    /// The values of an element, which is centred or has coefficients in `[0, q)`.
    pub fn forward(self, a: &R::Coeffs, out: &mut Values<R, O>) {
        (self.entry.forward)(self.cpu, a, &mut out.0);
    }

    /// `out = a b`: what [`inverse`](Self::inverse) takes.
    pub fn pointwise(self, a: &Values<R, O>, b: &O::Operand<R>, out: &mut Values<R, O>) {
        self.accumulate(&[a], from_ref(b), out);
    }

    /// `out = sum a_i b_i`, of at least one term, and of as many `a` as `b`.
    pub fn accumulate(self, a: &[&Values<R, O>], b: &[O::Operand<R>], out: &mut Values<R, O>) {
        (self.entry.accumulate)(self.cpu, a, b, &mut out.0);
    }

    /// The element of a product or of a sum of products, centred; spoils the values.
    pub fn inverse(self, values: &mut Values<R, O>, out: &mut R::Coeffs) {
        (self.entry.inverse)(self.cpu, &mut values.0, out);
    }

    /// The same as a [`Poly`].
    pub fn inverse_to_poly(self, values: &mut Values<R, O>) -> Poly<R> {
        let mut out = Poly::zero();
        self.inverse(values, &mut out.coeffs);
        out
    }

    /// `a = a + b`.
    pub fn add(self, a: &mut Values<R, O>, b: &Values<R, O>) {
        (self.entry.add)(self.cpu, &mut a.0, &b.0);
    }

    /// `a = a - b`.
    pub fn subtract(self, a: &mut Values<R, O>, b: &Values<R, O>) {
        (self.entry.subtract)(self.cpu, &mut a.0, &b.0);
    }
}

/// Sums of elements, which are as sums of values where these lie as coefficients do.
impl<R: Ring, O: Order<Memory<R> = R::Coeffs>> Domain<R, O> {
    /// `a = a + b` in `[0, q)`, of elements that are centred or in `[0, q)`.
    pub fn add_coeffs(self, a: &mut R::Coeffs, b: &R::Coeffs) {
        (self.entry.add)(self.cpu, a, b);
    }

    /// `a = a - b` in `[0, q)`, of the same.
    pub fn subtract_coeffs(self, a: &mut R::Coeffs, b: &R::Coeffs) {
        (self.entry.subtract)(self.cpu, a, b);
    }
}

/// The order in which a route's transform leaves its values, with a factor of its own: see the pages of the
/// algorithms. Values of one route are none of another's, nor of another CPU backend's.
///
/// # Panics
/// The functions of a [`Domain`] in this order do, where they are given values that another one made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Native;

impl Order for Native {
    type Memory<R: Ring> = NativeMemory<R>;
    type Operand<R: Ring> = Values<R, Native>;
    /// `a = a b`.
    type More<R: Ring> = Sum<R, Native>;
}

/// Values of a route, and which route that is; cleared on drop.
pub struct NativeMemory<R: Ring> {
    by: Option<(Route, Cpu)>,
    space: R::Prepared,
}

impl<R: Ring> NativeMemory<R> {
    /// The rows of a transform's values, to make some.
    fn blank<T: Transform<R>>(&mut self, cpu: Cpu) -> &mut T::Domain {
        self.by = Some((T::ROUTE, cpu));
        T::Domain::of_mut(&mut self.space)
    }

    /// The rows of values that this transform made.
    fn domain<T: Transform<R>>(&self, cpu: Cpu) -> &T::Domain {
        assert!(self.by == Some((T::ROUTE, cpu)), "values of another route, or of another CPU backend");
        T::Domain::of(&self.space)
    }

    /// The same, to write.
    fn domain_mut<T: Transform<R>>(&mut self, cpu: Cpu) -> &mut T::Domain {
        let _: &T::Domain = self.domain::<T>(cpu);
        T::Domain::of_mut(&mut self.space)
    }
}

impl<R: Ring> Values<R, Native> {
    /// All zero, and of no route.
    pub fn zero() -> Self {
        Values(NativeMemory { by: None, space: R::Prepared::new() })
    }

    /// The memory of the values, as the algorithm's page describes it.
    pub fn space(&self) -> &R::Prepared {
        &self.0.space
    }

    /// The same, to write.
    pub fn space_mut(&mut self) -> &mut R::Prepared {
        &mut self.0.space
    }
}

impl<R: Ring> DomainEntry<R, Native> {
    /// The domain of a transform.
    pub const fn native<T: Transform<R>>() -> Self {
        DomainEntry {
            route: T::ROUTE,
            forward: |cpu, a, out| T::forward(cpu, a, out.blank::<T>(cpu)),
            accumulate: accumulate::<R, T>,
            inverse: |cpu, a, out| T::inverse(cpu, a.domain_mut::<T>(cpu), out),
            add: |cpu, a, b| T::sum::<Plus>(cpu, a.domain_mut::<T>(cpu), b.domain::<T>(cpu)),
            subtract: |cpu, a, b| T::sum::<Minus>(cpu, a.domain_mut::<T>(cpu), b.domain::<T>(cpu)),
            more: |cpu, a, b| T::pointwise(cpu, a.domain_mut::<T>(cpu), b.domain::<T>(cpu)),
        }
    }
}

/// `out = sum a_i b_i`.
fn accumulate<R: Ring, T: Transform<R>>(
    cpu: Cpu,
    a: &[&Values<R, Native>],
    b: &[Values<R, Native>],
    out: &mut NativeMemory<R>,
) {
    let sum = out.blank::<T>(cpu);
    let mut term = Values::zero();
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        let product = if i == 0 { &mut *sum } else { term.0.blank::<T>(cpu) };
        *product = *a.0.domain::<T>(cpu);
        T::pointwise(cpu, product, b.0.domain::<T>(cpu));
        if i > 0 {
            T::sum::<Plus>(cpu, sum, term.0.domain::<T>(cpu));
        }
    }
}

impl<R: Ring> Domain<R, Native> {
    /// `a = a b`, in its place.
    pub fn pointwise_in_place(self, a: &mut Values<R, Native>, b: &Values<R, Native>) {
        (self.entry.more)(self.cpu, &mut a.0, &b.0);
    }
}
