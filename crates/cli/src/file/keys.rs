//! Recipients and identities: texts, and files of them, one a line.

use super::input::Input;
use crate::error::Error;
use crate::keys::{read, warn_if_open};
use crate::shown::excerpt;
use ringsmith::Cpu;
use ringsmith_age::{
    CLASSICAL_STANZA_BYTES, Identity, Kind, Recipient, TextError, classical_identity, classical_recipient,
};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use zeroize::Zeroizing;

/// Who a file is encrypted to.
pub(crate) enum AnyRecipient {
    /// `age1pq1...` or `age1ringsmith1...`
    PostQuantum(Box<Recipient>),
    /// `age1...`: X25519.
    Classical(age::x25519::Recipient),
}

/// Who decrypts a file.
pub(crate) enum AnyIdentity {
    /// `AGE-SECRET-KEY-PQ-1...` or `AGE-PLUGIN-RINGSMITH-1...`
    PostQuantum(Box<Identity>),
    /// `AGE-SECRET-KEY-1...`: X25519.
    Classical(age::x25519::Identity),
}

impl AnyRecipient {
    /// From its text.
    pub(crate) fn parse(cpu: Cpu, text: &str) -> Result<Self, String> {
        match Recipient::parse_on(cpu, text) {
            Ok(recipient) => Ok(AnyRecipient::PostQuantum(Box::new(recipient))),
            Err(TextError::OtherKind) => match classical_recipient(text) {
                Ok(recipient) => Ok(AnyRecipient::Classical(recipient)),
                Err(TextError::OtherKind) => Err(no_recipient(text)),
                Err(why) => Err(no_key(text, why)),
            },
            Err(why) => Err(no_key(text, why)),
        }
    }

    /// How long its stanza is in a file's header.
    pub(crate) fn stanza_bytes(&self) -> usize {
        match self {
            AnyRecipient::PostQuantum(recipient) => recipient.kind().stanza_bytes(),
            AnyRecipient::Classical(_) => CLASSICAL_STANZA_BYTES,
        }
    }

    /// As the format takes it.
    pub(crate) fn as_age(&self) -> &dyn age::Recipient {
        match self {
            AnyRecipient::PostQuantum(recipient) => &**recipient,
            AnyRecipient::Classical(recipient) => recipient,
        }
    }
}

/// Why a text of a recipient's form is none.
fn no_key(text: &str, why: TextError) -> String {
    format!("no recipient: {why}: '{}'", excerpt(text))
}

/// Why a text is none.
fn no_recipient(text: &str) -> String {
    let begins = |prefix: &str| text.to_ascii_lowercase().starts_with(prefix);
    if begins("age-secret-key-") || begins("age-plugin-") {
        // It is not shown: it is a secret.
        return "no recipient: this is a private key, which decrypts; its public key begins with age1".into();
    }
    format!("no recipient: '{}' is none of age1pq1..., age1ringsmith1... and age1...", excerpt(text))
}

/// Why a text is no private key.
const NO_IDENTITY: &str =
    "no private key: none of AGE-SECRET-KEY-PQ-1..., AGE-PLUGIN-RINGSMITH-1... and AGE-SECRET-KEY-1...";

impl AnyIdentity {
    /// From its text, which is never shown.
    fn parse(cpu: Cpu, text: &str) -> Result<Self, String> {
        match Identity::parse_on(cpu, text) {
            Ok(identity) => Ok(AnyIdentity::PostQuantum(Box::new(identity))),
            Err(TextError::OtherKind) => {
                text.parse().map(AnyIdentity::Classical).map_err(|_| NO_IDENTITY.into())
            }
            Err(why) => Err(format!("no private key: {why}")),
        }
    }

    /// A new one of a kind.
    pub(crate) fn generate(cpu: Cpu, kind: Kind) -> Result<Self, Error> {
        let identity = Identity::generate_on(cpu, kind).map_err(Error::Random)?;
        Ok(AnyIdentity::PostQuantum(Box::new(identity)))
    }

    /// A new one of X25519.
    pub(crate) fn generate_classical() -> Result<Self, Error> {
        classical_identity().map(AnyIdentity::Classical).map_err(Error::Random)
    }

    /// As the format takes it.
    pub(crate) fn as_age(&self) -> &dyn age::Identity {
        match self {
            AnyIdentity::PostQuantum(identity) => &**identity,
            AnyIdentity::Classical(identity) => identity,
        }
    }

