//! NTRU: key encapsulation in rings `Z_q[x]/(x^n - 1)` with `q` a power of two, as submitted to NIST (round
//! 3, 2020). **Not a standard**: for research and compatibility.
//!
//! ```
//! use ringsmith_ntru::ntruhps2048677;
//! # struct Fixed(u64);
//! # impl rand_core::TryRng for Fixed {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { self.try_next_u64().map(|x| x as u32) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
//! #         self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
//! #         Ok(self.0 >> 20)
//! #     }
//! #     fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> {
//! #         dst.iter_mut().try_for_each(|byte| self.try_next_u64().map(|x| *byte = x as u8))
//! #     }
//! # }
//! # impl rand_core::TryCryptoRng for Fixed {}
//! # let mut rng = Fixed(4);
//! let alice = ntruhps2048677::DecapsulationKey::generate(&mut rng);
//! let published: [u8; 930] = alice.encapsulation_key().to_bytes();
//!
//! let Ok(bob) = ntruhps2048677::EncapsulationKey::from_bytes(&published); // any bytes are a key
//! let (ciphertext, shared) = bob.encapsulate(&mut rng);
//!
//! assert_eq!(alice.decapsulate(&ciphertext), shared);
//! ```
//!
//! # Sizes
//! | | `n` | `q` | public key | private key | ciphertext |
//! |---|---:|---:|---:|---:|---:|
//! | ntruhps2048509 | 509 | 2048 | 699 | 935 | 699 |
//! | ntruhps2048677 | 677 | 2048 | 930 | 1234 | 930 |
//! | ntruhps4096821 | 821 | 4096 | 1230 | 1590 | 1230 |
//! | ntruhps40961229 | 1229 | 4096 | 1842 | 2366 | 1842 |
//! | ntruhrss701 | 701 | 8192 | 1138 | 1450 | 1138 |
//! | ntruhrss1373 | 1373 | 16384 | 2401 | 2983 | 2401 |
//!
//! Every shared key has 32 bytes.
//!
//! # Private keys
//! A private key does not contain its public key. Reading a private key computes the public key, which takes
//! an inversion. To decapsulate a single ciphertext,
//! [`decapsulate_once`](ringsmith_kem::keys::DecapsulationKey::decapsulate_once) avoids it.
//!
//! # Constant time
//! In everything except public keys and ciphertexts, which are public. A private key is cleared on drop.
//!
//! # Source
//! C. Chen et al., NTRU: algorithm specifications and supporting documentation, round 3, 2020.
//!
//! # Features
//! | feature | what it adds |
//! |---|---|
//! | `alloc` | private keys in boxes, which need an allocator |
//! | `hazmat` | encapsulation with the randomness as an argument |
//!
//! The traits of the crate `kem` are not implemented: they need the crate `hybrid-array`, which does not have
//! arrays of these lengths.
#![no_std]
#![forbid(unsafe_code)]
#![allow(long_running_const_eval, reason = "tables, plans and their proofs are computed by the compiler")]
#![allow(
    private_interfaces,
    unreachable_pub,
    reason = "expanded keys stand in the public trait of sets, and nobody else can name them"
)]

mod codec;
mod hps;
mod hrss;
#[cfg(ringsmith_internals)]
#[doc(hidden)]
pub mod internals;
pub mod rings;
mod sample;
mod set;
mod sets;
mod ternary;
mod trits;
mod variant;

pub use ringsmith_kem::set::SharedKey;
#[doc(hidden)]
pub use set::halves;

use hps::Hps;
use hrss::Hrss;
use ringsmith_cyclic::element;
use ringsmith_kem::scheme::Scheme;
use set::Parameters;

/// Every parameter set, for tools that serve all.
pub static SCHEMES: [&Scheme; 6] = [
    &ntruhps2048509::SCHEME,
    &ntruhps2048677::SCHEME,
    &ntruhps4096821::SCHEME,
    &ntruhps40961229::SCHEME,
    &ntruhrss701::SCHEME,
    &ntruhrss1373::SCHEME,
];

sets::sets! {
    Hps:

    /// NTRU-HPS with degree 509 and modulus 2048.
    ntruhps2048509 Ntruhps2048509, ring NtruHps509, n 509, bits 11;

    /// NTRU-HPS with degree 677 and modulus 2048.
    ntruhps2048677 Ntruhps2048677, ring NtruHps677, n 677, bits 11;

    /// NTRU-HPS with degree 821 and modulus 4096.
    ntruhps4096821 Ntruhps4096821, ring NtruHps821, n 821, bits 12;

    /// NTRU-HPS with degree 1229 and modulus 4096.
    ntruhps40961229 Ntruhps40961229, ring NtruHps1229, n 1229, bits 12;
}

sets::sets! {
    Hrss:

    /// NTRU-HRSS with degree 701.
    ntruhrss701 Ntruhrss701, ring NtruHrss701, n 701, bits 13;

    /// NTRU-HRSS with degree 1373.
    ntruhrss1373 Ntruhrss1373, ring NtruHrss1373, n 1373, bits 14;
}
