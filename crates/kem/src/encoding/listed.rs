//! Reading keys of the schemes of a list: key encapsulation, or signatures.

#[cfg(feature = "pem")]
use super::text;
use super::{Encoding, EncodingError, ObjectIdentifier, PrivateBytes, private_document, public_document};
use crate::scheme::{Scheme, SchemeError, Status};
use crate::signature::SignatureScheme;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use pkcs8::{PrivateKeyInfoRef, SubjectPublicKeyInfoRef};
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// What a list says of a scheme.
pub struct Listing<'a> {
    /// Its name.
    pub name: &'static str,
    /// Whether it is a standard, historical, or for research.
    pub status: Status,
    /// Its keys in DER, where they have such a form.
    pub encoding: Option<&'a Encoding>,
    /// Bytes of a public key.
    pub public_key: usize,
    /// Bytes of a private key in its long form.
    pub private_key: usize,
    /// Bytes of its short form, where there is one.
    pub seed: Option<usize>,
}

/// What a scheme must say and do for its keys to be read.
pub trait Listed: 'static {
    /// What it is.
    fn listing(&self) -> Listing<'_>;
    /// Checks a public key.
    ///
    /// # Errors
    /// Where the bytes are none.
    fn check_public_key(&self, cpu: Cpu, bytes: &[u8]) -> Result<(), SchemeError>;
    /// Of a seed: writes the public key and the private key.
    ///
    /// # Errors
    /// Where there is no short form, or a length is another.
    fn expand(&self, cpu: Cpu, seed: &[u8], public: &mut [u8], private: &mut [u8])
    -> Result<(), SchemeError>;
    /// Checks a private key in its long form, and writes the public key if the private key tells it.
    ///
    /// # Errors
    /// Where the bytes are none.
    fn check_private_key(&self, cpu: Cpu, bytes: &[u8], public: &mut [u8]) -> Result<(), SchemeError>;
}

impl Listed for Scheme {
    fn listing(&self) -> Listing<'_> {
        let Self { name, status, public_key, private_key, encoding, .. } = self;
        let (encoding, seed) = (encoding.as_ref(), self.seed.as_ref().map(|seed| seed.bytes));
        let (public_key, private_key) = (*public_key, *private_key);
        Listing { name, status: *status, encoding, public_key, private_key, seed }
    }
    fn check_public_key(&self, cpu: Cpu, bytes: &[u8]) -> Result<(), SchemeError> {
        (self.check_public_key)(cpu, bytes)
    }
    fn expand(
        &self,
        cpu: Cpu,
        seed: &[u8],
        public: &mut [u8],
        private: &mut [u8],
    ) -> Result<(), SchemeError> {
        let form = self.seed.as_ref().ok_or(SchemeError::InvalidKey)?;
        (form.expand)(cpu, seed, public, private)
    }
    fn check_private_key(&self, cpu: Cpu, bytes: &[u8], public: &mut [u8]) -> Result<(), SchemeError> {
        self.public_key_of.map_or(Ok(()), |public_key_of| public_key_of(cpu, bytes, public))
    }
}

impl Listed for SignatureScheme {
    fn listing(&self) -> Listing<'_> {
        let Self { name, status, public_key, private_key, encoding, .. } = self;
        let (encoding, seed) = (encoding.as_ref(), Some(self.seed));
        let (public_key, private_key) = (*public_key, *private_key);
        Listing { name, status: *status, encoding, public_key, private_key, seed }
    }
    fn check_public_key(&self, _: Cpu, bytes: &[u8]) -> Result<(), SchemeError> {
        let (what, expected, given) = ("public key", self.public_key, bytes.len());
        if given == expected { Ok(()) } else { Err(SchemeError::Length { what, expected, given }) }
    }
    fn expand(
        &self,
        cpu: Cpu,
        seed: &[u8],
        public: &mut [u8],
        private: &mut [u8],
    ) -> Result<(), SchemeError> {
        (self.expand)(cpu, seed, public, private)
    }
    fn check_private_key(&self, cpu: Cpu, bytes: &[u8], public: &mut [u8]) -> Result<(), SchemeError> {
        (self.public_key_of)(cpu, bytes, public)
    }
}

/// A public key that was read.
#[non_exhaustive]
pub struct PublicKey<T: 'static = Scheme> {
    /// What it is a key of.
    pub scheme: &'static T,
    /// Its bytes, as the scheme's functions take them.
    pub bytes: Vec<u8>,
}

