//! The types of a parameter set.

/// A set of the submission: its lengths and what stands behind its keys come from `streamlined!` or
/// `lprime!`.
macro_rules! set {
    (
        $(#[$doc:meta])*
        $module:ident $set:ident $name:literal, $family:ident,
        ring $ring:ident, p $p:literal, q $q:literal, w $w:literal, tau $tau:tt,
        lengths [$($lengths:ident)*], $draws:literal
    ) => {
        $(#[$doc])*
        pub mod $module {
            use ringsmith_kem::declassify::publish;
            use crate::codec::{Codec, small_bytes};
            use crate::element::{Element, Prepared, Second, Work};
            use crate::hash::{BYTES, public_hash};
            use crate::sample::Sampler;
            use crate::$family;
            pub use crate::SharedKey;
            pub use ringsmith_kem::scheme::InvalidKey;
            use ringsmith_kem::scheme::{Scheme, Status, exactly, exactly_mut};
            use ringsmith_kem::secret::SecretBytes;
            use rand_core::{CryptoRng, TryCryptoRng};
            use crate::rings::$ring;
            use ringsmith_ring::{Entry, Multiplier, Route};
            use ringsmith_simd::Cpu;
            use zeroize::{ZeroizeOnDrop, Zeroizing};

            static CODEC: Codec = Codec::new($p, $q);

            /// Bytes of a small element.
            const SMALL: usize = small_bytes($p);

            /// The parameter set as a type, for generic code over the traits of the crate `kem` (feature
            /// `kem`).
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
            pub struct $set;

            crate::sets::$family! { $set, $ring, $w, $tau }

            /// Bytes of a private key.
            pub const DK_BYTES: usize = SECRET_BYTES + EK_BYTES + RHO_BYTES + BYTES;

            /// The set among [all schemes](ringsmith_kem::scheme).
            pub static SCHEME: Scheme = Scheme {
                name: $name,
                status: Status::Historical,
                source: "NTRU Prime, NIST round 3",
                cca: true,
                public_key: EK_BYTES,
                private_key: DK_BYTES,
                ciphertext: CT_BYTES,
                shared_key: BYTES,
                generate: |cpu, rng, public, private| {
                    let public = exactly_mut("public key", public)?;
                    let private = exactly_mut("private key", private)?;
                    let mut work = Work::new(Multiplier::new(cpu));
                    let (mut key, mut of_key) = (Private::<Element<_>>::blank(), Public::blank(work.by));
                    let Ok(()) = key.generate(&mut of_key, &mut work, &mut Sampler::new(rng), public);
                    write(cpu, &key, public, of_key.hash(), private);
                    Ok(())
                },
                seed: None,
                check_public_key: |_, public| exactly::<EK_BYTES>("public key", public).map(|_| ()),
                public_key_of: Some(|cpu, private, public| {
                    let public = exactly_mut("public key", public)?;
                    let private = exactly("private key", private)?;
                    let mut work = Work::new(Multiplier::new(cpu));
                    let (mut key, mut of_key) = (Private::<Element<_>>::blank(), Public::blank(work.by));
                    *public = read_checked_into(&mut work, private, &mut key, &mut of_key).ok_or(InvalidKey)?;
                    Ok(())
                }),
                encapsulate: |cpu, public, rng, ciphertext, shared| {
                    let ciphertext = exactly_mut::<CT_BYTES>("ciphertext", ciphertext)?;
                    let shared = exactly_mut("shared key", shared)?;
                    let public = exactly::<EK_BYTES>("public key", public)?;
                    let mut random = SecretBytes::<RANDOM_BYTES>::zero();
                    rng.fill_bytes(random.as_mut());
                    let mut work = Work::new(Multiplier::new(cpu));
                    let mut key = Public::<Element<_>>::blank(work.by);
                    let hash = public_hash(&mut work.hash, public);
                    key.read(&mut work, public, hash);
                    *shared = key.encapsulate(&mut work, &*random, ciphertext);
                    Ok(())
                },
                decapsulate: |cpu, private, ciphertext, shared| {
                    let shared = exactly_mut("shared key", shared)?;
                    let ciphertext = exactly::<CT_BYTES>("ciphertext", ciphertext)?;
                    let private = exactly("private key", private)?;
                    let mut work = Work::new(Multiplier::new(cpu));
                    let (mut key, mut public) = (Private::<Element<_>>::blank(), Public::blank(work.by));
                    read_into(&mut work, private, &mut key, &mut public).ok_or(InvalidKey)?;
                    *shared = key.decapsulate(&mut work, &public, ciphertext);
                    Ok(())
                },
                encoding: None,
            };

            ringsmith_kem::encapsulation_key!($name, Public, $draws, |this| this.key.hash());

            impl EncapsulationKey {
                /// Reads a key, which any bytes are. The CPU is that of all operations with it.
                pub fn from_bytes(cpu: Cpu, bytes: &[u8; EK_BYTES]) -> Self {
                    Self::read(Multiplier::new(cpu), bytes)
                }

                fn read(by: Multiplier<$ring>, bytes: &[u8; EK_BYTES]) -> Self {
                    let (mut read, mut work) =
                        (EncapsulationKey { key: Public::blank(by), bytes: *bytes }, Work::new(by));
                    let hash = public_hash(&mut work.hash, bytes);
                    read.key.read(&mut work, bytes, hash);
                    read
                }

                /// The same key, with all operations by another route of its ring, as the crate
                /// `ringsmith-routes` lists them; results do not depend on it.
                pub fn with_entry(self, entry: &'static Entry<$ring>) -> Self {
                    Self::read(Multiplier::by(self.cpu(), entry), &self.bytes)
                }

                /// The route of all operations with the key.
                pub fn route(&self) -> Route {
                    self.key.by.route()
                }

                fn encapsulate_into(
                    &self,
                    rng: &mut (impl CryptoRng + ?Sized),
                    ciphertext: &mut [u8; CT_BYTES],
                ) -> SharedKey {
                    let mut random = SecretBytes::<RANDOM_BYTES>::zero();
                    rng.fill_bytes(random.as_mut());
                    self.key.encapsulate(&mut Work::new(self.key.by), &*random, ciphertext)
                }

                /// The same with bytes in place of randomness. They must be secret, and never used again.
                #[cfg(feature = "hazmat")]
                pub fn encapsulate_deterministic(
                    &self,
                    random: &[u8; RANDOM_BYTES],
                ) -> ([u8; CT_BYTES], SharedKey) {
                    let mut ciphertext = [0; CT_BYTES];
                    let mut work = Work::new(self.key.by);
                    let shared = self.key.encapsulate(&mut work, random, &mut ciphertext);
                    (ciphertext, shared)
                }
            }

            /// Reads both keys of a private one into their places, and gives the public one's bytes; `None`
            /// where its small elements are none. Its hash of its public key is believed.
            fn read_into<H: Second<$ring>>(
                work: &mut Work<$ring>,
                bytes: &[u8; DK_BYTES],
                key: &mut Private<H>,
                public: &mut Public<H>,
            ) -> Option<[u8; EK_BYTES]> {
                let (secret, rest) = bytes.split_first_chunk::<SECRET_BYTES>()?;
                let (published, rest) = rest.split_first_chunk::<EK_BYTES>()?;
                let (rho, hashed) = rest.split_first_chunk::<RHO_BYTES>()?;
                // A private key holds what is public, too.
                let (mut published, mut hashed) = (*published, *hashed.first_chunk::<BYTES>()?);
                publish(&mut published);
                publish(&mut hashed);
                let good = key.read(work, secret, rho);
                public.read(work, &published, hashed);
                good.then_some(published)
            }

            /// The same, and `None` where the hash is another.
            fn read_checked_into<H: Second<$ring>>(
                work: &mut Work<$ring>,
                bytes: &[u8; DK_BYTES],
                key: &mut Private<H>,
                public: &mut Public<H>,
            ) -> Option<[u8; EK_BYTES]> {
                let published = read_into(work, bytes, key, public)?;
                (*public.hash() == public_hash(&mut work.hash, &published)).then_some(published)
            }

            /// Writes a private key: what is secret of it, its public one, what a rejected ciphertext's key
            /// is made of, a hash.
            fn write<H: Second<$ring>>(
                cpu: Cpu,
                key: &Private<H>,
                published: &[u8; EK_BYTES],
                hash: &[u8; BYTES],
                out: &mut [u8; DK_BYTES],
            ) {
                let (secret, rest) = out.split_at_mut(SECRET_BYTES);
                let (public, rest) = rest.split_at_mut(EK_BYTES);
                let (rho, hashed) = rest.split_at_mut(RHO_BYTES);
                key.write(cpu, secret, rho);
                public.copy_from_slice(published);
                hashed.copy_from_slice(hash);
            }

            /// A private key, expanded. All of it but its public key is cleared on drop.
            pub struct DecapsulationKey {
                key: Private,
                public: EncapsulationKey,
            }

            impl ZeroizeOnDrop for DecapsulationKey {}

            impl DecapsulationKey {
                /// A new key.
                pub fn generate(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
                    let Ok(key) = Self::try_generate(cpu, rng);
                    key
                }

                /// A new key, of a generator that may fail.
                fn try_generate<G: TryCryptoRng + ?Sized>(cpu: Cpu, rng: &mut G) -> Result<Self, G::Error> {
                    let by = Multiplier::new(cpu);
                    let mut made = Self::blank(by);
                    let EncapsulationKey { key: public, bytes } = &mut made.public;
                    made.key.generate(public, &mut Work::new(by), &mut Sampler::new(rng), bytes)?;
                    Ok(made)
                }

                /// Reads a key; the CPU is that of all operations with it.
                ///
                /// # Errors
                /// Where its small elements are none, or its hash of its public key is wrong.
                pub fn from_bytes(cpu: Cpu, bytes: &[u8; DK_BYTES]) -> Result<Self, InvalidKey> {
                    Self::read(Multiplier::new(cpu), bytes).ok_or(InvalidKey)
                }

                /// Memory for a key.
                fn blank(by: Multiplier<$ring>) -> Self {
                    let public = EncapsulationKey { key: Public::blank(by), bytes: [0; EK_BYTES] };
                    DecapsulationKey { key: Private::blank(), public }
                }

                fn read(by: Multiplier<$ring>, bytes: &[u8; DK_BYTES]) -> Option<Self> {
                    let mut read = Self::blank(by);
                    let EncapsulationKey { key: public, .. } = &mut read.public;
                    read.public.bytes =
                        read_checked_into(&mut Work::new(by), bytes, &mut read.key, public)?;
                    Some(read)
                }

                /// The bytes of the scheme's source.
                pub fn to_bytes(&self) -> Zeroizing<[u8; DK_BYTES]> {
                    let mut bytes = Zeroizing::new([0; DK_BYTES]);
                    let EncapsulationKey { key: public, bytes: published } = &self.public;
                    write(public.cpu(), &self.key, published, public.hash(), &mut bytes);
                    bytes
                }

                /// The same key, with all operations by another route of its ring, as the crate
                /// `ringsmith-routes` lists them; results do not depend on it.
                pub fn with_entry(self, entry: &'static Entry<$ring>) -> Self {
                    let by = Multiplier::by(self.public.cpu(), entry);
                    Self::read(by, &self.to_bytes()).expect("what a key writes is a key")
                }

                /// The public key.
                pub fn encapsulation_key(&self) -> &EncapsulationKey {
                    &self.public
                }

                /// The shared key in a ciphertext, or one that nobody else has where it was not made for this
                /// key.
                pub fn decapsulate(&self, ciphertext: &[u8; CT_BYTES]) -> SharedKey {
                    self.key.decapsulate(&mut Work::new(self.public.key.by), &self.public.key, ciphertext)
                }
            }

            #[cfg(feature = "kem")]
            crate::sets::traits!($set $(, $lengths)*);
        }
    };
}
pub(super) use set;

/// What a set of Streamlined NTRU Prime is made of.
macro_rules! streamlined {
    ($set:ident, $ring:ident, $w:literal, $tau:tt) => {
        /// Bytes of a public key.
        pub const EK_BYTES: usize = CODEC.full.bytes;
        /// Bytes of a ciphertext.
        pub const CT_BYTES: usize = CODEC.rounded.bytes + BYTES;
        /// Bytes of the randomness of a ciphertext.
        pub const RANDOM_BYTES: usize = 4 * <$ring as ringsmith_ring::Ring>::N;
        /// Bytes of the secret in a private key.
        const SECRET_BYTES: usize = 2 * SMALL;
        /// Bytes of what a rejected ciphertext's key is made of.
        const RHO_BYTES: usize = SMALL;

        type Public<H = Prepared<$ring>> = streamlined::Public<$set, H>;
        type Private<H = Prepared<$ring>> = streamlined::Private<$set, SMALL, H>;

        impl DecapsulationKey {
            /// A new key for each place, independent of one another. 32 at a time are made with one
            /// inversion, so one of them costs about a fifth of what [`generate`](Self::generate) does; for
            /// fewer it is more. Needs 640 KiB of stack for degree 761, 1 MiB for 1277.
            pub fn generate_batch(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized), keys: &mut [Option<Self>]) {
                let (by, mut sampler) = (Multiplier::new(cpu), Sampler::new(rng));
                for keys in keys.chunks_mut(streamlined::BATCH) {
                    let Ok(()) = Private::generate_batch(by, &mut sampler, keys);
                }
            }
        }

        impl streamlined::Pair<$set, SMALL> for DecapsulationKey {
            fn blank(by: Multiplier<$ring>) -> Self {
                Self::blank(by)
            }

            fn parts(&mut self) -> (&mut Private, &mut Public, &mut [u8]) {
                (&mut self.key, &mut self.public.key, &mut self.public.bytes)
            }
        }

        impl streamlined::Parameters for $set {
            type Ring = $ring;
            const WEIGHT: usize = $w;
            const CODEC: &'static Codec = &CODEC;
        }
    };
}
pub(super) use streamlined;

/// What a set of NTRU LPRime is made of.
macro_rules! lprime {
    ($set:ident, $ring:ident, $w:literal, $tau:tt) => {
        /// Bytes of a public key.
        pub const EK_BYTES: usize = BYTES + CODEC.rounded.bytes;
        /// Bytes of a ciphertext.
        pub const CT_BYTES: usize = CODEC.rounded.bytes + lprime::TOP_BYTES + BYTES;
        /// Bytes of the randomness of a ciphertext.
        pub const RANDOM_BYTES: usize = BYTES;
        /// Bytes of the secret in a private key.
        const SECRET_BYTES: usize = SMALL;
        /// Bytes of what a rejected ciphertext's key is made of.
        const RHO_BYTES: usize = BYTES;

        type Public<H = Prepared<$ring>> = lprime::Public<$set, H>;
        type Private<H = Prepared<$ring>> = lprime::Private<$set, SMALL, H>;

        impl lprime::Parameters for $set {
            type Ring = $ring;
            const WEIGHT: usize = $w;
            const TAU: [i16; 4] = $tau;
            const CODEC: &'static Codec = &CODEC;
        }
    };
}
pub(super) use lprime;

/// The traits of the crate `kem`, where the lengths are types of the crate `hybrid-array`, which does not
/// have NTRU LPRime's.
#[cfg(feature = "kem")]
macro_rules! traits {
    ($set:ident) => {};
    ($set:ident, $ek:ident, $dk:ident, $ct:ident) => {
        ringsmith_kem::unseeded_traits!($set, $ek, $dk, $ct);
    };
}
#[cfg(feature = "kem")]
pub(super) use traits;
