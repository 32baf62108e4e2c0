//! The types of a parameter set.

/// Declares sets: their parameters, and a module each with their types and sizes. The module that calls it
/// has their rules.
macro_rules! sets {
    (@cca $set:ident, $rows:literal) => {
        /// Bytes of a private key.
        pub const DK_BYTES: usize = SECRET_BYTES + EK_BYTES + 2 * 32;
        /// Bytes of a ciphertext.
        pub const CT_BYTES: usize = BODY_BYTES + 32;

        /// A private key, expanded.
        pub type DecapsulationKey = keys::DecapsulationKey<$set>;

        /// The set among [all schemes](ringsmith_kem::scheme).
        pub static SCHEME: Scheme = Scheme::cca::<$set>();

        #[cfg(feature = "kem")]
        ringsmith_kem::kem_trait!($set, DecapsulationKey);
        crate::sets::sets!(@set $set, cca, crate::kem::Cca<$set, $rows>);
    };
    (@cpa $set:ident, $rows:literal) => {
        /// Bytes of a private key.
        pub const DK_BYTES: usize = SECRET_BYTES;
        /// Bytes of a ciphertext.
        pub const CT_BYTES: usize = BODY_BYTES;

        /// A new private key and its public key.
        pub type DecapsulationKey = keys::OneTimeKey<$set>;
        /// A private key by itself, as its bytes are: they do not tell the public key.
        pub type SecretKey = keys::SecretKey<$set>;

        /// The set among [all schemes](ringsmith_kem::scheme).
        pub static SCHEME: Scheme = Scheme::cpa::<$set>();

        crate::sets::sets!(@set $set, cpa, crate::cpa::Cpa<$set, $rows>);
    };
    (@set $set:ident, $kind:ident, $body:ty) => {
        ringsmith_kem::kem_set!(
            /// The parameter set as a type, for generic code.
            $set, $kind, $body
        );
        #[cfg(feature = "hazmat")]
        ringsmith_kem::inner_seed_set!($set, $body);
    };
    ($(
        $(#[$doc:meta])* $module:ident $set:ident $name:literal,
        $kind:ident $rows:literal rows, $ring:ident $order:ident $(<$degree:literal>)?,
        $numbers:ty, $rules:ident;
    )*) => { $(
        $(#[$doc])*
        ///
        /// Every byte string of the right length is a public key; its coefficients are taken modulo `q`.
        /// Reading one never fails, and the type of its error says so.
        pub mod $module {
            use crate::codec::{Coding, Numbers};
            use crate::parameters::{Parameters, Rules};
            use ringsmith_kem::keys;
            use ringsmith_kem::scheme::Scheme;

            /// Bytes of the secret of the encryption.
            const SECRET_BYTES: usize = $rows * <$numbers as Coding>::ROW_BYTES;
            /// Bytes of what is encrypted.
            const BODY_BYTES: usize = SECRET_BYTES + $rows * <$numbers as Coding>::COMPRESSED_ROW_BYTES;
            /// Bytes of a public key.
            pub const EK_BYTES: usize = SECRET_BYTES + 32;

            /// A public key, expanded.
            pub type EncapsulationKey = keys::EncapsulationKey<$set>;

            impl Parameters<$rows> for $set {
                const NAME: &'static str = $name;
                const RULES: Rules = super::$rules;
                type Ring = crate::rings::$ring;
                type Order = ringsmith_ring::$order $(<$degree>)?;
                type Numbers = $numbers;
                type PublicBytes = [u8; EK_BYTES];
                type PrivateBytes = [u8; DK_BYTES];
                type CiphertextBytes = [u8; CT_BYTES];
            }

            crate::sets::sets!(@$kind $set, $rows);
        }
        pub use $module::$set;
    )* };
}
pub(super) use sets;
