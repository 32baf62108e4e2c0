//! NTRU Prime: key encapsulation in fields `Z_q[x]/(x^p - x - 1)`, as submitted to NIST (round 3, 2020).
//! **Not a standard.** SSH has used sntrup761 together with X25519 for years; all other sets are for research
//! and compatibility.
//!
//! ```
//! use ringsmith_ntru_prime::sntrup761;
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
//! let alice = sntrup761::DecapsulationKey::generate(&mut rng);
//! let published: [u8; 1158] = alice.encapsulation_key().to_bytes();
//!
//! let Ok(bob) = sntrup761::EncapsulationKey::from_bytes(&published); // any bytes are a key
//! let (ciphertext, shared) = bob.encapsulate(&mut rng);
//!
//! assert_eq!(alice.decapsulate(&ciphertext), shared);
//! ```
//!
//! # Sizes
//! | | `q` | public key | private key | ciphertext |
//! |---|---:|---:|---:|---:|
//! | sntrup653 | 4621 | 994 | 1518 | 897 |
//! | sntrup761 | 4591 | 1158 | 1763 | 1039 |
//! | sntrup857 | 5167 | 1322 | 1999 | 1184 |
//! | sntrup953 | 6343 | 1505 | 2254 | 1349 |
//! | sntrup1013 | 7177 | 1623 | 2417 | 1455 |
//! | sntrup1277 | 7879 | 2067 | 3059 | 1847 |
//! | ntrulpr653 | 4621 | 897 | 1125 | 1025 |
//! | ntrulpr761 | 4591 | 1039 | 1294 | 1167 |
//! | ntrulpr857 | 5167 | 1184 | 1463 | 1312 |
//! | ntrulpr953 | 6343 | 1349 | 1652 | 1477 |
//! | ntrulpr1013 | 7177 | 1455 | 1773 | 1583 |
//! | ntrulpr1277 | 7879 | 1847 | 2231 | 1975 |
//!
//! Streamlined NTRU Prime (sntrup) has a quotient as its public key, NTRU LPRime (ntrulpr) a product. Every
//! shared key has 32 bytes.
//!
//! # Randomness
//! A small or a short element is drawn by one call of `4 p` bytes. The submission's known-answer files draw
//! them by `p` calls of 4 bytes, for which their generator gives other bytes. The files of other libraries
//! use one call, as Ringsmith does.
//!
//! # Constant time
//! In everything except public keys, ciphertexts, and the number of elements that are rejected in key
//! generation because they have no inverse modulo 3. Rejected elements are not used. A private key is cleared
//! on drop.
//!
//! # Source
//! D. J. Bernstein et al., NTRU Prime: round 3, 2020.
//!
//! # Features
//! | feature | what it adds |
//! |---|---|
//! | `kem` (default) | the traits of the crate `kem` 0.3 |
//! | `getrandom` | their functions that draw from the operating system |
//! | `alloc` | private keys in boxes, which need an allocator |
//! | `hazmat` | encapsulation with the randomness as an argument |
#![no_std]
#![forbid(unsafe_code)]
#![allow(long_running_const_eval, reason = "tables, plans and their proofs are computed by the compiler")]
#![allow(
    private_interfaces,
    unreachable_pub,
    reason = "expanded keys stand in the public trait of sets, and nobody else can name them"
)]

mod codec;
mod element;
mod factors;
#[doc(hidden)]
pub mod halves;
mod hash;
mod lprime;
mod radix;
pub mod rings;
mod sample;
mod set;
mod sets;
mod sizes;
mod stream;
mod streamlined;

pub use ringsmith_kem::set::SharedKey;

use codec::{Codec, small_bytes};
use ringsmith_kem::scheme::Scheme;
use set::Parameters;

/// Every parameter set, for tools that serve all.
pub static SCHEMES: [&Scheme; 12] = [
    &sntrup653::SCHEME,
    &sntrup761::SCHEME,
    &sntrup857::SCHEME,
    &sntrup953::SCHEME,
    &sntrup1013::SCHEME,
    &sntrup1277::SCHEME,
    &ntrulpr653::SCHEME,
    &ntrulpr761::SCHEME,
    &ntrulpr857::SCHEME,
    &ntrulpr953::SCHEME,
    &ntrulpr1013::SCHEME,
    &ntrulpr1277::SCHEME,
];

sets::sets! {
    streamlined:

    /// Streamlined NTRU Prime 653.
    sntrup653 Sntrup653, ring NtruPrime653, p 653, q 4621, w 288;

    /// Streamlined NTRU Prime 761.
    sntrup761 Sntrup761, ring NtruPrime761, p 761, q 4591, w 286;

    /// Streamlined NTRU Prime 857.
    sntrup857 Sntrup857, ring NtruPrime857, p 857, q 5167, w 322;

    /// Streamlined NTRU Prime 953.
    sntrup953 Sntrup953, ring NtruPrime953, p 953, q 6343, w 396;

    /// Streamlined NTRU Prime 1013.
    sntrup1013 Sntrup1013, ring NtruPrime1013, p 1013, q 7177, w 448;

    /// Streamlined NTRU Prime 1277.
    sntrup1277 Sntrup1277, ring NtruPrime1277, p 1277, q 7879, w 492;
}

sets::sets! {
    lprime:

    /// NTRU LPRime 653.
    ntrulpr653 Ntrulpr653, ring NtruPrime653, p 653, q 4621, w 252,
    tau [2175, 113, 2031, 290];

    /// NTRU LPRime 761.
    ntrulpr761 Ntrulpr761, ring NtruPrime761, p 761, q 4591, w 250,
    tau [2156, 114, 2007, 287];

    /// NTRU LPRime 857.
    ntrulpr857 Ntrulpr857, ring NtruPrime857, p 857, q 5167, w 281,
    tau [2433, 101, 2265, 324];

    /// NTRU LPRime 953.
    ntrulpr953 Ntrulpr953, ring NtruPrime953, p 953, q 6343, w 345,
    tau [2997, 82, 2798, 400];

    /// NTRU LPRime 1013.
    ntrulpr1013 Ntrulpr1013, ring NtruPrime1013, p 1013, q 7177, w 392,
    tau [3367, 73, 3143, 449];

    /// NTRU LPRime 1277.
    ntrulpr1277 Ntrulpr1277, ring NtruPrime1277, p 1277, q 7879, w 429,
    tau [3724, 66, 3469, 496];
}
