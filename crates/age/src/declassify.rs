//! What is published of what was computed from secrets.
//!
//! Says nothing to a CPU. Built with `--cfg ringsmith_harness`, it tells valgrind, which follows secrets
//! through the program, that these data are none any more; each call says why.

/// Marks bytes as public.
#[cfg(ringsmith_harness)]
pub(crate) fn publish(data: &mut [u8]) {
    ringsmith_probe::valgrind::make_defined(data);
}

/// Marks bytes as public.
#[cfg(not(ringsmith_harness))]
pub(crate) fn publish(_: &mut [u8]) {}
