//! ML-KEM-768 and X25519: what age calls `mlkem768x25519`.
//!
//! # The stanza
//! `-> mlkem768x25519 ENC`, where `ENC` is the encapsulated key of X-Wing in base64 without padding, and the
//! body is the file key sealed by HPKE (base mode, HKDF-SHA256, ChaCha20-Poly1305, no associated data) with
//! [`INFO`].
//!
//! # What is refused
//! X-Wing itself takes any point of X25519. Here, as in Go's `crypto/hpke`, a point of small order is no
//! recipient, and a stanza with one is malformed; nor is a point a recipient that is not canonical.

use super::curve::{is_recipient, is_small};
use super::stanza::Sealed;
use crate::text::TextForm;
use age::DecryptError;
use age::secrecy::ExposeSecret;
use age_core::format::{FileKey, Stanza};
use ringsmith::x_wing::{CT_BYTES, DecapsulationKey, EncapsulationKey};
use ringsmith::{Cpu, hpke, random};
use ringsmith_hybrid::curve::POINT_BYTES;
use std::io;

/// The texts of recipients.
pub(crate) const RECIPIENT: TextForm = TextForm { prefix: "age1pq", upper: false };
/// The texts of identities.
pub(crate) const IDENTITY: TextForm = TextForm { prefix: "age-secret-key-pq-", upper: true };

/// The kind's name, which is the stanza's.
pub(super) const NAME: &str = "mlkem768x25519";
const INFO: &[u8] = b"age-encryption.org/mlkem768x25519";

/// A recipient; `None` where the bytes are none.
pub(super) fn public(cpu: Cpu, bytes: &[u8]) -> Option<EncapsulationKey> {
    is_recipient(bytes.last_chunk()?).then_some(())?;
    EncapsulationKey::from_bytes_on(cpu, bytes.try_into().ok()?).ok()
}

/// Seals a file's key for a recipient.
pub(super) fn wrap(recipient: &EncapsulationKey, file_key: &FileKey) -> io::Result<Stanza> {
    let mut body = *file_key.expose_secret();
    let sealed = random::drawn(|rng| hpke::seal(recipient, INFO, &mut body, rng));
    let sealed = sealed.map_err(io::Error::other)?.map_err(io::Error::other)?;
    Ok(Sealed { enc: sealed.enc, body, tag: sealed.tag }.to_stanza(NAME))
}

/// The file's key in a stanza; `None` where the stanza is of another kind or for another identity.
pub(super) fn unwrap(key: &DecapsulationKey, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
    let sealed = match Sealed::<CT_BYTES>::of(NAME, stanza)? {
        Ok(sealed) => sealed,
        Err(why) => return Some(Err(why)),
    };
    if sealed.enc.last_chunk::<POINT_BYTES>().is_none_or(is_small) {
        return Some(Err(DecryptError::InvalidHeader));
    }
    let of_hpke = hpke::Sealed { enc: sealed.enc, tag: sealed.tag };
    sealed.open(|file_key| hpke::open(key, INFO, &of_hpke, file_key)).map(Ok)
}
