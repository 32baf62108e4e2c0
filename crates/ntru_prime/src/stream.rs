//! The cipher's stream that elements are made of. In a module of its own, so that the compiler keeps the
//! cipher's small functions together, which it does not inline across units.

use aes::Aes256;
use aes::cipher::{KeyIvInit, StreamCipher};
use ctr::Ctr128BE;

/// Bytes that the cipher's widest backend makes at a time: what is left over costs it more.
pub(super) const GROUP: usize = 64 * 16;

/// XORs bytes with the stream of AES-256 in counter mode, from zero.
pub(super) fn xor(seed: &[u8; 32], bytes: &mut [u8]) {
    Ctr128BE::<Aes256>::new(seed.into(), &[0; 16].into()).apply_keystream(bytes);
}
