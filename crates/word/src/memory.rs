//! Rows of eight words, each in a cache line of its own, which are cleared when they are dropped.

use crate::WordError;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};
use ringsmith_simd::{WideRow, wipe};

/// Eight words.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct Line(pub(crate) WideRow);

/// Room for so many, or an error.
pub(crate) fn reserve<T>(count: usize) -> Result<Vec<T>, WordError> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| WordError::Memory)?;
    Ok(values)
}

/// Rows that may be secret.
pub(crate) struct Rows(Vec<Line>);

impl Rows {
    /// Rows of zeroes.
    pub(crate) fn zero(count: usize) -> Result<Self, WordError> {
        let mut rows = reserve(count)?;
        rows.resize(count, Line::default());
        Ok(Rows(rows))
    }

    /// A copy.
    pub(crate) fn copy(&self) -> Result<Self, WordError> {
        let mut rows = reserve(self.0.len())?;
        rows.extend_from_slice(&self.0);
        Ok(Rows(rows))
    }
}

/// Transposes each eight rows.
pub(crate) fn transpose(rows: &mut [Line]) {
    for block in rows.as_chunks_mut::<8>().0 {
        let copy = *block;
        block.iter_mut().enumerate().for_each(|(i, row)| row.0 = copy.map(|of| of.0[i]));
    }
}

impl Deref for Rows {
    type Target = [Line];
    fn deref(&self) -> &[Line] {
        &self.0
    }
}

impl DerefMut for Rows {
    fn deref_mut(&mut self) -> &mut [Line] {
        &mut self.0
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}
