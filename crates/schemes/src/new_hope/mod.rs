//! NewHope as submitted to NIST (round 2, 2019): key encapsulation by ideal lattices. **For research and compatibility**: it was
//! not standardised; use [ML-KEM](crate::ml_kem).
//!
//! ```
//! use ringsmith_schemes::new_hope::cca_512;
//! use ringsmith_simd::Cpu;
//! # struct Fixed(u8);
//! # impl rand_core::TryRng for Fixed {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(4) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { Ok(4) }
//! #     fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> { dst.fill(self.0); Ok(()) }
//! # }
//! # impl rand_core::TryCryptoRng for Fixed {}
//! # let mut rng = Fixed(4);
//! let cpu = Cpu::detect();
//! let alice = cca_512::DecapsulationKey::generate(cpu, &mut rng);
//! let published: [u8; 928] = alice.encapsulation_key().to_bytes();
//!
//! let bob = cca_512::EncapsulationKey::from_bytes(cpu, &published);
//! let (ciphertext, shared) = bob.encapsulate(&mut rng);
//!
//! assert_eq!(alice.decapsulate(&ciphertext), shared);
//! ```
//!
//! # Sizes
//! | | ring | public key | private key | ciphertext | security category |
//! |---|---|---:|---:|---:|---:|
//! | NewHope-CCA-512 | `Z_12289[x]/(x^512+1)` | 928 | 1888 | 1120 | 1 |
//! | NewHope-CCA-1024 | `Z_12289[x]/(x^1024+1)` | 1824 | 3680 | 2208 | 5 |
//!
//! # How
//! Polynomials are sent in the domain of the transform, values at odd powers of 7 (10968 in degree 512) in the order of the exponents
//! ([`complete`](ringsmith_ring::algorithm::ordered::complete)). A bit of the message stands in two or four coefficients.
//!
//! # Constant time
//! In everything but the seed of the public polynomial, public keys and ciphertexts. A private key is cleared on drop.
//!
//! # Source
//! E. Alkim et al., NewHope: algorithm specifications and supporting documentation, version 1.02, 2019.

mod codec;
mod kem;
mod pke;
mod sample;

pub use kem::SharedKey;

