//! Keys that are expanded once, for many signatures.

use super::{Context, Mu, Prehashed, RND_BYTES, SignatureSet, SigningKey, VerifyingKey};
use super::{MU_BYTES, SigningError, TooManyAttempts, VerificationError};
use crate::secret::SecretBytes;
use crate::set::Bytes;
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::convert::Infallible;
use rand_core::{CryptoRng, TryCryptoRng};
use ringsmith_simd::Cpu;

/// A parameter set whose keys can be expanded.
pub trait PreparedSet: SignatureSet {
    /// A private key, expanded. It clears what is secret on drop.
    type Signing: Send + Sync + 'static;
    /// A public key, expanded.
    type Verifying: Clone + Send + Sync + 'static;
    /// Room for a private key.
    const SIGNING: Self::Signing;
    /// Room for a public key.
    const VERIFYING: Self::Verifying;

    /// Expands a private key in its place. Constant time.
    fn prepare_signing(cpu: Cpu, signing: &Self::SigningBytes, key: &mut Self::Signing);

    /// Expands a public key.
    fn prepare_verifying(cpu: Cpu, verifying: &Self::VerifyingBytes, key: &mut Self::Verifying);

    /// [`sign`](SignatureSet::sign) with a key that was expanded on the same CPU.
    ///
    /// # Errors
    /// The same.
    fn sign_prepared(
        cpu: Cpu,
        key: &Self::Signing,
        mu: &[u8; MU_BYTES],
        rnd: &[u8; RND_BYTES],
        signature: &mut Self::SignatureBytes,
    ) -> Result<(), TooManyAttempts>;

    /// [`verify`](SignatureSet::verify) with a key that was expanded on the same CPU.
    #[must_use]
    fn verify_prepared(
        cpu: Cpu,
        key: &Self::Verifying,
        mu: &[u8; MU_BYTES],
        signature: &Self::SignatureBytes,
    ) -> bool;
}

/// A public key, expanded: it verifies faster, and takes up to 66 KiB.
#[derive(Clone)]
pub struct PreparedVerifyingKey<S: PreparedSet> {
    expanded: S::Verifying,
    key: VerifyingKey<S>,
}

impl<S: PreparedSet> PreparedVerifyingKey<S> {
    /// Expands a key.
    pub fn new(key: &VerifyingKey<S>) -> Self {
        let mut prepared = PreparedVerifyingKey { expanded: S::VERIFYING, key: key.clone() };
        S::prepare_verifying(key.cpu(), key.as_bytes(), &mut prepared.expanded);
        prepared
    }

    /// The key.
    pub fn verifying_key(&self) -> &VerifyingKey<S> {
        &self.key
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
        self.verify_mu(&self.key.mu(context, message), signature)
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
        self.verify_mu(&self.key.prehashed(context, message), signature)
    }

    /// Verifies the signature of 64 bytes.
    ///
    /// # Errors
    /// The same.
    pub fn verify_mu(&self, mu: &Mu, signature: &[u8]) -> Result<(), VerificationError> {
        let signature = S::SignatureBytes::of(signature).ok_or(VerificationError)?;
        let valid = S::verify_prepared(self.key.cpu(), &self.expanded, &mu.0, signature);
        if valid { Ok(()) } else { Err(VerificationError) }
    }
}

/// A private key, expanded: its first attempts are faster, and it takes up to 85 KiB. What is secret is
/// cleared on drop.
pub struct PreparedSigningKey<S: PreparedSet> {
    expanded: S::Signing,
    public: VerifyingKey<S>,
}

impl<S: PreparedSet> PreparedSigningKey<S> {
    /// Expands a key. It is returned by value: what a move leaves on the stack nobody clears.
    pub fn new(key: &SigningKey<S>) -> Self {
        let mut prepared = Self::blank(key);
        prepared.fill(key);
        prepared
    }

    /// Expands a key where it stays: no copy of it is left elsewhere.
    #[cfg(feature = "alloc")]
    pub fn new_boxed(key: &SigningKey<S>) -> Box<Self> {
        let mut prepared = Box::new(Self::blank(key));
        prepared.fill(key);
        prepared
    }

