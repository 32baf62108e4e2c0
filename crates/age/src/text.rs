//! Keys as text: Bech32 (BIP 173) of any length.

use bech32::primitives::checksum::Checksum;
use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32, Hrp};
use std::fmt;
use std::ops::RangeInclusive;
use zeroize::Zeroizing;

/// A text is no key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

/// The checksum of Bech32, without its limit of length: a post-quantum key is longer than that.
enum Unlimited {}

impl Checksum for Unlimited {
    type MidstateRepr = <Bech32 as Checksum>::MidstateRepr;
    type CorrectionField = <Bech32 as Checksum>::CorrectionField;
    const ROOT_GENERATOR: Self::CorrectionField = Bech32::ROOT_GENERATOR;
    const ROOT_EXPONENTS: RangeInclusive<usize> = Bech32::ROOT_EXPONENTS;
    const CODE_LENGTH: usize = usize::MAX;
    const CHECKSUM_LENGTH: usize = Bech32::CHECKSUM_LENGTH;
    const GENERATOR_SH: [Self::MidstateRepr; 5] = Bech32::GENERATOR_SH;
    const TARGET_RESIDUE: Self::MidstateRepr = Bech32::TARGET_RESIDUE;
}

const NO_LIMIT: &str = "there is no limit of length";

/// What the texts of a kind look like.
pub(crate) struct Form {
    /// What stands before the `1`, in small letters.
    pub(crate) prefix: &'static str,
    /// Whether they are written in capitals.
    pub(crate) upper: bool,
}

impl Form {
    /// Bytes as text.
    pub(crate) fn encode(&self, bytes: &[u8]) -> Zeroizing<String> {
        let prefix = Hrp::parse_unchecked(self.prefix);
        let length = bech32::encoded_length::<Unlimited>(prefix, bytes).expect(NO_LIMIT);
        // The memory is all there, so that no copy of a secret is left behind by a string that grew.
        let mut text = Zeroizing::new(String::with_capacity(length));
        let encode = if self.upper {
            bech32::encode_upper_to_fmt::<Unlimited, String>
        } else {
            bech32::encode_lower_to_fmt::<Unlimited, String>
        };
        encode(&mut text, prefix, bytes).expect(NO_LIMIT);
        text
    }

    /// The bytes of a text.
    pub(crate) fn decode(&self, text: &str) -> Result<Zeroizing<Vec<u8>>, TextError> {
        let begins = |length: usize| text.get(..length).is_some_and(|start| self.is_prefix(start));
        if !begins(self.prefix.len()) || text.as_bytes().get(self.prefix.len()) != Some(&b'1') {
            return Err(TextError::OtherKind);
        }
        let decoded = CheckedHrpstring::new::<Unlimited>(text).map_err(|_| TextError::Damaged)?;
        if !self.is_prefix(&decoded.hrp().to_string()) {
            return Err(TextError::OtherKind);
        }
        // One key has one text: at most four bits are left over, and they are zeros (BIP 173). Without that a
        // `q` before a final `p`, which the checksum does not see, would be read over.
        decoded.validate_segwit_padding().map_err(|_| TextError::Damaged)?;
        // The memory is all there, so that no copy of a secret is left behind by a vector that grew.
        let mut bytes = Zeroizing::new(Vec::with_capacity(text.len()));
        bytes.extend(decoded.byte_iter());
        Ok(bytes)
    }

    fn is_prefix(&self, text: &str) -> bool {
        text.eq_ignore_ascii_case(self.prefix)
    }
}
