//! What a ring does, on a kind of lanes: the tables of the transforms, the walk over an operand, and the
//! operations on its rows.
//!
//! # The walk
//! Rows that stay in a near cache take layer after layer. More take their first layers at once, and then part
//! by part, depth first. A product walks over both factors together: below a part both are transformed,
//! multiplied, and transformed back, before the next part is touched.

use crate::WordError;
use crate::element::Identity;
use crate::ends::{First, LEAST, Last};
use crate::kernels::{
    Accumulate, AsIs, AsPrepared, Backward, Content, Forward, Part, Pointwise, Prepare, Read, Reduce, Scale,
    Second, Write, ratio,
};
use crate::lanes::{Body, Kind, On, RunBody};
use crate::memory::{Line, Rows};
use crate::number;
use crate::tables::Tables;
use core::marker::PhantomData;
use core::slice::from_mut;
use product::Other;
use ringsmith_simd::declassify::publish;
use ringsmith_simd::{Cpu, WideRow};

mod product;

/// The tables of a ring.
pub(crate) struct Plan<K: Kind> {
    on: On<K>,
    ring: Identity,
    prime: K::Prime,
    tables: Tables<K>,
    /// `1 / n`.
    scale: K::Factor,
}

impl<K: Kind> Plan<K> {
    /// Of a ring whose prime serves this kind, with a root of unity of the least order that serves.
    pub(crate) fn new(cpu: Cpu, ring: Identity, root: u64) -> Result<Self, WordError> {
        let on = K::on(cpu).ok_or(WordError::OtherRing)?;
        Self::of_prime(On(on), ring, root, K::prime(on, ring.p))
    }

    /// The same with what follows from the prime.
    fn of_prime(on: On<K>, ring: Identity, root: u64, prime: K::Prime) -> Result<Self, WordError> {
        let Identity { shape, n, p, .. } = ring;
        let tables = Tables::new((&prime, p), n, shape, root)?;
        let scale = K::factor(&prime, number::inverse(n as u64 % p, p));
        Ok(Plan { on, ring, prime, tables, scale })
    }

    /// Rows of zeroes.
    pub(crate) fn rows(&self) -> Result<Rows, WordError> {
        K::rows(self.ring.rows())
    }

    fn run<B: Body<K>>(&self, body: B) -> B::Out {
        self.on.run_body(&self.prime, body)
    }

    /// Numbers in `[0, p)` to rows. Whether all are below `p` is told, not which.
    fn read(&self, rows: &mut [K::Line], numbers: &[u64], content: Content) -> Result<(), WordError> {
        let (mut outside, modulus) = (0, self.ring.p);
        let mut read = |numbers: &[WideRow], rows: &mut [K::Line]| {
            outside |= self.run(Read { numbers, rows, content, modulus });
        };
        if self.ring.per_row() == 1 {
            numbers.iter().zip(rows).for_each(|(x, row)| read(&[[*x; 8]], from_mut(row)));
        } else {
            read(numbers.as_chunks().0, rows);
        }
        let mut refused = outside >> (u64::BITS - 1);
        publish(from_mut(&mut refused));
        if refused == 0 { Ok(()) } else { Err(WordError::Range { p: modulus }) }
    }

    /// Numbers in `[0, p)` from rows.
    fn write(&self, rows: &[K::Line], numbers: &mut [u64], content: Content) {
        let write = |rows: &[K::Line], numbers: &mut [WideRow]| self.run(Write { rows, content, numbers });
        if self.ring.per_row() > 1 {
            return write(rows, numbers.as_chunks_mut().0);
        }
        for (row, x) in rows.chunks_exact(1).zip(numbers) {
            let mut all = [[0; 8]];
            write(row, &mut all);
            *x = all[0][0];
        }
    }

    /// Coefficients to a polynomial, or 0 where one is not below `p`.
    pub(crate) fn set(&self, rows: &mut Rows, coefficients: &[u64]) -> Result<(), WordError> {
        let rows = K::lines_mut(rows)?;
        let in_range = self.read(rows, coefficients, Content::Coefficients);
        if in_range.is_err() {
            rows.fill(K::zero(&self.prime));
        }
        in_range
    }

    /// The polynomial 0.
    pub(crate) fn clear(&self, rows: &mut Rows) -> Result<(), WordError> {
        K::lines_mut(rows)?.fill(K::zero(&self.prime));
        Ok(())
    }

