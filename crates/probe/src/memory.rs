//! What a value leaves in the memory that it lived in, and an operation on the stack.

use std::hint::black_box;
use std::mem::MaybeUninit;

/// Drops a value in place, and gives the bytes of its memory just before and just after.
///
/// What it holds on the heap is not among them, nor are the copies that were made of it before the call.
///
/// ```
/// use ringsmith_probe::around_drop;
///
/// let [before, after] = around_drop([7u8; 4]); // nothing to drop, so nothing is cleared
/// assert_eq!((before, after), (vec![7; 4], vec![7; 4]));
/// ```
pub fn around_drop<T>(value: T) -> [Vec<u8>; 2] {
    let mut memory = Box::new(MaybeUninit::new(value));
    let before = bytes(&mut memory);
    // SAFETY: the value was put there above, nothing moved it out, and nobody uses it after this:
    // `MaybeUninit` drops nothing.
    unsafe { memory.assume_init_drop() };
    [before, bytes(&mut memory)]
}

/// The bytes of a value's memory, whatever they are.
fn bytes<T>(memory: &mut MaybeUninit<T>) -> Vec<u8> {
    let start = memory.as_mut_ptr().cast::<u8>();
    fixed(start);
    // SAFETY: the memory is live and borrowed, `u8` needs no alignment, every offset is inside; padding and
    // dropped parts are bytes like any other after `fixed`.
    (0..size_of::<T>()).map(|at| unsafe { start.add(at).read_volatile() }).collect()
}

/// Makes the compiler take the memory at an address for initialised, with the bytes that the machine has
/// there: the block below might have written all of them, for all that the compiler knows. (Miri knows that
/// it did not, and runs no machine code.)
fn fixed(start: *mut u8) {
    if !cfg!(miri) {
        // SAFETY: the block holds no instruction.
        unsafe { core::arch::asm!("/* {0} */", in(reg) start, options(nostack, preserves_flags)) };
    }
}

/// What an operation leaves on the stack: as many bytes as asked for, those below the caller's frame, which
/// were zeros before.
///
/// The thread's stack must have so many bytes left, and as many as the operation takes.
///
/// ```
/// use ringsmith_probe::dead_stack;
/// use std::hint::black_box;
///
/// let left = dead_stack::<10_000>(|| {
///     black_box([0xa5u8; 1000]);
/// });
/// assert!(left.windows(500).any(|window| window == [0xa5; 500]));
/// ```
pub fn dead_stack<const BYTES: usize>(operation: impl FnOnce()) -> Vec<u8> {
    let mut left = vec![0; BYTES];
    let start = clean::<BYTES>();
    lower(operation);
    copy(start, &mut left);
    left
}

/// Writes zeros to as many bytes of the stack, and gives their address.
#[inline(never)]
fn clean<const BYTES: usize>() -> *mut u8 {
    black_box(&mut [0u8; BYTES]).as_mut_ptr()
}

/// Runs in a frame that begins below the end of what was cleaned.
#[inline(never)]
fn lower(operation: impl FnOnce()) {
    let mut above = [0u8; 256];
    black_box(&mut above);
    outlined(operation);
    black_box(&mut above);
}

/// Runs in a frame of its own.
#[inline(never)]
fn outlined(operation: impl FnOnce()) {
    operation();
}

/// The memory from an address on.
#[inline(never)]
fn copy(start: *mut u8, left: &mut [u8]) {
    fixed(start);
    for (at, byte) in left.iter_mut().enumerate() {
        // SAFETY: the thread's stack, which `clean` has just written to, so that it is mapped; `u8` needs no
        // alignment. No variable lives there: for the compiler it is memory that the block in `fixed` gave.
        *byte = unsafe { start.add(at).read_volatile() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: a value that clears itself is seen to, and one that does not is seen not to.
    #[test]
    fn clearing_is_seen() {
        struct Clears([u8; 64]);
        impl Drop for Clears {
            fn drop(&mut self) {
                // SAFETY: an exclusive reference to plain bytes.
                self.0.iter_mut().for_each(|byte| unsafe { std::ptr::write_volatile(byte, 0) });
            }
        }
        struct Keeps([u8; 64]);
        let [before, after] = around_drop(Clears([9; 64]));
        assert_eq!((before, after), (vec![9; 64], vec![0; 64]));
        let kept = Keeps([9; 64]);
        assert_eq!(kept.0, [9; 64]);
        assert_eq!(around_drop(kept), [vec![9; 64], vec![9; 64]]);
    }
}
