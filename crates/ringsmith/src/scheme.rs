//! Lists of all schemes as data: key encapsulation, key exchanges, public-key encryption and signatures. A
//! tool that serves every scheme starts here.
//!
//! A feature for a family adds its list; the types are those of the crate `ringsmith-kem`. To add a scheme,
//! see `docs/add-a-scheme.md`.
//!
//! ```
//! use ringsmith::scheme;
//!
//! let scheme = scheme::by_name("ML-KEM-768").unwrap();
//! assert_eq!((scheme.public_key, scheme.private_key, scheme.ciphertext), (1184, 2400, 1088));
//! ```

pub use ringsmith_kem::pke::PublicKeyEncryption;
pub use ringsmith_kem::scheme::{InvalidKey, KeyExchange, Scheme, SchemeError, Seed, Status};
pub use ringsmith_kem::signature::SignatureScheme;

/// How many there are in lists.
const fn count<T>(lists: &[&[&'static T]]) -> usize {
    let (mut count, mut k) = (0, 0);
    while k < lists.len() {
        (count, k) = (count + lists[k].len(), k + 1);
    }
    count
}

/// Lists, one after the other; the first one is not empty.
const fn joined<T, const N: usize>(lists: &[&[&'static T]]) -> [&'static T; N] {
    let (mut all, mut place, mut k) = ([lists[0][0]; N], 0, 0);
    while k < lists.len() {
        let mut i = 0;
        while i < lists[k].len() {
            all[place] = lists[k][i];
            (place, i) = (place + 1, i + 1);
        }
        k += 1;
    }
    all
}

/// The families' lists.
const SCHEMES: &[&[&Scheme]] = &[
    #[cfg(feature = "ml-kem")]
    &ringsmith_ml_kem::SCHEMES,
    #[cfg(feature = "new-hope")]
    &ringsmith_new_hope::SCHEMES,
    #[cfg(feature = "ntru-prime")]
    &ringsmith_ntru_prime::SCHEMES,
    #[cfg(feature = "ntru")]
    &ringsmith_ntru::SCHEMES,
];

/// Every scheme of the families that are compiled.
pub static ALL: &[&Scheme] = if SCHEMES.is_empty() { &[] } else { &joined::<_, { count(SCHEMES) }>(SCHEMES) };

/// Finds a scheme by its name; upper and lower case are the same.
pub fn by_name(name: &str) -> Option<&'static Scheme> {
    ALL.iter().copied().find(|scheme| scheme.name.eq_ignore_ascii_case(name))
}

/// Every key exchange of the compiled families. Each multiplies by the route that the planner chose.
pub static EXCHANGES: &[&KeyExchange] = {
    #[cfg(feature = "new-hope")]
    {
        &ringsmith_new_hope::EXCHANGES
    }
    #[cfg(not(feature = "new-hope"))]
    {
        &[]
    }
};

/// Finds a key exchange by its name; upper and lower case are the same.
pub fn exchange_by_name(name: &str) -> Option<&'static KeyExchange> {
    EXCHANGES.iter().copied().find(|exchange| exchange.name.eq_ignore_ascii_case(name))
}

/// The families' lists.
const OF_ENCRYPTION: &[&[&PublicKeyEncryption]] = &[
    #[cfg(feature = "ntruencrypt")]
    &ringsmith_ntruencrypt::SCHEMES,
    #[cfg(feature = "ntruencrypt")]
    &ringsmith_ntruencrypt::libntru::SCHEMES,
    #[cfg(feature = "ntruencrypt")]
    &ringsmith_ntruencrypt::ntruprime739::SCHEMES,
];

/// Every set of public-key encryption of the families that are compiled.
pub static ENCRYPTIONS: &[&PublicKeyEncryption] =
    if OF_ENCRYPTION.is_empty() { &[] } else { &joined::<_, { count(OF_ENCRYPTION) }>(OF_ENCRYPTION) };

/// One by its name, in capitals or not.
pub fn encryption_by_name(name: &str) -> Option<&'static PublicKeyEncryption> {
    ENCRYPTIONS.iter().copied().find(|scheme| scheme.name.eq_ignore_ascii_case(name))
}

/// Every set of signatures of the families that are compiled.
pub static SIGNATURES: &[&SignatureScheme] = {
    #[cfg(feature = "ml-dsa")]
    {
        &ringsmith_ml_dsa::SCHEMES
    }
    #[cfg(not(feature = "ml-dsa"))]
    {
        &[]
    }
};

/// One by its name, in capitals or not.
pub fn signature_by_name(name: &str) -> Option<&'static SignatureScheme> {
    SIGNATURES.iter().copied().find(|scheme| scheme.name.eq_ignore_ascii_case(name))
}