    /// Coefficients of a polynomial.
    pub(crate) fn coefficients(&self, rows: &Rows, out: &mut [u64]) -> Result<(), WordError> {
        self.write(K::lines(rows)?, out, Content::Coefficients);
        Ok(())
    }

    /// Coefficients to a part of a polynomial, from coefficient `at` on: the first of a row.
    pub(crate) fn set_part(&self, rows: &mut Rows, at: usize, part: &[u64]) -> Result<(), WordError> {
        let rows = K::lines_mut(rows)?.get_mut(ratio(at, self.ring.per_row())..);
        self.read(rows.unwrap_or_default(), part, Content::Coefficients)
    }

    /// So many coefficients to a polynomial, chunk by chunk: `fill` is told which is a chunk's first, and
    /// writes the chunk to `room`. Those behind them are 0; all are 0 where one is not below `p`.
    pub(crate) fn set_by(
        &self,
        rows: &mut Rows,
        count: usize,
        room: &mut [u64],
        mut fill: impl FnMut(usize, &mut [u64]),
    ) -> Result<(), WordError> {
        let (per_row, rows) = (self.ring.per_row(), K::lines_mut(rows)?);
        let size = ratio(room.len() - room.len() % 8, per_row);
        if size == 0 {
            return Err(WordError::Length { needs: 8, has: room.len() });
        }
        let needed = ratio(count + per_row - 1, per_row).min(rows.len());
        let (set, rest) = rows.split_at_mut(needed);
        let filled = set.chunks_mut(size).enumerate().try_for_each(|(i, rows)| {
            let numbers = &mut room[..rows.len() * per_row];
            fill(i * size * per_row, numbers);
            self.read(rows, numbers, Content::Coefficients)
        });
        if filled.is_err() {
            set.fill(K::zero(&self.prime));
        }
        rest.fill(K::zero(&self.prime));
        filled
    }

    /// Coefficients of such a part.
    pub(crate) fn coefficients_part(&self, rows: &Rows, at: usize, out: &mut [u64]) -> Result<(), WordError> {
        let rows = K::lines(rows)?.get(ratio(at, self.ring.per_row())..);
        self.write(rows.unwrap_or_default(), out, Content::Coefficients);
        Ok(())
    }

    /// Values to a transform.
    pub(crate) fn set_values(&self, rows: &mut Rows, values: &[u64]) -> Result<(), WordError> {
        let rows = K::lines_mut(rows)?;
        self.read(rows, values, Content::Values)?;
        self.reorder(rows);
        Ok(())
    }

    /// Values of a transform, which is used up.
    pub(crate) fn values(&self, rows: &mut Rows, out: &mut [u64]) -> Result<(), WordError> {
        let rows = K::lines_mut(rows)?;
        self.reorder(rows);
        self.write(rows, out, Content::Values);
        Ok(())
    }

    /// From bit-reversed order to that of transforms, or back. In a block, value `8 l + s` is in lane `l` of
    /// row `s`; where one value fills a row, the orders are the same.
    fn reorder(&self, rows: &mut [K::Line]) {
        if self.ring.per_row() > 1 {
            rows.as_chunks_mut::<8>().0.iter_mut().for_each(Line::transpose);
        }
    }

    /// A transform forward.
    pub(crate) fn forward(&self, rows: &mut Rows) -> Result<(), WordError> {
        self.forward_part(self.on, K::lines_mut(rows)?, self.ring.shape.node(), 0);
        Ok(())
    }

    /// The same of an operand that stays.
    pub(crate) fn forward_from(&self, from: &Rows, to: &mut Rows) -> Result<(), WordError> {
        self.forward_all(self.on, K::lines(from)?, K::lines_mut(to)?);
        Ok(())
    }

    /// A transform backward, of reduced values.
    pub(crate) fn inverse(&self, rows: &mut Rows) -> Result<(), WordError> {
        self.backward_all(self.on, K::lines_mut(rows)?);
        Ok(())
    }

    /// `a b` of polynomials, in place of `a`; the transform of `b` in its place.
    pub(crate) fn product(&self, a: &mut Rows, b: &mut Rows) -> Result<(), WordError> {
        self.product_all(self.on, K::lines_mut(a)?, Other::Polynomial(K::lines_mut(b)?));
        Ok(())
    }

    /// The same by a prepared `b`.
    pub(crate) fn product_prepared(&self, a: &mut Rows, b: &Rows) -> Result<(), WordError> {
        self.product_all(self.on, K::lines_mut(a)?, Other::Prepared(K::lines(b)?));
        Ok(())
    }

