//! The keys of every scheme: one type each for all parameter sets.
//!
//! A key is made from its bytes, or by key generation, and is then expanded: ready for many operations. A key
//! remembers how its operations are done: on the best CPU backend of the machine, on a backend that the
//! caller names (functions with `_on`), or by another [way](KemSet::Way) of its set (functions with `_by`).
//! The results are the same.
//!
//! Functions that end in `_into` and `_boxed` fill memory that does not move, so they leave no copy of a
//! secret on the stack. The other functions return by value. The compiler may move a returned value, and
//! nobody clears the memory that it moved from. The test `dead_stack` checks both.
//!
//! A scheme that is secure against chosen ciphertexts has a [`DecapsulationKey`]; one that is secure against
//! chosen plaintexts alone has a [`OneTimeKey`], which its first ciphertext uses up.

use crate::error::InvalidKey;
use crate::secret::SecretArray;
use crate::set::{BatchSet, Bytes, CcaSet, CpaSet, EncodedMut, KemSet, Keys, KeysMut, KeysRef};
use crate::set::{Places, SeedSet, SharedKey, To, Way, drawing};
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use rand_core::{CryptoRng, TryCryptoRng};
use ringsmith_simd::Cpu;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// A public key, expanded: made from its bytes, ready for many encapsulations.
#[derive(Clone)]
pub struct EncapsulationKey<S: KemSet> {
    key: S::Public,
    bytes: S::PublicBytes,
}

/// Keys are equal where their bytes are, whatever the CPU of their operations.
impl<S: KemSet> PartialEq for EncapsulationKey<S> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<S: KemSet> Eq for EncapsulationKey<S> {}

/// Bytes that tell the key from others.
impl<S: KemSet> fmt::Debug for EncapsulationKey<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} EncapsulationKey(", S::NAME)?;
        S::told_by(&self.key, &self.bytes).iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}

impl<S: KemSet> EncapsulationKey<S> {
    /// Room for a key.
    fn blank(way: S::Way) -> Self {
        EncapsulationKey { key: S::blank_public(way), bytes: S::PublicBytes::ZERO }
    }

    /// Reads a key, and checks it as its standard requires.
    ///
    /// # Errors
    /// Where the bytes are no key of the set.
    pub fn from_bytes(bytes: &S::PublicBytes) -> Result<Self, S::PublicError> {
        Self::from_bytes_on(Cpu::detect(), bytes)
    }

    /// The same; all operations with the key are done on this CPU.
    ///
    /// # Errors
    /// The same.
    pub fn from_bytes_on(cpu: Cpu, bytes: &S::PublicBytes) -> Result<Self, S::PublicError> {
        Self::from_bytes_by(S::planned(cpu), bytes)
    }

    /// The same; all operations with the key go this way.
    ///
    /// # Errors
    /// The same.
    pub fn from_bytes_by(way: S::Way, bytes: &S::PublicBytes) -> Result<Self, S::PublicError> {
        let mut read = Self::blank(way);
        read.bytes = *bytes;
        S::read_public(&mut read.key, bytes)?;
        Ok(read)
    }

    /// The encoded key.
    pub fn to_bytes(&self) -> S::PublicBytes {
        self.bytes
    }

    /// How all operations with the key are done.
    pub fn way(&self) -> S::Way {
        S::way(&self.key)
    }

    /// The CPU of all operations with the key.
    pub fn cpu(&self) -> Cpu {
        self.way().cpu()
    }

    /// A ciphertext and the shared key in it. Draws the set's [randomness](KemSet::Randomness) by one call.
    pub fn encapsulate(&self, rng: &mut (impl CryptoRng + ?Sized)) -> (S::CiphertextBytes, SharedKey) {
        let mut made = (S::CiphertextBytes::ZERO, SharedKey::zero());
        self.encapsulate_into(rng, &mut made.0, &mut made.1);
        made
    }

