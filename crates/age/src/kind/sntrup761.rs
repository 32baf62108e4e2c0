//! sntrup761 and X25519: `sntrup761x25519`, a kind of our own.
//!
//! # Keys
//! A private key is a seed of 32 bytes. With `||` for one after the other,
//! `SHAKE256("ringsmith/age/v1/sntrup761x25519/seed" || seed)` gives, in this order:
//!
//! | bytes | of what |
//! |---:|---|
//! | 32 | X25519: the scalar, which is clamped when it is used (RFC 7748) |
//! | 3044 | sntrup761: the small element `g`; again, as long as it has no inverse modulo 3 |
//! | 3044 | the short element `f` |
//! | 191 | `rho`, what the key of a rejected ciphertext is made of |
//!
//! An element's 3044 bytes are its 761 numbers of 32 bits, the least significant byte first, as the
//! submission has them. A public key is that of sntrup761, `P` (1158 bytes), and then that of X25519, `Q` (32
//! bytes).
//!
//! # The stanza
//! `-> sntrup761x25519 ENC`, where `ENC` is, in base64 without padding, a ciphertext of sntrup761, `C` (1039
//! bytes), and then a new public key of X25519, `E` (32 bytes). With the shared keys `k` in `C` and `x` of
//! `E` and `Q`, 32 bytes each:
//!
//! ```text
//! wrap key = HKDF-SHA-256(no salt, k || x,
//!                         "ringsmith/age/v1/sntrup761x25519/wrap" || C || E || P || Q), 32 bytes
//! ```
//!
//! The body is the file's key sealed by ChaCha20-Poly1305 under the wrap key, with a nonce of zeros, because
//! the wrap key is used once, and no associated data. All lengths are fixed, so no two inputs read the same.
//!
//! # Why it is safe
//! The wrap key is a secret as long as either of `k` and `x` is. That both ciphertexts and both public keys
//! are hashed with them binds the stanza to its recipient, whatever the two bind by themselves. Points of
//! small order, which make `x` zeros for whatever key, are refused: in a recipient's text as no key, in a
//! stanza as an invalid header. So are recipients whose point is not canonical, which no identity has.
//!
//! # Constant time
//! As sntrup761 and the crate `x25519-dalek`: how often `g` is drawn is told, and that a point is of small
//! order, which is public.

use super::SEED_BYTES;
use super::curve::is_recipient;
use super::stanza::Sealed;
use age::DecryptError;
use age::secrecy::ExposeSecret;
use age_core::format::{FileKey, Stanza};
use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, Tag};
use rand_core::{TryCryptoRng, TryRng};
use ringsmith::hash::{RATE_256, Reader, Shake256};
use ringsmith::ntru_prime::SharedKey;
use ringsmith::ntru_prime::sntrup761::{CT_BYTES, DecapsulationKey, EK_BYTES, EncapsulationKey};
use ringsmith::{Cpu, random};
use ringsmith_hybrid::curve::{POINT_BYTES, scalar, shared};
use ringsmith_hybrid::kdf::{cipher, extract};
use std::convert::Infallible;
use std::io;
use x25519_dalek::{PublicKey, SharedSecret, StaticSecret};
use zeroize::Zeroizing;

/// The kind's name, which is the stanza's.
pub(super) const NAME: &str = "sntrup761x25519";
/// Bytes of a recipient.
const PUBLIC_BYTES: usize = EK_BYTES + POINT_BYTES;

pub(super) const ENC_BYTES: usize = CT_BYTES + POINT_BYTES;
const NONCE: [u8; 12] = [0; 12];
const SEED_LABEL: &[u8] = b"ringsmith/age/v1/sntrup761x25519/seed";
const WRAP_LABEL: &[u8] = b"ringsmith/age/v1/sntrup761x25519/wrap";

/// A recipient.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Public {
    lattice: EncapsulationKey,
    point: PublicKey,
}

/// An identity. Cleared on drop.
pub(crate) struct Private {
    seed: Zeroizing<[u8; SEED_BYTES]>,
    lattice: DecapsulationKey,
    scalar: StaticSecret,
    public: Public,
}

