//! A parameter set of either system: what its keys and operations have in common.
//!
//! A private key is what is secret of it, its public key, what a rejected ciphertext's key is made of, and
//! the hash of its public key, one behind the other.
//!
//! Keys that are read for many operations hold the second operands of products [`Prepared`]; for one
//! operation they hold them as they are.

use super::codec::Codec;
use super::element::{Element, Prepared, Second, Work};
use super::hash::{BYTES, public_hash};
use super::sample::Sampler;
use core::convert::Infallible;
use core::marker::PhantomData;
use ringsmith_kem::declassify::publish;
use ringsmith_kem::scheme::{InvalidKey, Status};
use ringsmith_kem::set::{Bytes, CcaSet, Draw, Failed, KemSet, SharedKey};
use ringsmith_ring::Multiplier;
use ringsmith_ring::inverse::Inverses;
use ringsmith_simd::Cpu;
use zeroize::ZeroizeOnDrop;

/// What makes a set of a ring.
pub trait Parameters: Clone + Send + Sync + 'static {
    /// Its name in the submission.
    const NAME: &'static str;
    /// Its ring.
    type Ring: Inverses;
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
    /// What a ciphertext is made of.
    type Randomness: Bytes;
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
    /// Writes a ciphertext that is made of this randomness, and its shared key.
    fn encapsulate(
        &self,
        work: &mut Work<P::Ring>,
        random: &P::Randomness,
        ciphertext: &mut [u8],
        shared: &mut SharedKey,
    );
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
    /// Writes the shared key in a ciphertext, or one that nobody else has. Which of the two it is is a
    /// secret.
    fn decapsulate(
        &self,
        work: &mut Work<P::Ring>,
        public: &Self::Public,
        ciphertext: &P::CiphertextBytes,
        shared: &mut SharedKey,
    );
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
    fn write<H: Second<RingOf<S>>>(
        cpu: Cpu,
        key: &PrivateOf<S, H>,
        published: &[u8],
        hash: &[u8; BYTES],
        out: &mut [u8],
    ) {
        let [secret, public, rho] = Self::parts();
        let (front, hashed) = out.split_at_mut(rho);
        let (front, rho) = front.split_at_mut(public);
        let (secret, public) = front.split_at_mut(secret);
        key.write(cpu, secret, rho);
        public.copy_from_slice(published);
        hashed.copy_from_slice(hash);
    }

    /// Reads both keys of a private one, and gives the public one's bytes. Its hash of its public key is
    /// believed.
    fn read<H: Second<RingOf<S>>>(
        work: &mut Work<RingOf<S>>,
        bytes: &[u8],
        key: &mut PrivateOf<S, H>,
        public: &mut PublicOf<S, H>,
    ) -> Result<Encoded<S>, InvalidKey> {
        let [secret_end, public_end, rho_end] = Self::parts();
        // A private key holds what is public, too.
        let mut published = *Encoded::<S>::of(&bytes[secret_end..public_end]).ok_or(InvalidKey)?;
        let mut hashed = *<[u8; BYTES]>::of(&bytes[rho_end..]).ok_or(InvalidKey)?;
        publish(published.as_mut());
        publish(&mut hashed);
        let good = key.read(work, &bytes[..secret_end], &bytes[public_end..rho_end]);
        public.read(work, published.as_ref(), hashed);
        if good { Ok(published) } else { Err(InvalidKey) }
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

    fn generate(
        private: &mut Self::Private,
        public: &mut Self::Public,
        bytes: &mut Self::PublicBytes,
        draw: &mut Draw<'_>,
    ) -> Result<(), Failed> {
        let mut work = Work::new(public.by());
        private.generate(public, &mut work, &mut Sampler::new(draw), bytes.as_mut())
    }

    /// Any bytes are a key.
    fn read_public(public: &mut Self::Public, bytes: &Self::PublicBytes) -> Result<(), Infallible> {
        let mut work = Work::new(public.by());
        let hash = public_hash(&mut work.hash, bytes.as_ref());
        public.read(&mut work, bytes.as_ref(), hash);
        Ok(())
    }

    fn write_private(
        private: &Self::Private,
        public: &Self::Public,
        bytes: &Self::PublicBytes,
        out: &mut Self::PrivateBytes,
    ) {
        Self::write(public.by().cpu(), private, bytes.as_ref(), public.hash(), out.as_mut());
    }

    fn encapsulate(
        public: &Self::Public,
        random: &Self::Randomness,
        ciphertext: &mut Self::CiphertextBytes,
        shared: &mut SharedKey,
    ) {
        public.encapsulate(&mut Work::new(public.by()), random, ciphertext.as_mut(), shared);
    }

    fn generate_once(
        by: Self::Way,
        draw: &mut Draw<'_>,
        public: &mut Self::PublicBytes,
        private: &mut Self::PrivateBytes,
    ) -> Result<(), Failed> {
        let mut work = Work::new(by);
        let mut key = PrivateOf::<S, Element<RingOf<S>>>::blank();
        let mut of_key = PublicOf::<S, Element<RingOf<S>>>::blank(by);
        key.generate(&mut of_key, &mut work, &mut Sampler::new(draw), public.as_mut())?;
        Self::write(by.cpu(), &key, public.as_ref(), of_key.hash(), private.as_mut());
        Ok(())
    }

    fn encapsulate_once(
        by: Self::Way,
        public: &Self::PublicBytes,
        random: &Self::Randomness,
        ciphertext: &mut Self::CiphertextBytes,
        shared: &mut SharedKey,
    ) -> Result<(), Infallible> {
        let mut work = Work::new(by);
        let mut key = PublicOf::<S, Element<RingOf<S>>>::blank(by);
        let hash = public_hash(&mut work.hash, public.as_ref());
        key.read(&mut work, public.as_ref(), hash);
        key.encapsulate(&mut work, random, ciphertext.as_mut(), shared);
        Ok(())
    }
}

impl<S: System> CcaSet for Set<S> {
    /// Its small elements must be some, and its hash that of its public key.
    fn read_private(
        private: &mut Self::Private,
        public: &mut Self::Public,
        bytes: &Self::PrivateBytes,
    ) -> Result<Self::PublicBytes, InvalidKey> {
        let mut work = Work::new(public.by());
        let published = Self::read(&mut work, bytes.as_ref(), private, public)?;
        let same = *public.hash() == public_hash(&mut work.hash, published.as_ref());
        if same { Ok(published) } else { Err(InvalidKey) }
    }

    fn decapsulate(
        private: &Self::Private,
        public: &Self::Public,
        ciphertext: &Self::CiphertextBytes,
        shared: &mut SharedKey,
    ) {
        private.decapsulate(&mut Work::new(public.by()), public, ciphertext, shared);
    }

    /// Its hash of its public key is believed.
    fn decapsulate_once(
        by: Self::Way,
        private: &Self::PrivateBytes,
        ciphertext: &Self::CiphertextBytes,
        shared: &mut SharedKey,
    ) -> Result<(), InvalidKey> {
        let mut work = Work::new(by);
        let mut key = PrivateOf::<S, Element<RingOf<S>>>::blank();
        let mut public = PublicOf::<S, Element<RingOf<S>>>::blank(by);
        Self::read::<Element<_>>(&mut work, private.as_ref(), &mut key, &mut public)?;
        key.decapsulate(&mut work, &public, ciphertext, shared);
        Ok(())
    }
}
