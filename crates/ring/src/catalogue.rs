//! The catalogue of algorithms: what each route needs of a ring, and which routes there are.
//!
//! It knows all algorithms; none of them knows it.

use crate::algorithm::good_thomas;
use crate::algorithm::rows::cyclic::geometry::Geometry;
use crate::algorithm::rows::cyclic::{self, MOST_ROWS, MOST_WRAPPED};
use crate::algorithm::{rader, rns, schoenhage, toom_cook};
use crate::entry::{Entry, Routes};
use crate::number::is_prime;
use crate::reduce::barrett;
use crate::reduce::k_red::k_red_form;
use crate::ring::{Ring, Shape};
use crate::route::{Inner, Placement, Route};
use crate::why_not::WhyNot;

/// The modulus of Longa and Naehrig's case study.
const PAPER_MODULUS: i64 = 12289;

impl Route {
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
    /// As [`find`](Self::find) in [`Routes::PLANNED`].
    pub fn applies<R: Routes>(self) -> Result<(), WhyNot> {
        self.find(R::PLANNED).map(|_| ())
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
