//! Memory that is cleared when it is dropped, and memory that may be missing: no allocation ends the program.

use crate::RingError;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};
use ringsmith_simd::wipe;

/// Room for so many, or an error.
pub(crate) fn reserve<T>(count: usize) -> Result<Vec<T>, RingError> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| RingError::Memory)?;
    Ok(values)
}

/// A value in memory of its own, where `Box::new` would end a program that has no more.
///
/// The box is of an array, since a vector, which may fail to get its memory, becomes one without another
/// allocation.
///
/// # Errors
/// Where there is no memory.
///
/// ```
/// use ringsmith_any::compiled::boxed;
///
/// let [value] = *boxed(5)?;
/// assert_eq!(value, 5);
/// # Ok::<(), ringsmith_any::RingError>(())
/// ```
pub fn boxed<T>(value: T) -> Result<Box<[T; 1]>, RingError> {
    let mut values = reserve(1)?;
    values.push(value);
    values.into_boxed_slice().try_into().map_err(|_| RingError::Memory)
}

/// Numbers that may be secret.
pub(crate) struct Cleared<T: Copy + Default>(Vec<T>);

/// Those of most rings.
pub(crate) type Words = Cleared<u64>;

impl<T: Copy + Default> Cleared<T> {
    /// Zeroes.
    pub(crate) fn zero(count: usize) -> Result<Self, RingError> {
        let mut numbers = reserve(count)?;
        numbers.resize(count, T::default());
        Ok(Cleared(numbers))
    }
}

impl<T: Copy + Default> Deref for Cleared<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Copy + Default> DerefMut for Cleared<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Copy + Default> Drop for Cleared<T> {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}
