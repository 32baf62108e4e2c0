//! The traits of the crate `signature` 3 for the keys of every parameter set, [prepared](super::PreparedSet)
//! ones too.
//!
//! The traits know no context: it is empty, as in certificates (RFC 9881). [`Signer`] and [`MultipartSigner`]
//! sign deterministically, [`RandomizedSigner`] and [`RandomizedMultipartSigner`] with randomness, which is
//! the better choice where there is a generator. A message in several parts has the signature of the whole.
//!
//! The keys have functions called `sign` and `verify` of their own, with a context: call the traits' of the
//! same name by the trait, as in `Signer::sign(&key, message)`, or in generic code.

pub use ::signature::{
    Error, Keypair, MultipartSigner, MultipartVerifier, RandomizedMultipartSigner, RandomizedSigner,
    SignatureEncoding, Signer, Verifier,
};

use super::{
    Context, Mu, PreparedSet, PreparedVerifyingKey, PrivateKey, SignatureSet, SigningForm, VerifyingKey,
};
use crate::set::Bytes;
use core::fmt;
use rand_core::TryCryptoRng;

/// A signature as a type of its own, which belongs to a set.
pub struct Signature<S: SignatureSet>(S::SignatureBytes);

impl<S: SignatureSet> Signature<S> {
    /// Of these bytes.
    pub const fn from_bytes(bytes: S::SignatureBytes) -> Self {
        Signature(bytes)
    }

    /// The bytes.
    pub const fn as_bytes(&self) -> &S::SignatureBytes {
        &self.0
    }
}

impl<S: SignatureSet> Clone for Signature<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: SignatureSet> Copy for Signature<S> {}

impl<S: SignatureSet> PartialEq for Signature<S> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<S: SignatureSet> Eq for Signature<S> {}

/// The first bytes.
impl<S: SignatureSet> fmt::Debug for Signature<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} Signature(", S::NAME)?;
        self.0.as_ref().iter().take(16).try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str("..)")
    }
}

/// Fails where the length is another than the set's.
impl<S: SignatureSet> TryFrom<&[u8]> for Signature<S> {
    type Error = Error;
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        S::SignatureBytes::of(bytes).copied().map(Signature).ok_or_else(Error::new)
    }
}

impl<S: SignatureSet<SignatureBytes = [u8; N]>, const N: usize> From<Signature<S>> for [u8; N] {
    fn from(signature: Signature<S>) -> Self {
        signature.0
    }
}

impl<S: SignatureSet<SignatureBytes = [u8; N]>, const N: usize> SignatureEncoding for Signature<S> {
    type Repr = [u8; N];
}

impl<S: SignatureSet, F: SigningForm<S>> Keypair for PrivateKey<S, F> {
    type VerifyingKey = VerifyingKey<S>;
    fn verifying_key(&self) -> VerifyingKey<S> {
        PrivateKey::verifying_key(self).clone()
    }
}

impl<S: SignatureSet, F: SigningForm<S>> Signer<Signature<S>> for PrivateKey<S, F> {
    fn try_sign(&self, message: &[u8]) -> Result<Signature<S>, Error> {
        self.try_multipart_sign(&[message])
    }
}

impl<S: SignatureSet, F: SigningForm<S>> MultipartSigner<Signature<S>> for PrivateKey<S, F> {
    fn try_multipart_sign(&self, message: &[&[u8]]) -> Result<Signature<S>, Error> {
        let mu = mu(PrivateKey::verifying_key(self), message);
        self.sign_mu_deterministic(&mu).map(Signature).map_err(|_| Error::new())
    }
}

impl<S: SignatureSet, F: SigningForm<S>> RandomizedSigner<Signature<S>> for PrivateKey<S, F> {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature<S>, Error> {
        self.try_multipart_sign_with_rng(rng, &[message])
    }
}

impl<S: SignatureSet, F: SigningForm<S>> RandomizedMultipartSigner<Signature<S>> for PrivateKey<S, F> {
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
    ) -> Result<Signature<S>, Error> {
        let mu = mu(PrivateKey::verifying_key(self), message);
        self.try_sign_mu(rng, &mu).map(Signature).map_err(|_| Error::new())
    }
}

impl<S: SignatureSet> Verifier<Signature<S>> for VerifyingKey<S> {
    fn verify(&self, message: &[u8], signature: &Signature<S>) -> Result<(), Error> {
        self.multipart_verify(&[message], signature)
    }
}

impl<S: SignatureSet> MultipartVerifier<Signature<S>> for VerifyingKey<S> {
    fn multipart_verify(&self, message: &[&[u8]], signature: &Signature<S>) -> Result<(), Error> {
        self.verify_mu(&mu(self, message), signature.0.as_ref()).map_err(|_| Error::new())
    }
}

impl<S: PreparedSet> Verifier<Signature<S>> for PreparedVerifyingKey<S> {
    fn verify(&self, message: &[u8], signature: &Signature<S>) -> Result<(), Error> {
        self.multipart_verify(&[message], signature)
    }
}

impl<S: PreparedSet> MultipartVerifier<Signature<S>> for PreparedVerifyingKey<S> {
    fn multipart_verify(&self, message: &[&[u8]], signature: &Signature<S>) -> Result<(), Error> {
        let mu = mu(self.verifying_key(), message);
        self.verify_mu(&mu, signature.0.as_ref()).map_err(|_| Error::new())
    }
}

/// What is signed of a message in parts.
fn mu<S: SignatureSet>(key: &VerifyingKey<S>, parts: &[&[u8]]) -> Mu {
    let mut message = key.message(Context::EMPTY);
    parts.iter().for_each(|part| message.update(part));
    message.finish()
}
