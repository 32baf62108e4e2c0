//! SHA-3 and SHAKE (FIPS 202), one stream at a time or four at once, and SHA-512 (FIPS 180-4).
//!
//! Lattice schemes spend most of their time here: they expand short seeds into matrices and noise.
//! Independent streams are computed four at a time, in the four 64-bit lanes of the
//! [`Simd`](ringsmith_simd::Simd) token: by [`Shake128x4`] and [`Shake256x4`] if all four have the same
//! length, by [`run_streams`], which also runs eight where that gains, if not. A single stream is
//! [`Sha3_256`], [`Sha3_512`], [`Shake128`] or [`Shake256`]. NTRU Prime hashes by [`Sha512`].
//!
//! ```
//! use ringsmith_hash::{Sha3_256, Shake128, Shake128x4};
//!
//! let digest: [u8; 32] = Sha3_256::new().absorb(b"a").absorb(b"bc").digest();
//! assert_eq!(digest[..4], [0x3a, 0x98, 0x5d, 0xa7]);
//!
//! let mut four = Shake128x4::new([b"0", b"1", b"2", b"3"]);
//! let mut blocks = [[0; 168]; 4];
//! four.squeeze(&mut blocks);
//! let mut one = [0; 168];
//! Shake128::new().absorb(b"2").reader().squeeze(&mut one);
//! assert_eq!(blocks[2], one);
//! ```
//!
//! Constructors detect the CPU; those that end in `_on` take it as an argument.
//!
//! # Constant time
//! In the bytes that are absorbed, but not in their number. States are cleared on drop.
#![no_std]
#![forbid(unsafe_code)]

mod complemented;
mod constants;
mod four;
mod one;
mod pairs;
mod permutation;
#[cfg(feature = "sha512")]
mod sha512;
mod states;
mod streams;

pub use four::{Shake128x4, Shake256x4, Xof4};
pub use one::{Reader, Sha3_256, Sha3_512, Shake128, Shake256, Sponge};
pub use permutation::{State4, permute, permute_one};
#[cfg(feature = "sha512")]
pub use sha512::Sha512;
pub use streams::{
    Digest, InOrder, Intermittent, IntermittentSha3_256, IntermittentShake256, Lane, Streams, Work,
    run_streams, states_at_a_time,
};

/// Bytes that SHAKE128 gives, and takes, between two permutations.
pub const RATE_128: usize = 168;
/// The same of SHAKE256, and of SHA3-256.
pub const RATE_256: usize = 136;
/// The same of SHA3-512.
pub const RATE_512: usize = 72;
/// What follows a message of SHA-3: its two bits and the first of the padding (FIPS 202, section 6.1).
const SHA3: u8 = 0x06;
/// What follows a message of SHAKE (FIPS 202, section 6.2).
const SHAKE: u8 = 0x1f;
