//! Choices that the compiler knows, as types: kernels that differ in one of them share their text.

use crate::bound::Bound;
use crate::ring::Ring;

/// Which way a transform goes.
pub trait Direction {
    /// Whether it is the inverse.
    const INVERSE: bool;
}

/// Into the domain.
pub struct Forward;

impl Direction for Forward {
    const INVERSE: bool = false;
}

/// Back out of it.
pub struct Inverse;

impl Direction for Inverse {
    const INVERSE: bool = true;
}

/// Which coefficients the second operand of a product has.
pub trait Operand<R: Ring> {
    /// Where they lie.
    const BOUND: Bound;
}

/// Any, centred.
pub struct Any;

impl<R: Ring> Operand<R> for Any {
    const BOUND: Bound = Bound::centred(R::Q);
}

/// At most [`Ring::SMALL`] in absolute value.
pub struct Small;

impl<R: Ring> Operand<R> for Small {
    const BOUND: Bound = Bound::symmetric(R::SMALL as i64);
}
