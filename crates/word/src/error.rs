//! Errors in the parameters of a ring or in an operand.

use crate::quadratic;
use core::fmt;

/// Why a ring cannot be made, or why it rejects an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WordError {
    /// The degree is no power of two from 2 to `2^17`.
    Degree {
        /// The degree.
        n: usize,
    },
    /// The modulus has too many bits.
    TooLarge {
        /// The modulus.
        p: u64,
        /// How many it may have: 62, or 50 in a ring of several primes.
        bits: u32,
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
    /// The operand is of a ring with another degree, modulus or modulus polynomial, or with other lanes.
    OtherRing,
    /// A ring of several primes must have 1 to 64 primes.
    Primes {
        /// How many there are.
        count: usize,
    },
    /// A prime is in a ring's list twice.
    Repeated {
        /// The prime.
        p: u64,
    },
    /// Coefficients of several words are given or requested in a number of words that is not the ring's.
    Words {
        /// How many the ring's coefficients have together.
        needs: usize,
        /// How many the operand has.
        has: usize,
    },
    /// A coefficient is not below the product of the primes.
    Product,
    /// K-RED does not work for this modulus: it must be below `2^26` and 1 modulo `2^14`.
    #[cfg(feature = "k-red")]
    KRed {
        /// The modulus.
        p: u64,
    },
    /// A product without transforms is one modulo `x^n - 1` or `x^n + 1`, of 64 to 4096 coefficients, and a
    /// prime of at most 26 bits.
    Quadratic {
        /// The degree.
        n: usize,
        /// The modulus.
        p: u64,
    },
    /// A step of an interleaved multiplication has another number of coefficients than 1, 2, 4, .. 64.
    Step {
        /// That number.
        word: usize,
    },
}

impl fmt::Display for WordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WordError::Degree { n } => {
                write!(f, "the degree {n} is no power of two from 2 to {}", crate::bounds::MAX_DEGREE)
            }
            WordError::TooLarge { p, bits } => write!(f, "the modulus {p} has more than {bits} bits"),
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
            WordError::OtherRing => f.write_str("the operand is of another ring, or of one with other lanes"),
            WordError::Primes { count } => {
                write!(f, "a ring has 1 to {} primes, not {count}", crate::rns::MAX_PRIMES)
            }
            WordError::Repeated { p } => write!(f, "the prime {p} is listed twice"),
            WordError::Words { needs, has } => {
                write!(f, "the ring's coefficients take {needs} words, the operand has {has}")
            }
            WordError::Product => f.write_str("a coefficient is not below the product of the primes"),
            #[cfg(feature = "k-red")]
            WordError::KRed { p } => {
                let bits = crate::k_red::PRIME_BITS;
                let order = 1 << crate::k_red::M;
                write!(f, "K-RED takes moduli below 2^{bits} that are 1 modulo {order}, not {p}")
            }
            WordError::Quadratic { n, p } => write!(
                f,
                "a product without transforms is modulo x^n - 1 or x^n + 1, has {} to {} coefficients and a \
                 modulus of at most {} bits, \
                 not {n} and {p}",
                quadratic::LONGEST,
                quadratic::MAX_DEGREE,
                quadratic::PRIME_BITS
            ),
            WordError::Step { word } => {
                write!(f, "a step takes 1, 2, 4, .. {} coefficients, not {word}", quadratic::LONGEST)
            }
        }
    }
}

impl core::error::Error for WordError {}
