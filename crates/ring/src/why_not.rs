//! Why a route cannot serve a ring, as an error that says what it needs.

use crate::ring::Shape;
use core::fmt;

/// Why a route cannot serve a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WhyNot {
    /// The route needs another form of modulus polynomial.
    Shape {
        /// The one it needs.
        needs: Shape,
    },
    /// The degree is no power of two.
    Degree,
    /// The modulus is no odd prime.
    Modulus,
    /// The modulus is even.
    Even,
    /// The modulus is so large, or so small, that a lane would overflow, or that a reduction would not be
    /// exact.
    Bounds,
    /// `q - 1` is no multiple of the order that the roots of unity must have.
    Roots {
        /// That order.
        order: usize,
    },
    /// The transform does not stop at residues of this degree.
    Base {
        /// From this degree on.
        min: usize,
    },
    /// The degree is not that of 128 residues of the base degree.
    Residues {
        /// That degree.
        needs: usize,
    },
    /// `q - 1` has no divisor of the size of a product in rows that is a product of two coprime small
    /// numbers.
    Divisor,
    /// The auxiliary primes do not hold the product's coefficients, or their transforms not the product.
    Auxiliary,
    /// The algorithm inside is none that serves products of parts.
    Inside,
    /// 2 has no square root modulo `q`.
    RootOfTwo,
    /// The product has more coefficients than a transform holds.
    Length {
        /// How many it holds.
        max: usize,
    },
    /// K-RED needs `q = k 2^m + l` or `k 2^m - l` with small `k` and `l`; here `l = 1` at the most.
    KRedForm,
    /// The paper places its reductions for one modulus alone; elsewhere a lane would overflow.
    PaperModulus {
        /// That modulus.
        q: i64,
    },
    /// Toom and Cook's points need three to five parts, and a modulus in which what is divided by has an
    /// inverse.
    Points,
    /// The modulus is no power of two.
    PowerOfTwo,
    /// The modulus is no power of two, or the degree beyond all size classes.
    Wrapping,
    /// Divisions take bits off words that wrap, more than the modulus leaves.
    Bits {
        /// How many the outermost product loses that does not fit.
        lost: u32,
    },
    /// The operands have too few rows of 16 to be cut so often, or no whole number of rows a part.
    Rows {
        /// How many rows an operand has.
        rows: usize,
    },
    /// A step takes no coefficient, or too many; or the degree is below that of the longest step.
    Word,
    /// The bounds are right, but this route is not among those compiled for the ring.
    NotCompiled,
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            WhyNot::Shape { needs } => {
                let form = match needs {
                    Shape::Cyclic => "x^n-1",
                    Shape::Negacyclic => "x^n+1",
                    Shape::HalfTrinomial => "x^n-x^(n/2)+1",
                    Shape::PrimeTrinomial => "x^n-x-1",
                };
                write!(f, "needs a ring of the form {form}")
            }
            WhyNot::Degree => f.write_str("needs a power of two as degree, 256 to 1024"),
            WhyNot::Modulus => f.write_str("needs an odd prime modulus"),
            WhyNot::Even => f.write_str("needs an odd modulus"),
            WhyNot::Bounds => f.write_str("a lane of 16 bits would overflow modulo this number"),
            WhyNot::Roots { order } => {
                write!(f, "needs roots of unity of order {order}: q - 1 is no multiple of it")
            }
            WhyNot::Base { min: 1 } => f.write_str("the base degree must be 1, 2, 4, 6 or 8"),
            WhyNot::Base { .. } => f.write_str("the base degree must be 4, 6 or 8"),
            WhyNot::Residues { needs } => write!(f, "needs 128 residues: degree {needs}"),
            WhyNot::Divisor => {
                f.write_str("needs a smooth divisor of q - 1 of the size of a product in rows")
            }
            WhyNot::Auxiliary => f.write_str("the product is too large for the auxiliary primes"),
            WhyNot::Inside => f.write_str("products of parts are by schoolbook or karatsuba:LEVELS"),
            WhyNot::RootOfTwo => f.write_str("needs a square root of 2"),
            WhyNot::Length { max } => write!(f, "the product has more than {max} coefficients"),
            WhyNot::KRedForm => f.write_str("needs q = k 2^m +- 1 with a small k, and a complete transform"),
            WhyNot::PaperModulus { q } => write!(f, "the paper places its reductions for q = {q} alone"),
            WhyNot::Rows { rows } => {
                write!(f, "its {rows} rows of 16 coefficients cannot be cut into so many equal parts")
            }
            WhyNot::Points => {
                f.write_str("needs 3 to 5 parts, and an odd prime modulus below 2^14 or a power of two")
            }
            WhyNot::PowerOfTwo => f.write_str("needs a power of two as modulus, up to 2^16"),
            WhyNot::Wrapping => f.write_str("needs a power of two as modulus, and a degree up to 1536"),
            WhyNot::Bits { lost } => {
                write!(
                    f,
                    "loses {lost} of 16 bits in one of its products, more than are left above the modulus"
                )
            }
            WhyNot::Word => f.write_str("a step takes 1 to 64 coefficients, and the degree is 64 or more"),
            WhyNot::NotCompiled => f.write_str("possible, but not compiled into the library for this ring"),
        }
    }
}

impl core::error::Error for WhyNot {}
