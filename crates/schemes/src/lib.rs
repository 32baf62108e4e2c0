//! Schemes of lattice cryptography on Ringsmith's rings.
//!
//! | module | scheme | status |
//! |---|---|---|
//! | [`ml_kem`] | ML-KEM-512, -768, -1024 | the standard, FIPS 203 (final, August 2024) |
//!
//! Each has types of its own; [`scheme`] lists them all for tools that work with any.
//!
//! # Features
//! | feature | what it adds | needs |
//! |---|---|---|
//! | `kem` (default) | the traits of the crate `kem` 0.3 | |
//! | `getrandom` | their functions that ask the operating system for randomness | an operating system |
//! | `pkcs8` | keys as SubjectPublicKeyInfo and PKCS #8 in DER, by the traits of the crate `pkcs8` 0.11; the module `encoding` | an allocator |
//! | `pem` | the same as text | an allocator |
//! | `hazmat` | encapsulation with the randomness as an argument | |
//!
//! # Constant time
//! Key generation, encapsulation and decapsulation branch on public data alone: the seed of the matrix, an encapsulation key, a
//! ciphertext. What is secret is cleared on drop and has no `Debug`. (The text of PEM is decoded by the crate `base64ct`.)
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "pkcs8")]
extern crate alloc;

mod declassify;
#[cfg(feature = "pkcs8")]
pub mod encoding;
pub mod ml_kem;
pub mod scheme;
mod secret;

#[cfg(feature = "kem")]
pub use kem;
#[cfg(feature = "pkcs8")]
pub use pkcs8;
