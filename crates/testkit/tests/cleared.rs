//! Secrets are cleared when they are dropped: the memory that they lived in is looked at.
//!
//! Each in its own place. What moving a value left of it elsewhere, on the stack or in what was made there
//! later, no type can clear.

use ringsmith::keys::{DecapsulationKey, OneTimeKey};
use ringsmith::ml_dsa::{MlDsa44, MlDsa65, MlDsa87};
use ringsmith::ml_kem::{MlKem512, MlKem768, MlKem1024};
use ringsmith::new_hope::{NewHopeCca512, NewHopeCca1024, NewHopeCpa512, NewHopeCpa1024};
use ringsmith::new_hope::{NewHopeCompact512, NewHopeCompact768, NewHopeCompact1024, adps, longa_naehrig};
use ringsmith::ntru::{Ntruhps2048509, Ntruhps2048677, Ntruhps4096821, Ntruhps40961229};
use ringsmith::ntru::{Ntruhrss701, Ntruhrss1373};
use ringsmith::ntru_prime::{Ntrulpr653, Ntrulpr761, Ntrulpr857, Ntrulpr953, Ntrulpr1013, Ntrulpr1277};
use ringsmith::ntru_prime::{Sntrup653, Sntrup761, Sntrup857, Sntrup953, Sntrup1013, Sntrup1277};
use ringsmith::ntruencrypt::{Ees401ep1, Ees401ep2, Ees677ep1, Ees743ep1, Ees1087ep1, libntru, ntruprime739};
use ringsmith::pke::{DecryptionKey, PkeSet};
use ringsmith::set::{Bytes, CcaSet, CpaSet, SeedSet};
use ringsmith::signature::{PreparedSet, PreparedSigningKey, SigningKey};
use ringsmith_kem::traits::SeededKey;
use ringsmith_oracle::Random;
use ringsmith_probe::around_drop;
use std::mem::ManuallyDrop;

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

/// Drops a key, or keeps it: what a type without clearing leaves. Before, each secret is in its memory;
/// after, there are zeros in its place if it was dropped, and the public key is where it was: it is the same
/// memory, and nothing else has cleared it.
fn look<T>(dropped: bool, name: &str, key: T, secrets: &[(&str, Vec<u8>)], public: &[u8]) {
    let [before, after] = if dropped { around_drop(key) } else { around_drop(ManuallyDrop::new(key)) };
    for (what, secret) in secrets {
        let at =
            place(&before, secret).unwrap_or_else(|| panic!("{name}: {what} is not in the key's memory"));
        let left = &after[at..at + secret.len()];
        if dropped {
            assert!(left.iter().all(|byte| *byte == 0), "{name}: {what} is not cleared");
        } else {
            assert!(left == secret, "{name}: {what} is not seen where nothing clears it");
        }
    }
    assert_eq!(place(&before, public), place(&after, public), "{name}: the memory after the drop is another");
    assert!(place(&after, public).is_some(), "{name}: the public key is not in the key's memory");
}

/// With a seed and without.
fn ml_kem_key<S: SeedSet<Seed = [u8; 64]>>(dropped: bool) {
    let seed: [u8; 64] = std::array::from_fn(|i| (i * 37 + 11) as u8);
    let key = DecapsulationKey::<S>::from_seed(&seed);
    let bytes = key.to_bytes();
    let (secret, rest) = bytes.as_ref().split_at(S::PrivateBytes::LEN - S::PublicBytes::LEN - 64);
    let public = &rest[..S::PublicBytes::LEN];
    let secrets =
        [("d", seed[..32].to_vec()), ("z", seed[32..].to_vec()), ("the secret vector", coefficients(secret))];
    look(dropped, S::NAME, key, &secrets, public);
    let without_seed = DecapsulationKey::<S>::from_bytes(&bytes).expect("a key");
    look(dropped, S::NAME, without_seed, &secrets[1..], public);
    let seeded = SeededKey::<S>::of(DecapsulationKey::from_seed(&seed));
    look(dropped, S::NAME, seeded.expect("a seed"), &secrets, public);
}

