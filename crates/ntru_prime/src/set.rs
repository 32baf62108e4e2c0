//! A parameter set of either system: what its keys and operations have in common.
//!
//! A private key is the concatenation of its secret part, its public key, the secret for rejected
//! ciphertexts, and the hash of its public key.
//!
//! Keys that are read for many operations hold the second operands of products [`Prepared`]; for one
//! operation they hold them as they are.

use super::codec::Codec;
use super::element::{Element, Prepared, Second, Work};
use super::hash::{BYTES, Purpose, hash_into, public_hash};
use super::sample::Sampler;
use core::convert::Infallible;
use core::marker::PhantomData;
use ctutils::{CtAssign, CtEq};
use ringsmith_kem::declassify::publish;
use ringsmith_kem::scheme::{InvalidKey, Status};
use ringsmith_kem::secret::{SecretArray, SecretBytes};
use ringsmith_kem::set::{Bytes, CcaSet, Draw, EncodedMut, Failed, KemSet, Keys, KeysMut, KeysRef};
use ringsmith_kem::set::{SharedKey, To};
use ringsmith_ring::Multiplier;
use ringsmith_ring::inverse::InversesMod3;
use ringsmith_simd::Cpu;
use zeroize::ZeroizeOnDrop;

/// The parameters of a set.
pub trait Parameters: Clone + Send + Sync + 'static {
    /// Its name in the submission.
    const NAME: &'static str;
    /// Its ring.
    type Ring: InversesMod3;
    /// Coefficients that are not 0 in a short element.
    const WEIGHT: usize;
    /// How its elements are encoded.
    const CODEC: &'static Codec;
    /// An encoded small element.
    type Small: Bytes;
    /// A public key.
    type PublicBytes: Bytes;
    /// A private key.
    type PrivateBytes: Bytes;
    /// A ciphertext.
    type CiphertextBytes: Bytes;
    /// What a ciphertext is made from.
    type Randomness: Bytes;
}

/// Where a ciphertext goes, and what its shared key is a hash of.
pub struct Hidden<'a> {
    pub(super) ciphertext: &'a mut [u8],
    pub(super) hashed: &'a mut [u8; BYTES],
}

/// A public key, expanded.
pub trait PublicKey<P: Parameters>: Clone + Send + Sync {
    /// Room for a key.
    fn blank(by: Multiplier<P::Ring>) -> Self;
    /// Reads a key with its hash: any bytes are one.
    fn read(&mut self, work: &mut Work<P::Ring>, bytes: &[u8], hash: [u8; BYTES]);
    /// The hash of the key.
    fn hash(&self) -> &[u8; BYTES];
    /// What multiplies.
    fn by(&self) -> Multiplier<P::Ring>;
    /// Writes a ciphertext that is made of this randomness.
    fn encapsulate(&self, work: &mut Work<P::Ring>, random: &P::Randomness, to: Hidden<'_>);
}

/// A private key without its public one.
pub trait PrivateKey<P: Parameters>: ZeroizeOnDrop + Send + Sync {
    /// Its public key.
    type Public: PublicKey<P>;
    /// Bytes of the secret in a private key.
    const SECRET_BYTES: usize;
    /// Bytes of what a rejected ciphertext's key is made of.
    const RHO_BYTES: usize;

