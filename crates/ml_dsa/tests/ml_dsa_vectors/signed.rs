//! What a case signs. The crate `ringsmith-testkit` has this file, too.

use ringsmith_kem::signature::{Context, Message, Mu, Prehash, Prehashed, SignatureSet, VerifyingKey};
use sha2::Digest;
use shake::{ExtendableOutput, Update};

/// What is signed, as a file says it.
#[derive(Clone, Copy)]
pub(crate) enum Signed<'a> {
    /// A message, for a context.
    Message { context: &'a [u8], message: &'a [u8] },
    /// The digest of a message by a hash, for a context.
    Prehashed { context: &'a [u8], hash: Prehash, message: &'a [u8] },
    /// What the standard's internal functions take, without a context.
    Internal(&'a [u8]),
    /// The 64 bytes themselves.
    Mu(&'a [u8; 64]),
}

/// The hash of a name in NIST's files.
pub(crate) fn hash_of(name: &str) -> Option<Prehash> {
    Prehash::ALL.iter().copied().find(|hash| hash.name() == name)
}

fn digest(hash: Prehash, message: &[u8]) -> Vec<u8> {
    match hash {
        Prehash::Sha224 => sha2::Sha224::digest(message).to_vec(),
        Prehash::Sha256 => sha2::Sha256::digest(message).to_vec(),
        Prehash::Sha384 => sha2::Sha384::digest(message).to_vec(),
        Prehash::Sha512 => sha2::Sha512::digest(message).to_vec(),
        Prehash::Sha512_224 => sha2::Sha512_224::digest(message).to_vec(),
        Prehash::Sha512_256 => sha2::Sha512_256::digest(message).to_vec(),
        Prehash::Sha3_224 => sha3::Sha3_224::digest(message).to_vec(),
        Prehash::Sha3_256 => sha3::Sha3_256::digest(message).to_vec(),
        Prehash::Sha3_384 => sha3::Sha3_384::digest(message).to_vec(),
        Prehash::Sha3_512 => sha3::Sha3_512::digest(message).to_vec(),
        Prehash::Shake128 => shake::Shake128::default().chain(message).finalize_boxed(32).to_vec(),
        _ => shake::Shake256::default().chain(message).finalize_boxed(64).to_vec(),
    }
}

impl Signed<'_> {
    /// The 64 bytes that are signed; none where the context is too long.
    pub(crate) fn mu<S: SignatureSet>(&self, key: &VerifyingKey<S>) -> Option<Mu> {
        let pieces = |mut message: Message, all: &[u8]| {
            all.chunks(1 + all.len() / 3).for_each(|piece| message.update(piece));
            message.finish()
        };
        Some(match *self {
            Signed::Message { context, message } => pieces(key.message(Context::new(context).ok()?), message),
            Signed::Internal(message) => pieces(key.internal_message(), message),
            Signed::Mu(mu) => Mu::from_bytes(*mu),
            Signed::Prehashed { context, hash, message } => {
                let digest = digest(hash, message);
                key.prehashed(Context::new(context).ok()?, Prehashed::new(hash, &digest).ok()?)
            }
        })
    }
}
