//! How parameter sets are declared: a type each, and a module with its names.

/// Declares the sets of a system.
macro_rules! sets {
    ($variant:ident: $(
        $(#[$doc:meta])* $module:ident $set:ident, ring $ring:ident, n $n:literal, bits $bits:literal;
    )*) => { $(
        ringsmith_kem::kem_set!($(#[$doc])* $set, cca, set::Set<$set>);

        impl Parameters for $set {
            const NAME: &'static str = stringify!($module);
            type Ring = rings::$ring;
            type Variant = $variant;
            type Pair = [u8; 2 * trits::bytes($n)];
            type PublicBytes = [u8; $module::EK_BYTES];
            type PrivateBytes = [u8; $module::DK_BYTES];
            type Randomness = [u8; $module::RANDOM_BYTES];
        }

        $(#[$doc])*
        pub mod $module {
            pub use super::$set;
            use crate::$variant;
            use crate::set::HASH_BYTES;
            use crate::{codec, trits};
            use ringsmith_kem::keys;
            use ringsmith_kem::scheme::Scheme;

            /// Bytes of a public key.
            pub const EK_BYTES: usize = codec::bytes($n, $bits);
            /// Bytes of a private key.
            pub const DK_BYTES: usize = 2 * trits::bytes($n) + codec::bytes($n, $bits) + HASH_BYTES;
            /// Bytes of a ciphertext.
            pub const CT_BYTES: usize = EK_BYTES;
            /// Bytes of the randomness of a ciphertext.
            pub const RANDOM_BYTES: usize = $variant::pair_bytes($n);

            /// A public key, expanded. Any bytes are one.
            pub type EncapsulationKey = keys::EncapsulationKey<$set>;
            /// A private key, expanded.
            pub type DecapsulationKey = keys::DecapsulationKey<$set>;

            /// The set among [all schemes](ringsmith_kem::scheme).
            pub static SCHEME: Scheme = Scheme::cca::<$set>();
        }
    )* };
}
pub(super) use sets;
