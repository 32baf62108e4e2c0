//! The types of a parameter set.

/// What the public keys of all sets have in common.
macro_rules! public_key {
    ($name:literal, $source:literal, $set:ident, $rows:literal, $public:ty, |$this:ident| $shown:expr) => {
        ringsmith_kem::encapsulation_key!($name, $public, "32", |$this| $shown);

        /// What the schemes of all sets have in common; a set says whether it is secure against chosen
        /// ciphertexts, and what its private keys do.
        const COMMON: Scheme = Scheme {
            name: $name,
            status: Status::Historical,
            source: $source,
            cca: false,
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
            public_key_of: None,
            encapsulate: |cpu, public, rng, ciphertext, shared| {
                let ciphertext = exactly_mut("ciphertext", ciphertext)?;
                let shared = exactly_mut("shared key", shared)?;
                let public = exactly("public key", public)?;
                *shared = EncapsulationKey::encapsulate_once_into(cpu, public, rng, ciphertext);
                Ok(())
            },
            decapsulate: |cpu, private, ciphertext, shared| {
                let shared = exactly_mut("shared key", shared)?;
                let ciphertext = exactly("ciphertext", ciphertext)?;
                *shared = decapsulate_once(cpu, exactly("private key", private)?, ciphertext)?;
                Ok(())
            },
            encoding: None,
        };

        impl EncapsulationKey {
            /// Room for a key.
            fn blank(cpu: Cpu) -> Self {
                let key = <$public>::blank(Way { cpu, domain: $set::PLANNED });
                EncapsulationKey { key, bytes: [0; EK_BYTES] }
            }

            /// Reads a key, which any bytes are: coefficients are taken modulo `q`. The CPU is that of all
            /// operations with it.
            pub fn from_bytes(cpu: Cpu, bytes: &[u8; EK_BYTES]) -> Self {
                let mut key = Self::blank(cpu);
                key.read(bytes);
                key
            }

            fn read(&mut self, bytes: &[u8; EK_BYTES]) {
                self.bytes = *bytes;
                self.key.read::<$set>(bytes);
            }

            /// The same key, with all operations by another domain, as the crate `ringsmith-routes`
            /// lists them; results do not depend on it.
            ///
            /// # Errors
            /// Where the domain has its values in another order.
            pub fn with_domain(mut self, domain: &'static OrderedEntry<$rows>) -> Result<Self, WhyNot> {
                self.key.way = self.key.way.by(domain)?;
                Ok(self)
            }

            /// The route of all operations with the key.
            pub fn route(&self) -> Route {
                self.key.way.domain.route
            }

            /// Reads a key as [`from_bytes`](Self::from_bytes) does, and [encapsulates](Self::encapsulate)
            /// for it once: that is cheaper than one after the other, because hashes go together. Draws 32
            /// bytes by one call.
            pub fn encapsulate_once(
                cpu: Cpu,
                bytes: &[u8; EK_BYTES],
                rng: &mut (impl CryptoRng + ?Sized),
            ) -> ([u8; CT_BYTES], SharedKey) {
                let mut ciphertext = [0; CT_BYTES];
                let shared = Self::encapsulate_once_into(cpu, bytes, rng, &mut ciphertext);
                (ciphertext, shared)
            }

            fn encapsulate_once_into(
                cpu: Cpu,
                bytes: &[u8; EK_BYTES],
                rng: &mut (impl CryptoRng + ?Sized),
                ciphertext: &mut [u8; CT_BYTES],
            ) -> SharedKey {
                let mut random = Zeroizing::new([0; 32]);
                rng.fill_bytes(random.as_mut());
                let mut key = <$public>::blank(Way { cpu, domain: $set::PLANNED });
                key.read_and_encapsulate::<$set>(bytes, &random, ciphertext)
            }

            fn encapsulate_into(
                &self,
                rng: &mut (impl CryptoRng + ?Sized),
                ciphertext: &mut [u8; CT_BYTES],
            ) -> SharedKey {
                let mut random = Zeroizing::new([0; 32]);
                rng.fill_bytes(random.as_mut());
                self.key.encapsulate::<$set>(&random, ciphertext)
            }

            /// The same with 32 bytes in place of randomness. They must be secret, and never used again.
            #[cfg(feature = "hazmat")]
            pub fn encapsulate_deterministic(&self, random: &[u8; 32]) -> ([u8; CT_BYTES], SharedKey) {
                let mut ciphertext = [0; CT_BYTES];
                let shared = self.key.encapsulate::<$set>(random, &mut ciphertext);
                (ciphertext, shared)
            }
        }
    };
}
pub(super) use public_key;