fn ml_kem_keys(dropped: bool) {
    ml_kem_key::<MlKem512>(dropped);
    ml_kem_key::<MlKem768>(dropped);
    ml_kem_key::<MlKem1024>(dropped);
}

/// Protects: the seed, the secret vector and the key of rejected ciphertexts are gone when a private key is,
/// in every parameter set, with a seed and without.
#[test]
fn private_keys() {
    ml_kem_keys(true);
}

/// The coefficients of 14 bits, as a private key of NewHope holds them in memory.
fn coefficients_14(encoded: &[u8]) -> Vec<u8> {
    let decode = |bytes: &[u8; 7]| {
        let bits = bytes.iter().rev().fold(0u64, |bits, byte| bits << 8 | *byte as u64);
        [0, 14, 28, 42].map(|shift| ((bits >> shift) as i16 & 0x3fff).to_ne_bytes())
    };
    encoded.as_chunks().0.iter().flat_map(decode).flatten().collect()
}

fn new_hope_key<S: CcaSet>(dropped: bool, coefficients: fn(&[u8]) -> Vec<u8>) {
    let key = DecapsulationKey::<S>::generate(&mut Random::new(1));
    let bytes = key.to_bytes();
    let (secret, rest) = bytes.as_ref().split_at(S::PrivateBytes::LEN - S::PublicBytes::LEN - 64);
    let (public, rest) = rest.split_at(S::PublicBytes::LEN);
    let secrets = [("z", rest[32..].to_vec()), ("the secret polynomial", coefficients(secret))];
    look(dropped, S::NAME, key, &secrets, public);
}

/// A private key of NewHope's CPA, which is beside its public one.
fn new_hope_secret<S: CpaSet>(dropped: bool) {
    let key = OneTimeKey::<S>::generate(&mut Random::new(1));
    let public = key.encapsulation_key().to_bytes();
    let secret = coefficients_14(key.to_bytes().as_ref());
    look(dropped, S::NAME, key, &[("the secret polynomial", secret)], public.as_ref());
}

/// The secret of an offer, beside nothing.
macro_rules! offers {
    ($dropped:ident, $($form:ident)*) => {$({
        let exchange = $form::Exchange::new();
        let (offer, _) = exchange.offer(&mut Random::new(1));
        let secret = coefficients_14(offer.into_bytes().as_slice());
        // A public neighbour, which shows that the memory is the same.
        let (offer, public) = (exchange.offer(&mut Random::new(1)).0, [0x5a; 64]);
        look($dropped, stringify!($form), (offer, public), &[("the secret", secret)], &public);
    })*};
}

fn new_hope_keys(dropped: bool) {
    new_hope_key::<NewHopeCca512>(dropped, coefficients_14);
    new_hope_key::<NewHopeCca1024>(dropped, coefficients_14);
    new_hope_key::<NewHopeCompact512>(dropped, coefficients);
    new_hope_key::<NewHopeCompact768>(dropped, coefficients);
    new_hope_key::<NewHopeCompact1024>(dropped, coefficients);
    new_hope_secret::<NewHopeCpa512>(dropped);
    new_hope_secret::<NewHopeCpa1024>(dropped);
    offers!(dropped, adps longa_naehrig);
}

/// Protects: the same of NewHope, its CPA sets, NewHope-Compact and the exchanges.
#[test]
fn private_keys_of_new_hope() {
    new_hope_keys(true);
}

/// The coefficients of two bits, as a private key of NTRU Prime holds them in memory; those of the last byte,
/// which may be none, are left out.
fn coefficients_2(encoded: &[u8]) -> Vec<u8> {
    let decode = |byte: &u8| [0, 2, 4, 6].map(|shift| (((byte >> shift) & 3) as i16 - 1).to_ne_bytes());
    encoded[..encoded.len() - 1].iter().flat_map(decode).flatten().collect()
}

