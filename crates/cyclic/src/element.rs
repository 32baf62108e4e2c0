//! Elements of the rings, in memory that is cleared, and how they are multiplied: what schemes compute with.

pub use ringsmith_ring::Prepared;
use ringsmith_ring::{Coefficients, Multiplier, Poly, Ring, Small, Workspace};
use ringsmith_simd::{Cpu, Row};
use zeroize::Zeroizing;

/// Coefficients of an element modulo `q`, centred; cleared on drop.
#[derive(Clone)]
pub struct Element<R: Ring>(pub Zeroizing<Poly<R>>);

/// Coefficients -1, 0, 1; cleared on drop.
#[derive(Clone)]
pub struct Ternary<R: Ring>(pub Zeroizing<Small<R>>);

/// Coefficients in rows, zeroes behind them.
pub trait InRows {
    /// All zero.
    fn zero() -> Self;
    /// The rows.
    fn rows(&self) -> &[Row];
    /// The rows, to write.
    fn rows_mut(&mut self) -> &mut [Row];
}

impl<R: Ring> InRows for Element<R> {
    fn zero() -> Self {
        Element(Zeroizing::new(Poly::zero()))
    }
    fn rows(&self) -> &[Row] {
        self.0.coeffs().rows()
    }
    fn rows_mut(&mut self) -> &mut [Row] {
        self.0.coeffs_mut().rows_mut()
    }
}

impl<R: Ring> InRows for Ternary<R> {
    fn zero() -> Self {
        Ternary(Zeroizing::new(Small::zero()))
    }
    fn rows(&self) -> &[Row] {
        self.0.coeffs().rows()
    }
    fn rows_mut(&mut self) -> &mut [Row] {
        self.0.coeffs_mut().rows_mut()
    }
}

impl<R: Ring> Ternary<R> {
    /// The same coefficients, modulo `q`.
    pub fn widen_into(&self, out: &mut Element<R>) {
        *out.0.coeffs_mut() = *self.0.coeffs();
    }
}

/// Zeroes from coefficient `n` on.
pub fn clear_from(n: usize, rows: &mut [Row]) {
    rows.as_flattened_mut()[n..].fill(0);
}

/// The second operand of products, made of an `E`: as it is, for one product, or [`Prepared`] for many.
pub trait Second<R: Ring, E>: Send + Sync {
    /// Memory for one.
    fn blank() -> Self;
    /// Makes it of an element.
    fn set(&mut self, work: &mut Work<R>, element: &E);
    /// The same for products by ternary elements alone.
    fn set_for_ternary(&mut self, work: &mut Work<R>, element: &E) {
        self.set(work, element);
    }
    /// Makes it of the element that `write` writes, and gives what that gives.
    fn fill<T>(&mut self, work: &mut Work<R>, write: impl FnOnce(&mut Work<R>, &mut E) -> T) -> T;
    /// The same for products by ternary elements alone.
    fn fill_for_ternary<T>(
        &mut self,
        work: &mut Work<R>,
        write: impl FnOnce(&mut Work<R>, &mut E) -> T,
    ) -> T {
        self.fill(work, write)
    }
    /// `out = a b` for this `b`.
    fn product_into(&self, work: &mut Work<R>, a: &Element<R>, out: &mut Element<R>);
    /// The same.
    fn ternary_product_into(&self, work: &mut Work<R>, a: &Ternary<R>, out: &mut Element<R>);
}

impl<R: Ring> Second<R, Element<R>> for Element<R> {
    fn blank() -> Self {
        InRows::zero()
    }
    fn set(&mut self, _: &mut Work<R>, element: &Element<R>) {
        *self.0 = *element.0;
    }
    fn fill<T>(&mut self, work: &mut Work<R>, write: impl FnOnce(&mut Work<R>, &mut Self) -> T) -> T {
        write(work, self)
    }
    fn product_into(&self, work: &mut Work<R>, a: &Element<R>, out: &mut Element<R>) {
        work.by.multiply_into(&a.0, &self.0, &mut out.0, &mut work.scratch);
    }
    fn ternary_product_into(&self, work: &mut Work<R>, a: &Ternary<R>, out: &mut Element<R>) {
        work.product_into(self, a, out);
    }
}

impl<R: Ring> Second<R, Ternary<R>> for Ternary<R> {
    fn blank() -> Self {
        InRows::zero()
    }
    fn set(&mut self, _: &mut Work<R>, element: &Ternary<R>) {
        *self.0 = *element.0;
    }
    fn fill<T>(&mut self, work: &mut Work<R>, write: impl FnOnce(&mut Work<R>, &mut Self) -> T) -> T {
        write(work, self)
    }
    fn product_into(&self, work: &mut Work<R>, a: &Element<R>, out: &mut Element<R>) {
        work.product_into(a, self, out);
    }
    fn ternary_product_into(&self, work: &mut Work<R>, a: &Ternary<R>, out: &mut Element<R>) {
        work.ternary_product_into(a, self, out);
    }
}

