//! Key encapsulation secure against chosen ciphertexts: the submission's section 1.2.2.

use super::codec::Coding;
use super::domain::{DomainOf, no_values};
use super::parameters::Parameters;
use super::pke;
use core::convert::Infallible;
use core::marker::PhantomData;
use ctutils::{CtEq, CtSelect};
use ringsmith_hash::{Digest, Shake256};
use ringsmith_kem::scheme::{InvalidKey, Status};
use ringsmith_kem::secret::{SecretArray, SecretBytes};
use ringsmith_kem::set::{Bytes, CcaSet, Draw, Failed, KemSet, Keys, KeysMut, KeysRef, SharedKey, To};
use ringsmith_ring::{Domain, PlainOrder, Ring, Rows};
use ringsmith_simd::Cpu;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// Bytes of keys, hashes and seeds.
const BYTES: usize = 32;

/// NewHope with the parameters `P`, secure against chosen ciphertexts.
pub struct Cca<P, const ROWS: usize>(PhantomData<P>);

/// A public key, expanded, with its hash.
#[derive(Clone)]
pub struct Public<R: Ring, O: PlainOrder> {
    way: Domain<R, O>,
    key: pke::Public<R, O>,
    hash: [u8; BYTES],
}

/// A private key without its public one.
pub struct Private<R: Ring, O: PlainOrder> {
    secret: pke::Secret<R, O>,
    /// What a rejected ciphertext's key is made of.
    z: Zeroizing<[u8; BYTES]>,
}

/// Its parts clear themselves.
impl<R: Ring, O: PlainOrder> ZeroizeOnDrop for Private<R, O> {}

/// The public key of a set.
type PublicOf<P, const ROWS: usize> = Public<<P as Parameters<ROWS>>::Ring, <P as Parameters<ROWS>>::Order>;
/// The private key of a set.
type PrivateOf<P, const ROWS: usize> = Private<<P as Parameters<ROWS>>::Ring, <P as Parameters<ROWS>>::Order>;

/// What a message and a public key determine.
struct Derived {
    key: Zeroizing<[u8; BYTES]>,
    coin: Zeroizing<[u8; BYTES]>,
    /// The end of the ciphertext.
    tag: [u8; BYTES],
}

fn hash(cpu: Cpu, parts: [&[u8]; 2]) -> [u8; BYTES] {
    let mut out = [0; BYTES];
    hash_into(cpu, parts, &mut out);
    out
}

fn hash_into(cpu: Cpu, parts: [&[u8]; 2], out: &mut [u8; BYTES]) {
    Shake256::new_on(cpu).absorb(parts[0]).absorb(parts[1]).reader().squeeze(out);
}

impl<R: Ring<Coeffs = Rows<ROWS>>, O: PlainOrder, const ROWS: usize> Public<R, O> {
    /// Reads a key while digests are computed, of which this is its own.
    fn read<P: Parameters<ROWS, Ring = R, Order = O>>(
        &mut self,
        bytes: &[u8],
        digests: &mut [Digest<'_>],
        own: usize,
    ) {
        self.key.read::<P>(self.way.cpu(), bytes, digests);
        self.hash = *digests[own].digest();
    }

    /// Whether it is the key of a hash.
    fn check(&self, hash: &[u8; BYTES]) -> Result<(), InvalidKey> {
        if self.hash == *hash { Ok(()) } else { Err(InvalidKey) }
    }

    fn derive<P: Parameters<ROWS, Ring = R, Order = O>>(&self, message: &[u8; BYTES]) -> Derived {
        let hash =
            Shake256::new_on(self.way.cpu()).absorb(P::RULES.prefixes[2]).absorb(message).absorb(&self.hash);
        let mut reader = hash.reader();
        let mut derived =
            Derived { key: Zeroizing::new([0; BYTES]), coin: Zeroizing::new([0; BYTES]), tag: [0; BYTES] };
        reader.squeeze(derived.key.as_mut());
        reader.squeeze(derived.coin.as_mut());
        reader.squeeze(&mut derived.tag);
        derived
    }

    /// Encrypts a message as its own hash says.
    fn encrypt<P: Parameters<ROWS, Ring = R, Order = O>>(
        &self,
        message: &[u8; BYTES],
        derived: &Derived,
        ciphertext: &mut [u8],
    ) {
        let (body, tag) = ciphertext.split_at_mut(ciphertext.len() - BYTES);
        pke::encrypt::<P, ROWS>(self.way, &self.key, message, &derived.coin, body);
        tag.copy_from_slice(&derived.tag);
    }

    /// Writes a ciphertext of a message, and its shared key.
    fn encapsulate<P: Parameters<ROWS, Ring = R, Order = O>>(
        &self,
        message: &[u8; BYTES],
        to: To<'_, P::CiphertextBytes>,
    ) {
        let (ciphertext, shared) = (to.ciphertext.as_mut(), to.shared);
        let (cpu, derived) = (self.way.cpu(), self.derive::<P>(message));
        self.encrypt::<P>(message, &derived, ciphertext);
        hash_into(cpu, [derived.key.as_slice(), &hash(cpu, [ciphertext, &[]])], shared.as_mut_bytes());
    }
}

/// The parts of an encoded private key that hold no secret of the encryption.
struct Parts<'a> {
    public: &'a [u8],
    hash: &'a [u8; BYTES],
    z: &'a [u8; BYTES],
}

