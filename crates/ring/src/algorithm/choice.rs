//! Choices as types, known to the compiler: kernels that differ in one choice share their source.

use crate::bound::Bound;
use crate::reduce::residues::{Arithmetic, Residues};
use crate::ring::Ring;
use core::marker::PhantomData;
use ringsmith_simd::Simd;

/// Which way a transform goes.
pub(crate) trait Direction {
    /// Whether it is the inverse.
    const INVERSE: bool;
}

/// Into the domain.
pub(crate) struct Forward;

impl Direction for Forward {
    const INVERSE: bool = false;
}

/// Back out of it.
pub(crate) struct Inverse;

impl Direction for Inverse {
    const INVERSE: bool = true;
}

/// The range of the coefficients of a product's second operand.
pub trait Operand {
    /// Where they lie.
    const BOUND: Bound;
}

/// Any of a ring, centred.
pub(crate) struct Any<R>(PhantomData<R>);

impl<R: Ring> Operand for Any<R> {
    const BOUND: Bound = Bound::centred(R::Q);
}

/// At most [`Ring::SMALL`] in absolute value.
pub(crate) struct Small<R>(PhantomData<R>);

impl<R: Ring> Operand for Small<R> {
    const BOUND: Bound = Bound::symmetric(R::SMALL as i64);
}

/// Whether a term is added or subtracted.
pub trait Sign {
    /// `a + b` or `a - b`, in words.
    fn sum<S: Simd>(s: S, a: S::I16, b: S::I16) -> S::I16;
    /// The same in double words.
    fn sum32<S: Simd>(s: S, a: S::I32, b: S::I32) -> S::I32;
    /// The same in bytes.
    fn sum8<S: Simd>(s: S, a: S::I16, b: S::I16) -> S::I16;
}

/// It is added.
pub(crate) struct Plus;

impl Sign for Plus {
    #[inline(always)]
    fn sum<S: Simd>(s: S, a: S::I16, b: S::I16) -> S::I16 {
        s.add(a, b)
    }
    #[inline(always)]
    fn sum32<S: Simd>(s: S, a: S::I32, b: S::I32) -> S::I32 {
        s.add32(a, b)
    }
    #[inline(always)]
    fn sum8<S: Simd>(s: S, a: S::I16, b: S::I16) -> S::I16 {
        s.add8(a, b)
    }
}

/// It is taken off.
pub(crate) struct Minus;

impl Sign for Minus {
    #[inline(always)]
    fn sum<S: Simd>(s: S, a: S::I16, b: S::I16) -> S::I16 {
        s.sub(a, b)
    }
    #[inline(always)]
    fn sum32<S: Simd>(s: S, a: S::I32, b: S::I32) -> S::I32 {
        s.sub32(a, b)
    }
    #[inline(always)]
    fn sum8<S: Simd>(s: S, a: S::I16, b: S::I16) -> S::I16 {
        s.sub8(a, b)
    }
}

/// Residues that are shrunk.
pub(crate) struct Shrunk<M>(PhantomData<M>);

impl<M: Residues> Operand for Shrunk<M> {
    const BOUND: Bound = M::MODULUS.operand();
}

/// How the coefficients of a product are centred in the last step.
pub trait LastStep {
    /// The centred representative.
    fn centre<S: Simd, M: Arithmetic>(s: S, by: M, x: S::I16) -> S::I16;
}

/// Of products without a factor.
pub struct Shrink;

impl LastStep for Shrink {
    #[inline(always)]
    fn centre<S: Simd, M: Arithmetic>(s: S, by: M, x: S::I16) -> S::I16 {
        by.shrink(s, x)
    }
}

/// Of products with the factor of [`Arithmetic::reduce_wide`].
pub struct Finish;

impl LastStep for Finish {
    #[inline(always)]
    fn centre<S: Simd, M: Arithmetic>(s: S, by: M, x: S::I16) -> S::I16 {
        by.finish(s, x)
    }
}
