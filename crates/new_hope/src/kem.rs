//! Key encapsulation secure against chosen ciphertexts: the submission's section 1.2.2.

use super::parameters::Parameters;
use super::pke;
use super::way::{Way, zero};
use ctutils::{CtEq, CtSelect};
use ringsmith_hash::{Digest, Shake256};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// Bytes of keys, hashes and seeds.
const BYTES: usize = 32;

/// A shared key.
pub type SharedKey = [u8; BYTES];

/// A public key, expanded.
#[derive(Clone)]
pub(super) struct Public<const ROWS: usize> {
    pub(super) way: Way<ROWS>,
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
    /// Room for a key; all operations with it go this way.
    pub(super) fn blank(way: Way<ROWS>) -> Self {
        Public { way, key: pke::Public::blank(), hash: [0; BYTES] }
    }

    /// Reads a key: any bytes are one.
    pub(super) fn read<P: Parameters<ROWS>>(&mut self, bytes: &[u8]) {
        let mut digests = [Digest::shake256(bytes, &[])];
        self.key.read::<P>(self.way.cpu, bytes, &mut digests);
        self.hash = *digests[0].digest();
    }

    /// The same; beside it, the hash of a ciphertext.
    pub(super) fn read_and_hash<P: Parameters<ROWS>>(
        &mut self,
        bytes: &[u8],
        ciphertext: &[u8],
    ) -> [u8; BYTES] {
        let mut digests = [Digest::shake256(ciphertext, &[]), Digest::shake256(bytes, &[])];
        self.key.read::<P>(self.way.cpu, bytes, &mut digests);
        self.hash = *digests[1].digest();
        *digests[0].digest()
    }

    /// The same; beside it, the message of a ciphertext of 32 random bytes. Then
    /// [`encapsulate`](Self::encapsulate).
    pub(super) fn read_and_encapsulate<P: Parameters<ROWS>>(
        &mut self,
        bytes: &[u8],
        random: &[u8; BYTES],
        ciphertext: &mut [u8],
    ) -> SharedKey {
        let mut digests = [Digest::shake256(bytes, &[]), Digest::shake256(P::PREFIXES[1], random)];
        self.key.read::<P>(self.way.cpu, bytes, &mut digests);
        self.hash = *digests[0].digest();
        self.encapsulate_message::<P>(digests[1].digest(), ciphertext)
    }

    pub(super) fn cpu(&self) -> Cpu {
        self.way.cpu
    }

    /// The hash of the key.
    pub(super) fn hash(&self) -> &[u8; BYTES] {
        &self.hash
    }

    fn derive<P: Parameters<ROWS>>(&self, message: &[u8; BYTES]) -> Derived {
        let hash = Shake256::new(self.cpu()).absorb(P::PREFIXES[2]).absorb(message).absorb(&self.hash);
        let mut reader = hash.reader();
        let mut derived =
            Derived { key: Zeroizing::new([0; BYTES]), coin: Zeroizing::new([0; BYTES]), tag: [0; BYTES] };
        reader.squeeze(derived.key.as_mut());
        reader.squeeze(derived.coin.as_mut());
        reader.squeeze(&mut derived.tag);
        derived
    }

    /// Encrypts a message as its own hash says.
    fn encrypt<P: Parameters<ROWS>>(&self, message: &[u8; BYTES], derived: &Derived, ciphertext: &mut [u8]) {
        let (body, tag) = ciphertext.split_at_mut(ciphertext.len() - BYTES);
        pke::encrypt::<P, ROWS>(self.way, &self.key, message, &derived.coin, body);
        tag.copy_from_slice(&derived.tag);
    }

    /// A ciphertext of 32 random bytes, and its shared key.
    pub(super) fn encapsulate<P: Parameters<ROWS>>(
        &self,
        random: &[u8; BYTES],
        ciphertext: &mut [u8],
    ) -> SharedKey {
        let message = Zeroizing::new(hash(self.cpu(), [P::PREFIXES[1], random]));
        self.encapsulate_message::<P>(&message, ciphertext)
    }

