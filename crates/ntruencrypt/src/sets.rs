//! How parameter sets are declared: a type each, and a module with its names.

use crate::facts::Flavour;
use crate::key;
use crate::set::Parameters;
use ringsmith_kem::pke::{PkeSet, PublicKeyEncryption};
use ringsmith_kem::scheme::{SchemeError, exactly_mut};
use ringsmith_kem::secret::SecretArray;
use ringsmith_kem::set::Bytes;
use ringsmith_simd::Cpu;

/// Writes a private key in the usual form, of one in any form of the standard.
fn import<P: Parameters + PkeSet>(cpu: Cpu, bytes: &[u8], out: &mut [u8]) -> Result<(), SchemeError> {
    let out = exactly_mut("private key", out)?;
    let mut written = SecretArray::<<P as PkeSet>::PrivateBytes>::zero();
    key::import(cpu, &P::FACTS, bytes, (*written).as_mut())?;
    let mut public = <P as PkeSet>::PublicBytes::ZERO;
    P::public_key_of(P::planned(cpu), &written, &mut public)?;
    *out = *written;
    Ok(())
}

type Import = fn(Cpu, &[u8], &mut [u8]) -> Result<(), SchemeError>;

/// What a set's public keys are in DER: the key's packed element as an octet string in the bit string, and
/// the set's identifier beside the algorithm's.
///
/// Source: the template of NTRU's own library.
#[cfg(feature = "pkcs8")]
mod encoding {
    use crate::key::header_of_public;
    use crate::set::Parameters;
    use ringsmith_kem::encoding::PublicEncoding;
    use ringsmith_kem::pkcs8::ObjectIdentifier;

    pub(super) const fn of<P: Parameters>(number: Option<u8>) -> Option<PublicEncoding> {
        let Some(number) = number else { return None };
        let algorithm = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.8342.1.1.1.1");
        let sets = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.8342.1.1.2");
        let Ok(parameters) = sets.push_arc(number as u32) else { panic!("an identifier is too long") };
        Some(PublicEncoding { algorithm, parameters, prefix: header_of_public::<P>() })
    }
}

/// Nothing.
#[cfg(not(feature = "pkcs8"))]
mod encoding {
    use crate::set::Parameters;
    use ringsmith_kem::pke::PublicEncoding;

    pub(super) const fn of<P: Parameters>(_: Option<u8>) -> Option<PublicEncoding> {
        None
    }
}

/// The entry of a set, which may be one that must be named; with the last number of its object identifier,
/// where it has one.
pub(crate) const fn entry<P: Parameters + PkeSet>(by_name: bool, number: Option<u8>) -> PublicKeyEncryption {
    let encoding = encoding::of::<P>(number);
    let import = if matches!(P::FACTS.flavour, Flavour::Eess) { Some(import::<P> as Import) } else { None };
    PublicKeyEncryption { by_name, import, encoding, ..PublicKeyEncryption::of::<P>() }
}

/// Declares sets with the beginning of their names, their source, their modulus, their status, their flavour,
/// and whether they must be named. Of each: the module and the type, its ring, its numbers in the order of
/// [`Facts`](crate::facts::Facts), and the last number of its object identifier.
macro_rules! sets {
    ($prefix:literal $source:literal $modulus:ident $status:ident $flavour:ident $by_name:literal: $(
        $module:ident $set:ident, $ring:ident $n:literal, $f:expr, $g:literal, $least:literal,
        $random:literal, $message:literal, $c:literal, $hash:ident, $oid:expr, $strength:literal
        $(blocks $blocks:literal)? $(der $number:literal)?;
    )*) => { $(
        ringsmith_kem::pke_set!(
            #[doc = concat!("The set ", $prefix, stringify!($module), ", of degree ", $n, ".")]
            $set, crate::set::Set<$set>
        );

        impl crate::set::Parameters for $set {
            const NAME: &'static str = concat!($prefix, stringify!($module));
            const STATUS: ringsmith_kem::set::Status = ringsmith_kem::set::Status::$status;
            const SOURCE: &'static str = $source;
            const FACTS: crate::facts::Facts = $module::FACTS;
            type Modulus = crate::modulus::$modulus;
            type Ring = crate::rings::$ring;
            type PublicBytes = [u8; $module::EK_BYTES];
            type PrivateBytes = [u8; $module::DK_BYTES];
            type CiphertextBytes = [u8; $module::CT_BYTES];
            type MessageBytes = [u8; $module::MESSAGE_BYTES];
        }

        #[doc = concat!("The set ", $prefix, stringify!($module), ", of degree ", $n, ".")]
        pub mod $module {
            pub use super::$set;
            use crate::facts::Weights::*;
            use crate::facts::{Facts, Flavour, Plan};
            use crate::hash::Hash;
            use ringsmith_kem::pke::{self, PublicKeyEncryption};

            /// Its numbers, from which decryption failures are bounded.
            #[doc(hidden)]
            pub const FACTS: Facts = Facts {
                n: $n,
                q: <crate::modulus::$modulus as crate::modulus::Modulus>::Q,
                bits: <crate::modulus::$modulus as crate::modulus::Modulus>::BITS,
                f: $f,
                g: $g,
                least: $least,
                random: $random,
                message: $message,
                c: $c,
                hash: Hash::$hash,
                oid: $oid,
                strength: $strength,
                flavour: Flavour::$flavour $({ blocks: $blocks })?,
                plan: Plan::NONE,
            }
            .planned();

            /// Bytes of a public key.
            pub const EK_BYTES: usize = FACTS.public_bytes();
            /// Bytes of a private key.
            pub const DK_BYTES: usize = FACTS.private_bytes();
            /// Bytes of a ciphertext.
            pub const CT_BYTES: usize = FACTS.packed();
            /// The greatest length of a message, in bytes.
            pub const MESSAGE_BYTES: usize = $message;

            /// A public key, expanded.
            pub type EncryptionKey = pke::EncryptionKey<$set>;
            /// A private key, expanded.
            pub type DecryptionKey = pke::DecryptionKey<$set>;

            /// The set among all schemes.
            pub static SCHEME: PublicKeyEncryption = {
                #[allow(unused_mut, unused_assignments, reason = "not every set has one")]
                const NUMBER: Option<u8> = {
                    let mut number = None;
                    $(number = Some($number);)?
                    number
                };
                crate::sets::entry::<$set>($by_name, NUMBER)
            };
        }
    )* };
}
pub(crate) use sets;
