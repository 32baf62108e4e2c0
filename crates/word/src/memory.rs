//! Rows of eight numbers, which are cleared when they are dropped.

use crate::WordError;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};
use ringsmith_simd::{Row32, WideRow, wipe};

/// Eight words, in a cache line of their own.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct Line64(pub(crate) WideRow);

/// Eight numbers of 32 bits, in half a cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
pub(crate) struct Line32(pub(crate) Row32);

/// Room for so many, or an error.
pub(crate) fn reserve<T>(count: usize) -> Result<Vec<T>, WordError> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| WordError::Memory)?;
    Ok(values)
}

/// Lines that may be secret.
pub(crate) struct Lines<T: Copy + Default>(Vec<T>);

impl<T: Copy + Default> Lines<T> {
    /// Lines of zeroes.
    pub(crate) fn zero(count: usize) -> Result<Self, WordError> {
        let mut lines = reserve(count)?;
        lines.resize(count, T::default());
        Ok(Lines(lines))
    }

    /// A copy.
    fn copy(&self) -> Result<Self, WordError> {
        let mut lines = reserve(self.0.len())?;
        lines.extend_from_slice(&self.0);
        Ok(Lines(lines))
    }
}

impl<T: Copy + Default> Deref for Lines<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Copy + Default> DerefMut for Lines<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Copy + Default> Drop for Lines<T> {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// The rows of an operand, of any kind.
pub(crate) enum Rows {
    /// Of lanes of 64 bits that hold numbers of 52.
    Wide(Lines<Line64>),
    /// Of lanes of 64 bits that hold numbers of 64.
    Long(Lines<Line64>),
    /// Of lanes of 32 bits.
    Narrow(Lines<Line32>),
    /// Of those that K-RED reduces.
    #[cfg(feature = "k-red")]
    KRed(Lines<Line32>),
}

impl Rows {
    /// Rows of zeroes.
    pub(crate) fn wide(count: usize) -> Result<Self, WordError> {
        Ok(Rows::Wide(Lines::zero(count)?))
    }

    /// The same.
    pub(crate) fn long(count: usize) -> Result<Self, WordError> {
        Ok(Rows::Long(Lines::zero(count)?))
    }

    /// A copy.
    pub(crate) fn copy(&self) -> Result<Self, WordError> {
        Ok(match self {
            Rows::Wide(lines) => Rows::Wide(lines.copy()?),
            Rows::Long(lines) => Rows::Long(lines.copy()?),
            Rows::Narrow(lines) => Rows::Narrow(lines.copy()?),
            #[cfg(feature = "k-red")]
            Rows::KRed(lines) => Rows::KRed(lines.copy()?),
        })
    }
}
