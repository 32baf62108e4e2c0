//! Rings as types: what `q`, `n` and `f` are, and how much memory products take.

use crate::memory::{Coefficients, Workspace};
use core::fmt;

/// The form of the modulus polynomial of degree `n`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// `x^n - 1`.
    Cyclic,
    /// `x^n + 1`.
    Negacyclic,
    /// `x^n - x^(n/2) + 1`.
    HalfTrinomial,
    /// `x^n - x - 1`.
    PrimeTrinomial,
}

impl Shape {
    /// How `f` of degree `n` is written, as in `x^1024+1`.
    pub const fn display(self, n: usize) -> ShapeOf {
        ShapeOf(self, n)
    }
}

/// Writes a modulus polynomial; made by [`Shape::display`].
#[derive(Clone, Copy)]
pub struct ShapeOf(Shape, usize);

impl fmt::Display for ShapeOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.1;
        match self.0 {
            Shape::Cyclic => write!(f, "x^{n}-1"),
            Shape::Negacyclic => write!(f, "x^{n}+1"),
            Shape::HalfTrinomial => write!(f, "x^{n}-x^{}+1", n / 2),
            Shape::PrimeTrinomial => write!(f, "x^{n}-x-1"),
        }
    }
}

/// `Z_q[x]/(f)` as a type.
pub trait Ring: Copy + Send + Sync + 'static {
    /// The modulus of the coefficients, below `2^15`.
    const Q: i64;
    /// The degree of `f`.
    const N: usize;
    /// The form of `f`.
    const SHAPE: Shape;
    /// The ring's stable id, as in `Z_12289[x]/(x^1024+1)`.
    const NAME: &'static str;
    /// The largest absolute value of a coefficient of a [`Small`](crate::Small) element: the widest noise of
    /// the schemes in this ring.
    const SMALL: i16;
    /// Coefficients in rows: [`Rows`](crate::Rows) of `ceil(n / 16)`.
    type Coeffs: Coefficients;
    /// Memory for a multiplication by any route, compiled here or elsewhere.
    type Scratch: Workspace;
    /// Memory for a transformed operand of any route.
    type Prepared: Workspace;
}
