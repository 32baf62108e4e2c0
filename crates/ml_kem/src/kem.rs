//! The key encapsulation: FIPS 203, sections 6 and 7.

use super::pke::{self, Secret};
use super::{InvalidKey, Parameters, SharedKey};
use ctutils::{CtEq, CtSelect};
use ringsmith_hash::{Digest, Sha3_512, Shake256};
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
fn key_and_randomness(cpu: Cpu, a: &[u8; 32], b: &[u8; 32]) -> [Zeroizing<[u8; 32]>; 2] {
    let digest: Zeroizing<[u8; 64]> = Zeroizing::new(Sha3_512::new(cpu).absorb(a).absorb(b).digest());
    let mut halves = [Zeroizing::new([0; 32]), Zeroizing::new([0; 32])];
    halves.iter_mut().zip(digest.chunks_exact(32)).for_each(|(half, bytes)| half.copy_from_slice(bytes));
    halves
}

impl<const K: usize> Public<K> {
    /// Room for a key; the CPU is that of all operations with it.
    pub(super) fn blank(cpu: Cpu) -> Self {
        Public { cpu, key: pke::Public::blank(), hash: [0; 32] }
    }

    /// Reads a key and checks it.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<(), InvalidKey> {
        self.read_beside(bytes, &mut [Digest::sha3_256(bytes, &[])])
    }

    /// The same; beside it, the key that `private` has for a rejected ciphertext, which costs little so.
    pub(super) fn read_and_reject(
        &mut self,
        bytes: &[u8],
        private: &Private<K>,
        ciphertext: &[u8],
    ) -> Result<Zeroizing<SharedKey>, InvalidKey> {
        let mut both = [Digest::sha3_256(bytes, &[]), Digest::shake256(private.z(), ciphertext)];
        self.read_beside(bytes, &mut both)?;
        Ok(Zeroizing::new(*both[1].digest()))
    }

    /// Reads a key while digests are computed, of which the first is its own.
    fn read_beside(&mut self, bytes: &[u8], digests: &mut [Digest<'_>]) -> Result<(), InvalidKey> {
        if !pke::read_public(self.cpu, bytes, &mut self.key, digests) {
            return Err(InvalidKey);
        }
        self.hash = *digests[0].digest();
        Ok(())
    }

    /// The CPU of the key's operations.
    pub(super) fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// `H(ek)`.
    pub(super) fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// Algorithm 17.
    pub(super) fn encapsulate<P: Parameters>(&self, m: &[u8; 32], ciphertext: &mut [u8]) -> SharedKey {
        let [shared, r] = key_and_randomness(self.cpu, m, &self.hash);
        self.encrypt::<P>(m, &r, ciphertext);
        *shared
    }

    fn encrypt<P: Parameters>(&self, m: &[u8; 32], r: &[u8; 32], ciphertext: &mut [u8]) {
        pke::encrypt::<P, K>(self.cpu, &self.key, m, r, ciphertext);
    }
}

impl<const K: usize> Private<K> {
    /// Room for a key.
    pub(super) fn blank() -> Self {
        Private { secret: pke::blank_secret(), seed: Zeroizing::new([[0; 32]; 2]), seeded: false }
    }

    /// Algorithm 16, of `d || z`: makes both keys, and writes the encoded public key.
    pub(super) fn generate<P: Parameters>(&mut self, seed: &[u8; 64], public: &mut Public<K>, ek: &mut [u8]) {
        self.seed.as_flattened_mut().copy_from_slice(seed);
        self.seeded = true;
        let keys = (&mut self.secret, &mut public.key);
        public.hash = pke::generate::<P, K>(public.cpu, &self.seed[0], keys, ek);
    }

    /// The same from the seeds of the matrix and of the noise.
    #[cfg(feature = "hazmat")]
    pub(super) fn generate_from<P: Parameters>(
        &mut self,
        [rho, sigma, z]: [&[u8; 32]; 3],
        public: &mut Public<K>,
        ek: &mut [u8],
    ) {
        self.seed[1] = *z;
        let keys = (&mut self.secret, &mut public.key);
        public.hash = pke::generate_from::<P, K>(public.cpu, [rho, sigma], keys, ek);
    }

    /// Reads the secret of the encryption, which other bytes may follow, and `z`.
    pub(super) fn read(&mut self, cpu: Cpu, secret: &[u8], z: &[u8; 32]) {
        pke::read_secret(cpu, secret, &mut self.secret);
        self.seed[1] = *z;
    }

    /// Writes the secret of the encryption.
    pub(super) fn write_secret(&self, cpu: Cpu, out: &mut [u8]) {
        pke::write_secret(cpu, &self.secret, out);
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
    pub(super) fn rejected(&self, cpu: Cpu, ciphertext: &[u8]) -> Zeroizing<SharedKey> {
        let mut rejected = Zeroizing::new([0; 32]);
        Shake256::new(cpu).absorb(self.z()).absorb(ciphertext).reader().squeeze(rejected.as_mut());
        rejected
    }

    /// Algorithm 18, with the key of a rejected ciphertext; `again` is memory for a ciphertext. Which of the
    /// two keys it returns is a secret.
    pub(super) fn decapsulate<P: Parameters>(
        &self,
        public: &Public<K>,
        ciphertext: &[u8],
        rejected: &SharedKey,
        again: &mut [u8],
    ) -> SharedKey {
        let mut m = Zeroizing::new([0; 32]);
        pke::decrypt::<P, K>(public.cpu, &self.secret, ciphertext, &mut m);
        let [shared, r] = key_and_randomness(public.cpu, &m, &public.hash);
        public.encrypt::<P>(&m, &r, again);
        rejected.ct_select(&shared, ciphertext.ct_eq(again))
    }
}
