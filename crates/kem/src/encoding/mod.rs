//! Keys as files: SubjectPublicKeyInfo (RFC 5280) and PKCS #8 (RFC 5958), in DER and, with the feature `pem`,
//! as text.
//!
//! The types of a scheme implement the traits of the crate [`pkcs8`]. This page is for tools that serve every
//! scheme: they read a key whose scheme they do not know, of a list of them, and write the keys that a
//! [`Scheme`] made.
//!
//! # What is refused
//! Everything that is not in the standards' one form: another object identifier, algorithm parameters (`NULL`
//! too), another length, unused bits in a bit string, trailing data, a key that fails the checks of its
//! scheme, a public key beside a private key that is not its own. Attributes of a PKCS #8 key say nothing
//! about the key and are ignored.

mod encryption;
mod signature;
mod traits;

use crate::scheme::{Scheme, SchemeError, Status};
use alloc::vec::Vec;
use core::fmt;
pub use encryption::{EncryptionKeyBytes, PublicEncoding, read_encryption_key};
use pkcs8::der::asn1::{AnyRef, BitStringRef, ContextSpecific, OctetStringRef};
use pkcs8::der::{self, Decode, Encode, Reader, SliceReader, Tag, TagMode, TagNumber};
use pkcs8::spki::{self, AlgorithmIdentifier, AlgorithmIdentifierRef};
use pkcs8::{Document, ObjectIdentifier, PrivateKeyInfoRef, SecretDocument, SubjectPublicKeyInfoRef};
use ringsmith_simd::Cpu;
pub use signature::{EncodedSet, read_signing_key, read_verifying_key};
use zeroize::Zeroizing;

/// The tag of a seed (RFC 9935, section 6).
const SEED: TagNumber = TagNumber(0);

/// Why a key could not be read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EncodingError {
    /// The bytes are neither text nor DER nor a raw key.
    Unrecognised {
        /// What was looked for.
        what: &'static str,
        /// What was given, in bytes.
        given: usize,
    },
    /// The bytes are a raw key of more than one scheme.
    Ambiguous {
        /// What was looked for.
        what: &'static str,
        /// What was given, in bytes.
        given: usize,
    },
    /// The bytes are as many as a raw key of a scheme that was not named has, and are none.
    NotOf {
        /// What was looked for.
        what: &'static str,
        /// The scheme that they were taken for.
        scheme: &'static str,
        /// Whether other schemes have keys of this length.
        others: bool,
    },
    /// The text is not of the form of PEM.
    Text,
    /// The text holds something else.
    Label {
        /// What was looked for, as its label.
        expected: &'static str,
    },
    /// The DER is not of the form of the structure.
    Malformed,
    /// The key is of an algorithm that is not here.
    UnknownAlgorithm {
        /// The algorithm.
        oid: ObjectIdentifier,
    },
    /// The key is of another scheme than the one asked for.
    OtherScheme {
        /// What was asked for.
        expected: &'static str,
        /// What there is.
        found: &'static str,
    },
    /// The scheme has no object identifier, so its keys have no standard encoding.
    NoIdentifier {
        /// The scheme.
        scheme: &'static str,
    },
    /// The scheme's private keys have no standard encoding.
    NoPrivateForm {
        /// The scheme.
        scheme: &'static str,
    },
    /// The algorithm has parameters, which the scheme does not.
    Parameters,
    /// A private key as a draft of its standard had it.
    DraftForm {
        /// The scheme.
        scheme: &'static str,
    },
    /// The key inside is none.
    Key(SchemeError),
}

