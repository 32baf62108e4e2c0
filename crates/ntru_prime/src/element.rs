//! Elements of the fields, in memory that is cleared, and how they are multiplied.

use ctutils::Choice;
use ringsmith_hash::Sha512;
pub use ringsmith_ring::Prepared;
use ringsmith_ring::inverse::{InversesMod3, Invertible};
use ringsmith_ring::small_products_are_exact;
use ringsmith_ring::three;
use ringsmith_ring::{Coefficients, Multiplier, Poly, Ring, Workspace};
use ringsmith_simd::{Cpu, Row};
use zeroize::Zeroizing;

/// Coefficients of an element, centred; cleared on drop.
#[derive(Clone)]
pub struct Element<R: Ring>(pub(super) Zeroizing<Poly<R>>);

impl<R: Ring> Element<R> {
    pub(super) fn zero() -> Self {
        Element(Zeroizing::new(Poly::zero()))
    }

    pub(super) fn rows(&self) -> &[Row] {
        self.0.coeffs().rows()
    }

    pub(super) fn rows_mut(&mut self) -> &mut [Row] {
        self.0.coeffs_mut().rows_mut()
    }

    /// The `n` coefficients.
    pub(super) fn coefficients(&self) -> &[i16] {
        &self.rows().as_flattened()[..R::N]
    }

    /// The `n` coefficients, to write.
    pub(super) fn coefficients_mut(&mut self) -> &mut [i16] {
        &mut self.rows_mut().as_flattened_mut()[..R::N]
    }

    /// The same element.
    pub(super) fn copy_from(&mut self, other: &Self) {
        *self.0 = *other.0;
    }

    /// Zeroes behind the last coefficient.
    pub(super) fn clear_tail(&mut self) {
        self.rows_mut().as_flattened_mut()[R::N..].fill(0);
    }
}

/// The second operand of products: an element as it is, for one product, or [`Prepared`] for many.
pub trait Second<R: Ring>: Clone + Send + Sync {
    /// Memory for one.
    fn zero() -> Self;
    /// Makes it of an element.
    fn set(&mut self, work: &mut Work<R>, element: &Element<R>);
    /// Makes it of the element that `write` writes.
    fn fill(&mut self, work: &mut Work<R>, write: impl FnOnce(&mut Work<R>, &mut Element<R>));
    /// `out = a b` for this `b`.
    fn product_into(&self, work: &mut Work<R>, a: &Element<R>, out: &mut Element<R>);
}

impl<R: Ring> Second<R> for Element<R> {
    fn zero() -> Self {
        Element::zero()
    }
    fn set(&mut self, _: &mut Work<R>, element: &Element<R>) {
        self.copy_from(element);
    }
    fn fill(&mut self, work: &mut Work<R>, write: impl FnOnce(&mut Work<R>, &mut Element<R>)) {
        write(work, self);
    }
    fn product_into(&self, work: &mut Work<R>, a: &Element<R>, out: &mut Element<R>) {
        work.product_of_into(a, self, out);
    }
}

impl<R: Ring> Second<R> for Prepared<R> {
    fn zero() -> Self {
        Prepared::blank()
    }
    fn set(&mut self, work: &mut Work<R>, element: &Element<R>) {
        work.by.prepare_into(&element.0, self, &mut work.scratch);
    }
    fn fill(&mut self, work: &mut Work<R>, write: impl FnOnce(&mut Work<R>, &mut Element<R>)) {
        let mut element = Element::zero();
        write(work, &mut element);
        self.set(work, &element);
    }
    fn product_into(&self, work: &mut Work<R>, a: &Element<R>, out: &mut Element<R>) {
        let made = work.by.multiply_prepared_into(&a.0, self, &mut out.0, &mut work.scratch);
        made.expect("a key's operations have one multiplier");
    }
}

/// A multiplier with its memory, and that of hashes, which are cleared on drop: made once for all of an
/// operation.
pub struct Work<R: Ring> {
    pub(super) by: Multiplier<R>,
    scratch: R::Scratch,
    pub(super) hash: Sha512,
}

impl<R: Ring> Work<R> {
    pub(super) fn new(by: Multiplier<R>) -> Self {
        Work { by, scratch: by.scratch(), hash: Sha512::new_on(by.cpu()) }
    }

    /// So many rows, in which there is anything. Products use them, too.
    pub(super) fn rows<const N: usize>(&mut self) -> &mut [Row; N] {
        self.scratch.parts_mut().0.first_chunk_mut().expect("a product takes more than operands have")
    }

    pub(super) fn cpu(&self) -> Cpu {
        self.by.cpu()
    }

    /// `a b` for a `b` as it is, or one that the same multiplier prepared.
    pub(super) fn product(&mut self, a: &Element<R>, b: &impl Second<R>) -> Element<R> {
        let mut out = Element::zero();
        b.product_into(self, a, &mut out);
        out
    }

    /// `a b`, in its place.
    pub(super) fn product_of_into(&mut self, a: &Element<R>, b: &Element<R>, out: &mut Element<R>) {
        self.by.multiply_into(&a.0, &b.0, &mut out.0, &mut self.scratch);
    }

    /// A product of elements with coefficients -1, 0, 1, modulo 3.
    pub(super) fn modulo_3(&self, product: &mut Element<R>) {
        const { assert!(small_products_are_exact::<R>()) };
        three::reduce(self.cpu(), product.rows_mut());
    }
}

impl<R: InversesMod3> Work<R> {
    /// A test of many elements.
    pub(super) fn invertible(&mut self) -> Invertible<R> {
        Invertible::new(self.by, &mut self.scratch)
    }

    /// Whether `a`, of coefficients -1, 0, 1, has an inverse modulo 3.
    pub(super) fn is_invertible(&mut self, by: &Invertible<R>, a: &Element<R>) -> Choice {
        by.test(a.0.coeffs(), &mut self.scratch)
    }

    /// `1 / a`, for an `a` that has an inverse.
    pub(super) fn inverse_into(&mut self, a: &Element<R>, out: &mut Element<R>) {
        R::inverse_into(self.cpu(), a.0.coeffs(), out.0.coeffs_mut());
    }
}
