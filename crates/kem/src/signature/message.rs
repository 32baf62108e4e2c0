//! What is signed: FIPS 204, algorithms 2, 4 and 7.

use super::{ContextTooLong, MU_BYTES, Prehashed};
use ringsmith_hash::Shake256;
use ringsmith_simd::Cpu;

/// What a signature is for: up to 255 bytes that signer and verifier agree on, none in most protocols. A
/// signature for one context is not valid for another.
///
/// ```
/// use ringsmith_kem::signature::Context;
///
/// let context = Context::new(b"release of example 1.0")?;
/// assert_eq!(context.as_bytes().len(), 22);
/// assert!(Context::new(&[0; 256]).is_err());
/// # Ok::<(), ringsmith_kem::signature::ContextTooLong>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Context<'a> {
    bytes: &'a [u8],
    length: u8,
}

impl<'a> Context<'a> {
    /// No bytes.
    pub const EMPTY: Context<'static> = Context { bytes: &[], length: 0 };

    /// These bytes.
    ///
    /// # Errors
    /// Where they are more than 255.
    pub const fn new(bytes: &'a [u8]) -> Result<Self, ContextTooLong> {
        if bytes.len() > u8::MAX as usize {
            return Err(ContextTooLong { given: bytes.len() });
        }
        Ok(Context { bytes, length: bytes.len() as u8 })
    }

    /// The bytes.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }
}

/// The 64 bytes that are signed: a hash of the public key, the context and the message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mu(pub(super) [u8; MU_BYTES]);

impl Mu {
    /// Bytes that were computed elsewhere, as where a device signs that does not see the message ("external
    /// mu").
    pub const fn from_bytes(bytes: [u8; MU_BYTES]) -> Self {
        Mu(bytes)
    }

    /// The bytes.
    pub const fn to_bytes(self) -> [u8; MU_BYTES] {
        self.0
    }
}

/// A message that is hashed as it comes, for one key and one context: constant memory, however long it is.
pub struct Message(Shake256);

impl Message {
    /// `H(key hash || M')` so far, where `M'` is empty.
    pub(super) fn of(cpu: Cpu, key_hash: &[u8; 64]) -> Self {
        Message(Shake256::new_on(cpu).absorb(key_hash))
    }

    /// Behind the head of `M'`: whether the message is hashed already, and the context.
    pub(super) fn with(mut self, prehashed: bool, context: Context<'_>) -> Self {
        self.0.update(&[u8::from(prehashed), context.length]);
        self.0.update(context.bytes);
        self
    }

    /// Behind a digest.
    pub(super) fn and_digest(mut self, message: Prehashed<'_>) -> Self {
        self.0.update(&message.hash.oid());
        self.0.update(message.digest);
        self
    }

    /// Takes the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// Ends the message.
    pub fn finish(self) -> Mu {
        Mu(self.0.digest())
    }
}
