//! Lattice cryptography's arithmetic: products in `Z_q[x]/(f)`, fast on every CPU, in constant time, with
//! overflow excluded by the compiler.
//!
//! # Start here
//! A ring is a type from [`rings`]; an element is a [`Poly`]; a [`Multiplier`] multiplies.
//!
//! ```
//! use ringsmith::{Cpu, Multiplier, Poly, rings::NewHope1024};
//!
//! // a = x^1023, b = x: a b = x^1024 = -1
//! let (mut a, mut b) = ([0i16; 1024], [0i16; 1024]);
//! (a[1023], b[1]) = (1, 1);
//! let (a, b) = (Poly::<NewHope1024>::new(&a)?, Poly::new(&b)?);
//!
//! let multiplier = Multiplier::new(Cpu::detect());
//! let mut scratch = multiplier.scratch();
//! let c = multiplier.multiply(&a, &b, &mut scratch);
//! assert_eq!(c.canonical().next(), Some(12288));
//!
//! // Many products by the same b: transform it once.
//! let prepared = multiplier.prepare(&b, &mut scratch);
//! let mut again = Poly::zero();
//! multiplier.multiply_prepared_into(&a, &prepared, &mut again, &mut scratch)?;
//! assert_eq!(again.centred(), c.centred());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Schemes
//! [`ml_kem`] is ML-KEM (FIPS 203); [`new_hope`] is NewHope, for research and compatibility: the submission
//! to NIST, NewHope-Compact, and two key exchanges; [`ntru_prime`] is the submission of that name, of which
//! SSH has one set; [`scheme`] lists schemes for tools that work with any; [`hash`] is their hashing.
//!
//! # More of rings
//! [`inverse`] has inverses in the fields of NTRU Prime, [`sort`] a sorting network: both in constant time.
//!
//! # Features
//! | feature | what it adds |
//! |---|---|
//! | `std` (default) | [`Cpu::from_env`] |
//! | `kem` (default) | the schemes behind the traits of the crate `kem` 0.3, which is then `ringsmith::kem` |
//! | `getrandom` | the functions of these traits that draw from the operating system; the module `random`, with which all others do |
//! | `pkcs8` | keys as SubjectPublicKeyInfo and PKCS #8 in DER: the crate `pkcs8` 0.11, and the module `encoding` for tools; needs an allocator |
//! | `pem` | the same as text |
//! | `hazmat` | encapsulation with the randomness as an argument |
//! | `x-wing` | the hybrid of ML-KEM-768 and X25519: the module `x_wing` |
//! | `hpke` | public key encryption with it (RFC 9180): the module `hpke` |
//! | `ssh` | the key exchange of SSH with sntrup761 and X25519: the module `ssh` |
//!
//! # Choosing how
//! [`Multiplier::by`] takes a route that another crate has compiled for the ring, as `ringsmith-routes` has
//! the papers'; [`Route::serves`] says why a route cannot serve a ring.
//! [`Cpu::from_env`] honours `RINGSMITH_CPU=avx2|sse2|neon|scalar`.
//!
//! # Constant time
//! No branch, address or division depends on a coefficient; the project's own tests check that by tool on
//! every backend.
#![no_std]
#![forbid(unsafe_code)]

pub use ringsmith_hash as hash;
pub use ringsmith_ring::{
    Coefficients, Entry, Multiplier, Multiply, OtherRoute, Placement, Planner, Poly, PolyError, Prepared,
    Product, Ring, Route, Rows, Rows32, Shape, Small, Space, Transform, TransformEntry, UnknownRoute, WhyNot,
    Workspace, bound, inverse, rings, sort,
};
#[cfg(feature = "hpke")]
pub use ringsmith_schemes::hpke;
#[cfg(feature = "kem")]
pub use ringsmith_schemes::kem;
#[cfg(feature = "getrandom")]
pub use ringsmith_schemes::random;
#[cfg(feature = "ssh")]
pub use ringsmith_schemes::ssh;
#[cfg(feature = "x-wing")]
pub use ringsmith_schemes::x_wing;
#[cfg(feature = "pkcs8")]
pub use ringsmith_schemes::{encoding, pkcs8};
pub use ringsmith_schemes::{ml_kem, new_hope, ntru_prime, scheme};
pub use ringsmith_simd::{Cpu, CpuError};
