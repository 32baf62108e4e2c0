//! Keys as files, of every scheme that is compiled: what the crate `ringsmith-kem` does for a list of them.
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

/// Reads a public key: PEM, DER, or the raw bytes of the scheme that is expected or of the only one with this
/// length.
///
/// # Errors
/// Where the bytes are none of this, or fail the checks of the scheme, or are a key of another scheme than
/// the expected one.
pub fn read_public_key(
    cpu: Cpu,
    bytes: &[u8],
    expected: Option<&'static Scheme>,
) -> Result<PublicKey, EncodingError> {
    encoding::read_public_key(cpu, bytes, ALL, expected)
}

/// Reads a private key: PEM, DER, or the raw bytes, in the short form or the long one, of the scheme that is
/// expected or of the only one with this length (of several the only standard). Constant time but for which
/// of these it is: to tell, it looks at the first bytes, of a raw key too.
///
/// # Errors
/// Where the bytes are none of this, or fail the checks of the scheme, or are a key of another scheme than
/// the expected one.
pub fn read_private_key(
    cpu: Cpu,
    bytes: &[u8],
    expected: Option<&'static Scheme>,
) -> Result<PrivateKey, EncodingError> {
    encoding::read_private_key(cpu, bytes, ALL, expected)
}

/// Reads a public key of public-key encryption: PEM, DER, or the raw bytes of the set that is expected or of
/// the one of which they are a key. Of a set that is taken [by its name](PublicKeyEncryption::by_name) alone
/// it must be the expected one.
///
/// # Errors
/// Where the bytes are none of this, or fail the checks of the set, or are a key of another than the expected
/// one.
pub fn read_encryption_key(
    cpu: Cpu,
    bytes: &[u8],
    expected: Option<&'static PublicKeyEncryption>,
) -> Result<EncryptionKeyBytes, EncodingError> {
    encoding::read_encryption_key(cpu, bytes, ENCRYPTIONS, expected)
}

/// Reads a public key of signatures of whichever set: PEM, DER, or the raw bytes, whose length names the set.
/// [`read_verifying_key`] is for a set that is known as a type.
///
/// # Errors
/// Where the bytes are none of this, or are a key of another set than the expected one.
pub fn read_any_verifying_key(
    cpu: Cpu,
    bytes: &[u8],
    expected: Option<&'static SignatureScheme>,
) -> Result<PublicKey<SignatureScheme>, EncodingError> {
    encoding::read_public_key(cpu, bytes, SIGNATURES, expected)
}

/// Reads a private key of signatures of whichever set: PEM, DER, or the raw bytes in the long form; a raw
/// seed where the set is expected, since all sets have seeds of one length. [`read_signing_key`] is for a
/// set that is known as a type. Constant time but for which of these it is.
///
/// # Errors
/// Where the bytes are none of this, fail the checks of the set, or are a key of another set than the
/// expected one.
pub fn read_any_signing_key(
    cpu: Cpu,
    bytes: &[u8],
    expected: Option<&'static SignatureScheme>,
) -> Result<PrivateKey<SignatureScheme>, EncodingError> {
    encoding::read_private_key(cpu, bytes, SIGNATURES, expected)
}
