//! Entry points and handles: what crosses to C and back.

use crate::key::Key;
use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;

/// Runs the body of an entry point: a panic, which must not cross to C, is a failure.
pub(crate) fn guard<T>(failed: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(failed)
}

/// A key goes to C, which gives it back to [`free`].
pub(crate) fn give(key: Key) -> *mut c_void {
    Arc::into_raw(Arc::new(key)).cast_mut().cast()
}

/// A key of C's, as another owner of it.
///
/// # Safety
/// The handle is null, or one that [`give`] gave and that was not freed.
pub(crate) unsafe fn share(handle: *const c_void) -> Option<Arc<Key>> {
    if handle.is_null() {
        return None;
    }
    // SAFETY: of `Arc::into_raw`, and C's part of the count is there: it did not free the handle. That part
    // stays, since this owner is never dropped.
    let ours = unsafe { ManuallyDrop::new(Arc::from_raw(handle.cast::<Key>())) };
    Some(Arc::clone(&ours))
}

/// A key of C's, to look at.
///
/// # Safety
/// As [`share`]; the handle is not freed or changed during `'a`.
pub(crate) unsafe fn borrow<'a>(handle: *const c_void) -> Option<&'a Key> {
    // SAFETY: null, or the address of a key that lives during 'a by the contract.
    unsafe { handle.cast::<Key>().as_ref() }
}

/// Changes a key of C's. `None` where others have it too: C does not change keys that are in use.
///
/// # Safety
/// As [`share`]; nobody else looks at it meanwhile.
pub(crate) unsafe fn change<T>(handle: *mut c_void, how: impl FnOnce(&mut Key) -> T) -> Option<T> {
    if handle.is_null() {
        return None;
    }
    // SAFETY: as in `share`.
    let mut ours = unsafe { ManuallyDrop::new(Arc::from_raw(handle.cast_const().cast::<Key>())) };
    Arc::get_mut(&mut ours).map(how)
}

/// C is done with a key.
///
/// # Safety
/// As [`share`]; the handle is not used again.
pub(crate) unsafe fn free(handle: *mut c_void) {
    if !handle.is_null() {
        // SAFETY: of `Arc::into_raw`; C's part of the count, which it gives up.
        drop(unsafe { Arc::from_raw(handle.cast_const().cast::<Key>()) });
    }
}

/// Something else goes to C, which gives it back to [`free_box`].
pub(crate) fn give_box<T>(value: T) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// C is done with it.
///
/// # Safety
/// The handle is null, or one that [`give_box`] gave for a value of this type, and is not used again.
pub(crate) unsafe fn free_box<T>(handle: *mut c_void) {
    if !handle.is_null() {
        // SAFETY: of `Box::into_raw` of such a box, once.
        drop(unsafe { Box::from_raw(handle.cast::<T>()) });
    }
}

/// What C asks of an entry point that writes bytes: their number alone, or the bytes into a place of so many.
pub(crate) struct Place {
    pub(crate) bytes: *mut u8,
    pub(crate) length: *mut usize,
}

impl Place {
    /// Whether the bytes themselves are asked for.
    pub(crate) fn is_there(&self) -> bool {
        !self.bytes.is_null()
    }

    /// Whether so many bytes fit. A place whose length C does not say is taken to be long enough, as
    /// OpenSSL 3.0's manual lets it be.
    ///
    /// # Safety
    /// The pointer to the length is null or valid for reads.
    pub(crate) unsafe fn fits(&self, bytes: usize) -> bool {
        // SAFETY: the contract.
        self.length.is_null() || unsafe { *self.length >= bytes }
    }

    /// Says how many bytes there are.
    ///
    /// # Safety
    /// The pointer to the length is null or valid for writes.
    pub(crate) unsafe fn say(&self, bytes: usize) {
        if !self.length.is_null() {
            // SAFETY: the contract.
            unsafe { self.length.write(bytes) };
        }
    }

    /// Writes the bytes, and how many they are.
    ///
    /// # Safety
    /// The place is valid for writes of so many bytes, the pointer to the length null or valid for a write.
    pub(crate) unsafe fn write(&self, bytes: &[u8]) {
        // SAFETY: the contract; memory of C's is none of ours.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.bytes, bytes.len()) };
        // SAFETY: the contract.
        unsafe { self.say(bytes.len()) };
    }
}
