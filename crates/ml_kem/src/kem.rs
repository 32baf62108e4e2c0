//! The key encapsulation: FIPS 203, sections 6 and 7.

use super::pke::{self, Secret};
use super::{ENCODED_12, SEED_BYTES};
use core::marker::PhantomData;
use ctutils::{CtAssign, CtEq};
use ringsmith_hash::{Digest, Sha3_512, Shake256};
use ringsmith_kem::scheme::{InvalidKey, Status};
use ringsmith_kem::secret::SecretArray;
use ringsmith_kem::set::{Bytes, CcaSet, Draw, Failed, KemSet, SeedSet, SharedKey};
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

/// `G(a || b)`, cut in two: the shared key and the randomness.
fn key_and_randomness(cpu: Cpu, a: &[u8; 32], b: &[u8; 32]) -> [Zeroizing<[u8; 32]>; 2] {
    let digest: Zeroizing<[u8; 64]> = Zeroizing::new(Sha3_512::new_on(cpu).absorb(a).absorb(b).digest());
    let mut halves = [Zeroizing::new([0; 32]), Zeroizing::new([0; 32])];
    halves.iter_mut().zip(digest.chunks_exact(32)).for_each(|(half, bytes)| half.copy_from_slice(bytes));
    halves
}

impl<const K: usize> Public<K> {
    /// Reads a key while digests are computed, of which the first is its own.
    fn read(&mut self, bytes: &[u8], digests: &mut [Digest<'_>]) -> Result<(), InvalidKey> {
        if !pke::read_public(self.cpu, bytes, &mut self.key, digests) {
            return Err(InvalidKey);
        }
        self.hash = *digests[0].digest();
        Ok(())
    }

    fn encrypt<P: Parameters>(&self, m: &[u8; 32], r: &[u8; 32], ciphertext: &mut [u8]) {
        pke::encrypt::<P, K>(self.cpu, &self.key, m, r, ciphertext);
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
        let (mut m, mut again) = (Zeroizing::new([0; 32]), SecretArray::<P::CiphertextBytes>::zero());
        pke::decrypt::<P, K>(public.cpu, &self.secret, ciphertext.as_ref(), &mut m);
        let [key, r] = key_and_randomness(public.cpu, &m, &public.hash);
        public.encrypt::<P>(&m, &r, again.as_mut());
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
    fn generate(
        private: &mut Private<K>,
        public: &mut Public<K>,
        bytes: &mut P::PublicBytes,
        draw: &mut Draw<'_>,
    ) -> Result<(), Failed> {
        let mut seed = Zeroizing::new([0; SEED_BYTES]);
        draw(seed.as_mut())?;
        Self::expand(private, public, bytes, &seed);
        Ok(())
    }

    /// Section 7.2.
    fn read_public(public: &mut Public<K>, bytes: &P::PublicBytes) -> Result<(), InvalidKey> {
        public.read(bytes.as_ref(), &mut [Digest::sha3_256(bytes.as_ref(), &[])])
    }

    fn write_private(
        private: &Private<K>,
        public: &Public<K>,
        bytes: &P::PublicBytes,
        out: &mut P::PrivateBytes,
    ) {
        let (secret, rest) = out.as_mut().split_at_mut(K * ENCODED_12);
        let (encoded, rest) = rest.split_at_mut(P::PublicBytes::LEN);
        let (hash, z) = rest.split_at_mut(32);
        pke::write_secret(public.cpu, &private.secret, secret);
        encoded.copy_from_slice(bytes.as_ref());
        hash.copy_from_slice(&public.hash);
        z.copy_from_slice(&private.seed[1]);
    }

    /// Algorithm 17.
    fn encapsulate(
        public: &Public<K>,
        m: &[u8; 32],
        ciphertext: &mut P::CiphertextBytes,
        shared: &mut SharedKey,
    ) {
        let [key, r] = key_and_randomness(public.cpu, m, &public.hash);
        public.encrypt::<P>(m, &r, ciphertext.as_mut());
        *shared.as_mut_bytes() = *key;
    }
}

/// What a private key says of its public one, or an error where it says another hash.
fn checked<P: Parameters, const K: usize>(
    public: &Public<K>,
    parts: &Parts<'_>,
) -> Result<P::PublicBytes, InvalidKey> {
    match P::PublicBytes::of(parts.public) {
        Some(bytes) if public.hash == parts.hash => Ok(*bytes),
        _ => Err(InvalidKey),
    }
}

impl<P: Parameters, const K: usize> CcaSet for MlKem<P, K> {
    /// Section 7.3.
    fn read_private(
        private: &mut Private<K>,
        public: &mut Public<K>,
        bytes: &P::PrivateBytes,
    ) -> Result<P::PublicBytes, InvalidKey> {
        let parts = private.read(public.cpu, bytes.as_ref());
        public.read(parts.public, &mut [Digest::sha3_256(parts.public, &[])])?;
        checked::<P, K>(public, &parts)
    }

    /// Algorithm 21.
    fn decapsulate(
        private: &Private<K>,
        public: &Public<K>,
        ciphertext: &P::CiphertextBytes,
        shared: &mut SharedKey,
    ) {
        private.reject(public.cpu, ciphertext.as_ref(), shared);
        private.decapsulate::<P>(public, ciphertext, shared);
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
        checked::<P, K>(&public, &parts)?;
        *shared.as_mut_bytes() = *both[1].digest();
        private.decapsulate::<P>(&public, ciphertext, shared);
        Ok(())
    }
}

impl<P: Parameters, const K: usize> SeedSet for MlKem<P, K> {
    /// `d || z`.
    type Seed = [u8; SEED_BYTES];

    /// Algorithm 16.
    fn expand(
        private: &mut Private<K>,
        public: &mut Public<K>,
        bytes: &mut P::PublicBytes,
        seed: &[u8; SEED_BYTES],
    ) {
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
    fn expand_inner(
        private: &mut Private<K>,
        public: &mut Public<K>,
        bytes: &mut P::PublicBytes,
        [rho, sigma, z]: [&[u8; 32]; 3],
    ) {
        private.seed[1] = *z;
        let keys = (&mut private.secret, &mut public.key);
        public.hash = pke::generate_from::<P, K>(public.cpu, [rho, sigma], keys, bytes.as_mut());
    }
}
