//! Operands: one of each prime's ring.

use crate::memory::reserve;
use crate::{Polynomial, Prepared, Transformed, WordError};
use alloc::vec::Vec;
use core::fmt;
use core::mem::replace;

/// An operand of one prime's ring. One type for all, so that an operation changes what a limb is where it
/// stands.
pub(super) enum Limb {
    Polynomial(Polynomial),
    Transformed(Transformed),
    Prepared(Prepared),
    /// What an operation has taken, and not given back.
    Taken,
}

/// The limb as what it must be: operands have limbs of one kind.
macro_rules! as_kind {
    ($($kind:ident $of:ident $of_mut:ident)*) => { $(
        impl Limb {
            /// The limb as what it must be.
            pub(super) fn $of(&self) -> Result<&$kind, WordError> {
                match self {
                    Limb::$kind(limb) => Ok(limb),
                    _ => Err(WordError::OtherRing),
                }
            }

            /// The same.
            pub(super) fn $of_mut(&mut self) -> Result<&mut $kind, WordError> {
                match self {
                    Limb::$kind(limb) => Ok(limb),
                    _ => Err(WordError::OtherRing),
                }
            }
        }
    )* };
}

as_kind! {
    Polynomial polynomial polynomial_mut
    Transformed transformed transformed_mut
    Prepared prepared prepared_mut
}

impl Limb {
    /// The limb as what it must be, taken.
    pub(super) fn take_polynomial(&mut self) -> Result<Polynomial, WordError> {
        match replace(self, Limb::Taken) {
            Limb::Polynomial(limb) => Ok(limb),
            _ => Err(WordError::OtherRing),
        }
    }

    /// The same.
    pub(super) fn take_transformed(&mut self) -> Result<Transformed, WordError> {
        match replace(self, Limb::Taken) {
            Limb::Transformed(limb) => Ok(limb),
            _ => Err(WordError::OtherRing),
        }
    }

    /// A copy of what is copied.
    fn copy(&self) -> Result<Self, WordError> {
        Ok(match self {
            Limb::Polynomial(limb) => Limb::Polynomial(limb.try_clone()?),
            Limb::Transformed(limb) => Limb::Transformed(limb.try_clone()?),
            Limb::Prepared(_) | Limb::Taken => return Err(WordError::OtherRing),
        })
    }
}

/// Limbs, made one after the other.
pub(super) fn collect(
    count: usize,
    make: impl Fn(usize) -> Result<Limb, WordError>,
) -> Result<Vec<Limb>, WordError> {
    let mut limbs = reserve(count)?;
    for i in 0..count {
        limbs.push(make(i)?);
    }
    Ok(limbs)
}

/// A polynomial of an [`RnsRing`](crate::RnsRing). Cleared when it is dropped, and not printed.
pub struct RnsPolynomial(pub(super) Vec<Limb>);

/// The values of a polynomial: what [`RnsRing::forward`](crate::RnsRing::forward) makes. Cleared when it is
/// dropped, and not printed.
pub struct RnsTransformed(pub(super) Vec<Limb>);

/// A transform that is prepared as the second factor of many products. Cleared when it is dropped, and not
/// printed.
pub struct RnsPrepared(pub(super) Vec<Limb>);

/// What operands tell of their limbs, and nothing of their values.
macro_rules! limbs {
    ($($operand:ident $limb:ident $of:ident $of_mut:ident)*) => { $(
        impl $operand {
            /// What it is modulo prime `i` of its ring, an operand of
            /// [`RnsRing::limb(i)`](crate::RnsRing::limb).
            pub fn limb(&self, i: usize) -> Option<&$limb> {
                self.0.get(i)?.$of().ok()
            }

            /// The same, to be worked on by that ring.
            pub fn limb_mut(&mut self, i: usize) -> Option<&mut $limb> {
                self.0.get_mut(i)?.$of_mut().ok()
            }
        }

        impl fmt::Debug for $operand {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($operand), " modulo {} primes"), self.0.len())
            }
        }
    )* };
}

limbs! {
    RnsPolynomial Polynomial polynomial polynomial_mut
    RnsTransformed Transformed transformed transformed_mut
    RnsPrepared Prepared prepared prepared_mut
}

/// Operands of which there are copies.
macro_rules! copied {
    ($($operand:ident)*) => { $(
        impl $operand {
            /// A copy.
            ///
            /// # Errors
            /// Where there is no memory.
            pub fn try_clone(&self) -> Result<Self, WordError> {
                Ok($operand(collect(self.0.len(), |i| self.0[i].copy())?))
            }
        }
    )* };
}

copied!(RnsPolynomial RnsTransformed);