impl<T> Clone for PublicKey<T> {
    fn clone(&self) -> Self {
        PublicKey { scheme: self.scheme, bytes: self.bytes.clone() }
    }
}

/// A private key that was read: cleared on drop.
#[non_exhaustive]
pub struct PrivateKey<T: 'static = Scheme> {
    /// What it is a key of.
    pub scheme: &'static T,
    /// The long form, which the scheme's functions take.
    pub bytes: Zeroizing<Vec<u8>>,
    /// The short form, where the key was given in it.
    pub seed: Option<Zeroizing<Vec<u8>>>,
}

impl<T> PrivateKey<T> {
    /// The shortest form that is known: what to write the key from, so that a seed is not lost.
    pub fn short(&self) -> &[u8] {
        self.seed.as_ref().unwrap_or(&self.bytes)
    }
}

/// The schemes of which a key may be.
pub type Schemes<'a, T = Scheme> = &'a [&'static T];

/// Reads a public key of one of these schemes: PEM, DER, or the raw bytes of the scheme that is expected or
/// of the only one with this length.
///
/// # Errors
/// If the bytes have none of these forms, if the key fails the checks of its scheme, or if it belongs to
/// another scheme than the expected one.
pub fn read_public_key<T: Listed>(
    cpu: Cpu,
    bytes: &[u8],
    schemes: Schemes<'_, T>,
    expected: Option<&'static T>,
) -> Result<PublicKey<T>, EncodingError> {
    if let Some(document) = public_document(bytes)? {
        let info = SubjectPublicKeyInfoRef::try_from(document.as_bytes())?;
        return public_key_of(cpu, &info, schemes, expected);
    }
    if let Ok(info) = SubjectPublicKeyInfoRef::try_from(bytes) {
        return public_key_of(cpu, &info, schemes, expected);
    }
    let found =
        only("public key", bytes, schemes, expected, |scheme, length| scheme.listing().public_key == length)?;
    found.checked(found.scheme.check_public_key(cpu, bytes))?;
    Ok(PublicKey { scheme: found.scheme, bytes: bytes.to_vec() })
}

/// Reads a private key of one of these schemes: PEM, DER, or the raw bytes, in the short form or the long
/// one. Raw bytes are those of the scheme that is expected, or of the only one with this length (of several
/// the only standard). Constant time but for which of these forms it is: to tell, it looks at the first
/// bytes, of a raw key too.
///
/// # Errors
/// If the bytes have none of these forms, if the key fails the checks of its scheme, or if it belongs to
/// another scheme than the expected one.
pub fn read_private_key<T: Listed>(
    cpu: Cpu,
    bytes: &[u8],
    schemes: Schemes<'_, T>,
    expected: Option<&'static T>,
) -> Result<PrivateKey<T>, EncodingError> {
    if let Some(document) = private_document(bytes)? {
        let info = PrivateKeyInfoRef::try_from(document.as_bytes())?;
        return private_key_of(cpu, &info, schemes, expected);
    }
    if let Ok(info) = PrivateKeyInfoRef::try_from(bytes) {
        return private_key_of(cpu, &info, schemes, expected);
    }
    let takes =
        |scheme: &T, length| scheme.listing().private_key == length || scheme.listing().seed == Some(length);
    let found = only("private key", bytes, schemes, expected, takes)?;
    found.checked(raw_private_key(cpu, bytes, found.scheme))
}

/// The scheme of an object identifier, which must be the expected one.
fn scheme_of<T: Listed>(
    oid: ObjectIdentifier,
    schemes: Schemes<'_, T>,
    expected: Option<&'static T>,
) -> Result<(&'static T, &'static Encoding), EncodingError> {
    let encoded = |scheme: &'static T| scheme.listing().encoding.map(|encoding| (scheme, encoding));
    let mut all = schemes.iter().copied().filter_map(encoded);
    let (scheme, encoding) =
        all.find(|(_, encoding)| encoding.oid == oid).ok_or(EncodingError::UnknownAlgorithm { oid })?;
    match expected {
        Some(expected) if expected.listing().name != scheme.listing().name => {
            Err(EncodingError::OtherScheme {
                expected: expected.listing().name,
                found: scheme.listing().name,
            })
        }
        _ => Ok((scheme, encoding)),
    }
}

fn public_key_of<T: Listed>(
    cpu: Cpu,
    info: &SubjectPublicKeyInfoRef<'_>,
    schemes: Schemes<'_, T>,
    expected: Option<&'static T>,
) -> Result<PublicKey<T>, EncodingError> {
    let (scheme, encoding) = scheme_of(info.algorithm.oid, schemes, expected)?;
    Ok(PublicKey { scheme, bytes: (encoding.read_public_key)(cpu, info)? })
}

fn private_key_of<T: Listed>(
    cpu: Cpu,
    info: &PrivateKeyInfoRef<'_>,
    schemes: Schemes<'_, T>,
    expected: Option<&'static T>,
) -> Result<PrivateKey<T>, EncodingError> {
    let (scheme, encoding) = scheme_of(info.algorithm.oid, schemes, expected)?;
    let PrivateBytes { bytes, seed } = (encoding.read_private_key)(cpu, info)?;
    Ok(PrivateKey { scheme, bytes, seed })
}

/// The scheme of raw bytes, and how it was found.
struct Found<T: 'static> {
    what: &'static str,
    scheme: &'static T,
    /// Whether it was named.
    named: bool,
    /// Whether there are others whose keys have this length.
    others: bool,
}

