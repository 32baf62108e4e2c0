//! Routes: which algorithm multiplies, as plain data with a stable text form.
//!
//! A route's text is its id in the command line and in the benchmarks: `rows`, `ntt:2`, `karatsuba:3`.
//! [`Route::applies`] says why an algorithm cannot serve a ring.

use crate::algorithm::good_thomas;
use crate::algorithm::rows::cyclic::geometry::Geometry;
use crate::algorithm::rows::cyclic::{self, MOST_ROWS, MOST_WRAPPED};
use crate::algorithm::{rader, rns, schoenhage, toom_cook};
use crate::multiplier::Entry;
use crate::number::is_prime;
use crate::reduce::barrett;
use crate::ring::{Ring, Shape};
use core::fmt;
use core::str::FromStr;

/// Where the K-RED transforms reduce additionally.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Placement {
    /// Where the bounds of 32-bit products demand it, found by the compile-time analysis.
    Analysis,
    /// Where Longa and Naehrig put them (64-bit products; m = 128 forward, m = 32 inverse).
    Paper,
}

/// An algorithm inside another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Inner {
    /// The transform across rows.
    Rows,
    /// Good and Thomas' transforms of three rings.
    GoodThomas,
}

/// An algorithm with its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Route {
    /// The number-theoretic transform in 16-bit lanes down to residues of degree `base` (1: complete).
    Ntt {
        /// The degree of the residues: 1, 2, 4, 6 or 8.
        base: usize,
    },
    /// The same, residues being multiplied by one iteration of Karatsuba.
    NttKaratsuba {
        /// The degree of the residues: 4, 6 or 8.
        base: usize,
    },
    /// The transform across rows with base products by pairwise multiply-add.
    Rows,
    /// Products modulo auxiliary primes, made whole by the Chinese remainder theorem.
    Rns {
        /// How many primes there are; where they hold a product, it is had of fewer.
        primes: usize,
        /// How products modulo a prime are had.
        inner: Inner,
    },
    /// Rader's transform of 17 points, Bruun's splits, and Karatsuba.
    Rader,
    /// A transform over polynomials, whose roots of unity are powers of `x`.
    Schoenhage,
    /// The transform in 32-bit lanes with K-RED.
    KRed(Placement),
    /// Every product of coefficients.
    Schoolbook,
    /// Karatsuba, recursively, `levels` deep, schoolbook inside.
    Karatsuba {
        /// How often the operands are halved.
        levels: u32,
    },
    /// Toom and Cook's product.
    ToomCook {
        /// Into how many parts the operands are cut: 3 or 4.
        parts: usize,
    },
    /// One iteration of Karatsuba with `parts` parts (Weimerskirch and Paar), schoolbook inside.
    WeimerskirchPaar {
        /// Into how many parts the operands are cut.
        parts: usize,
    },
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Route::Ntt { base: 1 } => f.pad("ntt"),
            Route::Ntt { base } => write!(Padded(f), "ntt:{base}"),
            Route::NttKaratsuba { base } => write!(Padded(f), "ntt-karatsuba:{base}"),
            Route::Rows => f.pad("rows"),
            Route::GOOD_THOMAS => f.pad("good-thomas"),
            Route::Rns { primes, inner } => write!(Padded(f), "rns:{primes}/{inner}"),
            Route::Rader => f.pad("rader"),
            Route::Schoenhage => f.pad("schoenhage"),
            Route::KRed(Placement::Analysis) => f.pad("k-red"),
            Route::KRed(Placement::Paper) => f.pad("k-red-paper"),
            Route::Schoolbook => f.pad("schoolbook"),
            Route::Karatsuba { levels } => write!(Padded(f), "karatsuba:{levels}"),
            Route::ToomCook { parts } => write!(Padded(f), "toom-cook:{parts}"),
            Route::WeimerskirchPaar { parts } => write!(Padded(f), "weimerskirch-paar:{parts}"),
        }
    }
}

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Inner::Rows => "rows",
            Inner::GoodThomas => "good-thomas",
        })
    }
}

