//! X-Wing (draft-connolly-cfrg-xwing-kem): ML-KEM-768 and X25519 in one key encapsulation.
//!
//! Its shared key is secret as long as either of the two is secure. It has no options, so protocols that want
//! one fixed hybrid use it, as the age file format and HPKE do.
//!
//! ```
//! use ringsmith_hybrid::x_wing;
//! # struct Fixed(u8);
//! # impl rand_core::TryRng for Fixed {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(4) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { Ok(4) }
//! #     fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> { dst.fill(self.0); Ok(()) }
//! # }
//! # impl rand_core::TryCryptoRng for Fixed {}
//! # let mut rng = Fixed(4);
//! let alice = x_wing::DecapsulationKey::generate(&mut rng);
//! let published: [u8; 1216] = alice.encapsulation_key().to_bytes();
//!
//! let bob = x_wing::EncapsulationKey::from_bytes(&published)?;
//! let (ciphertext, shared) = bob.encapsulate(&mut rng); // 1120 and 32 bytes
//!
//! assert_eq!(alice.decapsulate(&ciphertext), shared);
//! # Ok::<(), ringsmith_ml_kem::InvalidKey>(())
//! ```
//!
//! # How
//! A private key is 32 bytes, which SHAKE256 expands to the seed of ML-KEM and the scalar of X25519. The
//! shared key is `SHA3-256(ss_M || ss_X || ct_X || pk_X || label)`, of both secrets and X25519's ciphertext
//! and public key; ML-KEM binds its own. As in the draft, points of small order are accepted: ML-KEM still
//! keeps the key secret.
//!
//! # Constant time
//! As ML-KEM; the curve is the crate `x25519-dalek`'s. The result does not show whether a ciphertext was made
//! for the key.

mod scheme;

pub use scheme::SCHEME;

use crate::curve::POINT_BYTES;
use core::convert::Infallible;
use core::fmt;
use rand_core::{CryptoRng, TryCryptoRng, TryRng};
use ringsmith_hash::{Sha3_256, Shake256};
use ringsmith_kem::secret::SecretBytes;
use ringsmith_ml_kem::{InvalidKey, SharedKey, ml_kem_768};
use ringsmith_simd::Cpu;
use x25519_dalek::{PublicKey, SharedSecret, StaticSecret};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// Bytes of an encapsulation key.
pub const EK_BYTES: usize = ml_kem_768::EK_BYTES + POINT_BYTES;
/// Bytes of a decapsulation key.
pub const DK_BYTES: usize = 32;
/// Bytes of a ciphertext.
pub const CT_BYTES: usize = ml_kem_768::CT_BYTES + POINT_BYTES;
/// Bytes of the randomness of an encapsulation.
pub const RANDOMNESS_BYTES: usize = 64;

/// What separates the hash from all others: a drawing of an X-wing.
const LABEL: &[u8; 6] = br"\.//^\";

/// A public key, expanded: made from its bytes, ready for many encapsulations.
#[derive(Clone, PartialEq, Eq)]
pub struct EncapsulationKey {
    lattice: ml_kem_768::EncapsulationKey,
    point: [u8; POINT_BYTES],
}

/// A private key, expanded. Cleared on drop.
pub struct DecapsulationKey {
    seed: Zeroizing<[u8; DK_BYTES]>,
    lattice: ml_kem_768::DecapsulationKey,
    scalar: StaticSecret,
    point: [u8; POINT_BYTES],
}

impl ZeroizeOnDrop for DecapsulationKey {}

/// As that of its ML-KEM key.
impl fmt::Debug for EncapsulationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("X-Wing EncapsulationKey").field(&self.lattice).finish()
    }
}

/// Writes the shared key of both secrets, and X25519's ciphertext and public key.
fn combine(
    cpu: Cpu,
    lattice: &SharedKey,
    curve: &SharedSecret,
    ciphertext: &[u8; POINT_BYTES],
    public: &[u8; POINT_BYTES],
    shared: &mut SharedKey,
) {
    let parts: [&[u8]; 5] = [lattice.as_bytes(), curve.as_bytes(), ciphertext, public, LABEL];
    let hash = parts.into_iter().fold(Sha3_256::new_on(cpu), Sha3_256::absorb);
    hash.reader().squeeze(shared.as_mut_bytes());
}

impl EncapsulationKey {
    /// Reads a key and checks its ML-KEM half.
    ///
    /// # Errors
    /// Where a coefficient is not below the modulus.
    pub fn from_bytes(bytes: &[u8; EK_BYTES]) -> Result<Self, InvalidKey> {
        Self::from_bytes_on(Cpu::detect(), bytes)
    }

    /// The same; all operations with the key are done on this CPU.
    ///
    /// # Errors
    /// The same.
    pub fn from_bytes_on(cpu: Cpu, bytes: &[u8; EK_BYTES]) -> Result<Self, InvalidKey> {
        let (lattice, point) = bytes.split_first_chunk().ok_or(InvalidKey)?;
        let point = *point.first_chunk().ok_or(InvalidKey)?;
        Ok(EncapsulationKey { lattice: ml_kem_768::EncapsulationKey::from_bytes_on(cpu, lattice)?, point })
    }

