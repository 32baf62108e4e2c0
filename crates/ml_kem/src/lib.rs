//! ML-KEM (FIPS 203): key encapsulation by module lattices.
//!
//! Alice makes a key pair and publishes the encapsulation key; Bob encapsulates to it and sends the
//! ciphertext; both have a shared key of 32 bytes then.
//!
//! ```
//! use ringsmith_ml_kem::ml_kem_768;
//! use ringsmith_simd::Cpu;
//! # struct Fixed(u8);
//! # impl rand_core::TryRng for Fixed {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(4) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { Ok(4) }
//! #     fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> { dst.fill(self.0); Ok(()) }
//! # }
//! # impl rand_core::TryCryptoRng for Fixed {}
//! # let mut rng = Fixed(4); // chosen by fair dice roll
//! let cpu = Cpu::detect();
//! let alice = ml_kem_768::DecapsulationKey::generate(cpu, &mut rng);
//! let published: [u8; 1184] = alice.encapsulation_key().to_bytes();
//!
//! let bob = ml_kem_768::EncapsulationKey::from_bytes(cpu, &published)?;
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
//! A private key remembers the seed that it was made of. That is the form to store: it is short, and it
//! cannot be inconsistent.
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
//! use ringsmith_simd::Cpu;
//!
//! let seed = [7; 64]; // 64 random bytes
//! let key = DecapsulationKey::from_seed(Cpu::detect(), &seed);
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
//! decapsulation key, the length of a ciphertext. A ciphertext that nobody made decapsulates to a key that
//! nobody else has (implicit rejection).
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
//! | `hazmat` | encapsulation with the randomness as an argument |
//!
//! # Constant time
//! Key generation, encapsulation and decapsulation branch on public data alone: the seed of the matrix, an
//! encapsulation key, a ciphertext. What is secret is cleared on drop and has no `Debug`.
#![no_std]
#![forbid(unsafe_code)]
#![allow(long_running_const_eval, reason = "tables, plans and their proofs are computed by the compiler")]

mod codec;
#[cfg(feature = "pkcs8")]
mod encoding;
mod kem;
mod pke;
pub mod rings;
mod sample;
#[cfg(feature = "kem")]
mod traits;

pub use ml_kem_512::MlKem512;
pub use ml_kem_768::MlKem768;
pub use ml_kem_1024::MlKem1024;

pub use ringsmith_kem::scheme::InvalidKey;

use ringsmith_kem::scheme::Scheme;
use ringsmith_ring::Rows;

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
/// Bytes of an element of 12 bits a coefficient.
const ENCODED_12: usize = 32 * 12;

/// Bytes of seeds, hashes, messages and shared keys.
pub const SYMBYTES: usize = 32;
/// Bytes of the seed of a private key, `d || z`: what key generation draws.
pub const SEED_BYTES: usize = 2 * SYMBYTES;
/// Bytes of a shared key.
pub type SharedKey = [u8; 32];

/// A parameter set: FIPS 203, table 2.
trait Parameters {
    /// Noise of the secret and of the first error.
    const ETA1: usize;
    /// Bits of a coefficient of the first part of a ciphertext.
    const DU: usize;
    /// Bits of a coefficient of the second part.
    const DV: usize;
}