/// What a key is drawn from in place of randomness.
struct Stream(Reader<RATE_256>);

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = Zeroizing::new([0; 4]);
        self.0.squeeze(bytes.as_mut());
        Ok(u32::from_le_bytes(*bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = Zeroizing::new([0; 8]);
        self.0.squeeze(bytes.as_mut());
        Ok(u64::from_le_bytes(*bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.squeeze(bytes);
        Ok(())
    }
}

impl TryCryptoRng for Stream {}

impl Private {
    /// The key of a seed, which must be random and secret; the CPU is that of all operations with it.
    pub(super) fn from_seed(cpu: Cpu, seed: &[u8; SEED_BYTES]) -> Self {
        let mut stream = Stream(Shake256::new_on(cpu).absorb(SEED_LABEL).absorb(seed).reader());
        let scalar = scalar(&mut stream);
        let lattice = DecapsulationKey::generate_on(cpu, &mut stream);
        let public = Public { lattice: lattice.encapsulation_key().clone(), point: PublicKey::from(&scalar) };
        Private { seed: Zeroizing::new(*seed), lattice, scalar, public }
    }

    pub(super) fn seed(&self) -> &[u8; SEED_BYTES] {
        &self.seed
    }

    pub(super) fn public(&self) -> &Public {
        &self.public
    }

    /// The file's key in a stanza; `None` where the stanza is of another kind or for another identity.
    pub(super) fn unwrap(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        let sealed = match Sealed::<ENC_BYTES>::of(NAME, stanza)? {
            Ok(sealed) => sealed,
            Err(why) => return Some(Err(why)),
        };
        let (mut ciphertext, mut share) = ([0; CT_BYTES], [0; POINT_BYTES]);
        ciphertext.copy_from_slice(&sealed.enc[..CT_BYTES]);
        share.copy_from_slice(&sealed.enc[CT_BYTES..]);
        let Some(curve) = shared(&self.scalar, &PublicKey::from(share)) else {
            return Some(Err(DecryptError::InvalidHeader));
        };
        let lattice = self.lattice.decapsulate(&ciphertext);
        let (cipher, tag) = (self.public.cipher(&lattice, &curve, &sealed.enc), Tag::from(sealed.tag));
        let decrypt =
            |file_key: &mut [u8]| cipher.decrypt_inout_detached(&NONCE.into(), &[], file_key.into(), &tag);
        sealed.open(decrypt).map(Ok)
    }
}

impl Public {
    /// Reads a key; `None` where its point is of small order or is not canonical. The CPU is that of all
    /// operations with it.
    pub(super) fn from_bytes(cpu: Cpu, bytes: &[u8; PUBLIC_BYTES]) -> Option<Self> {
        let (lattice, point) = bytes.split_first_chunk()?;
        let point: &[u8; POINT_BYTES] = point.first_chunk()?;
        let Ok(lattice) = EncapsulationKey::from_bytes_on(cpu, lattice);
        is_recipient(point).then(|| Public { lattice, point: PublicKey::from(*point) })
    }

    pub(super) fn to_bytes(&self) -> [u8; PUBLIC_BYTES] {
        let mut bytes = [0; PUBLIC_BYTES];
        bytes[..EK_BYTES].copy_from_slice(&self.lattice.to_bytes());
        bytes[EK_BYTES..].copy_from_slice(self.point.as_bytes());
        bytes
    }

    /// Seals a file's key.
    pub(super) fn wrap(&self, file_key: &FileKey) -> io::Result<Stanza> {
        let (ciphertext, lattice, scalar) = random::drawn(|rng| {
            let (ciphertext, lattice) = self.lattice.encapsulate(rng);
            (ciphertext, lattice, scalar(rng))
        })
        .map_err(io::Error::other)?;
        let mut enc = [0; ENC_BYTES];
        enc[..CT_BYTES].copy_from_slice(&ciphertext);
        enc[CT_BYTES..].copy_from_slice(PublicKey::from(&scalar).as_bytes());
        let curve = shared(&scalar, &self.point).ok_or_else(|| io::Error::other("a point of small order"))?;
        let (cipher, mut body) = (self.cipher(&lattice, &curve, &enc), *file_key.expose_secret());
        let sealed = cipher.encrypt_inout_detached(&NONCE.into(), &[], body.as_mut_slice().into());
        let tag = sealed.map_err(io::Error::other)?.into();
        Ok(Sealed { enc, body, tag }.to_stanza(NAME))
    }

    /// The cipher under the wrap key, of both secrets, what is in the stanza, and the key itself.
    fn cipher(&self, lattice: &SharedKey, curve: &SharedSecret, enc: &[u8; ENC_BYTES]) -> ChaCha20Poly1305 {
        let (_, key) = extract(&[], &[lattice.as_bytes(), curve.as_bytes()]);
        cipher(&key, &[WRAP_LABEL, enc, &self.to_bytes()])
    }
}
