//! The domain of a transform in the order of a standard, where a scheme samples or sends values of it.
//!
//! A transform leaves its domain as its vectors want it. A scheme that samples or sends in the domain fixes
//! the order:
//!
//! | | residues | order | of |
//! |---|---|---|---|
//! | [`pairs`] | of degree 2 | that of the in-place transform | ML-KEM |
//! | [`complete`] | of degree 1 | that of the root's exponents, or a table's | NewHope, its exchanges |
//! | [`planar`] | of degree 4, 6, 8 | planes of coefficients | NewHope-Compact |
//!
//! [`OrderedEntry`] has the functions of a domain by one route: a ring has several, and all give the same
//! values.

pub mod complete;
pub mod pairs;
pub mod planar;
pub mod values;

use crate::memory::Rows;
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor};
use crate::route::Route;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// In which order a domain has its values: domains of one ring and one order are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Order {
    /// That of the exponents of the root of unity, of coefficients in their order.
    Exponents,
    /// The same, of coefficients in the order of their reversed exponents.
    Reversed,
    /// That of the in-place transform by a root of unity.
    Root(i64),
    /// Planes of the coefficients of residues of a degree.
    Planes(usize),
}

/// The functions of a ring's domain in the order of a scheme. Constant time in all coefficients.
///
/// What they take: centred coefficients, or some in `[0, q)`; values that one of them returned, or some in
/// `[0, q)`; of two operands of a sum or a difference one may be a product.
pub struct OrderedEntry<const N: usize> {
    /// The algorithm behind them.
    pub route: Route,
    /// The modulus of the coefficients.
    pub q: i64,
    /// The order of the values.
    pub order: Order,
    /// Into the domain; values leave centred.
    pub forward: fn(Cpu, &Rows<N>, &mut Rows<N>),
    /// Out of the domain, from a product with its [`factor`](Self::factor), to centred coefficients.
    pub inverse: fn(Cpu, &Rows<N>, &mut Rows<N>),
    /// `out = factor a b`.
    pub product: fn(Cpu, &Rows<N>, &Rows<N>, &mut Rows<N>),
    /// The factor of products, which the inverse takes off.
    pub factor: i64,
    /// The inverse of the factor.
    pub unfactor: i64,
    /// `a = c a` for a public constant.
    pub scale: fn(Cpu, &mut Rows<N>, i64),
    /// `a = a + b` in `[0, q)`.
    pub add: fn(Cpu, &mut Rows<N>, &Rows<N>),
    /// `a = a - b` in `[0, q)`.
    pub subtract: fn(Cpu, &mut Rows<N>, &Rows<N>),
}

impl<const N: usize> OrderedEntry<N> {
    /// `a = c a / factor`: an operand of products that are to be `c a b` and to stay in the domain.
    pub fn scale_to_stay(&self, cpu: Cpu, a: &mut Rows<N>, c: i64) {
        (self.scale)(cpu, a, c * self.unfactor);
    }
}

/// In `[0, q)`.
#[inline(always)]
fn canonical<S: Simd, const Q: i64>(s: S, x: S::I16) -> S::I16 {
    let x = barrett::exact::<S, Q>(s, x);
    let negative = s.gt(s.splat(0), x);
    s.add(x, s.and(negative, s.splat(Q as i16)))
}

/// `a = a + b`, in `[0, q)`.
struct Add<'a, const Q: i64, const ROWS: usize> {
    a: &'a mut [Row; ROWS],
    b: &'a [Row; ROWS],
}

impl<const Q: i64, const ROWS: usize> Kernel for Add<'_, Q, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < ROWS {
            let sum = s.add(s.load(&self.a[r]), s.load(&self.b[r]));
            s.store(&mut self.a[r], canonical::<S, Q>(s, sum));
            r += 1;
        }
    }
}

/// `a = a - b`, in `[0, q)`.
struct Subtract<'a, const Q: i64, const ROWS: usize> {
    a: &'a mut [Row; ROWS],
    b: &'a [Row; ROWS],
}

impl<const Q: i64, const ROWS: usize> Kernel for Subtract<'_, Q, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < ROWS {
            let difference = s.sub(s.load(&self.a[r]), s.load(&self.b[r]));
            s.store(&mut self.a[r], canonical::<S, Q>(s, difference));
            r += 1;
        }
    }
}

/// `a = c a`.
struct Scale<'a, const Q: i64, const ROWS: usize> {
    a: &'a mut [Row; ROWS],
    factor: Factor,
}

impl<const Q: i64, const ROWS: usize> Kernel for Scale<'_, Q, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < ROWS {
            let a = s.load(&self.a[r]);
            s.store(&mut self.a[r], montgomery::scale::<S, Q>(s, a, self.factor));
            r += 1;
        }
    }
}

/// [`OrderedEntry::scale`].
fn scale<const Q: i64, const N: usize>(cpu: Cpu, a: &mut Rows<N>, c: i64) {
    cpu.run(Scale::<Q, N> { a: &mut a.0, factor: Factor::new(c, Q) });
}