/// What the private keys of all sets have in common.
macro_rules! private_key {
    () => {
        impl ZeroizeOnDrop for DecapsulationKey {}

        impl DecapsulationKey {
            /// The bytes of the scheme's source.
            pub fn to_bytes(&self) -> Zeroizing<[u8; DK_BYTES]> {
                let mut bytes = Zeroizing::new([0; DK_BYTES]);
                self.write_bytes(&mut bytes);
                bytes
            }
        }
    };
}
pub(super) use private_key;

/// A set that is secure against chosen ciphertexts.
macro_rules! cca_set {
    (
        $module:ident $set:ident $name:literal, $source:literal, rows $rows:literal, domain $domain:ident,
        lengths $ek:ident $dk:ident $ct:ident, { $($parameters:tt)* }
    ) => {
        #[doc = concat!($name, ".")]
        pub mod $module {
            use ringsmith_kem::bits;
            use crate::parameters::{self, Parameters};
            use crate::way::Way;
            use crate::{codec, kem, sample};
            pub use crate::SharedKey;
            pub use ringsmith_kem::scheme::InvalidKey;
            use ringsmith_kem::scheme::{Scheme, SchemeError, Status, exactly, exactly_mut};
            use rand_core::{CryptoRng, TryCryptoRng};
            use ringsmith_ring::algorithm::ordered::OrderedEntry;
            use ringsmith_ring::{Route, Rows, WhyNot};
            use ringsmith_simd::{Cpu, Row};
            use zeroize::{ZeroizeOnDrop, Zeroizing};

            /// Bytes of the secret of the encryption.
            const SECRET_BYTES: usize = <$set as Parameters<$rows>>::ROW_BYTES * $rows;
            /// Bytes of a public key.
            pub const EK_BYTES: usize = SECRET_BYTES + 32;
            /// Bytes of a private key.
            pub const DK_BYTES: usize = SECRET_BYTES + EK_BYTES + 2 * 32;
            /// Bytes of a ciphertext.
            pub const CT_BYTES: usize =
                SECRET_BYTES + <$set as Parameters<$rows>>::COMPRESSED_ROW_BYTES * $rows + 32;

            /// The parameter set as a type, for generic code over the traits of the crate `kem` (feature
            /// `kem`).
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
            pub struct $set;

            impl Parameters<$rows> for $set {
                const PLANNED: &'static OrderedEntry<$rows> = &crate::rings::$domain;
                $($parameters)*
            }

            /// The set among [all schemes](ringsmith_kem::scheme).
            pub static SCHEME: Scheme = Scheme {
                cca: true,
                public_key_of: Some(|cpu, private, public| {
                    let public = exactly_mut("public key", public)?;
                    *public =
                        DecapsulationKey::from_bytes(cpu, exactly("private key", private)?)?.public.bytes;
                    Ok(())
                }),
                ..COMMON
            };

            fn decapsulate_once(
                cpu: Cpu,
                private: &[u8; DK_BYTES],
                ciphertext: &[u8; CT_BYTES],
            ) -> Result<SharedKey, SchemeError> {
                Ok(DecapsulationKey::decapsulate_once(cpu, private, ciphertext)?)
            }

            crate::sets::public_key!($name, $source, $set, $rows, kem::Public<$rows>, |this| this.key.hash());
            crate::sets::private_key!();
            #[cfg(feature = "kem")]
            ringsmith_kem::unseeded_traits!($set, $ek, $dk, $ct);

            /// A private key, expanded. All of it but its public key is cleared on drop.
            pub struct DecapsulationKey {
                key: kem::Private<$rows>,
                public: EncapsulationKey,
            }

            impl DecapsulationKey {
                /// A new key. Draws 32 bytes by each of two calls.
                pub fn generate(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
                    let Ok(key) = Self::try_generate(cpu, rng);
                    key
                }

                fn try_generate<R: TryCryptoRng + ?Sized>(cpu: Cpu, rng: &mut R) -> Result<Self, R::Error> {
                    let [mut random, mut z] = [Zeroizing::new([0; 32]), Zeroizing::new([0; 32])];
                    rng.try_fill_bytes(random.as_mut())?;
                    rng.try_fill_bytes(z.as_mut())?;
                    let mut made = Self::blank(cpu);
                    made.key.generate::<$set>(&random, &z, &mut made.public.key, &mut made.public.bytes);
                    Ok(made)
                }

                /// The key of the seeds of the public polynomial, of the noise, and of rejected ciphertexts.
                #[cfg(feature = "hazmat")]
                #[doc(hidden)]
                pub fn from_inner_seeds(cpu: Cpu, seeds: [&[u8; 32]; 3]) -> Self {
                    let mut made = Self::blank(cpu);
                    made.key.generate_from::<$set>(seeds, &mut made.public.key, &mut made.public.bytes);
                    made
                }

                /// Reads a key; the CPU is that of all operations with it.
                ///
                /// # Errors
                /// Where the key's hash of its public key is wrong.
                pub fn from_bytes(cpu: Cpu, bytes: &[u8; DK_BYTES]) -> Result<Self, InvalidKey> {
                    let mut read = Self::blank(cpu);
                    let (public, hash) = read.read_secret(cpu, bytes).ok_or(InvalidKey)?;
                    read.public.read(public);
                    if read.public.key.hash() == hash { Ok(read) } else { Err(InvalidKey) }
                }

                /// Reads a key as [`from_bytes`](Self::from_bytes) does, and
                /// [decapsulates](Self::decapsulate) with it once: that is cheaper than one after the other,
                /// because long hashes go together.
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
                    let digest = read.public.key.read_and_hash::<$set>(public, ciphertext);
                    if read.public.key.hash() != hash {
                        return Err(InvalidKey);
                    }
                    Ok(read.key.decapsulate_with::<$set, CT_BYTES>(&read.public.key, ciphertext, &digest))
                }

                /// Reads what is secret; the public key and its hash.
                fn read_secret<'a>(
                    &mut self,
                    cpu: Cpu,
                    bytes: &'a [u8; DK_BYTES],
                ) -> Option<(&'a [u8; EK_BYTES], &'a [u8; 32])> {
                    let (secret, rest) = bytes.split_at(SECRET_BYTES);
                    let (public, rest) = rest.split_first_chunk()?;
                    let (hash, z) = rest.split_first_chunk()?;
                    self.key.read::<$set>(cpu, secret, z.first_chunk()?);
                    Some((public, hash))
                }

                /// Room for a key.
                fn blank(cpu: Cpu) -> Self {
                    DecapsulationKey { key: kem::Private::blank(), public: EncapsulationKey::blank(cpu) }
                }

                fn write_bytes(&self, out: &mut [u8; DK_BYTES]) {
                    let (secret, rest) = out.split_at_mut(SECRET_BYTES);
                    let (public, rest) = rest.split_at_mut(EK_BYTES);
                    let (hash, z) = rest.split_at_mut(32);
                    self.key.write_secret::<$set>(self.public.cpu(), secret);
                    public.copy_from_slice(&self.public.bytes);
                    hash.copy_from_slice(self.public.key.hash());
                    z.copy_from_slice(self.key.z());
                }

                /// The same key, with all operations by another domain, as the crate `ringsmith-routes`
                /// lists them; results do not depend on it.
                ///
                /// # Errors
                /// Where the domain has its values in another order.
                pub fn with_domain(mut self, domain: &'static OrderedEntry<$rows>) -> Result<Self, WhyNot> {
                    self.public = self.public.with_domain(domain)?;
                    Ok(self)
                }

                /// The public key.
                pub fn encapsulation_key(&self) -> &EncapsulationKey {
                    &self.public
                }

                /// The shared key in a ciphertext, or one that nobody else has where it was not made for this
                /// key.
                pub fn decapsulate(&self, ciphertext: &[u8; CT_BYTES]) -> SharedKey {
                    self.key.decapsulate::<$set, CT_BYTES>(&self.public.key, ciphertext)
                }
            }
        }
    };
}
pub(super) use cca_set;

