//! ML-KEM (FIPS 203): key encapsulation by module lattices.
//!
//! Alice makes a key pair and publishes the encapsulation key; Bob encapsulates to it and sends the
//! ciphertext; then both have the same shared key of 32 bytes.
//!
//! ```
//! use ringsmith_ml_kem::ml_kem_768;
//! # struct Fixed(u8);
//! # impl rand_core::TryRng for Fixed {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(4) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { Ok(4) }
//! #     fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> { dst.fill(self.0); Ok(()) }
//! # }
//! # impl rand_core::TryCryptoRng for Fixed {}
//! # let mut rng = Fixed(4); // chosen by fair dice roll
//! let alice = ml_kem_768::DecapsulationKey::generate(&mut rng);
//! let published: [u8; 1184] = alice.encapsulation_key().to_bytes();
//!
//! let bob = ml_kem_768::EncapsulationKey::from_bytes(&published)?;
//! let (ciphertext, shared) = bob.encapsulate(&mut rng);
//!
//! assert_eq!(alice.decapsulate(&ciphertext), shared);
//! # Ok::<(), ringsmith_ml_kem::InvalidKey>(())
//! ```
//!
//! # Sizes
//! | | `k` | encapsulation key | decapsulation key | its seed | ciphertext | security category |
//! |---|---:|---:|---:|---:|---:|---:|
//! | ML-KEM-512 | 2 | 800 | 1632 | 64 | 768 | 1 |
//! | ML-KEM-768 | 3 | 1184 | 2400 | 64 | 1088 | 3 |
//! | ML-KEM-1024 | 4 | 1568 | 3168 | 64 | 1568 | 5 |
//!
//! A private key remembers the seed from which it was expanded. Store the seed: it is short, and it cannot be
//! inconsistent.
//!
//! # Generic code
//! With the feature `kem`, which is on by default, each parameter set is a type ([`MlKem768`]) with the
//! traits of the crate `kem` 0.3. Its private key there is `ml_kem_768::SeededKey`, a private key that has
//! its seed. The traits have no argument for the CPU: they take the best backend of the machine.
//!
//! ```
//! use rand_core::CryptoRng;
//! use ringsmith_kem::kem::{Decapsulate, Encapsulate, InvalidKey, Kem, KeyExport, TryKeyInit};
//! use ringsmith_ml_kem::MlKem768;
//!
//! fn exchange<K: Kem<DecapsulationKey: Decapsulate>>(rng: &mut impl CryptoRng) -> Result<(), InvalidKey> {
//!     let (alice, public) = K::generate_keypair_from_rng(rng);
//!     let bob = K::EncapsulationKey::new_from_slice(&public.to_bytes())?;
//!     let (ciphertext, shared) = bob.encapsulate_with_rng(rng);
//!     assert_eq!(alice.decapsulate(&ciphertext), shared);
//!     Ok(())
//! }
//! # struct Fixed(u8);
//! # impl rand_core::TryRng for Fixed {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(4) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { Ok(4) }
//! #     fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> { dst.fill(self.0); Ok(()) }
//! # }
//! # impl rand_core::TryCryptoRng for Fixed {}
//! # let mut rng = Fixed(4);
//! exchange::<MlKem768>(&mut rng)?;
//! # Ok::<(), InvalidKey>(())
//! ```
//!
//! # Keys as files
//! With the feature `pkcs8`, keys are written and read as SubjectPublicKeyInfo and PKCS #8 (RFC 9935) through
//! the traits of the crate `pkcs8` 0.11; the feature `pem` adds text. A private key is written as its seed
//! where it has one, otherwise in its long form; both are read, and so is a key that holds both, if they
//! belong to each other.
//!
//! ```
//! use ringsmith_ml_kem::ml_kem_768::{DecapsulationKey, EncapsulationKey};
//! use ringsmith_kem::pkcs8::{DecodePrivateKey, DecodePublicKey};
//! use ringsmith_kem::pkcs8::{EncodePrivateKey, EncodePublicKey, LineEnding};
//!
//! let seed = [7; 64]; // 64 random bytes
//! let key = DecapsulationKey::from_seed(&seed);
//! let private = key.to_pkcs8_pem(LineEnding::LF)?;
//! let public = key.encapsulation_key().to_public_key_pem(LineEnding::LF)?;
//! assert!(private.starts_with("-----BEGIN PRIVATE KEY-----\n"));
//!
//! assert_eq!(DecapsulationKey::from_pkcs8_pem(&private)?.to_seed().as_deref(), Some(&seed));
//! assert_eq!(EncapsulationKey::from_public_key_pem(&public)?, *key.encapsulation_key());
//! # Ok::<(), ringsmith_kem::pkcs8::Error>(())
//! ```
//!
//! # Checks
//! All of section 7: the length and the modulus of an encapsulation key, the lengths and the hash of a
//! decapsulation key, the length of a ciphertext. A forged ciphertext decapsulates to a key that nobody else
//! has (implicit rejection).
//!
//! # How
//! Keys are expanded when they are read: the matrix is sampled once, and encapsulating many times to one key
//! pays for it once. Matrix and noise are sampled four streams at a time; products are inner products in the
//! domain of the transform, in the order of the standard
//! ([`ordered`](ringsmith_ring::algorithm::ordered::pairs)).
//!
//! # The ring
//! [`rings::MlKem`] is `Z_3329[x]/(x^256 + 1)`: products in it are those of the crate `ringsmith-ring`.
//!
//! # Features
//! | feature | what it adds |
//! |---|---|
//! | `kem` (default) | the traits of the crate `kem` 0.3 |
//! | `getrandom` | their functions that draw from the operating system |
//! | `pkcs8` | keys as SubjectPublicKeyInfo and PKCS #8 in DER; needs an allocator |
//! | `pem` | the same as text |
//! | `alloc` | private keys in boxes, which need an allocator |
//! | `hazmat` | encapsulation with the randomness as an argument |
//!
//! # Constant time
//! Key generation, encapsulation and decapsulation branch on public data alone: the seed of the matrix, an
//! encapsulation key, a ciphertext. Secrets are cleared on drop and have no `Debug`.
#![no_std]
#![forbid(unsafe_code)]
#![allow(long_running_const_eval, reason = "tables, plans and their proofs are computed by the compiler")]

