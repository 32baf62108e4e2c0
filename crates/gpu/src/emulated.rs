//! A GPU that is none: the kernels run on the CPU, and what can go wrong with a GPU goes wrong when a test
//! says so.
//!
//! Work is done when a stream is waited for and not before, so whoever reads too early reads what was there.

use crate::GpuError;
use crate::driver::{Address, Driver, Grid, Info, RESERVED, Stream};
use crate::kernels::Kernel;
use core::ffi::{c_char, c_int, c_uint, c_void};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::alloc::{Layout, alloc, dealloc};
use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Mutex, MutexGuard, PoisonError};

unsafe extern "C" {
    fn ringsmith_shim_launch(
        name: *const c_char,
        blocks: c_uint,
        threads: c_uint,
        shared: usize,
        params: *const c_void,
        bytes: usize,
        mutant: c_int,
        descending: c_int,
    ) -> c_int;
}

/// What it is like, and what goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Faults {
    /// The compute capability that it has.
    pub capability: (u32, u32),
    /// Bytes of shared memory of a block.
    pub shared: usize,
    /// Processors.
    pub processors: u32,
    /// Bytes of device memory.
    pub memory: usize,
    /// Bytes of the host's memory for copies.
    pub host_memory: usize,
    /// Calls after which it is lost.
    pub lost_after: Option<u32>,
    /// A mistake in the kernels, by its number in their sources; 0 for none.
    pub mutant: u32,
    /// Threads of a block run from the last to the first.
    pub descending: bool,
}

impl Default for Faults {
    fn default() -> Self {
        let plenty = 1 << 30;
        Faults {
            capability: (9, 0),
            shared: 227 << 10,
            processors: 132,
            memory: plenty,
            host_memory: plenty,
            lost_after: None,
            mutant: 0,
            descending: false,
        }
    }
}

/// How often it was called for what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Calls {
    /// Memory of the device.
    pub allocations: usize,
    /// Copies to the device.
    pub uploads: usize,
    /// Kernels.
    pub launches: usize,
    /// Waits for a stream.
    pub waits: usize,
}

/// Threads, and blocks, of a processor.
const THREADS: u32 = 2048;
const BLOCKS: usize = 32;

type Work = Box<dyn FnOnce() -> Result<(), GpuError> + Send>;

/// The driver.
pub struct Emulated {
    info: Info,
    faults: Faults,
    queues: Mutex<HashMap<u64, Vec<Work>>>,
    next: AtomicU64,
    device_bytes: AtomicUsize,
    host_bytes: AtomicUsize,
    calls_left: AtomicI64,
    uncleared: AtomicUsize,
    most: AtomicUsize,
    calls: Mutex<Calls>,
}

/// Allocations of the host are aligned as those of a device.
fn layout(bytes: usize) -> Result<Layout, GpuError> {
    Layout::from_size_align(bytes.max(1), 256).map_err(|_| GpuError::OutOfMemory { bytes })
}

/// Takes bytes from what there are.
fn take(used: &AtomicUsize, bytes: usize, all: usize) -> Result<(), GpuError> {
    let add = |used: usize| used.checked_add(bytes).filter(|sum| *sum <= all);
    used.fetch_update(SeqCst, SeqCst, add).map(|_| ()).map_err(|_| GpuError::OutOfMemory { bytes })
}

impl Emulated {
    /// One with these faults.
    pub fn new(faults: Faults) -> Self {
        let Faults { capability, shared, processors, .. } = faults;
        let info = Info { name: "emulated".to_string(), capability, shared, processors };
        Emulated {
            info,
            faults,
            queues: Mutex::default(),
            next: AtomicU64::new(1),
            device_bytes: AtomicUsize::new(0),
            host_bytes: AtomicUsize::new(0),
            calls_left: AtomicI64::new(faults.lost_after.map_or(i64::MAX, i64::from)),
            uncleared: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            calls: Mutex::default(),
        }
    }

