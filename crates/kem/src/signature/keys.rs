//! The keys of every signature scheme.

use super::{Context, MU_BYTES, Message, Mu, Prehashed, RND_BYTES, SEED_BYTES, SignatureSet};
use super::{PrivateKey, SigningForm, TooManyAttempts, VerificationError, verdict};
use crate::declassify::publish;
use crate::error::InvalidKey;
use crate::secret::{SecretArray, SecretBytes};
use crate::set::Bytes;
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;
use rand_core::{CryptoRng, TryCryptoRng};
use ringsmith_hash::Shake256;
use ringsmith_simd::Cpu;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// A public key, with its hash.
pub struct VerifyingKey<S: SignatureSet> {
    cpu: Cpu,
    bytes: S::VerifyingBytes,
    hash: [u8; 64],
}

impl<S: SignatureSet> Clone for VerifyingKey<S> {
    fn clone(&self) -> Self {
        VerifyingKey { ..*self }
    }
}

/// Keys are equal where their bytes are, whatever the CPU of their operations.
impl<S: SignatureSet> PartialEq for VerifyingKey<S> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<S: SignatureSet> Eq for VerifyingKey<S> {}

/// The beginning of its hash.
impl<S: SignatureSet> fmt::Debug for VerifyingKey<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} VerifyingKey(", S::NAME)?;
        self.hash[..16].iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}

impl<S: SignatureSet> VerifyingKey<S> {
    /// Room for a key.
    fn blank(cpu: Cpu) -> Self {
        VerifyingKey { cpu, bytes: S::VerifyingBytes::ZERO, hash: [0; 64] }
    }

    /// Hashes the key when its bytes are there.
    fn hash(&mut self) {
        Shake256::new_on(self.cpu).absorb(self.bytes.as_ref()).reader().squeeze(&mut self.hash);
    }

    /// Reads a key: any bytes of this length are one.
    pub fn from_bytes(bytes: &S::VerifyingBytes) -> Self {
        Self::from_bytes_on(Cpu::detect(), bytes)
    }

    /// The same; all operations with the key are done on this CPU.
    pub fn from_bytes_on(cpu: Cpu, bytes: &S::VerifyingBytes) -> Self {
        let mut read = Self::blank(cpu);
        read.bytes = *bytes;
        read.hash();
        read
    }

    /// Reads a key of a slice.
    ///
    /// # Errors
    /// Where it has another length.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, InvalidKey> {
        S::VerifyingBytes::of(bytes).map(Self::from_bytes).ok_or(InvalidKey)
    }

    /// The encoded key.
    pub fn to_bytes(&self) -> S::VerifyingBytes {
        self.bytes
    }

    /// The same in its place.
    pub(super) fn as_bytes(&self) -> &S::VerifyingBytes {
        &self.bytes
    }

    /// What is signed of a message.
    pub(super) fn mu(&self, context: Context<'_>, message: &[u8]) -> Mu {
        let mut pieces = self.message(context);
        pieces.update(message);
        pieces.finish()
    }

    /// The CPU of all operations with the key.
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// A message that comes in pieces: [`update`](Message::update) takes them, [`finish`](Message::finish)
    /// gives what is signed or [verified](Self::verify_mu).
    pub fn message(&self, context: Context<'_>) -> Message {
        Message::of(self.cpu, &self.hash).with(false, context)
    }

    /// What is signed of a digest.
    pub fn prehashed(&self, context: Context<'_>, message: Prehashed<'_>) -> Mu {
        Message::of(self.cpu, &self.hash).with(true, context).and_digest(message).finish()
    }

    /// A message without context or domain, as the standard's internal functions take it: `M'` itself.
    #[cfg(feature = "hazmat")]
    pub fn internal_message(&self) -> Message {
        Message::of(self.cpu, &self.hash)
    }

    /// Verifies the signature of a message.
    ///
    /// # Errors
    /// Where it was not made of this message with this key and context, or has another length.
    pub fn verify(
        &self,
        context: Context<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), VerificationError> {
        self.verify_mu(&self.mu(context, message), signature)
    }

    /// Verifies the signature of a digest.
    ///
    /// # Errors
    /// The same.
    pub fn verify_prehashed(
        &self,
        context: Context<'_>,
        message: Prehashed<'_>,
        signature: &[u8],
    ) -> Result<(), VerificationError> {
        self.verify_mu(&self.prehashed(context, message), signature)
    }

    /// Verifies the signature of 64 bytes.
    ///
    /// # Errors
    /// The same.
    pub fn verify_mu(&self, mu: &Mu, signature: &[u8]) -> Result<(), VerificationError> {
        verdict::<S>(signature, |signature| S::verify(self.cpu, &self.bytes, &mu.0, signature))
    }
}

