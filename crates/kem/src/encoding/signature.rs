//! Keys of signatures as SubjectPublicKeyInfo and PKCS #8, by the traits of the crate `pkcs8` and, with a
//! sentence for each error, by [`read_signing_key`] and [`read_verifying_key`].
//!
//! A public key is the bit string of its bytes. A private key is its seed, its long form, or both: all are
//! read, and the seed is written where it is known. Where there are both, they must belong to each other. The
//! algorithm has no parameters. Source: RFC 9881.
//!
//! Drafts of RFC 9881 had other private keys, whose bytes stand in the outer octet string without a tag: the
//! seed, the long form, or the long form with the public key. They are refused, and the error says what they
//! are: a reader that guesses forms by their lengths takes one key for another.

use super::{Encoding, EncodingError, PrivateBytes, PrivateForm};
use super::{expanded_der, private_document, public_bytes, public_der, public_document, seed_der};
use crate::declassify::publish;
use crate::error::SchemeError;
use crate::scheme::exactly;
use crate::set::Bytes;
use crate::signature::{SEED_BYTES, SignatureScheme, SignatureSet, SigningKey, VerifyingKey};
use alloc::boxed::Box;
use ctutils::CtEq;
use pkcs8::der::asn1::AnyRef;
use pkcs8::spki::{self, AlgorithmIdentifier, AssociatedAlgorithmIdentifier};
use pkcs8::spki::{SignatureAlgorithmIdentifier, SubjectPublicKeyInfoRef};
use pkcs8::{AssociatedOid, Document, EncodePrivateKey, EncodePublicKey, KeyError, SecretDocument};
use pkcs8::{PrivateKeyInfoRef, der};
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// A set whose keys have an object identifier.
pub trait EncodedSet: SignatureSet + AssociatedOid {}

impl<S: SignatureSet + AssociatedOid> EncodedSet for S {}

impl SignatureScheme {
    /// A set whose keys have an object identifier.
    pub const fn encoded<S: EncodedSet>() -> Self {
        SignatureScheme { encoding: Some(encoding::<S>()), ..SignatureScheme::of::<S>() }
    }
}

const fn encoding<S: EncodedSet>() -> Encoding {
    Encoding {
        oid: S::OID,
        write_public_key: |_, key| {
            Ok(public_der(S::OID, exactly::<S::VerifyingBytes>("public key", key)?.as_ref())?)
        },
        read_public_key: |cpu, info| Ok(of_public_info::<S>(cpu, info)?.to_bytes().as_ref().to_vec()),
        write_private_key: |cpu, key| {
            let mut read = Box::new(SigningKey::<S>::blank(cpu));
            match key.try_into() {
                Ok(seed) => read.read_seed(seed),
                Err(_) => read_expanded(&mut read, exactly::<S::SigningBytes>("private key", key)?.as_ref())?,
            }
            Ok(read.to_pkcs8_der()?)
        },
        read_private_key: |cpu, info| {
            let mut key = Box::new(SigningKey::<S>::blank(cpu));
            read_info(&mut key, info)?;
            let bytes = Zeroizing::new(key.as_bytes().as_ref().to_vec());
            let seed = key.to_seed().map(|seed| Zeroizing::new(seed.to_vec()));
            Ok(PrivateBytes { bytes, seed })
        },
    }
}

/// Reads a private key: PEM or PKCS #8 in DER.
///
/// # Errors
/// Where the bytes are neither, or the key is of another algorithm, of a form of a draft, or none.
pub fn read_signing_key<S: EncodedSet>(cpu: Cpu, bytes: &[u8]) -> Result<SigningKey<S>, EncodingError> {
    if let Some(document) = private_document(bytes)? {
        return of_info(cpu, &PrivateKeyInfoRef::try_from(document.as_bytes())?);
    }
    let wrong = |_: der::Error| EncodingError::Unrecognised { what: "private key", given: bytes.len() };
    of_info(cpu, &der::Decode::from_der(bytes).map_err(wrong)?)
}

/// Reads a public key: PEM or SubjectPublicKeyInfo in DER.
///
/// # Errors
/// Where the bytes are neither, or the key is of another algorithm, or has another length.
pub fn read_verifying_key<S: EncodedSet>(cpu: Cpu, bytes: &[u8]) -> Result<VerifyingKey<S>, EncodingError> {
    if let Some(document) = public_document(bytes)? {
        return Ok(of_public_info(cpu, &SubjectPublicKeyInfoRef::try_from(document.as_bytes())?)?);
    }
    let wrong = |_: der::Error| EncodingError::Unrecognised { what: "public key", given: bytes.len() };
    Ok(of_public_info(cpu, &der::Decode::from_der(bytes).map_err(wrong)?)?)
}

/// The private key in a PKCS #8. Whether it is one is said to the caller.
fn of_info<S: EncodedSet>(cpu: Cpu, info: &PrivateKeyInfoRef<'_>) -> Result<SigningKey<S>, EncodingError> {
    let mut key = SigningKey::blank(cpu);
    read_info(&mut key, info)?;
    Ok(key)
}

