//! How many bytes keys and ciphertexts have.

use super::codec::{Codec, small_bytes};
use super::hash::BYTES;
use super::lprime::TOP_BYTES;

/// Of a set.
pub(super) struct Sizes {
    pub(super) public: usize,
    pub(super) private: usize,
    pub(super) ciphertext: usize,
    /// What a ciphertext is made from.
    pub(super) randomness: usize,
}

/// Of Streamlined NTRU Prime of a degree: a private key has two small elements, and one for ciphertexts that
/// are rejected.
pub(super) const fn streamlined(degree: usize, codec: &Codec) -> Sizes {
    let (small, public) = (small_bytes(degree), codec.full.bytes);
    Sizes {
        public,
        private: 2 * small + public + small + BYTES,
        ciphertext: codec.rounded.bytes + BYTES,
        randomness: 4 * degree,
    }
}

/// Of NTRU LPRime.
pub(super) const fn lprime(degree: usize, codec: &Codec) -> Sizes {
    let public = BYTES + codec.rounded.bytes;
    Sizes {
        public,
        private: small_bytes(degree) + public + BYTES + BYTES,
        ciphertext: codec.rounded.bytes + TOP_BYTES + BYTES,
        randomness: BYTES,
    }
}