    /// [`encapsulate`](Self::encapsulate) to where the caller wants both: no copy of the shared key is left
    /// elsewhere.
    pub fn encapsulate_into(
        &self,
        rng: &mut (impl CryptoRng + ?Sized),
        ciphertext: &mut S::CiphertextBytes,
        shared: &mut SharedKey,
    ) {
        let mut random = SecretArray::<S::Randomness>::zero();
        rng.fill_bytes(random.as_mut());
        S::encapsulate(&self.key, &random, To { ciphertext, shared });
    }

    /// The same with bytes in place of randomness. They must be secret, and never used again.
    #[cfg(feature = "hazmat")]
    pub fn encapsulate_deterministic(&self, random: &S::Randomness) -> (S::CiphertextBytes, SharedKey) {
        let mut made = (S::CiphertextBytes::ZERO, SharedKey::zero());
        S::encapsulate(&self.key, random, To { ciphertext: &mut made.0, shared: &mut made.1 });
        made
    }

    /// Reads a key as [`from_bytes`](Self::from_bytes) does, and [encapsulates](Self::encapsulate) to it
    /// once. This costs no more than the two calls, and less where their hashes are computed together.
    ///
    /// # Errors
    /// Where the bytes are no key of the set.
    pub fn encapsulate_once(
        bytes: &S::PublicBytes,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<(S::CiphertextBytes, SharedKey), S::PublicError> {
        Self::encapsulate_once_on(Cpu::detect(), bytes, rng)
    }

    /// The same on this CPU.
    ///
    /// # Errors
    /// The same.
    pub fn encapsulate_once_on(
        cpu: Cpu,
        bytes: &S::PublicBytes,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<(S::CiphertextBytes, SharedKey), S::PublicError> {
        let mut random = SecretArray::<S::Randomness>::zero();
        rng.fill_bytes(random.as_mut());
        let (mut ciphertext, mut shared) = (S::CiphertextBytes::ZERO, SharedKey::zero());
        let to = To { ciphertext: &mut ciphertext, shared: &mut shared };
        S::encapsulate_once(S::planned(cpu), bytes, &random, to)?;
        Ok((ciphertext, shared))
    }
}

/// Both keys in one place.
pub(crate) struct Pair<S: KemSet> {
    pub(crate) key: S::Private,
    pub(crate) public: EncapsulationKey<S>,
}

impl<S: KemSet> Pair<S> {
    /// Room for keys.
    pub(crate) fn blank(way: S::Way) -> Self {
        Pair { key: S::blank_private(way), public: EncapsulationKey::blank(way) }
    }

    /// Where keys are filled in.
    pub(crate) fn places(&mut self) -> KeysMut<'_, S> {
        Keys { private: &mut self.key, public: &mut self.public.key, bytes: &mut self.public.bytes }
    }

    /// The keys.
    fn keys(&self) -> KeysRef<'_, S> {
        Keys { private: &self.key, public: &self.public.key, bytes: &self.public.bytes }
    }

    /// Fills in new keys, from a generator that may fail.
    fn generate<R: TryCryptoRng + ?Sized>(&mut self, rng: &mut R) -> Result<(), R::Error> {
        drawing(rng, |draw| S::generate(self.places(), draw))
    }

    /// Writes both keys.
    pub(crate) fn write(&self, (public, private): EncodedMut<'_, S>) {
        *public = self.public.bytes;
        S::write_private(self.keys(), private);
    }
}

/// A private key, expanded. All of it but its public key is cleared on drop.
pub struct DecapsulationKey<S: CcaSet>(pub(crate) Pair<S>);

impl<S: CcaSet> ZeroizeOnDrop for DecapsulationKey<S> {}

impl<S: CcaSet> DecapsulationKey<S> {
    /// A new key.
    pub fn generate(rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        Self::generate_on(Cpu::detect(), rng)
    }

