//! X25519 alone, which the crate `age` has: what it takes, and must not.

use crate::kind::{is_recipient, stanza_bytes};
use crate::text::{TextError, TextForm};
use age::x25519::{Identity, Recipient};
use ringsmith::random;
use zeroize::Zeroizing;

/// The texts of recipients.
const RECIPIENT: TextForm = TextForm { prefix: "age", upper: false };
/// The texts of identities.
const IDENTITY: TextForm = TextForm { prefix: "age-secret-key-", upper: true };

/// Bytes of a classical recipient's stanza in a file's header.
pub const CLASSICAL_STANZA_BYTES: usize = stanza_bytes("X25519", 32);

/// A classical recipient from its text, `age1...`.
///
/// The crate `age` takes points of small order, for which it panics when it encrypts, and points that are not
/// canonical.
///
/// ```
/// use ringsmith_age::{TextError, classical_recipient};
///
/// let zero = "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47z";
/// assert_eq!(classical_recipient(zero).err(), Some(TextError::InvalidKey));
/// ```
///
/// # Errors
/// Where the text is none, or its point is of small order or not canonical.
pub fn classical_recipient(text: &str) -> Result<Recipient, TextError> {
    let bytes = RECIPIENT.decode(text)?;
    match bytes.as_slice().try_into() {
        Ok(point) if is_recipient(point) => text.parse().map_err(|_| TextError::Damaged),
        _ => Err(TextError::InvalidKey),
    }
}

/// A new classical identity.
///
/// The crate `age` panics where the system gives no randomness.
///
/// # Errors
/// Where the system gives none.
pub fn classical_identity() -> Result<Identity, random::Error> {
    let mut scalar = Zeroizing::new([0; 32]);
    getrandom::fill(scalar.as_mut())?;
    Ok(IDENTITY.encode(scalar.as_slice()).parse().expect("32 bytes are an identity"))
}
