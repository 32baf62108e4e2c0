//! ML-KEM-768 and X25519: what age calls `mlkem768x25519`.
//!
//! # The stanza
//! `-> mlkem768x25519 ENC`, where `ENC` is the encapsulated key of X-Wing in base64 without padding, and the
//! body is the file key sealed by HPKE (base mode, HKDF-SHA256, ChaCha20-Poly1305, no associated data) with
//! [`INFO`].

use super::stanza::Sealed;
use super::system;
use crate::text::Form;
use age::DecryptError;
use age::secrecy::ExposeSecret;
use age_core::format::{FileKey, Stanza};
use ringsmith::hpke;
use ringsmith::x_wing::{CT_BYTES, DecapsulationKey, EncapsulationKey};
use std::io;

/// The texts of recipients.
pub(crate) const RECIPIENT: Form = Form { prefix: "age1pq", upper: false };
/// The texts of identities.
pub(crate) const IDENTITY: Form = Form { prefix: "age-secret-key-pq-", upper: true };

/// The kind's name, which is the stanza's.
pub(super) const NAME: &str = "mlkem768x25519";
const INFO: &[u8] = b"age-encryption.org/mlkem768x25519";

/// Seals a file's key for a recipient.
pub(super) fn wrap(recipient: &EncapsulationKey, file_key: &FileKey) -> io::Result<Stanza> {
    let mut body = *file_key.expose_secret();
    let sealed = hpke::seal(recipient, INFO, &mut body, &mut system()?).map_err(io::Error::other)?;
    Ok(Sealed { enc: sealed.enc, body, tag: sealed.tag }.to_stanza(NAME))
}

/// The file's key in a stanza; `None` where the stanza is of another kind or for another identity.
pub(super) fn unwrap(key: &DecapsulationKey, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
    let sealed = match Sealed::<CT_BYTES>::of(NAME, stanza)? {
        Ok(sealed) => sealed,
        Err(why) => return Some(Err(why)),
    };
    let of_hpke = hpke::Sealed { enc: sealed.enc, tag: sealed.tag };
    sealed.open(|file_key| hpke::open(key, INFO, &of_hpke, file_key)).map(Ok)
}
