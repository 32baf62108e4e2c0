//! The key encapsulation: FIPS 203, sections 6 and 7.

use super::pke::{self, Secret};
use super::{ENCODED_12, SEED_BYTES};
use core::marker::PhantomData;
use ctutils::{CtAssign, CtEq};
use ringsmith_hash::{Digest, Sha3_512, Shake256};
use ringsmith_kem::scheme::{InvalidKey, Status};
use ringsmith_kem::secret::{SecretArray, SecretBytes};
use ringsmith_kem::set::{
    Bytes, CcaSet, Draw, Failed, KemSet, Keys, KeysMut, KeysRef, SeedSet, SharedKey, To,
};
use ringsmith_simd::Cpu;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// The parameters of a set: FIPS 203, table 2.
pub trait Parameters: 'static {
    /// Its name.
    const NAME: &'static str;
    /// Noise of the secret and of the first error.
    const ETA1: usize;
    /// Bits of a coefficient of the first part of a ciphertext.
    const DU: usize;
    /// Bits of a coefficient of the second part.
    const DV: usize;
    /// An encapsulation key.
    type PublicBytes: Bytes;
    /// A decapsulation key.
    type PrivateBytes: Bytes;
    /// A ciphertext.
    type CiphertextBytes: Bytes;
}

/// ML-KEM with the parameters `P`, whose module has the rank `K`.
pub struct MlKem<P, const K: usize>(PhantomData<P>);

/// A public key, expanded, with its hash.
#[derive(Clone)]
pub struct Public<const K: usize> {
    cpu: Cpu,
    key: pke::Public<K>,
    hash: [u8; 32],
}

/// A private key without its public one.
pub struct Private<const K: usize> {
    secret: Secret<K>,
    /// `d` and `z`; where the key was not made of a seed, `d` is zero and not the key's.
    seed: Zeroizing<[[u8; 32]; 2]>,
    seeded: bool,
}

/// Its parts clear themselves.
impl<const K: usize> ZeroizeOnDrop for Private<K> {}

impl<const K: usize> Public<K> {
    /// Reads a key while digests are computed, of which the first is its own.
    fn read(&mut self, bytes: &[u8], digests: &mut [Digest<'_>]) -> Result<(), InvalidKey> {
        if !pke::read_public(self.cpu, bytes, &mut self.key, digests) {
            return Err(InvalidKey);
        }
        self.hash = *digests[0].digest();
        Ok(())
    }

    /// Whether it is the key of a hash.
    fn check(&self, hash: &[u8]) -> Result<(), InvalidKey> {
        if self.hash == hash { Ok(()) } else { Err(InvalidKey) }
    }

    /// Encrypts `m` as its hash with the key's says: `G(m || H(ek))` is the shared key and the randomness.
    fn encrypt<P: Parameters>(&self, m: &[u8; 32], ciphertext: &mut [u8], shared: &mut [u8; 32]) {
        let (mut reader, mut r) =
            (Sha3_512::new_on(self.cpu).absorb(m).absorb(&self.hash).reader(), SecretBytes::zero());
        reader.squeeze(shared);
        reader.squeeze(r.as_mut());
        pke::encrypt::<P, K>(self.cpu, &self.key, m, &r, ciphertext);
    }
}

/// The parts of an encoded private key that hold no secret of the encryption.
struct Parts<'a> {
    public: &'a [u8],
    hash: &'a [u8],
    z: &'a [u8; 32],
}

impl<'a> Parts<'a> {
    fn of(bytes: &'a [u8], rank: usize) -> Self {
        let (rest, z) = bytes.split_last_chunk().expect("z");
        let (public, hash) = rest[rank * ENCODED_12..].split_at(rank * ENCODED_12 + 32);
        Parts { public, hash, z }
    }
}

impl<const K: usize> Private<K> {
    /// Reads the secret of the encryption, and `z`.
    fn read<'a>(&mut self, cpu: Cpu, bytes: &'a [u8]) -> Parts<'a> {
        let parts = Parts::of(bytes, K);
        pke::read_secret(cpu, bytes, &mut self.secret);
        self.seed[1] = *parts.z;
        parts
    }

    /// Writes the key of a rejected ciphertext: `J(z || c)`.
    fn reject(&self, cpu: Cpu, ciphertext: &[u8], shared: &mut SharedKey) {
        let hash = Shake256::new_on(cpu).absorb(&self.seed[1]).absorb(ciphertext);
        hash.reader().squeeze(shared.as_mut_bytes());
    }

    /// Algorithm 18: writes the key of the ciphertext, or leaves that of a rejected one. Which of the two is
    /// a secret.
    fn decapsulate<P: Parameters>(
        &self,
        public: &Public<K>,
        ciphertext: &P::CiphertextBytes,
        shared: &mut SharedKey,
    ) {
        let [mut m, mut key] = [SecretBytes::zero(), SecretBytes::zero()];
        let mut again = SecretArray::<P::CiphertextBytes>::zero();
        pke::decrypt::<P, K>(public.cpu, &self.secret, ciphertext.as_ref(), &mut m);
        public.encrypt::<P>(&m, again.as_mut(), &mut key);
        shared.as_mut_bytes().ct_assign(&key, ciphertext.as_ref().ct_eq((*again).as_ref()));
    }
}

impl<P: Parameters, const K: usize> KemSet for MlKem<P, K> {
    const NAME: &'static str = P::NAME;
    const STATUS: Status = Status::Standard;
    const SOURCE: &'static str = "FIPS 203";
    type PublicBytes = P::PublicBytes;
    type PrivateBytes = P::PrivateBytes;
    type CiphertextBytes = P::CiphertextBytes;
    type PublicError = InvalidKey;
    /// The message `m`.
    type Randomness = [u8; 32];
    type Way = Cpu;
    type Public = Public<K>;
    type Private = Private<K>;

