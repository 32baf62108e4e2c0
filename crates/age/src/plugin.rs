//! Keys of the plugin: what other programs hand to `age-plugin-ringsmith`.
//!
//! A key of the plugin is a byte that names its kind, and the key. So all kinds have one plugin, and a new
//! kind needs no new program. The plugin can also be installed under the name of one that serves age's own
//! post-quantum keys.

use crate::kind::Kind;
use crate::text::{TextError, TextForm};
use ringsmith_kem::declassify::publish;
use zeroize::Zeroizing;

/// The plugin's name: its program is `age-plugin-` and this.
pub const PLUGIN: &str = "ringsmith";
/// The name of a plugin for `age1pq1...`, which holds a key of ML-KEM-768 and X25519 alone: for clients that
/// do not know these keys natively.
pub const NATIVE: &str = "pq";

/// The texts of recipients.
pub(crate) const RECIPIENT: TextForm = TextForm { prefix: "age1ringsmith", upper: false };
/// The texts of identities.
pub(crate) const IDENTITY: TextForm = TextForm { prefix: "age-plugin-ringsmith-", upper: true };

/// The byte of a kind.
fn byte(kind: Kind) -> u8 {
    match kind {
        Kind::MlKem768X25519 => 1,
        Kind::Sntrup761X25519 => 2,
    }
}

/// What a text in age's own form or in the plugin's says, and the name of the plugin that it would be given
/// to.
pub(crate) fn parse(
    native: &TextForm,
    by_plugin: &TextForm,
    text: &str,
) -> Result<(&'static str, Zeroizing<Vec<u8>>), TextError> {
    match native.decode(text) {
        Err(TextError::OtherKind) => Ok((PLUGIN, by_plugin.decode(text)?)),
        decoded => Ok((NATIVE, decoded?)),
    }
}

/// A key with its kind.
pub(crate) fn with_kind(kind: Kind, key: &[u8]) -> Zeroizing<Vec<u8>> {
    Zeroizing::new([&[byte(kind)], key].concat())
}

/// The key in what a client gives to the plugin of a name, and its kind.
pub(crate) fn key<'a>(plugin: &str, bytes: &'a [u8]) -> Result<(Kind, &'a [u8]), TextError> {
    match (plugin, bytes) {
        (PLUGIN, [first, key @ ..]) => {
            let mut first = [*first];
            // The kind of a key, which its recipient's text says.
            publish(&mut first);
            let kind = Kind::ALL.into_iter().find(|kind| [byte(*kind)] == first);
            Ok((kind.ok_or(TextError::InvalidKey)?, key))
        }
        (PLUGIN, []) => Err(TextError::InvalidKey),
        (NATIVE, key) => Ok((Kind::MlKem768X25519, key)),
        _ => Err(TextError::OtherKind),
    }
}
