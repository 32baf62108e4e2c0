//! Polynomials that stay on a device.

use crate::GpuError;
use crate::driver::{Address, Driver};
use crate::memory::{Buffer, Element};
use core::marker::PhantomData;
use std::sync::Arc;

/// Elements from one polynomial to the next: a multiple of 8, so that kernels read whole words.
pub(crate) fn step(n: usize) -> usize {
    n.next_multiple_of(8)
}

/// Polynomials in the memory of a device, made by [`Batch::upload_first`](crate::Batch::upload_first) and its
/// siblings. Their memory is cleared when they are dropped.
pub struct Array<T> {
    pub(crate) buffer: Buffer,
    n: usize,
    count: usize,
    bound: u32,
    element: PhantomData<T>,
}

impl<T: Element> Array<T> {
    pub(crate) fn new(
        driver: &Arc<dyn Driver>,
        n: usize,
        count: usize,
        bound: u32,
    ) -> Result<Self, GpuError> {
        let bytes = count.checked_mul(step(n) * size_of::<T>());
        let bytes = bytes.ok_or(GpuError::OutOfMemory { bytes: usize::MAX })?;
        Ok(Array { buffer: Buffer::new(driver, bytes)?, n, count, bound, element: PhantomData })
    }

    /// How many polynomials there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many coefficients each has.
    pub fn degree(&self) -> usize {
        self.n
    }

    /// Where a polynomial is.
    pub(crate) fn at(&self, polynomial: usize) -> Address {
        self.buffer.at() + (polynomial * step(self.n) * size_of::<T>()) as u64
    }

    /// Whether it serves as an operand.
    pub(crate) fn serves(&self, driver: &Arc<dyn Driver>, n: usize, bound: u32) -> Result<(), GpuError> {
        let serves = self.buffer.is_of(driver) && self.n == n && self.bound <= bound;
        if serves { Ok(()) } else { Err(GpuError::Foreign) }
    }
}

/// Second operands in the memory of a device whose transforms are done, made by
/// [`Batch::prepare`](crate::Batch::prepare). A product by one takes a transform less.
pub struct Prepared<T>(pub(crate) Array<T>);

impl<T: Element> Prepared<T> {
    /// How many polynomials there are.
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// How many coefficients each has.
    pub fn degree(&self) -> usize {
        self.0.degree()
    }

    /// Whether it serves as an operand: transforms are those of one prime, whatever their values are below.
    pub(crate) fn serves(&self, driver: &Arc<dyn Driver>, n: usize, bound: u32) -> Result<(), GpuError> {
        self.0.serves(driver, n, bound)?;
        if self.0.bound == bound { Ok(()) } else { Err(GpuError::Foreign) }
    }
}

/// An operand of a batch.
pub enum Operand<'a, T> {
    /// Of the host: polynomial after polynomial, the constant term first.
    Host(&'a [T]),
    /// Of the device.
    Device(&'a Array<T>),
    /// One polynomial for all products, of the host. Each batch uploads it.
    One(&'a [T]),
    /// One polynomial for all products, of the device: an array of one.
    OneOnDevice(&'a Array<T>),
    /// Of the device, prepared. Only a second operand can be.
    Prepared(&'a Prepared<T>),
    /// One polynomial for all products, of the device, prepared: one of one.
    OnePrepared(&'a Prepared<T>),
}

/// Where the products of a batch go.
pub enum Output<'a, T> {
    /// To the host, polynomial after polynomial.
    Host(&'a mut [T]),
    /// To the device.
    Device(&'a mut Array<T>),
}
