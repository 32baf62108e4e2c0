//! Multiplying: a CPU and a route.

use crate::domain::Domain;
use crate::entry::{Entry, Routes};
use crate::memory::{Coefficients, Workspace};
use crate::poly::{Poly, Small};
use crate::reduce::three;
use crate::ring::{Ring, Shape};
use crate::route::Route;
use crate::why_not::WhyNot;
use ringsmith_simd::Cpu;

/// Picks the route of a ring.
pub struct Planner;

impl Planner {
    /// The rule of the ring: the fastest route that was measured on such a CPU (`docs/performance.md`).
    pub fn choose<R: Routes>(cpu: Cpu) -> &'static Entry<R> {
        R::planned(cpu)
    }

    /// The same for products by small operands.
    pub fn choose_small<R: Routes>(cpu: Cpu) -> &'static Entry<R> {
        R::planned_small(cpu)
    }

    /// The same for products of two small operands.
    pub fn choose_smalls<R: Routes>(cpu: Cpu) -> &'static Entry<R> {
        R::planned_smalls(cpu)
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
    let max = places * R::N as i64;
    2 * max < R::Q && max <= three::LIMIT
}

/// Multiplies in `R` on one CPU by one route, or by one for any operands and another for small ones.
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
    pub(crate) entry: &'static Entry<R>,
    /// For products by small operands.
    small: &'static Entry<R>,
    /// For products of two small operands.
    smalls: &'static Entry<R>,
}

impl<R: Ring> Clone for Multiplier<R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<R: Ring> Copy for Multiplier<R> {}

impl<R: Routes> Default for Multiplier<R> {
    fn default() -> Self {
        Self::new()
    }
}

/// The second operand of many products, transformed once; made by [`Multiplier::prepare`].
///
/// Belongs to the route and the CPU backend that made it; cleared on drop.
pub struct Prepared<R: Ring> {
    by: Option<(&'static Entry<R>, Cpu)>,
    /// Whether the operand is a [`Small`] one.
    small: bool,
    /// Whether it is for products by small operands alone.
    by_small: bool,
    space: R::Prepared,
}

impl<R: Ring> Prepared<R> {
    /// Room for an operand, which [`Multiplier::prepare_into`] prepares.
    #[inline]
    pub fn blank() -> Self {
        Prepared { by: None, small: false, by_small: false, space: R::Prepared::ZERO }
    }

    /// What is prepared by an entry: whether it is small, and whether for products by small operands alone.
    fn set(&mut self, cpu: Cpu, entry: &'static Entry<R>, [small, by_small]: [bool; 2]) {
        (self.by, self.small, self.by_small) = (Some((entry, cpu)), small, by_small);
    }

    /// The memory of the operand.
    pub fn space_mut(&mut self) -> &mut R::Prepared {
        &mut self.space
    }
}

impl<R: Ring> Clone for Prepared<R> {
    fn clone(&self) -> Self {
        let mut space = R::Prepared::new();
        let ((rows, wide), (from, wide_from)) = (space.parts_mut(), self.space.parts());
        rows.copy_from_slice(from);
        wide.copy_from_slice(wide_from);
        Prepared { by: self.by, small: self.small, by_small: self.by_small, space }
    }
}

impl<R: Routes> Multiplier<R> {
    /// By the planner's choice, on the best CPU backend of the machine.
    pub fn new() -> Self {
        Self::new_on(Cpu::detect())
    }

    /// The same on this backend.
    pub fn new_on(cpu: Cpu) -> Self {
        let [small, smalls] = [Planner::choose_small(cpu), Planner::choose_smalls(cpu)];
        Multiplier { cpu, entry: Planner::choose(cpu), small, smalls }
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
        Ok(Self::by_on(cpu, route.find(R::PLANNED)?))
    }
}

impl<R: Ring> Multiplier<R> {
    /// By an entry: the ring's own, or one that another crate has compiled for it.
    pub fn by(entry: &'static Entry<R>) -> Self {
        Self::by_on(Cpu::detect(), entry)
    }

    /// The same on this backend.
    pub fn by_on(cpu: Cpu, entry: &'static Entry<R>) -> Self {
        Multiplier { cpu, entry, small: entry, smalls: entry }
    }

    /// The CPU backend.
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// The route.
    pub fn route(&self) -> Route {
        self.entry.route
    }

    /// The route of products by small operands.
    pub fn small_route(&self) -> Route {
        self.small.route
    }

    /// The route of products of two small operands.
    pub fn smalls_route(&self) -> Route {
        self.smalls.route
    }

    /// The domain of the route's transform, in its own order; none where a route has no transform.
    pub fn domain(&self) -> Option<Domain<R>> {
        self.entry.transform.as_ref().map(|entry| Domain::by_on(self.cpu, entry))
    }

    /// Memory for [`multiply`](Self::multiply); make it once and use it again.
    pub fn scratch(&self) -> R::Scratch {
        R::Scratch::ZERO
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
        (self.small.multiply_small)(self.cpu, &a.coeffs, &b.coeffs, &mut out.coeffs, scratch);
        debug_assert!(out.is_centred(), "the product is not centred");
    }

