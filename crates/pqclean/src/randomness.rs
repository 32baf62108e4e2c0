//! The caller's generator, while C code draws from it.

use ringsmith_oracle::Random;
use std::cell::RefCell;
use std::ffi::c_int;
use std::mem::replace;

thread_local! {
    /// The generator of the call that this thread is in.
    static GENERATOR: RefCell<Random> = const { RefCell::new(Random::new(0)) };
}

/// Runs `f`, which draws from `rng`.
pub(crate) fn with<T>(rng: &mut Random, f: impl FnOnce() -> T) -> T {
    let swap = |to: Random| GENERATOR.with_borrow_mut(|generator| replace(generator, to));
    let before = swap(rng.clone());
    let result = f();
    *rng = swap(before);
    result
}

/// What the C code calls `randombytes`.
///
/// # Safety
/// `bytes` points to memory of `length` bytes that the caller may write.
// SAFETY: the one other function of this name is that of `pqcrypto-internals`, which has the same type and
// does the same.
#[unsafe(no_mangle)]
unsafe extern "C" fn PQCRYPTO_RUST_randombytes(bytes: *mut u8, length: usize) -> c_int {
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts_mut(bytes, length) };
    GENERATOR.with_borrow_mut(|generator| generator.fill(bytes));
    0
}
