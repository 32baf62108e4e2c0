//! Reading keys, messages and ciphertexts, whose size is limited, and finding schemes by their names.

use crate::error::Error;
use crate::near::nearest;
use crate::shown;
use ringsmith::Cpu;
use ringsmith::encoding::{self, EncodingError, PrivateKey, PublicKey};
use ringsmith::pkcs8::ObjectIdentifier;
use ringsmith::scheme::{self, PublicKeyEncryption, Scheme, SignatureScheme, Status};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use zeroize::Zeroizing;

/// The longest file accepted, in bytes: several times the longest key as text.
const LONGEST: usize = 1 << 16;

/// The scheme of key encapsulation of a name.
pub(crate) fn scheme(name: &str) -> Result<&'static Scheme, Error> {
    named(name, scheme::by_name(name), scheme::ALL.iter().map(|it| it.name))
}

/// The set of public-key encryption of a name.
pub(crate) fn encryption(name: &str) -> Result<&'static PublicKeyEncryption, Error> {
    named(name, scheme::encryption_by_name(name), scheme::ENCRYPTIONS.iter().map(|it| it.name))
}

/// The set of signatures of a name.
pub(crate) fn signatures(name: &str) -> Result<&'static SignatureScheme, Error> {
    named(name, scheme::signature_by_name(name), scheme::SIGNATURES.iter().map(|it| it.name))
}

/// What has a name; or an error, with the names near it, or what of another kind has the name, what that
/// does, and which command is for it.
fn named<T>(name: &str, found: Option<T>, all: impl Iterator<Item = &'static str>) -> Result<T, Error> {
    found.ok_or_else(|| match AnyScheme::all().find(|it| it.facts().0.eq_ignore_ascii_case(name)) {
        Some(other) => Error::OtherUse(other),
        None => Error::UnknownScheme { name: name.into(), near: nearest(name, all.map(str::to_string)) },
    })
}

/// A scheme of any kind.
#[derive(Clone, Copy)]
pub(crate) enum AnyScheme {
    /// Of key encapsulation.
    Kem(&'static Scheme),
    /// Of public-key encryption.
    Pke(&'static PublicKeyEncryption),
    /// Of signatures.
    Signatures(&'static SignatureScheme),
}

impl fmt::Debug for AnyScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.facts().0)
    }
}

impl AnyScheme {
    /// The one of a name.
    pub(crate) fn find(name: &str) -> Result<Self, Error> {
        let found = AnyScheme::all().find(|scheme| scheme.facts().0.eq_ignore_ascii_case(name));
        named(name, found, AnyScheme::all().map(|scheme| scheme.facts().0))
    }

    /// The one whose keys an object identifier names.
    pub(crate) fn of(oid: ObjectIdentifier) -> Option<Self> {
        AnyScheme::all().find(|scheme| {
            let encoding = match scheme {
                AnyScheme::Kem(scheme) => scheme.encoding.as_ref(),
                AnyScheme::Signatures(scheme) => scheme.encoding.as_ref(),
                AnyScheme::Pke(_) => None,
            };
            encoding.is_some_and(|encoding| encoding.oid == oid)
        })
    }

    /// What it does, and the command for it.
    pub(crate) fn use_of(self) -> (&'static str, &'static str) {
        match self {
            AnyScheme::Kem(_) => ("encapsulates keys", "kem"),
            AnyScheme::Pke(_) => ("encrypts messages", "pke"),
            AnyScheme::Signatures(_) => ("signs", "sign"),
        }
    }

    /// All that there are.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let encryptions = scheme::ENCRYPTIONS.iter().copied().map(AnyScheme::Pke);
        let signatures = scheme::SIGNATURES.iter().copied().map(AnyScheme::Signatures);
        scheme::ALL.iter().copied().map(AnyScheme::Kem).chain(encryptions).chain(signatures)
    }

    /// Its name, its status and where it is defined.
    pub(crate) fn facts(self) -> (&'static str, Status, &'static str) {
        match self {
            AnyScheme::Kem(scheme) => (scheme.name, scheme.status, scheme.source),
            AnyScheme::Pke(scheme) => (scheme.name, scheme.status, scheme.source),
            AnyScheme::Signatures(scheme) => (scheme.name, scheme.status, scheme.source),
        }
    }

    /// Bytes of a ciphertext, or of a signature.
    pub(crate) fn made(self) -> usize {
        match self {
            AnyScheme::Kem(scheme) => scheme.ciphertext,
            AnyScheme::Pke(scheme) => scheme.ciphertext,
            AnyScheme::Signatures(scheme) => scheme.signature,
        }
    }
}

/// What a file holds, and what messages call it; `-` is standard input. Cleared on drop.
pub(crate) fn read(path: &Path) -> Result<(String, Zeroizing<Vec<u8>>), Error> {
    read_up_to(LONGEST, path)
}

/// The same of a file of at most so many bytes.
pub(crate) fn read_up_to(limit: usize, path: &Path) -> Result<(String, Zeroizing<Vec<u8>>), Error> {
    let standard = path == Path::new("-");
    let name = if standard { "standard input".into() } else { shown::name(path) };
    let mut bytes = Zeroizing::new(Vec::with_capacity(limit + 1));
    // The memory is all there, so that no copy of a secret is left behind by a vector that grew.
    let read = match standard {
        true => io::stdin().lock().take(limit as u64 + 1).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(limit as u64 + 1).read_to_end(&mut bytes)),
    };
    match read {
        Err(why) => Err(Error::Read { name, why }),
        Ok(count) if count > limit => Err(Error::TooLong { name, limit }),
        Ok(_) => Ok((name, bytes)),
    }
}

/// The public key in a file.
pub(crate) fn public_key(cpu: Cpu, path: &Path, of: Option<&str>) -> Result<PublicKey, Error> {
    let (expected, (name, bytes)) = (of.map(scheme).transpose()?, read(path)?);
    encoding::read_public_key(cpu, &bytes, expected).map_err(|why| key_error(name, why))
}

/// The private key in a file. A file that others may read is complained of.
pub(crate) fn private_key(cpu: Cpu, path: &Path, of: Option<&str>) -> Result<PrivateKey, Error> {
    let (expected, (name, bytes)) = (of.map(scheme).transpose()?, read(path)?);
    let key = encoding::read_private_key(cpu, &bytes, expected).map_err(|why| key_error(name, why))?;
    warn_if_open(path);
    Ok(key)
}

/// What is wrong with a key; one of another kind of scheme is said to be that.
pub(crate) fn key_error(name: String, why: EncodingError) -> Error {
    match why {
        EncodingError::UnknownAlgorithm { oid } => match AnyScheme::of(oid) {
            Some(scheme) => Error::KeyOfOtherUse { name, scheme },
            None => Error::Key { name, why },
        },
        why => Error::Key { name, why },
    }
}

/// Says where others may read a private key.
pub(crate) fn warn_if_open(path: &Path) {
    warn_if_readable(path, "a private key");
}

/// Says where others may read a secret.
pub(crate) fn warn_if_readable(path: &Path, what: &str) {
    if permissions(path).is_some_and(|mode| mode & 0o077 != 0) {
        shown::warn(&format!("{} holds {what}, and others may read it", shown::name(path)));
    }
}

/// Who may read a file, in the system's nine bits; nothing where it is no file, or the system has no such
/// bits.
#[cfg(unix)]
pub(crate) fn permissions(path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    Some(metadata.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
pub(crate) fn permissions(_: &Path) -> Option<u32> {
    None
}
