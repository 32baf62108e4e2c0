//! Schemes of lattice cryptography on Ringsmith's rings.
//!
//! | module | scheme | status |
//! |---|---|---|
//! | [`ml_kem`] | ML-KEM-512, -768, -1024 | the standard, FIPS 203 (final, August 2024) |
//! | [`new_hope`] | NewHope-CCA-512, -1024, -CPA-512, -1024 | historical: the submission to NIST (round 2, 2019) |
//! | | NewHope-Compact-512, -768, -1024 | historical: a smaller and faster NewHope (2019) |
//! | [`new_hope::adps`], [`new_hope::longa_naehrig`] | the NewHope key exchange | historical (2016) |
//! | [`ntru_prime`] | sntrup653 to sntrup1277, ntrulpr653 to ntrulpr1277 | historical: the submission to NIST (round 3, 2020); SSH has sntrup761 |
//! | `x_wing` (feature) | X-Wing: ML-KEM-768 and X25519 | a draft, widely deployed |
//! | `hpke` (feature) | public key encryption with X-Wing | RFC 9180, its KEM a draft |
//! | `ssh` (feature) | sntrup761 and X25519, as SSH has them | deployed since 2022; a draft |
//!
//! Each has types of its own; [`scheme`] lists them for tools that work with any scheme by its name.
//!
//! # Features
//! | feature | what it adds | needs |
//! |---|---|---|
//! | `kem` (default) | the traits of the crate `kem` 0.3 | |
//! | `getrandom` | their functions that ask the operating system for randomness; [`random`](mod@random) for all others | an operating system |
//! | `pkcs8` | keys as SubjectPublicKeyInfo and PKCS #8 in DER, by the traits of the crate `pkcs8` 0.11; the module `encoding` | an allocator |
//! | `pem` | the same as text | an allocator |
//! | `hazmat` | encapsulation with the randomness as an argument | |
//! | `x-wing` | the module `x_wing`, on the crate `x25519-dalek` | |
//! | `ssh` | the module `ssh`, on the crate `x25519-dalek` | |
//! | `hpke` | the module `hpke`, on the crates `hkdf`, `sha2` and `chacha20poly1305` | |
//!
//! # Constant time
//! Key generation, encapsulation and decapsulation branch on public data alone: the seed of the matrix, an
//! encapsulation key, a ciphertext. What is secret is cleared on drop and has no `Debug`. (The text of PEM is
//! decoded by the crate `base64ct`.)
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "pkcs8")]
extern crate alloc;

mod binomial;
mod bits;
mod declassify;
#[cfg(feature = "pkcs8")]
pub mod encoding;
#[cfg(feature = "hpke")]
pub mod hpke;
mod keys;
pub mod ml_kem;
pub mod new_hope;
pub mod ntru_prime;
#[cfg(feature = "getrandom")]
pub mod random;
pub mod scheme;
mod secret;
#[cfg(feature = "ssh")]
pub mod ssh;
#[cfg(feature = "x-wing")]
pub mod x_wing;

#[cfg(feature = "kem")]
pub use kem;
#[cfg(feature = "pkcs8")]
pub use pkcs8;
