//! Key encapsulation secure against chosen ciphertexts: the submission's section 1.2.2.

use super::pke::{self, Domain};
use crate::secret::SecretBytes;
use ctutils::{CtEq, CtSelect};
use ringsmith_hash::{Digest, Shake256};
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// Bytes of keys, hashes and seeds.
const BYTES: usize = 32;

/// What stands before the message of each hash.
mod prefix {
    /// Seeds of a key.
    pub(super) const KEY: &[u8] = &[1];
    /// The message of a ciphertext.
    pub(super) const MESSAGE: &[u8] = &[4];
    /// What is derived from the message.
    pub(super) const DERIVED: &[u8] = &[8];
}

/// A shared key.
pub type SharedKey = [u8; BYTES];

/// A public key, expanded.
#[derive(Clone)]
pub(super) struct Public<const ROWS: usize> {
    cpu: Cpu,
    key: pke::Public<ROWS>,
    hash: [u8; BYTES],
}

/// A private key without its public one.
pub(super) struct Private<const ROWS: usize> {
    secret: pke::Secret<ROWS>,
    /// What a rejected ciphertext's key is made of.
    z: Zeroizing<[u8; BYTES]>,
}

/// What a message and a public key determine.
struct Derived {
    key: Zeroizing<[u8; BYTES]>,
    coin: Zeroizing<[u8; BYTES]>,
    /// The end of the ciphertext.
    tag: [u8; BYTES],
}

fn hash(cpu: Cpu, parts: [&[u8]; 2]) -> [u8; BYTES] {
    let mut out = [0; BYTES];
    Shake256::new(cpu).absorb(parts[0]).absorb(parts[1]).reader().squeeze(&mut out);
    out
}

impl<const ROWS: usize> Public<ROWS> {
    /// Room for a key; the CPU is that of all operations with it.
    pub(super) fn blank(cpu: Cpu) -> Self {
        Public { cpu, key: pke::Public::blank(), hash: [0; BYTES] }
    }

    /// Reads a key: any bytes are one.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        let mut digests = [Digest::shake256(bytes, &[])];
        self.key.read(self.cpu, bytes, &mut digests);
        self.hash = *digests[0].digest();
    }

    pub(super) fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// The hash of the key.
    pub(super) fn hash(&self) -> &[u8; BYTES] {
        &self.hash
    }

    fn derive(&self, message: &[u8; BYTES]) -> Derived {
        let hash = Shake256::new(self.cpu).absorb(prefix::DERIVED).absorb(message).absorb(&self.hash);
        let mut reader = hash.reader();
        let mut derived =
            Derived { key: Zeroizing::new([0; BYTES]), coin: Zeroizing::new([0; BYTES]), tag: [0; BYTES] };
        reader.squeeze(derived.key.as_mut());
        reader.squeeze(derived.coin.as_mut());
        reader.squeeze(&mut derived.tag);
        derived
    }

    /// Encrypts a message as its own hash says.
    fn encrypt<D: Domain<ROWS>>(&self, message: &[u8; BYTES], derived: &Derived, ciphertext: &mut [u8]) {
        let (body, tag) = ciphertext.split_at_mut(pke::ciphertext_bytes(ROWS));
        pke::encrypt::<D, ROWS>(self.cpu, &self.key, message, &derived.coin, body);
        tag.copy_from_slice(&derived.tag);
    }

    /// A ciphertext of 32 random bytes, and its shared key.
    pub(super) fn encapsulate<D: Domain<ROWS>>(
        &self,
        random: &[u8; BYTES],
        ciphertext: &mut [u8],
    ) -> SharedKey {
        let message = Zeroizing::new(hash(self.cpu, [prefix::MESSAGE, random]));
        let derived = self.derive(&message);
        self.encrypt::<D>(&message, &derived, ciphertext);
        hash(self.cpu, [derived.key.as_slice(), &hash(self.cpu, [ciphertext, &[]])])
    }
}

impl<const ROWS: usize> Private<ROWS> {
    /// Room for a key.
    pub(super) fn blank() -> Self {
        Private { secret: pke::blank_secret(), z: Zeroizing::new([0; BYTES]) }
    }

    /// Makes both keys of 32 random bytes, and writes the public key; `z` are random too.
    pub(super) fn generate<D: Domain<ROWS>>(
        &mut self,
        random: &[u8; BYTES],
        z: &[u8; BYTES],
        public: &mut Public<ROWS>,
        out: &mut [u8],
    ) {
        *self.z = *z;
        let keys = (&mut self.secret, &mut public.key);
        pke::generate::<D, ROWS>(public.cpu, prefix::KEY, random, keys, out);
        public.hash = hash(public.cpu, [out, &[]]);
    }

    /// The same from the seeds of the public polynomial and of the noise.
    #[cfg(feature = "harness")]
    pub(super) fn generate_from<D: Domain<ROWS>>(
        &mut self,
        [seed, noise_seed, z]: [&[u8; BYTES]; 3],
        public: &mut Public<ROWS>,
        out: &mut [u8],
    ) {
        *self.z = *z;
        let keys = (&mut self.secret, &mut public.key);
        pke::generate_from::<D, ROWS>(public.cpu, [seed, noise_seed], keys, out);
        public.hash = hash(public.cpu, [out, &[]]);
    }

    /// Reads the secret of the encryption, and `z`.
    pub(super) fn read(&mut self, cpu: Cpu, secret: &[u8], z: &[u8; BYTES]) {
        pke::read_secret(cpu, secret, &mut self.secret);
        *self.z = *z;
    }

    /// Writes the secret of the encryption.
    pub(super) fn write_secret(&self, cpu: Cpu, out: &mut [u8]) {
        pke::write_secret(cpu, &self.secret, out);
    }

    /// What a rejected ciphertext's key is made of.
    pub(super) fn z(&self) -> &[u8; BYTES] {
        &self.z
    }

    /// The shared key in a ciphertext, or one that nobody else has; `again` is memory for a ciphertext. Which of the two it is is a
    /// secret.
    pub(super) fn decapsulate<D: Domain<ROWS>>(
        &self,
        public: &Public<ROWS>,
        ciphertext: &[u8],
        again: &mut [u8],
    ) -> SharedKey {
        let mut message = SecretBytes::<BYTES>::zero();
        let body = &ciphertext[..pke::ciphertext_bytes(ROWS)];
        pke::decrypt::<D, ROWS>(public.cpu, &self.secret, body, &mut message);
        let derived = public.derive(&message);
        public.encrypt::<D>(&message, &derived, again);
        let key = Zeroizing::new(self.z.ct_select(&derived.key, ciphertext.ct_eq(again)));
        hash(public.cpu, [key.as_slice(), &hash(public.cpu, [ciphertext, &[]])])
    }
}
