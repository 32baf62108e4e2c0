//! The groups of TLS 1.3 with ML-KEM: the key shares that client and server send, and the secret that enters
//! the key schedule of TLS in place of the (EC)DHE secret.
//!
//! ```
//! use ringsmith_hybrid::tls::X25519_MLKEM768 as GROUP;
//! use ringsmith_simd::Cpu;
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
//! let client = GROUP.start(Cpu::detect(), &mut rng);
//! assert_eq!(client.share().len(), 1216); // in ClientHello
//!
//! let (mut share, mut theirs) = ([0; 1120], [0; 64]);
//! GROUP.respond(Cpu::detect(), client.share(), &mut rng, &mut share, &mut theirs)?; // in ServerHello
//!
//! let mut ours = [0; 64];
//! client.finish(&share, &mut ours)?;
//! assert_eq!(ours, theirs);
//! # Ok::<(), ringsmith_hybrid::tls::ShareError>(())
//! ```
//!
//! # Groups
//! Sizes in bytes. `first` is the part that stands first in both shares and in the secret.
//!
//! | group | code point | first | client | server | secret |
//! |---|---|---|---:|---:|---:|
//! | X25519MLKEM768 | 0x11EC | ML-KEM | 1216 | 1120 | 64 |
//! | SecP256r1MLKEM768 | 0x11EB | the curve | 1249 | 1153 | 64 |
//! | SecP384r1MLKEM1024 | 0x11ED | the curve | 1665 | 1665 | 80 |
//! | MLKEM512 | 0x0200 | | 800 | 768 | 32 |
//! | MLKEM768 | 0x0201 | | 1184 | 1088 | 32 |
//! | MLKEM1024 | 0x0202 | | 1568 | 1568 | 32 |
//! | sntrup761x25519 (feature `tls-sntrup761`) | 0xFE61 | sntrup761 | 1190 | 1071 | 64 |
//!
//! The last group is not part of any standard. Its code point is from the range that RFC 8446 reserves for
//! private use, and its layout is that of X25519MLKEM768. It is for experiments between two programs that
//! both support it.
//!
//! # For TLS alone
//! The secret is the concatenation of the two shared secrets; it does not bind key shares. TLS hashes those
//! itself, together with all other messages of the handshake. Other protocols must use another combination,
//! such as [X-Wing](crate::x_wing).
//!
//! # What is refused
//! Shares of another length; an encapsulation key of ML-KEM with a coefficient that is not below the modulus;
//! a point of X25519 of small order (a secret of zeros); a point of a NIST curve that is compressed, at
//! infinity or off the curve. TLS answers all of them with the alert `illegal_parameter`. A ciphertext that
//! was not made for the key gives another secret, so that the handshake fails at the first record under it.
//!
//! # Constant time
//! As ML-KEM; the curves are those of the crates `x25519-dalek`, `p256` and `p384`. Secrets are filled where
//! they stay, and cleared on drop.
//!
//! # Source
//! draft-ietf-tls-ecdhe-mlkem (K. Kwiatkowski, P. Kampanakis, B. Westerbaan, D. Stebila) for the hybrids;
//! draft-ietf-tls-mlkem (D. Connolly) for ML-KEM alone; RFC 8446, sections 4.2.8.2 and 7.4.2, for points.

mod curves;
mod group;

use alloc::boxed::Box;
use core::fmt;
use group::{Order, Parts};
use rand_core::CryptoRng;
use ringsmith_kem::scheme::SchemeError;
use ringsmith_simd::{Cpu, wipe};

/// Why a key share was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ShareError {
    /// The share, or the buffer for a result, does not have the length that the group requires.
    Length {
        /// Which argument.
        what: &'static str,
        /// The group's, in bytes.
        expected: usize,
        /// The length that was given, in bytes.
        given: usize,
    },
    /// The encapsulation key in it fails the checks of its standard.
    EncapsulationKey,
    /// The group does not accept the point in it.
    Point,
}

impl fmt::Display for ShareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShareError::Length { what, expected, given } => {
                write!(f, "a {what} of {given} bytes, where the group has {expected}")
            }
            ShareError::EncapsulationKey => f.write_str("the key share's encapsulation key is invalid"),
            ShareError::Point => f.write_str("the key share's point is invalid"),
        }
    }
}

impl core::error::Error for ShareError {}

impl From<SchemeError> for ShareError {
    fn from(why: SchemeError) -> Self {
        match why {
            SchemeError::Length { what, expected, given } => ShareError::Length { what, expected, given },
            _ => ShareError::EncapsulationKey,
        }
    }
}

/// A client's secrets, for one exchange. Cleared on drop.
pub trait Client: Send + Sync {
    /// What is sent to the server.
    fn share(&self) -> &[u8];

    /// Writes the secret, computed from the server's answer. If it fails, the secret is zeros.
    ///
    /// # Errors
    /// Where the server's share is refused, or `secret` is not as long as the group's.
    fn finish(&self, share: &[u8], secret: &mut [u8]) -> Result<(), ShareError>;

