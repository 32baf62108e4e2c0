//! Clearing memory that held secrets.

use zeroize::optimization_barrier;

/// Fills memory with zeroes, which the compiler does not take away. Vectors at a time, where the `zeroize`
/// crate's own go word by word.
///
/// ```
/// let mut words = [7u64; 25];
/// ringsmith_simd::wipe(&mut words);
/// assert_eq!(words, [0; 25]);
/// ```
#[inline]
pub fn wipe<T: Copy + Default>(words: &mut [T]) {
    words.fill(T::default());
    optimization_barrier(words);
}