impl fmt::Display for EncodingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodingError::Unrecognised { what, given } => {
                write!(
                    f,
                    "{given} bytes that are no {what}: neither PEM nor DER nor a known scheme's raw bytes"
                )
            }
            EncodingError::Ambiguous { what, given } => {
                write!(f, "{given} bytes can be a raw {what} of several schemes: name the scheme")
            }
            EncodingError::NotOf { what, scheme, others } => {
                let hint = if *others { ": if they are of another scheme, name it" } else { "" };
                write!(f, "the bytes are no {what} of {scheme}, whose length they have{hint}")
            }
            EncodingError::Text => f.write_str("the text is no well-formed PEM"),
            EncodingError::Label { expected } => write!(f, "the PEM text does not say `BEGIN {expected}`"),
            EncodingError::Malformed => f.write_str("the DER is malformed"),
            EncodingError::UnknownAlgorithm { oid } => write!(f, "a key of the unknown algorithm {oid}"),
            EncodingError::OtherScheme { expected, found } => {
                write!(f, "a key of {found}, where {expected} is expected")
            }
            EncodingError::NoIdentifier { scheme } => {
                write!(f, "{scheme} has no object identifier: its keys have neither DER nor PEM")
            }
            EncodingError::NoPrivateForm { scheme } => {
                write!(f, "no standard says how private keys of {scheme} are DER or PEM: keep their bytes")
            }
            EncodingError::Parameters => f.write_str("the algorithm identifier has parameters"),
            EncodingError::DraftForm { scheme } => write!(
                f,
                "a private key of {scheme} in a form of a draft of RFC 9881, whose bytes have no tag: \
                 write it anew with the program that made it, or keep its raw bytes"
            ),
            EncodingError::Key(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for EncodingError {}

impl From<SchemeError> for EncodingError {
    fn from(error: SchemeError) -> Self {
        EncodingError::Key(error)
    }
}

impl From<pkcs8::Error> for EncodingError {
    fn from(error: pkcs8::Error) -> Self {
        match error {
            pkcs8::Error::PublicKey(spki::Error::OidUnknown { oid }) => {
                EncodingError::UnknownAlgorithm { oid }
            }
            pkcs8::Error::ParametersMalformed => EncodingError::Parameters,
            pkcs8::Error::KeyMalformed(_) | pkcs8::Error::PublicKey(spki::Error::KeyMalformed) => {
                EncodingError::Key(SchemeError::InvalidKey)
            }
            _ => EncodingError::Malformed,
        }
    }
}

impl From<spki::Error> for EncodingError {
    fn from(error: spki::Error) -> Self {
        pkcs8::Error::from(error).into()
    }
}

type WritePublic = fn(Cpu, &[u8]) -> Result<Document, EncodingError>;
type ReadPublic = fn(Cpu, &SubjectPublicKeyInfoRef<'_>) -> Result<Vec<u8>, EncodingError>;
type WritePrivate = fn(Cpu, &[u8]) -> Result<SecretDocument, EncodingError>;
type ReadPrivate = fn(Cpu, &PrivateKeyInfoRef<'_>) -> Result<PrivateBytes, EncodingError>;

/// How a scheme's keys are encoded. All of it checks the keys.
pub struct Encoding {
    /// What names the scheme in DER.
    pub oid: ObjectIdentifier,
    /// Of a public key: its SubjectPublicKeyInfo.
    pub write_public_key: WritePublic,
    /// Of a SubjectPublicKeyInfo: the public key.
    pub read_public_key: ReadPublic,
    /// Of a private key, in its short form or its long one: its PKCS #8, in the same form.
    pub write_private_key: WritePrivate,
    /// Of a PKCS #8: the private key.
    pub read_private_key: ReadPrivate,
}

/// A private key as a scheme's function reads it: cleared on drop.
pub struct PrivateBytes {
    /// What [`Scheme::decapsulate`] takes.
    pub bytes: Zeroizing<Vec<u8>>,
    /// The short form, where the key was given in it.
    pub seed: Option<Zeroizing<Vec<u8>>>,
}

/// A public key that was read.
#[derive(Clone)]
#[non_exhaustive]
pub struct PublicKey {
    /// What it is a key of.
    pub scheme: &'static Scheme,
    /// What [`Scheme::encapsulate`] takes.
    pub bytes: Vec<u8>,
}

/// A private key that was read: cleared on drop.
#[non_exhaustive]
pub struct PrivateKey {
    /// What it is a key of.
    pub scheme: &'static Scheme,
    /// What [`Scheme::decapsulate`] takes.
    pub bytes: Zeroizing<Vec<u8>>,
    /// The short form, where the key was given in it.
    pub seed: Option<Zeroizing<Vec<u8>>>,
}

impl PrivateKey {
    /// The shortest form that is known: what to write the key from, so that a seed is not lost.
    pub fn short(&self) -> &[u8] {
        self.seed.as_ref().unwrap_or(&self.bytes)
    }
}

impl Scheme {
    fn encoding(&self) -> Result<&Encoding, EncodingError> {
        self.encoding.as_ref().ok_or(EncodingError::NoIdentifier { scheme: self.name })
    }

    /// A public key as SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// Where the scheme has no object identifier, or the bytes are no key of it.
    pub fn public_key_to_der(&self, cpu: Cpu, key: &[u8]) -> Result<Document, EncodingError> {
        (self.encoding()?.write_public_key)(cpu, key)
    }

    /// A private key as PKCS #8, in the form in which it is given: seed or long form.
    ///
    /// # Errors
    /// Where the scheme has no object identifier, or the bytes are no key of it.
    pub fn private_key_to_der(&self, cpu: Cpu, key: &[u8]) -> Result<SecretDocument, EncodingError> {
        (self.encoding()?.write_private_key)(cpu, key)
    }

    /// [`public_key_to_der`](Scheme::public_key_to_der) as text.
    ///
    /// # Errors
    /// The same.
    #[cfg(feature = "pem")]
    pub fn public_key_to_pem(&self, cpu: Cpu, key: &[u8]) -> Result<alloc::string::String, EncodingError> {
        let document = self.public_key_to_der(cpu, key)?;
        document.to_pem(PUBLIC_LABEL, pkcs8::LineEnding::LF).map_err(|_| EncodingError::Text)
    }

    /// [`private_key_to_der`](Scheme::private_key_to_der) as text.
    ///
    /// # Errors
    /// The same.
    #[cfg(feature = "pem")]
    pub fn private_key_to_pem(
        &self,
        cpu: Cpu,
        key: &[u8],
    ) -> Result<Zeroizing<alloc::string::String>, EncodingError> {
        let document = self.private_key_to_der(cpu, key)?;
        document.to_pem(PRIVATE_LABEL, pkcs8::LineEnding::LF).map_err(|_| EncodingError::Text)
    }
}

/// The schemes of which a key may be.
pub type Schemes<'a> = &'a [&'static Scheme];

/// Reads a public key of one of these schemes: PEM, DER, or the raw bytes of the scheme that is expected or
/// of the only one with this length.
///
/// # Errors
/// Where the bytes are none of this, or fail the checks of the scheme, or are a key of another scheme than
/// the expected one.
pub fn read_public_key(
    cpu: Cpu,
    bytes: &[u8],
    schemes: Schemes<'_>,
    expected: Option<&'static Scheme>,
) -> Result<PublicKey, EncodingError> {
    #[cfg(feature = "pem")]
    if let Some(text) = text(bytes) {
        let (label, document) = Document::from_pem(text?).map_err(|_| EncodingError::Text)?;
        labelled(label, PUBLIC_LABEL)?;
        let info = SubjectPublicKeyInfoRef::try_from(document.as_bytes())?;
        return public_key_of(cpu, &info, schemes, expected);
    }
    if let Ok(info) = SubjectPublicKeyInfoRef::try_from(bytes) {
        return public_key_of(cpu, &info, schemes, expected);
    }
    let found = only("public key", bytes, schemes, expected, |scheme, length| scheme.public_key == length)?;
    found.checked((found.scheme.check_public_key)(cpu, bytes))?;
    Ok(PublicKey { scheme: found.scheme, bytes: bytes.to_vec() })
}

/// Reads a private key of one of these schemes: PEM, DER, or the raw bytes, in the short form or the long
/// one. Raw bytes are those of the scheme that is expected, or of the only one with this length (of several
/// the only standard). Constant time but for which of these forms it is: to tell, it looks at the first
/// bytes, of a raw key too.
///
/// # Errors
/// Where the bytes are none of this, or fail the checks of the scheme, or are a key of another scheme than
/// the expected one.
pub fn read_private_key(
    cpu: Cpu,
    bytes: &[u8],
    schemes: Schemes<'_>,
    expected: Option<&'static Scheme>,
) -> Result<PrivateKey, EncodingError> {
    #[cfg(feature = "pem")]
    if let Some(text) = text(bytes) {
        // The label first, so that what else the text holds is not decoded.
        let text = text?;
        labelled(der::pem::decode_label(text.as_bytes()).map_err(|_| EncodingError::Text)?, PRIVATE_LABEL)?;
        let (_, document) = SecretDocument::from_pem(text).map_err(|_| EncodingError::Text)?;
        let info = PrivateKeyInfoRef::try_from(document.as_bytes())?;
        return private_key_of(cpu, &info, schemes, expected);
    }
    if let Ok(info) = PrivateKeyInfoRef::try_from(bytes) {
        return private_key_of(cpu, &info, schemes, expected);
    }
    let takes = |scheme: &Scheme, length| {
        scheme.private_key == length || scheme.seed.as_ref().is_some_and(|seed| seed.bytes == length)
    };
    let found = only("private key", bytes, schemes, expected, takes)?;
    found.checked(raw_private_key(cpu, bytes, found.scheme))
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

#[cfg(feature = "pem")]
const PUBLIC_LABEL: &str = "PUBLIC KEY";
#[cfg(feature = "pem")]
const PRIVATE_LABEL: &str = "PRIVATE KEY";

/// The bytes as a text, if they begin as PEM does.
#[cfg(feature = "pem")]
fn text(bytes: &[u8]) -> Option<Result<&str, EncodingError>> {
    let text = bytes.trim_ascii_start();
    let begins = text.starts_with(b"-----BEGIN ");
    begins.then(|| core::str::from_utf8(text).map_err(|_| EncodingError::Text))
}

#[cfg(feature = "pem")]
fn labelled(label: &str, expected: &'static str) -> Result<(), EncodingError> {
    if label == expected { Ok(()) } else { Err(EncodingError::Label { expected }) }
}

/// The scheme of an object identifier, which must be the expected one.
fn scheme_of(
    oid: ObjectIdentifier,
    schemes: Schemes<'_>,
    expected: Option<&'static Scheme>,
) -> Result<(&'static Scheme, &'static Encoding), EncodingError> {
    let encoded = |scheme: &'static Scheme| scheme.encoding.as_ref().map(|encoding| (scheme, encoding));
    let mut all = schemes.iter().copied().filter_map(encoded);
    let (scheme, encoding) =
        all.find(|(_, encoding)| encoding.oid == oid).ok_or(EncodingError::UnknownAlgorithm { oid })?;
    match expected {
        Some(expected) if expected.name != scheme.name => {
            Err(EncodingError::OtherScheme { expected: expected.name, found: scheme.name })
        }
        _ => Ok((scheme, encoding)),
    }
}

fn public_key_of(
    cpu: Cpu,
    info: &SubjectPublicKeyInfoRef<'_>,
    schemes: Schemes<'_>,
    expected: Option<&'static Scheme>,
) -> Result<PublicKey, EncodingError> {
    let (scheme, encoding) = scheme_of(info.algorithm.oid, schemes, expected)?;
    Ok(PublicKey { scheme, bytes: (encoding.read_public_key)(cpu, info)? })
}

fn private_key_of(
    cpu: Cpu,
    info: &PrivateKeyInfoRef<'_>,
    schemes: Schemes<'_>,
    expected: Option<&'static Scheme>,
) -> Result<PrivateKey, EncodingError> {
    let (scheme, encoding) = scheme_of(info.algorithm.oid, schemes, expected)?;
    let PrivateBytes { bytes, seed } = (encoding.read_private_key)(cpu, info)?;
    Ok(PrivateKey { scheme, bytes, seed })
}

/// The scheme of raw bytes, and how it was found.
struct Found {
    what: &'static str,
    scheme: &'static Scheme,
    /// Whether it was named.
    named: bool,
    /// Whether there are others whose keys have this length.
    others: bool,
}

impl Found {
    /// What came of the scheme's checks; where they failed and nobody named the scheme, the error does.
    fn checked<T>(&self, result: Result<T, SchemeError>) -> Result<T, EncodingError> {
        result.map_err(|why| match why {
            SchemeError::InvalidKey if !self.named => {
                EncodingError::NotOf { what: self.what, scheme: self.scheme.name, others: self.others }
            }
            why => why.into(),
        })
    }
}

/// The scheme of raw bytes: the expected one, or the only one that takes their length; or else the only
/// standard among those.
fn only(
    what: &'static str,
    bytes: &[u8],
    schemes: Schemes<'_>,
    expected: Option<&'static Scheme>,
    takes: fn(&Scheme, usize) -> bool,
) -> Result<Found, EncodingError> {
    let given = bytes.len();
    let wanted = |scheme: &&Scheme| expected.is_none_or(|expected| expected.name == scheme.name);
    let candidates = || schemes.iter().copied().filter(wanted).filter(|scheme| takes(scheme, given));
    let mut standards = candidates().filter(|scheme| scheme.status == Status::Standard);
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
fn raw_private_key(cpu: Cpu, raw: &[u8], scheme: &'static Scheme) -> Result<PrivateKey, SchemeError> {
    let mut public = alloc::vec![0; scheme.public_key];
    match &scheme.seed {
        Some(seed) if seed.bytes == raw.len() => {
            let mut bytes = Zeroizing::new(alloc::vec![0; scheme.private_key]);
            (seed.expand)(cpu, raw, &mut public, &mut bytes)?;
            Ok(PrivateKey { scheme, bytes, seed: Some(Zeroizing::new(raw.to_vec())) })
        }
        _ => {
            if let Some(public_key_of) = scheme.public_key_of {
                public_key_of(cpu, raw, &mut public)?;
            }
            Ok(PrivateKey { scheme, bytes: Zeroizing::new(raw.to_vec()), seed: None })
        }
    }
}

/// An algorithm identifier is the object identifier alone.
fn check_algorithm(oid: ObjectIdentifier, algorithm: &AlgorithmIdentifierRef<'_>) -> pkcs8::Result<()> {
    algorithm.assert_algorithm_oid(oid)?;
    if algorithm.parameters.is_some() { Err(pkcs8::Error::ParametersMalformed) } else { Ok(()) }
}

/// The bytes of the public key in a SubjectPublicKeyInfo.
pub fn public_bytes<'a>(
    oid: ObjectIdentifier,
    info: &SubjectPublicKeyInfoRef<'a>,
) -> pkcs8::Result<&'a [u8]> {
    check_algorithm(oid, &info.algorithm)?;
    info.subject_public_key.as_bytes().ok_or(pkcs8::KeyError::Invalid.into())
}

/// The SubjectPublicKeyInfo of a public key's bytes.
pub fn public_der(oid: ObjectIdentifier, bytes: &[u8]) -> spki::Result<Document> {
    let algorithm = AlgorithmIdentifier { oid, parameters: None::<AnyRef<'_>> };
    SubjectPublicKeyInfoRef { algorithm, subject_public_key: BitStringRef::from_bytes(bytes)? }.try_into()
}

/// A private key in a PKCS #8: what schemes with a seed have in common (RFC 9935, section 6; RFC 9881,
/// section 6).
///
/// ```text
/// PrivateKey ::= CHOICE { seed [0] IMPLICIT OCTET STRING, expandedKey OCTET STRING,
///                         both SEQUENCE { seed OCTET STRING, expandedKey OCTET STRING } }
/// ```
pub enum PrivateForm<'a> {
    /// The seed alone.
    Seed(&'a [u8]),
    /// The long form alone.
    Expanded(&'a [u8]),
    /// The seed, and what it expands to.
    Both(&'a [u8], &'a [u8]),
}

impl<'a> PrivateForm<'a> {
    /// What is in a PKCS #8 that names the algorithm. An error inside the private key is one error, whatever
    /// it is.
    pub fn read(oid: ObjectIdentifier, info: &PrivateKeyInfoRef<'a>) -> pkcs8::Result<Self> {
        check_algorithm(oid, &info.algorithm)?;
        Self::decode(info.private_key.as_bytes()).map_err(|_| pkcs8::KeyError::Invalid.into())
    }

    fn decode(bytes: &'a [u8]) -> der::Result<Self> {
        let mut reader = SliceReader::new(bytes)?;
        let string =
            |reader: &mut SliceReader<'a>| <&OctetStringRef>::decode(reader).map(OctetStringRef::as_bytes);
        let form = match Tag::peek(&reader)? {
            Tag::OctetString => PrivateForm::Expanded(string(&mut reader)?),
            Tag::Sequence => {
                reader.sequence(|inner| der::Result::Ok(PrivateForm::Both(string(inner)?, string(inner)?)))?
            }
            tag => {
                let seed = ContextSpecific::<&OctetStringRef>::decode_implicit(&mut reader, SEED)?;
                PrivateForm::Seed(seed.ok_or(tag.unexpected_error(None))?.value.as_bytes())
            }
        };
        reader.finish()?;
        Ok(form)
    }
}

/// The PKCS #8 of a private key's seed.
pub fn seed_der(oid: ObjectIdentifier, seed: &[u8]) -> pkcs8::Result<SecretDocument> {
    let value = OctetStringRef::new(seed)?;
    private_der(oid, &ContextSpecific { tag_number: SEED, tag_mode: TagMode::Implicit, value })
}

/// The PKCS #8 of a private key's long form.
pub fn expanded_der(oid: ObjectIdentifier, expanded: &[u8]) -> pkcs8::Result<SecretDocument> {
    private_der(oid, &OctetStringRef::new(expanded)?)
}

fn private_der(oid: ObjectIdentifier, form: &impl Encode) -> pkcs8::Result<SecretDocument> {
    let inner = Zeroizing::new(form.to_der()?);
    let algorithm = AlgorithmIdentifierRef { oid, parameters: None };
    Ok(SecretDocument::encode_msg(&PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(&inner)?))?)
}
