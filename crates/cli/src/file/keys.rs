//! Recipients and identities: texts, and files of them, one a line.

use crate::error::{Error, excerpt};
use crate::keys::read;
use ringsmith::Cpu;
use ringsmith_age::{Identity, Kind, Recipient, TextError};
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
        match Recipient::parse(cpu, text) {
            Ok(recipient) => Ok(AnyRecipient::PostQuantum(Box::new(recipient))),
            Err(TextError::OtherKind) => {
                text.parse().map(AnyRecipient::Classical).map_err(|_| no_recipient(text))
            }
            Err(why) => Err(format!("no recipient: {why}: '{}'", excerpt(text))),
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
        match Identity::parse(cpu, text) {
            Ok(identity) => Ok(AnyIdentity::PostQuantum(Box::new(identity))),
            Err(TextError::OtherKind) => {
                text.parse().map(AnyIdentity::Classical).map_err(|_| NO_IDENTITY.into())
            }
            Err(why) => Err(format!("no private key: {why}")),
        }
    }

    /// A new one of a kind.
    pub(crate) fn generate(cpu: Cpu, kind: Kind) -> Result<Self, Error> {
        let identity = Identity::generate_of(cpu, kind).map_err(Error::Random)?;
        Ok(AnyIdentity::PostQuantum(Box::new(identity)))
    }

    /// A new one of X25519.
    pub(crate) fn generate_classical() -> Result<Self, Error> {
        getrandom::fill(&mut [0]).map_err(Error::Random)?;
        Ok(AnyIdentity::Classical(age::x25519::Identity::generate()))
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

/// The recipients of a file, at least one.
pub(crate) fn recipients(cpu: Cpu, path: &Path) -> Result<Vec<AnyRecipient>, Error> {
    lines(path, "recipient", |line| AnyRecipient::parse(cpu, line))
}

/// The identities of a file, at least one. A file that others may read is complained of.
pub(crate) fn identities(cpu: Cpu, path: &Path) -> Result<Vec<AnyIdentity>, Error> {
    let identities = lines(path, "private key", |line| AnyIdentity::parse(cpu, line))?;
    warn_if_open(path);
    Ok(identities)
}

/// What the lines of a file say; empty ones and those that begin with `#` say nothing.
fn lines<T>(
    path: &Path,
    what: &'static str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, Error> {
    let (name, bytes) = read(path)?;
    let text = str::from_utf8(&bytes).map_err(|_| Error::NoKeys { name: name.clone(), what })?;
    let mut parsed = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = |problem| Error::KeyLine { name: name.clone(), line: number + 1, problem };
        parsed.push(parse(line).map_err(at)?);
    }
    if parsed.is_empty() { Err(Error::NoKeys { name, what }) } else { Ok(parsed) }
}

/// Says where others may read a private key.
#[cfg(unix)]
fn warn_if_open(path: &Path) {
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    if let Ok(metadata) = std::fs::metadata(path)
        && metadata.is_file()
        && metadata.permissions().mode() & 0o077 != 0
    {
        let warning = format!("{} holds a private key, and others may read it", path.display());
        // Where standard error is gone, there is nobody to warn.
        let _ = writeln!(std::io::stderr(), "ringsmith: warning: {}", crate::error::one_line(&warning));
    }
}

#[cfg(not(unix))]
fn warn_if_open(_: &Path) {}
