//! Lattice cryptography's arithmetic: products in `Z_q[x]/(f)`, fast on every CPU, in constant time, with
//! overflow excluded by the compiler.
//!
//! # Start here
//! A ring is a type from [`rings`]. An element of it is a [`Poly`]. A [`Multiplier`] multiplies two elements.
//!
//! ```
//! use ringsmith::{Multiplier, Poly, rings::MlKem};
//!
//! // a = x^255, b = x: a b = x^256 = -1
//! let (mut a, mut b) = ([0i16; 256], [0i16; 256]);
//! (a[255], b[1]) = (1, 1);
//! let (a, b) = (Poly::<MlKem>::new(&a)?, Poly::new(&b)?);
//!
//! let multiplier = Multiplier::new();
//! let mut scratch = multiplier.scratch();
//! let c = multiplier.multiply(&a, &b, &mut scratch);
//! assert_eq!(c.canonical().next(), Some(3328));
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
//! Each family of schemes is a feature and a crate of its own. A program compiles only the families that it
//! names:
//!
//! | feature | module | what |
//! |---|---|---|
//! | `ml-kem` (default) | `ml_kem` | ML-KEM (FIPS 203) |
//! | `ml-dsa` | `ml_dsa` | ML-DSA (FIPS 204): signatures |
//! | `new-hope` | `new_hope` | NewHope: the submission to NIST, NewHope-Compact, and two key exchanges |
//! | `ntru` | `ntru` | NTRU: the submission to NIST of that name |
//! | `ntru-prime` | `ntru_prime` | NTRU Prime: the submission to NIST; OpenSSH uses its set sntrup761 |
//! | `ntruencrypt` | `ntruencrypt` | public-key encryption by EESS #1, IEEE 1363.1, and over a field |
//! | `all` | | all of them, and `any` |
//!
//! NewHope, NTRU and NTRUEncrypt are here for research and compatibility.
//!
//! [`signature`] has the keys of ML-DSA, contexts, and messages in pieces. [`scheme`] lists all schemes as
//! data, for tools that serve every one. [`hash`] has the hash functions that they use.
//!
//! # Rings that are known at run time
//! With the feature `any`, the module `any` multiplies modulo any `q` up to `2^62` and any monic `f`, as in
//! `Z_4096[x]/(x^743-x-1)`; with the module `compiled` it uses the compiled kernels of the rings above where
//! they are faster. The feature `word` adds the module `word`: transforms modulo `x^n + 1` or `x^n - 1` and a
//! prime of up to 62 bits, as homomorphic encryption uses.
//!
//! # GPUs
//! The feature `cuda` adds the module `gpu`: batches of products on NVIDIA's GPUs, of operands that are in
//! the host's memory or stay on the device, and with the families' features batches of whole encryptions. A
//! program with it runs on machines without a GPU, too, and is told so when it asks for one.
//!
//! # More of rings
//! [`inverse`] has inverses in the fields of NTRU Prime, [`sort`] a sorting network: both in constant time.
//!
//! # Features
//! | feature | what it adds |
//! |---|---|
//! | `std` (default) | [`Cpu::from_env`] |
//! | `ml-kem` (default), `ml-dsa`, `new-hope`, `ntru`, `ntru-prime`, `ntruencrypt`, `all` | families above |
//! | `any`, `word` | rings that are known at run time |
//! | `cuda` | batches of products on NVIDIA's GPUs: the module `gpu`; takes the standard library |
//! | `rayon` | their batches and primes on several threads |
//! | `kem` (default) | the schemes behind the traits of the crate `kem` 0.3, which is then `ringsmith::kem` |
//! | `random` | the module `random`: the operating system's randomness, or an error |
//! | `getrandom` | functions of these traits that draw from the operating system; `random` |
//! | `pkcs8` | keys as SubjectPublicKeyInfo and PKCS #8 in DER; the module `encoding` for tools |
//! | `pem` | the same as text |
//! | `signature` | the traits of the crate `signature` 3 for ML-DSA: the module `signature::traits` |
//! | `alloc` | private keys in boxes, which need an allocator |
//! | `hazmat` | encapsulation with the randomness as an argument |
//! | `x-wing` | the hybrid of ML-KEM-768 and X25519: the module `x_wing`; with `ml-kem` |
//! | `hpke` | public key encryption with it (RFC 9180): the module `hpke` |
//! | `ssh` | the key exchange of SSH with sntrup761 and X25519: the module `ssh`; with `ntru-prime` |
//!
//! With the module `random` all other functions draw from the operating system. `pkcs8` has the traits of the
//! crate `pkcs8` 0.11, and needs an allocator.
//!
//! # Choosing how
//! [`Multiplier::by`] takes a route that another crate has compiled for the ring, as `ringsmith-routes` has
//! the papers'; [`Route::serves`] says why a route cannot serve a ring.
//! [`Cpu::from_env`] honours `RINGSMITH_CPU=avx512|avx2|sse2|neon|scalar`.
//!
//! # Constant time
//! No branch, address or division depends on a coefficient; the project's own tests check that by tool on
//! every backend.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "any")]
pub use ringsmith_any as any;
#[cfg(feature = "cuda")]
pub use ringsmith_gpu as gpu;
pub use ringsmith_hash as hash;
#[cfg(feature = "hpke")]
pub use ringsmith_hybrid::hpke;
#[cfg(feature = "ssh")]
pub use ringsmith_hybrid::ssh;
#[cfg(feature = "x-wing")]
pub use ringsmith_hybrid::x_wing;
#[cfg(feature = "kem")]
pub use ringsmith_kem::kem;
#[cfg(feature = "pkcs8")]
pub use ringsmith_kem::pkcs8;
#[cfg(feature = "random")]
pub use ringsmith_kem::random;
pub use ringsmith_kem::{keys, pke, set, signature};
#[cfg(feature = "ml-dsa")]
pub use ringsmith_ml_dsa as ml_dsa;
#[cfg(feature = "ml-kem")]
pub use ringsmith_ml_kem as ml_kem;
#[cfg(feature = "new-hope")]
pub use ringsmith_new_hope as new_hope;
#[cfg(feature = "ntru")]
pub use ringsmith_ntru as ntru;
#[cfg(feature = "ntru-prime")]
pub use ringsmith_ntru_prime as ntru_prime;
#[cfg(feature = "ntruencrypt")]
pub use ringsmith_ntruencrypt as ntruencrypt;
pub use ringsmith_ring::{
    Coefficients, Domain, Entry, Multiplier, Multiply, Order, Ordered, OtherRoute, Placement, Planner, Poly,
    PolyError, Prepared, Product, Ring, Route, Routes, Rows, Rows32, Shape, Small, Space, Transform,
    UnknownRoute, Values, WhyNot, Workspace, bound, inverse, sort,
};
pub use ringsmith_simd::{Cpu, CpuError};
#[cfg(feature = "word")]
pub use ringsmith_word as word;

