//! A ring, and what is done in it.

use crate::arithmetic::Prime;
use crate::bounds::{LAYERS, MAX_DEGREE, PRIME_BITS};
use crate::element::{Identity, Pairs, Polynomial, Prepared, Transformed};
use crate::kernels::{
    Accumulate, Backward, Body, Forward, MakeFactor, Part, Pointwise, Prepare, Read, Reduce, Renew, RunBody,
    Scale, Step, StepBack, Write, radix, ratio,
};
use crate::memory::{Line, Rows, transpose};
use crate::tables::Tables;
use crate::{WordError, number};
use core::fmt;
use core::slice::from_mut;
use ringsmith_simd::declassify::publish;
use ringsmith_simd::{Cpu, Factor, WideRow};

/// The polynomial that a ring's are taken modulo.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `x^n - 1`.
    Cyclic,
    /// `x^n + 1`.
    Negacyclic,
}

/// Rows of an operand that stay in the first cache while all their layers are done: 32 KiB.
const NEAR: usize = 512;

/// Polynomials modulo `x^n + 1` or `x^n - 1` and a prime `p`: the tables of the transforms, and the
/// operations.
///
/// # The transform
/// The values of a polynomial at the roots of `x^n + 1`, the odd powers of [`root`](WordRing::root), or of
/// `x^n - 1`, all its powers. [`values`](WordRing::values) has them in *bit-reversed order*: with `r(i)` the
/// `log2 n` bits of `i` reversed, value `i` is that at `root^(2 r(i) + 1)`, or at `root^r(i)`. A
/// [`Transformed`] keeps them in an order of its own.
///
/// # Errors
/// Every operation says [`WordError::OtherRing`] of an operand that was made by a ring with another degree,
/// prime or shape. Rings with the same ones share operands, on every CPU.
///
/// # Constant time
/// In the coefficients; see the page of the crate.
pub struct WordRing {
    cpu: Cpu,
    ring: Identity,
    prime: Prime,
    tables: Tables,
    root: u64,
    /// `1 / n`.
    scale: Factor,
}

impl WordRing {
    /// The ring modulo `x^n + 1` and `p`, on the best backend of this machine.
    ///
    /// `n` is a power of two from 2 to `2^17`; `p` a prime below `2^46`, and 1 modulo `2 n`.
    ///
    /// # Errors
    /// Where `n` or `p` does not serve, or there is no memory.
    ///
    /// ```
    /// use ringsmith_word::{WordError, WordRing};
    /// assert!(WordRing::new(4096, 49_201_153).is_ok());
    /// let error = WordRing::new(4096, 12289).unwrap_err();
    /// assert_eq!(error, WordError::Roots { p: 12289, order: 8192 });
    /// assert_eq!(WordRing::new(1000, 49_201_153).unwrap_err(), WordError::Degree { n: 1000 });
    /// ```
    pub fn new(n: usize, p: u64) -> Result<Self, WordError> {
        Self::new_on(Cpu::detect(), Shape::Negacyclic, n, p)
    }

    /// The ring modulo `x^n - 1` and `p`, on the best backend of this machine.
    ///
    /// `n` is a power of two from 2 to `2^17`; `p` an odd prime below `2^46`, and 1 modulo `n`.
    ///
    /// # Errors
    /// Where `n` or `p` does not serve, or there is no memory.
    pub fn cyclic(n: usize, p: u64) -> Result<Self, WordError> {
        Self::new_on(Cpu::detect(), Shape::Cyclic, n, p)
    }

    /// A ring on a backend.
    ///
    /// # Errors
    /// As [`new`](WordRing::new) and [`cyclic`](WordRing::cyclic).
    pub fn new_on(cpu: Cpu, shape: Shape, n: usize, p: u64) -> Result<Self, WordError> {
        Self::with_factors(cpu, shape, n, p, cpu.run_body(MakeFactor))
    }

    /// The same with factors that are made like this.
    fn with_factors(
        cpu: Cpu,
        shape: Shape,
        n: usize,
        p: u64,
        factor: fn(u64, u64) -> Factor,
    ) -> Result<Self, WordError> {
        if !n.is_power_of_two() || !(2..=MAX_DEGREE).contains(&n) {
            return Err(WordError::Degree { n });
        }
        if p >> PRIME_BITS != 0 {
            return Err(WordError::TooLarge { p });
        }
        if !number::is_odd_prime(p) {
            return Err(WordError::NotPrime { p });
        }
        let start = start(shape);
        let root = number::root(n << start, p)?;
        let prime = Prime::new(p, factor);
        let tables = Tables::new(&prime, n, start, root)?;
        let scale = prime.factor(number::inverse(n as u64 % p, p));
        Ok(WordRing { cpu, ring: Identity { shape, n, p }, prime, tables, root, scale })
    }

