//! What public-key encryption decodes: keys and ciphertexts.

use super::same_everywhere;
use ringsmith::encoding::read_encryption_key;
use ringsmith::scheme::{ENCRYPTIONS, PublicKeyEncryption};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use std::sync::LazyLock;

/// What is encrypted.
const MESSAGE: &[u8] = b"a message of any length";

/// A key pair, and a ciphertext for it.
struct Example {
    scheme: &'static PublicKeyEncryption,
    public: Vec<u8>,
    private: Vec<u8>,
    ciphertext: Vec<u8>,
}

/// One for each set, always the same.
static EXAMPLES: LazyLock<Vec<Example>> = LazyLock::new(|| {
    let example = |&scheme: &&'static PublicKeyEncryption| {
        let (cpu, mut random) = (Cpu::detect(), Random::new(1));
        let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
        let mut ciphertext = vec![0; scheme.ciphertext];
        (scheme.generate)(cpu, &mut random, &mut public, &mut private).expect("the set's own lengths");
        (scheme.encrypt)(cpu, &public, MESSAGE, &mut random, &mut ciphertext).expect("its own key");
        Example { scheme, public, private, ciphertext }
    };
    ENCRYPTIONS.iter().map(example).collect()
});

/// The set whose `length` is closest, and the bytes cut or filled up to it.
fn fitted(bytes: &[u8], length: fn(&PublicKeyEncryption) -> usize) -> (&'static Example, Vec<u8>) {
    let distance = |example: &&Example| length(example.scheme).abs_diff(bytes.len());
    let example = EXAMPLES.iter().min_by_key(distance).expect("there are sets");
    let mut fitted = bytes.to_vec();
    fitted.resize(length(example.scheme), 0);
    (example, fitted)
}

pub(super) fn public_keys() -> Vec<Vec<u8>> {
    let forms = |Example { scheme, public, .. }: &Example| {
        let der = scheme.public_key_to_der(Cpu::detect(), public).ok().map(|der| der.to_vec());
        let pem = scheme.public_key_to_pem(Cpu::detect(), public).ok().map(String::into_bytes);
        [Some(public.clone()), der, pem].into_iter().flatten()
    };
    EXAMPLES.iter().flat_map(forms).collect()
}

pub(super) fn public_key(bytes: &[u8]) {
    let cpu = Cpu::detect();
    let Ok(key) = read_encryption_key(cpu, bytes, None) else { return };
    let der = key.scheme.public_key_to_der(cpu, &key.bytes).expect("a key that was read");
    let again = read_encryption_key(cpu, der.as_bytes(), Some(key.scheme)).expect("a key that was written");
    assert_eq!(again.bytes, key.bytes);
    let made = same_everywhere(|cpu| {
        let mut ciphertext = vec![0; key.scheme.ciphertext];
        let rng = &mut Random::new(1);
        (key.scheme.encrypt)(cpu, &key.bytes, MESSAGE, rng, &mut ciphertext).map(|()| ciphertext)
    });
    assert!(made.is_ok());
}

pub(super) fn private_keys() -> Vec<Vec<u8>> {
    EXAMPLES.iter().map(|example| example.private.clone()).collect()
}

/// A private key that is taken is its own public key's.
pub(super) fn private_key(bytes: &[u8]) {
    let (Example { scheme, .. }, bytes) = fitted(bytes, |scheme| scheme.private_key);
    let read = same_everywhere(|cpu| {
        let mut public = vec![0; scheme.public_key];
        (scheme.public_key_of)(cpu, &bytes, &mut public).map(|()| public)
    });
    if let Some(import) = scheme.import {
        let mut usual = vec![0; scheme.private_key];
        // The set's own form is one that is taken; others have other lengths, but for few.
        assert!(import(Cpu::detect(), &bytes, &mut usual).is_ok() || read.is_err());
    }
    let Ok(public) = read else { return };
    let (mut ciphertext, mut found) = (vec![0; scheme.ciphertext], vec![0; scheme.message]);
    let (cpu, rng) = (Cpu::detect(), &mut Random::new(1));
    (scheme.encrypt)(cpu, &public, MESSAGE, rng, &mut ciphertext).expect("the public key of a private one");
    let length = (scheme.decrypt)(cpu, &bytes, &ciphertext, &mut found).expect("its own ciphertext");
    assert_eq!(&found[..length], MESSAGE);
}

pub(super) fn ciphertexts() -> Vec<Vec<u8>> {
    EXAMPLES.iter().map(|example| example.ciphertext.clone()).collect()
}

/// Nothing is opened but what was made.
pub(super) fn ciphertext(bytes: &[u8]) {
    let (own, ciphertext) = fitted(bytes, |scheme| scheme.ciphertext);
    let opened = same_everywhere(|cpu| {
        let mut found = vec![0; own.scheme.message];
        (own.scheme.decrypt)(cpu, &own.private, &ciphertext, &mut found)
            .map(|length| found[..length].to_vec())
    });
    assert_eq!(opened.is_ok(), ciphertext == own.ciphertext);
}
