//! What a scheme publishes of what it computed from secrets.
//!
//! Says nothing to a CPU. Built with the feature `harness`, it tells valgrind, which follows secrets through the program, that
//! these bytes are none any more; each call says why.

/// Marks bytes as public.
#[cfg(feature = "harness")]
pub(crate) fn publish(bytes: &mut [u8]) {
    if !cfg!(miri) {
        ringsmith_probe::valgrind::make_defined(bytes);
    }
}

/// Marks bytes as public.
#[cfg(not(feature = "harness"))]
pub(crate) fn publish(_: &mut [u8]) {}