    /// Values of a transform forward, as the way back takes them.
    pub(crate) fn reduce(&self, rows: &mut Rows) -> Result<(), WordError> {
        self.run(Reduce(K::lines_mut(rows)?));
        Ok(())
    }

    /// `a b`, value by value, in place of `a`.
    pub(crate) fn pointwise(&self, a: &mut Rows, b: &Rows) -> Result<(), WordError> {
        self.pointwise_by::<AsIs>(a, b)
    }

    /// The same by a prepared `b`.
    pub(crate) fn pointwise_prepared(&self, a: &mut Rows, b: &Rows) -> Result<(), WordError> {
        self.pointwise_by::<AsPrepared>(a, b)
    }

    fn pointwise_by<B: Second<K>>(&self, a: &mut Rows, b: &Rows) -> Result<(), WordError> {
        let kind = PhantomData::<B>;
        self.run(Pointwise { a: K::lines_mut(a)?, b: K::lines(b)?, kind });
        Ok(())
    }

    /// `sum + a b`, value by value.
    pub(crate) fn accumulate(&self, sum: &mut Rows, a: &Rows, b: &Rows) -> Result<(), WordError> {
        self.accumulate_by::<AsIs>(sum, a, b)
    }

    /// The same by a prepared `b`.
    pub(crate) fn accumulate_prepared(&self, sum: &mut Rows, a: &Rows, b: &Rows) -> Result<(), WordError> {
        self.accumulate_by::<AsPrepared>(sum, a, b)
    }

    fn accumulate_by<B: Second<K>>(&self, sum: &mut Rows, a: &Rows, b: &Rows) -> Result<(), WordError> {
        let kind = PhantomData::<B>;
        self.run(Accumulate { sum: K::lines_mut(sum)?, a: K::lines(a)?, b: K::lines(b)?, kind });
        Ok(())
    }

    /// A transform as a prepared operand.
    pub(crate) fn prepared(&self, b: &Rows) -> Result<Rows, WordError> {
        let mut prepared = K::rows(self.ring.rows() * K::PREPARED)?;
        self.run(Prepare { b: K::lines(b)?, prepared: K::lines_mut(&mut prepared)? });
        Ok(prepared)
    }

    /// Copies rows.
    pub(crate) fn copy(&self, from: &Rows, to: &mut Rows) -> Result<(), WordError> {
        K::lines_mut(to)?.copy_from_slice(K::lines(from)?);
        Ok(())
    }

    /// How many rows a first or last pass of its own takes together, and how many then have a node; nothing
    /// where a transform is too short for one.
    fn ends(&self, count: usize) -> Option<[usize; 2]> {
        let (_, end) = self.tables.forward.below(0, count);
        let radix = if count > K::NEAR { radix_far::<K>(count) } else { K::radix(ratio(count, end)) };
        (radix >= LEAST && count >= K::ENDS).then(|| [radix, ratio(count, radix)])
    }

    /// All layers of an operand that stays.
    fn forward_all(&self, by: impl RunBody<K>, from: &[K::Line], rows: &mut [K::Line]) {
        let (prime, table, node) = (&self.prime, &self.tables.forward, self.ring.shape.node());
        let Some([radix, size]) = self.ends(rows.len()) else {
            rows.copy_from_slice(from);
            return self.forward_part(by, rows, node, 0);
        };
        by.run_body(prime, First { table, from, rows: &mut *rows, node, radix });
        let node = node * radix;
        if rows.len() <= K::NEAR {
            let (tails, end) = table.below(0, rows.len());
            return by.run_body(prime, Forward(Part { table, tails, rows, size, node, end }));
        }
        for (i, part) in rows.chunks_mut(size).enumerate() {
            self.forward_part(by, part, node + i, i * size);
        }
    }

    /// All layers backward, and the factor `1 / n`.
    fn backward_all(&self, by: impl RunBody<K>, rows: &mut [K::Line]) {
        let (prime, table, scale) = (&self.prime, &self.tables.backward, self.scale);
        let node = self.ring.shape.node();
        let Some([radix, size]) = self.ends(rows.len()) else {
            self.backward_part(by, rows, node, 0);
            return by.run_body(prime, Scale(rows, scale));
        };
        if rows.len() <= K::NEAR {
            let ((tails, end), rows) = (table.below(0, rows.len()), &mut *rows);
            by.run_body(prime, Backward(Part { table, tails, rows, size, node: node * radix, end }));
        } else {
            for (i, part) in rows.chunks_mut(size).enumerate() {
                self.backward_part(by, part, node * radix + i, i * size);
            }
        }
        by.run_body(prime, Last { table, rows, node, radix, scale });
    }