/// A product by an operand that the same multiplier prepared.
const PREPARED: &str = "a key's operations have one multiplier";

/// [`Prepared`] of either.
macro_rules! prepared {
    ($($of:ident by $prepare:ident, by ternary elements by $for_ternary:ident;)*) => { $(
        impl<R: Ring> Second<R, $of<R>> for Prepared<R> {
            fn blank() -> Self {
                Prepared::blank()
            }
            fn set(&mut self, work: &mut Work<R>, element: &$of<R>) {
                work.by.$prepare(&element.0, self, &mut work.scratch);
            }
            fn set_for_ternary(&mut self, work: &mut Work<R>, element: &$of<R>) {
                work.by.$for_ternary(&element.0, self, &mut work.scratch);
            }
            fn fill<T>(
                &mut self,
                work: &mut Work<R>,
                write: impl FnOnce(&mut Work<R>, &mut $of<R>) -> T,
            ) -> T {
                let mut element = $of::zero();
                let made = write(work, &mut element);
                Second::set(self, work, &element);
                made
            }
            fn fill_for_ternary<T>(
                &mut self,
                work: &mut Work<R>,
                write: impl FnOnce(&mut Work<R>, &mut $of<R>) -> T,
            ) -> T {
                let mut element = $of::zero();
                let made = write(work, &mut element);
                self.set_for_ternary(work, &element);
                made
            }
            fn product_into(&self, work: &mut Work<R>, a: &Element<R>, out: &mut Element<R>) {
                let made = work.by.multiply_prepared_into(&a.0, self, &mut out.0, &mut work.scratch);
                made.expect(PREPARED);
            }
            fn ternary_product_into(&self, work: &mut Work<R>, a: &Ternary<R>, out: &mut Element<R>) {
                let made = work.by.multiply_small_prepared_into(&a.0, self, &mut out.0, &mut work.scratch);
                made.expect(PREPARED);
            }
        }
    )* };
}

prepared! {
    Element by prepare_into, by ternary elements by prepare_for_small_into;
    Ternary by prepare_small_into, by ternary elements by prepare_for_smalls_into;
}

/// What was prepared of an element modulo `q`.
pub fn of_element<R: Ring>(prepared: &Prepared<R>) -> &impl Second<R, Element<R>> {
    prepared
}

/// How a key holds the second operands of its products.
pub trait Form<R: Ring>: Send + Sync + 'static {
    /// An element modulo `q`.
    type Of: Second<R, Element<R>> + Clone;
    /// An element with coefficients -1, 0, 1.
    type OfTernary: Second<R, Ternary<R>>;
}

/// As they are, for one operation.
pub struct AsIs;

impl<R: Ring> Form<R> for AsIs {
    type Of = Element<R>;
    type OfTernary = Ternary<R>;
}

/// Prepared for many.
pub struct Ready;

impl<R: Ring> Form<R> for Ready {
    type Of = Prepared<R>;
    type OfTernary = Prepared<R>;
}

/// A multiplier with its memory, which is cleared on drop: made once for all of an operation.
pub struct Work<R: Ring> {
    /// The multiplier.
    pub by: Multiplier<R>,
    scratch: R::Scratch,
}

impl<R: Ring> Work<R> {
    /// With fresh memory.
    #[inline(always)]
    pub fn new(by: Multiplier<R>) -> Self {
        Work { by, scratch: R::Scratch::ZERO }
    }

    /// The CPU of all products.
    pub fn cpu(&self) -> Cpu {
        self.by.cpu()
    }

    /// Rows in which there is anything; products use them, too. At least eight times those of an element.
    pub fn rows_mut(&mut self) -> &mut [Row] {
        const { assert!(<R::Scratch as Workspace>::ROOM.rows >= 8 * <R::Coeffs as Coefficients>::ROWS) };
        self.scratch.parts_mut().0
    }

    /// `out = a b`.
    pub fn ternary_product_into(&mut self, a: &Ternary<R>, b: &Ternary<R>, out: &mut Element<R>) {
        self.by.multiply_smalls_into(&a.0, &b.0, &mut out.0, &mut self.scratch);
    }

    /// The same.
    pub fn product_into(&mut self, a: &Element<R>, b: &Ternary<R>, out: &mut Element<R>) {
        self.by.multiply_small_into(&a.0, &b.0, &mut out.0, &mut self.scratch);
    }
}