    /// How many allocations were given back with something in them.
    pub fn uncleared(&self) -> usize {
        self.uncleared.load(SeqCst)
    }

    /// Bytes of device memory that are in use, and the most that were.
    pub fn used(&self) -> (usize, usize) {
        (self.device_bytes.load(SeqCst), self.most.load(SeqCst))
    }

    /// The calls until now.
    pub fn calls(&self) -> Calls {
        *self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, one: impl FnOnce(&mut Calls)) {
        one(&mut self.calls.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn alive(&self) -> Result<(), GpuError> {
        if self.calls_left.fetch_sub(1, SeqCst) <= 0 {
            self.calls_left.store(0, SeqCst);
            return Err(GpuError::Lost);
        }
        Ok(())
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<u64, Vec<Work>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, stream: Stream, work: Work) -> Result<(), GpuError> {
        self.alive()?;
        self.queues().entry(stream.0).or_default().push(work);
        Ok(())
    }

    /// Work that does not fail.
    fn later(&self, stream: Stream, work: impl FnOnce() + Send + 'static) -> Result<(), GpuError> {
        let work = move || {
            work();
            Ok(())
        };
        self.push(stream, Box::new(work))
    }

    fn note_content(&self, at: *const u8, bytes: usize) {
        // SAFETY: the caller is about to give so many bytes back, and all were set: allocations begin as
        // noise.
        let content = unsafe { core::slice::from_raw_parts(at, bytes) };
        let lost = self.calls_left.load(SeqCst) <= 0;
        if !lost && content.iter().any(|byte| *byte != 0) {
            self.uncleared.fetch_add(1, SeqCst);
        }
    }
}

/// Memory of any content: noise.
fn noise(bytes: usize) -> Result<NonNull<u8>, GpuError> {
    // SAFETY: a layout has at least one byte.
    let at = NonNull::new(unsafe { alloc(layout(bytes)?) }).ok_or(GpuError::OutOfMemory { bytes })?;
    // SAFETY: so many bytes were allocated.
    unsafe { at.write_bytes(0xa5, bytes) }
    Ok(at)
}

/// Copies memory between addresses.
///
/// # Safety
/// Both are valid for so many bytes and do not overlap.
unsafe fn copy(to: u64, from: u64, bytes: usize) {
    // SAFETY: as the caller says; addresses of this driver are pointers.
    unsafe { core::ptr::copy_nonoverlapping(from as *const u8, to as *mut u8, bytes) }
}

/// Why a launch ended, as the shim says.
fn verdict(code: c_int) -> Result<(), GpuError> {
    let what = match code {
        0 => return Ok(()),
        1 => "not all threads of a block came to the same barrier",
        2 => "it wrote behind its shared memory",
        3 => "a bound that it relies on did not hold",
        4 => "there is no kernel of this name",
        _ => "it takes another structure",
    };
    Err(GpuError::Kernel { what })
}

// SAFETY: memory is the allocator's. Work waits in a queue for each stream, which `wait` empties.
unsafe impl Driver for Emulated {
    fn info(&self) -> &Info {
        &self.info
    }
    fn free_memory(&self) -> Result<usize, GpuError> {
        self.alive()?;
        Ok(self.faults.memory.saturating_sub(self.device_bytes.load(SeqCst)))
    }
    fn allocate(&self, bytes: usize) -> Result<Address, GpuError> {
        self.alive()?;
        take(&self.device_bytes, bytes, self.faults.memory)?;
        self.most.fetch_max(self.device_bytes.load(SeqCst), SeqCst);
        self.count(|calls| calls.allocations += 1);
        Ok(noise(bytes)?.as_ptr() as u64)
    }
    unsafe fn free(&self, at: Address, bytes: usize) {
        self.note_content(at as *const u8, bytes);
        self.device_bytes.fetch_sub(bytes, SeqCst);
        if let Ok(layout) = layout(bytes) {
            // SAFETY: the caller has it from `allocate`, with the same layout.
            unsafe { dealloc(at as *mut u8, layout) }
        }
    }
    fn allocate_host(&self, bytes: usize) -> Result<NonNull<u8>, GpuError> {
        self.alive()?;
        take(&self.host_bytes, bytes, self.faults.host_memory)?;
        noise(bytes)
    }
    unsafe fn free_host(&self, at: NonNull<u8>, bytes: usize) {
        self.note_content(at.as_ptr(), bytes);
        self.host_bytes.fetch_sub(bytes, SeqCst);
        if let Ok(layout) = layout(bytes) {
            // SAFETY: as in `free`.
            unsafe { dealloc(at.as_ptr(), layout) }
        }
    }
    fn stream(&self) -> Result<Stream, GpuError> {
        self.alive()?;
        Ok(Stream(self.next.fetch_add(1, SeqCst)))
    }
    unsafe fn end(&self, stream: Stream) {
        self.queues().remove(&stream.0);
    }
    unsafe fn upload(
        &self,
        stream: Stream,
        to: Address,
        from: *const u8,
        bytes: usize,
    ) -> Result<(), GpuError> {
        let from = from as u64;
        self.count(|calls| calls.uploads += 1);
        // SAFETY: the caller keeps both memories valid until the stream was waited for, when this runs.
        self.later(stream, move || unsafe { copy(to, from, bytes) })
    }
    unsafe fn download(
        &self,
        stream: Stream,
        to: *mut u8,
        from: Address,
        bytes: usize,
    ) -> Result<(), GpuError> {
        let to = to as u64;
        // SAFETY: as in `upload`.
        self.later(stream, move || unsafe { copy(to, from, bytes) })
    }
    unsafe fn clear(&self, stream: Stream, at: Address, bytes: usize) -> Result<(), GpuError> {
        // SAFETY: as in `upload`.
        self.later(stream, move || unsafe { (at as *mut u8).write_bytes(0, bytes) })
    }
    unsafe fn launch(
        &self,
        stream: Stream,
        kernel: Kernel,
        grid: Grid,
        params: &[u8],
    ) -> Result<(), GpuError> {
        let name = CString::new(kernel.name).map_err(|_| GpuError::Kernel { what: "its name" })?;
        // Words, for the alignment of the structure.
        let mut words = vec![0u64; params.len().div_ceil(8)];
        for (word, bytes) in words.iter_mut().zip(params.chunks(8)) {
            let mut eight = [0; 8];
            eight[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_ne_bytes(eight);
        }
        let (bytes, faults) = (params.len(), self.faults);
        self.count(|calls| calls.launches += 1);
        self.push(
            stream,
            Box::new(move || {
                // SAFETY: the caller says that the structure is the kernel's and its memory valid; the shim
                // checks the structure's size.
                verdict(unsafe {
                    ringsmith_shim_launch(
                        name.as_ptr(),
                        grid.blocks,
                        grid.threads,
                        grid.shared,
                        words.as_ptr().cast(),
                        bytes,
                        faults.mutant as c_int,
                        c_int::from(faults.descending),
                    )
                })
            }),
        )
    }
    fn resident(&self, _: Kernel, grid: Grid) -> Result<u32, GpuError> {
        self.alive()?;
        // By shared memory and threads alone: kernels on a CPU have no registers to divide.
        let (all, block) = (self.info.shared + RESERVED, grid.shared + RESERVED);
        Ok((all / block).min((THREADS / grid.threads.max(1)) as usize).min(BLOCKS) as u32)
    }
    fn wait(&self, stream: Stream) -> Result<(), GpuError> {
        let work = self.queues().remove(&stream.0).unwrap_or_default();
        self.alive()?;
        self.count(|calls| calls.waits += 1);
        work.into_iter().try_for_each(|work| work())
    }
}
