//! Kernels of which a processor has fewer blocks at once than it could have.

use crate::GpuError;
use crate::driver::{Info, RESERVED};
use crate::ring::{Choice, Lengths, Operands, Params, Ring, Shared};

/// A ring whose kernels have at most so many blocks at once on a processor: to measure how many a kernel
/// needs.
///
/// Each block is given shared memory that it does not use. Where a kernel uses more than that by itself, or
/// its registers allow fewer blocks, nothing changes; [`Batch::resident`](crate::Batch::resident) tells how
/// many there are.
pub struct Limited<R> {
    ring: R,
    blocks: usize,
}

/// Shared memory is divided in units of so many bytes.
const UNIT: usize = 128;

impl<R: Ring> Limited<R> {
    /// At most so many blocks of a ring's kernels, and at least one.
    pub fn new(ring: R, blocks: usize) -> Self {
        Limited { ring, blocks: blocks.max(1) }
    }

    /// With as much shared memory as leaves room for so many blocks.
    fn limit(&self, info: &Info, choice: Choice) -> Choice {
        let each = (info.shared + RESERVED) / self.blocks;
        let most = each.saturating_sub(RESERVED) / UNIT * UNIT;
        Choice { shared: choice.shared.max(most), ..choice }
    }
}

// SAFETY: all is the ring's, but that kernels get more shared memory than they use.
unsafe impl<R: Ring> Ring for Limited<R> {
    type A = R::A;
    type B = R::B;
    type C = R::C;

    fn lengths(&self) -> Lengths {
        self.ring.lengths()
    }
    fn bounds(&self) -> (u32, u32) {
        self.ring.bounds()
    }
    fn choose(&self, info: &Info, shared: Shared) -> Result<Choice, GpuError> {
        Ok(self.limit(info, self.ring.choose(info, shared)?))
    }
    fn choose_for(&self, info: &Info, shared: Shared, count: usize) -> Result<Choice, GpuError> {
        Ok(self.limit(info, self.ring.choose_for(info, shared, count)?))
    }
    fn choose_forward(&self, info: &Info) -> Result<Choice, GpuError> {
        self.ring.choose_forward(info)
    }
    fn choose_prepared(&self, info: &Info) -> Result<Choice, GpuError> {
        Ok(self.limit(info, self.ring.choose_prepared(info)?))
    }
    fn table(&self) -> &[u32] {
        self.ring.table()
    }
    fn params(&self, of: Operands) -> Params {
        self.ring.params(of)
    }
    fn params_for(&self, choice: &Choice, of: Operands) -> Params {
        self.ring.params_for(choice, of)
    }
}
