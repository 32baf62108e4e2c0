//! Choices that the compiler knows, as types: kernels that differ in one of them share their text.

use crate::bound::Bound;
use crate::ring::Ring;
use ringsmith_simd::Simd;

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

/// Whether a term is added or taken off.
pub trait Sign {
    /// `a + b` or `a - b`, in words.
    fn sum<S: Simd>(s: S, a: S::I16, b: S::I16) -> S::I16;
    /// The same in double words.
    fn sum32<S: Simd>(s: S, a: S::I32, b: S::I32) -> S::I32;
}

/// It is added.
pub struct Plus;

impl Sign for Plus {
    #[inline(always)]
    fn sum<S: Simd>(s: S, a: S::I16, b: S::I16) -> S::I16 {
        s.add(a, b)
    }
    #[inline(always)]
    fn sum32<S: Simd>(s: S, a: S::I32, b: S::I32) -> S::I32 {
        s.add32(a, b)
    }
}

/// It is taken off.
pub struct Minus;

impl Sign for Minus {
    #[inline(always)]
    fn sum<S: Simd>(s: S, a: S::I16, b: S::I16) -> S::I16 {
        s.sub(a, b)
    }
    #[inline(always)]
    fn sum32<S: Simd>(s: S, a: S::I32, b: S::I32) -> S::I32 {
        s.sub32(a, b)
    }
}
