//! The domain of a transform in the order of a standard, for schemes that sample or send values of the
//! domain.
//!
//! A transform writes its values in the order that suits its vectors. A scheme that samples or sends values
//! of the domain fixes another order:
//!
//! | | residues | order | of |
//! |---|---|---|---|
//! | [`pairs`] | of degree 2 | that of the in-place transform | ML-KEM |
//! | [`complete`] | of degree 1 | that of the root's exponents, or a table's | NewHope, its exchanges |
//! | [`planar`] | of degree 4, 6, 8 | planes of coefficients | NewHope-Compact |
//!
//! All routes of one order give the same values: centred, or in `[0, q)`.

pub mod complete;
pub mod pairs;
pub mod planar;
pub(crate) mod values;

use super::choice::{Plus, Sign};
use crate::domain::{Domain, Order, Values};
use crate::memory::Rows;
use crate::reduce::montgomery::{self, Factor};
use crate::reduce::sum::{Canonical, Sum};
use crate::ring::Ring;
use core::marker::PhantomData;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};
use zeroize::Zeroizing;

/// Products by values as they are. They carry a constant factor that the inverse removes.
pub struct Scaled<R: Ring> {
    /// `a = c a` for a public constant.
    scale: fn(Cpu, &mut R::Coeffs, i64),
    /// The inverse of the factor of products.
    unfactor: i64,
}

/// An order in which any values can be the second operand of products without preparation.
pub trait PlainOrder: Copy + Send + Sync + 'static {}

impl<O: PlainOrder> Order for O {
    type Memory<R: Ring> = R::Coeffs;
    type Operand<R: Ring> = Values<R, Self>;
    type More<R: Ring> = Scaled<R>;
}

/// Values at the odd powers of the root of unity, in the order of the powers; coefficients in the order of
/// their reversed exponents where they enter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exponents;

/// Values in the order of the in-place transform by the root of unity `ROOT`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByRoot<const ROOT: i64>;

/// Planes of the coefficients of residues of degree `DEGREE`, and of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InPlanes<const DEGREE: usize>;

impl PlainOrder for Exponents {}
impl<const ROOT: i64> PlainOrder for ByRoot<ROOT> {}
impl<const DEGREE: usize> PlainOrder for InPlanes<DEGREE> {}

impl<R: Ring, O: PlainOrder> Domain<R, O> {
    /// `a = c a` for a public constant.
    pub fn scale(self, a: &mut Values<R, O>, c: i64) {
        (self.entry.more.scale)(self.cpu, &mut a.0, c);
    }

    /// Changes `a` into an operand whose products are exactly `c a b`, without the constant factor, so that
    /// they can stay in the domain.
    pub fn scale_to_stay(self, a: &mut Values<R, O>, c: i64) {
        self.scale(a, c * self.entry.more.unfactor);
    }
}

/// `a = a + b` or `a = a - b`.
fn sum<G: Sign, const Q: i64, const N: usize>(cpu: Cpu, a: &mut Rows<N>, b: &Rows<N>) {
    cpu.run(Sum::<G, Canonical, Q, N> { of: PhantomData, a: &mut a.0, b: &b.0 });
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

/// `a = c a`.
fn scale<const Q: i64, const N: usize>(cpu: Cpu, a: &mut Rows<N>, c: i64) {
    cpu.run(Scale::<Q, N> { a: &mut a.0, factor: Factor::new(c, Q) });
}

/// `out = sum a_i b_i`, where `product` makes a term, which may be a term of [`Sum`].
#[inline(always)]
fn accumulate<R: Ring<Coeffs = Rows<N>>, O: PlainOrder, const Q: i64, const N: usize>(
    cpu: Cpu,
    a: &[&Values<R, O>],
    b: &[Values<R, O>],
    out: &mut Rows<N>,
    product: impl Fn(&Rows<N>, &Rows<N>, &mut Rows<N>),
) {
    let mut terms = a.iter().zip(b);
    if let Some((a, b)) = terms.next() {
        product(&a.0, &b.0, out);
    }
    for (a, b) in terms {
        let mut term = Zeroizing::new(Rows([[0; 16]; N]));
        product(&a.0, &b.0, &mut term);
        sum::<Plus, Q, N>(cpu, out, &term);
    }
}
