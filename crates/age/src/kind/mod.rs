//! The kinds of keys, and what each does to a file's key.

mod curve;
pub(crate) mod mlkem768;
mod sntrup761;
mod stanza;

use age::DecryptError;
use age_core::format::{FileKey, Stanza};
use ringsmith::{Cpu, x_wing};
use std::fmt;
use std::io;
use std::str::FromStr;
use zeroize::Zeroizing;

pub(crate) use curve::is_recipient;
pub(crate) use stanza::bytes as stanza_bytes;

/// Bytes of an identity, of every kind: a seed.
pub(crate) const SEED_BYTES: usize = 32;

/// The label of recipients that a quantum computer does not break.
pub const POSTQUANTUM: &str = "postquantum";

/// A kind of key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// ML-KEM-768 and X25519: X-Wing, which age 1.3 knows.
    #[default]
    MlKem768X25519,
    /// sntrup761 and X25519, by the plugin alone.
    Sntrup761X25519,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 2] = [Kind::MlKem768X25519, Kind::Sntrup761X25519];

    /// Its name, which is that of its stanza too.
    pub fn name(self) -> &'static str {
        match self {
            Kind::MlKem768X25519 => mlkem768::NAME,
            Kind::Sntrup761X25519 => sntrup761::NAME,
        }
    }

    /// Bytes of a recipient's stanza in a file's header.
    pub fn stanza_bytes(self) -> usize {
        let enc = match self {
            Kind::MlKem768X25519 => x_wing::CT_BYTES,
            Kind::Sntrup761X25519 => sntrup761::ENC_BYTES,
        };
        stanza::bytes(self.name(), enc)
    }
}

/// The name.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No kind has this name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownKind;

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no such kind; there are: {}", Kind::ALL.map(Kind::name).join(", "))
    }
}

impl std::error::Error for UnknownKind {}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or(UnknownKind)
    }
}

/// A recipient's key.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Public {
    MlKem768(Box<x_wing::EncapsulationKey>),
    Sntrup761(Box<sntrup761::Public>),
}

/// An identity's key. Cleared on drop.
pub(crate) enum Private {
    MlKem768(Box<x_wing::DecapsulationKey>),
    Sntrup761(Box<sntrup761::Private>),
}

impl Public {
    /// Reads a key of a kind; `None` where the bytes are none.
    pub(crate) fn from_bytes(cpu: Cpu, kind: Kind, bytes: &[u8]) -> Option<Self> {
        Some(match kind {
            Kind::MlKem768X25519 => Public::MlKem768(Box::new(mlkem768::public(cpu, bytes)?)),
            Kind::Sntrup761X25519 => {
                Public::Sntrup761(Box::new(sntrup761::Public::from_bytes(cpu, bytes.try_into().ok()?)?))
            }
        })
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Public::MlKem768(_) => Kind::MlKem768X25519,
            Public::Sntrup761(_) => Kind::Sntrup761X25519,
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Public::MlKem768(key) => key.to_bytes().to_vec(),
            Public::Sntrup761(key) => key.to_bytes().to_vec(),
        }
    }

    /// Seals a file's key.
    pub(crate) fn wrap(&self, file_key: &FileKey) -> io::Result<Stanza> {
        match self {
            Public::MlKem768(key) => mlkem768::wrap(key, file_key),
            Public::Sntrup761(key) => key.wrap(file_key),
        }
    }
}

impl Private {
    /// A new key, of the system's randomness.
    pub(crate) fn generate(cpu: Cpu, kind: Kind) -> Result<Self, getrandom::Error> {
        let mut seed = Zeroizing::new([0; SEED_BYTES]);
        getrandom::fill(seed.as_mut())?;
        Ok(Self::from_seed(cpu, kind, &seed))
    }

    /// The key of a seed.
    pub(crate) fn from_seed(cpu: Cpu, kind: Kind, seed: &[u8; SEED_BYTES]) -> Self {
        match kind {
            Kind::MlKem768X25519 => {
                Private::MlKem768(Box::new(x_wing::DecapsulationKey::from_bytes_on(cpu, seed)))
            }
            Kind::Sntrup761X25519 => Private::Sntrup761(Box::new(sntrup761::Private::from_seed(cpu, seed))),
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Private::MlKem768(_) => Kind::MlKem768X25519,
            Private::Sntrup761(_) => Kind::Sntrup761X25519,
        }
    }

    pub(crate) fn seed(&self) -> Zeroizing<[u8; SEED_BYTES]> {
        match self {
            Private::MlKem768(key) => key.to_bytes(),
            Private::Sntrup761(key) => Zeroizing::new(*key.seed()),
        }
    }

    pub(crate) fn public(&self) -> Public {
        match self {
            Private::MlKem768(key) => Public::MlKem768(Box::new(key.encapsulation_key())),
            Private::Sntrup761(key) => Public::Sntrup761(Box::new(key.public().clone())),
        }
    }

    /// The file's key in a stanza; `None` where the stanza is of another kind or for another identity.
    pub(crate) fn unwrap(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        match self {
            Private::MlKem768(key) => mlkem768::unwrap(key, stanza),
            Private::Sntrup761(key) => key.unwrap(stanza),
        }
    }
}
