//! Elements of rings.
//!
//! An element is a [`Poly`]: `n` centred representatives (`|x| <= q/2`), in rows of 16 and padded with zeros
//! to whole rows.

use crate::bound::{Bound, hold};
use crate::memory::Coefficients;
use crate::ring::Ring;
use core::fmt;
use zeroize::Zeroize;

/// An element of a ring: `n` centred coefficients.
///
/// Holds whatever it is given, public or secret; so it has no `Debug`, and [`Zeroize`] clears it.
#[derive(Clone, Copy)]
pub struct Poly<R: Ring> {
    pub(crate) coeffs: R::Coeffs,
}

/// An element whose coefficients are at most [`Ring::SMALL`] in absolute value: noise, or a ternary secret.
#[derive(Clone, Copy)]
pub struct Small<R: Ring> {
    pub(crate) coeffs: R::Coeffs,
}

/// Coefficients that are no element of the ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PolyError {
    /// Not `n` coefficients.
    Length {
        /// How many the ring has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// A coefficient outside the accepted range.
    Range {
        /// Its index.
        index: usize,
        /// The least value accepted.
        low: i64,
        /// The greatest value accepted.
        high: i64,
    },
}

impl fmt::Display for PolyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PolyError::Length { expected, given } => {
                write!(f, "{given} coefficients where the ring has {expected}")
            }
            PolyError::Range { index, low, high } => {
                write!(f, "coefficient {index} is out of range: {low} to {high} are accepted")
            }
        }
    }
}

impl core::error::Error for PolyError {}

/// Copies checked coefficients into rows; `accept` gives the stored representative. Looks at every
/// coefficient whatever it finds; which one is out of range is no secret, the values are not looked at
/// otherwise.
fn fill<R: Ring, T: Copy + Into<i64>>(values: &[T], low: i64, high: i64) -> Result<R::Coeffs, PolyError> {
    if values.len() != R::N {
        return Err(PolyError::Length { expected: R::N, given: values.len() });
    }
    let mut coeffs = R::Coeffs::ZERO;
    let mut bad = None;
    for (index, (to, from)) in coeffs.rows_mut().as_flattened_mut().iter_mut().zip(values).enumerate() {
        let x: i64 = (*from).into();
        if !(low..=high).contains(&x) && bad.is_none() {
            bad = Some(PolyError::Range { index, low, high });
        }
        // Centred without a branch: -1 (all ones) where x exceeds the largest centred representative.
        // Wrapping, for the sake of values that are refused anyway.
        let above = ((R::Q - 1) / 2).wrapping_sub(x) >> 63;
        *to = x.wrapping_sub(above & R::Q) as i16;
    }
    bad.map_or(Ok(coeffs), Err)
}

impl<R: Ring> Poly<R> {
    /// The zero polynomial.
    pub fn zero() -> Self {
        Poly { coeffs: R::Coeffs::ZERO }
    }

    /// From `n` coefficients, the constant term first: canonical (`0` to `q - 1`), centred (from `-q/2`), or
    /// a mixture.
    ///
    /// # Errors
    /// [`PolyError::Length`], or [`PolyError::Range`] with the first offending index.
    pub fn new<T: Copy + Into<i64>>(values: &[T]) -> Result<Self, PolyError> {
        Ok(Poly { coeffs: fill::<R, T>(values, -(R::Q / 2), R::Q - 1)? })
    }

    /// The `n` coefficients, centred.
    pub fn centred(&self) -> &[i16] {
        &self.coeffs.rows().as_flattened()[..R::N]
    }

    /// Coefficient `i` in `[0, q)`; constant time in the coefficients.
    pub fn canonical(&self) -> impl Iterator<Item = i16> + '_ {
        self.centred().iter().map(|x| x + ((x >> 15) & R::Q as i16))
    }

    /// Whether every coefficient is centred: an invariant, checked by debug builds.
    pub(crate) fn is_centred(&self) -> bool {
        hold(self.centred(), Bound::centred(R::Q))
    }

    /// The coefficients in rows, padded with zeros.
    pub fn coeffs(&self) -> &R::Coeffs {
        &self.coeffs
    }

    /// The same, to write: the coefficients must be centred, and zeros behind them. Debug builds check it
    /// where the element is multiplied.
    pub fn coeffs_mut(&mut self) -> &mut R::Coeffs {
        &mut self.coeffs
    }
}

impl<R: Ring> Small<R> {
    /// The zero polynomial.
    pub fn zero() -> Self {
        Small { coeffs: R::Coeffs::ZERO }
    }

    /// From `n` coefficients of absolute value at most [`Ring::SMALL`].
    ///
    /// # Errors
    /// [`PolyError::Length`], or [`PolyError::Range`] with the first offending index.
    pub fn new<T: Copy + Into<i64>>(values: &[T]) -> Result<Self, PolyError> {
        let bound = R::SMALL as i64;
        Ok(Small { coeffs: fill::<R, T>(values, -bound, bound)? })
    }

    /// The same element, its bound forgotten.
    pub fn widen(&self) -> Poly<R> {
        Poly { coeffs: self.coeffs }
    }

    /// Coefficients in rows, padded with zeros.
    pub fn coeffs(&self) -> &R::Coeffs {
        &self.coeffs
    }

    /// The same, to write: coefficients of absolute value at most [`Ring::SMALL`], and zeros behind them.
    pub fn coeffs_mut(&mut self) -> &mut R::Coeffs {
        &mut self.coeffs
    }

    /// The `n` coefficients.
    pub fn centred(&self) -> &[i16] {
        &self.coeffs.rows().as_flattened()[..R::N]
    }
}

impl<R: Ring> Zeroize for Poly<R> {
    fn zeroize(&mut self) {
        self.coeffs.zeroize();
    }
}

impl<R: Ring> Zeroize for Small<R> {
    fn zeroize(&mut self) {
        self.coeffs.zeroize();
    }
}