/// Collects a short text and pads it as the formatter asks.
struct Padded<'a, 'b>(&'a mut fmt::Formatter<'b>);
impl Padded<'_, '_> {
    fn write_fmt(&mut self, args: fmt::Arguments<'_>) -> fmt::Result {
        struct Buffer([u8; 40], usize);
        impl fmt::Write for Buffer {
            fn write_str(&mut self, s: &str) -> fmt::Result {
                let space = self.0.get_mut(self.1..self.1 + s.len()).ok_or(fmt::Error)?;
                space.copy_from_slice(s.as_bytes());
                self.1 += s.len();
                Ok(())
            }
        }
        let mut buffer = Buffer([0; 40], 0);
        fmt::write(&mut buffer, args)?;
        self.0.pad(core::str::from_utf8(&buffer.0[..buffer.1]).map_err(|_| fmt::Error)?)
    }
}

/// A text that names no route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownRoute;

impl fmt::Display for UnknownRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no such route; there are: ntt, ntt:BASE, ntt-karatsuba:BASE, rows, rns:PRIMES/INNER, \
             good-thomas, rader, schoenhage, k-red, k-red-paper, schoolbook, karatsuba:LEVELS, \
             toom-cook:PARTS, weimerskirch-paar:PARTS"
        )
    }
}

impl core::error::Error for UnknownRoute {}

impl FromStr for Route {
    type Err = UnknownRoute;
    fn from_str(text: &str) -> Result<Self, UnknownRoute> {
        if let Some(parameters) = text.strip_prefix("rns:") {
            return of_primes(parameters);
        }
        let (name, parameter) = match text.split_once(':') {
            Some((name, digits)) => (name, Some(digits.parse::<u32>().map_err(|_| UnknownRoute)?)),
            None => (text, None),
        };
        match (name, parameter) {
            ("ntt", None) => Ok(Route::Ntt { base: 1 }),
            ("ntt", Some(base)) => Ok(Route::Ntt { base: base as usize }),
            ("ntt-karatsuba", Some(base)) => Ok(Route::NttKaratsuba { base: base as usize }),
            ("rows", None) => Ok(Route::Rows),
            ("good-thomas", None) => Ok(Route::GOOD_THOMAS),
            ("rader", None) => Ok(Route::Rader),
            ("schoenhage", None) => Ok(Route::Schoenhage),
            ("k-red", None) => Ok(Route::KRed(Placement::Analysis)),
            ("k-red-paper", None) => Ok(Route::KRed(Placement::Paper)),
            ("schoolbook", None) => Ok(Route::Schoolbook),
            ("karatsuba", Some(levels)) => Ok(Route::Karatsuba { levels }),
            ("toom-cook", Some(parts)) => Ok(Route::ToomCook { parts: parts as usize }),
            ("weimerskirch-paar", Some(parts)) => Ok(Route::WeimerskirchPaar { parts: parts as usize }),
            _ => Err(UnknownRoute),
        }
    }
}

