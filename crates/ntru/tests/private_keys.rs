//! Private keys: what is computed where one is read, and bytes that are none.

mod shared;

use ringsmith_kem::scheme::{Scheme, SchemeError};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use shared::{Set, keys, sets};

/// The public key of a private one.
fn public_key_of(scheme: &Scheme, cpu: Cpu, private: &[u8]) -> Result<Vec<u8>, SchemeError> {
    let (of, mut public) = (scheme.public_key_of.expect("private keys tell it"), vec![0; scheme.public_key]);
    of(cpu, private, &mut public).map(|()| public)
}

/// Decapsulates something.
fn read(scheme: &Scheme, cpu: Cpu, private: &[u8]) -> Result<(), SchemeError> {
    (scheme.decapsulate)(cpu, private, &vec![0; scheme.ciphertext], &mut vec![0; scheme.shared_key])
}

/// Protects: the public key that is computed of a private one is its own, on every backend.
#[test]
fn public_keys_are_computed() {
    for (scheme, _) in sets() {
        for seed in 1..=20 {
            let [public, private] = keys(scheme, seed);
            for cpu in Cpu::available() {
                assert_eq!(public_key_of(scheme, cpu, &private), Ok(public.clone()), "{}", scheme.name);
            }
        }
    }
}

/// Bytes that are no key, each by a change of one that is.
fn changed(scheme: &Scheme, set: Set, private: &[u8]) -> Vec<Vec<u8>> {
    let small = set.small_bytes();
    let h_inverse = 2 * small..private.len() - 32;
    let mut all = Vec::new();
    let mut change = |at: usize, value: u8| {
        let mut bytes = private.to_vec();
        bytes[at] = value;
        all.push(bytes);
    };
    // More than five digits, in either element.
    for at in [0, 1, 40, small - 2, small, 2 * small - 2] {
        [243, 244, 255].into_iter().for_each(|value| change(at, value));
    }
    // Digits behind the last coefficient.
    let digits = (set.n - 1) % 5;
    if digits != 0 {
        [small - 1, 2 * small - 1].into_iter().for_each(|at| change(at, 3_u8.pow(digits as u32)));
    }
    // Bits behind the last coefficient.
    let used = set.bits() * (set.n - 1) - 8 * (h_inverse.len() - 1);
    for bit in used..8 {
        change(h_inverse.end - 1, private[h_inverse.end - 1] | 1 << bit);
    }
    assert!(all.iter().all(|bytes| bytes != private), "{}", scheme.name);
    all
}

/// Protects: a private key that is not written as one is refused, by whatever reads it.
#[test]
fn what_is_not_written_is_refused() {
    for (scheme, set) in sets() {
        let [_, private] = keys(scheme, 1);
        for cpu in Cpu::available() {
            assert_eq!(read(scheme, cpu, &private), Ok(()));
            for bytes in changed(scheme, set, &private) {
                assert_eq!(read(scheme, cpu, &bytes), Err(SchemeError::InvalidKey), "{}", scheme.name);
                let public = public_key_of(scheme, cpu, &bytes);
                assert_eq!(public, Err(SchemeError::InvalidKey), "{}", scheme.name);
            }
        }
    }
}

/// Protects: an inverse that is none, as it is 0 modulo 2, has no public key. Decapsulation does not ask.
#[test]
fn an_inverse_that_is_none() {
    for (scheme, set) in sets() {
        let [_, mut private] = keys(scheme, 1);
        let h_inverse = 2 * set.small_bytes()..private.len() - 32;
        let mut random = Random::new(1);
        let even: Vec<i128> = (0..set.n).map(|_| 2 * i128::from(random.within(0, 900))).collect();
        private[h_inverse].copy_from_slice(&set.encode(&even));
        for cpu in Cpu::available() {
            let public = public_key_of(scheme, cpu, &private);
            assert_eq!(public, Err(SchemeError::InvalidKey), "{}", scheme.name);
            assert_eq!(read(scheme, cpu, &private), Ok(()), "{}", scheme.name);
        }
    }
}
