//! The primes one after the other, or side by side.

use crate::WordError;
#[cfg(feature = "rayon")]
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

/// Does something with each limb.
#[cfg(not(feature = "rayon"))]
pub(super) fn each<T>(
    limbs: &mut [T],
    work: impl Fn(usize, &mut T) -> Result<(), WordError>,
) -> Result<(), WordError> {
    limbs.iter_mut().enumerate().try_for_each(|(i, limb)| work(i, limb))
}

/// The same with limbs of two operands.
#[cfg(not(feature = "rayon"))]
pub(super) fn each_pair<T, U>(
    first: &mut [T],
    second: &mut [U],
    work: impl Fn(usize, &mut T, &mut U) -> Result<(), WordError>,
) -> Result<(), WordError> {
    first.iter_mut().zip(second).enumerate().try_for_each(|(i, (a, b))| work(i, a, b))
}

/// Does something with each limb, on rayon's threads where there are several.
#[cfg(feature = "rayon")]
pub(super) fn each<T: Send>(
    limbs: &mut [T],
    work: impl Fn(usize, &mut T) -> Result<(), WordError> + Sync,
) -> Result<(), WordError> {
    if let [limb] = limbs {
        return work(0, limb);
    }
    limbs.par_iter_mut().enumerate().try_for_each(|(i, limb)| work(i, limb))
}

/// The same with limbs of two operands.
#[cfg(feature = "rayon")]
pub(super) fn each_pair<T: Send, U: Send>(
    first: &mut [T],
    second: &mut [U],
    work: impl Fn(usize, &mut T, &mut U) -> Result<(), WordError> + Sync,
) -> Result<(), WordError> {
    if let ([a], [b]) = (&mut *first, &mut *second) {
        return work(0, a, b);
    }
    let pairs = first.par_iter_mut().zip(second.par_iter_mut());
    pairs.enumerate().try_for_each(|(i, (a, b))| work(i, a, b))
}