    fn encapsulate_message<P: Parameters<ROWS>>(
        &self,
        message: &[u8; BYTES],
        ciphertext: &mut [u8],
    ) -> SharedKey {
        let derived = self.derive::<P>(message);
        self.encrypt::<P>(message, &derived, ciphertext);
        hash(self.cpu(), [derived.key.as_slice(), &hash(self.cpu(), [ciphertext, &[]])])
    }
}

impl<const ROWS: usize> Private<ROWS> {
    /// Room for a key.
    pub(super) fn blank() -> Self {
        Private { secret: zero(), z: Zeroizing::new([0; BYTES]) }
    }

    /// Makes both keys of 32 random bytes, and writes the public key; `z` are random too.
    pub(super) fn generate<P: Parameters<ROWS>>(
        &mut self,
        random: &[u8; BYTES],
        z: &[u8; BYTES],
        public: &mut Public<ROWS>,
        out: &mut [u8],
    ) {
        *self.z = *z;
        pke::generate::<P, ROWS>(public.way, random, (&mut self.secret, &mut public.key), out);
        public.hash = hash(public.cpu(), [out, &[]]);
    }

    /// The same from the seeds of the public polynomial and of the noise.
    #[cfg(feature = "hazmat")]
    pub(super) fn generate_from<P: Parameters<ROWS>>(
        &mut self,
        [seed, noise_seed, z]: [&[u8; BYTES]; 3],
        public: &mut Public<ROWS>,
        out: &mut [u8],
    ) {
        *self.z = *z;
        pke::generate_from::<P, ROWS>(
            public.way,
            [seed, noise_seed],
            (&mut self.secret, &mut public.key),
            out,
        );
        public.hash = hash(public.cpu(), [out, &[]]);
    }

    /// Reads the secret of the encryption, and `z`.
    pub(super) fn read<P: Parameters<ROWS>>(&mut self, cpu: Cpu, secret: &[u8], z: &[u8; BYTES]) {
        pke::read_secret::<P, ROWS>(cpu, secret, &mut self.secret);
        *self.z = *z;
    }

    /// Writes the secret of the encryption.
    pub(super) fn write_secret<P: Parameters<ROWS>>(&self, cpu: Cpu, out: &mut [u8]) {
        pke::write_secret::<P, ROWS>(cpu, &self.secret, out);
    }

    /// What a rejected ciphertext's key is made of.
    pub(super) fn z(&self) -> &[u8; BYTES] {
        &self.z
    }

    /// The shared key in a ciphertext, or one that nobody else has. Which of the two it is is a secret.
    pub(super) fn decapsulate<P: Parameters<ROWS>, const CT: usize>(
        &self,
        public: &Public<ROWS>,
        ciphertext: &[u8; CT],
    ) -> SharedKey {
        let digest = hash(public.cpu(), [ciphertext, &[]]);
        self.decapsulate_with::<P, CT>(public, ciphertext, &digest)
    }

    /// The same with the hash of the ciphertext.
    pub(super) fn decapsulate_with<P: Parameters<ROWS>, const CT: usize>(
        &self,
        public: &Public<ROWS>,
        ciphertext: &[u8; CT],
        digest: &[u8; BYTES],
    ) -> SharedKey {
        let (mut message, mut again) = (SecretBytes::<BYTES>::zero(), SecretBytes::<CT>::zero());
        pke::decrypt::<P, ROWS>(public.way, &self.secret, &ciphertext[..CT - BYTES], &mut message);
        let derived = public.derive::<P>(&message);
        public.encrypt::<P>(&message, &derived, again.as_mut());
        let mut canonical = *ciphertext;
        if P::WRITES_Q {
            let u = P::ROW_BYTES * ROWS;
            P::canonical(public.cpu(), &ciphertext[..u], &mut canonical[..u]);
        }
        let key = Zeroizing::new(self.z.ct_select(&derived.key, canonical.ct_eq(&*again)));
        hash(public.cpu(), [key.as_slice(), digest])
    }
}
