//! What a scheme or an operation publishes of what it computed from secrets.
//!
//! Says nothing to a CPU. Built with `--cfg ringsmith_harness`, it tells valgrind, which follows secrets
//! through the program, that these data are none any more; each call says why.

#[cfg(ringsmith_harness)]
use ringsmith_probe::valgrind;

/// Marks bytes or coefficients as public.
#[cfg(ringsmith_harness)]
pub fn publish<T: valgrind::Plain>(data: &mut [T]) {
    if !cfg!(miri) {
        valgrind::make_defined(data);
    }
}

/// Marks bytes or coefficients as public.
#[cfg(not(ringsmith_harness))]
pub fn publish<T>(_: &mut [T]) {}
