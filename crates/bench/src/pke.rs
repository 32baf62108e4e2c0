//! The suite of public-key encryption, from encoded bytes to encoded bytes.
//!
//! `keygen` writes both keys; `encrypt` reads a public key and checks it, `decrypt` a private key: nothing is
//! kept from one run to the next. `encrypt-prepared` and `decrypt-prepared` are the same with a key that was
//! read before. Messages have as many bytes as half of the longest, and randomness is from a generator in
//! memory.

use crate::RINGSMITH;
use crate::case::{Case, Id};
use crate::kem::CHECKED;
use ringsmith::ntruencrypt::{self, *};
use ringsmith::pke::{DecryptionKey, EncryptionKey, Message, PkeSet, PublicKeyEncryption};
use ringsmith::scheme::SchemeError;
use ringsmith::set::Bytes as _;
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// The suite's name in [`Id::suite`].
pub const SUITE: &str = "pke";

/// The seed of keys and of what is drawn while measuring.
const SEED: u64 = 1;

/// Every operation of every set on the given CPUs; those with prepared keys of all but libntru's.
pub fn pke_cases(cpus: &[Cpu]) -> Vec<Case> {
    let all = ntruencrypt::SCHEMES.iter().chain(&ntruencrypt::libntru::SCHEMES);
    let all = all.chain(&ntruencrypt::ntruprime739::SCHEMES);
    let mut cases: Vec<_> =
        all.flat_map(|scheme| cpus.iter().flat_map(|&cpu| of_bytes(scheme, cpu))).collect();
    cases.extend(cpus.iter().flat_map(|&cpu| every_set(cpu)));
    cases
}

fn id(scheme: &PublicKeyEncryption, operation: &str, cpu: Cpu) -> Id {
    Id::new(SUITE, scheme.name, operation, RINGSMITH, cpu.name(), CHECKED)
}

/// `keygen`, `encrypt`, `decrypt`.
fn of_bytes(scheme: &'static PublicKeyEncryption, cpu: Cpu) -> [Case; 3] {
    [
        Case::new(id(scheme, "keygen", cpu), move || generate(scheme, cpu)),
        Case::new(id(scheme, "encrypt", cpu), move || encrypt(scheme, cpu)),
        Case::new(id(scheme, "decrypt", cpu), move || decrypt(scheme, cpu)),
    ]
}

/// The keys that all operations get, a message, and a ciphertext of it.
struct Bytes {
    public: Vec<u8>,
    private: Vec<u8>,
    message: Vec<u8>,
    ciphertext: Vec<u8>,
}

/// The bytes have the lengths of the set by construction, and are a key's.
fn done<T>(result: Result<T, SchemeError>) -> T {
    result.unwrap_or_else(|error| unreachable!("{error}"))
}

impl Bytes {
    fn of(scheme: &PublicKeyEncryption) -> Self {
        let (cpu, mut rng) = (Cpu::detect(), Random::new(SEED));
        let mut bytes = Bytes {
            public: vec![0; scheme.public_key],
            private: vec![0; scheme.private_key],
            message: vec![0; scheme.message / 2],
            ciphertext: vec![0; scheme.ciphertext],
        };
        rng.fill(&mut bytes.message);
        done((scheme.generate)(cpu, &mut rng, &mut bytes.public, &mut bytes.private));
        done((scheme.encrypt)(cpu, &bytes.public, &bytes.message, &mut rng, &mut bytes.ciphertext));
        bytes
    }
}

fn generate(scheme: &'static PublicKeyEncryption, cpu: Cpu) -> impl FnMut() {
    let (mut rng, mut to) = (Random::new(SEED), Bytes::of(scheme));
    move || done((scheme.generate)(cpu, &mut rng, black_box(&mut to.public), black_box(&mut to.private)))
}

fn encrypt(scheme: &'static PublicKeyEncryption, cpu: Cpu) -> impl FnMut() {
    let (mut rng, from, mut to) = (Random::new(SEED), Bytes::of(scheme), Bytes::of(scheme));
    move || {
        let (public, message) = (black_box(&from.public), black_box(&from.message));
        done((scheme.encrypt)(cpu, public, message, &mut rng, black_box(&mut to.ciphertext)));
    }
}

