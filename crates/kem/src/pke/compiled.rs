//! Macros for parameter sets whose functions are compiled in the crate that declares them.

/// A parameter set of public-key encryption, as a type of its own: that of a generic type that implements
/// [`PkeSet`](crate::pke::PkeSet), whose functions it calls. As [`kem_set!`](crate::kem_set).
#[macro_export]
macro_rules! pke_set {
    ($(#[$doc:meta])* $set:ident, $body:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
        pub struct $set;

        const _: () = {
            use $crate::pke::{DecryptionError, EncodedMut, InvalidKey, KeysMut, KeysRef, OnceError, PkeSet};
            use $crate::set::{Draw, Failed, Status};
            type Body = $body;

            impl PkeSet for $set {
                const NAME: &'static str = Body::NAME;
                const STATUS: Status = Body::STATUS;
                const SOURCE: &'static str = Body::SOURCE;
                type PublicBytes = <Body as PkeSet>::PublicBytes;
                type PrivateBytes = <Body as PkeSet>::PrivateBytes;
                type CiphertextBytes = <Body as PkeSet>::CiphertextBytes;
                type MessageBytes = <Body as PkeSet>::MessageBytes;
                type Way = <Body as PkeSet>::Way;
                type Public = <Body as PkeSet>::Public;
                type Private = <Body as PkeSet>::Private;

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
                fn generate(keys: KeysMut<'_, Self>, draw: &mut Draw<'_>) -> Result<(), Failed> {
                    Body::generate(keys, draw)
                }
                fn read_public(
                    public: &mut Self::Public,
                    bytes: &Self::PublicBytes,
                ) -> Result<(), InvalidKey> {
                    Body::read_public(public, bytes)
                }
                fn read_private(
                    keys: KeysMut<'_, Self>,
                    bytes: &Self::PrivateBytes,
                ) -> Result<(), InvalidKey> {
                    Body::read_private(keys, bytes)
                }
                fn write_private(keys: KeysRef<'_, Self>, out: &mut Self::PrivateBytes) {
                    Body::write_private(keys, out);
                }
                fn encrypt(
                    public: &Self::Public,
                    message: &[u8],
                    draw: &mut Draw<'_>,
                    out: &mut Self::CiphertextBytes,
                ) -> Result<(), Failed> {
                    Body::encrypt(public, message, draw, out)
                }
                fn decrypt(
                    keys: KeysRef<'_, Self>,
                    ciphertext: &Self::CiphertextBytes,
                    out: &mut Self::MessageBytes,
                ) -> Result<usize, DecryptionError> {
                    Body::decrypt(keys, ciphertext, out)
                }
                fn check_once(way: Self::Way, public: &Self::PublicBytes) -> Result<(), InvalidKey> {
                    Body::check_once(way, public)
                }
                fn generate_once(
                    way: Self::Way,
                    draw: &mut Draw<'_>,
                    out: EncodedMut<'_, Self>,
                ) -> Result<(), Failed> {
                    Body::generate_once(way, draw, out)
                }
                fn encrypt_once(
                    way: Self::Way,
                    public: &Self::PublicBytes,
                    message: &[u8],
                    draw: &mut Draw<'_>,
                    out: &mut Self::CiphertextBytes,
                ) -> Result<(), OnceError> {
                    Body::encrypt_once(way, public, message, draw, out)
                }
                fn decrypt_once(
                    way: Self::Way,
                    private: &Self::PrivateBytes,
                    ciphertext: &Self::CiphertextBytes,
                    out: &mut Self::MessageBytes,
                ) -> Result<usize, OnceError> {
                    Body::decrypt_once(way, private, ciphertext, out)
                }
                fn public_key_of(
                    way: Self::Way,
                    private: &Self::PrivateBytes,
                    out: &mut Self::PublicBytes,
                ) -> Result<(), InvalidKey> {
                    Body::public_key_of(way, private, out)
                }
            }
        };
    };
}
