//! The form that the stanzas of all kinds have: one argument, which is what the recipient's key opens, and
//! the file's key, sealed.

use age::DecryptError;
use age_core::format::{FILE_KEY_BYTES, FileKey, Stanza};
use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use ringsmith::hpke::TAG_BYTES;
use zeroize::Zeroize;

/// Bytes of a stanza in a header, of the lengths of its name and of its argument's bytes: `-> `, the name, a
/// blank, the argument, and a line of the body.
pub(crate) const fn bytes(name: &str, enc: usize) -> usize {
    "-> ".len() + name.len() + 1 + base64(enc) + 1 + base64(FILE_KEY_BYTES + TAG_BYTES) + 1
}

/// How long bytes are in base64 without padding.
const fn base64(bytes: usize) -> usize {
    (4 * bytes).div_ceil(3)
}

/// What a stanza holds; `ENC` are the bytes of its argument.
pub(super) struct Sealed<const ENC: usize> {
    pub(super) enc: [u8; ENC],
    /// The file's key, encrypted.
    pub(super) body: [u8; FILE_KEY_BYTES],
    pub(super) tag: [u8; TAG_BYTES],
}

impl<const ENC: usize> Sealed<ENC> {
    /// The stanza of this name.
    pub(super) fn to_stanza(&self, name: &str) -> Stanza {
        let args = vec![BASE64_STANDARD_NO_PAD.encode(self.enc)];
        Stanza { tag: name.into(), args, body: [self.body, self.tag].concat() }
    }

    /// What is in a stanza of this name; `None` where it has another, an error where it is malformed.
    pub(super) fn of(name: &str, stanza: &Stanza) -> Option<Result<Self, DecryptError>> {
        (stanza.tag == name).then(|| Self::parse(stanza).ok_or(DecryptError::InvalidHeader))
    }

    fn parse(stanza: &Stanza) -> Option<Self> {
        let [enc] = &stanza.args[..] else { return None };
        let enc = BASE64_STANDARD_NO_PAD.decode(enc).ok()?.try_into().ok()?;
        let (body, tag) = stanza.body.split_first_chunk::<FILE_KEY_BYTES>()?;
        Some(Sealed { enc, body: *body, tag: tag.try_into().ok()? })
    }

    /// The file's key, decrypted in place; `None` where it was sealed for another key.
    pub(super) fn open<E>(&self, decrypt: impl FnOnce(&mut [u8]) -> Result<(), E>) -> Option<FileKey> {
        let opened = FileKey::try_init_with_mut(|file_key| {
            *file_key = self.body;
            let opened = decrypt(file_key);
            // What was not authenticated is of no use to anybody.
            if opened.is_err() {
                file_key.zeroize();
            }
            opened
        });
        opened.ok()
    }
}