fn decrypt(scheme: &'static PublicKeyEncryption, cpu: Cpu) -> impl FnMut() {
    let (from, mut out) = (Bytes::of(scheme), vec![0; scheme.message]);
    move || {
        let (private, ciphertext) = (black_box(&from.private), black_box(&from.ciphertext));
        let length = done((scheme.decrypt)(cpu, private, ciphertext, black_box(&mut out)));
        assert_eq!(length, from.message.len());
    }
}

/// `encrypt-prepared`, `decrypt-prepared`.
fn of_keys<S: PkeSet>(scheme: &'static PublicKeyEncryption, cpu: Cpu) -> [Case; 2] {
    [
        Case::new(id(scheme, "encrypt-prepared", cpu), move || encrypt_prepared::<S>(scheme, cpu)),
        Case::new(id(scheme, "decrypt-prepared", cpu), move || decrypt_prepared::<S>(scheme, cpu)),
    ]
}

fn encrypt_prepared<S: PkeSet>(scheme: &PublicKeyEncryption, cpu: Cpu) -> impl FnMut() + use<S> {
    let (mut rng, from) = (Random::new(SEED), Bytes::of(scheme));
    let bytes = S::PublicBytes::of(&from.public).expect("a public key has the set's length");
    let key = Box::new(EncryptionKey::<S>::from_bytes_on(cpu, bytes).expect("a key that was made"));
    move || {
        let made = black_box(&key).encrypt(black_box(&from.message), &mut rng);
        _ = black_box(made.expect("a short message"));
    }
}

fn decrypt_prepared<S: PkeSet>(scheme: &PublicKeyEncryption, cpu: Cpu) -> impl FnMut() + use<S> {
    let (from, mut message) = (Bytes::of(scheme), Message::empty());
    let bytes = S::PrivateBytes::of(&from.private).expect("a private key has the set's length");
    let key = Box::new(DecryptionKey::<S>::from_bytes_on(cpu, bytes).expect("a key that was made"));
    move || {
        let ciphertext = S::CiphertextBytes::of(&from.ciphertext).expect("a ciphertext has the set's length");
        black_box(&key).decrypt_into(black_box(ciphertext), &mut message).expect("its own ciphertext");
        assert_eq!(*message, *from.message);
    }
}

fn every_set(cpu: Cpu) -> Vec<Case> {
    [
        of_keys::<Ees401ep1>(&ees401ep1::SCHEME, cpu),
        of_keys::<Ees449ep1>(&ees449ep1::SCHEME, cpu),
        of_keys::<Ees677ep1>(&ees677ep1::SCHEME, cpu),
        of_keys::<Ees1087ep2>(&ees1087ep2::SCHEME, cpu),
        of_keys::<Ees541ep1>(&ees541ep1::SCHEME, cpu),
        of_keys::<Ees613ep1>(&ees613ep1::SCHEME, cpu),
        of_keys::<Ees887ep1>(&ees887ep1::SCHEME, cpu),
        of_keys::<Ees1171ep1>(&ees1171ep1::SCHEME, cpu),
        of_keys::<Ees659ep1>(&ees659ep1::SCHEME, cpu),
        of_keys::<Ees761ep1>(&ees761ep1::SCHEME, cpu),
        of_keys::<Ees1087ep1>(&ees1087ep1::SCHEME, cpu),
        of_keys::<Ees1499ep1>(&ees1499ep1::SCHEME, cpu),
        of_keys::<Ees401ep2>(&ees401ep2::SCHEME, cpu),
        of_keys::<Ees439ep1>(&ees439ep1::SCHEME, cpu),
        of_keys::<Ees593ep1>(&ees593ep1::SCHEME, cpu),
        of_keys::<Ees743ep1>(&ees743ep1::SCHEME, cpu),
        of_keys::<Ees443ep1>(&ees443ep1::SCHEME, cpu),
        of_keys::<Ees587ep1>(&ees587ep1::SCHEME, cpu),
        of_keys::<Ees653ep1>(&ees653ep1::SCHEME, cpu),
        of_keys::<Ees853ep1>(&ees853ep1::SCHEME, cpu),
        of_keys::<ntruprime739::X998>(&ntruprime739::x998::SCHEME, cpu),
        of_keys::<ntruprime739::Radix>(&ntruprime739::radix::SCHEME, cpu),
    ]
    .into_iter()
    .flatten()
    .collect()
}