    /// The first layers of the rows below a node: down to so many rows.
    fn first_layers(&self, by: impl RunBody<K>, rows: &mut [K::Line], node: usize, end: usize) {
        let (table, size) = (&self.tables.forward, rows.len());
        by.run_body(&self.prime, Forward(Part { table, tails: &[], rows, size, node, end }));
    }

    /// All layers of the rows below a node, of which the first is row `first` of the operand. Rows that don't
    /// stay in a near cache take their first layers at once, and then part by part.
    fn forward_part(&self, by: impl RunBody<K>, rows: &mut [K::Line], node: usize, first: usize) {
        let (prime, table, size) = (&self.prime, &self.tables.forward, rows.len());
        if size <= K::NEAR {
            let (tails, end) = table.below(first, size);
            return by.run_body(prime, Forward(Part { table, tails, rows, size, node, end }));
        }
        let k = radix_far::<K>(size);
        let end = ratio(size, k);
        self.first_layers(by, rows, node, end);
        for (i, part) in rows.chunks_mut(end).enumerate() {
            self.forward_part(by, part, node * k + i, first + i * end);
        }
    }

    /// The same backward.
    fn backward_part(&self, by: impl RunBody<K>, rows: &mut [K::Line], node: usize, first: usize) {
        let (prime, table, size) = (&self.prime, &self.tables.backward, rows.len());
        if size <= K::NEAR {
            let (tails, end) = table.below(first, size);
            return by.run_body(prime, Backward(Part { table, tails, rows, size, node, end }));
        }
        let k = radix_far::<K>(size);
        let end = ratio(size, k);
        for (i, part) in rows.chunks_mut(end).enumerate() {
            self.backward_part(by, part, node * k + i, first + i * end);
        }
        by.run_body(prime, Backward(Part { table, tails: &[], rows, size, node, end }));
    }
}