    /// Room for a key.
    fn blank() -> Self;
    /// Fills a new pair of keys, and the encoded public key.
    fn generate(
        &mut self,
        public: &mut Self::Public,
        work: &mut Work<P::Ring>,
        sampler: &mut Sampler<'_, '_>,
        out: &mut [u8],
    ) -> Result<(), Failed>;
    /// Reads what is secret of a key, and whether that is one.
    fn read(&mut self, work: &mut Work<P::Ring>, secret: &[u8], rho: &[u8]) -> bool;
    /// Writes what is secret of a key.
    fn write(&self, cpu: Cpu, secret: &mut [u8], rho: &mut [u8]);
    /// Decrypts what was sent, whatever it is, and encrypts that again.
    fn again(&self, work: &mut Work<P::Ring>, public: &Self::Public, sent: &[u8], to: Hidden<'_>);
    /// Writes what a rejected ciphertext's shared key is a hash of.
    fn reject(&self, work: &mut Work<P::Ring>, out: &mut [u8; BYTES]);
}

/// Streamlined NTRU Prime, or NTRU LPRime.
pub trait System: 'static {
    /// The parameters of a set.
    type Parameters: Parameters;
    /// A private key whose products have such second operands.
    type Private<H: Second<RingOf<Self>>>: PrivateKey<Self::Parameters>;
}

/// The ring of a system's set.
pub type RingOf<S> = <<S as System>::Parameters as Parameters>::Ring;
/// Private keys of a system's set.
type PrivateOf<S, H> = <S as System>::Private<H>;
/// Public keys of a system's set.
type PublicOf<S, H> = <<S as System>::Private<H> as PrivateKey<<S as System>::Parameters>>::Public;
/// Encoded public keys of a system's set.
type Encoded<S> = <<S as System>::Parameters as Parameters>::PublicBytes;
/// Ciphertexts of a system's set.
type Ciphertext<S> = <<S as System>::Parameters as Parameters>::CiphertextBytes;
/// Keys of a system's set.
type KeysOf<'a, S, H> = Keys<&'a PrivateOf<S, H>, &'a PublicOf<S, H>, &'a Encoded<S>>;
/// Where they go.
type PlacesOf<'a, S, H> = Keys<&'a mut PrivateOf<S, H>, &'a mut PublicOf<S, H>, &'a mut Encoded<S>>;

/// A parameter set of a system.
pub struct Set<S>(PhantomData<S>);

impl<S: System> Set<S> {
    /// Where the parts of a private key end: the secret, the public key, what a rejected ciphertext's key is
    /// made of.
    fn parts() -> [usize; 3] {
        let secret = PrivateOf::<S, Prepared<RingOf<S>>>::SECRET_BYTES;
        let public = secret + Encoded::<S>::LEN;
        [secret, public, public + PrivateOf::<S, Prepared<RingOf<S>>>::RHO_BYTES]
    }

    /// Writes a private key.
    fn write<H: Second<RingOf<S>>>(keys: KeysOf<'_, S, H>, out: &mut [u8]) {
        let [secret, public, rho] = Self::parts();
        let (front, hashed) = out.split_at_mut(rho);
        let (front, rho) = front.split_at_mut(public);
        let (secret, public) = front.split_at_mut(secret);
        keys.private.write(keys.public.by().cpu(), secret, rho);
        public.copy_from_slice(keys.bytes.as_ref());
        hashed.copy_from_slice(keys.public.hash());
    }

    /// Reads what is public in a private key: its public one, whose hash is returned.
    fn read_published(bytes: &[u8], published: &mut [u8]) -> Result<[u8; BYTES], InvalidKey> {
        let [secret, public, rho] = Self::parts();
        published.copy_from_slice(&bytes[secret..public]);
        let mut hashed = *<[u8; BYTES]>::of(&bytes[rho..]).ok_or(InvalidKey)?;
        publish(published);
        publish(&mut hashed);
        Ok(hashed)
    }

    /// Reads what is secret in it, and says whether it is what a private key has.
    fn read_secret<H: Second<RingOf<S>>>(
        work: &mut Work<RingOf<S>>,
        bytes: &[u8],
        private: &mut PrivateOf<S, H>,
    ) -> bool {
        let [secret, public, rho] = Self::parts();
        private.read(work, &bytes[..secret], &bytes[public..rho])
    }

    /// Reads both keys of a private one. Its hash of its public key is believed.
    fn read<H: Second<RingOf<S>>>(
        work: &mut Work<RingOf<S>>,
        bytes: &[u8],
        keys: PlacesOf<'_, S, H>,
    ) -> Result<(), InvalidKey> {
        let published = keys.bytes.as_mut();
        let hashed = Self::read_published(bytes, published)?;
        let good = Self::read_secret(work, bytes, keys.private);
        keys.public.read(work, published, hashed);
        if good { Ok(()) } else { Err(InvalidKey) }
    }