    /// Writes the secret of the curve alone, for a server that chose the group [`Group::curve`]: the point in
    /// this client's share is valid for that group too. If it fails, the secret is zeros.
    ///
    /// # Errors
    /// Where the group has no curve, the point is refused, or `secret` is not as long as the curve's.
    fn finish_curve(&self, point: &[u8], secret: &mut [u8]) -> Result<(), ShareError>;
}

/// The curve of a hybrid group, as a group of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its code point.
    pub code_point: u16,
    /// Where its point begins in the client's share.
    pub start: usize,
    /// Bytes of a point.
    pub point: usize,
    /// Bytes of its secret.
    pub secret: usize,
}

type Start = fn(Cpu, &mut dyn CryptoRng) -> Box<dyn Client>;
type Respond = fn(Cpu, &[u8], &mut dyn CryptoRng, &mut [u8], &mut [u8]) -> Result<(), ShareError>;

/// A group: its facts, and its operations.
pub struct Group {
    /// Its name in the registry of TLS.
    pub name: &'static str,
    /// Its code point there.
    pub code_point: u16,
    /// Bits of security against classical attacks, of its lattice scheme.
    pub security_bits: u32,
    /// Bytes of the client's share.
    pub client_share: usize,
    /// Bytes of the server's share.
    pub server_share: usize,
    /// Bytes of the secret.
    pub secret: usize,
    /// Its curve, where it is a hybrid.
    pub curve: Option<Component>,
    start: Start,
    respond: Respond,
}

/// Its name.
impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Group {
    /// The group that is made of these two parts.
    const fn of<P: Parts>() -> Group {
        group::group::<P>()
    }

    /// New secrets of a client.
    pub fn start(&self, cpu: Cpu, rng: &mut dyn CryptoRng) -> Box<dyn Client> {
        (self.start)(cpu, rng)
    }

    /// Takes a client's share; writes the server's share and the secret. If it fails, both are zeros.
    ///
    /// # Errors
    /// If the client's share is refused, or a buffer does not have the length of the group.
    pub fn respond(
        &self,
        cpu: Cpu,
        client: &[u8],
        rng: &mut dyn CryptoRng,
        share: &mut [u8],
        secret: &mut [u8],
    ) -> Result<(), ShareError> {
        (self.respond)(cpu, client, rng, share, secret).inspect_err(|_| {
            wipe(share);
            wipe(secret);
        })
    }
}

/// Whether an argument has this length.
fn check(what: &'static str, expected: usize, given: usize) -> Result<(), ShareError> {
    if given == expected { Ok(()) } else { Err(ShareError::Length { what, expected, given }) }
}

/// Declares groups: names, code points, parts, and which of them stands first.
macro_rules! groups {
    ($(
        $(#[$attr:meta])* $id:ident $parts:ident $name:literal, $code:literal, bits $bits:literal,
        $order:ident, $lattice:ty, $curve:ty;
    )*) => { $(
        $(#[$attr])*
        enum $parts {}

        $(#[$attr])*
        impl Parts for $parts {
            const NAME: &'static str = $name;
            const CODE_POINT: u16 = $code;
            const SECURITY_BITS: u32 = $bits;
            const ORDER: Order = Order::$order;
            type Lattice = $lattice;
            type Curve = $curve;
        }

        $(#[$attr])*
        #[doc = concat!("The group `", $name, "`.")]
        pub static $id: Group = Group::of::<$parts>();
    )* };
}

groups! {
    X25519_MLKEM768 X25519MlKem768 "X25519MLKEM768", 0x11EC, bits 192,
    LatticeFirst, ringsmith_ml_kem::MlKem768, curves::X25519;

    SECP256R1_MLKEM768 SecP256r1MlKem768 "SecP256r1MLKEM768", 0x11EB, bits 192,
    CurveFirst, ringsmith_ml_kem::MlKem768, curves::P256;

    SECP384R1_MLKEM1024 SecP384r1MlKem1024 "SecP384r1MLKEM1024", 0x11ED, bits 256,
    CurveFirst, ringsmith_ml_kem::MlKem1024, curves::P384;

    MLKEM512 MlKem512 "MLKEM512", 0x0200, bits 128,
    LatticeFirst, ringsmith_ml_kem::MlKem512, curves::NoCurve;

    MLKEM768 MlKem768 "MLKEM768", 0x0201, bits 192,
    LatticeFirst, ringsmith_ml_kem::MlKem768, curves::NoCurve;

    MLKEM1024 MlKem1024 "MLKEM1024", 0x0202, bits 256,
    LatticeFirst, ringsmith_ml_kem::MlKem1024, curves::NoCurve;

    #[cfg(feature = "tls-sntrup761")]
    SNTRUP761_X25519 Sntrup761X25519 "sntrup761x25519", 0xFE61, bits 128,
    LatticeFirst, ringsmith_ntru_prime::Sntrup761, curves::X25519;
}

/// The hybrids, in the order in which a client prefers them.
pub static HYBRIDS: [&Group; 3] = [&X25519_MLKEM768, &SECP256R1_MLKEM768, &SECP384R1_MLKEM1024];
/// ML-KEM alone.
pub static ALONE: [&Group; 3] = [&MLKEM768, &MLKEM1024, &MLKEM512];