#[cfg(feature = "any")]
pub mod compiled;
#[cfg(feature = "pkcs8")]
pub mod encoding;
pub mod scheme;

/// The named rings of the compiled families. The crate `ringsmith-routes` lists all rings and every route of
/// each.
pub mod rings {
    #[cfg(feature = "ml-kem")]
    pub use ringsmith_ml_kem::rings::MlKem;
    #[cfg(feature = "new-hope")]
    pub use ringsmith_new_hope::rings::{
        Compact512, Compact768, Compact1024, NewHope256, NewHope512, NewHope1024,
    };
    #[cfg(feature = "ntru")]
    pub use ringsmith_ntru::rings::{
        NtruHps509, NtruHps677, NtruHps821, NtruHps1229, NtruHrss701, NtruHrss1373,
    };
    #[cfg(feature = "ntru-prime")]
    pub use ringsmith_ntru_prime::rings::{
        NtruPrime653, NtruPrime761, NtruPrime857, NtruPrime953, NtruPrime1013, NtruPrime1277,
    };
    #[cfg(all(feature = "ntruencrypt", not(feature = "ntru")))]
    pub use ringsmith_ntruencrypt::rings::NtruHps677;
    /// Of ees677ep1 the ring is `NtruHps677`, which `ntru` has.
    #[cfg(feature = "ntruencrypt")]
    pub use ringsmith_ntruencrypt::rings::{
        Ees401, Ees439, Ees443, Ees449, Ees541, Ees587, Ees593, Ees613, Ees653, Ees659, Ees743, Ees761,
        Ees853, Ees887, Ees1087, Ees1171, Ees1499, NtruPrime739,
    };
}

/// The pages for users, whose examples are tested.
#[cfg(all(doctest, feature = "all", feature = "kem", feature = "pem", feature = "ssh"))]
pub mod pages {
    #[doc = include_str!("../../../README.md")]
    pub mod first {}
    #[doc = include_str!("../README.md")]
    pub mod registry {}
    #[doc = include_str!("../../../docs/rust.md")]
    pub mod rust {}
    #[doc = include_str!("../../../docs/ssh.md")]
    pub mod ssh {}
    #[doc = include_str!("../../../docs/start.md")]
    pub mod start {}
}
