//! What a batch needs of a ring, and how a kernel is chosen.

use crate::GpuError;
use crate::driver::{Address, Info};
use crate::kernels::Kernel;
use crate::memory::{Element, bytes_of};

/// Which operand of a batch is one for all of its products.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shared {
    /// Neither.
    None,
    /// The first.
    First,
    /// The second.
    Second,
    /// Both.
    Both,
}

/// A kernel that was chosen, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The kernel.
    pub kernel: Kernel,
    /// Threads of a block.
    pub threads: u32,
    /// Products of a block.
    pub products: u32,
    /// Blocks that have the same products, each a part of their coefficients.
    pub parts: u32,
    /// Bytes of shared memory of a block.
    pub shared: usize,
    /// Why this one.
    pub why: &'static str,
}

/// Numbers of coefficients of the two operands and of the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lengths {
    /// Of the first operand.
    pub a: usize,
    /// Of the second.
    pub b: usize,
    /// Of the product.
    pub c: usize,
}

/// Where the operands of a launch are: `struct Operands` of the kernels.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    /// The first operand.
    pub a: Address,
    /// The second.
    pub b: Address,
    /// The product.
    pub c: Address,
    /// The ring's table.
    pub table: Address,
    /// How many products.
    pub count: u32,
    /// Coefficients from one first operand to the next; 0 for one for all.
    pub a_step: u32,
    /// The same of the second.
    pub b_step: u32,
    /// The same of the product.
    pub c_step: u32,
}

/// The bytes of a structure that a kernel takes; nothing in it is secret.
pub struct Params {
    words: [u64; 144],
    bytes: usize,
}

impl Params {
    /// Those of a structure.
    ///
    /// # Safety
    /// It has no padding.
    pub(crate) unsafe fn new<T: Copy>(params: T) -> Self {
        const { assert!(size_of::<T>() <= 8 * 144) };
        let mut words = [0; 144];
        // SAFETY: the caller says that there is no padding.
        let bytes = unsafe { bytes_of(&params) };
        for (word, eight) in words.iter_mut().zip(bytes.chunks(8)) {
            let mut whole = [0; 8];
            whole[..eight.len()].copy_from_slice(eight);
            *word = u64::from_ne_bytes(whole);
        }
        Params { words, bytes: size_of::<T>() }
    }

    /// As the driver takes them.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: words have no padding.
        let bytes = unsafe { bytes_of(&self.words) };
        &bytes[..self.bytes]
    }
}

/// What rings say that have no such kernels.
const NO_PREPARED: &str = "operands are prepared in rings of the type `Word` alone";

/// A ring whose products a GPU has kernels for.
///
/// # Safety
/// Batches trust it with memory. The chosen kernel must take the structure that the ring makes, and get all
/// the shared memory that it uses. The same holds of the kernels for prepared operands. It must read the
/// operands and the table alone, and write the product alone, each within its length.
pub unsafe trait Ring: Send + Sync {
    /// Coefficients of the first operand, on host and device.
    type A: Element;
    /// Of the second.
    type B: Element;
    /// Of the product.
    type C: Element;

    /// How many coefficients there are.
    fn lengths(&self) -> Lengths;
    /// What the coefficients of both operands are below.
    fn bounds(&self) -> (u32, u32);
    /// The kernel for large batches.
    ///
    /// # Errors
    /// Where this GPU has none.
    fn choose(&self, info: &Info, shared: Shared) -> Result<Choice, GpuError>;
    /// The kernel for a batch of so many products.
    ///
    /// # Errors
    /// The same.
    fn choose_for(&self, info: &Info, shared: Shared, _count: usize) -> Result<Choice, GpuError> {
        self.choose(info, shared)
    }
    /// The kernel that prepares second operands: it reads them where products have first ones, and writes
    /// them where products go.
    ///
    /// # Errors
    /// Where the ring has none.
    fn choose_forward(&self, _: &Info) -> Result<Choice, GpuError> {
        Err(GpuError::Route { what: NO_PREPARED })
    }
    /// The kernel for products by prepared second operands.
    ///
    /// # Errors
    /// Where the ring has none.
    fn choose_prepared(&self, _: &Info) -> Result<Choice, GpuError> {
        Err(GpuError::Route { what: NO_PREPARED })
    }
    /// What its kernels read beside the operands.
    fn table(&self) -> &[u32];
    /// The structure that its kernels take.
    fn params(&self, of: Operands) -> Params;
    /// That of a kernel that was chosen, where not all take the same.
    fn params_for(&self, _: &Choice, of: Operands) -> Params {
        self.params(of)
    }
}
