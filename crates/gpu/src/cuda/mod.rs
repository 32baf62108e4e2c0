//! The driver of NVIDIA's GPUs, by its library, which is looked for when a device is asked for.

pub mod cache;
pub mod compile;
mod modules;

use crate::GpuError;
use crate::driver::{Address, Driver, Grid, Info, Stream};
use crate::kernels::Kernel;
use core::ffi::{c_int, c_void};
use core::ptr::{NonNull, null_mut};
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, CUresult};
use modules::Modules;

/// A GPU. Its context is the one that all of the process has in common.
pub(crate) struct Cuda {
    info: Info,
    device: sys::CUdevice,
    context: sys::CUcontext,
    modules: Modules,
}

// SAFETY: the driver's functions may be called from any thread, and the context is made current on each
// before.
unsafe impl Send for Cuda {}
// SAFETY: as above.
unsafe impl Sync for Cuda {}

/// What an error of the driver means, where `bytes` were asked for.
fn meaning(error: DriverError, bytes: usize) -> GpuError {
    match error.0 as u32 {
        2 => GpuError::OutOfMemory { bytes },
        // Deinitialised, unavailable, no longer there, ECC, NVLink, and what a kernel's failure leaves of a
        // context.
        3 | 4 | 46 | 101 | 201 | 214 | 220 | 226 | 700 | 702 | 709 | 710 | 714..=719 | 721 | 999 => {
            GpuError::Lost
        }
        code => GpuError::Driver { code },
    }
}

fn plain(error: DriverError) -> GpuError {
    meaning(error, 0)
}

/// What a call says, as a result.
fn said(result: CUresult) -> Result<(), GpuError> {
    result.result().map_err(plain)
}

/// The device of a number, if there is a driver and such a device.
fn device(ordinal: usize) -> Result<sys::CUdevice, GpuError> {
    // SAFETY: it looks for the library and calls nothing in it.
    if !unsafe { sys::is_culib_present() } {
        return Err(GpuError::NoDriver);
    }
    let none = |error: DriverError| match error.0 as u32 {
        // The library that programs are linked with where there is no driver.
        34 => GpuError::NoDriver,
        100 | 101 => GpuError::NoGpu { ordinal },
        // As a kernel's module of another version than the library.
        code => GpuError::Driver { code },
    };
    result::init().map_err(none)?;
    let count = result::device::get_count().map_err(none)?;
    let number = c_int::try_from(ordinal).ok().filter(|number| *number < count);
    result::device::get(number.ok_or(GpuError::NoGpu { ordinal })?).map_err(none)
}

fn attribute(device: sys::CUdevice, which: Attribute) -> Result<u32, GpuError> {
    // SAFETY: the device is one of the driver's.
    let value = unsafe { result::device::get_attribute(device, which) }.map_err(plain)?;
    Ok(value.unsigned_abs())
}

