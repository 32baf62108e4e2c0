//! Hybrids: a lattice scheme and an elliptic curve together, secure as long as one of both is.
//!
//! | module | what | status |
//! |---|---|---|
//! | `x_wing` (feature `x-wing`) | X-Wing: ML-KEM-768 and X25519 | a draft, widely deployed |
//! | `hpke` (feature) | public key encryption with X-Wing | RFC 9180, its KEM a draft |
//! | `tls` (feature) | X25519MLKEM768 and the other groups of TLS 1.3 | deployed; drafts |
//! | `ssh` (feature) | sntrup761 and X25519, as SSH has them | deployed since 2022; a draft |
//!
//! `curve` and `kdf` are what these share with each other and with the recipients of age files.
//!
//! The feature `hazmat` adds encapsulation with the randomness as an argument. No feature is on by default,
//! and without one there is nothing here: a hybrid compiles its own family of lattice schemes and no other.
//!
//! # Constant time
//! In all secrets. What is secret is cleared on drop and has no `Debug`.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "tls")]
extern crate alloc;

#[cfg(any(feature = "x-wing", feature = "ssh", feature = "tls"))]
pub mod curve;
#[cfg(feature = "hpke")]
pub mod hpke;
#[cfg(feature = "hpke")]
pub mod kdf;
#[cfg(feature = "ssh")]
pub mod ssh;
#[cfg(feature = "tls")]
pub mod tls;
#[cfg(feature = "x-wing")]
pub mod x_wing;