    /// Writes a ciphertext that is made of this randomness, and its shared key.
    fn seal<H: Second<RingOf<S>>>(
        work: &mut Work<RingOf<S>>,
        public: &PublicOf<S, H>,
        random: &<S::Parameters as Parameters>::Randomness,
        To { ciphertext, shared }: To<'_, Ciphertext<S>>,
    ) {
        let (ciphertext, mut hashed) = (ciphertext.as_mut(), SecretBytes::zero());
        public.encapsulate(work, random, Hidden { ciphertext: &mut *ciphertext, hashed: &mut hashed });
        hash_into(&mut work.hash, Purpose::Session(1), [&*hashed, ciphertext], shared.as_mut_bytes());
    }

    /// Writes the shared key in a ciphertext, or one that nobody else has. Which of the two it is is a
    /// secret.
    fn open<H: Second<RingOf<S>>>(
        work: &mut Work<RingOf<S>>,
        (private, public): (&PrivateOf<S, H>, &PublicOf<S, H>),
        ciphertext: &[u8],
        shared: &mut SharedKey,
    ) {
        let mut again = SecretArray::<Ciphertext<S>>::zero();
        let [mut hashed, mut rejected] = [SecretBytes::zero(), SecretBytes::zero()];
        let to = Hidden { ciphertext: (*again).as_mut(), hashed: &mut hashed };
        private.again(work, public, ciphertext, to);
        private.reject(work, &mut rejected);
        let same = ciphertext.ct_eq((*again).as_ref());
        rejected.ct_assign(&hashed, same);
        let purpose = Purpose::Session(same.to_u8());
        hash_into(&mut work.hash, purpose, [&*rejected, ciphertext], shared.as_mut_bytes());
    }
}

impl<S: System> KemSet for Set<S> {
    const NAME: &'static str = S::Parameters::NAME;
    const STATUS: Status = Status::Historical;
    const SOURCE: &'static str = "NTRU Prime, NIST round 3";
    type PublicBytes = Encoded<S>;
    type PrivateBytes = <S::Parameters as Parameters>::PrivateBytes;
    type CiphertextBytes = <S::Parameters as Parameters>::CiphertextBytes;
    type PublicError = Infallible;
    type Randomness = <S::Parameters as Parameters>::Randomness;
    type Way = Multiplier<RingOf<S>>;
    type Public = PublicOf<S, Prepared<RingOf<S>>>;
    type Private = PrivateOf<S, Prepared<RingOf<S>>>;

    fn planned(cpu: Cpu) -> Self::Way {
        Multiplier::new_on(cpu)
    }

    fn blank_public(by: Self::Way) -> Self::Public {
        Self::Public::blank(by)
    }

    fn blank_private(_: Self::Way) -> Self::Private {
        Self::Private::blank()
    }

    fn way(public: &Self::Public) -> Self::Way {
        public.by()
    }

    fn told_by<'a>(public: &'a Self::Public, _: &'a Self::PublicBytes) -> &'a [u8] {
        public.hash()
    }

    fn generate(keys: KeysMut<'_, Self>, draw: &mut Draw<'_>) -> Result<(), Failed> {
        let Keys { private, public, bytes } = keys;
        private.generate(public, &mut Work::new(public.by()), &mut Sampler::new(draw), bytes.as_mut())
    }

    /// Any bytes are a key.
    fn read_public(public: &mut Self::Public, bytes: &Self::PublicBytes) -> Result<(), Infallible> {
        let mut work = Work::new(public.by());
        let hash = public_hash(&mut work.hash, bytes.as_ref());
        public.read(&mut work, bytes.as_ref(), hash);
        Ok(())
    }

