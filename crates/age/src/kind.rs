//! ML-KEM-768 and X25519: what age calls `mlkem768x25519`.
//!
//! # The stanza
//! `-> mlkem768x25519 ENC`, where `ENC` is the encapsulated key of X-Wing in base64 without padding, and the body is the file key
//! sealed by HPKE (base mode, HKDF-SHA256, ChaCha20-Poly1305, no associated data) with [`INFO`].

use crate::text::Form;
use age::DecryptError;
use age::secrecy::ExposeSecret;
use age_core::format::{FILE_KEY_BYTES, FileKey, Stanza};
use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use getrandom::SysRng;
use rand_core::UnwrapErr;
use ringsmith::hpke::{self, Sealed, TAG_BYTES};
use ringsmith::x_wing::{DecapsulationKey, EncapsulationKey};
use std::io;
use zeroize::Zeroize;

/// The label of recipients that a quantum computer does not break.
pub const POSTQUANTUM: &str = "postquantum";

/// The texts of recipients.
pub(crate) const RECIPIENT: Form = Form { prefix: "age1pq", upper: false };
/// The texts of identities.
pub(crate) const IDENTITY: Form = Form { prefix: "age-secret-key-pq-", upper: true };

const TAG: &str = "mlkem768x25519";
const INFO: &[u8] = b"age-encryption.org/mlkem768x25519";

/// Seals a file's key for a recipient.
pub(crate) fn wrap(recipient: &EncapsulationKey, file_key: &FileKey) -> io::Result<Stanza> {
    // What is drawn after a first byte does not fail.
    getrandom::fill(&mut [0]).map_err(io::Error::other)?;
    let mut body = file_key.expose_secret().to_vec();
    let sealed = hpke::seal(recipient, INFO, &mut body, &mut UnwrapErr(SysRng)).map_err(io::Error::other)?;
    body.extend(sealed.tag);
    Ok(Stanza { tag: TAG.into(), args: vec![BASE64_STANDARD_NO_PAD.encode(sealed.enc)], body })
}

/// The file's key in a stanza; `None` where the stanza is of another kind or for another identity.
pub(crate) fn unwrap(key: &DecapsulationKey, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
    if stanza.tag != TAG {
        return None;
    }
    let Some((sealed, body)) = parse(stanza) else { return Some(Err(DecryptError::InvalidHeader)) };
    let opened = FileKey::try_init_with_mut(|file_key| {
        *file_key = body;
        let opened = hpke::open(key, INFO, &sealed, file_key);
        // What was not authenticated is of no use to anybody.
        if opened.is_err() {
            file_key.zeroize();
        }
        opened
    });
    opened.ok().map(Ok)
}

/// What is sealed: the key's encryption and the rest.
fn parse(stanza: &Stanza) -> Option<(Sealed, [u8; FILE_KEY_BYTES])> {
    let [enc] = &stanza.args[..] else { return None };
    let enc = BASE64_STANDARD_NO_PAD.decode(enc).ok()?.try_into().ok()?;
    let (body, tag) = stanza.body.split_first_chunk::<FILE_KEY_BYTES>()?;
    let tag: [u8; TAG_BYTES] = tag.try_into().ok()?;
    Some((Sealed { enc, tag }, *body))
}
