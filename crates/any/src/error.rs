//! Errors in a ring or an operand.

use core::fmt;
use ringsmith_word::WordError;

/// The greatest degree.
pub const MAX_DEGREE: usize = 1 << 16;
/// The bits of the greatest modulus: `q` is at most `2^62`.
pub const MAX_BITS: u32 = crate::zq::BITS;

/// Why a ring cannot be made, or why it rejects an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RingError {
    /// `q` is not from 2 to `2^62`.
    Modulus {
        /// The modulus.
        q: u64,
    },
    /// The degree of `f` is not from 1 to 65536.
    Degree {
        /// The degree.
        n: usize,
    },
    /// The leading coefficient of `f` is not 1.
    NotMonic,
    /// The operand has another number of coefficients.
    Length {
        /// How many it must have.
        needs: usize,
        /// How many it has.
        has: usize,
    },
    /// A coefficient is not in `[0, q)`, or not within the bound of small operands.
    Range,
    /// The bound of small operands is not from 1 to `q / 2`.
    Bound {
        /// The bound.
        bound: u64,
        /// The modulus.
        q: u64,
    },
    /// A sum has no products, or more than the ring's operands say, which is `2^16` at most; or inverses are
    /// asked for in a ring of small operands.
    Operands,
    /// Inverses are computed only modulo powers of primes, and up to degree 4096.
    Inverses {
        /// The modulus.
        q: u64,
        /// The degree.
        n: usize,
    },
    /// The element has no inverse.
    NoInverse,
    /// The operand was prepared for another ring, or on a CPU with other lanes.
    OtherRing,
    /// The ring has no such method.
    Method,
    /// There is no memory.
    Memory,
}

impl fmt::Display for RingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RingError::Modulus { q } => write!(f, "the modulus {q} is not from 2 to 2^{MAX_BITS}"),
            RingError::Degree { n } => write!(f, "the degree {n} is not from 1 to {MAX_DEGREE}"),
            RingError::NotMonic => f.write_str("the modulus polynomial's leading coefficient is not 1"),
            RingError::Length { needs, has } => {
                write!(f, "the operand has {has} coefficients instead of {needs}")
            }
            RingError::Range => f.write_str("a coefficient is out of range"),
            RingError::Bound { bound, q: q @ (2 | 3) } => {
                write!(f, "the bound {bound} of small operands is not 1, all that there is modulo {q}")
            }
            RingError::Bound { bound, q } => write!(
                f,
                "the bound {bound} of small operands is not from 1 to {}, half of the modulus rounded down",
                q / 2
            ),
            RingError::Operands => f.write_str("the ring was not made for such operands"),
            RingError::Inverses { q, n } => write!(
                f,
                "there are inverses modulo powers of primes, up to degree {}: not modulo {q} of degree {n}",
                crate::inverse::MAX_DEGREE
            ),
            RingError::NoInverse => f.write_str("the element has no inverse"),
            RingError::OtherRing => f.write_str("the operand was prepared for another ring"),
            RingError::Method => f.write_str("the ring has no such method"),
            RingError::Memory => f.write_str("there is not enough memory"),
        }
    }
}

impl core::error::Error for RingError {}

/// Rings of words are made by this crate alone, of parameters that serve.
impl From<WordError> for RingError {
    fn from(why: WordError) -> Self {
        match why {
            WordError::Range { .. } => RingError::Range,
            WordError::Length { needs, has } => RingError::Length { needs, has },
            WordError::OtherRing => RingError::OtherRing,
            _ => RingError::Memory,
        }
    }
}
