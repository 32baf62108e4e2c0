//! SHA-1 and SHA-256 by their compression functions, for messages whose length is a secret too.
//!
//! A message is padded by `0x80`, zeroes, and its length in bits at the end of a block. Where the length is a
//! secret, the number of blocks may be one: all that there may be are compressed, and the state behind the
//! last of the message's own is kept by masks. So no address and no branch depends on the length.
//!
//! The compression functions are those of the crates `sha1` and `sha2`. Their streams keep a place in a
//! buffer, which depends on the length; that is why they are not used.
//!
//! Source: FIPS 180-4, sections 5.1.1 and 6.

use core::hint::black_box;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::wipe;
use sha1::block_api::compress;
use sha2::block_api::compress256;

/// Bytes of a block.
pub(crate) const BLOCK: usize = 64;
/// Most bytes of a digest.
pub(crate) const MOST: usize = 32;
/// What padding takes at least.
const PADDING: usize = 9;

/// A hash function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hash {
    /// SHA-1.
    Sha1,
    /// SHA-256.
    Sha256,
}

/// The words between two blocks, of which SHA-1 has five; cleared on drop.
struct State([u32; 8]);

impl Drop for State {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// Blocks of a message of so many bytes.
pub(crate) const fn blocks(length: usize) -> usize {
    (length + PADDING).div_ceil(BLOCK)
}

/// All ones where `a = b`, which are below `2^31`.
pub(crate) const fn equal(a: usize, b: usize) -> u32 {
    let difference = (a ^ b) as u32;
    // Only of 0 does the top bit change.
    ((difference.wrapping_sub(1) & !difference) >> 31).wrapping_neg()
}

impl Hash {
    /// Bytes of a digest.
    pub const fn bytes(self) -> usize {
        match self {
            Hash::Sha1 => 20,
            Hash::Sha256 => 32,
        }
    }

    /// The words before the first block, of which SHA-1 has five.
    pub const fn initial(self) -> [u32; 8] {
        match self {
            Hash::Sha1 => [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0, 0, 0, 0],
            Hash::Sha256 => [
                0x6a09_e667,
                0xbb67_ae85,
                0x3c6e_f372,
                0xa54f_f53a,
                0x510e_527f,
                0x9b05_688c,
                0x1f83_d9ab,
                0x5be0_cd19,
            ],
        }
    }

    /// The state before the first block.
    const fn start(self) -> State {
        State(self.initial())
    }

    fn compress(self, state: &mut State, block: &[u8; BLOCK]) {
        match self {
            Hash::Sha1 => {
                let words = state.0.first_chunk_mut().expect("five of eight words");
                compress(words, core::slice::from_ref(block));
            }
            Hash::Sha256 => compress256(&mut state.0, core::slice::from_ref(block)),
        }
    }

    /// The digest of the first `length` bytes of a message, which is a secret, as its bytes are. Behind them
    /// the message must be zero, and its whole blocks must have room for the padding.
    pub(crate) fn digest_into(self, message: &mut [u8], length: usize, out: &mut [u8; MOST]) {
        let (last, bits) = ((length + PADDING - 1) / BLOCK, 8 * length as u16);
        let (mut state, mut found) = (self.start(), State([0; 8]));
        for (i, byte) in message.iter_mut().enumerate() {
            *byte |= 0x80 & equal(i, length) as u8;
        }
        for (i, block) in message.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            // Opaque to the compiler, which would make a branch of it.
            let is_last = black_box(equal(i, last));
            let [high, low] = (bits & is_last as u16).to_be_bytes();
            (block[BLOCK - 2], block[BLOCK - 1]) = (block[BLOCK - 2] | high, block[BLOCK - 1] | low);
            self.compress(&mut state, block);
            for (found, word) in found.0.iter_mut().zip(&state.0) {
                *found |= word & is_last;
            }
        }
        write(&found, out);
    }

    /// The digest of whole blocks, padded.
    pub(crate) fn of_blocks(self, blocks: &[[u8; BLOCK]], out: &mut [u8; MOST]) {
        let mut state = self.start();
        blocks.iter().for_each(|block| self.compress(&mut state, block));
        write(&state, out);
    }

    /// The digest of a message whose length is public, of at most [`MOST_BLOCKS`] blocks.
    pub(crate) fn digest(self, message: &[u8], out: &mut [u8; MOST]) {
        let mut padded = SecretBytes::<{ BLOCK * MOST_BLOCKS }>::zero();
        let padded = &mut padded[..BLOCK * blocks(message.len())];
        padded[..message.len()].copy_from_slice(message);
        pad(padded, message.len());
        self.of_blocks(padded.as_chunks().0, out);
    }
}

/// Pads a message of public length, with zeroes behind it.
pub(crate) fn pad(message: &mut [u8], length: usize) {
    message[length] = 0x80;
    let end = message.len() - 2;
    message[end..].copy_from_slice(&(8 * length as u16).to_be_bytes());
}

/// The words of a state as bytes.
fn write(state: &State, out: &mut [u8; MOST]) {
    for (out, word) in out.as_chunks_mut().0.iter_mut().zip(&state.0) {
        *out = word.to_be_bytes();
    }
}

/// Blocks of the longest message.
pub(crate) const MOST_BLOCKS: usize = 7;