    /// How many coefficients a polynomial has.
    pub fn degree(&self) -> usize {
        self.ring.n
    }

    /// The modulus of the coefficients.
    pub fn prime(&self) -> u64 {
        self.ring.p
    }

    /// The polynomial that polynomials are taken modulo.
    pub fn shape(&self) -> Shape {
        self.ring.shape
    }

    /// The backend that it runs on.
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// The root of unity that the order of the values is told by: of order `2 n` modulo `x^n + 1`, of order
    /// `n` modulo `x^n - 1`.
    pub fn root(&self) -> u64 {
        self.root
    }

    /// The polynomial of these `n` coefficients in `[0, p)`, the constant term first.
    ///
    /// # Errors
    /// Where there are more or fewer, one is not below `p`, or there is no memory.
    pub fn polynomial(&self, coefficients: &[u64]) -> Result<Polynomial, WordError> {
        self.ring.check_length(coefficients.len())?;
        let mut polynomial = Polynomial { ring: self.ring, rows: Rows::zero(self.ring.rows())? };
        self.set(&mut polynomial, coefficients)?;
        Ok(polynomial)
    }

    /// Other coefficients for a polynomial, in its memory.
    ///
    /// # Errors
    /// Where there are more or fewer than `n`, or one is not below `p`: then the polynomial is 0.
    pub fn set(&self, polynomial: &mut Polynomial, coefficients: &[u64]) -> Result<(), WordError> {
        self.ring.check(polynomial.ring)?;
        self.ring.check_length(coefficients.len())?;
        let start = self.prime.start();
        let in_range = self.fill(&mut polynomial.rows, coefficients, start);
        if in_range.is_err() {
            polynomial.rows.fill(Line([start; 8]));
        }
        in_range
    }

    /// Writes the coefficients of a polynomial, in `[0, p)`, the constant term first.
    ///
    /// # Errors
    /// Where the polynomial is of another ring, or `out` has not `n` places.
    pub fn coefficients(&self, a: &Polynomial, out: &mut [u64]) -> Result<(), WordError> {
        self.ring.check(a.ring)?;
        self.ring.check_length(out.len())?;
        self.write(&a.rows, out, self.prime.start());
        Ok(())
    }

    /// Writes the numbers in rows, with one taken off.
    fn write(&self, rows: &[Line], out: &mut [u64], less: u64) {
        if self.ring.per_row() == 1 {
            return out.iter_mut().zip(rows).for_each(|(out, row)| *out = row.0[0].wrapping_sub(less));
        }
        self.run(Write { rows, numbers: out.as_chunks_mut().0, less });
    }

    /// Writes numbers in `[0, p)` to rows, with one added. Whether all are below `p` is told, not which.
    fn fill(&self, rows: &mut [Line], numbers: &[u64], added: u64) -> Result<(), WordError> {
        let mut outside = 0;
        let mut read = |numbers: &[WideRow], rows: &mut [Line]| {
            outside |= self.run(Read { numbers, rows, modulus: self.ring.p, added });
        };
        if self.ring.per_row() == 1 {
            numbers.iter().zip(rows).for_each(|(x, row)| read(&[[*x; 8]], from_mut(row)));
        } else {
            read(numbers.as_chunks().0, rows);
        }
        let mut refused = outside >> (u64::BITS - 1);
        publish(from_mut(&mut refused));
        if refused == 0 { Ok(()) } else { Err(WordError::Range { p: self.ring.p }) }
    }