    fn write_private(keys: KeysRef<'_, Self>, out: &mut Self::PrivateBytes) {
        Self::write(keys, out.as_mut());
    }

    fn encapsulate(public: &Self::Public, random: &Self::Randomness, to: To<'_, Ciphertext<S>>) {
        Self::seal(&mut Work::new(public.by()), public, random, to);
    }

    fn generate_once(by: Self::Way, draw: &mut Draw<'_>, out: EncodedMut<'_, Self>) -> Result<(), Failed> {
        let mut private = PrivateOf::<S, Element<RingOf<S>>>::blank();
        let (mut public, (bytes, out)) = (PublicOf::<S, Element<RingOf<S>>>::blank(by), out);
        private.generate(&mut public, &mut Work::new(by), &mut Sampler::new(draw), bytes.as_mut())?;
        Self::write::<Element<_>>(Keys { private: &private, public: &public, bytes }, out.as_mut());
        Ok(())
    }

    fn encapsulate_once(
        by: Self::Way,
        public: &Self::PublicBytes,
        random: &Self::Randomness,
        to: To<'_, Ciphertext<S>>,
    ) -> Result<(), Infallible> {
        let mut work = Work::new(by);
        let mut key = PublicOf::<S, Element<RingOf<S>>>::blank(by);
        let hash = public_hash(&mut work.hash, public.as_ref());
        key.read(&mut work, public.as_ref(), hash);
        Self::seal(&mut work, &key, random, to);
        Ok(())
    }
}

impl<S: System> CcaSet for Set<S> {
    /// Its small elements must be some, and its hash that of its public key.
    fn read_private(keys: KeysMut<'_, Self>, bytes: &Self::PrivateBytes) -> Result<(), InvalidKey> {
        let (mut work, Keys { private, public, bytes: published }) = (Work::new(keys.public.by()), keys);
        let places = Keys { private, public: &mut *public, bytes: &mut *published };
        Self::read(&mut work, bytes.as_ref(), places)?;
        let same = *public.hash() == public_hash(&mut work.hash, published.as_ref());
        if same { Ok(()) } else { Err(InvalidKey) }
    }

    fn decapsulate(keys: KeysRef<'_, Self>, ciphertext: &Ciphertext<S>, shared: &mut SharedKey) {
        let Keys { private, public, .. } = keys;
        Self::open(&mut Work::new(public.by()), (private, public), ciphertext.as_ref(), shared);
    }

    /// Its hash of its public key is believed.
    fn decapsulate_once(
        by: Self::Way,
        bytes: &Self::PrivateBytes,
        ciphertext: &Ciphertext<S>,
        shared: &mut SharedKey,
    ) -> Result<(), InvalidKey> {
        let mut work = Work::new(by);
        let mut private = PrivateOf::<S, Element<RingOf<S>>>::blank();
        let (mut public, mut published) = (PublicOf::<S, Element<RingOf<S>>>::blank(by), Encoded::<S>::ZERO);
        let keys = Keys { private: &mut private, public: &mut public, bytes: &mut published };
        Self::read::<Element<_>>(&mut work, bytes.as_ref(), keys)?;
        Self::open::<Element<_>>(&mut work, (&private, &public), ciphertext.as_ref(), shared);
        Ok(())
    }

    /// Neither key is expanded.
    fn public_key_of(
        by: Self::Way,
        private: &Self::PrivateBytes,
        out: &mut Self::PublicBytes,
    ) -> Result<(), InvalidKey> {
        let (bytes, mut work, mut published) = (private.as_ref(), Work::new(by), Encoded::<S>::ZERO);
        let hashed = Self::read_published(bytes, published.as_mut())?;
        let mut secret = PrivateOf::<S, Element<RingOf<S>>>::blank();
        let good = Self::read_secret::<Element<_>>(&mut work, bytes, &mut secret);
        if !good || hashed != public_hash(&mut work.hash, published.as_ref()) {
            return Err(InvalidKey);
        }
        *out = published;
        Ok(())
    }
}