    /// The same; all operations with the key are done on this CPU.
    pub fn generate_on(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        let mut made = Self::blank(S::planned(cpu));
        made.generate_into(rng);
        made
    }

    /// Replaces this key by a new one, in its place and with its [way](EncapsulationKey::way). No copy of
    /// either is left elsewhere.
    pub fn generate_into(&mut self, rng: &mut (impl CryptoRng + ?Sized)) {
        let Ok(()) = self.0.generate(rng);
    }

    /// A new key, made where it stays: no copy of it is left elsewhere, nor is it ever on the stack.
    #[cfg(feature = "alloc")]
    pub fn generate_boxed(rng: &mut (impl CryptoRng + ?Sized)) -> Box<Self> {
        Self::generate_boxed_on(Cpu::detect(), rng)
    }

    /// The same; all operations with the key are done on this CPU.
    #[cfg(feature = "alloc")]
    pub fn generate_boxed_on(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized)) -> Box<Self> {
        let mut made = Box::new(Self::blank(S::planned(cpu)));
        made.generate_into(rng);
        made
    }

    /// A new key, from a generator that may fail.
    ///
    /// # Errors
    /// The generator's.
    pub fn try_generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        Self::try_generate_on(Cpu::detect(), rng)
    }

    /// The same; all operations with the key are done on this CPU.
    ///
    /// # Errors
    /// The same.
    pub fn try_generate_on<R: TryCryptoRng + ?Sized>(cpu: Cpu, rng: &mut R) -> Result<Self, R::Error> {
        let mut made = Self::blank(S::planned(cpu));
        made.0.generate(rng)?;
        Ok(made)
    }

    /// Reads a key, and checks it as its standard requires.
    ///
    /// # Errors
    /// Where the bytes are no key of the set, or its hash of its public key is wrong.
    pub fn from_bytes(bytes: &S::PrivateBytes) -> Result<Self, InvalidKey> {
        Self::from_bytes_on(Cpu::detect(), bytes)
    }

    /// The same; all operations with the key are done on this CPU.
    ///
    /// # Errors
    /// The same.
    pub fn from_bytes_on(cpu: Cpu, bytes: &S::PrivateBytes) -> Result<Self, InvalidKey> {
        Self::from_bytes_by(S::planned(cpu), bytes)
    }

    /// The same; all operations with the key go this way.
    ///
    /// # Errors
    /// The same.
    pub fn from_bytes_by(way: S::Way, bytes: &S::PrivateBytes) -> Result<Self, InvalidKey> {
        let mut read = Self::blank(way);
        S::read_private(read.0.places(), bytes)?;
        Ok(read)
    }

    /// [`from_bytes`](Self::from_bytes) to where the key stays: no copy of it is left elsewhere, nor is it
    /// ever on the stack.
    ///
    /// # Errors
    /// The same.
    #[cfg(feature = "alloc")]
    pub fn from_bytes_boxed(bytes: &S::PrivateBytes) -> Result<Box<Self>, InvalidKey> {
        Self::from_bytes_boxed_on(Cpu::detect(), bytes)
    }

    /// The same; all operations with the key are done on this CPU.
    ///
    /// # Errors
    /// The same.
    #[cfg(feature = "alloc")]
    pub fn from_bytes_boxed_on(cpu: Cpu, bytes: &S::PrivateBytes) -> Result<Box<Self>, InvalidKey> {
        let mut read = Box::new(Self::blank(S::planned(cpu)));
        S::read_private(read.0.places(), bytes)?;
        Ok(read)
    }

    /// Room for a key.
    pub(crate) fn blank(way: S::Way) -> Self {
        DecapsulationKey(Pair::blank(way))
    }

    /// The encoded key.
    pub fn to_bytes(&self) -> Zeroizing<S::PrivateBytes> {
        let mut out = Zeroizing::new(S::PrivateBytes::ZERO);
        self.to_bytes_into(&mut out);
        out
    }

    /// [`to_bytes`](Self::to_bytes) to where the caller wants them, and clears them.
    pub fn to_bytes_into(&self, out: &mut S::PrivateBytes) {
        S::write_private(self.0.keys(), out);
    }

    /// The public key.
    pub fn encapsulation_key(&self) -> &EncapsulationKey<S> {
        &self.0.public
    }

    /// The shared key in a ciphertext. If the ciphertext was not made for this key, the result is a key that
    /// nobody else has (implicit rejection).
    pub fn decapsulate(&self, ciphertext: &S::CiphertextBytes) -> SharedKey {
        let mut shared = SharedKey::zero();
        self.decapsulate_into(ciphertext, &mut shared);
        shared
    }

    /// [`decapsulate`](Self::decapsulate) to where the caller wants the key: no copy of it is left elsewhere.
    pub fn decapsulate_into(&self, ciphertext: &S::CiphertextBytes, shared: &mut SharedKey) {
        S::decapsulate(self.0.keys(), ciphertext, shared);
    }

    /// Reads a key, and [decapsulates](Self::decapsulate) with it once. This costs no more than the two
    /// calls, and less where their hashes are computed together.
    ///
    /// # Errors
    /// Where the bytes are no key of the set. For NTRU Prime this call does not check the hash of the public
    /// key in the private key.
    pub fn decapsulate_once(
        bytes: &S::PrivateBytes,
        ciphertext: &S::CiphertextBytes,
    ) -> Result<SharedKey, InvalidKey> {
        Self::decapsulate_once_on(Cpu::detect(), bytes, ciphertext)
    }

    /// The same on this CPU.
    ///
    /// # Errors
    /// The same.
    pub fn decapsulate_once_on(
        cpu: Cpu,
        bytes: &S::PrivateBytes,
        ciphertext: &S::CiphertextBytes,
    ) -> Result<SharedKey, InvalidKey> {
        let mut shared = SharedKey::zero();
        S::decapsulate_once(S::planned(cpu), bytes, ciphertext, &mut shared)?;
        Ok(shared)
    }
}

