//! Whole products by the transforms of NTRU's size classes, as entries of a table.

extern crate alloc;

use crate::Cpu;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::iter::zip;
use ringsmith_any::RingError;
use ringsmith_any::compiled::{Factor, Multiply, Whole, boxed};
use ringsmith_cyclic::whole::{Products, Target};
use ringsmith_simd::{Row, wipe};

/// The products of a class.
pub(super) struct Class(pub(super) usize);

/// How many cycles a product takes for each row of a transform, on a machine with a register for it; and how
/// many more for each other row, since long transforms are loops and leave the nearest cache.
const CYCLES: [f64; 2] = [130.0, 1.15];

impl Class {
    fn products(&self) -> &'static Products {
        &ringsmith_cyclic::whole::ALL[self.0]
    }
}

impl Whole for Class {
    fn primes(&self) -> [u64; 3] {
        self.products().primes().map(|p| p as u64)
    }

    fn holds(&self, q: u64, n: usize, bound: u64) -> bool {
        let [q, bound] = [q, bound].map(|x| i64::try_from(x).unwrap_or(i64::MAX));
        self.products().hold(q, n, bound)
    }

    fn cycles(&self, cpu: Cpu) -> f64 {
        let points = self.products().points() as f64;
        points * (CYCLES[0] + CYCLES[1] * points) * cpu.registers_64() as f64
    }

    fn multiplier(&self, cpu: Cpu, q: u64, _: usize) -> Result<Box<dyn Multiply>, RingError> {
        let products = self.products();
        let target = i64::try_from(q).ok().and_then(|q| products.target(q)).ok_or(RingError::Method)?;
        let [memory, prepared] = products.memory();
        let rows = |count| Rows::zero(count);
        let (operand, product) = (rows(products.rows())?, rows(2 * products.rows())?);
        let (memory, second) = (rows(memory)?, rows(prepared)?);
        Ok(boxed(InMemory { cpu, products, target, operand, second, product, memory })?)
    }
}

/// Rows that are cleared when they are dropped.
struct Rows(Vec<Row>);

impl Rows {
    fn zero(count: usize) -> Result<Self, RingError> {
        let mut rows = Vec::new();
        rows.try_reserve_exact(count).map_err(|_| RingError::Memory)?;
        rows.resize(count, [0; 16]);
        Ok(Rows(rows))
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// A multiplier, and its memory.
struct InMemory {
    cpu: Cpu,
    products: &'static Products,
    target: Target,
    operand: Rows,
    second: Rows,
    product: Rows,
    memory: Rows,
}

/// A prepared factor.
struct Prepared {
    cpu: Cpu,
    target: Target,
    primes: [i64; 3],
    second: Rows,
}

/// Coefficients in rows, and zeroes behind them.
fn read(from: &[u16], to: &mut Rows) {
    let to = to.0.as_flattened_mut();
    let (low, high) = to.split_at_mut(from.len().min(to.len()));
    zip(low, from).for_each(|(to, x)| *to = *x as i16);
    high.fill(0);
}

impl InMemory {
    /// Makes `b` a second factor.
    fn set(&mut self, b: &[u16], second: &mut Rows) {
        read(b, &mut self.operand);
        let InMemory { cpu, products, target, operand, memory, .. } = self;
        products.prepare(*cpu, target, &mut operand.0, &mut second.0, &mut memory.0);
    }

    /// Writes `a` times a second factor.
    fn multiply(&mut self, a: &[u16], second: &Rows, out: &mut [u16]) {
        read(a, &mut self.operand);
        let InMemory { cpu, products, target, operand, product, memory, .. } = self;
        products.multiply(*cpu, target, &mut operand.0, &second.0, &mut product.0, &mut memory.0);
        zip(out, product.0.as_flattened()).for_each(|(to, x)| *to = *x as u16);
    }
}

impl Multiply for InMemory {
    fn product(&mut self, a: &[u16], b: &[u16], out: &mut [u16]) {
        let mut second = core::mem::replace(&mut self.second, Rows(Vec::new()));
        self.set(b, &mut second);
        self.multiply(a, &second, out);
        self.second = second;
    }

    fn prepare(&mut self, b: &[u16]) -> Result<Factor, RingError> {
        let mut second = Rows::zero(self.second.0.len())?;
        self.set(b, &mut second);
        let (cpu, target, products) = (self.cpu, self.target, self.products);
        let prepared = Prepared { cpu, target, primes: products.primes(), second };
        Ok(boxed(prepared)?)
    }

    fn product_prepared(&mut self, a: &[u16], b: &Factor, out: &mut [u16]) -> Result<(), RingError> {
        let [b] = (**b).downcast_ref::<[Prepared; 1]>().ok_or(RingError::OtherRing)?;
        if (b.cpu, b.target, b.primes) != (self.cpu, self.target, self.products.primes()) {
            return Err(RingError::OtherRing);
        }
        self.multiply(a, &b.second, out);
        Ok(())
    }
}
