//! Keys of the plugin: what other programs hand to `age-plugin-ringsmith`.
//!
//! A key of the plugin is a byte that names its kind, and the key. So all kinds have one plugin, and a new kind needs no new
//! program. The plugin can also be installed under the name of one that serves age's own post-quantum keys.

use crate::text::{Form, TextError};
use zeroize::Zeroizing;

/// The plugin's name: its program is `age-plugin-` and this.
pub const PLUGIN: &str = "ringsmith";
/// The name of a plugin for `age1pq1...`, which holds the key alone: for clients that do not know these keys natively.
pub const NATIVE: &str = "pq";

/// The texts of recipients.
pub(crate) const RECIPIENT: Form = Form { prefix: "age1ringsmith", upper: false };
/// The texts of identities.
pub(crate) const IDENTITY: Form = Form { prefix: "age-plugin-ringsmith-", upper: true };

/// The kind of ML-KEM-768 and X25519.
const MLKEM768_X25519: u8 = 1;

/// The key of a text in age's own form or in the plugin's.
pub(crate) fn parse<const N: usize, const WITH_KIND: usize>(
    native: &Form,
    by_plugin: &Form,
    text: &str,
) -> Result<Zeroizing<[u8; N]>, TextError> {
    const { assert!(WITH_KIND == N + 1) };
    match native.decode(text) {
        Err(TextError::OtherKind) => {
            let bytes = by_plugin.decode::<WITH_KIND>(text)?;
            key(PLUGIN, bytes.as_slice()).map(|key| Zeroizing::new(*key))
        }
        decoded => decoded,
    }
}

/// A key with its kind.
pub(crate) fn with_kind(key: &[u8]) -> Zeroizing<Vec<u8>> {
    Zeroizing::new([&[MLKEM768_X25519], key].concat())
}

/// The key in what a client gives to the plugin of a name.
pub(crate) fn key<'a, const N: usize>(plugin: &str, bytes: &'a [u8]) -> Result<&'a [u8; N], TextError> {
    let key = match (plugin, bytes) {
        (PLUGIN, [MLKEM768_X25519, key @ ..]) => key,
        (NATIVE, key) => key,
        (PLUGIN, _) => return Err(TextError::InvalidKey),
        _ => return Err(TextError::OtherKind),
    };
    key.try_into().map_err(|_| TextError::InvalidKey)
}