impl<S: SeedSet> DecapsulationKey<S> {
    /// The key that this seed expands to. The seed must be random and secret: it is the short form of the
    /// private key.
    pub fn from_seed(seed: &S::Seed) -> Self {
        Self::from_seed_on(Cpu::detect(), seed)
    }

    /// The same; all operations with the key are done on this CPU.
    pub fn from_seed_on(cpu: Cpu, seed: &S::Seed) -> Self {
        let mut made = Self::blank(S::planned(cpu));
        S::expand(made.0.places(), seed);
        made
    }

    /// The seed from which the key was expanded; `None` if the key was read in its long form.
    pub fn to_seed(&self) -> Option<Zeroizing<S::Seed>> {
        S::seed(&self.0.key)
    }
}

impl<S: BatchSet> DecapsulationKey<S> {
    /// Fills every place with a new, independent key. This is cheaper than single keys for
    /// [many](BatchSet::BATCH) places, and dearer for few.
    pub fn generate_batch(rng: &mut (impl CryptoRng + ?Sized), keys: &mut [Option<Self>]) {
        Self::generate_batch_on(Cpu::detect(), rng, keys);
    }

    /// The same; all operations with the keys are done on this CPU.
    pub fn generate_batch_on(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized), keys: &mut [Option<Self>]) {
        let way = S::planned(cpu);
        for keys in keys.chunks_mut(S::BATCH) {
            let Ok(()) = drawing(rng, |draw| S::generate_batch(way, draw, &mut Batch { way, keys }));
        }
    }
}

/// Keys of a batch.
struct Batch<'a, S: CcaSet> {
    way: S::Way,
    keys: &'a mut [Option<DecapsulationKey<S>>],
}

