//! Schemes as data, for tools that serve all of them.
//!
//! A family's crate has a `SCHEME` for each set; the crate `ringsmith` has the list of them.
//!
//! # Stack
//! Nothing is allocated. 128 KiB of stack are enough for every operation but `generate`, which may take 256
//! (test `stack`). The types of the schemes hold keys expanded for many operations, and take more where they
//! are moved.

pub use crate::error::{InvalidKey, SchemeError};
use crate::keys::Pair;
use crate::secret::SecretArray;
use crate::set::PublicError as _;
pub use crate::set::Status;
use crate::set::{
    Bytes, CcaSet, CpaSet, EncodedMut, KemSet, SHARED_KEY_BYTES, SeedSet, SharedKey, To, drawing,
};
use rand_core::CryptoRng;
use ringsmith_ring::Route;
use ringsmith_simd::Cpu;

#[cfg(feature = "pkcs8")]
pub use crate::encoding::Encoding;

/// How keys are encoded: without the feature `pkcs8` there is nothing of this type.
#[cfg(not(feature = "pkcs8"))]
pub enum Encoding {}

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
    /// Whether it is a standard, historical, or for research.
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
    /// Checks a public key as its standard requires.
    pub check_public_key: Check,
    /// Checks a private key and writes its public key. `None` for schemes whose private keys do not contain
    /// it.
    pub public_key_of: Option<PublicKeyOf>,
    /// Takes a public key; writes a ciphertext and the shared key in it.
    pub encapsulate: Encapsulate,
    /// Takes a private key and a ciphertext; writes the shared key, or another one if the ciphertext was not
    /// made for the key. The private key is checked as its standard requires, with two exceptions that
    /// [`public_key_of`](Scheme::public_key_of) does check: the hash in a private key of NTRU Prime, and
    /// whether a private key of NTRU has a public key.
    pub decapsulate: Decapsulate,
    /// Keys in DER and PEM, where the scheme has an object identifier and the feature `pkcs8` is on.
    pub encoding: Option<Encoding>,
}

/// The short form of a scheme's private keys: the seed from which key generation expands them.
pub struct Seed {
    /// Bytes of a seed. To generate a key and keep its seed, draw this many random bytes and expand them:
    /// with the same generator the key is that of [`Scheme::generate`].
    pub bytes: usize,
    /// Takes a seed; writes the public key and the private key that [`Scheme::decapsulate`] takes.
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
    /// Whether it is a standard, historical, or for research.
    pub status: Status,
    /// Where it is defined.
    pub source: &'static str,
    /// The route by which its ring multiplies. The messages are the same by every route.
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
    /// Takes an offer; writes a response and the shared key.
    pub respond: Respond,
    /// Takes a secret and a response; writes the shared key. The secret must not be used again.
    pub finish: Finish,
}

/// The operations of a set on encoded bytes.
impl Scheme {
    /// A set that is secure against chosen ciphertexts.
    pub const fn cca<S: CcaSet>() -> Scheme {
        let common = common::<S>(|cpu, private, ciphertext, shared| {
            decapsulate::<S>(private, ciphertext, shared, |private, ciphertext, key| {
                S::decapsulate_once(S::planned(cpu), private, ciphertext, key)
            })
        });
        Scheme { cca: true, public_key_of: Some(public_key_of::<S>), ..common }
    }

    /// A set that is secure against chosen plaintexts alone.
    pub const fn cpa<S: CpaSet>() -> Scheme {
        common::<S>(|cpu, private, ciphertext, shared| {
            decapsulate::<S>(private, ciphertext, shared, |private, ciphertext, key| {
                let mut secret = S::blank_private(S::planned(cpu));
                S::read_secret(&mut secret, private);
                S::decapsulate(&secret, ciphertext, key);
                Ok(())
            })
        })
    }

    /// A set whose private keys have a short form.
    pub const fn seeded<S: SeedSet>() -> Scheme {
        Scheme { seed: Some(Seed { bytes: S::Seed::LEN, expand: expand::<S> }), ..Scheme::cca::<S>() }
    }
}