/// `PRIMES/INNER`.
fn of_primes(text: &str) -> Result<Route, UnknownRoute> {
    let (primes, inner) = text.split_once('/').ok_or(UnknownRoute)?;
    let inner = match inner {
        "rows" => Inner::Rows,
        "good-thomas" => Inner::GoodThomas,
        _ => return Err(UnknownRoute),
    };
    Ok(Route::Rns { primes: primes.parse().map_err(|_| UnknownRoute)?, inner })
}

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
        least: usize,
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
    /// 2 has no square root modulo `q`.
    RootOfTwo,
    /// The product has more coefficients than a transform holds.
    Length {
        /// How many it holds.
        most: usize,
    },
    /// K-RED needs `q = k 2^m + l` or `k 2^m - l` with small `k` and `l`; here `l = 1` at the most.
    KRedForm,
    /// The paper places its reductions for one modulus alone; elsewhere a lane would overflow.
    PaperModulus {
        /// That modulus.
        q: i64,
    },
    /// Toom and Cook's points need three or four parts, and a modulus in which what is divided by has an
    /// inverse, or which leaves bits.
    Points,
    /// The operands have too few rows of 16 to be cut so often, or no whole number of rows a part.
    Rows {
        /// How many rows an operand has.
        rows: usize,
    },
    /// A domain has its values in another order than the scheme.
    Order,
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
            WhyNot::Base { least: 1 } => f.write_str("the base degree must be 1, 2, 4, 6 or 8"),
            WhyNot::Base { .. } => f.write_str("the base degree must be 4, 6 or 8"),
            WhyNot::Residues { needs } => write!(f, "needs 128 residues: degree {needs}"),
            WhyNot::Divisor => {
                f.write_str("needs a smooth divisor of q - 1 of the size of a product in rows")
            }
            WhyNot::Auxiliary => f.write_str("the product is too large for the auxiliary primes"),
            WhyNot::RootOfTwo => f.write_str("needs a square root of 2"),
            WhyNot::Length { most } => write!(f, "the product has more than {most} coefficients"),
            WhyNot::KRedForm => f.write_str("needs q = k 2^m +- 1 with a small k, and a complete transform"),
            WhyNot::PaperModulus { q } => write!(f, "the paper places its reductions for q = {q} alone"),
            WhyNot::Rows { rows } => {
                write!(f, "its {rows} rows of 16 coefficients cannot be cut into so many equal parts")
            }
            WhyNot::Points => f.write_str(
                "needs 3 or 4 parts, and an odd prime modulus below 2^14 or a power of two to 2^13",
            ),
            WhyNot::Order => f.write_str("the domain has its values in another order"),
            WhyNot::NotCompiled => f.write_str("possible, but not compiled into the library for this ring"),
        }
    }
}

impl core::error::Error for WhyNot {}

/// The `(k, m, l)` of `q = k 2^m + l` with `l = 1` or `-1` and the largest `m`, where there are such with
/// `m >= 8`.
pub const fn k_red_form(q: i64) -> Option<(i64, u32, i64)> {
    let (plus, minus) = ((q - 1).trailing_zeros(), (q + 1).trailing_zeros());
    if plus >= minus && plus >= 8 {
        Some(((q - 1) >> plus, plus, 1))
    } else if minus >= 8 {
        Some(((q + 1) >> minus, minus, -1))
    } else {
        None
    }
}

/// The modulus of Longa and Naehrig's case study.
const PAPER_MODULUS: i64 = 12289;

impl Route {
    /// Good and Thomas' product over three primes: `good-thomas`, as it was called when it was the only one.
    pub const GOOD_THOMAS: Route = Route::Rns { primes: 3, inner: Inner::GoodThomas };
    /// The transform across rows over three primes.
    pub const ROWS_BY_PRIMES: Route = Route::Rns { primes: 3, inner: Inner::Rows };

