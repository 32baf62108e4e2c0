//! Modulus polynomials, as a user writes them.

use crate::error::MAX_DEGREE;
use crate::memory::reserve;
use crate::{ParseError, RingError};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// A polynomial with integer coefficients, given by its terms: the `f` of `Z_q[x]/(f)`.
///
/// ```
/// use ringsmith_any::Polynomial;
///
/// let f: Polynomial = "x^761 - x - 1".parse()?;
/// assert_eq!(f.degree(), 761);
/// assert_eq!(f, Polynomial::new(&[(761, 1), (0, -1), (1, -1)])?);
/// assert_eq!(f.to_string(), "x^761-x-1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polynomial {
    /// Exponents and coefficients, from the greatest exponent down; no coefficient is 0, and all are below
    /// `2^64` in absolute value.
    terms: Vec<(usize, i128)>,
}

impl Polynomial {
    /// The sum of these terms, each an exponent and a coefficient, in any order.
    ///
    /// # Errors
    /// Where an exponent is above 65536, a sum's absolute value is `2^64` or more, or there is no memory.
    pub fn new(terms: &[(usize, i64)]) -> Result<Self, RingError> {
        let mut sum = reserve(terms.len())?;
        sum.extend(terms.iter().map(|(exponent, coefficient)| (*exponent, i128::from(*coefficient))));
        Self::sum(sum)
    }

    /// The polynomial of all these coefficients, the constant term first.
    ///
    /// # Errors
    /// Where there are more than 65537, or there is no memory.
    pub fn dense(coefficients: &[u64]) -> Result<Self, RingError> {
        let mut terms = reserve(coefficients.len())?;
        terms.extend(coefficients.iter().map(|x| i128::from(*x)).enumerate());
        Self::sum(terms)
    }

    /// Terms with the same exponent are added, at most `2^17` of them and each below `2^64`.
    pub(crate) fn sum(mut terms: Vec<(usize, i128)>) -> Result<Self, RingError> {
        // Sums do not depend on the order of terms with the same exponent; a stable sort would allocate.
        terms.sort_unstable_by_key(|(exponent, _)| core::cmp::Reverse(*exponent));
        terms.dedup_by(|(next, add), (exponent, sum)| {
            let same = next == exponent;
            *sum += if same { *add } else { 0 };
            same
        });
        terms.retain(|(_, coefficient)| *coefficient != 0);
        match terms.first() {
            Some((n, _)) if *n > MAX_DEGREE => Err(RingError::Degree { n: *n }),
            // What is written can be read.
            _ if terms.iter().any(|(_, x)| x.unsigned_abs() > u128::from(u64::MAX)) => Err(RingError::Range),
            _ => Ok(Polynomial { terms }),
        }
    }

    /// A copy, or an error where there is no memory.
    pub(crate) fn copy(&self) -> Result<Self, RingError> {
        let mut terms = reserve(self.terms.len())?;
        terms.extend_from_slice(&self.terms);
        Ok(Polynomial { terms })
    }

    /// The degree; 0 of the polynomial 0.
    pub fn degree(&self) -> usize {
        self.terms.first().map_or(0, |(exponent, _)| *exponent)
    }

    /// Exponents and coefficients, none of which is 0, from the greatest exponent down.
    pub fn terms(&self) -> impl Iterator<Item = (usize, i128)> + '_ {
        self.terms.iter().copied()
    }
}

impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("0");
        }
        for (i, (exponent, coefficient)) in self.terms.iter().enumerate() {
            match (coefficient < &0, i) {
                (true, _) => f.write_str("-")?,
                (false, 0) => {}
                (false, _) => f.write_str("+")?,
            }
            let size = coefficient.unsigned_abs();
            match (size, exponent) {
                (size, 0) => write!(f, "{size}")?,
                (1, 1) => f.write_str("x")?,
                (1, exponent) => write!(f, "x^{exponent}")?,
                (size, 1) => write!(f, "{size}x")?,
                (size, exponent) => write!(f, "{size}x^{exponent}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Polynomial {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        crate::parse::polynomial(text)
    }
}