impl<T: Listed> Found<T> {
    /// What came of the scheme's checks; where they failed and nobody named the scheme, the error does.
    fn checked<K>(&self, result: Result<K, SchemeError>) -> Result<K, EncodingError> {
        result.map_err(|why| match why {
            SchemeError::InvalidKey if !self.named => EncodingError::NotOf {
                what: self.what,
                scheme: self.scheme.listing().name,
                others: self.others,
            },
            why => why.into(),
        })
    }
}

/// The scheme of raw bytes: the expected one, or the only one that takes their length; or else the only
/// standard among those.
fn only<T: Listed>(
    what: &'static str,
    bytes: &[u8],
    schemes: Schemes<'_, T>,
    expected: Option<&'static T>,
    takes: fn(&T, usize) -> bool,
) -> Result<Found<T>, EncodingError> {
    let given = bytes.len();
    let wanted =
        |scheme: &&T| expected.is_none_or(|expected| expected.listing().name == scheme.listing().name);
    let candidates = || schemes.iter().copied().filter(wanted).filter(|scheme| takes(scheme, given));
    let mut standards = candidates().filter(|scheme| scheme.listing().status == Status::Standard);
    let others = candidates().nth(1).is_some();
    match (candidates().next(), others, standards.next(), standards.next()) {
        (Some(scheme), false, ..) | (_, _, Some(scheme), None) => {
            Ok(Found { what, scheme, named: expected.is_some(), others })
        }
        (Some(_), ..) => Err(EncodingError::Ambiguous { what, given }),
        (None, ..) => Err(EncodingError::Unrecognised { what, given }),
    }
}

/// A raw private key, whose length the scheme takes.
fn raw_private_key<T: Listed>(
    cpu: Cpu,
    raw: &[u8],
    scheme: &'static T,
) -> Result<PrivateKey<T>, SchemeError> {
    let mut public = vec![0; scheme.listing().public_key];
    if scheme.listing().seed == Some(raw.len()) {
        let mut bytes = Zeroizing::new(vec![0; scheme.listing().private_key]);
        scheme.expand(cpu, raw, &mut public, &mut bytes)?;
        return Ok(PrivateKey { scheme, bytes, seed: Some(Zeroizing::new(raw.to_vec())) });
    }
    scheme.check_private_key(cpu, raw, &mut public)?;
    Ok(PrivateKey { scheme, bytes: Zeroizing::new(raw.to_vec()), seed: None })
}

/// The form of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Form {
    /// Text.
    #[cfg(feature = "pem")]
    Pem,
    /// A SubjectPublicKeyInfo or a PKCS #8, of whatever algorithm.
    Der,
    /// Anything else.
    Raw,
}

impl Form {
    /// Of these bytes: what [`read_public_key`] and [`read_private_key`] take them for.
    pub fn of(bytes: &[u8]) -> Self {
        #[cfg(feature = "pem")]
        if text(bytes).is_some() {
            return Form::Pem;
        }
        let private = PrivateKeyInfoRef::try_from(bytes).is_ok();
        let is_der = private || SubjectPublicKeyInfoRef::try_from(bytes).is_ok();
        if is_der { Form::Der } else { Form::Raw }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            #[cfg(feature = "pem")]
            Form::Pem => "PEM",
            Form::Der => "DER",
            Form::Raw => "raw",
        })
    }
}
