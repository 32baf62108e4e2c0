//! What all schemes of Ringsmith share: types of keys, errors, encodings and lists. Each family's crate adds
//! its schemes.
//!
//! To use a scheme, depend on its family's crate rather than on this one: the crates `ringsmith-ml-kem`,
//! `ringsmith-new-hope`, `ringsmith-ntru`, `ringsmith-ntru-prime` and `ringsmith-ntruencrypt` have schemes,
//! and `ringsmith` has them all.
//!
//! | module | what |
//! |---|---|
//! | [`keys`] | the keys of every scheme: one type each for all parameter sets |
//! | [`set`] | a parameter set as a type: what a family's crate must define for it |
//! | [`pke`] | public-key encryption: its keys, its parameter sets, and these as data |
//! | [`signature`] | signatures: their keys, their parameter sets, contexts and messages in pieces |
//! | `traits` (feature `kem`) | the traits of the crate `kem` for these keys |
//! | [`scheme`] | schemes and key exchanges as data, for tools that serve all of them; the errors |
//! | `encoding` (feature `pkcs8`) | keys as SubjectPublicKeyInfo and PKCS #8, in DER and as text |
//! | [`random`](mod@random) (feature `random`) | the operating system's randomness, or an error |
//!
//! # Features
//! | feature | what it adds | needs |
//! |---|---|---|
//! | `kem` | the traits of the crate `kem` 0.3, which is then [`kem`] | |
//! | `random` | [`random`](mod@random) | an operating system |
//! | `getrandom` | the functions of these traits that draw randomness; `random` | an operating system |
//! | `alloc` | private keys in boxes | an allocator |
//! | `hazmat` | encapsulation with the randomness as an argument | |
//! | `pkcs8` | the module `encoding` | an allocator |
//! | `pem` | the same as text | an allocator |
//! | `signature` | the traits of the crate `signature` 3: the module `signature::traits` | |
//!
//! With [`random`](mod@random) all other functions draw from the operating system.
//!
//! # Constant time
//! Secrets are cleared on drop and have no `Debug`. The crate `base64ct` decodes the text of PEM.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[doc(hidden)]
pub mod binomial;
#[doc(hidden)]
pub mod bits;
mod compiled;
#[cfg(feature = "pkcs8")]
pub mod encoding;
mod error;
pub mod keys;
pub mod pke;
#[cfg(feature = "random")]
pub mod random;
pub mod scheme;
#[doc(hidden)]
pub mod secret;
pub mod set;
mod shared_key;
pub mod signature;
#[cfg(feature = "kem")]
pub mod traits;

#[cfg(feature = "kem")]
pub use kem;
#[cfg(feature = "pkcs8")]
pub use pkcs8;
#[doc(hidden)]
pub use ringsmith_simd::Cpu;
#[doc(hidden)]
pub use ringsmith_simd::declassify;
#[doc(hidden)]
pub use zeroize::Zeroizing;
