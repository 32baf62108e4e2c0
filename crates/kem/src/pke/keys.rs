//! The keys of every set, and messages.

use super::{DecryptionError, InvalidKey, KeysMut, KeysRef, MessageTooLong, PkeSet};
use crate::secret::SecretArray;
use crate::set::{Bytes, Keys, Way, drawing};
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use core::ops::Deref;
use rand_core::{CryptoRng, TryCryptoRng};
use ringsmith_simd::Cpu;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// A public key, expanded: made from its bytes, ready for many messages.
#[derive(Clone)]
pub struct EncryptionKey<S: PkeSet> {
    key: S::Public,
    bytes: S::PublicBytes,
}

/// Keys are equal where their bytes are, whatever the CPU of their operations.
impl<S: PkeSet> PartialEq for EncryptionKey<S> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<S: PkeSet> Eq for EncryptionKey<S> {}

/// Its bytes.
impl<S: PkeSet> fmt::Debug for EncryptionKey<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} EncryptionKey(", S::NAME)?;
        self.bytes.as_ref().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}

/// Whether a message fits.
pub(super) const fn fits<S: PkeSet>(message: &[u8]) -> Result<(), MessageTooLong> {
    let (most, given) = (S::MessageBytes::LEN, message.len());
    if given <= most { Ok(()) } else { Err(MessageTooLong { most, given }) }
}

impl<S: PkeSet> EncryptionKey<S> {
    /// Room for a key.
    fn blank(way: S::Way) -> Self {
        EncryptionKey { key: S::blank_public(way), bytes: S::PublicBytes::ZERO }
    }

    /// Reads a key, and checks it as its standard requires.
    ///
    /// # Errors
    /// Where the bytes are no key of the set.
    pub fn from_bytes(bytes: &S::PublicBytes) -> Result<Self, InvalidKey> {
        Self::from_bytes_on(Cpu::detect(), bytes)
    }

    /// The same; all operations with the key are done on this CPU.
    ///
    /// # Errors
    /// The same.
    pub fn from_bytes_on(cpu: Cpu, bytes: &S::PublicBytes) -> Result<Self, InvalidKey> {
        Self::from_bytes_by(S::planned(cpu), bytes)
    }

    /// The same; all operations with the key go this way.
    ///
    /// # Errors
    /// The same.
    pub fn from_bytes_by(way: S::Way, bytes: &S::PublicBytes) -> Result<Self, InvalidKey> {
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

    /// A ciphertext of a message of at most [`MessageBytes`](PkeSet::MessageBytes). Constant time in the
    /// message, but for its length.
    ///
    /// # Errors
    /// Where the message is too long.
    pub fn encrypt(
        &self,
        message: &[u8],
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<S::CiphertextBytes, MessageTooLong> {
        fits::<S>(message)?;
        let mut out = S::CiphertextBytes::ZERO;
        let Ok(()) = drawing(rng, |draw| S::encrypt(&self.key, message, draw, &mut out));
        Ok(out)
    }
}

/// A message, cleared on drop.
pub struct Message<S: PkeSet> {
    bytes: SecretArray<S::MessageBytes>,
    length: usize,
}

impl<S: PkeSet> ZeroizeOnDrop for Message<S> {}

impl<S: PkeSet> Message<S> {
    /// An empty one: a place for another.
    pub const fn empty() -> Self {
        Message { bytes: SecretArray::zero(), length: 0 }
    }
}

impl<S: PkeSet> Deref for Message<S> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &(*self.bytes).as_ref()[..self.length]
    }
}

impl<S: PkeSet> AsRef<[u8]> for Message<S> {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

/// A private key, expanded. All of it but its public key is cleared on drop.
pub struct DecryptionKey<S: PkeSet> {
    key: S::Private,
    public: EncryptionKey<S>,
}

impl<S: PkeSet> ZeroizeOnDrop for DecryptionKey<S> {}

impl<S: PkeSet> DecryptionKey<S> {
    /// Room for a key.
    fn blank(way: S::Way) -> Self {
        DecryptionKey { key: S::blank_private(way), public: EncryptionKey::blank(way) }
    }

    /// Where keys are filled in.
    fn places(&mut self) -> KeysMut<'_, S> {
        Keys { private: &mut self.key, public: &mut self.public.key, bytes: &mut self.public.bytes }
    }

    /// The keys.
    fn keys(&self) -> KeysRef<'_, S> {
        Keys { private: &self.key, public: &self.public.key, bytes: &self.public.bytes }
    }

    /// Fills in new keys, from a generator that may fail.
    fn fill<R: TryCryptoRng + ?Sized>(&mut self, rng: &mut R) -> Result<(), R::Error> {
        drawing(rng, |draw| S::generate(self.places(), draw))
    }

    /// A new key. Where a seed that was drawn gives no key of the set, another is drawn, until one does: this
    /// never fails, the time shows how many seeds there were, and of random seeds nearly all give a key.
    pub fn generate(rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        Self::generate_on(Cpu::detect(), rng)
    }

    /// The same; all operations with the key are done on this CPU.
    pub fn generate_on(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        let mut made = Self::blank(S::planned(cpu));
        made.generate_into(rng);
        made
    }

    /// Replaces this key by a new one, in its place and with its [way](EncryptionKey::way). No copy of either
    /// is left elsewhere.
    pub fn generate_into(&mut self, rng: &mut (impl CryptoRng + ?Sized)) {
        let Ok(()) = self.fill(rng);
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
        made.fill(rng)?;
        Ok(made)
    }

    /// Reads a key, and checks it with the public key that is in it.
    ///
    /// # Errors
    /// Where the bytes are no key of the set.
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
        S::read_private(read.places(), bytes)?;
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
        S::read_private(read.places(), bytes)?;
        Ok(read)
    }

    /// The encoded key.
    pub fn to_bytes(&self) -> Zeroizing<S::PrivateBytes> {
        let mut out = Zeroizing::new(S::PrivateBytes::ZERO);
        self.to_bytes_into(&mut out);
        out
    }

    /// [`to_bytes`](Self::to_bytes) to where the caller wants them, and clears them.
    pub fn to_bytes_into(&self, out: &mut S::PrivateBytes) {
        S::write_private(self.keys(), out);
    }

    /// The public key.
    pub fn encryption_key(&self) -> &EncryptionKey<S> {
        &self.public
    }

    /// The message in a ciphertext.
    ///
    /// # Errors
    /// Where the ciphertext was not made for this key.
    pub fn decrypt(&self, ciphertext: &S::CiphertextBytes) -> Result<Message<S>, DecryptionError> {
        let mut message = Message::empty();
        self.decrypt_into(ciphertext, &mut message)?;
        Ok(message)
    }

    /// [`decrypt`](Self::decrypt) to where the caller wants the message: no copy of it is left elsewhere.
    ///
    /// # Errors
    /// The same; then the message is empty.
    pub fn decrypt_into(
        &self,
        ciphertext: &S::CiphertextBytes,
        message: &mut Message<S>,
    ) -> Result<(), DecryptionError> {
        message.length = 0;
        message.length = S::decrypt(self.keys(), ciphertext, &mut message.bytes)?;
        Ok(())
    }
}
