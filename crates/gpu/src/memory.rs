//! Memory on the device, and memory of the host that the device copies from and to. Both are cleared before
//! they are given back.

use crate::GpuError;
use crate::driver::{Address, Driver, Stream};
use core::ptr::NonNull;
use core::slice;
use std::sync::Arc;
use zeroize::Zeroize;

/// What coefficients are on a device: plain numbers.
///
/// # Safety
/// Every pattern of bits is a value, and there is no padding.
pub unsafe trait Element: Copy + Default + Send + Sync + 'static {
    /// 1 where it is not below the bound, or a number with a sign is not from `-bound` to `bound - 1`, 0
    /// otherwise; without a branch.
    fn exceeds(self, bound: u32) -> u32;
    /// What is said then.
    fn error(bound: u32) -> GpuError {
        GpuError::Range { bound }
    }
}

// SAFETY: integers are such numbers.
unsafe impl Element for u32 {
    fn exceeds(self, bound: u32) -> u32 {
        // The carry of bound - 1 - x.
        (u64::from(bound).wrapping_sub(1).wrapping_sub(u64::from(self)) >> 63) as u32
    }
}

// SAFETY: as above.
unsafe impl Element for u16 {
    fn exceeds(self, bound: u32) -> u32 {
        u32::from(self).exceeds(bound)
    }
}

// SAFETY: as above.
unsafe impl Element for i8 {
    fn exceeds(self, bound: u32) -> u32 {
        let (x, bound) = (i64::from(self), i64::from(bound));
        // The sign of one of them.
        (((x + bound) | (bound - 1 - x)) as u64 >> 63) as u32
    }
    fn error(bound: u32) -> GpuError {
        GpuError::Small { bound }
    }
}

/// A stream that ends with its owner.
pub(crate) struct OwnStream {
    driver: Arc<dyn Driver>,
    stream: Stream,
}

impl OwnStream {
    pub(crate) fn new(driver: &Arc<dyn Driver>) -> Result<Self, GpuError> {
        Ok(OwnStream { driver: driver.clone(), stream: driver.stream()? })
    }
    pub(crate) fn get(&self) -> Stream {
        self.stream
    }
    /// Waits for all of its work.
    pub(crate) fn wait(&self) -> Result<(), GpuError> {
        self.driver.wait(self.stream)
    }
}

impl Drop for OwnStream {
    fn drop(&mut self) {
        let _ = self.wait();
        // SAFETY: the stream is the driver's, and this is its only owner, which waited for it.
        unsafe { self.driver.end(self.stream) }
    }
}

/// Memory on a device. A function that starts work with it waits for that work before it returns.
pub(crate) struct Buffer {
    driver: Arc<dyn Driver>,
    at: Address,
    bytes: usize,
}

impl Buffer {
    pub(crate) fn new(driver: &Arc<dyn Driver>, bytes: usize) -> Result<Self, GpuError> {
        let bytes = bytes.max(1);
        Ok(Buffer { driver: driver.clone(), at: driver.allocate(bytes)?, bytes })
    }
    pub(crate) fn at(&self) -> Address {
        self.at
    }
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
    pub(crate) fn is_of(&self, driver: &Arc<dyn Driver>) -> bool {
        Arc::ptr_eq(&self.driver, driver)
    }

    /// Sets it to 0, on a stream of its own.
    pub(crate) fn clear(&self) -> Result<(), GpuError> {
        let stream = OwnStream::new(&self.driver)?;
        // SAFETY: the memory lives longer than the stream.
        unsafe { self.driver.clear(stream.get(), self.at, self.bytes)? }
        stream.wait()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // What can't be cleared is kept rather than given to somebody else. A lost device has no memory that
        // anybody could read.
        if matches!(self.clear(), Ok(()) | Err(GpuError::Lost)) {
            // SAFETY: the memory is of this driver, of so many bytes, and whoever used it waited.
            unsafe { self.driver.free(self.at, self.bytes) }
        }
    }
}

/// Memory of the host for copies. Its user says that no copy is going on.
pub(crate) struct Staging {
    /// Whose it is, where it is pinned.
    driver: Option<Arc<dyn Driver>>,
    /// The memory, where it is not. All goes by its address.
    _plain: Vec<u128>,
    at: NonNull<u8>,
    bytes: usize,
}

// SAFETY: it is memory with one owner.
unsafe impl Send for Staging {}

/// Memory of the host that is 0, as words of 16 bytes.
fn zeros(bytes: usize) -> Result<Vec<u128>, GpuError> {
    let (mut words, count) = (Vec::new(), bytes.div_ceil(size_of::<u128>()));
    words.try_reserve_exact(count).map_err(|_| GpuError::OutOfMemory { bytes })?;
    words.resize(count, 0);
    Ok(words)
}

impl Staging {
    /// Memory of the driver, which is pinned, or of this process.
    pub(crate) fn new(driver: &Arc<dyn Driver>, bytes: usize, pinned: bool) -> Result<Self, GpuError> {
        let bytes = bytes.max(16);
        if !pinned {
            let mut plain = zeros(bytes)?;
            let at = NonNull::new(plain.as_mut_ptr().cast()).ok_or(GpuError::OutOfMemory { bytes })?;
            return Ok(Staging { driver: None, _plain: plain, at, bytes });
        }
        let at = driver.allocate_host(bytes)?;
        // SAFETY: so many bytes were allocated there.
        unsafe { at.write_bytes(0, bytes) }
        Ok(Staging { driver: Some(driver.clone()), _plain: Vec::new(), at, bytes })
    }
    pub(crate) fn pointer(&self) -> *mut u8 {
        self.at.as_ptr()
    }

    /// All of it.
    ///
    /// # Safety
    /// No stream reads or writes it while the result lives.
    pub(crate) unsafe fn as_mut<T: Element>(&mut self) -> &mut [T] {
        // SAFETY: the memory is aligned to 16 bytes, was set, and every pattern of bits is an element; `self`
        // is borrowed, and the caller says that no stream uses it.
        unsafe { slice::from_raw_parts_mut(self.at.as_ptr().cast(), self.bytes / size_of::<T>()) }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // SAFETY: whoever started copies waited for them before he gave the memory back.
        unsafe { self.as_mut::<u32>() }.zeroize();
        if let Some(driver) = &self.driver {
            // SAFETY: it is of this driver, and of so many bytes.
            unsafe { driver.free_host(self.at, self.bytes) }
        }
    }
}

/// The bytes of a structure that a kernel takes.
///
/// # Safety
/// `T` has no padding.
pub(crate) unsafe fn bytes_of<T>(params: &T) -> &[u8] {
    // SAFETY: every byte of it is set, as there is no padding.
    unsafe { slice::from_raw_parts(core::ptr::from_ref(params).cast(), size_of::<T>()) }
}