/// Each key in a frame of its own: those of twelve sets in one are more than the stack of a test's thread.
#[inline(never)]
fn ntru_prime_key<S: CcaSet>(dropped: bool, elements: usize) {
    let key = DecapsulationKey::<S>::generate(&mut Random::new(1));
    let (private, public) = (key.to_bytes(), key.encapsulation_key().to_bytes());
    let (bytes, public): (&[u8], _) = (private.as_ref(), public.as_ref());
    let at = place(bytes, public).expect("a private key holds the public one");
    let mut secrets = vec![("rho", bytes[at + public.len()..bytes.len() - 32].to_vec())];
    // The first is kept as it is encoded, for whoever asks for the bytes; its multiple is in the operand that
    // it is prepared as.
    let (first, rest) = bytes[..at].split_at(at / elements);
    secrets.push(("the first small element", first.to_vec()));
    if !rest.is_empty() {
        secrets.push(("the second small element", coefficients_2(rest)));
    }
    look(dropped, S::NAME, key, &secrets, public);
}

fn ntru_prime_keys(dropped: bool) {
    ntru_prime_key::<Sntrup653>(dropped, 2);
    ntru_prime_key::<Sntrup761>(dropped, 2);
    ntru_prime_key::<Sntrup857>(dropped, 2);
    ntru_prime_key::<Sntrup953>(dropped, 2);
    ntru_prime_key::<Sntrup1013>(dropped, 2);
    ntru_prime_key::<Sntrup1277>(dropped, 2);
    ntru_prime_key::<Ntrulpr653>(dropped, 1);
    ntru_prime_key::<Ntrulpr761>(dropped, 1);
    ntru_prime_key::<Ntrulpr857>(dropped, 1);
    ntru_prime_key::<Ntrulpr953>(dropped, 1);
    ntru_prime_key::<Ntrulpr1013>(dropped, 1);
    ntru_prime_key::<Ntrulpr1277>(dropped, 1);
}

/// Protects: the same of NTRU Prime.
#[test]
fn private_keys_of_ntru_prime() {
    ntru_prime_keys(true);
}

/// A private key is kept as it is encoded, beside the operands that it is prepared as.
#[inline(never)]
fn ntru_key<S: CcaSet>(dropped: bool) {
    let key = DecapsulationKey::<S>::generate(&mut Random::new(1));
    let (private, public) = (key.to_bytes(), key.encapsulation_key().to_bytes());
    look(dropped, S::NAME, key, &[("the encoded key", private.as_ref().to_vec())], public.as_ref());
}

fn ntru_keys(dropped: bool) {
    ntru_key::<Ntruhps2048509>(dropped);
    ntru_key::<Ntruhps2048677>(dropped);
    ntru_key::<Ntruhps4096821>(dropped);
    ntru_key::<Ntruhps40961229>(dropped);
    ntru_key::<Ntruhrss701>(dropped);
    ntru_key::<Ntruhrss1373>(dropped);
}

/// Protects: the same of NTRU.
#[test]
fn private_keys_of_ntru() {
    ntru_keys(true);
}

/// A key of ML-DSA with its seed, without it, and prepared, each beside its public key.
#[inline(never)]
fn ml_dsa_key<S: PreparedSet>(dropped: bool) {
    let xi: [u8; 32] = std::array::from_fn(|i| (i * 37 + 11) as u8);
    let key = SigningKey::<S>::from_seed(&xi);
    let (private, public) = (key.to_bytes(), key.verifying_key().to_bytes());
    // `rho`, `K`, `tr`, and the secret vectors.
    let bytes: &[u8] = private.as_ref();
    let (k, vectors) = (bytes[32..64].to_vec(), bytes[128..].to_vec());
    let secrets = [("K", k), ("the secret vectors", vectors), ("xi", xi.to_vec())];
    let prepared = PreparedSigningKey::new(&key);
    look(dropped, S::NAME, prepared, &secrets[..1], public.as_ref());
    let without_seed = SigningKey::<S>::from_bytes(&private).expect("a key");
    look(dropped, S::NAME, without_seed, &secrets[..2], public.as_ref());
    look(dropped, S::NAME, key, &secrets, public.as_ref());
}

