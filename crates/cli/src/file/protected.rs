//! Private keys in files that a passphrase protects: age files whose contents are a file of private keys.

use super::passphrase::Opening;
use crate::error::Error;
use age::armor::{ArmoredWriter, Format};
use ringsmith_age::{ClosedFile, OpenError, Passphrase, WORK_FACTOR, passphrase_encryptor};
use std::io::{self, Read, Write};
use zeroize::Zeroizing;

/// What age files begin with, binary ones and text.
const BEGINNINGS: [&[u8]; 2] = [b"age-encryption.org/", b"-----BEGIN AGE ENCRYPTED FILE-----"];

/// The longest file of private keys, in bytes.
const LONGEST: usize = 1 << 16;

/// Whether bytes begin as an age file does.
pub(crate) fn is_age(bytes: &[u8]) -> bool {
    BEGINNINGS.iter().any(|beginning| bytes.starts_with(beginning))
}

/// Whether bytes begin as an age file that is text.
pub(crate) fn is_armor(bytes: &[u8]) -> bool {
    bytes.starts_with(BEGINNINGS[1])
}

/// A file of private keys, encrypted with a passphrase, as text.
pub(crate) fn protect(text: &[u8], passphrase: &Passphrase) -> Result<Vec<u8>, Error> {
    let encryptor = passphrase_encryptor(passphrase, WORK_FACTOR)?;
    let written = || -> io::Result<Vec<u8>> {
        let armor = ArmoredWriter::wrap_output(Vec::new(), Format::AsciiArmor)?;
        let mut writer = encryptor.wrap_output(armor)?;
        writer.write_all(text)?;
        writer.finish()?.finish()
    };
    written().map_err(|why| Error::Write { name: "the new key".into(), why })
}

/// The file of private keys in a file that may be protected: its passphrase is asked for then.
pub(crate) fn unprotected(
    name: &str,
    bytes: Zeroizing<Vec<u8>>,
    opening: &Opening,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    if !is_age(&bytes) {
        return Ok(bytes);
    }
    let wrong = |why: OpenError| Error::Protected { name: name.into(), why };
    let closed = ClosedFile::read(&bytes[..]).map_err(wrong)?;
    closed.recipients().passphrase_within(opening.max_work_factor).map_err(wrong)?;
    let passphrase = opening.source.to_open(name)?;
    let mut reader = closed.open_with(&passphrase, opening.max_work_factor).map_err(wrong)?;
    // The memory is all there, so that no copy of a secret is left behind by a vector that grew.
    let mut contents = Zeroizing::new(Vec::with_capacity(LONGEST + 1));
    let read = reader.by_ref().take(LONGEST as u64 + 1).read_to_end(&mut contents);
    read.map_err(|why| wrong(why.into()))?;
    if contents.len() > LONGEST {
        return Err(Error::TooLong { name: format!("what {name} holds"), limit: LONGEST });
    }
    Ok(contents)
}
