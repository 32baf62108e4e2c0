//! The key exchange `sntrup761x25519-sha512` of SSH, known as `sntrup761x25519-sha512@openssh.com` too: what
//! each side sends, and the secret, exactly as SSH derives it.
//!
//! **For SSH alone.** The secret is a hash of the two shared secrets only; it does not bind ciphertexts or
//! public keys. SSH hashes those itself, together with all other messages of the handshake. Other protocols
//! must use another combination, such as X-Wing or a key derivation over the whole transcript.
//!
//! ```
//! use ringsmith_hybrid::ssh::{Client, respond};
//! # struct Fixed(u64);
//! # impl rand_core::TryRng for Fixed {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { self.try_next_u64().map(|x| x as u32) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
//! #         self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
//! #         Ok(self.0 >> 20)
//! #     }
//! #     fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Self::Error> {
//! #         dst.iter_mut().try_for_each(|byte| self.try_next_u64().map(|x| *byte = x as u8))
//! #     }
//! # }
//! # impl rand_core::TryCryptoRng for Fixed {}
//! # let mut rng = Fixed(4);
//! let client = Client::new(&mut rng);
//! let init: [u8; 1190] = client.init(); // C_INIT
//!
//! let (reply, theirs) = respond(&init, &mut rng)?; // S_REPLY, 1071 bytes
//!
//! let ours = client.finish(&reply)?;
//! assert_eq!(ours.as_bytes(), theirs.as_bytes()); // 64 bytes
//! # Ok::<(), ringsmith_hybrid::ssh::InvalidPoint>(())
//! ```
//!
//! # How
//! * `C_INIT` is the client's public key of [`sntrup761`](ringsmith_ntru_prime::sntrup761) and its point of
//!   X25519.
//! * `S_REPLY` is the ciphertext and the server's point.
//! * The secret is `K = SHA-512(k || x)` of the two shared secrets, 32 bytes each.
//! * Where SSH hashes `K`, for the exchange hash and for keys, it is a `string` of 64 bytes, not a number:
//!   [`Secret::string`].
//!
//! # Constant time
//! As sntrup761; the curve is the crate `x25519-dalek`'s. A ciphertext that was not made for the key gives
//! another secret, which SSH notices by the signature of the exchange hash.
//!
//! # Source
//! draft-ietf-sshm-ntruprime-ssh (S. Josefsson), section 3; RFC 8731 for the point; RFC 4251, section 5 for
//! the string.

use crate::curve::{POINT_BYTES, scalar, shared};
use core::fmt;
use rand_core::CryptoRng;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_kem::set::SharedKey;
use ringsmith_ntru_prime::sntrup761::{CT_BYTES, DecapsulationKey, EK_BYTES, EncapsulationKey};
use ringsmith_simd::Cpu;
use sha2::{Digest, Sha512};
use x25519_dalek::{PublicKey, SharedSecret, StaticSecret};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// The names of the method in SSH's negotiation: the registered one, and the older one of OpenSSH.
pub const NAMES: [&str; 2] = ["sntrup761x25519-sha512", "sntrup761x25519-sha512@openssh.com"];
/// Bytes of what the client sends.
pub const INIT_BYTES: usize = EK_BYTES + POINT_BYTES;
/// Bytes of what the server answers.
pub const REPLY_BYTES: usize = CT_BYTES + POINT_BYTES;
/// Bytes of the secret.
pub const SECRET_BYTES: usize = 64;
/// Bytes of the secret as a `string`, with its length before it.
pub const STRING_BYTES: usize = 4 + SECRET_BYTES;

/// The other side's point has small order, so the curve's secret would be known to everyone. Close the
/// connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidPoint;

impl fmt::Display for InvalidPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the other side's point of X25519 is of small order")
    }
}

impl core::error::Error for InvalidPoint {}

/// The secret of an exchange. Cleared on drop.
pub struct Secret(SecretBytes<SECRET_BYTES>);

impl ZeroizeOnDrop for Secret {}