    /// Whether this route's mathematics serves a ring, and if not, why.
    ///
    /// # Errors
    /// The first condition that fails.
    pub const fn serves(self, q: i64, n: usize, shape: Shape) -> Result<(), WhyNot> {
        if n == 0 {
            return Err(WhyNot::Rows { rows: 0 });
        }
        match self {
            Route::Ntt { base: base @ (1 | 2) } => transform_serves(q, n, shape, base),
            Route::Ntt { base } => incomplete_serves(q, n, shape, base, 1),
            Route::NttKaratsuba { base } => incomplete_serves(q, n, shape, base, 4),
            Route::Rows if matches!(shape, Shape::PrimeTrinomial) => cyclic_rows_serve(q, n),
            Route::Rows => transform_serves(q, n, shape, 16),
            Route::Rns { primes: 3, inner: Inner::GoodThomas } => good_thomas_serves(q, n),
            Route::Rns { primes: 3, inner: Inner::Rows } => rns_serves(q, n),
            Route::Rns { .. } => Err(WhyNot::Auxiliary),
            Route::Rader => rader_serves(q, n, shape),
            Route::Schoenhage => schoenhage_serves(q, n, shape),
            Route::KRed(placement) => match (transform_serves(q, n, shape, 1), k_red_form(q)) {
                (Err(why), _) => Err(why),
                (Ok(()), None) => Err(WhyNot::KRedForm),
                (Ok(()), Some(_)) if matches!(placement, Placement::Paper) && q != PAPER_MODULUS => {
                    Err(WhyNot::PaperModulus { q: PAPER_MODULUS })
                }
                (Ok(()), Some(_)) => Ok(()),
            },
            Route::Schoolbook => Ok(()),
            Route::Karatsuba { levels } => {
                let rows = n.div_ceil(16);
                if levels == 0 || levels > 6 || !rows.is_multiple_of(1 << levels) {
                    return Err(WhyNot::Rows { rows });
                }
                Ok(())
            }
            Route::ToomCook { parts } => match toom_cook::serves(q, parts) {
                true => Ok(()),
                false => Err(WhyNot::Points),
            },
            Route::WeimerskirchPaar { parts } => {
                let rows = n.div_ceil(16);
                if parts < 2 || !rows.is_multiple_of(parts) {
                    return Err(WhyNot::Rows { rows });
                }
                Ok(())
            }
        }
    }

    /// The entry of this route among those that are compiled for `R`, and if there is none, why.
    ///
    /// # Errors
    /// The first condition that fails; [`WhyNot::NotCompiled`] where none does.
    pub fn find<R: Ring>(
        self,
        entries: impl IntoIterator<Item = &'static Entry<R>>,
    ) -> Result<&'static Entry<R>, WhyNot> {
        self.serves(R::Q, R::N, R::SHAPE)?;
        entries.into_iter().find(|entry| entry.route == self).ok_or(WhyNot::NotCompiled)
    }

    /// Whether this route is the ring's own, and if not, why.
    ///
    /// # Errors
    /// As [`find`](Self::find) in [`Ring::ROUTES`].
    pub fn applies<R: Ring>(self) -> Result<(), WhyNot> {
        self.find(R::ROUTES).map(|_| ())
    }

    /// The routes that a ring of degree `n` is tried with, for tools that list them all: what applies and
    /// what does not.
    pub fn candidates() -> impl Iterator<Item = Route> {
        let transforms = [1, 2, 4, 6, 8].map(|base| Route::Ntt { base });
        let with_karatsuba = [4, 6, 8].map(|base| Route::NttKaratsuba { base });
        let k_red = [Placement::Analysis, Placement::Paper].map(Route::KRed);
        let karatsuba = [1, 2, 3, 4].map(|levels| Route::Karatsuba { levels });
        let toom_cook = [3, 4].map(|parts| Route::ToomCook { parts });
        let parts = [2, 3, 4, 6, 8].map(|parts| Route::WeimerskirchPaar { parts });
        [Route::Rows, Route::Rader, Route::Schoenhage]
            .into_iter()
            .chain(transforms)
            .chain(with_karatsuba)
            .chain(k_red)
            .chain([Route::Schoolbook, Route::ROWS_BY_PRIMES, Route::GOOD_THOMAS])
            .chain(karatsuba)
            .chain(toom_cook)
            .chain(parts)
    }
}

/// The conditions of a negacyclic transform down to residues of degree `base`.
const fn transform_serves(q: i64, n: usize, shape: Shape, base: usize) -> Result<(), WhyNot> {
    if !matches!(shape, Shape::Negacyclic) {
        return Err(WhyNot::Shape { needs: Shape::Negacyclic });
    }
    if !(n == 256 || n == 512 || n == 1024) {
        return Err(WhyNot::Degree);
    }
    if q % 2 == 0 || !is_prime(q) {
        return Err(WhyNot::Modulus);
    }
    let order = 2 * n / base;
    if (q - 1) % order as i64 != 0 {
        return Err(WhyNot::Roots { order });
    }
    Ok(())
}

