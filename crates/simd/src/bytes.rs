//! Rows as the bytes that they are in memory.

use crate::Row;
use core::slice::from_raw_parts_mut;

/// The bytes of rows, to read and write.
///
/// ```
/// let mut rows = [[0; 16]; 2];
/// ringsmith_simd::as_bytes(&mut rows)[1] = [-1; 32];
/// assert_eq!(rows, [[0; 16], [-1; 16]]);
/// ```
pub const fn as_bytes(rows: &mut [Row]) -> &mut [[i8; 32]] {
    const { assert!(size_of::<Row>() == size_of::<[i8; 32]>() && align_of::<[i8; 32]>() == 1) };
    // SAFETY: the memory is that of the rows, borrowed as long; as many bytes lie there, which need no
    // alignment; and any bits are bytes, as any are words.
    unsafe { from_raw_parts_mut(rows.as_mut_ptr().cast(), rows.len()) }
}
