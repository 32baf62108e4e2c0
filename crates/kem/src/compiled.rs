//! Macros for parameter sets whose functions are compiled in the crate that declares them.

/// A parameter set, as a type of its own: that of a generic type that implements
/// [`KemSet`](crate::set::KemSet), whose functions it calls.
///
/// Room for keys is made where it is wanted: those functions may be inlined.
/// `cca` or `cpa` says which of the other traits it has; `seed` and `batch` add those.
#[macro_export]
macro_rules! kem_set {
    ($(#[$doc:meta])* $set:ident, $kind:ident $($more:ident)?, $body:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
        pub struct $set;

        const _: () = {
            use $crate::scheme::{InvalidKey, Status};
            use $crate::set::{Draw, EncodedMut, Failed, KemSet, KeysMut, KeysRef, SharedKey, To};
            type Body = $body;

            impl KemSet for $set {
                const NAME: &'static str = Body::NAME;
                const STATUS: Status = Body::STATUS;
                const SOURCE: &'static str = Body::SOURCE;
                type PublicBytes = <Body as KemSet>::PublicBytes;
                type PrivateBytes = <Body as KemSet>::PrivateBytes;
                type CiphertextBytes = <Body as KemSet>::CiphertextBytes;
                type PublicError = <Body as KemSet>::PublicError;
                type Randomness = <Body as KemSet>::Randomness;
                type Way = <Body as KemSet>::Way;
                type Public = <Body as KemSet>::Public;
                type Private = <Body as KemSet>::Private;

                #[inline]
                fn planned(cpu: $crate::Cpu) -> Self::Way {
                    Body::planned(cpu)
                }
                #[inline]
                fn blank_public(way: Self::Way) -> Self::Public {
                    Body::blank_public(way)
                }
                #[inline]
                fn blank_private(way: Self::Way) -> Self::Private {
                    Body::blank_private(way)
                }
                #[inline]
                fn way(public: &Self::Public) -> Self::Way {
                    Body::way(public)
                }
                fn told_by<'a>(public: &'a Self::Public, bytes: &'a Self::PublicBytes) -> &'a [u8] {
                    Body::told_by(public, bytes)
                }
                fn generate(keys: KeysMut<'_, Self>, draw: &mut Draw<'_>) -> Result<(), Failed> {
                    Body::generate(keys, draw)
                }
                fn read_public(
                    public: &mut Self::Public,
                    bytes: &Self::PublicBytes,
                ) -> Result<(), Self::PublicError> {
                    Body::read_public(public, bytes)
                }
                fn write_private(keys: KeysRef<'_, Self>, out: &mut Self::PrivateBytes) {
                    Body::write_private(keys, out);
                }
                fn encapsulate(
                    public: &Self::Public,
                    random: &Self::Randomness,
                    to: To<'_, Self::CiphertextBytes>,
                ) {
                    Body::encapsulate(public, random, to);
                }
                fn generate_once(
                    way: Self::Way,
                    draw: &mut Draw<'_>,
                    out: EncodedMut<'_, Self>,
                ) -> Result<(), Failed> {
                    Body::generate_once(way, draw, out)
                }
                fn encapsulate_once(
                    way: Self::Way,
                    public: &Self::PublicBytes,
                    random: &Self::Randomness,
                    to: To<'_, Self::CiphertextBytes>,
                ) -> Result<(), Self::PublicError> {
                    Body::encapsulate_once(way, public, random, to)
                }
            }

            $crate::kem_set!(@$kind $set);
            $($crate::kem_set!(@$more $set);)?
        };
    };
    (@cca $set:ident) => {
        impl $crate::set::CcaSet for $set {
            fn read_private(keys: KeysMut<'_, Self>, bytes: &Self::PrivateBytes) -> Result<(), InvalidKey> {
                <Body as $crate::set::CcaSet>::read_private(keys, bytes)
            }
            fn decapsulate(
                keys: KeysRef<'_, Self>,
                ciphertext: &Self::CiphertextBytes,
                shared: &mut SharedKey,
            ) {
                <Body as $crate::set::CcaSet>::decapsulate(keys, ciphertext, shared);
            }
            fn decapsulate_once(
                way: Self::Way,
                private: &Self::PrivateBytes,
                ciphertext: &Self::CiphertextBytes,
                shared: &mut SharedKey,
            ) -> Result<(), InvalidKey> {
                <Body as $crate::set::CcaSet>::decapsulate_once(way, private, ciphertext, shared)
            }
            fn public_key_of(
                way: Self::Way,
                private: &Self::PrivateBytes,
                out: &mut Self::PublicBytes,
            ) -> Result<(), InvalidKey> {
                <Body as $crate::set::CcaSet>::public_key_of(way, private, out)
            }
        }
    };
    (@cpa $set:ident) => {
        impl $crate::set::CpaSet for $set {
            fn read_secret(private: &mut Self::Private, bytes: &Self::PrivateBytes) {
                <Body as $crate::set::CpaSet>::read_secret(private, bytes);
            }
            fn write_secret(private: &Self::Private, out: &mut Self::PrivateBytes) {
                <Body as $crate::set::CpaSet>::write_secret(private, out);
            }
            fn decapsulate(
                private: &Self::Private,
                ciphertext: &Self::CiphertextBytes,
                shared: &mut SharedKey,
            ) {
                <Body as $crate::set::CpaSet>::decapsulate(private, ciphertext, shared);
            }
        }
    };
    (@batch $set:ident) => {
        impl $crate::set::BatchSet for $set {
            const BATCH: usize = <Body as $crate::set::BatchSet>::BATCH;

            fn generate_batch(
                way: Self::Way,
                draw: &mut Draw<'_>,
                to: &mut $crate::set::PlacesOf<'_, Self>,
            ) -> Result<(), Failed> {
                <Body as $crate::set::BatchSet>::generate_batch(way, draw, to)
            }
        }
    };
    (@seed $set:ident) => {
        impl $crate::set::SeedSet for $set {
            type Seed = <Body as $crate::set::SeedSet>::Seed;

            fn expand(keys: KeysMut<'_, Self>, seed: &Self::Seed) {
                <Body as $crate::set::SeedSet>::expand(keys, seed);
            }
            fn seed(private: &Self::Private) -> Option<$crate::Zeroizing<Self::Seed>> {
                <Body as $crate::set::SeedSet>::seed(private)
            }
        }
    };
}

/// The same for [`InnerSeedSet`](crate::set::InnerSeedSet).
#[cfg(feature = "hazmat")]
#[doc(hidden)]
#[macro_export]
macro_rules! inner_seed_set {
    ($set:ident, $body:ty) => {
        impl $crate::set::InnerSeedSet for $set {
            fn expand_inner(keys: $crate::set::KeysMut<'_, Self>, seeds: [&[u8; 32]; 3]) {
                <$body as $crate::set::InnerSeedSet>::expand_inner(keys, seeds);
            }
        }
    };
}

/// The trait of the crate `kem` for a set, whose private keys have this type.
#[cfg(feature = "kem")]
#[doc(hidden)]
#[macro_export]
macro_rules! kem_trait {
    ($set:ty, $private:ty) => {
        impl $crate::kem::Kem for $set {
            type DecapsulationKey = $private;
            type EncapsulationKey = $crate::keys::EncapsulationKey<$set>;
            type SharedKeySize = $crate::traits::Size<[u8; $crate::set::SHARED_KEY_BYTES]>;
            type CiphertextSize = $crate::traits::Size<<$set as $crate::set::KemSet>::CiphertextBytes>;
        }
    };
}
