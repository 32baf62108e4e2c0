//! Hybrids: a lattice scheme and an elliptic curve combined. A hybrid is secure as long as one of the two is.
//!
//! | module | what | status |
//! |---|---|---|
//! | `x_wing` (feature `x-wing`) | X-Wing: ML-KEM-768 and X25519 | a draft, widely deployed |
//! | `hpke` (feature) | public key encryption with X-Wing | RFC 9180, its KEM a draft |
//! | `tls` (feature) | X25519MLKEM768 and the other groups of TLS 1.3 | deployed; drafts |
//! | `ssh` (feature) | sntrup761 and X25519, as SSH has them | deployed since 2022; a draft |
//!
//! The modules `curve` and `kdf` are shared by these and by the recipients of age files.
//!
//! The feature `hazmat` adds encapsulation with the randomness as an argument. No feature is on by default,
//! and without one the crate is empty. Each hybrid compiles only its own family of lattice schemes.
//!
//! # Constant time
//! In all secrets. Secrets are cleared on drop and have no `Debug`.
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