    /// `out = a b` for small `a` and `b`. Constant time in both.
    pub fn multiply_smalls_into(
        &self,
        a: &Small<R>,
        b: &Small<R>,
        out: &mut Poly<R>,
        scratch: &mut R::Scratch,
    ) {
        (self.smalls.multiply_smalls)(self.cpu, &a.coeffs, &b.coeffs, &mut out.coeffs, scratch);
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
        (self.smalls.multiply_smalls)(self.cpu, &a.coeffs, &b.coeffs, &mut out.coeffs, scratch);
        three::reduce(self.cpu, out.coeffs.rows_mut());
    }

    /// Transforms `b` for products by many `a`.
    pub fn prepare(&self, b: &Poly<R>, scratch: &mut R::Scratch) -> Prepared<R> {
        let mut prepared = Prepared::blank();
        self.prepare_into(b, &mut prepared, scratch);
        prepared
    }

    /// Transforms `b`, in its place.
    pub fn prepare_into(&self, b: &Poly<R>, prepared: &mut Prepared<R>, scratch: &mut R::Scratch) {
        prepared.set(self.cpu, self.entry, [false, false]);
        (self.entry.prepare)(self.cpu, &b.coeffs, &mut prepared.space, scratch);
    }

    /// The same of a small `b`, whose products may be faster.
    pub fn prepare_small_into(&self, b: &Small<R>, prepared: &mut Prepared<R>, scratch: &mut R::Scratch) {
        prepared.set(self.cpu, self.small, [true, false]);
        (self.small.prepare_for_small)(self.cpu, &b.coeffs, &mut prepared.space, scratch);
    }

    /// The same for products by small `a` alone, which may be faster still.
    pub fn prepare_for_smalls_into(
        &self,
        b: &Small<R>,
        prepared: &mut Prepared<R>,
        scratch: &mut R::Scratch,
    ) {
        prepared.set(self.cpu, self.smalls, [true, true]);
        (self.smalls.prepare_for_smalls)(self.cpu, &b.coeffs, &mut prepared.space, scratch);
    }

    /// The same of any `b`, for products by small `a` alone.
    pub fn prepare_for_small_into(&self, b: &Poly<R>, prepared: &mut Prepared<R>, scratch: &mut R::Scratch) {
        prepared.set(self.cpu, self.small, [false, true]);
        (self.small.prepare_for_small)(self.cpu, &b.coeffs, &mut prepared.space, scratch);
    }

    /// `out = a b` for a prepared `b`. Constant time in both.
    ///
    /// # Errors
    /// Where another route, or the same on another backend, prepared it; or for products by small `a` alone.
    pub fn multiply_prepared_into(
        &self,
        a: &Poly<R>,
        b: &Prepared<R>,
        out: &mut Poly<R>,
        scratch: &mut R::Scratch,
    ) -> Result<(), OtherRoute> {
        self.multiply_prepared_rows_into(&a.coeffs, false, b, out, scratch)
    }

    /// The same of a small `a`.
    ///
    /// # Errors
    /// Where another route, or the same on another backend, prepared it.
    pub fn multiply_small_prepared_into(
        &self,
        a: &Small<R>,
        b: &Prepared<R>,
        out: &mut Poly<R>,
        scratch: &mut R::Scratch,
    ) -> Result<(), OtherRoute> {
        self.multiply_prepared_rows_into(&a.coeffs, true, b, out, scratch)
    }

    /// `out = a b`, where either of the two may be small.
    fn multiply_prepared_rows_into(
        &self,
        a: &R::Coeffs,
        is_small: bool,
        b: &Prepared<R>,
        out: &mut Poly<R>,
        scratch: &mut R::Scratch,
    ) -> Result<(), OtherRoute> {
        let own = [self.entry, self.small, self.smalls];
        let is_own = |entry: &Entry<R>| own.iter().any(|own| core::ptr::eq(*own, entry));
        let serves = is_small || !b.by_small;
        let Some((entry, _)) = b.by.filter(|(entry, cpu)| serves && is_own(entry) && *cpu == self.cpu) else {
            return Err(OtherRoute {
                prepared: b.by.map(|(entry, cpu)| (entry.route, cpu)),
                multiplier: (self.entry.route, self.cpu),
            });
        };
        let multiply = match (is_small, b.small) {
            (true, true) => entry.multiply_prepared_smalls,
            (false, false) => entry.multiply_prepared,
            _ => entry.multiply_prepared_small,
        };
        multiply(self.cpu, a, &b.space, &mut out.coeffs, scratch);
        debug_assert!(out.is_centred(), "the product is not centred");
        Ok(())
    }
}

/// An operand was prepared by another multiplier: by another route, or on another CPU backend, whose bounds
/// differ. Or it was prepared for products by small operands alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherRoute {
    /// The route and the backend that prepared it; none did where it is blank.
    pub prepared: Option<(Route, Cpu)>,
    /// The multiplier's.
    pub multiplier: (Route, Cpu),
}

impl core::fmt::Display for OtherRoute {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (own, here) = self.multiplier;
        match self.prepared {
            Some(by) if by == self.multiplier => {
                return f.write_str("the operand was prepared for products by small ones alone");
            }
            Some((route, cpu)) => write!(f, "the operand was prepared by route {route} on {cpu:?}")?,
            None => f.write_str("the operand was not prepared")?,
        }
        write!(f, ", the multiplier's is {own} on {here:?}")
    }
}

impl core::error::Error for OtherRoute {}
