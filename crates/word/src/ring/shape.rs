//! What a ring is taken modulo.

use core::fmt;

/// The modulus polynomial of a ring. The first two are the usual ones. The others are factors for lengths
/// between powers of two: `(x^n - 1) (x^(n/2) - i)`, for example, holds a product of `3 n / 2` coefficients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// `x^n - 1`.
    Cyclic,
    /// `x^n + 1`.
    Negacyclic,
    /// `x^n - i`, where `i = root^n` is a root of unity of order 4.
    Quarter,
    /// `x^n - w`, where `w = root^n` is one of order 8.
    Eighth,
    /// `x^n - w^3`, where `w = root^n` is one of order 8.
    ThreeEighths,
}

impl Shape {
    /// The node of the polynomial in the tree of the transforms.
    pub(crate) const fn node(self) -> usize {
        match self {
            Shape::Cyclic => 0,
            Shape::Negacyclic => 1,
            Shape::Quarter => 2,
            Shape::Eighth => 4,
            Shape::ThreeEighths => 6,
        }
    }

    /// The order of the root of unity that rings of degree `n` need, divided by `n`.
    pub const fn order(self) -> usize {
        match self {
            Shape::Cyclic => 1,
            Shape::Negacyclic => 2,
            Shape::Quarter => 4,
            Shape::Eighth | Shape::ThreeEighths => 8,
        }
    }

    /// Of `x^n - root^(k n)`, the exponent `k` in `[0, order)`.
    pub const fn exponent(self) -> usize {
        match self {
            Shape::Cyclic => 0,
            Shape::Negacyclic | Shape::Quarter | Shape::Eighth => 1,
            Shape::ThreeEighths => 3,
        }
    }

    /// Writes the polynomial.
    pub(crate) fn write(self, f: &mut fmt::Formatter<'_>, n: usize) -> fmt::Result {
        let constant = match self {
            Shape::Cyclic => "-1",
            Shape::Negacyclic => "+1",
            Shape::Quarter => "-i",
            Shape::Eighth => "-w",
            Shape::ThreeEighths => "-w^3",
        };
        write!(f, "x^{n}{constant}")
    }
}
