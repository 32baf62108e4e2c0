//! Rows of eight numbers, which are cleared when they are dropped.

use crate::WordError;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};
use ringsmith_simd::{Line32, WideRow, wipe};

/// Eight words, in a cache line of their own.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct Line64(pub(crate) WideRow);

/// A row in memory.
pub(crate) trait Line: Copy + Default {
    /// Transposes eight rows.
    fn transpose(rows: &mut [Self; 8]);
}

/// Rows of eight numbers in field 0.
macro_rules! lines {
    ($($line:ty)*) => { $(
        impl Line for $line {
            #[inline(always)]
            fn transpose(rows: &mut [Self; 8]) {
                let copy = *rows;
                rows.iter_mut().enumerate().for_each(|(i, row)| row.0 = copy.map(|of| of.0[i]));
            }
        }
    )* };
}

lines!(Line32 Line64);

/// Room for so many, or an error.
pub(crate) fn reserve<T>(count: usize) -> Result<Vec<T>, WordError> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| WordError::Memory)?;
    Ok(values)
}

/// Lines that may be secret. They begin where a cache line does.
///
/// The same instructions run wherever memory begins: only addresses follow it.
pub(crate) struct Lines<T: Copy + Default> {
    /// The lines, and as much more as they may begin later.
    all: Vec<T>,
    /// Which is the first.
    first: usize,
    count: usize,
}

/// The bytes of a cache line.
const CACHE_LINE: usize = 64;

impl<T: Copy + Default> Lines<T> {
    /// How many lines at most stand before the first.
    const SPARE: usize = (CACHE_LINE / size_of::<T>()).saturating_sub(1);

    /// Lines of zeroes.
    pub(crate) fn zero(count: usize) -> Result<Self, WordError> {
        let room = count.checked_add(Self::SPARE).ok_or(WordError::Memory)?;
        let mut all: Vec<T> = reserve(room)?;
        all.resize(room, T::default());
        let first = (all.as_ptr().addr().wrapping_neg() % CACHE_LINE) / size_of::<T>();
        Ok(Lines { all, first, count })
    }

    /// A copy.
    fn copy(&self) -> Result<Self, WordError> {
        let mut lines = Self::zero(self.count)?;
        lines.copy_from_slice(self);
        Ok(lines)
    }
}

impl<T: Copy + Default> Deref for Lines<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.all[self.first..self.first + self.count]
    }
}

impl<T: Copy + Default> DerefMut for Lines<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.all[self.first..self.first + self.count]
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: lines begin where a cache line does, all of them are there, and a copy has the same,
    /// wherever memory begins.
    #[test]
    fn lines_begin_where_a_cache_line_does() {
        let mut kept: Vec<Lines<Line32>> = Vec::new();
        for count in 1..100 {
            let mut lines = Lines::zero(count).unwrap();
            lines[count - 1] = Line32([7; 8]);
            kept.push(lines.copy().unwrap());
            kept.push(lines);
        }
        for lines in kept {
            assert_eq!(lines.as_ptr().addr() % CACHE_LINE, 0);
            assert_eq!((lines.len(), lines[lines.len() - 1].0), (lines.count, [7; 8]));
        }
    }
}