/// A set that is secure against chosen plaintexts alone.
macro_rules! cpa_set {
    (
        $module:ident $set:ident $name:literal, $source:literal, rows $rows:literal, domain $domain:ident,
        lengths $ek:ident $dk:ident $ct:ident, { $($parameters:tt)* }
    ) => {
        #[doc = concat!($name, ": **a private key serves one ciphertext**, more tell about it.")]
        ///
        /// So decapsulation takes the key, and the set has none of the traits of the crate `kem`, whose keys
        /// serve many ciphertexts.
        pub mod $module {
            use ringsmith_kem::bits;
            use crate::parameters::{self, Parameters};
            use crate::way::{Way, zero};
            use crate::{codec, cpa, pke, sample};
            pub use crate::SharedKey;
            use ringsmith_kem::scheme::{Scheme, SchemeError, Status, exactly, exactly_mut};
            use rand_core::{CryptoRng, TryCryptoRng};
            use ringsmith_ring::algorithm::ordered::OrderedEntry;
            use ringsmith_ring::{Route, Rows, WhyNot};
            use ringsmith_simd::{Cpu, Row};
            use zeroize::{ZeroizeOnDrop, Zeroizing};

            /// Bytes of a public key.
            pub const EK_BYTES: usize = DK_BYTES + 32;
            /// Bytes of a private key.
            pub const DK_BYTES: usize = <$set as Parameters<$rows>>::ROW_BYTES * $rows;
            /// Bytes of a ciphertext.
            pub const CT_BYTES: usize = DK_BYTES + <$set as Parameters<$rows>>::COMPRESSED_ROW_BYTES * $rows;

            /// The parameter set as a type.
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
            pub struct $set;

            impl Parameters<$rows> for $set {
                const PLANNED: &'static OrderedEntry<$rows> = &crate::rings::$domain;
                $($parameters)*
            }

            /// The set among [all schemes](ringsmith_kem::scheme).
            pub static SCHEME: Scheme = COMMON;

            fn decapsulate_once(
                cpu: Cpu,
                private: &[u8; DK_BYTES],
                ciphertext: &[u8; CT_BYTES],
            ) -> Result<SharedKey, SchemeError> {
                Ok(SecretKey::from_bytes(cpu, private).decapsulate(ciphertext))
            }

            crate::sets::public_key!(
                $name, $source, $set, $rows, cpa::Public<$rows>, |this| &this.bytes[DK_BYTES..]
            );
            crate::sets::private_key!();

            /// A new private key and its public key. The secret is cleared on drop.
            pub struct DecapsulationKey {
                secret: SecretKey,
                public: EncapsulationKey,
            }

            /// A private key by itself, as its bytes are: they do not tell the public key. Cleared on drop.
            pub struct SecretKey {
                way: Way<$rows>,
                key: pke::Secret<$rows>,
            }

            impl ZeroizeOnDrop for SecretKey {}

            impl DecapsulationKey {
                /// A new key. Draws 32 bytes.
                pub fn generate(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
                    let Ok(key) = Self::try_generate(cpu, rng);
                    key
                }

                fn try_generate<R: TryCryptoRng + ?Sized>(cpu: Cpu, rng: &mut R) -> Result<Self, R::Error> {
                    let (mut made, mut random) = (Self::blank(cpu), Zeroizing::new([0; 32]));
                    rng.try_fill_bytes(random.as_mut())?;
                    let keys = (&mut made.secret.key, &mut made.public.key.key);
                    pke::generate::<$set, $rows>(made.secret.way, &random, keys, &mut made.public.bytes);
                    Ok(made)
                }

                /// The key of the seeds of the public polynomial and of the noise.
                #[cfg(feature = "hazmat")]
                #[doc(hidden)]
                pub fn from_inner_seeds(cpu: Cpu, [seed, noise_seed, _]: [&[u8; 32]; 3]) -> Self {
                    let mut made = Self::blank(cpu);
                    let (way, bytes) = (made.secret.way, &mut made.public.bytes);
                    let keys = (&mut made.secret.key, &mut made.public.key.key);
                    pke::generate_from::<$set, $rows>(way, [seed, noise_seed], keys, bytes);
                    made
                }

                fn blank(cpu: Cpu) -> Self {
                    let secret = SecretKey { way: Way { cpu, domain: $set::PLANNED }, key: zero() };
                    DecapsulationKey { secret, public: EncapsulationKey::blank(cpu) }
                }

                fn write_bytes(&self, out: &mut [u8; DK_BYTES]) {
                    self.secret.write_bytes(out);
                }

                /// The same key, with all operations by another domain, as the crate `ringsmith-routes`
                /// lists them; results do not depend on it.
                ///
                /// # Errors
                /// Where the domain has its values in another order.
                pub fn with_domain(mut self, domain: &'static OrderedEntry<$rows>) -> Result<Self, WhyNot> {
                    self.secret = self.secret.with_domain(domain)?;
                    self.public = self.public.with_domain(domain)?;
                    Ok(self)
                }

                /// The public key.
                pub fn encapsulation_key(&self) -> &EncapsulationKey {
                    &self.public
                }

                /// The private key by itself.
                pub fn into_secret(self) -> SecretKey {
                    self.secret
                }

                /// The shared key in a ciphertext, whatever it is. The key is used up.
                pub fn decapsulate(self, ciphertext: &[u8; CT_BYTES]) -> SharedKey {
                    self.secret.decapsulate(ciphertext)
                }
            }

            impl SecretKey {
                /// Reads a key, which any bytes are; the CPU is that of all operations with it.
                pub fn from_bytes(cpu: Cpu, bytes: &[u8; DK_BYTES]) -> Self {
                    let mut read = SecretKey { way: Way { cpu, domain: $set::PLANNED }, key: zero() };
                    pke::read_secret::<$set, $rows>(cpu, bytes, &mut read.key);
                    read
                }

                /// The bytes of the scheme's source.
                pub fn to_bytes(&self) -> Zeroizing<[u8; DK_BYTES]> {
                    let mut bytes = Zeroizing::new([0; DK_BYTES]);
                    self.write_bytes(&mut bytes);
                    bytes
                }

                fn write_bytes(&self, out: &mut [u8; DK_BYTES]) {
                    pke::write_secret::<$set, $rows>(self.way.cpu, &self.key, out);
                }

                /// The same key, with all operations by another domain, as the crate `ringsmith-routes`
                /// lists them; results do not depend on it.
                ///
                /// # Errors
                /// Where the domain has its values in another order.
                pub fn with_domain(mut self, domain: &'static OrderedEntry<$rows>) -> Result<Self, WhyNot> {
                    self.way = self.way.by(domain)?;
                    Ok(self)
                }

                /// The shared key in a ciphertext, whatever it is. The key is used up.
                pub fn decapsulate(self, ciphertext: &[u8; CT_BYTES]) -> SharedKey {
                    cpa::decapsulate::<$set, $rows>(self.way, &self.key, ciphertext)
                }
            }
        }
    };
}
pub(super) use cpa_set;
