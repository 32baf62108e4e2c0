//! Public-key encryption of short messages: parameter sets as types, their keys, and sets as data.
//!
//! A set says what it is by [`PkeSet`], as one of key encapsulation does by [`KemSet`](crate::set::KemSet):
//! sizes as types, expanded keys, and operations that write into places of the caller's. [`EncryptionKey`]
//! and [`DecryptionKey`] are written over it once, and so is [`PublicKeyEncryption`], its entry in the table.
//! [`pke_set!`](crate::pke_set) makes a type of a set, whose functions are compiled in the family's crate.
//!
//! # Errors
//! A message that is too long is one error, [`MessageTooLong`]. A ciphertext that does not decrypt is
//! another, [`DecryptionError`], whatever the reason; which one it is does not show in time either.

mod compiled;
mod keys;
mod table;

pub use crate::error::{DecryptionError, InvalidKey, MessageTooLong};
use crate::set::{Bytes, Draw, Failed, Keys, Status, Way};
pub use keys::{DecryptionKey, EncryptionKey, Message};
use ringsmith_simd::Cpu;
pub use table::{PublicEncoding, PublicKeyEncryption};
use zeroize::ZeroizeOnDrop;

/// [`Keys`] of a set that are there.
pub type KeysRef<'a, S> =
    Keys<&'a <S as PkeSet>::Private, &'a <S as PkeSet>::Public, &'a <S as PkeSet>::PublicBytes>;

/// Where new [`Keys`] of a set go.
pub type KeysMut<'a, S> =
    Keys<&'a mut <S as PkeSet>::Private, &'a mut <S as PkeSet>::Public, &'a mut <S as PkeSet>::PublicBytes>;

/// Where a set's encoded keys go: the public and the private one.
pub type EncodedMut<'a, S> = (&'a mut <S as PkeSet>::PublicBytes, &'a mut <S as PkeSet>::PrivateBytes);

/// Why an operation on encoded keys did not take place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnceError {
    /// The bytes are no key.
    InvalidKey,
    /// The generator of random bytes failed.
    Failed,
    /// The ciphertext was not made for the key.
    Decryption,
}

impl From<InvalidKey> for OnceError {
    fn from(_: InvalidKey) -> Self {
        OnceError::InvalidKey
    }
}

impl From<Failed> for OnceError {
    fn from(_: Failed) -> Self {
        OnceError::Failed
    }
}

impl From<DecryptionError> for OnceError {
    fn from(_: DecryptionError) -> Self {
        OnceError::Decryption
    }
}

/// A parameter set of public-key encryption, secure against chosen ciphertexts (IND-CCA).
///
/// Expanded keys are written in place: they are large, and a move would leave copies of a secret behind.
pub trait PkeSet: Sized + 'static {
    /// Its name in its standard.
    const NAME: &'static str;
    /// Whether it is a standard, historical, or for research.
    const STATUS: Status;
    /// Where it is defined.
    const SOURCE: &'static str;
    /// An encoded public key.
    type PublicBytes: Bytes;
    /// An encoded private key; it tells the public one.
    type PrivateBytes: Bytes;
    /// A ciphertext.
    type CiphertextBytes: Bytes;
    /// Room for the longest message.
    type MessageBytes: Bytes;
    /// How operations are done.
    type Way: Way;
    /// A public key, expanded.
    type Public: Clone + Send + Sync;
    /// A private key without its public one, expanded; cleared on drop.
    type Private: ZeroizeOnDrop + Send + Sync;

    /// The way by the planned routes.
    fn planned(cpu: Cpu) -> Self::Way;
    /// Room for a public key.
    fn blank_public(way: Self::Way) -> Self::Public;
    /// Room for a private key.
    fn blank_private(way: Self::Way) -> Self::Private;
    /// How the key's operations are done.
    fn way(public: &Self::Public) -> Self::Way;

    /// Makes both keys, and writes the encoded public one.
    ///
    /// # Errors
    /// Where the generator failed.
    fn generate(keys: KeysMut<'_, Self>, draw: &mut Draw<'_>) -> Result<(), Failed>;

    /// Reads a public key, and checks it as its standard requires.
    ///
    /// # Errors
    /// Where the bytes are no key.
    fn read_public(public: &mut Self::Public, bytes: &Self::PublicBytes) -> Result<(), InvalidKey>;

    /// Reads a private key with the public key that is in it, and checks them.
    ///
    /// # Errors
    /// Where the bytes are no key.
    fn read_private(keys: KeysMut<'_, Self>, bytes: &Self::PrivateBytes) -> Result<(), InvalidKey>;

    /// Writes a private key.
    fn write_private(keys: KeysRef<'_, Self>, out: &mut Self::PrivateBytes);

    /// Writes a ciphertext of a message, which fits [`MessageBytes`](PkeSet::MessageBytes). Constant time in
    /// the message, but for its length.
    ///
    /// # Errors
    /// Where the generator failed; then nothing of meaning is written.
    fn encrypt(
        public: &Self::Public,
        message: &[u8],
        draw: &mut Draw<'_>,
        out: &mut Self::CiphertextBytes,
    ) -> Result<(), Failed>;

    /// Writes the message in a ciphertext, zeroes behind it, and gives its length. The time depends only on
    /// whether there is a message and on its length.
    ///
    /// # Errors
    /// Where the ciphertext was not made for the key; then zeroes are written.
    fn decrypt(
        keys: KeysRef<'_, Self>,
        ciphertext: &Self::CiphertextBytes,
        out: &mut Self::MessageBytes,
    ) -> Result<usize, DecryptionError>;

    /// [`read_public`](PkeSet::read_public) for its checks alone.
    ///
    /// # Errors
    /// The same.
    fn check_once(way: Self::Way, public: &Self::PublicBytes) -> Result<(), InvalidKey>;

    /// [`generate`](PkeSet::generate) to encoded keys alone.
    ///
    /// # Errors
    /// The same.
    fn generate_once(way: Self::Way, draw: &mut Draw<'_>, out: EncodedMut<'_, Self>) -> Result<(), Failed>;

    /// [`read_public`](PkeSet::read_public) and [`encrypt`](PkeSet::encrypt), in less memory.
    ///
    /// # Errors
    /// Where the bytes are no key, or the generator failed.
    fn encrypt_once(
        way: Self::Way,
        public: &Self::PublicBytes,
        message: &[u8],
        draw: &mut Draw<'_>,
        out: &mut Self::CiphertextBytes,
    ) -> Result<(), OnceError>;

    /// [`read_private`](PkeSet::read_private) and [`decrypt`](PkeSet::decrypt), in less memory.
    ///
    /// # Errors
    /// Where the bytes are no key, or the ciphertext was not made for it.
    fn decrypt_once(
        way: Self::Way,
        private: &Self::PrivateBytes,
        ciphertext: &Self::CiphertextBytes,
        out: &mut Self::MessageBytes,
    ) -> Result<usize, OnceError>;

    /// [`read_private`](PkeSet::read_private) to the encoded public key alone.
    ///
    /// # Errors
    /// Where the bytes are no key; then nothing is written.
    fn public_key_of(
        way: Self::Way,
        private: &Self::PrivateBytes,
        out: &mut Self::PublicBytes,
    ) -> Result<(), InvalidKey>;
}
