//! The key encapsulation: FIPS 203, sections 6 and 7.

use super::pke::{self, Secret};
use super::{InvalidKey, Parameters, SharedKey};
use ctutils::{CtEq, CtSelect};
use ringsmith_hash::{Digest, Sha3_256, Sha3_512, Shake256};
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// A public key, expanded, with its hash.
#[derive(Clone)]
pub(super) struct Public<const K: usize> {
    cpu: Cpu,
    key: pke::Public<K>,
    hash: [u8; 32],
}

/// A private key without its public one.
pub(super) struct Private<const K: usize> {
    secret: Secret<K>,
    /// `d` and `z`; where the key was not made of a seed, `d` is zero and not the key's.
    seed: Zeroizing<[[u8; 32]; 2]>,
    seeded: bool,
}

/// `G(a || b)`, cut in two: the shared key and the randomness.
fn key_and_randomness(a: &[u8; 32], b: &[u8; 32]) -> [Zeroizing<[u8; 32]>; 2] {
    let digest: Zeroizing<[u8; 64]> = Zeroizing::new(Sha3_512::new().absorb(a).absorb(b).digest());
    let mut halves = [Zeroizing::new([0; 32]), Zeroizing::new([0; 32])];
    halves.iter_mut().zip(digest.chunks_exact(32)).for_each(|(half, bytes)| half.copy_from_slice(bytes));
    halves
}

impl<const K: usize> Public<K> {
    /// Reads a key and checks it.
    pub(super) fn read(cpu: Cpu, bytes: &[u8]) -> Result<Self, InvalidKey> {
        let mut hash = [Digest::sha3_256(bytes, &[])];
        let key = pke::read_public(cpu, bytes, &mut hash).ok_or(InvalidKey)?;
        Ok(Public { cpu, key, hash: *hash[0].digest() })
    }

    /// The same; beside it, the key that `private` has for a rejected ciphertext, which costs little so.
    pub(super) fn read_beside(
        cpu: Cpu,
        bytes: &[u8],
        private: &Private<K>,
        ciphertext: &[u8],
    ) -> Result<(Self, Zeroizing<SharedKey>), InvalidKey> {
        let mut both = [Digest::sha3_256(bytes, &[]), Digest::shake256(private.z(), ciphertext)];
        let key = pke::read_public(cpu, bytes, &mut both).ok_or(InvalidKey)?;
        Ok((Public { cpu, key, hash: *both[0].digest() }, Zeroizing::new(*both[1].digest())))
    }

    fn with(cpu: Cpu, key: pke::Public<K>, ek: &[u8]) -> Self {
        Public { cpu, key, hash: Sha3_256::new().absorb(ek).digest() }
    }

    /// `H(ek)`.
    pub(super) fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// Algorithm 17.
    pub(super) fn encapsulate<P: Parameters>(&self, m: &[u8; 32], ciphertext: &mut [u8]) -> SharedKey {
        let [shared, r] = key_and_randomness(m, &self.hash);
        self.encrypt::<P>(m, &r, ciphertext);
        *shared
    }

    fn encrypt<P: Parameters>(&self, m: &[u8; 32], r: &[u8; 32], ciphertext: &mut [u8]) {
        pke::encrypt::<P, K>(self.cpu, &self.key, m, r, ciphertext);
    }
}

impl<const K: usize> Private<K> {
    /// Algorithm 16, of `d || z`; writes the encoded public key.
    pub(super) fn generate<P: Parameters>(cpu: Cpu, seed: &[u8; 64], ek: &mut [u8]) -> (Self, Public<K>) {
        let mut parts = Zeroizing::new([[0; 32]; 2]);
        parts.as_flattened_mut().copy_from_slice(seed);
        let (secret, key) = pke::generate(cpu, P::ETA1, &parts[0], ek);
        (Private { secret, seed: parts, seeded: true }, Public::with(cpu, key, ek))
    }

    /// The same from the seeds of the matrix and of the noise.
    #[cfg(feature = "harness")]
    pub(super) fn generate_from<P: Parameters>(
        cpu: Cpu,
        [rho, sigma, z]: [&[u8; 32]; 3],
        ek: &mut [u8],
    ) -> (Self, Public<K>) {
        let (secret, key) = pke::generate_from(cpu, P::ETA1, rho, sigma, ek);
        (Self::without_seed(secret, z), Public::with(cpu, key, ek))
    }

    /// Reads the secret of the encryption, and `z`.
    pub(super) fn read(secret: &[u8], z: &[u8; 32]) -> Self {
        Self::without_seed(pke::read_secret(secret), z)
    }

    fn without_seed(secret: Secret<K>, z: &[u8; 32]) -> Self {
        let mut seed = Zeroizing::new([[0; 32]; 2]);
        seed[1].copy_from_slice(z);
        Private { secret, seed, seeded: false }
    }

    /// The secret of the encryption.
    pub(super) fn secret(&self) -> &Secret<K> {
        &self.secret
    }

    /// What a rejected ciphertext's key is made of.
    pub(super) fn z(&self) -> &[u8; 32] {
        &self.seed[1]
    }

    /// `d || z`, where the key was made of them.
    pub(super) fn seed(&self) -> Option<Zeroizing<[u8; 64]>> {
        self.seeded.then(|| {
            let mut seed = Zeroizing::new([0; 64]);
            seed.copy_from_slice(self.seed.as_flattened());
            seed
        })
    }

    /// The key of a rejected ciphertext: `J(z || c)`.
    pub(super) fn rejected(&self, ciphertext: &[u8]) -> Zeroizing<SharedKey> {
        let mut rejected = Zeroizing::new([0; 32]);
        Shake256::new().absorb(self.z()).absorb(ciphertext).reader().squeeze(rejected.as_mut());
        rejected
    }

    /// Algorithm 18, with the key of a rejected ciphertext; `again` is memory for a ciphertext. Which of the two keys it returns
    /// is a secret.
    pub(super) fn decapsulate<P: Parameters>(
        &self,
        public: &Public<K>,
        ciphertext: &[u8],
        rejected: &SharedKey,
        again: &mut [u8],
    ) -> SharedKey {
        let mut m = Zeroizing::new([0; 32]);
        pke::decrypt::<P, K>(public.cpu, &self.secret, ciphertext, &mut m);
        let [shared, r] = key_and_randomness(&m, &public.hash);
        public.encrypt::<P>(&m, &r, again);
        rejected.ct_select(&shared, ciphertext.ct_eq(again))
    }
}
