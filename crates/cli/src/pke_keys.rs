//! Reading keys of public-key encryption. A raw key is of the set that is named, or of the only one of which
//! it is a key and which need not be named.

use crate::error::Error;
use crate::keys::{encryption, read, warn_if_open};
use ringsmith::Cpu;
use ringsmith::encoding::{EncodingError, EncryptionKeyBytes, Form, read_encryption_key};
use ringsmith::scheme::{ENCRYPTIONS, PublicKeyEncryption, SchemeError};
use std::path::Path;
use zeroize::Zeroizing;

type Set = &'static PublicKeyEncryption;

const PUBLIC: &str = "public key";
const PRIVATE: &str = "private key";

/// A private key that was read: cleared on drop.
pub(crate) struct DecryptionKey {
    /// What it is a key of.
    pub(crate) scheme: Set,
    /// What [`PublicKeyEncryption::decrypt`] takes.
    pub(crate) bytes: Zeroizing<Vec<u8>>,
    /// Its public key.
    pub(crate) public: Vec<u8>,
}

impl DecryptionKey {
    /// Bytes as a set's private key, in any form of its standard.
    pub(crate) fn of(cpu: Cpu, scheme: Set, bytes: &[u8]) -> Result<Self, SchemeError> {
        let (mut private, mut public) =
            (Zeroizing::new(vec![0; scheme.private_key]), vec![0; scheme.public_key]);
        match scheme.import {
            Some(import) => import(cpu, bytes, &mut private)?,
            None if bytes.len() == private.len() => private.copy_from_slice(bytes),
            None => return Err(SchemeError::InvalidKey),
        }
        (scheme.public_key_of)(cpu, &private, &mut public)?;
        Ok(DecryptionKey { scheme, bytes: private, public })
    }
}

/// The public key in a file.
pub(crate) fn encryption_key(cpu: Cpu, path: &Path, of: Option<&str>) -> Result<EncryptionKeyBytes, Error> {
    let (expected, (name, bytes)) = (of.map(encryption).transpose()?, read(path)?);
    read_encryption_key(cpu, &bytes, expected).map_err(|why| {
        let private = |set: &Set| DecryptionKey::of(cpu, set, &bytes).is_ok();
        if let Some(set) = ENCRYPTIONS.iter().copied().find(private) {
            return Error::OtherKey { name, scheme: set.name, found: PRIVATE, wanted: PUBLIC };
        }
        let takes = |set: Set| (set.check_public_key)(cpu, &bytes).is_ok();
        match why {
            EncodingError::Unrecognised { .. } => unrecognised(name, PUBLIC, bytes.len(), takes),
            why => Error::Key { name, why },
        }
    })
}

/// The private key in a file. A file that others may read is complained of.
pub(crate) fn decryption_key(cpu: Cpu, path: &Path, of: Option<&str>) -> Result<DecryptionKey, Error> {
    let (expected, (name, bytes)) = (of.map(encryption).transpose()?, read(path)?);
    let read = |set| DecryptionKey::of(cpu, set, &bytes);
    let found = match expected {
        Some(set) => read(set).map_err(Some),
        None => named_by_nobody().find_map(|set| read(set).ok()).ok_or(None),
    };
    let key = found.map_err(|why| {
        let public = |set: Set| (set.check_public_key)(cpu, &bytes).is_ok();
        let raw = || ENCRYPTIONS.iter().copied().find(|set| public(set));
        let public = read_encryption_key(cpu, &bytes, None).map(|key| key.scheme).ok().or_else(raw);
        match (public, why) {
            (Some(set), _) => Error::OtherKey { name, scheme: set.name, found: PUBLIC, wanted: PRIVATE },
            _ if Form::of(&bytes) != Form::Raw => Error::NoPrivateForm { name },
            (None, Some(why)) => Error::Key { name, why: why.into() },
            (None, None) => unrecognised(name, PRIVATE, bytes.len(), |set| read(set).is_ok()),
        }
    })?;
    warn_if_open(path);
    Ok(key)
}

/// The sets that need not be named.
fn named_by_nobody() -> impl Iterator<Item = Set> {
    ENCRYPTIONS.iter().copied().filter(|set| !set.by_name)
}

/// Why raw bytes are no key of a set that need not be named.
fn unrecognised(name: String, what: &'static str, given: usize, takes: impl Fn(Set) -> bool) -> Error {
    if let Some(set) = ENCRYPTIONS.iter().copied().find(|set| set.by_name && takes(set)) {
        return Error::Unnamed { name, scheme: set.name };
    }
    let length = |set: &Set| if what == PUBLIC { set.public_key } else { set.private_key };
    let mut sets = named_by_nobody().filter(|set| length(set) == given);
    let why = match (sets.next(), sets.next()) {
        (Some(set), others) => EncodingError::NotOf { what, scheme: set.name, others: others.is_some() },
        (None, _) => EncodingError::Unrecognised { what, given },
    };
    Error::Key { name, why }
}