    fn planned(cpu: Cpu) -> Cpu {
        cpu
    }

    fn blank_public(cpu: Cpu) -> Public<K> {
        Public { cpu, key: pke::Public::blank(), hash: [0; 32] }
    }

    fn blank_private(_: Cpu) -> Private<K> {
        Private { secret: pke::blank_secret(), seed: Zeroizing::new([[0; 32]; 2]), seeded: false }
    }

    fn way(public: &Public<K>) -> Cpu {
        public.cpu
    }

    fn told_by<'a>(public: &'a Public<K>, _: &'a P::PublicBytes) -> &'a [u8] {
        &public.hash
    }

    /// Algorithm 19: draws `d || z` by one call.
    fn generate(keys: KeysMut<'_, Self>, draw: &mut Draw<'_>) -> Result<(), Failed> {
        let mut seed = Zeroizing::new([0; SEED_BYTES]);
        draw(seed.as_mut())?;
        Self::expand(keys, &seed);
        Ok(())
    }

    /// Section 7.2.
    fn read_public(public: &mut Public<K>, bytes: &P::PublicBytes) -> Result<(), InvalidKey> {
        public.read(bytes.as_ref(), &mut [Digest::sha3_256(bytes.as_ref(), &[])])
    }

    fn write_private(keys: KeysRef<'_, Self>, out: &mut P::PrivateBytes) {
        let Keys { private, public, bytes } = keys;
        let (secret, rest) = out.as_mut().split_at_mut(K * ENCODED_12);
        let (encoded, rest) = rest.split_at_mut(P::PublicBytes::LEN);
        let (hash, z) = rest.split_at_mut(32);
        pke::write_secret(public.cpu, &private.secret, secret);
        encoded.copy_from_slice(bytes.as_ref());
        hash.copy_from_slice(&public.hash);
        z.copy_from_slice(&private.seed[1]);
    }

    /// Algorithm 17.
    fn encapsulate(public: &Public<K>, m: &[u8; 32], to: To<'_, P::CiphertextBytes>) {
        public.encrypt::<P>(m, to.ciphertext.as_mut(), to.shared.as_mut_bytes());
    }
}

impl<P: Parameters, const K: usize> CcaSet for MlKem<P, K> {
    /// Section 7.3.
    fn read_private(keys: KeysMut<'_, Self>, bytes: &P::PrivateBytes) -> Result<(), InvalidKey> {
        let parts = keys.private.read(keys.public.cpu, bytes.as_ref());
        keys.bytes.as_mut().copy_from_slice(parts.public);
        keys.public.read(parts.public, &mut [Digest::sha3_256(parts.public, &[])])?;
        keys.public.check(parts.hash)
    }

    /// Algorithm 21.
    fn decapsulate(keys: KeysRef<'_, Self>, ciphertext: &P::CiphertextBytes, shared: &mut SharedKey) {
        keys.private.reject(keys.public.cpu, ciphertext.as_ref(), shared);
        keys.private.decapsulate::<P>(keys.public, ciphertext, shared);
    }

    /// The key of a rejected ciphertext is computed beside the public key's hash, and costs little so.
    fn decapsulate_once(
        cpu: Cpu,
        bytes: &P::PrivateBytes,
        ciphertext: &P::CiphertextBytes,
        shared: &mut SharedKey,
    ) -> Result<(), InvalidKey> {
        let (mut private, mut public) = (Self::blank_private(cpu), Self::blank_public(cpu));
        let parts = private.read(cpu, bytes.as_ref());
        let mut both = [Digest::sha3_256(parts.public, &[]), Digest::shake256(parts.z, ciphertext.as_ref())];
        public.read(parts.public, &mut both)?;
        public.check(parts.hash)?;
        *shared.as_mut_bytes() = *both[1].digest();
        private.decapsulate::<P>(&public, ciphertext, shared);
        Ok(())
    }
}

impl<P: Parameters, const K: usize> SeedSet for MlKem<P, K> {
    /// `d || z`.
    type Seed = [u8; SEED_BYTES];

    /// Algorithm 16.
    fn expand(keys: KeysMut<'_, Self>, seed: &[u8; SEED_BYTES]) {
        let Keys { private, public, bytes } = keys;
        private.seed.as_flattened_mut().copy_from_slice(seed);
        private.seeded = true;
        let keys = (&mut private.secret, &mut public.key);
        public.hash = pke::generate::<P, K>(public.cpu, &private.seed[0], keys, bytes.as_mut());
    }

    fn seed(private: &Private<K>) -> Option<Zeroizing<[u8; SEED_BYTES]>> {
        private.seeded.then(|| {
            let mut seed = Zeroizing::new([0; SEED_BYTES]);
            seed.copy_from_slice(private.seed.as_flattened());
            seed
        })
    }
}

#[cfg(feature = "hazmat")]
impl<P: Parameters, const K: usize> ringsmith_kem::set::InnerSeedSet for MlKem<P, K> {
    fn expand_inner(keys: KeysMut<'_, Self>, [rho, sigma, z]: [&[u8; 32]; 3]) {
        let Keys { private, public, bytes } = keys;
        private.seed[1] = *z;
        let keys = (&mut private.secret, &mut public.key);
        public.hash = pke::generate_from::<P, K>(public.cpu, [rho, sigma], keys, bytes.as_mut());
    }
}
