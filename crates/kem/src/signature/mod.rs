//! Signatures: the keys of every parameter set, contexts, and messages in pieces.
//!
//! A signature is made in two steps. The first hashes the message, with the public key and a [`Context`], to
//! 64 bytes, [`Mu`]; a message that comes in pieces is hashed as it comes ([`Message`]), in constant memory.
//! The second signs these 64 bytes. Who signs a slice has both by one call.
//!
//! | what is signed | `M'`, which is hashed behind `H(pk)` |
//! |---|---|
//! | a message | `0`, the length of the context, the context, the message |
//! | its digest, where a protocol says so ([`Prehashed`]) | `1`, length, context, the hash's OID, digest |
//! | 64 bytes that were computed elsewhere ([`Mu`]) | |
//!
//! A parameter set is a type with the trait [`SignatureSet`]: five functions on bytes.
//!
//! Source: FIPS 204, sections 5 and 6.

mod error;
mod keys;
mod message;
mod prehash;
mod prepared;
mod signer;
mod table;
#[cfg(feature = "signature")]
pub mod traits;

pub use error::{ContextTooLong, DigestLength, SigningError, TooManyAttempts, VerificationError};
pub use keys::{LongForm, SigningKey, VerifyingKey};
pub use message::{Context, Message, Mu};
pub use prehash::{Prehash, Prehashed};
pub use prepared::{PreparedSet, PreparedSigningKey, PreparedVerifyingKey};
pub use signer::{PrivateKey, SigningForm};
pub use table::SignatureScheme;

use crate::error::InvalidKey;
use crate::set::{Bytes, Status};
use ringsmith_simd::Cpu;

/// Bytes of the seed of a private key.
pub const SEED_BYTES: usize = 32;
/// Bytes of the randomness of a signature.
pub const RND_BYTES: usize = 32;
/// Bytes of [`Mu`].
pub const MU_BYTES: usize = 64;

/// A parameter set of a signature scheme whose private keys are expanded from a seed, and which signs 64
/// bytes ([`Mu`]). Secrets are filled in place.
pub trait SignatureSet: Sized + 'static {
    /// Its name in its standard.
    const NAME: &'static str;
    /// Whether it is a standard, historical, or for research.
    const STATUS: Status;
    /// Where it is defined.
    const SOURCE: &'static str;
    /// An encoded public key.
    type VerifyingBytes: Bytes;
    /// An encoded private key in its long form.
    type SigningBytes: Bytes;
    /// An encoded signature.
    type SignatureBytes: Bytes;

    /// Writes both keys of a seed. Constant time.
    fn expand(
        cpu: Cpu,
        seed: &[u8; SEED_BYTES],
        signing: &mut Self::SigningBytes,
        verifying: &mut Self::VerifyingBytes,
    );

    /// The hash of the public key, which a private key in its long form has.
    fn key_hash(signing: &Self::SigningBytes) -> &[u8; 64];

    /// Checks a private key in its long form, and writes its public key. Constant time, but for the result.
    ///
    /// # Errors
    /// Where the bytes are no key: a part is out of its range, or does not follow from the others.
    fn check(
        cpu: Cpu,
        signing: &Self::SigningBytes,
        verifying: &mut Self::VerifyingBytes,
    ) -> Result<(), InvalidKey>;

    /// Writes the signature of `mu` with the randomness `rnd`. Constant time, but for the number of attempts,
    /// which does not depend on the key.
    ///
    /// # Errors
    /// Where no attempt succeeded within the scheme's budget; then the signature is zero.
    fn sign(
        cpu: Cpu,
        signing: &Self::SigningBytes,
        mu: &[u8; MU_BYTES],
        rnd: &[u8; RND_BYTES],
        signature: &mut Self::SignatureBytes,
    ) -> Result<(), TooManyAttempts>;

    /// Whether a signature is one of `mu`. All is public: not constant time.
    #[must_use]
    fn verify(
        cpu: Cpu,
        verifying: &Self::VerifyingBytes,
        mu: &[u8; MU_BYTES],
        signature: &Self::SignatureBytes,
    ) -> bool;
}

/// What a set's verification says of a signature, which must have the set's length.
fn verdict<S: SignatureSet>(
    signature: &[u8],
    verify: impl FnOnce(&S::SignatureBytes) -> bool,
) -> Result<(), VerificationError> {
    S::SignatureBytes::of(signature).is_some_and(verify).then_some(()).ok_or(VerificationError)
}
