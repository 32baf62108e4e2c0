//! Secrets are cleared when they are dropped: the memory that they lived in is looked at.
//!
//! Each in its own place. What moving a value left of it elsewhere, on the stack or in what was made there
//! later, no type can clear.

use ringsmith::ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith::new_hope::{
    adps, cca_512, cca_1024, compact_512, compact_768, compact_1024, cpa_512, cpa_1024, longa_naehrig,
};
use ringsmith::ntru_prime::{
    ntrulpr653, ntrulpr761, ntrulpr857, ntrulpr953, ntrulpr1013, ntrulpr1277, sntrup653, sntrup761,
    sntrup857, sntrup953, sntrup1013, sntrup1277,
};
use ringsmith_oracle::Random;
use ringsmith_probe::around_drop;

/// Where in the memory bytes stand; they are too many to be there by chance.
fn place(memory: &[u8], bytes: &[u8]) -> Option<usize> {
    assert!(bytes.len() >= 32, "{} bytes are found everywhere", bytes.len());
    memory.windows(bytes.len()).position(|window| window == bytes)
}

/// The coefficients of 12 bits, as a private key holds them in memory.
fn coefficients(encoded: &[u8]) -> Vec<u8> {
    let decode = |[a, b, c]: &[u8; 3]| {
        let (a, b, c) = (*a as i16, *b as i16, *c as i16);
        [a | (b & 15) << 8, b >> 4 | c << 4].map(i16::to_ne_bytes)
    };
    encoded.as_chunks().0.iter().flat_map(decode).flatten().collect()
}

macro_rules! keys {
    ($set:ident, $looked_at:ident) => {{
        let seed: [u8; 64] = std::array::from_fn(|i| (i * 37 + 11) as u8);
        let key = $set::DecapsulationKey::from_seed(&seed);
        let bytes = key.to_bytes();
        let (secret, rest) = bytes.split_at($set::DK_BYTES - $set::EK_BYTES - 64);
        let public = rest[..$set::EK_BYTES].to_vec();
        let secrets = [
            ("d", seed[..32].to_vec()),
            ("z", seed[32..].to_vec()),
            ("the secret vector", coefficients(secret)),
        ];
        $looked_at(stringify!($set), key, &secrets, &public);
        let without_seed = $set::DecapsulationKey::from_bytes(&bytes).expect("a key");
        $looked_at(stringify!($set), without_seed, &secrets[1..], &public);
        let seeded = $set::SeededKey::of($set::DecapsulationKey::from_seed(&seed));
        $looked_at(stringify!($set), seeded.expect("a seed"), &secrets, &public);
    }};
}

/// Drops a key. Before, each secret is in its memory; after, there are zeros in its place, and the public key
/// is where it was: it is the same memory, and nothing else has cleared it.
fn looked_at<T>(name: &str, key: T, secrets: &[(&str, Vec<u8>)], public: &[u8]) {
    let [before, after] = around_drop(key);
    for (what, secret) in secrets {
        let at =
            place(&before, secret).unwrap_or_else(|| panic!("{name}: {what} is not in the key's memory"));
        let left = &after[at..at + secret.len()];
        assert!(left.iter().all(|byte| *byte == 0), "{name}: {what} is not cleared");
    }
    assert_eq!(place(&before, public), place(&after, public), "{name}: the memory after the drop is another");
    assert!(place(&after, public).is_some(), "{name}: the public key is not in the key's memory");
}

/// Protects: the seed, the secret vector and the key of rejected ciphertexts are gone when a private key is,
/// in every parameter set, with a seed and without.
#[test]
fn private_keys() {
    keys!(ml_kem_512, looked_at);
    keys!(ml_kem_768, looked_at);
    keys!(ml_kem_1024, looked_at);
}

/// The coefficients of 14 bits, as a private key of NewHope holds them in memory.
fn coefficients_14(encoded: &[u8]) -> Vec<u8> {
    let decode = |bytes: &[u8; 7]| {
        let bits = bytes.iter().rev().fold(0u64, |bits, byte| bits << 8 | *byte as u64);
        [0, 14, 28, 42].map(|shift| ((bits >> shift) as i16 & 0x3fff).to_ne_bytes())
    };
    encoded.as_chunks().0.iter().flat_map(decode).flatten().collect()
}

macro_rules! new_hope_keys {
    ($set:ident, $coefficients:ident, $looked_at:ident) => {{
        let key = $set::DecapsulationKey::generate(&mut Random::new(1));
        let bytes = key.to_bytes();
        let (secret, rest) = bytes.split_at($set::DK_BYTES - $set::EK_BYTES - 64);
        let public = rest[..$set::EK_BYTES].to_vec();
        let secrets =
            [("z", rest[$set::EK_BYTES + 32..].to_vec()), ("the secret polynomial", $coefficients(secret))];
        $looked_at(stringify!($set), key, &secrets, &public);
    }};
}