    /// Replaces this key by another one, in its place.
    pub fn prepare_into(&mut self, key: &SigningKey<S>) {
        self.public = key.verifying_key().clone();
        self.fill(key);
    }

    /// Room for a key.
    fn blank(key: &SigningKey<S>) -> Self {
        PreparedSigningKey { expanded: S::SIGNING, public: key.verifying_key().clone() }
    }

    fn fill(&mut self, key: &SigningKey<S>) {
        S::prepare_signing(self.public.cpu(), key.as_bytes(), &mut self.expanded);
    }

    /// The public key.
    pub fn verifying_key(&self) -> &VerifyingKey<S> {
        &self.public
    }

    /// Signs a message, with 32 bytes of randomness.
    ///
    /// # Errors
    /// Never with a key that is not damaged: see [`TooManyAttempts`].
    pub fn sign(
        &self,
        rng: &mut (impl CryptoRng + ?Sized),
        context: Context<'_>,
        message: &[u8],
    ) -> Result<S::SignatureBytes, TooManyAttempts> {
        self.sign_mu(rng, &self.public.mu(context, message))
    }

    /// Signs a message; the same signature each time, which is that of [`SigningKey`].
    ///
    /// # Errors
    /// The same.
    pub fn sign_deterministic(
        &self,
        context: Context<'_>,
        message: &[u8],
    ) -> Result<S::SignatureBytes, TooManyAttempts> {
        self.sign_mu_deterministic(&self.public.mu(context, message))
    }

    /// Signs a digest, with 32 bytes of randomness.
    ///
    /// # Errors
    /// The same.
    pub fn sign_prehashed(
        &self,
        rng: &mut (impl CryptoRng + ?Sized),
        context: Context<'_>,
        message: Prehashed<'_>,
    ) -> Result<S::SignatureBytes, TooManyAttempts> {
        self.sign_mu(rng, &self.public.prehashed(context, message))
    }

    /// Signs 64 bytes, with 32 bytes of randomness.
    ///
    /// # Errors
    /// The same.
    pub fn sign_mu(
        &self,
        rng: &mut (impl CryptoRng + ?Sized),
        mu: &Mu,
    ) -> Result<S::SignatureBytes, TooManyAttempts> {
        let mut signature = S::SignatureBytes::ZERO;
        match self.try_sign_mu_into(rng, mu, &mut signature) {
            Ok(()) => Ok(signature),
            Err(SigningError::Attempts(why)) => Err(why),
            Err(SigningError::Random(never)) => {
                let never: Infallible = never;
                match never {}
            }
        }
    }

    /// The same with a generator that may fail, to where the caller wants the signature.
    ///
    /// # Errors
    /// The generator's, too; the signature is not changed where the generator fails, and zero where attempts
    /// do.
    pub fn try_sign_mu_into<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        mu: &Mu,
        signature: &mut S::SignatureBytes,
    ) -> Result<(), SigningError<R::Error>> {
        let mut rnd = SecretBytes::<RND_BYTES>::zero();
        rng.try_fill_bytes(rnd.as_mut()).map_err(SigningError::Random)?;
        Ok(S::sign_prepared(self.public.cpu(), &self.expanded, &mu.0, &rnd, signature)?)
    }

    /// Signs 64 bytes; the same signature each time.
    ///
    /// # Errors
    /// See [`sign`](Self::sign).
    pub fn sign_mu_deterministic(&self, mu: &Mu) -> Result<S::SignatureBytes, TooManyAttempts> {
        self.signature(mu, &[0; RND_BYTES])
    }

    /// Signs 64 bytes with bytes in place of randomness: for test vectors.
    ///
    /// # Errors
    /// See [`sign`](Self::sign).
    #[cfg(feature = "hazmat")]
    pub fn sign_mu_with(&self, mu: &Mu, rnd: &[u8; RND_BYTES]) -> Result<S::SignatureBytes, TooManyAttempts> {
        self.signature(mu, rnd)
    }

    fn signature(&self, mu: &Mu, rnd: &[u8; RND_BYTES]) -> Result<S::SignatureBytes, TooManyAttempts> {
        let mut signature = S::SignatureBytes::ZERO;
        S::sign_prepared(self.public.cpu(), &self.expanded, &mu.0, rnd, &mut signature)?;
        Ok(signature)
    }
}
