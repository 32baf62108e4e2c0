//! Rows of eight numbers, which are cleared when they are dropped.

use crate::WordError;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};
use ringsmith_simd::{Line32, WideRow, wipe};

/// Eight words, in a cache line of their own.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct Line64(pub(crate) WideRow);

/// Room for so many, or an error.
pub(crate) fn reserve<T>(count: usize) -> Result<Vec<T>, WordError> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| WordError::Memory)?;
    Ok(values)
}

/// Lines that may be secret. They begin where a cache line does.
pub(crate) struct Lines<T: Copy + Default> {
    /// The lines, and room to begin at another.
    all: Vec<T>,
    first: usize,
}

/// The bytes of a cache line.
const CACHE_LINE: usize = 64;

impl<T: Copy + Default> Lines<T> {
    /// No lines, room for so many, and which is to be the first.
    fn room(count: usize) -> Result<(Vec<T>, usize), WordError> {
        let spare = (CACHE_LINE / size_of::<T>()).max(1) - 1;
        let all: Vec<T> = reserve(count.checked_add(spare).ok_or(WordError::Memory)?)?;
        let first = (all.as_ptr().addr().next_multiple_of(CACHE_LINE) - all.as_ptr().addr()) / size_of::<T>();
        Ok((all, first))
    }

    /// Lines of zeroes.
    pub(crate) fn zero(count: usize) -> Result<Self, WordError> {
        let (mut all, first) = Self::room(count)?;
        all.resize(first + count, T::default());
        Ok(Lines { all, first })
    }

    /// A copy.
    fn copy(&self) -> Result<Self, WordError> {
        let (mut all, first) = Self::room(self.len())?;
        all.resize(first, T::default());
        all.extend_from_slice(self);
        Ok(Lines { all, first })
    }
}

impl<T: Copy + Default> Deref for Lines<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.all[self.first..]
    }
}

impl<T: Copy + Default> DerefMut for Lines<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.all[self.first..]
    }
}

impl<T: Copy + Default> Drop for Lines<T> {
    fn drop(&mut self) {
        wipe(&mut self.all);
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
