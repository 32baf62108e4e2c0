//! The deterministic forms of the schemes that have them.

use ringsmith::ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith::scheme::{Scheme, SchemeError};
use ringsmith_simd::Cpu;

/// Two byte strings: a ciphertext and its shared key, or two keys.
pub(super) type Pair = (Vec<u8>, Vec<u8>);
type Encapsulate = fn(Cpu, &[u8], &[u8; 32]) -> Result<Pair, SchemeError>;

/// A scheme's encapsulation with the randomness as an argument; for key generation see `Scheme::seed`.
pub struct Deterministic {
    /// The scheme.
    pub scheme: &'static Scheme,
    /// The ciphertext and the shared key of a public key and the message `m`.
    pub encapsulate: Encapsulate,
}

macro_rules! deterministic {
    ($set:ident) => {
        Deterministic {
            scheme: &$set::SCHEME,
            encapsulate: |cpu, public, m| {
                let bytes = public.try_into().map_err(|_| SchemeError::Length {
                    what: "public key",
                    expected: $set::EK_BYTES,
                    given: public.len(),
                })?;
                let (ciphertext, shared) =
                    $set::EncapsulationKey::from_bytes(cpu, bytes)?.encapsulate_deterministic(m);
                Ok((ciphertext.to_vec(), shared.to_vec()))
            },
        }
    };
}

/// All of them.
static ALL: [Deterministic; 3] =
    [deterministic!(ml_kem_512), deterministic!(ml_kem_768), deterministic!(ml_kem_1024)];

impl Deterministic {
    /// All of them.
    pub fn all() -> &'static [Self] {
        &ALL
    }

    /// Those of a scheme.
    pub fn of(scheme: &Scheme) -> Option<&'static Self> {
        ALL.iter().find(|forms| forms.scheme.name == scheme.name)
    }
}
