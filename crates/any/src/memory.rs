//! Memory that is cleared when it is dropped.

use crate::RingError;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};
use ringsmith_simd::wipe;

/// Room for so many, or an error.
pub(crate) fn reserve<T>(count: usize) -> Result<Vec<T>, RingError> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| RingError::Memory)?;
    Ok(values)
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