/// A private key of NewHope's CPA, which is beside its public one; and the secret of an offer, beside
/// nothing.
macro_rules! new_hope_secrets {
    ($looked_at:ident, $($set:ident)*) => {$({
        let key = $set::DecapsulationKey::generate(&mut Random::new(1));
        let public = key.encapsulation_key().to_bytes();
        let secret = coefficients_14(key.to_bytes().as_slice());
        $looked_at(stringify!($set), key, &[("the secret polynomial", secret)], &public);
    })*};
}

macro_rules! offers {
    ($looked_at:ident, $($form:ident)*) => {$({
        let exchange = $form::Exchange::new();
        let (offer, _) = exchange.offer(&mut Random::new(1));
        let secret = coefficients_14(offer.into_bytes().as_slice());
        // A public neighbour, which shows that the memory is the same.
        let (offer, public) = (exchange.offer(&mut Random::new(1)).0, [0x5a; 64]);
        $looked_at(stringify!($form), (offer, public), &[("the secret", secret)], &public);
    })*};
}

/// Protects: the same of NewHope, its CPA sets, NewHope-Compact and the exchanges.
#[test]
fn private_keys_of_new_hope() {
    new_hope_keys!(cca_512, coefficients_14, looked_at);
    new_hope_keys!(cca_1024, coefficients_14, looked_at);
    new_hope_keys!(compact_512, coefficients, looked_at);
    new_hope_keys!(compact_768, coefficients, looked_at);
    new_hope_keys!(compact_1024, coefficients, looked_at);
    new_hope_secrets!(looked_at, cpa_512 cpa_1024);
    offers!(looked_at, adps longa_naehrig);
}

/// The coefficients of two bits, as a private key of NTRU Prime holds them in memory; those of the last byte,
/// which may be none, are left out.
fn coefficients_2(encoded: &[u8]) -> Vec<u8> {
    let decode = |byte: &u8| [0, 2, 4, 6].map(|shift| (((byte >> shift) & 3) as i16 - 1).to_ne_bytes());
    encoded[..encoded.len() - 1].iter().flat_map(decode).flatten().collect()
}

/// Each key in a frame of its own: those of twelve sets in one are more than the stack of a test's thread.
macro_rules! ntru_prime_keys {
    ($looked_at:ident, $elements:literal, $($set:ident)*) => {$({
        #[inline(never)]
        fn check() {
            let key = $set::DecapsulationKey::generate(&mut Random::new(1));
            let bytes = key.to_bytes();
            let public = key.encapsulation_key().to_bytes().to_vec();
            let at = place(bytes.as_slice(), &public).expect("a private key holds the public one");
            let mut secrets = vec![("rho", bytes[at + public.len()..bytes.len() - 32].to_vec())];
            // The first is kept as it is encoded, for whoever asks for the bytes; its multiple is in the
            // operand that it is prepared as.
            let (first, rest) = bytes[..at].split_at(at / $elements);
            secrets.push(("the first small element", first.to_vec()));
            if !rest.is_empty() {
                secrets.push(("the second small element", coefficients_2(rest)));
            }
            $looked_at(stringify!($set), key, &secrets, &public);
        }
        check();
    })*};
}

/// Protects: the same of NTRU Prime.
#[test]
fn private_keys_of_ntru_prime() {
    ntru_prime_keys!(looked_at, 2, sntrup653 sntrup761 sntrup857 sntrup953 sntrup1013 sntrup1277);
    ntru_prime_keys!(looked_at, 1, ntrulpr653 ntrulpr761 ntrulpr857 ntrulpr953 ntrulpr1013 ntrulpr1277);
}

/// A key whose drop is prevented: what a type without clearing leaves.
fn kept<T>(name: &str, key: T, secrets: &[(&str, Vec<u8>)], _: &[u8]) {
    let [_, after] = around_drop(std::mem::ManuallyDrop::new(key));
    for (what, secret) in secrets {
        assert!(place(&after, secret).is_some(), "{name}: {what} is not seen where nothing clears it");
    }
}

/// Protects: the test above can fail.
#[test]
fn what_is_not_cleared_is_seen() {
    keys!(ml_kem_512, kept);
    keys!(ml_kem_768, kept);
    keys!(ml_kem_1024, kept);
    new_hope_keys!(cca_512, coefficients_14, kept);
    new_hope_keys!(cca_1024, coefficients_14, kept);
    new_hope_keys!(compact_512, coefficients, kept);
    new_hope_keys!(compact_768, coefficients, kept);
    new_hope_keys!(compact_1024, coefficients, kept);
    new_hope_secrets!(kept, cpa_512 cpa_1024);
    offers!(kept, adps longa_naehrig);
    ntru_prime_keys!(kept, 2, sntrup653 sntrup761 sntrup857 sntrup953 sntrup1013 sntrup1277);
    ntru_prime_keys!(kept, 1, ntrulpr653 ntrulpr761 ntrulpr857 ntrulpr953 ntrulpr1013 ntrulpr1277);
}
