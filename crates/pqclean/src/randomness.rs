//! The caller's generator, while C code draws from it.

use ringsmith_oracle::Random;
use std::cell::RefCell;
use std::ffi::c_int;
use std::mem::replace;

/// What C code gets when it asks for randomness.
enum Source {
    Generator(Random),
    #[cfg(feature = "ml-dsa")]
    Zero,
}

thread_local! {
    /// The source of the call that this thread is in.
    static SOURCE: RefCell<Source> = const { RefCell::new(Source::Generator(Random::new(0))) };
}

fn swap(to: Source) -> Source {
    SOURCE.with_borrow_mut(|source| replace(source, to))
}

/// Runs `f`, which draws from `rng`.
pub(crate) fn with<T>(rng: &mut Random, f: impl FnOnce() -> T) -> T {
    let before = swap(Source::Generator(rng.clone()));
    let result = f();
    match swap(before) {
        Source::Generator(after) => *rng = after,
        #[cfg(feature = "ml-dsa")]
        Source::Zero => unreachable!("each call brings back the source that it found"),
    }
    result
}

/// Runs `f`, whose randomness is zero.
#[cfg(feature = "ml-dsa")]
pub(crate) fn with_zero<T>(f: impl FnOnce() -> T) -> T {
    let before = swap(Source::Zero);
    let result = f();
    swap(before);
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
    SOURCE.with_borrow_mut(|source| match source {
        Source::Generator(generator) => generator.fill(bytes),
        #[cfg(feature = "ml-dsa")]
        Source::Zero => bytes.fill(0),
    });
    0
}
