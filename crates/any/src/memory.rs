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

/// Words that may be secret.
pub(crate) struct Words(Vec<u64>);

impl Words {
    /// Zeroes.
    pub(crate) fn zero(count: usize) -> Result<Self, RingError> {
        let mut words = reserve(count)?;
        words.resize(count, 0);
        Ok(Words(words))
    }
}

impl Deref for Words {
    type Target = [u64];
    fn deref(&self) -> &[u64] {
        &self.0
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}