/// The same, where the key stays.
fn read_info<S: EncodedSet>(
    key: &mut SigningKey<S>,
    info: &PrivateKeyInfoRef<'_>,
) -> Result<(), EncodingError> {
    match PrivateForm::read(S::OID, info) {
        Ok(PrivateForm::Seed(seed)) => key.read_seed(seed_of(seed)?),
        Ok(PrivateForm::Expanded(bytes)) => read_expanded(key, bytes)?,
        Ok(PrivateForm::Both(seed, bytes)) => read_both(key, seed_of(seed)?, bytes)?,
        Err(pkcs8::Error::KeyMalformed(_)) if draft::<S>(info.private_key.as_bytes().len()) => {
            return Err(EncodingError::DraftForm { scheme: S::NAME });
        }
        Err(why) => return Err(why.into()),
    }
    match info.public_key.map(|bits| bits.as_bytes()) {
        Some(public) if public != Some(key.verifying_key().to_bytes().as_ref()) => invalid(),
        _ => Ok(()),
    }
}

fn invalid<T>() -> Result<T, EncodingError> {
    Err(EncodingError::Key(SchemeError::InvalidKey))
}

/// Whether bytes without a tag, of this length, are a private key of a draft.
fn draft<S: SignatureSet>(length: usize) -> bool {
    let (long, public) = (S::SigningBytes::LEN, S::VerifyingBytes::LEN);
    [SEED_BYTES, long, SEED_BYTES + long, long + public].contains(&length)
}

fn seed_of(seed: &[u8]) -> Result<&[u8; SEED_BYTES], EncodingError> {
    seed.try_into().or(invalid())
}

fn read_expanded<S: SignatureSet>(key: &mut SigningKey<S>, bytes: &[u8]) -> Result<(), EncodingError> {
    match S::SigningBytes::of(bytes) {
        Some(bytes) => Ok(key.read_bytes(bytes).map_err(SchemeError::from)?),
        None if draft::<S>(bytes.len()) => Err(EncodingError::DraftForm { scheme: S::NAME }),
        None => invalid(),
    }
}

fn read_both<S: SignatureSet>(
    key: &mut SigningKey<S>,
    seed: &[u8; SEED_BYTES],
    bytes: &[u8],
) -> Result<(), EncodingError> {
    key.read_seed(seed);
    let mut same = [key.as_bytes().as_ref().ct_eq(bytes).to_u8()];
    // Whether the key is one is said to the caller.
    publish(&mut same);
    if same == [1] { Ok(()) } else { invalid() }
}

fn of_public_info<S: EncodedSet>(
    cpu: Cpu,
    info: &SubjectPublicKeyInfoRef<'_>,
) -> pkcs8::Result<VerifyingKey<S>> {
    let bytes = S::VerifyingBytes::of(public_bytes(S::OID, info)?).ok_or(KeyError::Invalid)?;
    Ok(VerifyingKey::from_bytes_on(cpu, bytes))
}

/// No parameters stand beside the identifier.
const fn identifier<S: AssociatedOid>() -> AlgorithmIdentifier<AnyRef<'static>> {
    AlgorithmIdentifier { oid: S::OID, parameters: None }
}

impl<S: EncodedSet> AssociatedAlgorithmIdentifier for VerifyingKey<S> {
    type Params = AnyRef<'static>;
    const ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> = identifier::<S>();
}

impl<S: EncodedSet> AssociatedAlgorithmIdentifier for SigningKey<S> {
    type Params = AnyRef<'static>;
    const ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> = identifier::<S>();
}

/// A signature is named as its key is.
impl<S: EncodedSet> SignatureAlgorithmIdentifier for VerifyingKey<S> {
    type Params = AnyRef<'static>;
    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> = identifier::<S>();
}

/// A signature is named as its key is.
impl<S: EncodedSet> SignatureAlgorithmIdentifier for SigningKey<S> {
    type Params = AnyRef<'static>;
    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<AnyRef<'static>> = identifier::<S>();
}

/// With the best CPU backend of the machine.
impl<S: EncodedSet> TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey<S> {
    type Error = spki::Error;
    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> Result<Self, spki::Error> {
        Ok(of_public_info(Cpu::detect(), &info)?)
    }
}

impl<S: EncodedSet> EncodePublicKey for VerifyingKey<S> {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        public_der(S::OID, self.to_bytes().as_ref())
    }
}

/// With the best CPU backend of the machine. A key of a draft is an error like any other here.
impl<S: EncodedSet> TryFrom<PrivateKeyInfoRef<'_>> for SigningKey<S> {
    type Error = pkcs8::Error;
    fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self, pkcs8::Error> {
        super::check_algorithm(S::OID, &info.algorithm)?;
        Ok(of_info(Cpu::detect(), &info).map_err(|_| KeyError::Invalid)?)
    }
}

/// The seed where there is one, otherwise the long form.
impl<S: EncodedSet> EncodePrivateKey for SigningKey<S> {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        match self.to_seed().as_deref() {
            Some(seed) => seed_der(S::OID, seed),
            None => expanded_der(S::OID, self.as_bytes().as_ref()),
        }
    }
}

/// For certificates.
#[cfg(feature = "signature")]
impl<S: SignatureSet> spki::SignatureBitStringEncoding for crate::signature::traits::Signature<S> {
    fn to_bitstring(&self) -> der::Result<der::asn1::BitString> {
        der::asn1::BitString::from_bytes(self.as_bytes().as_ref())
    }
}