impl<'a> Parts<'a> {
    /// Those of a key, behind the secret of the encryption, which has so many bytes.
    fn of(bytes: &'a [u8], secret: usize) -> Self {
        let (rest, z) = bytes.split_last_chunk().expect("z");
        let (rest, hash) = rest.split_last_chunk().expect("a hash");
        Parts { public: &rest[secret..], hash, z }
    }
}

impl<R: Ring<Coeffs = Rows<ROWS>>, O: PlainOrder, const ROWS: usize> Private<R, O> {
    /// Reads the secret of the encryption, and `z`.
    fn read<'a, P: Parameters<ROWS, Ring = R, Order = O>>(&mut self, cpu: Cpu, bytes: &'a [u8]) -> Parts<'a> {
        let secret = P::Numbers::ROW_BYTES * ROWS;
        let parts = Parts::of(bytes, secret);
        pke::read_secret::<P, ROWS>(cpu, &bytes[..secret], &mut self.secret);
        *self.z = *parts.z;
        parts
    }

    /// Writes the shared key in a ciphertext with this hash, or one that nobody else has. Which of the two it
    /// is is a secret.
    fn decapsulate<P: Parameters<ROWS, Ring = R, Order = O>>(
        &self,
        public: &Public<R, O>,
        ciphertext: &P::CiphertextBytes,
        digest: &[u8; BYTES],
        shared: &mut SharedKey,
    ) {
        let (cpu, u) = (public.way.cpu(), P::Numbers::ROW_BYTES * ROWS);
        let body = P::CiphertextBytes::LEN - BYTES;
        let mut message = SecretBytes::<BYTES>::zero();
        let mut again = SecretArray::<P::CiphertextBytes>::zero();
        pke::decrypt::<P, ROWS>(public.way, &self.secret, &ciphertext.as_ref()[..body], &mut message);
        let derived = public.derive::<P>(&message);
        public.encrypt::<P>(&message, &derived, again.as_mut());
        let mut canonical = *ciphertext;
        if P::RULES.writes_q {
            P::Numbers::canonical(cpu, &ciphertext.as_ref()[..u], &mut canonical.as_mut()[..u]);
        }
        let same = canonical.as_ref().ct_eq((*again).as_ref());
        let key = Zeroizing::new(self.z.ct_select(&derived.key, same));
        hash_into(cpu, [key.as_slice(), digest], shared.as_mut_bytes());
    }
}

impl<P: Parameters<ROWS>, const ROWS: usize> KemSet for Cca<P, ROWS> {
    const NAME: &'static str = P::NAME;
    const STATUS: Status = Status::Historical;
    const SOURCE: &'static str = P::RULES.source;
    type PublicBytes = P::PublicBytes;
    type PrivateBytes = P::PrivateBytes;
    type CiphertextBytes = P::CiphertextBytes;
    type PublicError = Infallible;
    /// What the message is a hash of.
    type Randomness = [u8; BYTES];
    type Way = DomainOf<P, ROWS>;
    type Public = PublicOf<P, ROWS>;
    type Private = PrivateOf<P, ROWS>;

    fn planned(cpu: Cpu) -> DomainOf<P, ROWS> {
        Domain::new_on(cpu)
    }

    fn blank_public(way: DomainOf<P, ROWS>) -> PublicOf<P, ROWS> {
        Public { way, key: pke::Public::blank(), hash: [0; BYTES] }
    }

    fn blank_private(_: DomainOf<P, ROWS>) -> PrivateOf<P, ROWS> {
        Private { secret: no_values(), z: Zeroizing::new([0; BYTES]) }
    }

    fn way(public: &PublicOf<P, ROWS>) -> DomainOf<P, ROWS> {
        public.way
    }

    fn told_by<'a>(public: &'a PublicOf<P, ROWS>, _: &'a P::PublicBytes) -> &'a [u8] {
        &public.hash
    }