/// A private key in its long form, with its seed where it was made of one. Cleared on drop.
pub struct LongForm<S: SignatureSet> {
    bytes: SecretArray<S::SigningBytes>,
    seed: SecretBytes<SEED_BYTES>,
    seeded: bool,
}

impl<S: SignatureSet> SigningForm<S> for LongForm<S> {
    fn sign(
        &self,
        cpu: Cpu,
        mu: &[u8; MU_BYTES],
        rnd: &[u8; RND_BYTES],
        signature: &mut S::SignatureBytes,
    ) -> Result<(), TooManyAttempts> {
        S::sign(cpu, &self.bytes, mu, rnd, signature)
    }
}

/// A private key with its public one. Where it was made of a seed it has that, too: the form to store. What
/// is secret is cleared on drop.
///
/// Functions that return a key return it by value: what a move leaves on the stack nobody clears.
///
/// Signatures are hedged: they depend on randomness and on the key, and are safe where one of the two is.
/// Functions that are called deterministic take no randomness: faults of the machine can tell the key then.
pub type SigningKey<S> = PrivateKey<S, LongForm<S>>;

impl<S: SignatureSet> ZeroizeOnDrop for SigningKey<S> {}

impl<S: SignatureSet> SigningKey<S> {
    /// Room for a key.
    pub(crate) fn blank(cpu: Cpu) -> Self {
        let (bytes, seed) = (SecretArray::zero(), SecretBytes::zero());
        PrivateKey { form: LongForm { bytes, seed, seeded: false }, public: VerifyingKey::blank(cpu) }
    }

    /// Expands the seed.
    fn expand(&mut self) {
        let LongForm { bytes, seed, seeded } = &mut self.form;
        S::expand(self.public.cpu, seed, bytes, &mut self.public.bytes);
        *seeded = true;
        self.copy_hash();
    }

    /// Makes this the key of a seed.
    pub(crate) fn read_seed(&mut self, seed: &[u8; SEED_BYTES]) {
        self.form.seed.copy_from_slice(seed);
        self.expand();
    }

    /// Makes this the key of a long form.
    pub(crate) fn read_bytes(&mut self, bytes: &S::SigningBytes) -> Result<(), InvalidKey> {
        self.form.seeded = false;
        self.form.bytes.as_mut().copy_from_slice(bytes.as_ref());
        S::check(self.public.cpu, &self.form.bytes, &mut self.public.bytes)?;
        self.copy_hash();
        Ok(())
    }

    /// The hash of the public key is in the private one; it is public.
    fn copy_hash(&mut self) {
        self.public.hash = *S::key_hash(&self.form.bytes);
        publish(&mut self.public.hash);
    }

    /// A new key.
    pub fn generate(rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        Self::generate_on(Cpu::detect(), rng)
    }

    /// The same; all operations with the key are done on this CPU.
    pub fn generate_on(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        let Ok(made) = Self::try_generate_on(cpu, rng);
        made
    }

    /// Replaces this key by a new one, in its place and on its CPU. No copy of either is left elsewhere.
    pub fn generate_into(&mut self, rng: &mut (impl CryptoRng + ?Sized)) {
        let Ok(()) = rng.try_fill_bytes(self.form.seed.as_mut());
        self.expand();
    }

    /// A new key, made where it stays: no copy of it is left elsewhere, nor is it ever on the stack.
    #[cfg(feature = "alloc")]
    pub fn generate_boxed(rng: &mut (impl CryptoRng + ?Sized)) -> Box<Self> {
        Self::generate_boxed_on(Cpu::detect(), rng)
    }

