//! A parameter set as a type: the trait that a family's crate implements for each of its sets.
//!
//! [`KemSet`] is all that a scheme must define: sizes as types, expanded keys, and operations that write into
//! the caller's memory. Everything that users see is written once over this trait: the [types of
//! keys](crate::keys), the traits of other crates, and the [table of schemes](crate::scheme).
//!
//! # Compiled once
//! A family also writes its functions once, for a type that is generic over the parameters of its sets. A
//! generic function is compiled again in every crate that calls it. So [`kem_set!`](crate::kem_set) makes
//! each set a type of its own, whose functions call the generic ones. They are compiled once, in the crate of
//! the set, together with their kernels.

use crate::error::InvalidKey;
use crate::keys::Pair;
pub use crate::shared_key::{SHARED_KEY_BYTES, SharedKey};
use core::convert::Infallible;
use core::fmt;
use rand_core::TryCryptoRng;
use ringsmith_ring::{Domain, Multiplier, Order, Ring};
use ringsmith_simd::Cpu;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Whether a scheme is a standard, a draft of one, historical, or for research.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Status {
    /// A standard in force.
    Standard,
    /// A draft of a standard, in use as it stands.
    Draft,
    /// For research and compatibility.
    Historical,
    /// For research alone: too weak, built on a broken hash, or never part of a standard.
    Research,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Standard => "standard",
            Status::Draft => "draft",
            Status::Historical => "historical",
            Status::Research => "research only",
        })
    }
}

/// Arrays of bytes: how keys and ciphertexts are encoded.
pub trait Bytes:
    Copy + Eq + fmt::Debug + AsRef<[u8]> + AsMut<[u8]> + Zeroize + Send + Sync + 'static
{
    /// How many they are.
    const LEN: usize;
    /// All zero.
    const ZERO: Self;
    /// Bytes as such an array, where they are as many.
    fn of(bytes: &[u8]) -> Option<&Self>;
    /// A place as such an array, where it has as many bytes.
    fn of_mut(bytes: &mut [u8]) -> Option<&mut Self>;
}

impl<const N: usize> Bytes for [u8; N] {
    const LEN: usize = N;
    const ZERO: Self = [0; N];
    fn of(bytes: &[u8]) -> Option<&Self> {
        bytes.try_into().ok()
    }
    fn of_mut(bytes: &mut [u8]) -> Option<&mut Self> {
        bytes.try_into().ok()
    }
}

/// How operations are done: on which CPU backend and, where a family offers a choice, by which route. Results
/// do not depend on it.
pub trait Way: Copy + Send + Sync + 'static {
    /// The CPU.
    fn cpu(self) -> Cpu;
}

impl Way for Cpu {
    fn cpu(self) -> Cpu {
        self
    }
}

impl<R: Ring, O: Order> Way for Domain<R, O> {
    fn cpu(self) -> Cpu {
        Domain::cpu(self)
    }
}

impl<R: Ring> Way for Multiplier<R> {
    fn cpu(self) -> Cpu {
        Multiplier::cpu(&self)
    }
}

/// A generator of random bytes failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failed;

/// A function that fills a buffer with random bytes by one call of the generator.
pub type Draw<'a> = dyn FnMut(&mut [u8]) -> Result<(), Failed> + 'a;

/// What `make` makes of a generator's bytes, or the generator's error.
pub(crate) fn drawing<T, R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    make: impl FnOnce(&mut Draw<'_>) -> Result<T, Failed>,
) -> Result<T, R::Error> {
    let mut failure = None;
    let made = make(&mut |bytes| {
        rng.try_fill_bytes(bytes).map_err(|why| {
            failure = Some(why);
            Failed
        })
    });
    match (made, failure) {
        (Ok(made), _) => Ok(made),
        (Err(Failed), Some(why)) => Err(why),
        (Err(Failed), None) => unreachable!("key generation fails with its generator alone"),
    }
}

/// Why bytes are no public key.
pub trait PublicError: fmt::Debug + Into<InvalidKey> {
    /// Whether there are such bytes.
    const OCCURS: bool;
}

impl PublicError for InvalidKey {
    const OCCURS: bool = true;
}

impl PublicError for Infallible {
    const OCCURS: bool = false;
}

/// A pair of keys, expanded, with the encoded public one: references to each, or places.
pub struct Keys<Private, Public, Bytes> {
    /// The private key without its public one.
    pub private: Private,
    /// The public key.
    pub public: Public,
    /// The encoded public key.
    pub bytes: Bytes,
}

