//! The deterministic forms of the schemes that have them.

use ringsmith::keys::EncapsulationKey;
use ringsmith::ml_kem::{MlKem512, MlKem768, MlKem1024, ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith::scheme::{Scheme, SchemeError};
use ringsmith::set::{Bytes, KemSet};
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

impl Deterministic {
    /// Those of a set.
    const fn new<S: KemSet<Randomness = [u8; 32]>>(scheme: &'static Scheme) -> Self {
        Deterministic {
            scheme,
            encapsulate: |cpu, public, m| {
                let bytes = S::PublicBytes::of(public).ok_or(SchemeError::Length {
                    what: "public key",
                    expected: S::PublicBytes::LEN,
                    given: public.len(),
                })?;
                let key = EncapsulationKey::<S>::from_bytes_on(cpu, bytes).map_err(Into::into)?;
                let (ciphertext, shared) = key.encapsulate_deterministic(m);
                Ok((ciphertext.as_ref().to_vec(), shared.as_bytes().to_vec()))
            },
        }
    }
}

/// All of them.
static ALL: [Deterministic; 3] = [
    Deterministic::new::<MlKem512>(&ml_kem_512::SCHEME),
    Deterministic::new::<MlKem768>(&ml_kem_768::SCHEME),
    Deterministic::new::<MlKem1024>(&ml_kem_1024::SCHEME),
];

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
