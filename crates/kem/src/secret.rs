//! Memory for secrets.

use core::ops::{Deref, DerefMut};
use ringsmith_simd::wipe;

/// Bytes that are cleared on drop: vectors at a time, where the `zeroize` crate's wrapper goes byte by byte.
pub struct SecretBytes<const N: usize>([u8; N]);

impl<const N: usize> SecretBytes<N> {
    /// All zero.
    pub const fn zero() -> Self {
        SecretBytes([0; N])
    }
}

impl<const N: usize> Deref for SecretBytes<N> {
    type Target = [u8; N];
    fn deref(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> DerefMut for SecretBytes<N> {
    fn deref_mut(&mut self) -> &mut [u8; N] {
        &mut self.0
    }
}

impl<const N: usize> Drop for SecretBytes<N> {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}