/// [`Keys`] of a set that are there.
pub type KeysRef<'a, S> =
    Keys<&'a <S as KemSet>::Private, &'a <S as KemSet>::Public, &'a <S as KemSet>::PublicBytes>;

/// Where new [`Keys`] of a set go.
pub type KeysMut<'a, S> =
    Keys<&'a mut <S as KemSet>::Private, &'a mut <S as KemSet>::Public, &'a mut <S as KemSet>::PublicBytes>;

/// Where a set's encoded keys go: the public and the private one.
pub type EncodedMut<'a, S> = (&'a mut <S as KemSet>::PublicBytes, &'a mut <S as KemSet>::PrivateBytes);

/// Where a ciphertext goes, and the shared key in it.
pub struct To<'a, C> {
    /// The ciphertext.
    pub ciphertext: &'a mut C,
    /// The shared key.
    pub shared: &'a mut SharedKey,
}

/// A parameter set of a key encapsulation mechanism: what it is, its public keys, and key generation. Its
/// private keys serve many ciphertexts ([`CcaSet`]) or one ([`CpaSet`]).
///
/// Expanded keys are written in place: they are large, and a move would leave copies of a secret behind.
pub trait KemSet: Sized + 'static {
    /// Its name in its standard.
    const NAME: &'static str;
    /// Whether it is a standard, historical, or for research.
    const STATUS: Status;
    /// Where it is defined.
    const SOURCE: &'static str;
    /// An encoded public key.
    type PublicBytes: Bytes;
    /// An encoded private key.
    type PrivateBytes: Bytes;
    /// A ciphertext.
    type CiphertextBytes: Bytes;
    /// Why bytes are no public key: [`InvalidKey`], or [`Infallible`] where any
    /// bytes are one.
    type PublicError: PublicError;
    /// The randomness that a ciphertext is made of.
    type Randomness: Bytes;
    /// How operations are done.
    type Way: Way;
    /// A public key, expanded.
    type Public: Clone + Send + Sync;
    /// A private key without its public one, expanded; cleared on drop.
    type Private: ZeroizeOnDrop + Send + Sync;

    /// The way by the planned routes.
    fn planned(cpu: Cpu) -> Self::Way;
    /// Room for a public key.
    fn blank_public(way: Self::Way) -> Self::Public;
    /// Room for a private key.
    fn blank_private(way: Self::Way) -> Self::Private;
    /// How the key's operations are done.
    fn way(public: &Self::Public) -> Self::Way;
    /// Bytes of the encoded public key in which any two public keys differ.
    fn told_by<'a>(public: &'a Self::Public, bytes: &'a Self::PublicBytes) -> &'a [u8];

    /// Makes both keys, and writes the encoded public one.
    ///
    /// # Errors
    /// Where the generator failed.
    fn generate(keys: KeysMut<'_, Self>, draw: &mut Draw<'_>) -> Result<(), Failed>;

    /// Reads a public key, and checks it as its standard requires.
    ///
    /// # Errors
    /// Where the bytes are no key.
    fn read_public(public: &mut Self::Public, bytes: &Self::PublicBytes) -> Result<(), Self::PublicError>;

    /// Writes a private key.
    fn write_private(keys: KeysRef<'_, Self>, out: &mut Self::PrivateBytes);

    /// Writes a ciphertext that is made of this randomness, and the shared key in it.
    fn encapsulate(public: &Self::Public, random: &Self::Randomness, to: To<'_, Self::CiphertextBytes>);

    /// [`generate`](KemSet::generate) to encoded keys alone.
    ///
    /// # Errors
    /// The same.
    fn generate_once(way: Self::Way, draw: &mut Draw<'_>, out: EncodedMut<'_, Self>) -> Result<(), Failed> {
        let mut made = Pair::<Self>::blank(way);
        Self::generate(made.places(), draw)?;
        made.write(out);
        Ok(())
    }

    /// [`read_public`](KemSet::read_public) and [`encapsulate`](KemSet::encapsulate), where one and the other
    /// together are cheaper.
    ///
    /// # Errors
    /// Where the bytes are no key; then nothing is written.
    fn encapsulate_once(
        way: Self::Way,
        public: &Self::PublicBytes,
        random: &Self::Randomness,
        to: To<'_, Self::CiphertextBytes>,
    ) -> Result<(), Self::PublicError> {
        let mut key = Self::blank_public(way);
        Self::read_public(&mut key, public)?;
        Self::encapsulate(&key, random, to);
        Ok(())
    }
}

/// A set that is secure against chosen ciphertexts (IND-CCA): a private key serves many.
pub trait CcaSet: KemSet {
    /// Reads a private key with the public key that is in it, and checks it as its standard requires.
    ///
    /// # Errors
    /// Where the bytes are no key.
    fn read_private(keys: KeysMut<'_, Self>, bytes: &Self::PrivateBytes) -> Result<(), InvalidKey>;

    /// Writes the shared key in a ciphertext. If the ciphertext was not made for this key, it writes a key
    /// that nobody else has (implicit rejection).
    fn decapsulate(keys: KeysRef<'_, Self>, ciphertext: &Self::CiphertextBytes, shared: &mut SharedKey);

    /// [`read_private`](CcaSet::read_private) and [`decapsulate`](CcaSet::decapsulate), where one and the
    /// other together are cheaper.
    ///
    /// # Errors
    /// Where the bytes are no key; then nothing is written.
    fn decapsulate_once(
        way: Self::Way,
        private: &Self::PrivateBytes,
        ciphertext: &Self::CiphertextBytes,
        shared: &mut SharedKey,
    ) -> Result<(), InvalidKey>;

    /// [`read_private`](CcaSet::read_private) to the encoded public key alone.
    ///
    /// # Errors
    /// Where the bytes are no key; then nothing is written.
    fn public_key_of(
        way: Self::Way,
        private: &Self::PrivateBytes,
        out: &mut Self::PublicBytes,
    ) -> Result<(), InvalidKey> {
        let mut read = Pair::<Self>::blank(way);
        Self::read_private(read.places(), private)?;
        *out = read.public.to_bytes();
        Ok(())
    }
}

/// A set that is secure against chosen plaintexts alone (IND-CPA): a private key serves one ciphertext. Its
/// bytes do not tell the public key.
pub trait CpaSet: KemSet {
    /// Reads a private key. Every byte string of this length is one.
    fn read_secret(private: &mut Self::Private, bytes: &Self::PrivateBytes);

    /// Writes a private key.
    fn write_secret(private: &Self::Private, out: &mut Self::PrivateBytes);

    /// Writes the shared key in a ciphertext, whatever it is.
    fn decapsulate(private: &Self::Private, ciphertext: &Self::CiphertextBytes, shared: &mut SharedKey);
}

/// A set whose private keys have a short form: the seed of which key generation makes them.
pub trait SeedSet: CcaSet {
    /// A seed.
    type Seed: Bytes;

    /// Makes both keys of a seed, and writes the encoded public one.
    fn expand(keys: KeysMut<'_, Self>, seed: &Self::Seed);

    /// The seed of a private key, where the key was made of one: not where it was read in its long
    /// form.
    fn seed(private: &Self::Private) -> Option<Zeroizing<Self::Seed>>;
}

/// Where the keys of a batch go: private keys, public keys, and encoded public ones.
pub trait Places<Private, Public, Bytes> {
    /// How many there are.
    fn count(&self) -> usize;
    /// Room for key number `i`, which is made by this.
    fn place(&mut self, i: usize) -> Keys<&mut Private, &mut Public, &mut Bytes>;
}

/// [`Places`] of a set's keys.
pub type PlacesOf<'a, S> =
    dyn Places<<S as KemSet>::Private, <S as KemSet>::Public, <S as KemSet>::PublicBytes> + 'a;

/// A set of which many keys together cost less than one after the other.
pub trait BatchSet: CcaSet {
    /// Most keys at a time.
    const BATCH: usize;

    /// Makes a key for each place, of which there are at least one and at most [`BATCH`](BatchSet::BATCH).
    ///
    /// # Errors
    /// Where the generator failed; then some places may have keys.
    fn generate_batch(way: Self::Way, draw: &mut Draw<'_>, to: &mut PlacesOf<'_, Self>)
    -> Result<(), Failed>;
}

/// A set whose keys are made of seeds in the middle of key generation, as some test vectors have them.
#[cfg(feature = "hazmat")]
#[doc(hidden)]
pub trait InnerSeedSet: KemSet {
    /// Makes both keys of the seeds of what is public, of the noise, and of rejected ciphertexts.
    fn expand_inner(keys: KeysMut<'_, Self>, seeds: [&[u8; 32]; 3]);
}