/// The conditions of a cyclic transform across rows that holds a product but for a few coefficients.
const fn cyclic_rows_serve(q: i64, n: usize) -> Result<(), WhyNot> {
    if q % 2 == 0 || !is_prime(q) {
        return Err(WhyNot::Modulus);
    }
    if !barrett::serves(q) {
        return Err(WhyNot::Bounds);
    }
    let operand = n.div_ceil(16);
    let (mut rows, mut why) = (operand + 1 + (operand + 1) % 2, WhyNot::Divisor);
    if 2 * operand > rows + MOST_WRAPPED {
        rows = 2 * operand - MOST_WRAPPED;
    }
    while rows <= MOST_ROWS {
        if let Some(geometry) = Geometry::find(q, operand, rows) {
            if cyclic::holds(&geometry, n, rows) {
                return Ok(());
            }
            why = WhyNot::Bounds;
        }
        rows += 2;
    }
    Err(why)
}

/// The conditions of a product over auxiliary primes.
const fn good_thomas_serves(q: i64, n: usize) -> Result<(), WhyNot> {
    match good_thomas::holds(q, n) {
        true => Ok(()),
        false => Err(WhyNot::Auxiliary),
    }
}

/// The conditions of a product over auxiliary primes by the transform across rows.
const fn rns_serves(q: i64, n: usize) -> Result<(), WhyNot> {
    match rns::holds(q, n) {
        true => Ok(()),
        false => Err(WhyNot::Auxiliary),
    }
}

/// The conditions of Rader's transform of 17 points.
const fn rader_serves(q: i64, n: usize, shape: Shape) -> Result<(), WhyNot> {
    if !matches!(shape, Shape::PrimeTrinomial) {
        return Err(WhyNot::Shape { needs: Shape::PrimeTrinomial });
    }
    if q % 2 == 0 || !is_prime(q) {
        return Err(WhyNot::Modulus);
    }
    if 2 * n - 1 > rader::MOST {
        return Err(WhyNot::Length { most: rader::MOST });
    }
    if (q - 1) % rader::ORDER as i64 != 0 {
        return Err(WhyNot::Roots { order: rader::ORDER });
    }
    match rader::root_of_two(q) {
        Some(_) if rader::holds(q) => Ok(()),
        Some(_) => Err(WhyNot::Bounds),
        None => Err(WhyNot::RootOfTwo),
    }
}

/// The conditions of a transform over polynomials.
const fn schoenhage_serves(q: i64, n: usize, shape: Shape) -> Result<(), WhyNot> {
    if !matches!(shape, Shape::PrimeTrinomial) {
        return Err(WhyNot::Shape { needs: Shape::PrimeTrinomial });
    }
    if q % 2 == 0 {
        return Err(WhyNot::Even);
    }
    if 2 * n - 1 > schoenhage::MOST {
        return Err(WhyNot::Length { most: schoenhage::MOST });
    }
    match schoenhage::holds(q) {
        true => Ok(()),
        false => Err(WhyNot::Bounds),
    }
}

/// The conditions of a transform down to 128 residues; the base degrees in use begin with `least`.
const fn incomplete_serves(q: i64, n: usize, shape: Shape, base: usize, least: usize) -> Result<(), WhyNot> {
    if !(base == 4 || base == 6 || base == 8) {
        return Err(WhyNot::Base { least });
    }
    let order = match shape {
        Shape::Negacyclic => 256,
        Shape::HalfTrinomial => 384,
        _ => return Err(WhyNot::Shape { needs: Shape::Negacyclic }),
    };
    if n != 128 * base {
        return Err(WhyNot::Residues { needs: 128 * base });
    }
    if q % 2 == 0 || !is_prime(q) {
        return Err(WhyNot::Modulus);
    }
    if (q - 1) % order as i64 != 0 {
        return Err(WhyNot::Roots { order });
    }
    Ok(())
}
