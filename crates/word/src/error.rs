//! What can be wrong with a ring's parameters or an operand.

use core::fmt;

/// Why there is no such ring, or why it does not take an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WordError {
    /// The degree is no power of two from 2 to `2^17`.
    Degree {
        /// The degree.
        n: usize,
    },
    /// The modulus has more than 46 bits.
    TooLarge {
        /// The modulus.
        p: u64,
    },
    /// The modulus is no odd prime.
    NotPrime {
        /// The modulus.
        p: u64,
    },
    /// `p - 1` is no multiple of the order that the roots of unity must have.
    Roots {
        /// The modulus.
        p: u64,
        /// That order.
        order: usize,
    },
    /// There is no memory.
    Memory,
    /// The operand has another number of coefficients than the ring.
    Length {
        /// How many the ring has.
        needs: usize,
        /// How many the operand has.
        has: usize,
    },
    /// A coefficient is not below the modulus.
    Range {
        /// The modulus.
        p: u64,
    },
    /// The operand is of a ring with another degree, modulus or modulus polynomial.
    OtherRing,
}

impl fmt::Display for WordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WordError::Degree { n } => {
                write!(f, "the degree {n} is no power of two from 2 to {}", crate::bounds::MAX_DEGREE)
            }
            WordError::TooLarge { p } => {
                write!(f, "the modulus {p} has more than {} bits", crate::bounds::PRIME_BITS)
            }
            WordError::NotPrime { p } => write!(f, "the modulus {p} is no odd prime"),
            WordError::Roots { p, order } => {
                write!(
                    f,
                    "the modulus {p} has no root of unity of order {order}: it must be 1 modulo {order}"
                )
            }
            WordError::Memory => f.write_str("there is not enough memory"),
            WordError::Length { needs, has } => {
                write!(f, "the ring has {needs} coefficients, the operand {has}")
            }
            WordError::Range { p } => write!(f, "a coefficient is not in [0, {p})"),
            WordError::OtherRing => f.write_str("the operand is of another ring"),
        }
    }
}

impl core::error::Error for WordError {}
