//! Reading keys and ciphertexts, whose size is limited, and finding schemes by their names.

use crate::error::Error;
use crate::near::nearest;
use crate::shown;
use ringsmith::Cpu;
use ringsmith::encoding::{self, EncodingError, PrivateKey, PublicKey};
use ringsmith::scheme::{self, Scheme};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use zeroize::Zeroizing;

/// The longest file accepted, in bytes: several times the longest key as text.
const LONGEST: usize = 1 << 16;

/// The scheme of a name.
pub(crate) fn scheme(name: &str) -> Result<&'static Scheme, Error> {
    let all = || scheme::ALL.iter().map(|scheme| scheme.name.to_string());
    scheme::by_name(name)
        .ok_or_else(|| Error::UnknownScheme { name: name.into(), near: nearest(name, all()) })
}

/// What a file holds, and what messages call it; `-` is standard input. Cleared on drop.
pub(crate) fn read(path: &Path) -> Result<(String, Zeroizing<Vec<u8>>), Error> {
    let standard = path == Path::new("-");
    let name = if standard { "standard input".into() } else { shown::name(path) };
    let mut bytes = Zeroizing::new(Vec::with_capacity(LONGEST + 1));
    // The memory is all there, so that no copy of a secret is left behind by a vector that grew.
    let read = match standard {
        true => io::stdin().lock().take(LONGEST as u64 + 1).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(LONGEST as u64 + 1).read_to_end(&mut bytes)),
    };
    match read {
        Err(why) => Err(Error::Read { name, why }),
        Ok(count) if count > LONGEST => Err(Error::TooLong { name, limit: LONGEST }),
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

fn key_error(name: String, why: EncodingError) -> Error {
    Error::Key { name, why }
}

/// Says where others may read a private key.
#[cfg(unix)]
pub(crate) fn warn_if_open(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    if let Ok(metadata) = std::fs::metadata(path)
        && metadata.is_file()
        && metadata.permissions().mode() & 0o077 != 0
    {
        shown::warn(&format!("{} holds a private key, and others may read it", shown::name(path)));
    }
}

#[cfg(not(unix))]
pub(crate) fn warn_if_open(_: &Path) {}
