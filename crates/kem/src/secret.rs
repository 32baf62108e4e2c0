//! Memory for secrets.

use crate::set::Bytes;
use core::ops::{Deref, DerefMut};
use ringsmith_simd::wipe;

/// Bytes that are cleared on drop. They are cleared by whole vectors; the wrapper of the crate `zeroize`
/// clears byte by byte.
pub struct SecretArray<B: Bytes>(B);

/// So many of them.
pub type SecretBytes<const N: usize> = SecretArray<[u8; N]>;

impl<B: Bytes> SecretArray<B> {
    /// All zero.
    pub const fn zero() -> Self {
        SecretArray(B::ZERO)
    }
}

impl<B: Bytes> Deref for SecretArray<B> {
    type Target = B;
    fn deref(&self) -> &B {
        &self.0
    }
}

impl<B: Bytes> DerefMut for SecretArray<B> {
    fn deref_mut(&mut self) -> &mut B {
        &mut self.0
    }
}

impl<B: Bytes> Drop for SecretArray<B> {
    fn drop(&mut self) {
        wipe(self.0.as_mut());
    }
}
