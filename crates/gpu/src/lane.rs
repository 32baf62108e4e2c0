//! A stream with its memory, through which a part of a batch goes.

use crate::GpuError;
use crate::array::step;
use crate::driver::{Address, Driver};
use crate::memory::{Buffer, Element, OwnStream, Staging};
use core::ops::Range;
use std::sync::Arc;

/// Memory of one operand: on the device, and of the host to copy from or to.
pub(crate) struct Port {
    buffer: Buffer,
    staging: Staging,
}

impl Port {
    fn new(driver: &Arc<dyn Driver>, bytes: usize, pinned: bool) -> Result<Self, GpuError> {
        Ok(Port { buffer: Buffer::new(driver, bytes)?, staging: Staging::new(driver, bytes, pinned)? })
    }
    pub(crate) fn at(&self) -> Address {
        self.buffer.at()
    }
}

/// A lane. The stream stands first, so that it is waited for before memory is given back.
pub(crate) struct Lane {
    driver: Arc<dyn Driver>,
    stream: OwnStream,
    /// Of the two operands and the products.
    pub(crate) ports: [Port; 3],
    /// The products that are on their way to the host.
    pending: Option<Range<usize>>,
}

/// Which port.
pub(crate) const A: usize = 0;
pub(crate) const B: usize = 1;
pub(crate) const C: usize = 2;

/// Copies polynomials of `n` coefficients into rows of [`step`] with zeros behind; the sum tells whether a
/// coefficient was too large. No branch depends on one.
fn pack<T: Element>(rows: &mut [T], from: &[T], n: usize, bound: u32) -> u32 {
    let mut exceeding = 0;
    for (row, polynomial) in rows.chunks_exact_mut(step(n)).zip(from.chunks_exact(n)) {
        let (here, behind) = row.split_at_mut(n);
        here.copy_from_slice(polynomial);
        behind.fill(T::default());
        exceeding |= polynomial.iter().fold(0, |all, x| all | x.exceeds(bound));
    }
    exceeding
}

impl Lane {
    /// With room for so many bytes at each port.
    pub(crate) fn new(driver: &Arc<dyn Driver>, bytes: [usize; 3], pinned: bool) -> Result<Self, GpuError> {
        let port = |bytes| Port::new(driver, bytes, pinned);
        let [a, b, c] = bytes;
        let ports = [port(a)?, port(b)?, port(c)?];
        Ok(Lane { driver: driver.clone(), stream: OwnStream::new(driver)?, ports, pending: None })
    }

    pub(crate) fn stream(&self) -> &OwnStream {
        &self.stream
    }

    /// Uploads polynomials to a port's memory on the device. The lane has nothing under way at it.
    pub(crate) fn upload<T: Element>(
        &mut self,
        port: usize,
        from: &[T],
        n: usize,
        bound: u32,
    ) -> Result<(), GpuError> {
        debug_assert!(from.len() / n * step(n) * size_of::<T>() <= self.ports[port].buffer.bytes());
        self.upload_to(port, self.ports[port].at(), from, n, bound)
    }

    /// Uploads polynomials by a port to an address, where there is room for them.
    pub(crate) fn upload_to<T: Element>(
        &mut self,
        port: usize,
        to: Address,
        from: &[T],
        n: usize,
        bound: u32,
    ) -> Result<(), GpuError> {
        let staging = &mut self.ports[port].staging;
        // SAFETY: whoever uploads waited for the stream before: a batch by `settle`, others by `wait`.
        let exceeding = pack(unsafe { staging.as_mut() }, from, n, bound);
        if exceeding != 0 {
            return Err(T::error(bound));
        }
        let bytes = from.len() / n * step(n) * size_of::<T>();
        // SAFETY: the lane owns the host's memory, which has room for a part of a batch, and waits before it
        // changes; the device's belongs to the batch, which waits before it is given back.
        unsafe { self.driver.upload(self.stream.get(), to, staging.pointer(), bytes) }
    }

    /// Begins to download products from an address, which are those of a range of the batch.
    pub(crate) fn download<T: Element>(
        &mut self,
        from: Address,
        n: usize,
        range: Range<usize>,
    ) -> Result<(), GpuError> {
        let bytes = range.len() * step(n) * size_of::<T>();
        let to = self.ports[C].staging.pointer();
        self.pending = Some(range);
        // SAFETY: the lane owns the memory, and nothing looks at it until `settle` has waited.
        unsafe { self.driver.download(self.stream.get(), to, from, bytes) }
    }

    /// Waits, and copies what came from the device to its place in the batch.
    pub(crate) fn settle<T: Element>(&mut self, out: Option<&mut [T]>, n: usize) -> Result<(), GpuError> {
        let pending = self.pending.take();
        self.stream.wait()?;
        if let (Some(range), Some(out)) = (pending, out) {
            // SAFETY: the stream was waited for.
            let rows: &[T] = unsafe { self.ports[C].staging.as_mut() };
            let places = out[range.start * n..range.end * n].chunks_exact_mut(n);
            places.zip(rows.chunks_exact(step(n))).for_each(|(place, row)| place.copy_from_slice(&row[..n]));
        }
        Ok(())
    }

    /// Waits for what is under way, and forgets it.
    pub(crate) fn abandon(&mut self) {
        self.pending = None;
        let _ = self.stream.wait();
    }
}