    /// Draws 32 bytes by each of two calls: what the seeds are hashed of, and `z`.
    fn generate(keys: KeysMut<'_, Self>, draw: &mut Draw<'_>) -> Result<(), Failed> {
        let (Keys { private, public, bytes }, mut random) = (keys, Zeroizing::new([0; BYTES]));
        draw(random.as_mut())?;
        draw(private.z.as_mut())?;
        let keys = (&mut private.secret, &mut public.key);
        pke::generate::<P, ROWS>(public.way, &random, keys, bytes.as_mut());
        public.hash = hash(public.way.cpu(), [bytes.as_ref(), &[]]);
        Ok(())
    }

    /// Any bytes are a key.
    fn read_public(public: &mut PublicOf<P, ROWS>, bytes: &P::PublicBytes) -> Result<(), Infallible> {
        public.read::<P>(bytes.as_ref(), &mut [Digest::shake256(bytes.as_ref(), &[])], 0);
        Ok(())
    }

    fn write_private(keys: KeysRef<'_, Self>, out: &mut P::PrivateBytes) {
        let Keys { private, public, bytes } = keys;
        let (secret, rest) = out.as_mut().split_at_mut(P::Numbers::ROW_BYTES * ROWS);
        let (encoded, rest) = rest.split_at_mut(P::PublicBytes::LEN);
        let (hash, z) = rest.split_at_mut(BYTES);
        pke::write_secret::<P, ROWS>(public.way.cpu(), &private.secret, secret);
        encoded.copy_from_slice(bytes.as_ref());
        hash.copy_from_slice(&public.hash);
        z.copy_from_slice(private.z.as_slice());
    }

    fn encapsulate(public: &PublicOf<P, ROWS>, random: &[u8; BYTES], to: To<'_, P::CiphertextBytes>) {
        let mut message = SecretBytes::zero();
        hash_into(public.way.cpu(), [P::RULES.prefixes[1], random], &mut message);
        public.encapsulate::<P>(&message, to);
    }

    /// The message is hashed beside the public key, and costs little so.
    fn encapsulate_once(
        way: DomainOf<P, ROWS>,
        bytes: &P::PublicBytes,
        random: &[u8; BYTES],
        to: To<'_, P::CiphertextBytes>,
    ) -> Result<(), Infallible> {
        let mut public = Self::blank_public(way);
        let mut both =
            [Digest::shake256(bytes.as_ref(), &[]), Digest::shake256(P::RULES.prefixes[1], random)];
        public.read::<P>(bytes.as_ref(), &mut both, 0);
        public.encapsulate::<P>(both[1].digest(), to);
        Ok(())
    }
}

impl<P: Parameters<ROWS>, const ROWS: usize> CcaSet for Cca<P, ROWS> {
    fn read_private(keys: KeysMut<'_, Self>, bytes: &P::PrivateBytes) -> Result<(), InvalidKey> {
        let parts = keys.private.read::<P>(keys.public.way.cpu(), bytes.as_ref());
        keys.bytes.as_mut().copy_from_slice(parts.public);
        keys.public.read::<P>(parts.public, &mut [Digest::shake256(parts.public, &[])], 0);
        keys.public.check(parts.hash)
    }

    fn decapsulate(keys: KeysRef<'_, Self>, ciphertext: &P::CiphertextBytes, shared: &mut SharedKey) {
        let digest = hash(keys.public.way.cpu(), [ciphertext.as_ref(), &[]]);
        keys.private.decapsulate::<P>(keys.public, ciphertext, &digest, shared);
    }

    /// The ciphertext is hashed beside the public key, and costs little so.
    fn decapsulate_once(
        way: DomainOf<P, ROWS>,
        bytes: &P::PrivateBytes,
        ciphertext: &P::CiphertextBytes,
        shared: &mut SharedKey,
    ) -> Result<(), InvalidKey> {
        let (mut private, mut public) = (Self::blank_private(way), Self::blank_public(way));
        let parts = private.read::<P>(public.way.cpu(), bytes.as_ref());
        let mut both = [Digest::shake256(ciphertext.as_ref(), &[]), Digest::shake256(parts.public, &[])];
        public.read::<P>(parts.public, &mut both, 1);
        public.check(parts.hash)?;
        private.decapsulate::<P>(&public, ciphertext, both[0].digest(), shared);
        Ok(())
    }
}

#[cfg(feature = "hazmat")]
impl<P: Parameters<ROWS>, const ROWS: usize> ringsmith_kem::set::InnerSeedSet for Cca<P, ROWS> {
    fn expand_inner(keys: KeysMut<'_, Self>, [seed, noise_seed, z]: [&[u8; BYTES]; 3]) {
        let Keys { private, public, bytes } = keys;
        *private.z = *z;
        let keys = (&mut private.secret, &mut public.key);
        pke::generate_from::<P, ROWS>(public.way, [seed, noise_seed], keys, bytes.as_mut());
        public.hash = hash(public.way.cpu(), [bytes.as_ref(), &[]]);
    }
}