/// What both kinds of sets have, and what their private keys do.
const fn common<S: KemSet>(decapsulate: Decapsulate) -> Scheme {
    Scheme {
        name: S::NAME,
        status: S::STATUS,
        source: S::SOURCE,
        cca: false,
        public_key: S::PublicBytes::LEN,
        private_key: S::PrivateBytes::LEN,
        ciphertext: S::CiphertextBytes::LEN,
        shared_key: SHARED_KEY_BYTES,
        generate: generate::<S>,
        seed: None,
        check_public_key: check_public_key::<S>,
        public_key_of: None,
        encapsulate: encapsulate::<S>,
        decapsulate,
        encoding: None,
    }
}

/// Where both keys go.
fn places<'a, S: KemSet>(
    public: &'a mut [u8],
    private: &'a mut [u8],
) -> Result<EncodedMut<'a, S>, SchemeError> {
    Ok((exactly_mut("public key", public)?, exactly_mut("private key", private)?))
}

fn generate<S: KemSet>(
    cpu: Cpu,
    rng: &mut dyn CryptoRng,
    public: &mut [u8],
    private: &mut [u8],
) -> Result<(), SchemeError> {
    let out = places::<S>(public, private)?;
    let Ok(()) = drawing(rng, |draw| S::generate_once(S::planned(cpu), draw, out));
    Ok(())
}

fn expand<S: SeedSet>(
    cpu: Cpu,
    seed: &[u8],
    public: &mut [u8],
    private: &mut [u8],
) -> Result<(), SchemeError> {
    let (out, seed) = (places::<S>(public, private)?, exactly("seed", seed)?);
    let mut made = Pair::<S>::blank(S::planned(cpu));
    S::expand(made.places(), seed);
    made.write(out);
    Ok(())
}

fn check_public_key<S: KemSet>(cpu: Cpu, public: &[u8]) -> Result<(), SchemeError> {
    let public = exactly("public key", public)?;
    if S::PublicError::OCCURS {
        S::read_public(&mut S::blank_public(S::planned(cpu)), public).map_err(Into::into)?;
    }
    Ok(())
}

fn public_key_of<S: CcaSet>(cpu: Cpu, private: &[u8], public: &mut [u8]) -> Result<(), SchemeError> {
    let (public, private) = (exactly_mut("public key", public)?, exactly("private key", private)?);
    Ok(S::public_key_of(S::planned(cpu), private, public)?)
}

fn encapsulate<S: KemSet>(
    cpu: Cpu,
    public: &[u8],
    rng: &mut dyn CryptoRng,
    ciphertext: &mut [u8],
    shared: &mut [u8],
) -> Result<(), SchemeError> {
    let (ciphertext, shared) = (exactly_mut("ciphertext", ciphertext)?, exactly_mut("shared key", shared)?);
    let (public, mut random) = (exactly("public key", public)?, SecretArray::<S::Randomness>::zero());
    rng.fill_bytes(random.as_mut());
    let mut key = SharedKey::zero();
    let to = To { ciphertext, shared: &mut key };
    S::encapsulate_once(S::planned(cpu), public, &random, to).map_err(Into::into)?;
    *shared = *key.as_bytes();
    Ok(())
}

/// Decapsulates with an encoded private key, as `with` does.
fn decapsulate<S: KemSet>(
    private: &[u8],
    ciphertext: &[u8],
    shared: &mut [u8],
    with: impl FnOnce(&S::PrivateBytes, &S::CiphertextBytes, &mut SharedKey) -> Result<(), InvalidKey>,
) -> Result<(), SchemeError> {
    let (shared, ciphertext) = (exactly_mut("shared key", shared)?, exactly("ciphertext", ciphertext)?);
    let mut key = SharedKey::zero();
    with(exactly("private key", private)?, ciphertext, &mut key)?;
    *shared = *key.as_bytes();
    Ok(())
}

/// An argument of as many bytes.
pub fn exactly<'a, B: Bytes>(what: &'static str, bytes: &'a [u8]) -> Result<&'a B, SchemeError> {
    B::of(bytes).ok_or(SchemeError::Length { what, expected: B::LEN, given: bytes.len() })
}

/// A place for a result of as many bytes.
pub fn exactly_mut<'a, B: Bytes>(what: &'static str, out: &'a mut [u8]) -> Result<&'a mut B, SchemeError> {
    let given = out.len();
    B::of_mut(out).ok_or(SchemeError::Length { what, expected: B::LEN, given })
}
