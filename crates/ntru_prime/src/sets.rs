//! How parameter sets are declared: a type each, and a module with its names.

/// Declares the sets of a system.
macro_rules! sets {
    ($system:ident: $(
        $(#[$doc:meta])* $module:ident $set:ident, ring $ring:ident, p $p:literal, q $q:literal, w $w:literal
        $(, tau $tau:tt)?;
    )*) => { $(
        crate::sets::sets!(@$system $(#[$doc])* $set $($tau)?);

        impl Parameters for $set {
            const NAME: &'static str = stringify!($module);
            type Ring = rings::$ring;
            const WEIGHT: usize = $w;
            const CODEC: &'static Codec = &$module::CODEC;
            type Small = [u8; small_bytes($p)];
            type PublicBytes = [u8; $module::EK_BYTES];
            type PrivateBytes = [u8; $module::DK_BYTES];
            type CiphertextBytes = [u8; $module::CT_BYTES];
            type Randomness = [u8; $module::RANDOM_BYTES];
        }

        $(#[$doc])*
        pub mod $module {
            pub use super::$set;
            use crate::codec::Codec;
            use crate::sizes::{self, Sizes};
            use ringsmith_kem::keys;
            use ringsmith_kem::scheme::Scheme;

            pub(super) static CODEC: Codec = Codec::new($p, $q);
            const SIZES: Sizes = sizes::$system($p, &CODEC);
            /// Bytes of a public key.
            pub const EK_BYTES: usize = SIZES.public;
            /// Bytes of a private key.
            pub const DK_BYTES: usize = SIZES.private;
            /// Bytes of a ciphertext.
            pub const CT_BYTES: usize = SIZES.ciphertext;
            /// Bytes of the randomness of a ciphertext.
            pub const RANDOM_BYTES: usize = SIZES.randomness;

            /// A public key, expanded. Any bytes are one.
            pub type EncapsulationKey = keys::EncapsulationKey<$set>;
            /// A private key, expanded.
            pub type DecapsulationKey = keys::DecapsulationKey<$set>;

            /// The set among [all schemes](ringsmith_kem::scheme).
            pub static SCHEME: Scheme = Scheme::cca::<$set>();
        }
    )* };
    (@streamlined $(#[$doc:meta])* $set:ident) => {
        ringsmith_kem::kem_set!($(#[$doc])* $set, cca batch, set::Set<streamlined::Streamlined<$set>>);
        impl crate::halves::Halves for $set {}
        #[cfg(feature = "kem")]
        ringsmith_kem::kem_trait!($set, ringsmith_kem::keys::DecapsulationKey<$set>);
    };
    // The crate `hybrid-array` does not have their lengths, so they have no trait of the crate `kem`.
    (@lprime $(#[$doc:meta])* $set:ident $tau:tt) => {
        ringsmith_kem::kem_set!($(#[$doc])* $set, cca, set::Set<lprime::LPrime<$set>>);

        impl lprime::Rounding for $set {
            const TAU: [i16; 4] = $tau;
        }
    };
}
pub(super) use sets;
