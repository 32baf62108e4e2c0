//! The traits of the crate `kem`, for generic code.
//!
//! Their operations take no CPU backend: they use the best one of the machine, and their results are those of
//! the types' own functions.

/// The traits for a parameter set; `$ek` and `$ct` are the bytes of a public key and of a ciphertext as
/// types.
macro_rules! kem_traits {
    ($set:ident, $ek:ident, $ct:ident) => {
        use ::kem::{
            Ciphertext, Decapsulate, Decapsulator, Generate, Kem, Key, KeyExport, KeyInit, KeySizeUser,
            TryKeyInit,
        };
        use core::ops::Deref;
        use hybrid_array::sizes::{U32, U64};
        use rand_core::TryCryptoRng;

        /// A private key that has its seed: the one of the traits of the crate `kem`, which store a key as
        /// its seed.
        ///
        /// It [is](Deref) a [`DecapsulationKey`]; one of these that was read in its long form has no seed,
        /// and is none of this type.
        pub struct SeededKey {
            key: DecapsulationKey,
            seed: Zeroizing<[u8; SEED_BYTES]>,
        }

        impl ZeroizeOnDrop for SeededKey {}

        impl SeededKey {
            /// A private key, if it has its seed.
            pub fn of(key: DecapsulationKey) -> Option<Self> {
                let seed = key.to_seed()?;
                Some(SeededKey { key, seed })
            }

            /// The private key.
            pub fn into_key(self) -> DecapsulationKey {
                self.key
            }
        }

        impl Deref for SeededKey {
            type Target = DecapsulationKey;
            fn deref(&self) -> &DecapsulationKey {
                &self.key
            }
        }

        impl Kem for $set {
            type DecapsulationKey = SeededKey;
            type EncapsulationKey = EncapsulationKey;
            type SharedKeySize = U32;
            type CiphertextSize = hybrid_array::sizes::$ct;
        }

        ringsmith_kem::key_traits!($set, $ek);

        impl TryKeyInit for EncapsulationKey {
            fn new(key: &Key<Self>) -> Result<Self, ::kem::InvalidKey> {
                Self::from_bytes(Cpu::detect(), key.as_ref()).map_err(|InvalidKey| ::kem::InvalidKey)
            }
        }

        impl Decapsulator for SeededKey {
            type Kem = $set;
            fn encapsulation_key(&self) -> &EncapsulationKey {
                &self.key.public
            }
        }

        impl Decapsulate for SeededKey {
            fn decapsulate(&self, ciphertext: &Ciphertext<$set>) -> ::kem::SharedKey<$set> {
                self.key.decapsulate(ciphertext.as_ref()).into()
            }
        }

        impl Generate for SeededKey {
            fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
                let mut seed = Zeroizing::new([0; SEED_BYTES]);
                rng.try_fill_bytes(seed.as_mut())?;
                Ok(SeededKey { key: DecapsulationKey::from_seed(Cpu::detect(), &seed), seed })
            }
        }

        impl KeySizeUser for SeededKey {
            type KeySize = U64;
        }

        /// From the seed.
        impl KeyInit for SeededKey {
            fn new(seed: &Key<Self>) -> Self {
                let seed = Zeroizing::new((*seed).into());
                SeededKey { key: DecapsulationKey::from_seed(Cpu::detect(), &seed), seed }
            }
        }

        /// The seed: the caller clears it.
        impl KeyExport for SeededKey {
            fn to_bytes(&self) -> Key<Self> {
                (*self.seed).into()
            }
        }

        /// Takes keys that hold their seed.
        #[cfg(feature = "pkcs8")]
        impl TryFrom<PrivateKeyInfoRef<'_>> for SeededKey {
            type Error = pkcs8::Error;
            fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self, pkcs8::Error> {
                Ok(Self::of(DecapsulationKey::try_from(info)?).ok_or(KeyError::Invalid)?)
            }
        }

        #[cfg(feature = "pkcs8")]
        impl EncodePrivateKey for SeededKey {
            fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
                self.key.to_pkcs8_der()
            }
        }
    };
}
pub(super) use kem_traits;
