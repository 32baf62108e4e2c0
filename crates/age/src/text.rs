//! Keys as text: Bech32 (BIP 173) of any length.

use crate::bech32::{self, Wrong};
use std::fmt;
use zeroize::Zeroizing;

/// A text is no key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TextError {
    /// It begins otherwise.
    OtherKind,
    /// It is no Bech32: a character is wrong or missing.
    Damaged,
    /// It is Bech32, and what it holds is no key of its kind.
    InvalidKey,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TextError::OtherKind => "a text of another kind",
            TextError::Damaged => "a character is wrong or missing",
            TextError::InvalidKey => "what it holds is no key of its kind",
        })
    }
}

impl std::error::Error for TextError {}

/// What the texts of a kind look like.
pub(crate) struct TextForm {
    /// What stands before the `1`, in small letters.
    pub(crate) prefix: &'static str,
    /// Whether they are written in capitals.
    pub(crate) upper: bool,
}

impl TextForm {
    /// Bytes as text.
    pub(crate) fn encode(&self, bytes: &[u8]) -> Zeroizing<String> {
        bech32::encode(self.prefix, self.upper, bytes)
    }

    /// The bytes of a text, in capitals or small letters.
    pub(crate) fn decode(&self, text: &str) -> Result<Zeroizing<Vec<u8>>, TextError> {
        let begins = |start: &str| start.eq_ignore_ascii_case(self.prefix);
        if !text.get(..self.prefix.len()).is_some_and(begins)
            || text.as_bytes().get(self.prefix.len()) != Some(&b'1')
        {
            return Err(TextError::OtherKind);
        }
        bech32::decode(self.prefix, text).map_err(|wrong| match wrong {
            Wrong::Prefix => TextError::OtherKind,
            Wrong::Text => TextError::Damaged,
        })
    }
}
