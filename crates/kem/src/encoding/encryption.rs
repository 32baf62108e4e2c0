//! Public keys of public-key encryption as SubjectPublicKeyInfo, with the set's identifier as the algorithm's
//! parameter.
//!
//! ```text
//! SEQUENCE { SEQUENCE { algorithm OID, set OID }, BIT STRING { OCTET STRING } }
//! ```
//!
//! The octet string has a key's bytes behind those that every key of its set begins with. Private keys have
//! no such form.

use super::{EncodingError, ObjectIdentifier, public_document};
use crate::pke::PublicKeyEncryption;
use alloc::vec::Vec;
use pkcs8::der::asn1::{BitStringRef, OctetStringRef};
use pkcs8::der::{Decode, Encode};
use pkcs8::spki::{AlgorithmIdentifier, SubjectPublicKeyInfo};
use pkcs8::{Document, SecretDocument};
use ringsmith_simd::Cpu;

/// How a set's public keys are encoded.
#[derive(Clone, Copy)]
pub struct PublicEncoding {
    /// What names the algorithm in DER.
    pub algorithm: ObjectIdentifier,
    /// What names the set.
    pub parameters: ObjectIdentifier,
    /// What every public key of the set begins with.
    pub prefix: &'static [u8],
}

/// The structure, borrowed.
type Info<'a> = SubjectPublicKeyInfo<ObjectIdentifier, BitStringRef<'a>>;

/// A public key that was read.
#[derive(Clone)]
#[non_exhaustive]
pub struct EncryptionKeyBytes {
    /// What it is a key of.
    pub scheme: &'static PublicKeyEncryption,
    /// What [`PublicKeyEncryption::encrypt`] takes.
    pub bytes: Vec<u8>,
}

/// Keys as files.
impl PublicKeyEncryption {
    fn public_encoding(&self) -> Result<&PublicEncoding, EncodingError> {
        self.encoding.as_ref().ok_or(EncodingError::NoIdentifier { scheme: self.name })
    }

    /// A public key as SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// Where the set has no object identifier, or the bytes are no key of it.
    pub fn public_key_to_der(&self, cpu: Cpu, key: &[u8]) -> Result<Document, EncodingError> {
        let PublicEncoding { algorithm, parameters, prefix } = *self.public_encoding()?;
        (self.check_public_key)(cpu, key)?;
        let octets = OctetStringRef::new(&key[prefix.len()..]).map_err(|_| EncodingError::Malformed)?;
        let octets = octets.to_der().map_err(|_| EncodingError::Malformed)?;
        let algorithm = AlgorithmIdentifier { oid: algorithm, parameters: Some(parameters) };
        let subject_public_key = BitStringRef::from_bytes(&octets).map_err(|_| EncodingError::Malformed)?;
        let info = Info { algorithm, subject_public_key };
        Document::encode_msg(&info).map_err(|_| EncodingError::Malformed)
    }

    /// The same as text.
    ///
    /// # Errors
    /// The same.
    #[cfg(feature = "pem")]
    pub fn public_key_to_pem(&self, cpu: Cpu, key: &[u8]) -> Result<alloc::string::String, EncodingError> {
        super::public_text(&self.public_key_to_der(cpu, key)?)
    }

    /// An error that says that there is no such form: for tools that serve every scheme.
    ///
    /// # Errors
    /// Always.
    pub const fn private_key_to_der(&self) -> Result<SecretDocument, EncodingError> {
        Err(EncodingError::NoPrivateForm { scheme: self.name })
    }
}

/// Reads a public key of one of these sets: PEM, DER, or the raw bytes. Of a set that is taken
/// [by its name](PublicKeyEncryption::by_name) alone it must be the expected one.
///
/// # Errors
/// If the bytes have none of these forms, if the key fails the checks of its set, or if it belongs to another
/// set than the expected one.
pub fn read_encryption_key(
    cpu: Cpu,
    bytes: &[u8],
    schemes: &[&'static PublicKeyEncryption],
    expected: Option<&'static PublicKeyEncryption>,
) -> Result<EncryptionKeyBytes, EncodingError> {
    if let Some(document) = public_document(bytes)? {
        let info = Info::from_der(document.as_bytes()).map_err(|_| EncodingError::Malformed)?;
        return of_info(cpu, &info, schemes, expected);
    }
    match Info::from_der(bytes) {
        Ok(info) => of_info(cpu, &info, schemes, expected),
        Err(_) => of_raw(cpu, bytes, schemes, expected),
    }
}

fn of_info(
    cpu: Cpu,
    info: &Info<'_>,
    schemes: &[&'static PublicKeyEncryption],
    expected: Option<&'static PublicKeyEncryption>,
) -> Result<EncryptionKeyBytes, EncodingError> {
    let oid = info.algorithm.oid;
    let named = info.algorithm.parameters.ok_or(EncodingError::UnknownAlgorithm { oid })?;
    let encoded = |scheme: &'static PublicKeyEncryption| scheme.encoding.as_ref().map(|of| (scheme, of));
    let (scheme, of) = (schemes.iter().copied().filter_map(encoded))
        .find(|(_, of)| of.algorithm == oid && of.parameters == named)
        .ok_or(EncodingError::UnknownAlgorithm { oid: named })?;
    if let Some(expected) = expected.filter(|expected| expected.name != scheme.name) {
        return Err(EncodingError::OtherScheme { expected: expected.name, found: scheme.name });
    }
    let bits = info.subject_public_key.as_bytes().ok_or(EncodingError::Malformed)?;
    let octets = <&OctetStringRef>::from_der(bits).map_err(|_| EncodingError::Malformed)?;
    let bytes = [of.prefix, octets.as_bytes()].concat();
    (scheme.check_public_key)(cpu, &bytes)?;
    Ok(EncryptionKeyBytes { scheme, bytes })
}

/// Raw bytes: of the expected set, or of the first of which they are a key and which need not be named.
fn of_raw(
    cpu: Cpu,
    bytes: &[u8],
    schemes: &[&'static PublicKeyEncryption],
    expected: Option<&'static PublicKeyEncryption>,
) -> Result<EncryptionKeyBytes, EncodingError> {
    if let Some(scheme) = expected {
        (scheme.check_public_key)(cpu, bytes)?;
        return Ok(EncryptionKeyBytes { scheme, bytes: bytes.to_vec() });
    }
    let takes = |scheme: &&PublicKeyEncryption| {
        !scheme.by_name && scheme.public_key == bytes.len() && (scheme.check_public_key)(cpu, bytes).is_ok()
    };
    match schemes.iter().copied().find(takes) {
        Some(scheme) => Ok(EncryptionKeyBytes { scheme, bytes: bytes.to_vec() }),
        None => Err(EncodingError::Unrecognised { what: "public key", given: bytes.len() }),
    }
}
