//! An allocator that does the same again and again, for tools that compare addresses.
//!
//! Where the system's allocator puts something depends on all that was there before. So two runs of one
//! operation may use other addresses though no secret differs. Within [`repeated`], memory is taken from one
//! place, from its start on, each time that nothing there is in use.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How many bytes the place has. What does not fit is the system's.
const SIZE: usize = 1 << 24;

/// The place, whose parts are handed out.
#[repr(C, align(4096))]
struct Place(UnsafeCell<[u8; SIZE]>);

// SAFETY: nothing here reads or writes the bytes: addresses of parts that don't overlap are handed out.
unsafe impl Sync for Place {}

static PLACE: Place = Place(UnsafeCell::new([0; SIZE]));
/// Where the next part begins. The thread that has the place changes it, no other.
static NEXT: AtomicUsize = AtomicUsize::new(0);
/// How many parts are in use, on any thread.
static IN_USE: AtomicUsize = AtomicUsize::new(0);
/// Whether a thread has the place.
static TAKEN: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread has it.
    static MINE: Cell<bool> = const { Cell::new(false) };
}

/// The system's allocator; on a thread within [`repeated`] one that repeats addresses.
///
/// ```
/// use ringsmith_probe::{Repeating, repeated};
///
/// #[global_allocator]
/// static ALLOCATOR: Repeating = Repeating;
///
/// let address = || repeated(|| [5_u8; 100].to_vec().as_ptr() as usize);
/// let (first, between) = (address(), [1_u8; 100].to_vec());
/// assert_eq!(first, address());
/// assert_eq!(between, [1; 100]);
/// ```
pub struct Repeating;

/// Runs `work` with memory at the same addresses as the last time, if it asks for the same and nothing of
/// that time is in use. One thread at a time: on others `work` has the system's memory. Within itself it goes
/// on in the same place.
pub fn repeated<T>(work: impl FnOnce() -> T) -> T {
    let taken = TAKEN.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok();
    if taken && IN_USE.load(Ordering::Acquire) == 0 {
        NEXT.store(0, Ordering::Relaxed);
    }
    MINE.set(taken || MINE.get());
    let out = work();
    if taken {
        MINE.set(false);
        TAKEN.store(false, Ordering::Release);
    }
    out
}

/// A part of the place, where it has room.
fn part(layout: Layout) -> Option<*mut u8> {
    let start = NEXT.load(Ordering::Relaxed).checked_next_multiple_of(layout.align())?;
    let end = start.checked_add(layout.size()).filter(|end| *end <= SIZE && layout.align() <= 4096)?;
    NEXT.store(end, Ordering::Relaxed);
    IN_USE.fetch_add(1, Ordering::Relaxed);
    Some(PLACE.0.get().cast::<u8>().wrapping_add(start))
}

/// Whether memory is a part of the place.
fn is_part(memory: *mut u8) -> bool {
    let start = PLACE.0.get() as usize;
    (start..start + SIZE).contains(&(memory as usize))
}

// SAFETY: a part lies within the place, begins at a multiple of its alignment, as the place does of 4096, and
// overlaps no other that is in use: `NEXT` goes up, on the one thread that has the place, and back to 0 only
// where none is in use. All else is the system's, which is given its own layouts back. The flags are
// constants to begin with and nothing to drop, so that they allocate nothing.
unsafe impl GlobalAlloc for Repeating {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let part = if MINE.get() { part(layout) } else { None };
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        part.unwrap_or_else(|| unsafe { System.alloc(layout) })
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if is_part(memory) {
            IN_USE.fetch_sub(1, Ordering::Release);
        } else {
            // SAFETY: the memory is the system's, and the layout that it was allocated with.
            unsafe { System.dealloc(memory, layout) }
        }
    }
}
