//! Reads and writes the keys of every compiled scheme as files. The crate `ringsmith-kem` does the same for a
//! list of schemes.
//!
//! ```
//! use ringsmith::{Cpu, encoding, scheme};
//!
//! let (cpu, scheme) = (Cpu::detect(), scheme::by_name("ML-KEM-768").unwrap());
//! let seed = [7; 64]; // 64 random bytes
//! let document = scheme.private_key_to_der(cpu, &seed)?;
//!
//! let key = encoding::read_private_key(cpu, document.as_bytes(), None)?;
//! assert_eq!((key.scheme.name, key.bytes.len()), ("ML-KEM-768", 2400));
//! assert_eq!(key.short(), seed);
//! # Ok::<(), encoding::EncodingError>(())
//! ```

use crate::scheme::{ALL, ENCRYPTIONS, PublicKeyEncryption, SIGNATURES, Scheme, SignatureScheme};
use ringsmith_kem::encoding;
use ringsmith_simd::Cpu;

pub use encoding::{
    EncodedSet, Encoding, EncodingError, EncryptionKeyBytes, Form, Listed, Listing, PrivateBytes, PrivateKey,
    PublicEncoding, PublicKey, read_signing_key, read_verifying_key,
};

/// Reads a public key from PEM, DER or raw bytes. Raw bytes are a key of the expected scheme; where none is
/// expected, of the only scheme whose keys have this length.
///
/// # Errors
/// If the bytes have none of these forms, if the key fails the checks of its scheme, or if it belongs to
/// another scheme than the expected one.
pub fn read_public_key(
    cpu: Cpu,
    bytes: &[u8],
    expected: Option<&'static Scheme>,
) -> Result<PublicKey, EncodingError> {
    encoding::read_public_key(cpu, bytes, ALL, expected)
}

/// Reads a private key from PEM, DER or raw bytes, in the short form or the long one. Raw bytes are a key of
/// the expected scheme; where none is expected, of the only scheme whose keys have this length, or of the
/// only standard among several. Constant time, except that the time shows which form it is: the first bytes
/// are looked at, those of a raw key too.
///
/// # Errors
/// If the bytes have none of these forms, if the key fails the checks of its scheme, or if it belongs to
/// another scheme than the expected one.
pub fn read_private_key(
    cpu: Cpu,
    bytes: &[u8],
    expected: Option<&'static Scheme>,
) -> Result<PrivateKey, EncodingError> {
    encoding::read_private_key(cpu, bytes, ALL, expected)
}

/// Reads a public key of public-key encryption from PEM, DER or raw bytes. Raw bytes are a key of the
/// expected set; where none is expected, of the first set whose checks they pass. A set that must be
/// [named](PublicKeyEncryption::by_name) is read only where it is the expected one.
///
/// # Errors
/// If the bytes have none of these forms, if the key fails the checks of its set, or if it belongs to another
/// set than the expected one.
pub fn read_encryption_key(
    cpu: Cpu,
    bytes: &[u8],
    expected: Option<&'static PublicKeyEncryption>,
) -> Result<EncryptionKeyBytes, EncodingError> {
    encoding::read_encryption_key(cpu, bytes, ENCRYPTIONS, expected)
}

/// Reads a public key of any signature set from PEM, DER or raw bytes. The length of raw bytes tells the set.
/// [`read_verifying_key`] is for a set that is known as a type.
///
/// # Errors
/// If the bytes have none of these forms, or if the key belongs to another set than the expected one.
pub fn read_any_verifying_key(
    cpu: Cpu,
    bytes: &[u8],
    expected: Option<&'static SignatureScheme>,
) -> Result<PublicKey<SignatureScheme>, EncodingError> {
    encoding::read_public_key(cpu, bytes, SIGNATURES, expected)
}

/// Reads a private key of any signature set from PEM, DER, or raw bytes in the long form. A raw seed is read
/// only where a set is expected, because the seeds of all sets have the same length. [`read_signing_key`] is
/// for a set that is known as a type. Constant time, except that the time shows which form it is.
///
/// # Errors
/// If the bytes have none of these forms, if the key fails the checks of its set, or if it belongs to another
/// set than the expected one.
pub fn read_any_signing_key(
    cpu: Cpu,
    bytes: &[u8],
    expected: Option<&'static SignatureScheme>,
) -> Result<PrivateKey<SignatureScheme>, EncodingError> {
    encoding::read_private_key(cpu, bytes, SIGNATURES, expected)
}
