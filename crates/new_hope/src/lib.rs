//! NewHope: key encapsulation by ideal lattices, as submitted to NIST (round 2, 2019), and NewHope-Compact.
//! **For research and compatibility**: neither was standardised; use ML-KEM.
//!
//! ```
//! use ringsmith_new_hope::cca_512;
//! # struct Fixed(u8);
//! # impl rand_core::TryRng for Fixed {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(4) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { Ok(4) }
//! #     fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> { dst.fill(self.0); Ok(()) }
//! # }
//! # impl rand_core::TryCryptoRng for Fixed {}
//! # let mut rng = Fixed(4);
//! let alice = cca_512::DecapsulationKey::generate(&mut rng);
//! let published: [u8; 928] = alice.encapsulation_key().to_bytes();
//!
//! let Ok(bob) = cca_512::EncapsulationKey::from_bytes(&published);
//! let (ciphertext, shared) = bob.encapsulate(&mut rng);
//!
//! assert_eq!(alice.decapsulate(&ciphertext), shared);
//! ```
//!
//! # Sizes
//! | | ring | public key | private key | ciphertext | security category |
//! |---|---|---:|---:|---:|---:|
//! | NewHope-CCA-512 | `Z_12289[x]/(x^512+1)` | 928 | 1888 | 1120 | 1 |
//! | NewHope-CCA-1024 | `Z_12289[x]/(x^1024+1)` | 1824 | 3680 | 2208 | 5 |
//! | NewHope-CPA-512 | `Z_12289[x]/(x^512+1)` | 928 | 896 | 1088 | 1 |
//! | NewHope-CPA-1024 | `Z_12289[x]/(x^1024+1)` | 1824 | 1792 | 2176 | 5 |
//! | NewHope-Compact-512 | `Z_3329[x]/(x^512+1)` | 800 | 1632 | 992 | 1 |
//! | NewHope-Compact-768 | `Z_3457[x]/(x^768-x^384+1)` | 1184 | 2400 | 1568 | 3 |
//! | NewHope-Compact-1024 | `Z_3329[x]/(x^1024+1)` | 1568 | 3168 | 2080 | 5 |
//!
//! The sets named CPA are secure only against a listener: a private key serves one ciphertext.
//!
//! The older key exchanges are [`adps`] and [`longa_naehrig`].
//!
//! # How
//! Polynomials are sent in the domain of the transform: values at odd powers of 7 (10968 in degree 512) in
//! the order of the exponents ([`complete`](ringsmith_ring::algorithm::ordered::complete)), NewHope-Compact's
//! as planes of residues ([`planar`](ringsmith_ring::algorithm::ordered::planar)). A bit of the message
//! stands in two to four coefficients. The domains come by several algorithms (the crate `ringsmith-routes`
//! has them), and all give the same bytes. A key may be read by any of them:
//!
//! ```
//! use ringsmith_new_hope::cca_512::EncapsulationKey;
//! use ringsmith_new_hope::rings::NEW_HOPE_512_ORDERED;
//! use ringsmith_ring::Domain;
//! use ringsmith_simd::Cpu;
//!
//! let domain = Domain::by_on(Cpu::detect(), &NEW_HOPE_512_ORDERED);
//! let Ok(key) = EncapsulationKey::from_bytes_by(domain, &[0; 928]);
//! assert_eq!(key.way().route(), NEW_HOPE_512_ORDERED.route());
//! ```
//!
//! # Constant time
//! In everything except the seed of the public polynomial, public keys and ciphertexts, which are public. A
//! private key is cleared on drop.
//!
//! # Source
//! E. Alkim et al., NewHope: algorithm specifications and supporting documentation, version 1.02, 2019. E.
//! Alkim, Y. A. Bilgin, M. Cenk: Compact and simple RLWE based key encapsulation mechanism, LATINCRYPT 2019.
//!
//! # Features
//! | feature | what it adds |
//! |---|---|
//! | `kem` (default) | the traits of the crate `kem` 0.3, for sets that withstand chosen ciphertexts |
//! | `getrandom` | their functions that draw from the operating system |
//! | `alloc` | private keys in boxes, which need an allocator |
//! | `hazmat` | encapsulation with the randomness as an argument |
#![no_std]
#![forbid(unsafe_code)]
#![allow(long_running_const_eval, reason = "tables, plans and their proofs are computed by the compiler")]

pub mod adps;
#[allow(unreachable_pub, reason = "parameters stand in the public types of keys")]
mod codec;
mod compact;
#[allow(unreachable_pub, reason = "expanded keys stand in the public trait of sets")]
mod cpa;
mod domain;
mod exchange;
#[allow(unreachable_pub, reason = "expanded keys stand in the public trait of sets")]
mod kem;
pub mod longa_naehrig;
mod nist;
#[allow(unreachable_pub, reason = "parameters stand in the public types of keys")]
mod parameters;
mod pke;
mod rejection;
pub mod rings;
mod sample;
mod sets;

#[doc(hidden)]
pub use exchange::parts;
pub use exchange::types::{Exchange, Offer};
pub use exchange::{Form, OFFER_BYTES, RESPONSE_BYTES, SECRET_BYTES};

pub use compact::{NewHopeCompact512, NewHopeCompact768, NewHopeCompact1024};
pub use compact::{compact_512, compact_768, compact_1024};
pub use exchange::types::By;
pub use nist::{NewHopeCca512, NewHopeCca1024, NewHopeCpa512, NewHopeCpa1024};
pub use nist::{cca_512, cca_1024, cpa_512, cpa_1024};
pub use ringsmith_kem::scheme::InvalidKey;
pub use ringsmith_kem::set::SharedKey;

use ringsmith_kem::scheme::{KeyExchange, Scheme};

/// Every parameter set, for tools that serve all.
pub static SCHEMES: [&Scheme; 7] = [
    &cpa_512::SCHEME,
    &cpa_1024::SCHEME,
    &cca_512::SCHEME,
    &cca_1024::SCHEME,
    &compact_512::SCHEME,
    &compact_768::SCHEME,
    &compact_1024::SCHEME,
];

/// Every key exchange, by the planner's route.
pub static EXCHANGES: [&KeyExchange; 2] = [&adps::EXCHANGE, &longa_naehrig::EXCHANGE];
