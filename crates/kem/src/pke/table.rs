//! Parameter sets of public-key encryption as data, for tools that serve all of them.

use super::keys::fits;
use super::{OnceError, PkeSet};
use crate::scheme::{SchemeError, Status, exactly, exactly_mut};
use crate::secret::SecretArray;
use crate::set::{Bytes, drawing};
use rand_core::CryptoRng;
use ringsmith_simd::Cpu;

#[cfg(feature = "pkcs8")]
pub use crate::encoding::PublicEncoding;

/// How public keys are encoded: without the feature `pkcs8` there is nothing of this type.
#[cfg(not(feature = "pkcs8"))]
pub enum PublicEncoding {}

type Generate = fn(Cpu, &mut dyn CryptoRng, &mut [u8], &mut [u8]) -> Result<(), SchemeError>;
type Check = fn(Cpu, &[u8]) -> Result<(), SchemeError>;
type PublicKeyOf = fn(Cpu, &[u8], &mut [u8]) -> Result<(), SchemeError>;
type Encrypt = fn(Cpu, &[u8], &[u8], &mut dyn CryptoRng, &mut [u8]) -> Result<(), SchemeError>;
type Decrypt = fn(Cpu, &[u8], &[u8], &mut [u8]) -> Result<usize, SchemeError>;
type Import = fn(Cpu, &[u8], &mut [u8]) -> Result<(), SchemeError>;

/// A parameter set of public-key encryption: its facts, and its operations on bytes. An operation that fails
/// writes nothing.
pub struct PublicKeyEncryption {
    /// Its name in its standard.
    pub name: &'static str,
    /// Whether it is a standard, historical, or for research.
    pub status: Status,
    /// Where it is defined.
    pub source: &'static str,
    /// Bytes of a public key.
    pub public_key: usize,
    /// Bytes of a private key.
    pub private_key: usize,
    /// Bytes of a ciphertext.
    pub ciphertext: usize,
    /// The greatest length of a message, in bytes.
    pub message: usize,
    /// Writes a new public key and its private key.
    pub generate: Generate,
    /// Checks a public key as its standard requires.
    pub check_public_key: Check,
    /// Checks a private key and writes its public key.
    pub public_key_of: PublicKeyOf,
    /// Takes a public key and a message; writes a ciphertext.
    pub encrypt: Encrypt,
    /// Takes a private key and a ciphertext; writes the message, then zeroes up to the longest message, and
    /// returns the message's length. A ciphertext of a wrong length gives the same error as any other that
    /// was not made for the key.
    pub decrypt: Decrypt,
    /// Whether the caller must name the set to read its keys: other sets have the same identifiers, or keys
    /// that look the same.
    pub by_name: bool,
    /// Takes a private key in any form of its standard; writes it in the usual form.
    pub import: Option<Import>,
    /// Public keys in DER and PEM, where the scheme has an object identifier and the feature `pkcs8` is on.
    pub encoding: Option<PublicEncoding>,
}

impl PublicKeyEncryption {
    /// The operations of a set on encoded bytes.
    pub const fn of<S: PkeSet>() -> Self {
        PublicKeyEncryption {
            name: S::NAME,
            status: S::STATUS,
            source: S::SOURCE,
            public_key: S::PublicBytes::LEN,
            private_key: S::PrivateBytes::LEN,
            ciphertext: S::CiphertextBytes::LEN,
            message: S::MessageBytes::LEN,
            generate: generate::<S>,
            check_public_key: check_public_key::<S>,
            public_key_of: public_key_of::<S>,
            encrypt: encrypt::<S>,
            decrypt: decrypt::<S>,
            by_name: false,
            import: None,
            encoding: None,
        }
    }
}

fn generate<S: PkeSet>(
    cpu: Cpu,
    rng: &mut dyn CryptoRng,
    public: &mut [u8],
    private: &mut [u8],
) -> Result<(), SchemeError> {
    let out = (exactly_mut("public key", public)?, exactly_mut("private key", private)?);
    let Ok(()) = drawing(rng, |draw| S::generate_once(S::planned(cpu), draw, out));
    Ok(())
}

fn check_public_key<S: PkeSet>(cpu: Cpu, public: &[u8]) -> Result<(), SchemeError> {
    let public = exactly("public key", public)?;
    Ok(S::check_once(S::planned(cpu), public)?)
}

fn public_key_of<S: PkeSet>(cpu: Cpu, private: &[u8], public: &mut [u8]) -> Result<(), SchemeError> {
    let (public, private) = (exactly_mut("public key", public)?, exactly("private key", private)?);
    Ok(S::public_key_of(S::planned(cpu), private, public)?)
}

fn encrypt<S: PkeSet>(
    cpu: Cpu,
    public: &[u8],
    message: &[u8],
    rng: &mut dyn CryptoRng,
    ciphertext: &mut [u8],
) -> Result<(), SchemeError> {
    let (public, ciphertext) = (exactly("public key", public)?, exactly_mut("ciphertext", ciphertext)?);
    fits::<S>(message)?;
    let (mut made, mut result) = (S::CiphertextBytes::ZERO, Ok(()));
    let Ok(()) = drawing(rng, |draw| {
        match S::encrypt_once(S::planned(cpu), public, message, draw, &mut made) {
            Err(OnceError::Failed) => return Err(crate::set::Failed),
            Err(_) => result = Err(SchemeError::InvalidKey),
            Ok(()) => *ciphertext = made,
        }
        Ok(())
    });
    result
}

fn decrypt<S: PkeSet>(
    cpu: Cpu,
    private: &[u8],
    ciphertext: &[u8],
    message: &mut [u8],
) -> Result<usize, SchemeError> {
    let (message, private) = (exactly_mut("message", message)?, exactly("private key", private)?);
    let ciphertext = S::CiphertextBytes::of(ciphertext).ok_or(SchemeError::Decryption)?;
    let mut found = SecretArray::<S::MessageBytes>::zero();
    let length = S::decrypt_once(S::planned(cpu), private, ciphertext, &mut found)?;
    *message = *found;
    Ok(length)
}

impl From<OnceError> for SchemeError {
    fn from(error: OnceError) -> Self {
        match error {
            OnceError::Decryption => SchemeError::Decryption,
            // A generator that failed has an error of its own, which is told.
            OnceError::InvalidKey | OnceError::Failed => SchemeError::InvalidKey,
        }
    }
}
