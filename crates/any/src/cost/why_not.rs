//! Why a ring has no such method.

use core::fmt;

/// Why a method cannot be used for a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WhyNot {
    /// `f` is not `x^n - 1` or `x^n + 1` with a power of two `n`.
    Form,
    /// The degree is so small that the definition is faster on every machine.
    Small {
        /// The least degree of transforms.
        least: usize,
    },
    /// `q` is no prime, or has no roots of unity.
    Roots {
        /// The order of the root that the shortest transform needs.
        order: usize,
    },
    /// The primes do not hold the coefficients of a product.
    Bits {
        /// The bits of a coefficient.
        needs: u32,
        /// Those that the primes hold.
        holds: u32,
    },
    /// Fewer primes hold the coefficients.
    Fewer,
    /// Transforms hold fewer coefficients than a product has.
    Short {
        /// The coefficients of a product.
        needs: usize,
    },
    /// `f` has many terms.
    Terms {
        /// Its terms, but for the leading one.
        has: usize,
        /// As many are folded.
        most: usize,
    },
    /// The coefficients of a remainder over the integers outgrow all primes.
    Growth,
    /// Wrapped transforms take half of the length.
    Wraps,
    /// No prime holds the digits of a product of packed operands.
    Digits,
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyNot::Form => f.write_str("needs f = x^n - 1 or x^n + 1 with a power of two n"),
            WhyNot::Small { least } => write!(f, "below degree {least} the definition is faster"),
            WhyNot::Roots { order } => write!(f, "needs a prime q with q - 1 a multiple of {order}"),
            WhyNot::Bits { needs, holds } => {
                write!(f, "a coefficient over the integers has {needs} bits, and {holds} are held")
            }
            WhyNot::Fewer => f.write_str("fewer primes hold the coefficients"),
            WhyNot::Short { needs } => write!(f, "a product has {needs} coefficients"),
            WhyNot::Terms { has, most } => {
                write!(f, "f has {has} terms below x^n, and residues are folded by {most} at most")
            }
            WhyNot::Growth => f.write_str("remainders over the integers outgrow all primes"),
            WhyNot::Digits => f.write_str("no prime holds the three digits of a product"),
            WhyNot::Wraps => f.write_str("transforms of half the length wrap as f does"),
        }
    }
}
