//! Hybrid public key encryption (RFC 9180) of one message: base mode with X-Wing, HKDF-SHA256 and
//! ChaCha20-Poly1305.
//!
//! The sender needs only the recipient's public key, and is not authenticated. `info` names the purpose of
//! the message; both sides must pass the same bytes. Suite: KEM 0x647a (draft-ietf-hpke-pq), KDF 0x0001, AEAD
//! 0x0003. The age file format uses it to encrypt the key of a file.
//!
//! ```
//! use ringsmith_hybrid::{hpke, x_wing};
//! # struct Fixed(u8);
//! # impl rand_core::TryRng for Fixed {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(4) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { Ok(4) }
//! #     fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> { dst.fill(self.0); Ok(()) }
//! # }
//! # impl rand_core::TryCryptoRng for Fixed {}
//! # let mut rng = Fixed(4);
//! let alice = x_wing::DecapsulationKey::generate(&mut rng);
//!
//! let mut message = *b"of sixteen bytes";
//! let public = alice.encapsulation_key();
//! let sealed = hpke::seal(&public, b"an example", &mut message, &mut rng).expect("a short message");
//! assert_ne!(&message, b"of sixteen bytes");
//!
//! hpke::open(&alice, b"an example", &sealed, &mut message)?;
//! assert_eq!(&message, b"of sixteen bytes");
//! # Ok::<(), hpke::OpenError>(())
//! ```
//!
//! # Key schedule
//! With `suite = "HPKE" || kem || kdf || aead`,
//! `Extract(salt, label, x) = HKDF-Extract(salt, "HPKE-v1" || suite || label || x)` and `Expand` likewise
//! with the length in front (section 4):
//! `context = 0 || Extract("", "psk_id_hash", "") || Extract("", "info_hash", info)`,
//! `secret = Extract(shared key, "secret", "")`, and key and nonce are
//! `Expand(secret, "key" | "base_nonce", context)` (section 5.1).

use crate::kdf::{self, KEY_BYTES, cipher, expand};
use crate::x_wing::{CT_BYTES, DecapsulationKey, EncapsulationKey};
use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, Tag};
use core::fmt;
use hkdf::Hkdf;
use rand_core::CryptoRng;
use ringsmith_kem::declassify::publish;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_ml_kem::SharedKey;
use sha2::Sha256;

/// KEM, KDF and AEAD.
const SUITE: &[u8; 10] = b"HPKE\x64\x7a\x00\x01\x00\x03";
const VERSION: &[u8] = b"HPKE-v1";
const BASE_MODE: u8 = 0;
const NONCE_BYTES: usize = 12;
/// Bytes of a tag.
pub const TAG_BYTES: usize = 16;

/// What goes with an encrypted message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sealed {
    /// The encapsulated key.
    pub enc: [u8; CT_BYTES],
    /// The tag, which is written behind the message.
    pub tag: [u8; TAG_BYTES],
}

/// The message was altered, or was encrypted for another key or another `info`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenError;

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the message was altered, or is for another key or purpose")
    }
}

impl core::error::Error for OpenError {}

/// The message is longer than the cipher allows, `2^38 - 64` bytes. The message is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageTooLong;

impl fmt::Display for MessageTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message of more than 2^38 - 64 bytes")
    }
}

impl core::error::Error for MessageTooLong {}

/// Encrypts a message in place.
///
/// # Errors
/// Where the message is too long.
pub fn seal(
    recipient: &EncapsulationKey,
    info: &[u8],
    message: &mut [u8],
    rng: &mut (impl CryptoRng + ?Sized),
) -> Result<Sealed, MessageTooLong> {
    let (enc, shared) = recipient.encapsulate(rng);
    seal_with(enc, shared, info, message)
}

/// The same with these bytes in place of randomness. They must be secret, and never used again.
///
/// # Errors
/// Those of [`seal`].
#[cfg(feature = "hazmat")]
pub fn seal_deterministic(
    recipient: &EncapsulationKey,
    info: &[u8],
    message: &mut [u8],
    randomness: &[u8; crate::x_wing::RANDOMNESS_BYTES],
) -> Result<Sealed, MessageTooLong> {
    let (enc, shared) = recipient.encapsulate_deterministic(randomness);
    seal_with(enc, shared, info, message)
}

fn seal_with(
    enc: [u8; CT_BYTES],
    shared: SharedKey,
    info: &[u8],
    message: &mut [u8],
) -> Result<Sealed, MessageTooLong> {
    let (cipher, nonce) = key_schedule(&shared, info);
    let tag =
        cipher.encrypt_inout_detached(&nonce.into(), &[], message.into()).map_err(|_| MessageTooLong)?;
    Ok(Sealed { enc, tag: tag.into() })
}

/// Decrypts a message in place.
///
/// # Errors
/// If the message was altered, or was encrypted for another key or `info`. Then the buffer's contents have no
/// meaning.
pub fn open(
    key: &DecapsulationKey,
    info: &[u8],
    sealed: &Sealed,
    message: &mut [u8],
) -> Result<(), OpenError> {
    let shared = key.decapsulate(&sealed.enc);
    let (cipher, nonce) = key_schedule(&shared, info);
    let tag = Tag::from(sealed.tag);
    let opened = cipher.decrypt_inout_detached(&nonce.into(), &[], message.into(), &tag);
    let mut good = [u8::from(opened.is_ok())];
    // Whether the message was sealed for the key is said to the caller.
    publish(&mut good);
    if good == [1] { Ok(()) } else { Err(OpenError) }
}

/// The cipher and the nonce of the only message.
fn key_schedule(shared: &SharedKey, info: &[u8]) -> (ChaCha20Poly1305, [u8; NONCE_BYTES]) {
    let mut context = [BASE_MODE; 1 + 2 * KEY_BYTES];
    context[1..][..KEY_BYTES].copy_from_slice(extract(&[], b"psk_id_hash", &[]).0.as_ref());
    context[1 + KEY_BYTES..].copy_from_slice(extract(&[], b"info_hash", info).0.as_ref());
    let (_, secret) = extract(shared.as_bytes(), b"secret", &[]);
    // `LabeledExpand`: the length in front.
    let mut nonce = [0; NONCE_BYTES];
    expand(&secret, &[&[0, NONCE_BYTES as u8], VERSION, SUITE, b"base_nonce", &context], &mut nonce);
    (cipher(&secret, &[&[0, KEY_BYTES as u8], VERSION, SUITE, b"key", &context]), nonce)
}

/// `LabeledExtract`: as bytes, and ready to be expanded.
fn extract(salt: &[u8], label: &[u8], input: &[u8]) -> (SecretBytes<KEY_BYTES>, Hkdf<Sha256>) {
    kdf::extract(salt, &[VERSION, SUITE, label, input])
}
