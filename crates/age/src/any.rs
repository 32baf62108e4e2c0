//! Recipients and identities of all kinds that a file may have: the post-quantum ones, and X25519 alone.

use crate::classical::{CLASSICAL_STANZA_BYTES, classical_identity, classical_recipient};
use crate::text::TextError;
use crate::{Identity, Kind, Recipient, excerpt};
use ringsmith::{Cpu, random};
use std::fmt;
use zeroize::Zeroizing;

/// Who a file is encrypted to.
pub enum AnyRecipient {
    /// `age1pq1...` or `age1ringsmith1...`
    PostQuantum(Box<Recipient>),
    /// `age1...`: X25519.
    Classical(age::x25519::Recipient),
}

/// Who decrypts a file. Cleared when it is dropped.
pub enum AnyIdentity {
    /// `AGE-SECRET-KEY-PQ-1...` or `AGE-PLUGIN-RINGSMITH-1...`
    PostQuantum(Box<Identity>),
    /// `AGE-SECRET-KEY-1...`: X25519.
    Classical(age::x25519::Identity),
}

/// Why a text is no recipient.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RecipientError {
    /// It has the form of one. The text is cut short.
    Text(String, TextError),
    /// It is a private key, which is not shown.
    Private,
    /// It has no form of one. The text is cut short.
    Other(String),
}

/// Why a text is no identity. It is never shown.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IdentityError {
    /// It has the form of one.
    Text(TextError),
    /// It has no form of one, or is a damaged one of X25519.
    Other,
}

impl fmt::Display for RecipientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no recipient: ")?;
        match self {
            RecipientError::Text(text, why) => write!(f, "{why}: '{text}'"),
            RecipientError::Private => {
                f.write_str("this is a private key, which decrypts; its public key begins with age1")
            }
            RecipientError::Other(text) => {
                write!(f, "'{text}' is none of age1pq1..., age1ringsmith1... and age1...")
            }
        }
    }
}

impl fmt::Display for IdentityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no private key: ")?;
        match self {
            IdentityError::Text(why) => why.fmt(f),
            IdentityError::Other => f.write_str(
                "none of AGE-SECRET-KEY-PQ-1..., AGE-PLUGIN-RINGSMITH-1... and AGE-SECRET-KEY-1...",
            ),
        }
    }
}

impl std::error::Error for RecipientError {}
impl std::error::Error for IdentityError {}

impl AnyRecipient {
    /// From its text, without spaces around it; operations are done on this CPU.
    ///
    /// ```
    /// use ringsmith::Cpu;
    /// use ringsmith_age::{AnyRecipient, RecipientError};
    ///
    /// let why = AnyRecipient::parse_on(Cpu::detect(), "AGE-SECRET-KEY-1QQQ").err().unwrap();
    /// assert_eq!(why, RecipientError::Private);
    /// let why = AnyRecipient::parse_on(Cpu::detect(), "alice").err().unwrap();
    /// let says = "no recipient: 'alice' is none of age1pq1..., age1ringsmith1... and age1...";
    /// assert_eq!(why.to_string(), says);
    /// ```
    ///
    /// # Errors
    /// Where it is none.
    pub fn parse_on(cpu: Cpu, text: &str) -> Result<Self, RecipientError> {
        match Recipient::parse_on(cpu, text) {
            Ok(recipient) => return Ok(AnyRecipient::PostQuantum(Box::new(recipient))),
            Err(TextError::OtherKind) => {}
            Err(why) => return Err(RecipientError::Text(excerpt(text), why)),
        }
        classical_recipient(text).map(AnyRecipient::Classical).map_err(|why| match why {
            TextError::OtherKind => no_recipient(text),
            why => RecipientError::Text(excerpt(text), why),
        })
    }

    /// How long its stanza is in a file's header.
    pub fn stanza_bytes(&self) -> usize {
        match self {
            AnyRecipient::PostQuantum(recipient) => recipient.kind().stanza_bytes(),
            AnyRecipient::Classical(_) => CLASSICAL_STANZA_BYTES,
        }
    }

    /// As the format takes it.
    pub fn as_age(&self) -> &(dyn age::Recipient + Send) {
        match self {
            AnyRecipient::PostQuantum(recipient) => &**recipient,
            AnyRecipient::Classical(recipient) => recipient,
        }
    }
}

impl fmt::Display for AnyRecipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyRecipient::PostQuantum(recipient) => recipient.fmt(f),
            AnyRecipient::Classical(recipient) => recipient.fmt(f),
        }
    }
}

/// Why a text without a recipient's form is none.
fn no_recipient(text: &str) -> RecipientError {
    let begins = |prefix: &str| text.to_ascii_lowercase().starts_with(prefix);
    match begins("age-secret-key-") || begins("age-plugin-") {
        true => RecipientError::Private,
        false => RecipientError::Other(excerpt(text)),
    }
}

impl AnyIdentity {
    /// From its text, without spaces around it; operations are done on this CPU.
    ///
    /// # Errors
    /// Where it is none.
    pub fn parse_on(cpu: Cpu, text: &str) -> Result<Self, IdentityError> {
        match Identity::parse_on(cpu, text) {
            Ok(identity) => Ok(AnyIdentity::PostQuantum(Box::new(identity))),
            Err(TextError::OtherKind) => {
                text.parse().map(AnyIdentity::Classical).map_err(|_| IdentityError::Other)
            }
            Err(why) => Err(IdentityError::Text(why)),
        }
    }

    /// A new one of a kind; operations are done on this CPU.
    ///
    /// # Errors
    /// Where the system gives no randomness.
    pub fn generate_on(cpu: Cpu, kind: Kind) -> Result<Self, random::Error> {
        Identity::generate_on(cpu, kind).map(|identity| AnyIdentity::PostQuantum(Box::new(identity)))
    }

    /// A new one of X25519 alone.
    ///
    /// # Errors
    /// Where the system gives no randomness.
    pub fn generate_classical() -> Result<Self, random::Error> {
        classical_identity().map(AnyIdentity::Classical)
    }

    /// As the format takes it.
    pub fn as_age(&self) -> &(dyn age::Identity + Send) {
        match self {
            AnyIdentity::PostQuantum(identity) => &**identity,
            AnyIdentity::Classical(identity) => identity,
        }
    }

    /// Its recipient.
    pub fn to_recipient(&self) -> AnyRecipient {
        match self {
            AnyIdentity::PostQuantum(identity) => {
                AnyRecipient::PostQuantum(Box::new(identity.to_recipient()))
            }
            AnyIdentity::Classical(identity) => AnyRecipient::Classical(identity.to_public()),
        }
    }

    /// Its own text, which is cleared when it is dropped.
    pub fn to_text(&self) -> Zeroizing<String> {
        use age::secrecy::ExposeSecret;
        match self {
            AnyIdentity::PostQuantum(identity) => identity.to_text(),
            AnyIdentity::Classical(identity) => {
                Zeroizing::new(identity.to_string().expose_secret().to_string())
            }
        }
    }
}
