//! The type of shared keys.

use core::fmt;
use ctutils::{Choice, CtEq};
use ringsmith_simd::wipe;
use zeroize::ZeroizeOnDrop;

/// Bytes of a shared key, in every scheme.
pub const SHARED_KEY_BYTES: usize = 32;

/// The shared key: the secret that both sides hold at the end.
///
/// It is cleared on drop, compared in constant time, and never printed. Keep what you derive from it just as
/// secret.
pub struct SharedKey([u8; SHARED_KEY_BYTES]);

impl SharedKey {
    /// All zero: room for a shared key.
    pub const fn zero() -> Self {
        SharedKey([0; SHARED_KEY_BYTES])
    }

    /// The key.
    pub fn as_bytes(&self) -> &[u8; SHARED_KEY_BYTES] {
        &self.0
    }

    /// The key, to write.
    pub fn as_mut_bytes(&mut self) -> &mut [u8; SHARED_KEY_BYTES] {
        &mut self.0
    }
}

impl AsRef<[u8]> for SharedKey {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Constant time.
impl CtEq for SharedKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

/// Constant time, but for the answer.
impl PartialEq for SharedKey {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).to_bool()
    }
}

impl Eq for SharedKey {}

/// Constant time, but for the answer.
impl PartialEq<[u8; SHARED_KEY_BYTES]> for SharedKey {
    fn eq(&self, other: &[u8; SHARED_KEY_BYTES]) -> bool {
        self.0.ct_eq(other).to_bool()
    }
}

/// Says that it is one, and not which.
impl fmt::Debug for SharedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedKey(..)")
    }
}

impl Drop for SharedKey {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

impl ZeroizeOnDrop for SharedKey {}
