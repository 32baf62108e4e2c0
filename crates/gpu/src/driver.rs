//! What the rest of the crate needs of a GPU.

use crate::GpuError;
use crate::kernels::Kernel;
use core::ptr::NonNull;

/// What kind of GPU it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Its name.
    pub name: String,
    /// Its compute capability, as (9, 0).
    pub capability: (u32, u32),
    /// The most bytes of shared memory that a block can have.
    pub shared: usize,
    /// Processors, of which each has blocks of its own.
    pub processors: u32,
}

/// Bytes of shared memory that the system takes of each block, from compute capability 8.0 on. A processor
/// has so many more than the most that a block can have.
pub(crate) const RESERVED: usize = 1 << 10;

/// A queue of work. What is put into one is done in its order; two do their work side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stream(pub u64);

/// An address in the memory of a device.
pub type Address = u64;

/// How a kernel is started.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Blocks.
    pub blocks: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Bytes of shared memory of a block.
    pub shared: usize,
}

/// A GPU, or what behaves like one. Work on a stream may be done at any time before [`Driver::wait`] returns.
///
/// # Safety
/// Memory that it gives is valid, of the size that was asked for, and nobody else's until it is given back.
/// Work of a stream is done in its order, and none is left when [`Driver::wait`] returns, also with an error.
///
/// # Errors
/// [`GpuError::OutOfMemory`], [`GpuError::Lost`], and what the driver says else. After `Lost` every call says
/// `Lost`.
pub unsafe trait Driver: Send + Sync {
    /// What it is.
    fn info(&self) -> &Info;
    /// Bytes of device memory that are free.
    #[allow(missing_docs, reason = "as said for all")]
    fn free_memory(&self) -> Result<usize, GpuError>;
    /// Memory of the device, of any content, aligned to 256 bytes.
    fn allocate(&self, bytes: usize) -> Result<Address, GpuError>;
    /// Gives it back.
    ///
    /// # Safety
    /// It is of [`Driver::allocate`], of so many bytes, and no work on any stream uses it.
    unsafe fn free(&self, at: Address, bytes: usize);
    /// Memory of the host that streams copy from and to, aligned to 16 bytes.
    fn allocate_host(&self, bytes: usize) -> Result<NonNull<u8>, GpuError>;
    /// Gives it back.
    ///
    /// # Safety
    /// As for [`Driver::free`].
    unsafe fn free_host(&self, at: NonNull<u8>, bytes: usize);
    /// A new stream.
    fn stream(&self) -> Result<Stream, GpuError>;
    /// Ends a stream.
    ///
    /// # Safety
    /// It is of [`Driver::stream`], nothing is waited for, and it is not used again.
    unsafe fn end(&self, stream: Stream);
    /// Copies to the device.
    ///
    /// # Safety
    /// Both memories are valid and unchanged until the stream was waited for. Memory of the host need not be
    /// of [`Driver::allocate_host`].
    unsafe fn upload(
        &self,
        stream: Stream,
        to: Address,
        from: *const u8,
        bytes: usize,
    ) -> Result<(), GpuError>;
    /// Copies to the host.
    ///
    /// # Safety
    /// As for [`Driver::upload`], and nothing reads or writes the host's memory meanwhile.
    unsafe fn download(
        &self,
        stream: Stream,
        to: *mut u8,
        from: Address,
        bytes: usize,
    ) -> Result<(), GpuError>;
    /// Sets memory of the device to 0.
    ///
    /// # Safety
    /// It is valid until the stream was waited for.
    unsafe fn clear(&self, stream: Stream, at: Address, bytes: usize) -> Result<(), GpuError>;
    /// Starts a kernel with the structure that it takes.
    ///
    /// # Safety
    /// The structure is the kernel's, and what it points to is valid until the stream was waited for.
    unsafe fn launch(
        &self,
        stream: Stream,
        kernel: Kernel,
        grid: Grid,
        params: &[u8],
    ) -> Result<(), GpuError>;
    /// How many blocks of a kernel a processor has at once, where the grid has enough of them.
    fn resident(&self, kernel: Kernel, grid: Grid) -> Result<u32, GpuError>;
    /// Waits until all of a stream's work is done. Where it fails, no work of the stream is left either.
    fn wait(&self, stream: Stream) -> Result<(), GpuError>;
}
