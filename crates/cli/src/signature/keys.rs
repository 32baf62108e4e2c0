//! Reading the keys of signatures, and certificates in place of public keys.

use super::certificate::Certificate;
use crate::error::Error;
use crate::keys::{key_error, read, signatures, warn_if_open};
use crate::shown::warn;
use ringsmith::Cpu;
use ringsmith::encoding::{self, EncodingError, PrivateKey, PublicKey};
use ringsmith::scheme::SignatureScheme;
use std::path::Path;

const PUBLIC: &str = "public key";
const PRIVATE: &str = "private key";

/// Who signs.
pub(crate) struct Signer {
    /// The private key.
    pub(crate) key: PrivateKey<SignatureScheme>,
    /// Its public key.
    pub(crate) public: Vec<u8>,
}

/// Whose signature is verified.
pub(crate) struct Verifier {
    /// The public key.
    pub(crate) key: PublicKey<SignatureScheme>,
    /// The certificate that it stands in.
    pub(crate) certificate: Option<Certificate>,
}

/// The private key in a file. A file that others may read is complained of.
pub(crate) fn signer(cpu: Cpu, path: &Path, of: Option<&str>) -> Result<Signer, Error> {
    let expected = of.map(signatures).transpose()?;
    let (name, bytes) = read(path)?;
    let signer = signer_of(cpu, name, &bytes, expected)?;
    warn_if_open(path);
    Ok(signer)
}

/// The private key that bytes are.
pub(crate) fn signer_of(
    cpu: Cpu,
    name: String,
    bytes: &[u8],
    expected: Option<&'static SignatureScheme>,
) -> Result<Signer, Error> {
    let key = encoding::read_any_signing_key(cpu, bytes, expected).map_err(|why| {
        if bytes.windows(AGE.len()).any(|part| part == AGE) {
            return Error::KeyOfFiles { name };
        }
        match public_in(cpu, bytes) {
            Some(scheme) => Error::OtherKey { name, scheme, found: PUBLIC, wanted: PRIVATE },
            None => key_error(name, why),
        }
    })?;
    let mut public = vec![0; key.scheme.public_key];
    (key.scheme.public_key_of)(cpu, &key.bytes, &mut public)?;
    Ok(Signer { key, public })
}

/// What stands in files of private keys that decrypt.
const AGE: &[u8] = b"AGE-";

/// Of which scheme there is a public key, in PEM or DER.
fn public_in(cpu: Cpu, bytes: &[u8]) -> Option<&'static str> {
    let is_raw = encoding::Form::of(bytes) == encoding::Form::Raw;
    if is_raw {
        return None;
    }
    encoding::read_any_verifying_key(cpu, bytes, None).ok().map(|key| key.scheme.name)
}

/// The public key in a file, or in a certificate.
pub(crate) fn verifier(cpu: Cpu, path: &Path, of: Option<&str>) -> Result<Verifier, Error> {
    let expected = of.map(signatures).transpose()?;
    let (name, bytes) = read(path)?;
    if let Some(certificate) = Certificate::of(&bytes) {
        return certified(cpu, name, certificate, expected);
    }
    let key = encoding::read_any_verifying_key(cpu, &bytes, expected).map_err(|why| {
        match encoding::read_any_signing_key(cpu, &bytes, None) {
            Ok(key) => Error::OtherKey { name, scheme: key.scheme.name, found: PRIVATE, wanted: PUBLIC },
            Err(_) => key_error(name, why),
        }
    })?;
    Ok(Verifier { key, certificate: None })
}

/// The public key in a certificate, which is complained of where it is not valid now.
fn certified(
    cpu: Cpu,
    name: String,
    certificate: Result<Certificate, EncodingError>,
    expected: Option<&'static SignatureScheme>,
) -> Result<Verifier, Error> {
    let read = certificate.and_then(|it| Ok((it.public_key(cpu, expected)?, it)));
    let (key, certificate) = read.map_err(|why| key_error(name.clone(), why))?;
    match certificate.is_signed_by_itself(cpu, &key) {
        Some(true) => {}
        Some(false) => {
            let why = "the certificate was altered: its own key did not sign it";
            return Err(Error::Wrong(format!("{name}: {why}")));
        }
        None => {
            let issuer = certificate.issuer();
            warn(&format!("{name} says that {issuer} signed it, which is not checked"));
        }
    }
    if let Some(complaint) = certificate.is_outdated() {
        warn(&format!("{name} {complaint}"));
    }
    Ok(Verifier { key, certificate: Some(certificate) })
}