/// How many rows the first pass takes together, where there are so many. Four rather than two, since parts
/// may be smaller than the near cache.
fn radix_far<K: Kind>(rows: usize) -> usize {
    K::radix(ratio(rows, K::NEAR)).max(LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::MAX_LAYERS;
    use crate::element::Form;
    use crate::long::Long;
    use crate::narrow::Narrow;
    use crate::quotient::Quotients;
    use crate::ring::Shape;
    use crate::wide::{self, Bounds, Prime, Wide};
    use crate::worst::{self, Worst};
    use alloc::vec;
    use alloc::vec::Vec;
    use ringsmith_simd::Cpu52;
    extern crate std;

    /// Protects: the bounds of lanes that hold numbers of 64 bits, in a transform, a product, a sum of such
    /// and back, on lanes whose products are the greatest that the contract allows. With primes at the ends
    /// of both ranges.
    #[test]
    fn long_lanes_never_overflow() {
        for p in [70_368_744_701_953, 1_152_921_504_606_584_833, 4_611_686_018_425_815_041] {
            for (shape, layers) in [(Shape::Negacyclic, 5), (Shape::Negacyclic, 11), (Shape::Cyclic, 17)] {
                let n = 1 << layers;
                let root = number::root(n * shape.order(), p).unwrap();
                let ring = Identity { form: Form::Long, shape, n, p };
                let plan = Plan::<Long>::new(Cpu::detect(), ring, root).unwrap();
                for a in [vec![p - 1; n], (0..n as u64).map(|i| (p - 1) * (i % 2)).collect()] {
                    assert_eq!(there_and_back(&plan, &a)[0], constant_term(shape, &a, p));
                }
            }
        }
    }

    /// The sum of a product and of the same by a prepared operand, of transforms.
    fn sums<K: Kind>(plan: &Plan<K>, x: &Rows, y: &Rows) -> Vec<u64> {
        let (mut sum, mut out) = (plan.rows().unwrap(), vec![0; plan.ring.n]);
        plan.clear(&mut sum).unwrap();
        plan.accumulate(&mut sum, x, y).unwrap();
        plan.accumulate_prepared(&mut sum, x, &plan.prepared(y).unwrap()).unwrap();
        plan.inverse(&mut sum).unwrap();
        plan.coefficients(&sum, &mut out).unwrap();
        out
    }

    /// The values of a transform, written and read, are those of the same polynomial.
    fn by_values<K: Kind>(plan: &Plan<K>, y: &Rows, b: &[u64]) {
        let (mut rows, mut out) = (plan.rows().unwrap(), vec![0; plan.ring.n]);
        plan.copy(y, &mut rows).unwrap();
        plan.values(&mut rows, &mut out).unwrap();
        plan.clear(&mut rows).unwrap();
        plan.set_values(&mut rows, &out).unwrap();
        plan.inverse(&mut rows).unwrap();
        plan.coefficients(&rows, &mut out).unwrap();
        assert!(out == b, "by its values modulo {}", plan.ring.p);
    }

    /// The product of two polynomials; sums of products and values agree with it.
    fn product<K: Kind>(cpu: Cpu, ring: Identity, [a, b]: [&[u64]; 2]) -> Vec<u64> {
        let root = number::root(ring.n * ring.shape.order(), ring.p).unwrap();
        let plan = Plan::<K>::new(cpu, ring, root).unwrap();
        let [mut x, mut y, mut z] = [a, b, b].map(|numbers| {
            let mut rows = plan.rows().unwrap();
            plan.set(&mut rows, numbers).unwrap();
            rows
        });
        plan.forward_from(&y, &mut z).unwrap();
        plan.forward(&mut y).unwrap();
        plan.forward(&mut x).unwrap();
        let twice = sums(&plan, &x, &y);
        by_values(&plan, &y, b);
        plan.pointwise(&mut x, &y).unwrap();
        plan.inverse(&mut x).unwrap();
        let mut out = vec![0; ring.n];
        plan.coefficients(&x, &mut out).unwrap();
        let double = |x: &u64| 2 * x % ring.p;
        assert!(twice.iter().eq(&out.iter().map(double).collect::<Vec<_>>()), "a sum modulo {}", ring.p);
        // The transform of an operand that stays is the same.
        plan.reduce(&mut z).unwrap();
        plan.inverse(&mut z).unwrap();
        let mut same = vec![0; ring.n];
        plan.coefficients(&z, &mut same).unwrap();
        assert!(same == b, "there and back modulo {}", ring.p);
        out
    }

    /// Protects: lanes of 32 bits on every backend, on one row, two and four, which rings of few coefficients
    /// don't choose where instructions multiply 52 bits: by the products of lanes of 64 bits.
    #[test]
    fn narrow_lanes_agree_with_long_ones() {
        let (p, mut random) = (1_073_479_681, ringsmith_oracle::Random::new(1));
        for cpu in Cpu::available() {
            for (shape, layers) in (1..15).flat_map(|l| [(Shape::Negacyclic, l), (Shape::Cyclic, l)]) {
                let n = 1 << layers;
                let of = |form| Identity { form, shape, n, p };
                let mut draw = || -> Vec<u64> { (0..n).map(|_| random.word() % p).collect() };
                let (a, b) = (draw(), if layers % 2 == 0 { draw() } else { vec![p - 1; n] });
                let narrow = product::<Narrow>(cpu, of(Form::Narrow), [&a, &b]);
                let long = product::<Long>(cpu, of(Form::Long), [&a, &b]);
                assert!(narrow == long, "{cpu:?}, degree {n}");
                if Quotients::on(cpu).is_some() {
                    let by_quotients = product::<Quotients>(cpu, of(Form::Quotient), [&a, &b]);
                    assert!(by_quotients == long, "{cpu:?}, degree {n}, quotients");
                }
            }
        }
    }

    /// `a a + a a`, in the worst lanes.
    fn there_and_back(plan: &Plan<Long>, a: &[u64]) -> Vec<u64> {
        let by = Worst::<{ u64::BITS }>;
        let (prime, kind) = (&plan.prime, PhantomData::<AsIs>);
        let [mut a, mut sum] = [a, a].map(|a| {
            let mut rows = plan.rows().unwrap();
            plan.set(&mut rows, a).unwrap();
            rows
        });
        let [a, sum] = [&mut a, &mut sum].map(|rows| Long::lines_mut(rows).unwrap());
        plan.forward_all(by, a, sum);
        plan.forward_part(by, a, plan.ring.shape.node(), 0);
        assert!(a.iter().zip(&*sum).all(|(a, b)| a.0 == b.0), "an operand that stays has another transform");
        by.run_body(prime, Pointwise { a: &mut *sum, b: a, kind });
        by.run_body(prime, Accumulate { sum: &mut *sum, a, b: a, kind });
        plan.backward_all(by, sum);
        let mut out = vec![0; plan.ring.n];
        plan.write(sum, &mut out, Content::Coefficients);
        out
    }

    /// The constant term of `2 a a`.
    fn constant_term(shape: Shape, a: &[u64], p: u64) -> u64 {
        let n = a.len();
        let wrapped = (1..n).fold(0, |sum, i| (sum + number::multiply(a[i], a[n - i], p)) % p);
        let wrapped = if shape == Shape::Cyclic { wrapped } else { (p - wrapped) % p };
        number::multiply(2, (number::multiply(a[0], a[0], p) + wrapped) % p, p)
    }

    /// The sum of `sign x^(2^j) / leaf^(2^j)`. On the walk down to the leaf each layer adds or takes off the
    /// product of one of its terms, which is the same number, `sign`, up to the layer's own sign.
    fn walk(n: usize, p: u64, inverse_leaf: u64, sign: u64) -> Vec<u64> {
        let mut a = vec![0; n];
        for j in 0..n.trailing_zeros() {
            let term = number::power(inverse_leaf, 1 << j, p);
            a[1 << j] = number::multiply(term, sign, p);
        }
        a
    }

    /// The first and the last value of a transform forward, in the worst lanes.
    fn ends<const PRIME_BITS: u32>(plan: &Plan<Wide<PRIME_BITS>>, a: &[u64]) -> [u64; 2] {
        let mut rows = plan.rows().unwrap();
        plan.set(&mut rows, a).unwrap();
        let rows = Wide::<PRIME_BITS>::lines_mut(&mut rows).unwrap();
        plan.forward_part(Worst::<{ wide::LANE_BITS }>, rows, plan.ring.shape.node(), 0);
        [rows[0].0[0], rows[rows.len() - 1].0[7]]
    }

    /// The worst transforms forward of a degree.
    fn check<const PRIME_BITS: u32>(on: On<Wide<PRIME_BITS>>, shape: Shape, layers: u32, p: u64) {
        let (n, layers) = (1 << layers, u64::from(layers));
        let root = number::root(n * shape.order(), p).unwrap();
        let (ring, prime) = (Identity { form: Form::Wide, shape, n, p }, Prime::new(p, worst::factor));
        let plan = Plan::<Wide<PRIME_BITS>>::of_prime(on, ring, root, prime).unwrap();
        // The last leaf is 1 / root. Each layer takes off p - 1: a product of -1.
        let [_, least] = ends(&plan, &walk(n, p, root, 1));
        assert_eq!(least % p, layers);
        if !Bounds::<PRIME_BITS>::TIGHT {
            assert_eq!(least, (Bounds::<PRIME_BITS>::START - layers) * p + layers);
        }
        // The first leaf is the root, or 1. Each layer adds p - 1.
        let leaf = if shape == Shape::Cyclic { 1 } else { number::inverse(root, p) };
        let mut a = walk(n, p, leaf, p - 1);
        a[0] = p - 1;
        let [greatest, _] = ends(&plan, &a);
        assert_eq!(greatest % p, p - 1 - layers);
        for a in [vec![p - 1; n], (0..n as u64).map(|i| (p - 1) * (i % 2)).collect()] {
            ends(&plan, &a);
        }
    }

    /// Whether the target has vectors for certain, so that plain Rust is no backend unless a build asks.
    const VECTORS: bool =
        cfg!(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")));

    /// Protects: room for the values of the longest transforms, renewed by every pass or never. In lanes
    /// whose products are the greatest that the contract allows, and which panic where they overflow:
    /// backends' own products are less, so that no operand shows it there. Plain Rust has these lanes; of
    /// vectors AVX-512's do.
    #[test]
    fn values_have_room() {
        let on = Cpu::available().find_map(Cpu52::new);
        assert!(VECTORS || on.is_some(), "plain Rust has lanes of 52 bits");
        let Some(on) = on else {
            return std::eprintln!("not checked: no backend of this build and machine has these lanes");
        };
        for shape in [Shape::Negacyclic, Shape::Cyclic] {
            for layers in 1..=MAX_LAYERS {
                check::<46>(On(on), shape, layers, 70_368_740_769_793);
                check::<49>(On(on), shape, layers, 562_949_950_537_729);
                check::<50>(On(on), shape, layers, 1_125_899_902_124_033);
                check::<51>(On(on), shape, layers, 2_251_799_807_131_649);
            }
        }
    }
}