impl Secret {
    /// Of the secrets of sntrup761 and of X25519.
    fn of(lattice: &SharedKey, curve: &SharedSecret) -> Self {
        let mut secret = SecretBytes::<SECRET_BYTES>::zero();
        let hash = Sha512::new().chain_update(lattice.as_bytes()).chain_update(curve.as_bytes());
        hash.finalize_into((&mut *secret).into());
        Secret(secret)
    }

    /// The secret.
    pub fn as_bytes(&self) -> &[u8; SECRET_BYTES] {
        &self.0
    }

    /// The secret as SSH hashes it: its length in four bytes, the most significant one first, and then
    /// itself.
    pub fn string(&self) -> Zeroizing<[u8; STRING_BYTES]> {
        let mut string = Zeroizing::new([0; STRING_BYTES]);
        string[..4].copy_from_slice(&(SECRET_BYTES as u32).to_be_bytes());
        string[4..].copy_from_slice(self.as_bytes());
        string
    }
}

/// What the curve gives.
fn curve(scalar: &StaticSecret, point: [u8; POINT_BYTES]) -> Result<SharedSecret, InvalidPoint> {
    shared(scalar, &PublicKey::from(point)).ok_or(InvalidPoint)
}

/// A client's secrets, for one exchange. Cleared on drop.
pub struct Client {
    lattice: DecapsulationKey,
    scalar: StaticSecret,
}

impl ZeroizeOnDrop for Client {}

impl Client {
    /// New secrets: those of a key of sntrup761, then 32 bytes.
    pub fn new(rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        Self::new_on(Cpu::detect(), rng)
    }

    /// The same on this CPU.
    pub fn new_on(cpu: Cpu, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        Client { lattice: DecapsulationKey::generate_on(cpu, rng), scalar: scalar(rng) }
    }

    /// What is sent to the server, without the length that SSH puts before it.
    pub fn init(&self) -> [u8; INIT_BYTES] {
        let mut init = [0; INIT_BYTES];
        init[..EK_BYTES].copy_from_slice(&self.lattice.encapsulation_key().to_bytes());
        init[EK_BYTES..].copy_from_slice(PublicKey::from(&self.scalar).as_bytes());
        init
    }

    /// Computes the secret from the server's answer. Consumes the client, because its secrets may be used
    /// only once.
    ///
    /// # Errors
    /// Where the server's point is of small order.
    pub fn finish(self, reply: &[u8; REPLY_BYTES]) -> Result<Secret, InvalidPoint> {
        let (mut ciphertext, mut point) = ([0; CT_BYTES], [0; POINT_BYTES]);
        ciphertext.copy_from_slice(&reply[..CT_BYTES]);
        point.copy_from_slice(&reply[CT_BYTES..]);
        let lattice = self.lattice.decapsulate(&ciphertext);
        Ok(Secret::of(&lattice, &curve(&self.scalar, point)?))
    }
}

/// The server's answer to a client, and the secret. Draws the randomness of a ciphertext, then 32 bytes.
///
/// # Errors
/// Where the client's point is of small order.
pub fn respond(
    init: &[u8; INIT_BYTES],
    rng: &mut (impl CryptoRng + ?Sized),
) -> Result<([u8; REPLY_BYTES], Secret), InvalidPoint> {
    respond_on(Cpu::detect(), init, rng)
}

/// The same on this CPU.
///
/// # Errors
/// The same.
pub fn respond_on(
    cpu: Cpu,
    init: &[u8; INIT_BYTES],
    rng: &mut (impl CryptoRng + ?Sized),
) -> Result<([u8; REPLY_BYTES], Secret), InvalidPoint> {
    let (mut public, mut point, mut reply) = ([0; EK_BYTES], [0; POINT_BYTES], [0; REPLY_BYTES]);
    public.copy_from_slice(&init[..EK_BYTES]);
    point.copy_from_slice(&init[EK_BYTES..]);
    let Ok(key) = EncapsulationKey::from_bytes_on(cpu, &public);
    let (ciphertext, lattice) = key.encapsulate(rng);
    let scalar = scalar(rng);
    reply[..CT_BYTES].copy_from_slice(&ciphertext);
    reply[CT_BYTES..].copy_from_slice(PublicKey::from(&scalar).as_bytes());
    Ok((reply, Secret::of(&lattice, &curve(&scalar, point)?)))
}
