//! Whether coefficients are in range: all of them are looked at, and only the answer is told.

use crate::{Coefficient, RingError};
use core::iter::zip;
use ringsmith_simd::declassify;

/// All ones in the top bit, where `x` is not below `bound`, which is at most `2^63`.
#[inline(always)]
pub(crate) fn beyond(x: u64, bound: u64) -> u64 {
    x | !x.wrapping_sub(bound)
}

/// Whether a top bit is set, which is told.
pub(crate) fn told(outside: u64) -> Result<(), RingError> {
    let mut refused = outside >> (u64::BITS - 1);
    declassify::publish(core::slice::from_mut(&mut refused));
    if refused == 0 { Ok(()) } else { Err(RingError::Range) }
}

/// Numbers below `q`.
pub(crate) fn read<T: Coefficient>(q: u64, from: &[T], to: &mut [u64]) -> Result<(), RingError> {
    let mut outside = 0;
    for (to, x) in zip(to, from) {
        *to = (*x).into();
        outside |= beyond(*to, q);
    }
    told(outside)
}