fn ml_dsa_keys(dropped: bool) {
    ml_dsa_key::<MlDsa44>(dropped);
    ml_dsa_key::<MlDsa65>(dropped);
    ml_dsa_key::<MlDsa87>(dropped);
}

/// Protects: the same of ML-DSA.
#[test]
fn private_keys_of_ml_dsa() {
    ml_dsa_keys(true);
}

/// The same of NTRUEncrypt's; and a message beside its ciphertext.
#[inline(never)]
fn ntruencrypt_key<S: PkeSet>(dropped: bool) {
    let key = DecryptionKey::<S>::generate(&mut Random::new(1));
    let (private, public) = (key.to_bytes(), key.encryption_key().to_bytes());
    let plain: Vec<u8> = (0..S::MessageBytes::LEN as u8).collect();
    let ciphertext = key.encryption_key().encrypt(&plain, &mut Random::new(2)).expect("a short message");
    let message = key.decrypt(&ciphertext).expect("its own ciphertext");
    look(dropped, S::NAME, (message, ciphertext), &[("the message", plain)], ciphertext.as_ref());
    // The public key is in the private one, too, so a neighbour shows that the memory is the same.
    let (bytes, public, neighbour): (&[u8], &[u8], _) = (private.as_ref(), public.as_ref(), [0x5a; 64]);
    let secret = match S::NAME.starts_with("libntru") {
        true => &bytes[..bytes.len() - public.len()],
        false => &bytes[public.len()..],
    };
    look(dropped, S::NAME, (key, neighbour), &[("the encoded key", secret.to_vec())], &neighbour);
}

fn ntruencrypt_keys(dropped: bool) {
    ntruencrypt_key::<Ees401ep1>(dropped);
    ntruencrypt_key::<Ees401ep2>(dropped);
    ntruencrypt_key::<Ees677ep1>(dropped);
    ntruencrypt_key::<Ees743ep1>(dropped);
    ntruencrypt_key::<Ees1087ep1>(dropped);
    ntruencrypt_key::<libntru::Ees677ep1>(dropped);
    ntruencrypt_key::<ntruprime739::X998>(dropped);
    ntruencrypt_key::<ntruprime739::Radix>(dropped);
}

/// Protects: the same of NTRUEncrypt, whose messages are gone, too.
#[test]
fn private_keys_of_ntruencrypt() {
    ntruencrypt_keys(true);
}

fn shared_keys(dropped: bool) {
    let key = DecapsulationKey::<MlKem768>::from_seed(&[7; 64]);
    let (ciphertext, shared) = key.encapsulation_key().encapsulate(&mut Random::new(1));
    let secret = [("the shared key", shared.as_bytes().to_vec())];
    look(dropped, "encapsulated", (shared, ciphertext), &secret, &ciphertext);
    let shared = key.decapsulate(&ciphertext);
    look(dropped, "decapsulated", (shared, ciphertext), &secret, &ciphertext);
}

/// Protects: shared keys are gone when they are dropped.
#[test]
fn both_shared_keys() {
    shared_keys(true);
}

/// Protects: the tests above can fail.
#[test]
fn what_is_not_cleared_is_seen() {
    ml_kem_keys(false);
    new_hope_keys(false);
    ntru_prime_keys(false);
    ntru_keys(false);
    ml_dsa_keys(false);
    ntruencrypt_keys(false);
    shared_keys(false);
}
