//! What a scheme publishes of what it computed from secrets.
//!
//! Says nothing to a CPU. Built with the feature `harness`, it tells valgrind, which follows secrets through the program, that
//! these data are none any more; each call says why.

#[cfg(feature = "harness")]
use ringsmith_probe::valgrind;

/// Marks bytes or coefficients as public.
#[cfg(feature = "harness")]
pub(crate) fn publish<T: valgrind::Plain>(data: &mut [T]) {
    if !cfg!(miri) {
        valgrind::make_defined(data);
    }
}

/// Marks bytes or coefficients as public.
#[cfg(not(feature = "harness"))]
pub(crate) fn publish<T>(_: &mut [T]) {}