    /// ML-KEM's bytes, then X25519's.
    pub fn to_bytes(&self) -> [u8; EK_BYTES] {
        let mut bytes = [0; EK_BYTES];
        let (lattice, point) = bytes.split_at_mut(ml_kem_768::EK_BYTES);
        lattice.copy_from_slice(&self.lattice.to_bytes());
        point.copy_from_slice(&self.point);
        bytes
    }

    /// A ciphertext and the shared key in it. Draws [`RANDOMNESS_BYTES`] by one call.
    pub fn encapsulate(&self, rng: &mut (impl CryptoRng + ?Sized)) -> ([u8; CT_BYTES], SharedKey) {
        let mut randomness = SecretBytes::zero();
        rng.fill_bytes(randomness.as_mut());
        self.internal(&randomness)
    }

    /// The same with these bytes in place of randomness. They must be secret, and never used again.
    #[cfg(feature = "hazmat")]
    pub fn encapsulate_deterministic(
        &self,
        randomness: &[u8; RANDOMNESS_BYTES],
    ) -> ([u8; CT_BYTES], SharedKey) {
        self.internal(randomness)
    }

    fn internal(&self, randomness: &[u8; RANDOMNESS_BYTES]) -> ([u8; CT_BYTES], SharedKey) {
        let [m, scalar] = randomness.as_chunks::<32>().0 else { unreachable!("two halves") };
        let scalar = StaticSecret::from(*scalar);
        let ephemeral = PublicKey::from(&scalar);
        let (lattice, secret) = self.lattice.encapsulate(&mut Given(m));
        let (mut ciphertext, mut shared) = ([0; CT_BYTES], SharedKey::zero());
        ciphertext[..ml_kem_768::CT_BYTES].copy_from_slice(&lattice);
        ciphertext[ml_kem_768::CT_BYTES..].copy_from_slice(ephemeral.as_bytes());
        let curve = scalar.diffie_hellman(&PublicKey::from(self.point));
        combine(self.lattice.cpu(), &secret, &curve, ephemeral.as_bytes(), &self.point, &mut shared);
        (ciphertext, shared)
    }
}

/// Randomness that is there already, for a scheme that draws it by one call.
struct Given<'a>(&'a [u8; 32]);

impl TryRng for Given<'_> {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("ML-KEM draws 32 bytes by one call")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("ML-KEM draws 32 bytes by one call")
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.copy_from_slice(self.0);
        Ok(())
    }
}

impl TryCryptoRng for Given<'_> {}

impl DecapsulationKey {
    /// A new key: that of [`DK_BYTES`] random bytes, drawn by one call.
    pub fn generate(rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        Self::generate_on(Cpu::detect(), rng)
    }

    /// The same; all operations with the key are done on this CPU.
    pub fn generate_on(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        let mut seed = SecretBytes::<DK_BYTES>::zero();
        rng.fill_bytes(&mut *seed);
        Self::from_bytes_on(cpu, &seed)
    }

    /// The key of these bytes, which must be random and secret.
    pub fn from_bytes(seed: &[u8; DK_BYTES]) -> Self {
        Self::from_bytes_on(Cpu::detect(), seed)
    }

    /// The same; all operations with the key are done on this CPU.
    pub fn from_bytes_on(cpu: Cpu, seed: &[u8; DK_BYTES]) -> Self {
        let (mut lattice, mut scalar) = (SecretBytes::zero(), SecretBytes::<POINT_BYTES>::zero());
        let mut expanded = Shake256::new_on(cpu).absorb(seed).reader();
        expanded.squeeze(lattice.as_mut());
        expanded.squeeze(scalar.as_mut());
        let scalar = StaticSecret::from(*scalar);
        DecapsulationKey {
            seed: Zeroizing::new(*seed),
            lattice: ml_kem_768::DecapsulationKey::from_seed_on(cpu, &lattice),
            point: *PublicKey::from(&scalar).as_bytes(),
            scalar,
        }
    }

    /// The bytes from which the key was made.
    pub fn to_bytes(&self) -> Zeroizing<[u8; DK_BYTES]> {
        self.seed.clone()
    }

    /// The public key.
    pub fn encapsulation_key(&self) -> EncapsulationKey {
        EncapsulationKey { lattice: self.lattice.encapsulation_key().clone(), point: self.point }
    }

    /// The shared key in a ciphertext. If the ciphertext was not made for this key, the result is a key that
    /// nobody else has.
    pub fn decapsulate(&self, ciphertext: &[u8; CT_BYTES]) -> SharedKey {
        let (mut lattice, mut point) = ([0; ml_kem_768::CT_BYTES], [0; POINT_BYTES]);
        lattice.copy_from_slice(&ciphertext[..ml_kem_768::CT_BYTES]);
        point.copy_from_slice(&ciphertext[ml_kem_768::CT_BYTES..]);
        let secret = self.lattice.decapsulate(&lattice);
        let curve = self.scalar.diffie_hellman(&PublicKey::from(point));
        let (cpu, mut shared) = (self.lattice.encapsulation_key().cpu(), SharedKey::zero());
        combine(cpu, &secret, &curve, &point, &self.point, &mut shared);
        shared
    }
}
