//! HKDF-SHA256 (RFC 5869), and the cipher under a key that it gives.

use chacha20poly1305::{ChaCha20Poly1305, KeyInit};
use hkdf::{Hkdf, HkdfExtract};
use ringsmith_kem::secret::SecretBytes;
use sha2::Sha256;
use zeroize::Zeroize;

/// Bytes of what is extracted, and of the cipher's key.
pub const KEY_BYTES: usize = 32;

/// HKDF-Extract of the concatenated parts. Returns the extracted key as bytes, and as a state that can be
/// expanded.
pub fn extract(salt: &[u8], parts: &[&[u8]]) -> (SecretBytes<KEY_BYTES>, Hkdf<Sha256>) {
    let mut extract = HkdfExtract::<Sha256>::new(Some(salt));
    parts.iter().for_each(|part| extract.input_ikm(part));
    let (mut extracted, key) = extract.finalize();
    let mut bytes = SecretBytes::zero();
    bytes.copy_from_slice(&extracted);
    extracted.as_mut_slice().zeroize();
    (bytes, key)
}

/// HKDF-Expand into fewer than 255 blocks of the hash, with the concatenated parts of `info`.
pub fn expand(key: &Hkdf<Sha256>, info: &[&[u8]], out: &mut [u8]) {
    let expanded = key.expand_multi_info(info, out);
    debug_assert!(expanded.is_ok(), "keys are short");
}

/// The cipher whose key is expanded so.
pub fn cipher(key: &Hkdf<Sha256>, info: &[&[u8]]) -> ChaCha20Poly1305 {
    let mut bytes = SecretBytes::<KEY_BYTES>::zero();
    expand(key, info, &mut *bytes);
    // By reference: a copy would not be cleared.
    ChaCha20Poly1305::new((&*bytes).into())
}