    /// The same; all operations with the key are done on this CPU.
    #[cfg(feature = "alloc")]
    pub fn generate_boxed_on(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized)) -> Box<Self> {
        let mut made = Box::new(Self::blank(cpu));
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
        let mut made = Self::blank(cpu);
        rng.try_fill_bytes(made.form.seed.as_mut())?;
        made.expand();
        Ok(made)
    }

    /// The key that this seed expands to. The seed must be random and secret: it is the short form of the
    /// private key.
    pub fn from_seed(seed: &[u8; SEED_BYTES]) -> Self {
        Self::from_seed_on(Cpu::detect(), seed)
    }

    /// The same; all operations with the key are done on this CPU.
    pub fn from_seed_on(cpu: Cpu, seed: &[u8; SEED_BYTES]) -> Self {
        let mut made = Self::blank(cpu);
        made.read_seed(seed);
        made
    }

    /// [`from_seed`](Self::from_seed) where the key stays: no copy of it is left elsewhere.
    #[cfg(feature = "alloc")]
    pub fn from_seed_boxed(seed: &[u8; SEED_BYTES]) -> Box<Self> {
        Self::from_seed_boxed_on(Cpu::detect(), seed)
    }

    /// The same; all operations with the key are done on this CPU.
    #[cfg(feature = "alloc")]
    pub fn from_seed_boxed_on(cpu: Cpu, seed: &[u8; SEED_BYTES]) -> Box<Self> {
        let mut made = Box::new(Self::blank(cpu));
        made.read_seed(seed);
        made
    }

    /// The seed from which the key was expanded; `None` if the key was read in its long form.
    pub fn to_seed(&self) -> Option<Zeroizing<[u8; SEED_BYTES]>> {
        self.form.seeded.then(|| {
            let mut seed = Zeroizing::new([0; SEED_BYTES]);
            seed.copy_from_slice(self.form.seed.as_ref());
            seed
        })
    }

    /// Reads a key in its long form, and checks it: the range of its secret, and all that follows from that.
    ///
    /// # Errors
    /// Where the bytes are no key of the set.
    pub fn from_bytes(bytes: &S::SigningBytes) -> Result<Self, InvalidKey> {
        Self::from_bytes_on(Cpu::detect(), bytes)
    }

    /// The same; all operations with the key are done on this CPU.
    ///
    /// # Errors
    /// The same.
    pub fn from_bytes_on(cpu: Cpu, bytes: &S::SigningBytes) -> Result<Self, InvalidKey> {
        let mut read = Self::blank(cpu);
        read.read_bytes(bytes)?;
        Ok(read)
    }

    /// [`from_bytes`](Self::from_bytes) where the key stays: no copy of it is left elsewhere.
    ///
    /// # Errors
    /// The same.
    #[cfg(feature = "alloc")]
    pub fn from_bytes_boxed(bytes: &S::SigningBytes) -> Result<Box<Self>, InvalidKey> {
        Self::from_bytes_boxed_on(Cpu::detect(), bytes)
    }

    /// The same; all operations with the key are done on this CPU.
    ///
    /// # Errors
    /// The same.
    #[cfg(feature = "alloc")]
    pub fn from_bytes_boxed_on(cpu: Cpu, bytes: &S::SigningBytes) -> Result<Box<Self>, InvalidKey> {
        let mut read = Box::new(Self::blank(cpu));
        read.read_bytes(bytes)?;
        Ok(read)
    }

    /// Reads a key of a slice: a seed or the long form.
    ///
    /// # Errors
    /// Where it has another length, or is no key of the set.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, InvalidKey> {
        if let Ok(seed) = bytes.try_into() {
            return Ok(Self::from_seed(seed));
        }
        S::SigningBytes::of(bytes).ok_or(InvalidKey).and_then(Self::from_bytes)
    }

    /// The key in its long form.
    pub fn to_bytes(&self) -> Zeroizing<S::SigningBytes> {
        let mut out = Zeroizing::new(S::SigningBytes::ZERO);
        out.as_mut().copy_from_slice(self.form.bytes.as_ref());
        out
    }

    /// The same in its place.
    pub(crate) fn as_bytes(&self) -> &S::SigningBytes {
        &self.form.bytes
    }
}