    /// The transform of a polynomial, in its memory.
    ///
    /// # Errors
    /// Where the polynomial is of another ring.
    pub fn forward(&self, a: Polynomial) -> Result<Transformed, WordError> {
        self.ring.check(a.ring)?;
        let mut rows = a.rows;
        self.forward_rows(&mut rows);
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
            self.run(Reduce(&self.prime, &mut rows));
        }
        self.inverse_rows(&mut rows);
        Ok(Polynomial { ring: self.ring, rows })
    }

    /// The transform of 0: where a sum begins.
    ///
    /// # Errors
    /// Where there is no memory.
    pub fn zero(&self) -> Result<Transformed, WordError> {
        Ok(Transformed { ring: self.ring, rows: Rows::zero(self.ring.rows())?, reduced: true })
    }

    /// `a b` of transforms, in the memory of `a`.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn pointwise(&self, a: &mut Transformed, b: &Transformed) -> Result<(), WordError> {
        self.ring.check(a.ring)?;
        self.ring.check(b.ring)?;
        self.run(Pointwise { prime: &self.prime, a: &mut a.rows, b: &b.rows });
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
        self.run(Pointwise { prime: &self.prime, a: &mut a.rows, b: &b.pairs.0 });
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
        self.run(Accumulate { prime: &self.prime, sum: &mut sum.rows, a: &a.rows, b: &b.rows });
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
        self.run(Accumulate { prime: &self.prime, sum: &mut sum.rows, a: &a.rows, b: &b.pairs.0 });
        sum.reduced = true;
        Ok(())
    }

    /// Transforms a polynomial that is multiplied by often.
    ///
    /// # Errors
    /// Where the polynomial is of another ring, or there is no memory.
    pub fn prepare(&self, b: Polynomial) -> Result<Prepared, WordError> {
        let mut pairs = Pairs::zero(self.ring.rows())?;
        let b = self.forward(b)?;
        self.run(Prepare { prime: &self.prime, b: &b.rows, pairs: &mut pairs.0 });
        Ok(Prepared { ring: self.ring, pairs })
    }

    /// `a b`, in the memory of `a`; that of `b` is used too.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn product(&self, a: Polynomial, b: Polynomial) -> Result<Polynomial, WordError> {
        let (mut a, b) = (self.forward(a)?, self.forward(b)?);
        self.pointwise(&mut a, &b)?;
        self.inverse(a)
    }

    /// Writes `a b` to `out`, and what comes between to `scratch`: [`product`](WordRing::product) for who
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
        scratch.rows.copy_from_slice(&b.rows);
        scratch.reduced = false;
        self.forward_rows(&mut scratch.rows);
        out.rows.copy_from_slice(&a.rows);
        self.forward_rows(&mut out.rows);
        self.run(Pointwise { prime: &self.prime, a: &mut out.rows, b: &scratch.rows });
        self.inverse_rows(&mut out.rows);
        Ok(())
    }

    /// `a b` by a prepared `b`, in the memory of `a`.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn product_prepared(&self, a: Polynomial, b: &Prepared) -> Result<Polynomial, WordError> {
        let mut a = self.forward(a)?;
        self.pointwise_prepared(&mut a, b)?;
        self.inverse(a)
    }

    /// Writes the values of a transform, in `[0, p)`, in bit-reversed order; the transform is used up.
    ///
    /// # Errors
    /// Where the operand is of another ring, or `out` has not `n` places.
    pub fn values(&self, a: Transformed, out: &mut [u64]) -> Result<(), WordError> {
        self.ring.check(a.ring)?;
        self.ring.check_length(out.len())?;
        let (mut rows, factor) = (a.rows, self.prime.one);
        self.run(Scale { prime: &self.prime, rows: &mut rows, factor, start: 0 });
        self.reorder(&mut rows);
        self.write(&rows, out, 0);
        Ok(())
    }

    /// The transform of these `n` values in `[0, p)`, in bit-reversed order.
    ///
    /// # Errors
    /// Where there are more or fewer, one is not below `p`, or there is no memory.
    pub fn transformed(&self, values: &[u64]) -> Result<Transformed, WordError> {
        self.ring.check_length(values.len())?;
        let mut rows = Rows::zero(self.ring.rows())?;
        self.fill(&mut rows, values, 0)?;
        self.reorder(&mut rows);
        Ok(Transformed { ring: self.ring, rows, reduced: true })
    }

    /// From bit-reversed order to that of [`Transformed`], or back. In a block, value `8 l + s` is in lane
    /// `l` of row `s`; where one value fills a row, the orders are the same.
    fn reorder(&self, rows: &mut [Line]) {
        if self.ring.per_row() > 1 {
            transpose(rows);
        }
    }

    fn run<B: Body>(&self, body: B) -> B::Out {
        self.cpu.run_body(body)
    }

    /// A transform forward, from where values start.
    fn forward_rows(&self, rows: &mut [Line]) {
        self.forward_part(self.cpu, rows, start(self.ring.shape), 0);
    }

    /// A transform backward, from reduced values to where they start.
    fn inverse_rows(&self, rows: &mut [Line]) {
        self.backward_part(rows, start(self.ring.shape), 0);
        let (factor, start) = (self.scale, self.prime.start());
        self.run(Scale { prime: &self.prime, rows, factor, start });
    }

    /// All layers of the rows below a node, of which the first is row `first` of the operand. Rows that don't
    /// stay in the first cache take their first layers at once, and then part by part.
    fn forward_part(&self, by: impl RunBody, rows: &mut [Line], node: usize, first: usize) {
        let (prime, table) = (&self.prime, &self.tables.forward);
        let count = rows.len();
        if count <= NEAR {
            let tails = table.below(first, count);
            return by.run_body(Forward(Part { prime, table, tails, rows, node }));
        }
        let k = radix_far(count);
        let size = ratio(count, k);
        by.run_body(Step(Part { prime, table, tails: &[], rows: &mut *rows, node }, k));
        if count == self.ring.rows() && self.ring.n.trailing_zeros() > LAYERS {
            by.run_body(Renew(prime, &mut *rows));
        }
        for (i, part) in rows.chunks_mut(size).enumerate() {
            self.forward_part(by, part, node * k + i, first + i * size);
        }
    }

    /// The same backward.
    fn backward_part(&self, rows: &mut [Line], node: usize, first: usize) {
        let (prime, table) = (&self.prime, &self.tables.backward);
        let count = rows.len();
        if count <= NEAR {
            let tails = table.below(first, count);
            return self.run(Backward(Part { prime, table, tails, rows, node }));
        }
        let k = radix_far(count);
        let size = ratio(count, k);
        for (i, part) in rows.chunks_mut(size).enumerate() {
            self.backward_part(part, node * k + i, first + i * size);
        }
        self.run(StepBack(Part { prime, table, tails: &[], rows, node }, k));
    }
}

