//! Schemes of lattice cryptography on Ringsmith's rings.
//!
//! | module | scheme | status |
//! |---|---|---|
//! | [`ml_kem`] | ML-KEM-512, -768, -1024 | the standard, FIPS 203 (final, August 2024) |
//!
//! # Constant time
//! Key generation, encapsulation and decapsulation branch on public data alone: the seed of the matrix, an encapsulation key, a
//! ciphertext. What is secret is cleared on drop and has no `Debug`.
#![no_std]
#![forbid(unsafe_code)]

pub mod ml_kem;