impl<S: CcaSet> Places<S::Private, S::Public, S::PublicBytes> for Batch<'_, S> {
    fn count(&self) -> usize {
        self.keys.len()
    }

    fn place(&mut self, i: usize) -> KeysMut<'_, S> {
        self.keys[i].insert(DecapsulationKey::blank(self.way)).0.places()
    }
}

/// A new private key that serves one ciphertext, and its public key. Its secret part is cleared on drop.
pub struct OneTimeKey<S: CpaSet>(Pair<S>);

impl<S: CpaSet> ZeroizeOnDrop for OneTimeKey<S> {}

impl<S: CpaSet> OneTimeKey<S> {
    /// A new key.
    pub fn generate(rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        Self::generate_on(Cpu::detect(), rng)
    }

    /// The same; all operations with the key are done on this CPU.
    pub fn generate_on(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        Self::generate_by(S::planned(cpu), rng)
    }

    /// The same; all operations with the key go this way.
    pub fn generate_by(way: S::Way, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        let mut made = OneTimeKey(Pair::blank(way));
        made.generate_into(rng);
        made
    }

    /// Replaces this key by a new one, in its place and with its [way](EncapsulationKey::way). No copy of
    /// either is left elsewhere.
    pub fn generate_into(&mut self, rng: &mut (impl CryptoRng + ?Sized)) {
        let Ok(()) = self.0.generate(rng);
    }

    /// The encoded private key. The public key cannot be computed from it.
    pub fn to_bytes(&self) -> Zeroizing<S::PrivateBytes> {
        let mut out = Zeroizing::new(S::PrivateBytes::ZERO);
        self.to_bytes_into(&mut out);
        out
    }

    /// [`to_bytes`](Self::to_bytes) to where the caller wants them, and clears them.
    pub fn to_bytes_into(&self, out: &mut S::PrivateBytes) {
        S::write_private(self.0.keys(), out);
    }

    /// The public key.
    pub fn encapsulation_key(&self) -> &EncapsulationKey<S> {
        &self.0.public
    }

    /// The private key by itself.
    pub fn into_secret(self) -> SecretKey<S> {
        SecretKey(self.0.key)
    }

    /// The shared key in a ciphertext, whatever it is. The key is used up.
    pub fn decapsulate(self, ciphertext: &S::CiphertextBytes) -> SharedKey {
        let mut shared = SharedKey::zero();
        S::decapsulate(&self.0.key, ciphertext, &mut shared);
        shared
    }
}

/// A private key that serves one ciphertext, without its public key. Cleared on drop.
pub struct SecretKey<S: CpaSet>(S::Private);

impl<S: CpaSet> ZeroizeOnDrop for SecretKey<S> {}

impl<S: CpaSet> SecretKey<S> {
    /// Reads a key. Every byte string of this length is one.
    pub fn from_bytes(bytes: &S::PrivateBytes) -> Self {
        Self::from_bytes_on(Cpu::detect(), bytes)
    }

    /// The same; all operations with the key are done on this CPU.
    pub fn from_bytes_on(cpu: Cpu, bytes: &S::PrivateBytes) -> Self {
        Self::from_bytes_by(S::planned(cpu), bytes)
    }

    /// The same; all operations with the key go this way.
    pub fn from_bytes_by(way: S::Way, bytes: &S::PrivateBytes) -> Self {
        let mut read = SecretKey(S::blank_private(way));
        S::read_secret(&mut read.0, bytes);
        read
    }

    /// The encoded key.
    pub fn to_bytes(&self) -> Zeroizing<S::PrivateBytes> {
        let mut out = Zeroizing::new(S::PrivateBytes::ZERO);
        S::write_secret(&self.0, &mut out);
        out
    }

    /// The shared key in a ciphertext, whatever it is. The key is used up.
    pub fn decapsulate(self, ciphertext: &S::CiphertextBytes) -> SharedKey {
        let mut shared = SharedKey::zero();
        S::decapsulate(&self.0, ciphertext, &mut shared);
        shared
    }
}
