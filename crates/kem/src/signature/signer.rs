//! Signing with a private key, in whichever form it is.

use super::{Context, MU_BYTES, Mu, Prehashed, RND_BYTES, SignatureSet, VerifyingKey};
use super::{SigningError, TooManyAttempts};
use crate::secret::SecretBytes;
use crate::set::Bytes;
use core::convert::Infallible;
use rand_core::{CryptoRng, TryCryptoRng};
use ringsmith_simd::Cpu;

/// A form of private keys: what signs 64 bytes.
pub trait SigningForm<S: SignatureSet> {
    /// [`SignatureSet::sign`] with this key, on the CPU that made it.
    ///
    /// # Errors
    /// The same.
    fn sign(
        &self,
        cpu: Cpu,
        mu: &[u8; MU_BYTES],
        rnd: &[u8; RND_BYTES],
        signature: &mut S::SignatureBytes,
    ) -> Result<(), TooManyAttempts>;
}

/// A private key in some form, with its public one: [`SigningKey`](super::SigningKey), which is read and
/// stored, or [`PreparedSigningKey`](super::PreparedSigningKey). Both make the same signatures.
pub struct PrivateKey<S: SignatureSet, F> {
    pub(super) form: F,
    pub(super) public: VerifyingKey<S>,
}

impl<S: SignatureSet, F: SigningForm<S>> PrivateKey<S, F> {
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

    /// Signs a message; the same signature each time.
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

    /// Signs 64 bytes, with 32 bytes of randomness: those of a message in pieces
    /// ([`VerifyingKey::message`]), or of one that others have hashed.
    ///
    /// # Errors
    /// The same.
    pub fn sign_mu(
        &self,
        rng: &mut (impl CryptoRng + ?Sized),
        mu: &Mu,
    ) -> Result<S::SignatureBytes, TooManyAttempts> {
        self.try_sign_mu(rng, mu).map_err(|why: SigningError<Infallible>| match why {
            SigningError::Attempts(why) => why,
            SigningError::Random(never) => match never {},
        })
    }

    /// The same, with a generator that may fail.
    ///
    /// # Errors
    /// The generator's, too.
    pub fn try_sign_mu<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        mu: &Mu,
    ) -> Result<S::SignatureBytes, SigningError<R::Error>> {
        let mut signature = S::SignatureBytes::ZERO;
        self.try_sign_mu_into(rng, mu, &mut signature)?;
        Ok(signature)
    }

    /// [`try_sign_mu`](Self::try_sign_mu) to where the caller wants the signature.
    ///
    /// # Errors
    /// The same; the signature is not changed where the generator fails, and zero where attempts do.
    pub fn try_sign_mu_into<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        mu: &Mu,
        signature: &mut S::SignatureBytes,
    ) -> Result<(), SigningError<R::Error>> {
        let mut rnd = SecretBytes::<RND_BYTES>::zero();
        rng.try_fill_bytes(rnd.as_mut()).map_err(SigningError::Random)?;
        Ok(self.form.sign(self.public.cpu(), &mu.0, &rnd, signature)?)
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
        self.form.sign(self.public.cpu(), &mu.0, rnd, &mut signature)?;
        Ok(signature)
    }
}
