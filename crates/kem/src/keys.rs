//! What public keys have in common, in every scheme.

/// The type `EncapsulationKey` of a parameter set: its bytes beside the expanded form, which is `$public`;
/// `$shown` are bytes that tell it from others, `$draws` says how many bytes of randomness a ciphertext
/// takes. The module has `EK_BYTES`, `CT_BYTES` and `SharedKey`, and the key a method `encapsulate_into`.
#[doc(hidden)]
#[macro_export]
macro_rules! encapsulation_key {
    ($name:literal, $public:ty, $draws:literal, |$this:ident| $shown:expr) => {
        /// A public key, expanded: made from its bytes, ready for many encapsulations.
        #[derive(Clone)]
        pub struct EncapsulationKey {
            key: $public,
            bytes: [u8; EK_BYTES],
        }

        /// Keys are equal where their bytes are, whatever the CPU of their operations.
        impl PartialEq for EncapsulationKey {
            fn eq(&self, other: &Self) -> bool {
                self.bytes == other.bytes
            }
        }

        impl Eq for EncapsulationKey {}

        /// Bytes that tell the key from others.
        impl core::fmt::Debug for EncapsulationKey {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let $this = self;
                let shown = $crate::keys::Hex($shown);
                f.debug_tuple(concat!($name, " EncapsulationKey")).field(&shown).finish()
            }
        }

        impl EncapsulationKey {
            /// The CPU of all operations with the key.
            pub fn cpu(&self) -> Cpu {
                self.key.cpu()
            }

            /// The encoded key.
            pub fn to_bytes(&self) -> [u8; EK_BYTES] {
                self.bytes
            }

            #[doc = concat!("A ciphertext and the shared key in it. Draws ", $draws, " bytes by one call.")]
            pub fn encapsulate(&self, rng: &mut (impl CryptoRng + ?Sized)) -> ([u8; CT_BYTES], SharedKey) {
                let mut ciphertext = [0; CT_BYTES];
                let shared = self.encapsulate_into(rng, &mut ciphertext);
                (ciphertext, shared)
            }
        }
    };
}

/// The traits of the crate `kem` that the keys of all schemes have; `$ek` are the bytes of a key as a type.
#[cfg(feature = "kem")]
#[doc(hidden)]
#[macro_export]
macro_rules! key_traits {
    ($set:ident, $ek:ident) => {
        impl $crate::kem::KeySizeUser for EncapsulationKey {
            type KeySize = $crate::hybrid_array::sizes::$ek;
        }

        impl $crate::kem::KeyExport for EncapsulationKey {
            fn to_bytes(&self) -> $crate::kem::Key<Self> {
                self.bytes.into()
            }
        }

        impl $crate::kem::Encapsulate for EncapsulationKey {
            type Kem = $set;
            fn encapsulate_with_rng<R: CryptoRng + ?Sized>(
                &self,
                rng: &mut R,
            ) -> ($crate::kem::Ciphertext<$set>, $crate::kem::SharedKey<$set>) {
                let (ciphertext, shared) = self.encapsulate(rng);
                (ciphertext.into(), shared.into())
            }
        }

        impl $crate::kem::Decapsulator for DecapsulationKey {
            type Kem = $set;
            fn encapsulation_key(&self) -> &EncapsulationKey {
                &self.public
            }
        }

        impl $crate::kem::Decapsulate for DecapsulationKey {
            fn decapsulate(
                &self,
                ciphertext: &$crate::kem::Ciphertext<$set>,
            ) -> $crate::kem::SharedKey<$set> {
                self.decapsulate(ciphertext.as_ref()).into()
            }
        }
    };
}

/// The traits of the crate `kem` for schemes whose private keys have no short form, and whose public keys are
/// any bytes; `$ek`, `$dk` and `$ct` are the bytes of both keys and of a ciphertext as types. The private key
/// has a function `try_generate`; the module uses `TryCryptoRng`.
#[cfg(feature = "kem")]
#[doc(hidden)]
#[macro_export]
macro_rules! unseeded_traits {
    ($set:ident, $ek:ident, $dk:ident, $ct:ident) => {
        use $crate::kem::{Generate, Kem, Key, KeyExport, KeySizeUser, TryKeyInit};

        impl Kem for $set {
            type DecapsulationKey = DecapsulationKey;
            type EncapsulationKey = EncapsulationKey;
            type SharedKeySize = $crate::hybrid_array::sizes::U32;
            type CiphertextSize = $crate::hybrid_array::sizes::$ct;
        }

        $crate::key_traits!($set, $ek);

        /// Any bytes are a key.
        impl TryKeyInit for EncapsulationKey {
            fn new(key: &Key<Self>) -> Result<Self, $crate::kem::InvalidKey> {
                Ok(Self::from_bytes(Cpu::detect(), key.as_ref()))
            }
        }

        impl Generate for DecapsulationKey {
            fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
                Self::try_generate(Cpu::detect(), rng)
            }
        }

        impl KeySizeUser for DecapsulationKey {
            type KeySize = $crate::hybrid_array::sizes::$dk;
        }

        /// The caller clears it.
        impl KeyExport for DecapsulationKey {
            fn to_bytes(&self) -> Key<Self> {
                (*self.to_bytes()).into()
            }
        }
    };
}

/// Bytes as hexadecimal digits.
pub struct Hex<'a>(pub &'a [u8]);

impl core::fmt::Debug for Hex<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
