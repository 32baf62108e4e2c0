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
mod listed;
mod signature;
mod traits;

use crate::scheme::{Scheme, SchemeError};
use crate::signature::SignatureScheme;
#[cfg(feature = "pem")]
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
pub use encryption::{EncryptionKeyBytes, PublicEncoding, read_encryption_key};
pub use listed::{Form, Listed, Listing, PrivateKey, PublicKey, Schemes, read_private_key, read_public_key};
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
        /// The length that was given, in bytes.
        given: usize,
    },
    /// The bytes are a raw key of more than one scheme.
    Ambiguous {
        /// What was looked for.
        what: &'static str,
        /// The length that was given, in bytes.
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
    /// The private key as [`Scheme::decapsulate`] takes it.
    pub bytes: Zeroizing<Vec<u8>>,
    /// The short form, where the key was given in it.
    pub seed: Option<Zeroizing<Vec<u8>>>,
}

/// Keys of a scheme as files.
macro_rules! files {
    ($($scheme:ident),*) => { $(
        impl $scheme {
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

            /// A public key as SubjectPublicKeyInfo in text.
            ///
            /// # Errors
            /// The same.
            #[cfg(feature = "pem")]
            pub fn public_key_to_pem(&self, cpu: Cpu, key: &[u8]) -> Result<String, EncodingError> {
                public_text(&self.public_key_to_der(cpu, key)?)
            }

            /// A private key as PKCS #8 in text.
            ///
            /// # Errors
            /// The same.
            #[cfg(feature = "pem")]
            pub fn private_key_to_pem(
                &self,
                cpu: Cpu,
                key: &[u8],
            ) -> Result<Zeroizing<String>, EncodingError> {
                private_text(&self.private_key_to_der(cpu, key)?)
            }
        }
    )* };
}

files!(Scheme, SignatureScheme);

#[cfg(feature = "pem")]
fn public_text(document: &Document) -> Result<String, EncodingError> {
    document.to_pem(PUBLIC_LABEL, pkcs8::LineEnding::LF).map_err(|_| EncodingError::Text)
}

#[cfg(feature = "pem")]
fn private_text(document: &SecretDocument) -> Result<Zeroizing<String>, EncodingError> {
    document.to_pem(PRIVATE_LABEL, pkcs8::LineEnding::LF).map_err(|_| EncodingError::Text)
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

/// The DER of a public key in a text; none where the bytes are no text.
fn public_document(bytes: &[u8]) -> Result<Option<Document>, EncodingError> {
    #[cfg(feature = "pem")]
    if let Some(text) = text(bytes) {
        let (label, document) = Document::from_pem(text?).map_err(|_| EncodingError::Text)?;
        return labelled(label, PUBLIC_LABEL).map(|()| Some(document));
    }
    let _ = bytes;
    Ok(None)
}

/// The same of a private key.
fn private_document(bytes: &[u8]) -> Result<Option<SecretDocument>, EncodingError> {
    #[cfg(feature = "pem")]
    if let Some(text) = text(bytes) {
        // The label first, so that what else the text holds is not decoded.
        let text = text?;
        labelled(der::pem::decode_label(text.as_bytes()).map_err(|_| EncodingError::Text)?, PRIVATE_LABEL)?;
        let (_, document) = SecretDocument::from_pem(text).map_err(|_| EncodingError::Text)?;
        return Ok(Some(document));
    }
    let _ = bytes;
    Ok(None)
}

#[cfg(feature = "pem")]
fn labelled(label: &str, expected: &'static str) -> Result<(), EncodingError> {
    if label == expected { Ok(()) } else { Err(EncodingError::Label { expected }) }
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
