//! Schemes by name: what a tool that serves all of them works with.
//!
//! A family's crate has a `SCHEME` for each set; the crate `ringsmith` has the list of them.
//!
//! # Stack
//! Nothing is allocated. 128 KiB of stack are enough for every operation but `generate`, which may take 256
//! (test `stack`). The types of the schemes hold keys expanded for many operations, and take more where they
//! are moved.

use core::fmt;
use rand_core::CryptoRng;
use ringsmith_ring::Route;
use ringsmith_simd::Cpu;

#[cfg(feature = "pkcs8")]
pub use crate::encoding::Encoding;

/// How keys are encoded: without the feature `pkcs8` there is nothing of this type.
#[cfg(not(feature = "pkcs8"))]
pub enum Encoding {}

/// Whether a scheme is one to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Status {
    /// A standard in force.
    Standard,
    /// For research and compatibility.
    Historical,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Standard => "standard",
            Status::Historical => "historical",
        })
    }
}

/// Why an operation did not take place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SchemeError {
    /// An argument has another length than the scheme's.
    Length {
        /// Which argument.
        what: &'static str,
        /// The scheme's, in bytes.
        expected: usize,
        /// What was given, in bytes.
        given: usize,
    },
    /// The bytes have the length of a key, and are none.
    InvalidKey,
}

impl fmt::Display for SchemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SchemeError::Length { what, expected, given } => {
                let n = if what.starts_with('o') { "n" } else { "" };
                write!(f, "a{n} {what} of {given} bytes, where the scheme has {expected}")
            }
            SchemeError::InvalidKey => f.write_str("the bytes are no key of the scheme"),
        }
    }
}

impl core::error::Error for SchemeError {}

/// An encoded key that is none: the checks of its scheme failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidKey;

impl fmt::Display for InvalidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes are no key of this parameter set")
    }
}

impl core::error::Error for InvalidKey {}

impl From<InvalidKey> for SchemeError {
    fn from(_: InvalidKey) -> Self {
        SchemeError::InvalidKey
    }
}

#[cfg(feature = "pkcs8")]
impl From<InvalidKey> for crate::encoding::EncodingError {
    fn from(error: InvalidKey) -> Self {
        SchemeError::from(error).into()
    }
}

type Generate = fn(Cpu, &mut dyn CryptoRng, &mut [u8], &mut [u8]) -> Result<(), SchemeError>;
type Expand = fn(Cpu, &[u8], &mut [u8], &mut [u8]) -> Result<(), SchemeError>;
type Check = fn(Cpu, &[u8]) -> Result<(), SchemeError>;
type PublicKeyOf = fn(Cpu, &[u8], &mut [u8]) -> Result<(), SchemeError>;
type Encapsulate = fn(Cpu, &[u8], &mut dyn CryptoRng, &mut [u8], &mut [u8]) -> Result<(), SchemeError>;
type Decapsulate = fn(Cpu, &[u8], &[u8], &mut [u8]) -> Result<(), SchemeError>;

/// A key encapsulation mechanism: its facts, and its operations on encoded bytes. An operation that fails
/// writes nothing.
pub struct Scheme {
    /// Its name in its standard.
    pub name: &'static str,
    /// Whether it is one to use.
    pub status: Status,
    /// Where it is defined.
    pub source: &'static str,
    /// Whether it is secure against chosen ciphertexts; otherwise a private key serves one ciphertext.
    pub cca: bool,
    /// Bytes of a public key.
    pub public_key: usize,
    /// Bytes of a private key, in the form that [`decapsulate`](Scheme::decapsulate) takes.
    pub private_key: usize,
    /// Bytes of a ciphertext.
    pub ciphertext: usize,
    /// Bytes of a shared key.
    pub shared_key: usize,
    /// Writes a new public key and its private key.
    pub generate: Generate,
    /// The short form of private keys, where the scheme has one.
    pub seed: Option<Seed>,
    /// Checks a public key as its standard asks for.
    pub check_public_key: Check,
    /// Of a private key, which it checks: writes its public key, where the private key tells it.
    pub public_key_of: Option<PublicKeyOf>,
    /// Of a public key: writes a ciphertext and its shared key.
    pub encapsulate: Encapsulate,
    /// Of a private key and a ciphertext: writes the shared key, or another where the ciphertext was not made
    /// for it. The private key is checked as its standard asks for: NTRU Prime's is not hashed again, which
    /// [`public_key_of`](Scheme::public_key_of) does.
    pub decapsulate: Decapsulate,
    /// Keys in DER and PEM, where the scheme has an object identifier and the feature `pkcs8` is on.
    pub encoding: Option<Encoding>,
}

/// The short form of a scheme's private keys: the bytes of which key generation makes them.
pub struct Seed {
    /// How many they are. To generate a key with its seed: draw so many random bytes and expand them; from
    /// the same generator that is the key of [`Scheme::generate`].
    pub bytes: usize,
    /// Of a seed: writes the public key, and the private key that [`Scheme::decapsulate`] takes.
    pub expand: Expand,
}

type MakeOffer = fn(Cpu, &mut dyn CryptoRng, &mut [u8], &mut [u8]) -> Result<(), SchemeError>;
type Respond = fn(Cpu, &[u8], &mut dyn CryptoRng, &mut [u8], &mut [u8]) -> Result<(), SchemeError>;
type Finish = fn(Cpu, &[u8], &[u8], &mut [u8]) -> Result<(), SchemeError>;

/// A key exchange in three steps: its facts, and its operations on bytes. An operation that fails writes
/// nothing.
pub struct KeyExchange {
    /// Its name.
    pub name: &'static str,
    /// Whether it is one to use.
    pub status: Status,
    /// Where it is defined.
    pub source: &'static str,
    /// The route of its ring; messages do not depend on it.
    pub route: Route,
    /// Bytes of the secret of an offer.
    pub secret: usize,
    /// Bytes of an offer.
    pub offer: usize,
    /// Bytes of a response.
    pub response: usize,
    /// Bytes of a shared key.
    pub shared_key: usize,
    /// Writes a new secret and its offer.
    pub make_offer: MakeOffer,
    /// Of an offer: writes a response and the shared key.
    pub respond: Respond,
    /// Of a secret, which must not be used again, and a response: writes the shared key.
    pub finish: Finish,
}

/// An argument of `N` bytes.
pub fn exactly<'a, const N: usize>(what: &'static str, bytes: &'a [u8]) -> Result<&'a [u8; N], SchemeError> {
    bytes.try_into().map_err(|_| SchemeError::Length { what, expected: N, given: bytes.len() })
}

/// A place for a result of `N` bytes.
pub fn exactly_mut<'a, const N: usize>(
    what: &'static str,
    out: &'a mut [u8],
) -> Result<&'a mut [u8; N], SchemeError> {
    let given = out.len();
    out.try_into().map_err(|_| SchemeError::Length { what, expected: N, given })
}