/// The parameter sets.
macro_rules! parameter_set {
    ($module:ident, $name:literal, $rows:literal, $ring:ident) => {
        #[doc = concat!($name, ".")]
        pub mod $module {
            pub use super::SharedKey;
            use super::{kem, pke};
            pub use crate::scheme::InvalidKey;
            use crate::scheme::{Scheme, Status, exactly, exactly_mut};
            use crate::secret::SecretBytes;
            use rand_core::CryptoRng;
            use ringsmith_ring::algorithm::ordered::complete::CompleteEntry;
            use ringsmith_simd::Cpu;
            use zeroize::{ZeroizeOnDrop, Zeroizing};

            /// Bytes of a public key.
            pub const EK_BYTES: usize = pke::public_bytes($rows);
            /// Bytes of a private key.
            pub const DK_BYTES: usize = pke::secret_bytes($rows) + EK_BYTES + 2 * 32;
            /// Bytes of a ciphertext.
            pub const CT_BYTES: usize = pke::ciphertext_bytes($rows) + 32;

            struct Set;

            impl pke::Domain<$rows> for Set {
                const ENTRY: &'static CompleteEntry<$rows> = &ringsmith_ring::rings::$ring;
            }

            /// The scheme, for tools.
            pub static SCHEME: Scheme = Scheme {
                name: $name,
                status: Status::Historical,
                source: "NewHope, NIST round 2",
                public_key: EK_BYTES,
                private_key: DK_BYTES,
                ciphertext: CT_BYTES,
                shared_key: 32,
                generate: |cpu, rng, public, private| {
                    let public = exactly_mut("public key", public)?;
                    let private = exactly_mut("private key", private)?;
                    let key = DecapsulationKey::generate(cpu, rng);
                    *public = key.public.bytes;
                    key.write_bytes(private);
                    Ok(())
                },
                seed: None,
                check_public_key: |_, public| exactly::<EK_BYTES>("public key", public).map(|_| ()),
                public_key_of: |cpu, private, public| {
                    let public = exactly_mut("public key", public)?;
                    *public =
                        DecapsulationKey::from_bytes(cpu, exactly("private key", private)?)?.public.bytes;
                    Ok(())
                },
                encapsulate: |cpu, public, rng, ciphertext, shared| {
                    let ciphertext = exactly_mut("ciphertext", ciphertext)?;
                    let shared = exactly_mut("shared key", shared)?;
                    let key = EncapsulationKey::from_bytes(cpu, exactly("public key", public)?);
                    *shared = key.encapsulate_into(rng, ciphertext);
                    Ok(())
                },
                decapsulate: |cpu, private, ciphertext, shared| {
                    let shared = exactly_mut("shared key", shared)?;
                    let ciphertext = exactly("ciphertext", ciphertext)?;
                    let key = DecapsulationKey::from_bytes(cpu, exactly("private key", private)?)?;
                    *shared = key.decapsulate(ciphertext);
                    Ok(())
                },
                #[cfg(feature = "pkcs8")]
                encoding: None,
            };

            crate::keys::encapsulation_key!($name, kem::Public<$rows>);

            /// A private key, expanded. All of it but its public key is cleared on drop.
            pub struct DecapsulationKey {
                key: kem::Private<$rows>,
                public: EncapsulationKey,
            }

            impl ZeroizeOnDrop for DecapsulationKey {}

            impl EncapsulationKey {
                /// Reads a key, which any bytes are: coefficients are taken modulo `q`. The CPU is that of all operations with it.
                pub fn from_bytes(cpu: Cpu, bytes: &[u8; EK_BYTES]) -> Self {
                    let mut key = Self::blank(cpu);
                    key.read(bytes);
                    key
                }

                fn read(&mut self, bytes: &[u8; EK_BYTES]) {
                    self.bytes = *bytes;
                    self.key.read(bytes);
                }

                fn encapsulate_into(
                    &self,
                    rng: &mut (impl CryptoRng + ?Sized),
                    ciphertext: &mut [u8; CT_BYTES],
                ) -> SharedKey {
                    let mut random = Zeroizing::new([0; 32]);
                    rng.fill_bytes(random.as_mut());
                    self.key.encapsulate::<Set>(&random, ciphertext)
                }

                /// The same with 32 bytes in place of randomness. They must be secret, and never used again.
                #[cfg(feature = "hazmat")]
                pub fn encapsulate_deterministic(&self, random: &[u8; 32]) -> ([u8; CT_BYTES], SharedKey) {
                    let mut ciphertext = [0; CT_BYTES];
                    let shared = self.key.encapsulate::<Set>(random, &mut ciphertext);
                    (ciphertext, shared)
                }
            }

            impl DecapsulationKey {
                /// A new key. Draws 32 bytes by each of two calls.
                pub fn generate(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
                    let [mut random, mut z] = [Zeroizing::new([0; 32]), Zeroizing::new([0; 32])];
                    rng.fill_bytes(random.as_mut());
                    rng.fill_bytes(z.as_mut());
                    let mut made = Self::blank(cpu);
                    made.key.generate::<Set>(&random, &z, &mut made.public.key, &mut made.public.bytes);
                    made
                }

                /// The key of the seeds of the public polynomial, of the noise, and of rejected ciphertexts.
                #[cfg(feature = "harness")]
                #[doc(hidden)]
                pub fn from_inner_seeds(cpu: Cpu, seeds: [&[u8; 32]; 3]) -> Self {
                    let mut made = Self::blank(cpu);
                    made.key.generate_from::<Set>(seeds, &mut made.public.key, &mut made.public.bytes);
                    made
                }

                /// Reads a key; the CPU is that of all operations with it.
                ///
                /// # Errors
                /// Where the key's hash of its public key is wrong.
                pub fn from_bytes(cpu: Cpu, bytes: &[u8; DK_BYTES]) -> Result<Self, InvalidKey> {
                    let (secret, rest) = bytes.split_at(pke::secret_bytes($rows));
                    let (public, rest) = rest.split_first_chunk().ok_or(InvalidKey)?;
                    let (hash, z) = rest.split_first_chunk::<32>().ok_or(InvalidKey)?;
                    let mut read = Self::blank(cpu);
                    read.key.read(cpu, secret, z.first_chunk().ok_or(InvalidKey)?);
                    read.public.read(public);
                    if read.public.key.hash() == hash { Ok(read) } else { Err(InvalidKey) }
                }

                fn blank(cpu: Cpu) -> Self {
                    DecapsulationKey { key: kem::Private::blank(), public: EncapsulationKey::blank(cpu) }
                }

                /// The bytes of the submission: the secret, the public key, its hash, and what rejected ciphertexts' keys are made of.
                pub fn to_bytes(&self) -> Zeroizing<[u8; DK_BYTES]> {
                    let mut bytes = Zeroizing::new([0; DK_BYTES]);
                    self.write_bytes(&mut bytes);
                    bytes
                }

                fn write_bytes(&self, out: &mut [u8; DK_BYTES]) {
                    let (secret, rest) = out.split_at_mut(pke::secret_bytes($rows));
                    let (public, rest) = rest.split_at_mut(EK_BYTES);
                    let (hash, z) = rest.split_at_mut(32);
                    self.key.write_secret(self.public.key.cpu(), secret);
                    public.copy_from_slice(&self.public.bytes);
                    hash.copy_from_slice(self.public.key.hash());
                    z.copy_from_slice(self.key.z());
                }

                /// The public key.
                pub fn encapsulation_key(&self) -> &EncapsulationKey {
                    &self.public
                }

                /// The shared key in a ciphertext, or one that nobody else has where it was not made for this key.
                pub fn decapsulate(&self, ciphertext: &[u8; CT_BYTES]) -> SharedKey {
                    let mut again = SecretBytes::<CT_BYTES>::zero();
                    self.key.decapsulate::<Set>(&self.public.key, ciphertext, again.as_mut())
                }
            }
        }
    };
}

parameter_set!(cca_512, "NewHope-CCA-512", 32, NEW_HOPE_512_ORDERED);
parameter_set!(cca_1024, "NewHope-CCA-1024", 64, NEW_HOPE_1024_ORDERED);
