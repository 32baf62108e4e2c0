//! What is done in a ring: transforms, products of values, and products of polynomials.

use super::{Lanes, WordRing};
use crate::WordError;
use crate::element::{Polynomial, Prepared, Transformed};
use crate::quadratic::{Method, Operands};

impl WordRing {
    /// The transform of a polynomial, in its memory.
    ///
    /// # Errors
    /// Where the polynomial is of another ring.
    pub fn forward(&self, a: Polynomial) -> Result<Transformed, WordError> {
        self.ring.check(a.ring)?;
        let mut rows = a.rows;
        with!(self, |plan| plan.forward(&mut rows))?;
        Ok(Transformed { ring: self.ring, rows, reduced: false })
    }

    /// The polynomial of a transform, in its memory.
    ///
    /// # Errors
    /// Where the operand is of another ring.
    pub fn inverse(&self, a: Transformed) -> Result<Polynomial, WordError> {
        self.ring.check(a.ring)?;
        let mut rows = a.rows;
        if !a.reduced {
            with!(self, |plan| plan.reduce(&mut rows))?;
        }
        with!(self, |plan| plan.inverse(&mut rows))?;
        Ok(Polynomial { ring: self.ring, rows })
    }

    /// Writes the transform of a polynomial to `out`. Unlike [`forward`](WordRing::forward) it keeps the
    /// polynomial.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn forward_into(&self, a: &Polynomial, out: &mut Transformed) -> Result<(), WordError> {
        [a.ring, out.ring].into_iter().try_for_each(|ring| self.ring.check(ring))?;
        out.reduced = false;
        with!(self, |plan| plan.forward_from(&a.rows, &mut out.rows))
    }

    /// Writes the polynomial of a transform to `out`. Unlike [`inverse`](WordRing::inverse) it keeps the
    /// transform.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn inverse_into(&self, a: &Transformed, out: &mut Polynomial) -> Result<(), WordError> {
        [a.ring, out.ring].into_iter().try_for_each(|ring| self.ring.check(ring))?;
        with!(self, |plan| {
            plan.copy(&a.rows, &mut out.rows)?;
            if !a.reduced {
                plan.reduce(&mut out.rows)?;
            }
            plan.inverse(&mut out.rows)
        })
    }

    /// The transform of 0, to start a sum of products.
    ///
    /// # Errors
    /// Where there is no memory.
    pub fn zero(&self) -> Result<Transformed, WordError> {
        Ok(Transformed { ring: self.ring, rows: with!(self, |plan| plan.rows())?, reduced: true })
    }

    /// The polynomial 0, in the memory of a transform that is no longer needed.
    ///
    /// # Errors
    /// Where the operand is of another ring.
    pub fn recycle(&self, a: Transformed) -> Result<Polynomial, WordError> {
        self.ring.check(a.ring)?;
        let mut rows = a.rows;
        with!(self, |plan| plan.clear(&mut rows))?;
        Ok(Polynomial { ring: self.ring, rows })
    }

    /// Other coefficients, in the memory of a transform that is no longer needed.
    ///
    /// # Errors
    /// As [`set`](WordRing::set); the memory is lost then.
    pub fn reset(&self, a: Transformed, coefficients: &[u64]) -> Result<Polynomial, WordError> {
        self.ring.check(a.ring)?;
        let mut polynomial = Polynomial { ring: self.ring, rows: a.rows };
        self.set(&mut polynomial, coefficients).map(|()| polynomial)
    }

    /// Other coefficients, chunk by chunk, in the memory of a transform that is no longer needed.
    ///
    /// # Errors
    /// As [`set_by`](WordRing::set_by); the memory is lost then.
    pub fn reset_by(
        &self,
        a: Transformed,
        count: usize,
        room: &mut [u64],
        fill: impl FnMut(usize, &mut [u64]),
    ) -> Result<Polynomial, WordError> {
        self.ring.check(a.ring)?;
        let mut polynomial = Polynomial { ring: self.ring, rows: a.rows };
        self.set_by(&mut polynomial, count, room, fill).map(|()| polynomial)
    }

    /// `a b` of transforms, in the memory of `a`.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn pointwise(&self, a: &mut Transformed, b: &Transformed) -> Result<(), WordError> {
        self.ring.check(a.ring)?;
        self.ring.check(b.ring)?;
        with!(self, |plan| plan.pointwise(&mut a.rows, &b.rows))?;
        a.reduced = true;
        Ok(())
    }

    /// `a b` of transforms, where `b` is prepared, in the memory of `a`.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn pointwise_prepared(&self, a: &mut Transformed, b: &Prepared) -> Result<(), WordError> {
        self.ring.check(a.ring)?;
        self.ring.check(b.ring)?;
        with!(self, |plan| plan.pointwise_prepared(&mut a.rows, &b.rows))?;
        a.reduced = true;
        Ok(())
    }

    /// `sum + a b` of transforms, in the memory of the sum.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn accumulate(
        &self,
        sum: &mut Transformed,
        a: &Transformed,
        b: &Transformed,
    ) -> Result<(), WordError> {
        [sum.ring, a.ring, b.ring].into_iter().try_for_each(|ring| self.ring.check(ring))?;
        with!(self, |plan| plan.accumulate(&mut sum.rows, &a.rows, &b.rows))?;
        sum.reduced = true;
        Ok(())
    }

    /// `sum + a b` of transforms, where `b` is prepared, in the memory of the sum.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn accumulate_prepared(
        &self,
        sum: &mut Transformed,
        a: &Transformed,
        b: &Prepared,
    ) -> Result<(), WordError> {
        [sum.ring, a.ring, b.ring].into_iter().try_for_each(|ring| self.ring.check(ring))?;
        with!(self, |plan| plan.accumulate_prepared(&mut sum.rows, &a.rows, &b.rows))?;
        sum.reduced = true;
        Ok(())
    }

    /// Transforms and prepares a polynomial that many others will be multiplied by.
    ///
    /// # Errors
    /// Where the polynomial is of another ring, or there is no memory.
    pub fn prepare(&self, b: Polynomial) -> Result<Prepared, WordError> {
        let b = self.forward(b)?;
        Ok(Prepared { ring: self.ring, rows: with!(self, |plan| plan.prepared(&b.rows))? })
    }

    /// `a b`, in the memory of `a`; that of `b` is used too.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn product(&self, a: Polynomial, b: Polynomial) -> Result<Polynomial, WordError> {
        let mut product = a;
        self.multiply(&mut product, b).map(|_| product)
    }

    /// `a b` in place of `a`, and the transform of `b` in its memory. Long operands are multiplied part by
    /// part, which takes less time than transforms one after the other.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn multiply(&self, a: &mut Polynomial, b: Polynomial) -> Result<Transformed, WordError> {
        [a.ring, b.ring].into_iter().try_for_each(|ring| self.ring.check(ring))?;
        let mut rows = b.rows;
        with!(self, |plan| plan.product(&mut a.rows, &mut rows))?;
        Ok(Transformed { ring: self.ring, rows, reduced: false })
    }

    /// `a b` by a prepared `b`, in place of `a`.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn multiply_prepared(&self, a: &mut Polynomial, b: &Prepared) -> Result<(), WordError> {
        [a.ring, b.ring].into_iter().try_for_each(|ring| self.ring.check(ring))?;
        with!(self, |plan| plan.product_prepared(&mut a.rows, &b.rows))
    }

    /// Writes `a b` to `out`, with intermediate values in `scratch`. Unlike [`product`](WordRing::product) it
    /// keeps the operands.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn product_into(
        &self,
        a: &Polynomial,
        b: &Polynomial,
        out: &mut Polynomial,
        scratch: &mut Transformed,
    ) -> Result<(), WordError> {
        [a.ring, b.ring, out.ring, scratch.ring].into_iter().try_for_each(|ring| self.ring.check(ring))?;
        scratch.reduced = false;
        with!(self, |plan| {
            plan.forward_from(&b.rows, &mut scratch.rows)?;
            plan.forward_from(&a.rows, &mut out.rows)?;
            plan.pointwise(&mut out.rows, &scratch.rows)?;
            plan.inverse(&mut out.rows)
        })
    }

    /// `a b` by a prepared `b`, in the memory of `a`.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn product_prepared(&self, a: Polynomial, b: &Prepared) -> Result<Polynomial, WordError> {
        let mut product = a;
        self.multiply_prepared(&mut product, b).map(|()| product)
    }

    /// The product `a b` without transforms, by a method that is here for comparison. It allocates about five
    /// words for each coefficient.
    ///
    /// # Errors
    /// Where an operand is of another ring, the ring or the method does not serve ([`WordError::Quadratic`],
    /// [`WordError::Step`]), or there is no memory.
    ///
    /// ```
    /// use ringsmith_word::{Form, Method, WordRing};
    ///
    /// let ring = WordRing::new(1024, 49_201_153)?;
    /// let a = ring.polynomial(&[3; 1024])?;
    /// let method = Method::Interleaved { word: 32, form: Form::Proposed };
    /// let product = ring.product_by(method, &a, &a)?;
    /// assert_eq!(product.coefficients().last(), Some(9 * 1024));
    /// # Ok::<(), ringsmith_word::WordError>(())
    /// ```
    pub fn product_by(
        &self,
        method: Method,
        a: &Polynomial,
        b: &Polynomial,
    ) -> Result<Polynomial, WordError> {
        self.ring.check(a.ring)?;
        self.ring.check(b.ring)?;
        method.serves(self.ring)?;
        let mut operands = Operands::zero(self.ring)?;
        self.coefficients(a, operands.first())?;
        self.coefficients(b, operands.second())?;
        self.polynomial(operands.product(self.cpu, method))
    }

    /// Writes the values of a transform, in `[0, p)`, in bit-reversed order; the transform is used up.
    ///
    /// # Errors
    /// Where the operand is of another ring, or `out` has not `n` places.
    pub fn values(&self, a: Transformed, out: &mut [u64]) -> Result<(), WordError> {
        self.ring.check(a.ring)?;
        self.ring.check_length(out.len())?;
        let mut rows = a.rows;
        with!(self, |plan| plan.values(&mut rows, out))
    }

    /// The transform of these `n` values in `[0, p)`, in bit-reversed order.
    ///
    /// # Errors
    /// Where there are more or fewer, one is not below `p`, or there is no memory.
    pub fn transformed(&self, values: &[u64]) -> Result<Transformed, WordError> {
        self.ring.check_length(values.len())?;
        let mut rows = with!(self, |plan| plan.rows())?;
        with!(self, |plan| plan.set_values(&mut rows, values))?;
        Ok(Transformed { ring: self.ring, rows, reduced: true })
    }
}
