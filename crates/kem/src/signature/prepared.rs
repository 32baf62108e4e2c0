//! Keys that are expanded once, for many signatures.

use super::{Context, MU_BYTES, Mu, Prehashed, PrivateKey, SignatureSet, SigningForm, SigningKey};
use super::{VerificationError, VerifyingKey, verdict};
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use ringsmith_simd::Cpu;

/// A parameter set whose keys can be expanded.
pub trait PreparedSet: SignatureSet {
    /// A private key, expanded. It clears what is secret on drop.
    type Signing: SigningForm<Self> + Send + Sync + 'static;
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
        verdict::<S>(signature, |signature| {
            S::verify_prepared(self.key.cpu(), &self.expanded, &mu.0, signature)
        })
    }
}

/// A private key, expanded: its first attempts are faster, and it takes up to 85 KiB. What is secret is
/// cleared on drop.
pub type PreparedSigningKey<S> = PrivateKey<S, <S as PreparedSet>::Signing>;

impl<S: PreparedSet> PreparedSigningKey<S> {
    /// Expands a key. It is returned by value: what a move leaves on the stack nobody clears.
    pub fn new(key: &SigningKey<S>) -> Self {
        let mut prepared = Self::unfilled(key);
        prepared.fill(key);
        prepared
    }

    /// Expands a key where it stays: no copy of it is left elsewhere.
    #[cfg(feature = "alloc")]
    pub fn new_boxed(key: &SigningKey<S>) -> Box<Self> {
        let mut prepared = Box::new(Self::unfilled(key));
        prepared.fill(key);
        prepared
    }

    /// Replaces this key by another one, in its place.
    pub fn prepare_into(&mut self, key: &SigningKey<S>) {
        self.public = key.verifying_key().clone();
        self.fill(key);
    }

    /// Room for a key.
    fn unfilled(key: &SigningKey<S>) -> Self {
        PrivateKey { form: S::SIGNING, public: key.verifying_key().clone() }
    }

    fn fill(&mut self, key: &SigningKey<S>) {
        S::prepare_signing(self.public.cpu(), key.as_bytes(), &mut self.form);
    }
}