    /// Its recipient's text.
    pub(crate) fn public_text(&self) -> String {
        match self {
            AnyIdentity::PostQuantum(identity) => identity.to_recipient().to_string(),
            AnyIdentity::Classical(identity) => identity.to_public().to_string(),
        }
    }

    /// A file of it: its public key as a comment, and itself.
    pub(crate) fn file_text(&self) -> Zeroizing<String> {
        let (public, private) = (self.public_text(), self.private_text());
        // In one piece: a string that grows leaves copies behind.
        Zeroizing::new(["# public key: ", &public, "\n", &private, "\n"].concat())
    }

    /// Its own text.
    fn private_text(&self) -> Zeroizing<String> {
        use age::secrecy::ExposeSecret;
        match self {
            AnyIdentity::PostQuantum(identity) => identity.to_text(),
            AnyIdentity::Classical(identity) => {
                Zeroizing::new(identity.to_string().expose_secret().to_string())
            }
        }
    }

    /// Its recipient.
    pub(crate) fn to_recipient(&self) -> AnyRecipient {
        match self {
            AnyIdentity::PostQuantum(identity) => {
                AnyRecipient::PostQuantum(Box::new(identity.to_recipient()))
            }
            AnyIdentity::Classical(identity) => AnyRecipient::Classical(identity.to_public()),
        }
    }
}

/// The most bytes of a file of recipients, and of a line of one.
const RECIPIENTS_BYTES: usize = 1 << 24;
const RECIPIENT_LINE: usize = 1 << 13;

/// The recipients of a file, at least one.
pub(crate) fn recipients(cpu: Cpu, path: &Path) -> Result<Vec<AnyRecipient>, Error> {
    let Input { name, reader, .. } = Input::open(path)?;
    let (mut reader, mut line, mut number) = (BufReader::new(reader), Vec::new(), 0);
    let (mut left, mut found) = (RECIPIENTS_BYTES, Vec::new());
    loop {
        line.clear();
        let read = reader.by_ref().take(RECIPIENT_LINE as u64 + 1).read_until(b'\n', &mut line);
        let read = read.map_err(|why| Error::Read { name: name.clone(), why })?;
        number += 1;
        let problem = |problem| Error::KeyLine { name: name.clone(), line: number, problem };
        if read > RECIPIENT_LINE {
            return Err(problem(format!(
                "longer than {RECIPIENT_LINE} bytes, the most that a line may have"
            )));
        }
        left =
            left.checked_sub(read).ok_or(Error::TooLong { name: name.clone(), limit: RECIPIENTS_BYTES })?;
        match str::from_utf8(&line).map(says) {
            Ok(_) if read == 0 => break,
            Ok(Some(text)) => found.push(AnyRecipient::parse(cpu, text).map_err(problem)?),
            Ok(None) => {}
            Err(_) => return Err(Error::NoKeys { name, what: "recipient" }),
        }
    }
    if found.is_empty() { Err(Error::NoKeys { name, what: "recipient" }) } else { Ok(found) }
}

/// What a line says; empty ones and those that begin with `#` say nothing.
fn says(line: &str) -> Option<&str> {
    let line = line.trim();
    (!line.is_empty() && !line.starts_with('#')).then_some(line)
}

/// The identities of a file, at least one. A file that others may read is complained of.
pub(crate) fn identities(cpu: Cpu, path: &Path) -> Result<Vec<AnyIdentity>, Error> {
    let (name, bytes) = read(path)?;
    let found = identities_in(cpu, &name, &bytes)?;
    warn_if_open(path);
    Ok(found)
}

/// The identities in what a file holds.
pub(crate) fn identities_in(cpu: Cpu, name: &str, bytes: &[u8]) -> Result<Vec<AnyIdentity>, Error> {
    let none = || Error::NoKeys { name: name.into(), what: "private key" };
    let text = str::from_utf8(bytes).map_err(|_| none())?;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let at = |problem| Error::KeyLine { name: name.into(), line: number + 1, problem };
        if let Some(line) = says(line) {
            found.push(AnyIdentity::parse(cpu, line).map_err(at)?);
        }
    }
    if found.is_empty() { Err(none()) } else { Ok(found) }
}