impl Cuda {
    /// The GPU of a number.
    pub(crate) fn new(ordinal: usize) -> Result<Self, GpuError> {
        let device = device(ordinal)?;
        let capability = (
            attribute(device, Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(device, Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        );
        let shared = attribute(device, Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
        let name = result::device::get_name(device).map_err(plain)?;
        // SAFETY: the device is one of the driver's.
        let context = unsafe { result::primary_ctx::retain(device) }.map_err(plain)?;
        let processors = attribute(device, Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let info = Info { name, capability, shared: shared as usize, processors };
        Ok(Cuda { info, device, context, modules: Modules::default() })
    }

    /// Makes the context this thread's.
    fn enter(&self) -> Result<(), GpuError> {
        // SAFETY: the context was retained and lives as long as `self`.
        unsafe { result::ctx::set_current(self.context) }.map_err(plain)
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        if self.enter().is_ok() {
            self.modules.unload();
        }
        // SAFETY: it was retained once, by `new`.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}

/// A stream as the driver has it.
fn own(stream: Stream) -> sys::CUstream {
    stream.0 as sys::CUstream
}

// SAFETY: memory and streams are the driver's own, of one context. Where waiting for a stream fails, the
// context is lost, and no kernel runs in it any more.
unsafe impl Driver for Cuda {
    fn info(&self) -> &Info {
        &self.info
    }
    fn free_memory(&self) -> Result<usize, GpuError> {
        self.enter()?;
        Ok(result::mem_get_info().map_err(plain)?.0)
    }
    fn allocate(&self, bytes: usize) -> Result<Address, GpuError> {
        self.enter()?;
        // SAFETY: the memory is written before it is read.
        unsafe { result::malloc_sync(bytes) }.map_err(|error| meaning(error, bytes))
    }
    unsafe fn free(&self, at: Address, _: usize) {
        if self.enter().is_ok() {
            // SAFETY: the caller has it from `allocate`.
            let _ = unsafe { result::free_sync(at) };
        }
    }
    fn allocate_host(&self, bytes: usize) -> Result<NonNull<u8>, GpuError> {
        self.enter()?;
        // SAFETY: the memory is set before it is read.
        let at = unsafe { result::malloc_host(bytes, 0) }.map_err(|error| meaning(error, bytes))?;
        NonNull::new(at.cast()).ok_or(GpuError::OutOfMemory { bytes })
    }
    unsafe fn free_host(&self, at: NonNull<u8>, _: usize) {
        if self.enter().is_ok() {
            // SAFETY: the caller has it from `allocate_host`.
            let _ = unsafe { result::free_host(at.as_ptr().cast()) };
        }
    }
    fn stream(&self) -> Result<Stream, GpuError> {
        self.enter()?;
        let stream = result::stream::create(result::stream::StreamKind::NonBlocking).map_err(plain)?;
        Ok(Stream(stream as u64))
    }
    unsafe fn end(&self, stream: Stream) {
        if self.enter().is_ok() {
            // SAFETY: the caller has it from `stream`, and does not use it again.
            let _ = unsafe { result::stream::destroy(own(stream)) };
        }
    }
    unsafe fn upload(
        &self,
        stream: Stream,
        to: Address,
        from: *const u8,
        bytes: usize,
    ) -> Result<(), GpuError> {
        self.enter()?;
        // SAFETY: the caller says that both memories are valid until the stream was waited for.
        said(unsafe { sys::cuMemcpyHtoDAsync_v2(to, from.cast(), bytes, own(stream)) })
    }
    unsafe fn download(
        &self,
        stream: Stream,
        to: *mut u8,
        from: Address,
        bytes: usize,
    ) -> Result<(), GpuError> {
        self.enter()?;
        // SAFETY: as in `upload`.
        said(unsafe { sys::cuMemcpyDtoHAsync_v2(to.cast(), from, bytes, own(stream)) })
    }
    unsafe fn clear(&self, stream: Stream, at: Address, bytes: usize) -> Result<(), GpuError> {
        self.enter()?;
        // SAFETY: as in `upload`.
        said(unsafe { sys::cuMemsetD8Async(at, 0, bytes, own(stream)) })
    }
    unsafe fn launch(
        &self,
        stream: Stream,
        kernel: Kernel,
        grid: Grid,
        params: &[u8],
    ) -> Result<(), GpuError> {
        self.enter()?;
        let function = self.modules.function(kernel, &self.info, grid.shared)?;
        // The driver copies the structure before it returns.
        let mut structure: [*mut c_void; 1] = [params.as_ptr().cast_mut().cast()];
        let (blocks, threads) = ((grid.blocks, 1, 1), (grid.threads, 1, 1));
        // SAFETY: the caller says that the structure is the kernel's, and that what it points to stays valid.
        let started = unsafe {
            result::launch_kernel(function, blocks, threads, grid.shared as u32, own(stream), &mut structure)
        };
        started.map_err(plain)
    }
    fn resident(&self, kernel: Kernel, grid: Grid) -> Result<u32, GpuError> {
        self.enter()?;
        let function = self.modules.function(kernel, &self.info, grid.shared)?;
        let (mut blocks, threads) = (0, grid.threads as c_int);
        // SAFETY: the function is of a loaded module, and `blocks` is a place for a number.
        said(unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut blocks, function, threads, grid.shared)
        })?;
        Ok(blocks.unsigned_abs())
    }
    fn wait(&self, stream: Stream) -> Result<(), GpuError> {
        self.enter()?;
        // SAFETY: the stream is this driver's.
        unsafe { result::stream::synchronize(own(stream)) }.map_err(plain)
    }
}

/// No module.
const NONE: sys::CUmodule = null_mut();