mod codec;
#[allow(unreachable_pub, reason = "expanded keys stand in the public trait of sets")]
mod kem;
mod pke;
pub mod rings;
mod sample;

pub use ringsmith_kem::scheme::InvalidKey;
pub use ringsmith_kem::set::SharedKey;

use kem::Parameters;
use ringsmith_kem::scheme::Scheme;
use ringsmith_ring::{InPairs, Rows};

/// Every set, for tools that serve all.
pub static SCHEMES: [&Scheme; 3] = [&ml_kem_512::SCHEME, &ml_kem_768::SCHEME, &ml_kem_1024::SCHEME];

/// Coefficients of a polynomial.
const N: usize = 256;
/// The modulus.
const Q: i64 = 3329;
/// Rows of 16 coefficients of an element.
const ROWS: usize = N / 16;
/// An element of the ring, as coefficients or in the domain.
type Element = Rows<ROWS>;
/// The domain of the standard, which is called NTT there.
type Domain = ringsmith_ring::Domain<rings::MlKem, InPairs<ROWS>>;
/// The values of an element in the domain, in `[0, q)`.
type Values = ringsmith_ring::Values<rings::MlKem, InPairs<ROWS>>;
/// Bytes of an element of 12 bits a coefficient.
const ENCODED_12: usize = 32 * 12;

/// Bytes of seeds, hashes, messages and shared keys.
pub const SYMBYTES: usize = 32;
/// Bytes of the seed of a private key, `d || z`: what key generation draws.
pub const SEED_BYTES: usize = 2 * SYMBYTES;

/// Declares sets: their parameters, and a module each with their types and sizes.
macro_rules! parameter_sets {
    ($(
        $(#[$doc:meta])* $module:ident $set:ident $name:literal, oid $oid:literal,
        k $k:literal, eta1 $eta1:literal, du $du:literal, dv $dv:literal;
    )*) => { $(
        ringsmith_kem::kem_set!($(#[$doc])* $set, cca seed, kem::MlKem<$set, $k>);
        #[cfg(feature = "hazmat")]
        ringsmith_kem::inner_seed_set!($set, kem::MlKem<$set, $k>);
        #[cfg(feature = "kem")]
        ringsmith_kem::kem_trait!($set, $module::SeededKey);

        impl Parameters for $set {
            const NAME: &'static str = $name;
            const ETA1: usize = $eta1;
            const DU: usize = $du;
            const DV: usize = $dv;
            type PublicBytes = [u8; $module::EK_BYTES];
            type PrivateBytes = [u8; $module::DK_BYTES];
            type CiphertextBytes = [u8; $module::CT_BYTES];
        }

        #[cfg(feature = "pkcs8")]
        impl ringsmith_kem::pkcs8::AssociatedOid for $set {
            const OID: ringsmith_kem::pkcs8::ObjectIdentifier =
                ringsmith_kem::pkcs8::ObjectIdentifier::new_unwrap($oid);
        }

        $(#[$doc])*
        pub mod $module {
            pub use super::$set;
            use super::{ENCODED_12, N};
            use ringsmith_kem::keys;
            use ringsmith_kem::scheme::Scheme;

            /// Bytes of an encapsulation key.
            pub const EK_BYTES: usize = $k * ENCODED_12 + 32;
            /// Bytes of a decapsulation key.
            pub const DK_BYTES: usize = $k * ENCODED_12 + EK_BYTES + 64;
            /// Bytes of a ciphertext.
            pub const CT_BYTES: usize = N / 8 * ($k * $du + $dv);

            /// A public key, expanded.
            pub type EncapsulationKey = keys::EncapsulationKey<$set>;
            /// A private key, expanded, with its seed where it was made of one.
            pub type DecapsulationKey = keys::DecapsulationKey<$set>;
            /// A private key that has its seed.
            #[cfg(feature = "kem")]
            pub type SeededKey = ringsmith_kem::traits::SeededKey<$set>;

            /// The set among [all schemes](ringsmith_kem::scheme).
            #[cfg(feature = "pkcs8")]
            pub static SCHEME: Scheme = Scheme::encoded::<$set>();
            /// The set among [all schemes](ringsmith_kem::scheme).
            #[cfg(not(feature = "pkcs8"))]
            pub static SCHEME: Scheme = Scheme::seeded::<$set>();
        }
    )* };
}

parameter_sets! {
    /// ML-KEM-512: security category 1.
    ml_kem_512 MlKem512 "ML-KEM-512", oid "2.16.840.1.101.3.4.4.1",
    k 2, eta1 3, du 10, dv 4;

    /// ML-KEM-768: security category 3, what most protocols use.
    ml_kem_768 MlKem768 "ML-KEM-768", oid "2.16.840.1.101.3.4.4.2",
    k 3, eta1 2, du 10, dv 4;

    /// ML-KEM-1024: security category 5.
    ml_kem_1024 MlKem1024 "ML-KEM-1024", oid "2.16.840.1.101.3.4.4.3",
    k 4, eta1 2, du 11, dv 5;
}