macro_rules! parameter_set {
    (
        $(#[$doc:meta])* $module:ident $set:ident $name:literal, oid $oid:literal,
        k $k:literal, eta1 $eta1:literal, du $du:literal, dv $dv:literal, lengths $ek:ident $ct:ident
    ) => {
        $(#[$doc])*
        pub mod $module {
            use super::{ENCODED_12, InvalidKey, N, Parameters, SEED_BYTES, SharedKey, kem};
            use ringsmith_kem::scheme::{Scheme, SchemeError, Seed, Status, exactly, exactly_mut};
            use ringsmith_kem::secret::SecretBytes;
            use rand_core::CryptoRng;
            use ringsmith_simd::Cpu;
            use zeroize::{ZeroizeOnDrop, Zeroizing};

            /// Bytes of an encapsulation key.
            pub const EK_BYTES: usize = $k * ENCODED_12 + 32;
            /// Bytes of a decapsulation key.
            pub const DK_BYTES: usize = $k * ENCODED_12 + EK_BYTES + 64;
            /// Bytes of a ciphertext.
            pub const CT_BYTES: usize = N / 8 * ($k * $du + $dv);

            /// The set among [all schemes](ringsmith_kem::scheme).
            pub const SCHEME: Scheme = Scheme {
                name: $name,
                status: Status::Standard,
                source: "FIPS 203",
                cca: true,
                public_key: EK_BYTES,
                private_key: DK_BYTES,
                ciphertext: CT_BYTES,
                shared_key: 32,
                generate: |cpu, rng, public, private| {
                    let (public, private) = places(public, private)?;
                    DecapsulationKey::generate(cpu, rng).write(public, private);
                    Ok(())
                },
                seed: Some(Seed {
                    bytes: SEED_BYTES,
                    expand: |cpu, seed, public, private| {
                        let (public, private) = places(public, private)?;
                        DecapsulationKey::from_seed(cpu, exactly("seed", seed)?).write(public, private);
                        Ok(())
                    },
                }),
                check_public_key: |cpu, public| {
                    EncapsulationKey::from_bytes(cpu, exactly("public key", public)?)?;
                    Ok(())
                },
                public_key_of: Some(|cpu, private, public| {
                    let public = exactly_mut("public key", public)?;
                    let private = exactly("private key", private)?;
                    *public = DecapsulationKey::from_bytes(cpu, private)?.public.bytes;
                    Ok(())
                }),
                encapsulate: |cpu, public, rng, ciphertext, shared| {
                    let ciphertext = exactly_mut("ciphertext", ciphertext)?;
                    let shared = exactly_mut("shared key", shared)?;
                    let mut key = EncapsulationKey::blank(cpu);
                    key.read(exactly("public key", public)?)?;
                    *shared = key.encapsulate_into(rng, ciphertext);
                    Ok(())
                },
                decapsulate: |cpu, private, ciphertext, shared| {
                    let shared = exactly_mut("shared key", shared)?;
                    let ciphertext = exactly("ciphertext", ciphertext)?;
                    let private = exactly("private key", private)?;
                    *shared = DecapsulationKey::decapsulate_once(cpu, private, ciphertext)?;
                    Ok(())
                },
                encoding: ENCODING,
            };

            /// Where both keys go.
            fn places<'a>(
                public: &'a mut [u8],
                private: &'a mut [u8],
            ) -> Result<(&'a mut [u8; EK_BYTES], &'a mut [u8; DK_BYTES]), SchemeError> {
                Ok((exactly_mut("public key", public)?, exactly_mut("private key", private)?))
            }

            /// The parameter set as a type, for generic code over the traits of the crate `kem` (feature
            /// `kem`).
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
            pub struct $set;

            impl Parameters for $set {
                const ETA1: usize = $eta1;
                const DU: usize = $du;
                const DV: usize = $dv;
            }

            #[cfg(feature = "kem")]
            super::traits::kem_traits!($set, $ek, $ct);
            #[cfg(feature = "pkcs8")]
            super::encoding::encodings!($set, $oid);
            #[cfg(not(feature = "pkcs8"))]
            const ENCODING: Option<ringsmith_kem::scheme::Encoding> = None;

            ringsmith_kem::encapsulation_key!($name, kem::Public<$k>, "32", |this| this.key.hash());

            /// A private key, expanded, with its seed where it was made of one. All of it but its public key
            /// is cleared on drop.
            pub struct DecapsulationKey {
                key: kem::Private<$k>,
                public: EncapsulationKey,
            }

            impl ZeroizeOnDrop for DecapsulationKey {}

            impl EncapsulationKey {
                /// Room for a key.
                fn blank(cpu: Cpu) -> Self {
                    EncapsulationKey { key: kem::Public::blank(cpu), bytes: [0; EK_BYTES] }
                }

                /// Reads a key and checks it (FIPS 203, section 7.2); the CPU is that of all operations with
                /// it.
                ///
                /// # Errors
                /// Where a coefficient is not below the modulus.
                pub fn from_bytes(cpu: Cpu, bytes: &[u8; EK_BYTES]) -> Result<Self, InvalidKey> {
                    let mut key = Self::blank(cpu);
                    key.read(bytes)?;
                    Ok(key)
                }

                fn read(&mut self, bytes: &[u8; EK_BYTES]) -> Result<(), InvalidKey> {
                    self.bytes = *bytes;
                    self.key.read(bytes)
                }

                fn encapsulate_into(
                    &self,
                    rng: &mut (impl CryptoRng + ?Sized),
                    ciphertext: &mut [u8; CT_BYTES],
                ) -> SharedKey {
                    let mut m = Zeroizing::new([0; 32]);
                    rng.fill_bytes(m.as_mut());
                    self.key.encapsulate::<$set>(&m, ciphertext)
                }

                /// The same with the 32 bytes `m` in place of randomness (algorithm 17). They must be secret,
                /// and never used again.
                #[cfg(feature = "hazmat")]
                pub fn encapsulate_deterministic(&self, m: &[u8; 32]) -> ([u8; CT_BYTES], SharedKey) {
                    let mut ciphertext = [0; CT_BYTES];
                    let shared = self.key.encapsulate::<$set>(m, &mut ciphertext);
                    (ciphertext, shared)
                }
            }

            impl DecapsulationKey {
                /// A new key (algorithm 19): that of [`SEED_BYTES`] random bytes, drawn by one call.
                pub fn generate(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
                    let mut seed = Zeroizing::new([0; SEED_BYTES]);
                    rng.fill_bytes(seed.as_mut());
                    Self::from_seed(cpu, &seed)
                }

                /// The key of the seed `d || z` (algorithm 16), which must be random and secret: it is the
                /// private key in its short form.
                pub fn from_seed(cpu: Cpu, seed: &[u8; SEED_BYTES]) -> Self {
                    let mut made = Self::blank(cpu);
                    made.key.generate::<$set>(seed, &mut made.public.key, &mut made.public.bytes);
                    made
                }

                /// The key of the seeds of the matrix, of the noise, and of rejected ciphertexts.
                #[cfg(feature = "hazmat")]
                #[doc(hidden)]
                pub fn from_inner_seeds(cpu: Cpu, seeds: [&[u8; 32]; 3]) -> Self {
                    let mut made = Self::blank(cpu);
                    made.key.generate_from::<$set>(seeds, &mut made.public.key, &mut made.public.bytes);
                    made
                }

                /// Reads a key in its expanded form and checks it (FIPS 203, section 7.3); the CPU is that of
                /// all operations with it. It has no seed.
                ///
                /// # Errors
                /// Where the key's hash of its encapsulation key is wrong, or that key is none.
                pub fn from_bytes(cpu: Cpu, bytes: &[u8; DK_BYTES]) -> Result<Self, InvalidKey> {
                    let mut read = Self::blank(cpu);
                    let (public, hash) = read.read_secret(cpu, bytes).ok_or(InvalidKey)?;
                    read.public.read(public)?;
                    if read.public.key.hash() == hash { Ok(read) } else { Err(InvalidKey) }
                }

                /// Room for a key.
                fn blank(cpu: Cpu) -> Self {
                    DecapsulationKey { key: kem::Private::blank(), public: EncapsulationKey::blank(cpu) }
                }

                /// Reads a key as [`from_bytes`](Self::from_bytes) does, and
                /// [decapsulates](Self::decapsulate) with it once: that is cheaper than one after the other,
                /// because all hashing that needs no result of the decryption goes together.
                ///
                /// # Errors
                /// Those of [`from_bytes`](Self::from_bytes).
                pub fn decapsulate_once(
                    cpu: Cpu,
                    bytes: &[u8; DK_BYTES],
                    ciphertext: &[u8; CT_BYTES],
                ) -> Result<SharedKey, InvalidKey> {
                    let mut read = Self::blank(cpu);
                    let (public, hash) = read.read_secret(cpu, bytes).ok_or(InvalidKey)?;
                    let rejected = read.public.key.read_and_reject(public, &read.key, ciphertext)?;
                    if read.public.key.hash() == hash {
                        Ok(read.decapsulate_or(ciphertext, &rejected))
                    } else {
                        Err(InvalidKey)
                    }
                }

                /// Reads the secret part; the encapsulation key and its hash.
                fn read_secret<'a>(
                    &mut self,
                    cpu: Cpu,
                    bytes: &'a [u8; DK_BYTES],
                ) -> Option<(&'a [u8; EK_BYTES], &'a [u8; 32])> {
                    let (public, rest) = bytes[$k * ENCODED_12..].split_first_chunk()?;
                    let (hash, z) = rest.split_first_chunk()?;
                    self.key.read(cpu, bytes, z.first_chunk()?);
                    Some((public, hash))
                }

                /// The bytes of FIPS 203: the expanded form.
                pub fn to_bytes(&self) -> Zeroizing<[u8; DK_BYTES]> {
                    let mut out = Zeroizing::new([0; DK_BYTES]);
                    self.write_bytes(&mut out);
                    out
                }

                fn write_bytes(&self, out: &mut [u8; DK_BYTES]) {
                    let (secret, rest) = out.split_at_mut($k * ENCODED_12);
                    let (public, rest) = rest.split_at_mut(EK_BYTES);
                    let (hash, z) = rest.split_at_mut(32);
                    self.key.write_secret(self.public.key.cpu(), secret);
                    public.copy_from_slice(&self.public.bytes);
                    hash.copy_from_slice(self.public.key.hash());
                    z.copy_from_slice(self.key.z());
                }

                /// The seed `d || z`, where the key was made of one: not where it was read in its expanded
                /// form.
                pub fn to_seed(&self) -> Option<Zeroizing<[u8; SEED_BYTES]>> {
                    self.key.seed()
                }

                /// The public key.
                pub fn encapsulation_key(&self) -> &EncapsulationKey {
                    &self.public
                }

                /// The shared key in a ciphertext, or one that nobody else has where it was not made for this
                /// key (algorithm 21).
                pub fn decapsulate(&self, ciphertext: &[u8; CT_BYTES]) -> SharedKey {
                    self.decapsulate_or(ciphertext, &self.key.rejected(self.public.key.cpu(), ciphertext))
                }

                fn decapsulate_or(&self, ciphertext: &[u8; CT_BYTES], rejected: &SharedKey) -> SharedKey {
                    let mut again = SecretBytes::<CT_BYTES>::zero();
                    self.key.decapsulate::<$set>(&self.public.key, ciphertext, rejected, again.as_mut())
                }

                /// Both keys as bytes.
                fn write(&self, public: &mut [u8; EK_BYTES], private: &mut [u8; DK_BYTES]) {
                    *public = self.public.bytes;
                    self.write_bytes(private);
                }
            }
        }
    };
}

parameter_set! {
    /// ML-KEM-512: security category 1.
    ml_kem_512 MlKem512 "ML-KEM-512", oid "2.16.840.1.101.3.4.4.1",
    k 2, eta1 3, du 10, dv 4, lengths U800 U768
}
parameter_set! {
    /// ML-KEM-768: security category 3, what most protocols use.
    ml_kem_768 MlKem768 "ML-KEM-768", oid "2.16.840.1.101.3.4.4.2",
    k 3, eta1 2, du 10, dv 4, lengths U1184 U1088
}
parameter_set! {
    /// ML-KEM-1024: security category 5.
    ml_kem_1024 MlKem1024 "ML-KEM-1024", oid "2.16.840.1.101.3.4.4.3",
    k 4, eta1 2, du 11, dv 5, lengths U1568 U1568
}
