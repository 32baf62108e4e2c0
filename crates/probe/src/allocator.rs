//! An allocator that refuses, for tests of what is done where there is no memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;

thread_local! {
    /// How many more allocations there are on this thread, where they are numbered.
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The system's allocator; on a thread within [`with_allocations`] it refuses.
///
/// ```
/// use ringsmith_probe::{Refusing, with_allocations};
///
/// #[global_allocator]
/// static ALLOCATOR: Refusing = Refusing;
///
/// let two = || {
///     let mut bytes: [Vec<u8>; 2] = Default::default();
///     bytes.iter_mut().all(|bytes| bytes.try_reserve(10).is_ok())
/// };
/// assert!(!with_allocations(1, two));
/// assert!(with_allocations(2, two));
/// ```
pub struct Refusing;

/// Runs `work` with so many allocations: the next is refused, and all after it. Memory that grows or shrinks
/// is allocated anew.
pub fn with_allocations<T>(count: usize, work: impl FnOnce() -> T) -> T {
    LEFT.set(Some(count));
    let out = work();
    LEFT.set(None);
    out
}

/// Whether an allocation is granted.
fn is_granted() -> bool {
    let left = LEFT.get();
    LEFT.set(left.map(|left| left.saturating_sub(1)));
    left != Some(0)
}

// SAFETY: memory is the system's, which is given its own layouts back; a null pointer says that there is
// none. The counter is a constant to begin with and nothing to drop, so that it allocates nothing itself.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        if is_granted() { unsafe { System.alloc(layout) } } else { null_mut() }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the memory is the system's, and the layout that it was allocated with.
        unsafe { System.dealloc(memory, layout) }
    }
}
