//! Parameter sets of signatures as data, for tools that serve all of them.

use super::{
    Context, Message, Mu, RND_BYTES, SEED_BYTES, SignatureSet, TooManyAttempts, VerificationError,
    VerifyingKey,
};
use crate::scheme::{Encoding, SchemeError, Status, exactly, exactly_mut};
use crate::secret::SecretBytes;
use crate::set::Bytes;
use rand_core::CryptoRng;
use ringsmith_simd::Cpu;

type Expand = fn(Cpu, &[u8], &mut [u8], &mut [u8]) -> Result<(), SchemeError>;
type PublicKeyOf = fn(Cpu, &[u8], &mut [u8]) -> Result<(), SchemeError>;
type MessageTo = fn(Cpu, &[u8], Context<'_>) -> Result<Message, SchemeError>;
type Sign = fn(Cpu, &[u8], &Mu, &mut dyn CryptoRng, &mut [u8]) -> Result<(), SchemeError>;
type SignDeterministic = fn(Cpu, &[u8], &Mu, &mut [u8]) -> Result<(), SchemeError>;
type Verify = fn(Cpu, &[u8], &Mu, &[u8]) -> Result<(), SchemeError>;

/// A parameter set of signatures: its facts, and its operations on encoded bytes. Where an operation fails,
/// what it writes to is as it was, or zero.
pub struct SignatureScheme {
    /// Its name in its standard.
    pub name: &'static str,
    /// Whether it is a standard, historical, or for research.
    pub status: Status,
    /// Where it is defined.
    pub source: &'static str,
    /// Bytes of a public key; any so many are one.
    pub public_key: usize,
    /// Bytes of a private key in its long form, which [`sign`](SignatureScheme::sign) takes.
    pub private_key: usize,
    /// Bytes of the seed, the short form of a private key.
    pub seed: usize,
    /// Bytes of a signature.
    pub signature: usize,
    /// Of a seed, which is random: writes the public key and the private key.
    pub expand: Expand,
    /// Checks a private key and writes its public key.
    pub public_key_of: PublicKeyOf,
    /// Of a public key and a context: begins a message, which ends with what is signed.
    pub message: MessageTo,
    /// Of a private key that was checked: signs with 32 bytes of randomness.
    pub sign: Sign,
    /// The same without randomness: the same signature each time.
    pub sign_deterministic: SignDeterministic,
    /// Of a public key, what was signed and a signature: whether it was made of that with the private key. A
    /// signature of another length is one that was not, as any other.
    pub verify: Verify,
    /// Keys in DER and PEM, where the set has an object identifier and the feature `pkcs8` is on.
    pub encoding: Option<Encoding>,
}

impl SignatureScheme {
    /// The operations of a set on encoded bytes.
    pub const fn of<S: SignatureSet>() -> Self {
        SignatureScheme {
            name: S::NAME,
            status: S::STATUS,
            source: S::SOURCE,
            public_key: S::VerifyingBytes::LEN,
            private_key: S::SigningBytes::LEN,
            seed: SEED_BYTES,
            signature: S::SignatureBytes::LEN,
            expand: expand::<S>,
            public_key_of: public_key_of::<S>,
            message: message::<S>,
            sign: sign::<S>,
            sign_deterministic: sign_deterministic::<S>,
            verify: verify::<S>,
            encoding: None,
        }
    }
}

fn expand<S: SignatureSet>(
    cpu: Cpu,
    seed: &[u8],
    public: &mut [u8],
    private: &mut [u8],
) -> Result<(), SchemeError> {
    let (public, private) = (exactly_mut("public key", public)?, exactly_mut("private key", private)?);
    S::expand(cpu, exactly("seed", seed)?, private, public);
    Ok(())
}

fn public_key_of<S: SignatureSet>(cpu: Cpu, private: &[u8], public: &mut [u8]) -> Result<(), SchemeError> {
    Ok(S::check(cpu, exactly("private key", private)?, exactly_mut("public key", public)?)?)
}

fn message<S: SignatureSet>(cpu: Cpu, public: &[u8], context: Context<'_>) -> Result<Message, SchemeError> {
    Ok(VerifyingKey::<S>::from_bytes_on(cpu, exactly("public key", public)?).message(context))
}

fn sign<S: SignatureSet>(
    cpu: Cpu,
    private: &[u8],
    mu: &Mu,
    rng: &mut dyn CryptoRng,
    signature: &mut [u8],
) -> Result<(), SchemeError> {
    let mut rnd = SecretBytes::<RND_BYTES>::zero();
    rng.fill_bytes(rnd.as_mut());
    sign_with::<S>(cpu, private, mu, &rnd, signature)
}

fn sign_deterministic<S: SignatureSet>(
    cpu: Cpu,
    private: &[u8],
    mu: &Mu,
    signature: &mut [u8],
) -> Result<(), SchemeError> {
    sign_with::<S>(cpu, private, mu, &[0; RND_BYTES], signature)
}

fn sign_with<S: SignatureSet>(
    cpu: Cpu,
    private: &[u8],
    mu: &Mu,
    rnd: &[u8; RND_BYTES],
    signature: &mut [u8],
) -> Result<(), SchemeError> {
    let (private, signature) = (exactly("private key", private)?, exactly_mut("signature", signature)?);
    Ok(S::sign(cpu, private, &mu.0, rnd, signature)?)
}

fn verify<S: SignatureSet>(cpu: Cpu, public: &[u8], mu: &Mu, signature: &[u8]) -> Result<(), SchemeError> {
    let public = exactly("public key", public)?;
    let signature = S::SignatureBytes::of(signature).ok_or(VerificationError)?;
    if S::verify(cpu, public, &mu.0, signature) { Ok(()) } else { Err(VerificationError.into()) }
}

impl From<VerificationError> for SchemeError {
    fn from(_: VerificationError) -> Self {
        SchemeError::Verification
    }
}

impl From<TooManyAttempts> for SchemeError {
    fn from(_: TooManyAttempts) -> Self {
        SchemeError::Attempts
    }
}