/// How many rows the first pass takes together, where there are so many.
fn radix_far(rows: usize) -> usize {
    radix(rows / NEAR)
}

/// The node of a ring's polynomial.
fn start(shape: Shape) -> usize {
    match shape {
        Shape::Cyclic => 0,
        Shape::Negacyclic => 1,
    }
}

impl fmt::Debug for WordRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, n) = (if self.ring.shape == Shape::Cyclic { '-' } else { '+' }, self.ring.n);
        write!(f, "Z_{}[x]/(x^{n}{sign}1) on {:?}", self.ring.p, self.cpu)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::MAX_LAYERS;
    use crate::worst::Worst;
    use alloc::vec;
    use alloc::vec::Vec;

    /// A prime of 46 bits, for every degree.
    const P: u64 = 70_368_740_769_793;

    /// The sum of `sign x^(2^j) / leaf^(2^j)`. On the walk down to the leaf each layer adds or takes off the
    /// product of one of its terms, which is the same number, `sign`, up to the layer's own sign.
    fn walk(n: usize, inverse_leaf: u64, sign: u64) -> Vec<u64> {
        let mut a = vec![0; n];
        for j in 0..n.trailing_zeros() {
            let term = number::power(inverse_leaf, 1 << j, P);
            a[1 << j] = number::multiply(term, sign, P);
        }
        a
    }

    /// Protects: the renewal of values in transforms of more layers than lanes have room for, and room for
    /// all others. In lanes whose products are the greatest that the contract allows, and which panic where
    /// they overflow: backends' own products are less, so that no operand shows it there.
    #[test]
    fn values_are_renewed_in_time() {
        for shape in [Shape::Negacyclic, Shape::Cyclic] {
            for layers in LAYERS - 1..=MAX_LAYERS {
                let (n, layers) = (1 << layers, u64::from(layers));
                let ring = WordRing::with_factors(Cpu::detect(), shape, n, P, Worst::factor).unwrap();
                let forward = |a: &[u64]| {
                    let mut rows = ring.polynomial(a).unwrap().rows;
                    ring.forward_part(Worst, &mut rows, start(shape), 0);
                    [rows[0].0[0], rows[rows.len() - 1].0[7]]
                };
                // The last leaf is 1 / root. Each layer takes off 2 p - 1: a product of -1.
                let [_, least] = forward(&walk(n, ring.root, 1));
                assert_eq!(least % P, layers);
                let room = 2 * (u64::from(LAYERS).saturating_sub(layers));
                assert!(layers > u64::from(LAYERS) || least == room * P + layers, "{least}");
                // The first leaf is the root, or 1. Each layer adds 2 p - 1.
                let leaf = if shape == Shape::Cyclic { 1 } else { number::inverse(ring.root, P) };
                let mut a = walk(n, leaf, P - 1);
                a[0] = P - 1;
                assert_eq!(forward(&a)[0] % P, P - 1 - layers);
                for a in [vec![P - 1; n], (0..n as u64).map(|i| (P - 1) * (i % 2)).collect()] {
                    forward(&a);
                }
            }
        }
    }
}
