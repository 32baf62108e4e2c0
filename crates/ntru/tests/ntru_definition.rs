//! NTRU against its specification, which `shared` has in lists of numbers.

mod shared;

use ringsmith_kem::keys::EncapsulationKey;
use ringsmith_kem::scheme::Scheme;
use ringsmith_kem::set::{Bytes, CcaSet};
use ringsmith_ntru::{
    Ntruhps2048509, Ntruhps2048677, Ntruhps4096821, Ntruhps40961229, Ntruhrss701, Ntruhrss1373,
};
use ringsmith_oracle::{Generator, Random};
use ringsmith_simd::Cpu;
use shared::{Set, centred, decapsulated, keys, sets};
use std::convert::Infallible;

/// Public keys: one that was made, and bytes that nobody made.
fn public_keys(scheme: &Scheme) -> Vec<Vec<u8>> {
    let [public, _] = keys(scheme, 1);
    let mut noise = vec![0; scheme.public_key];
    Random::new(2).fill(&mut noise);
    let fixed = [0, 0x55, 0xff].map(|byte| vec![byte; scheme.public_key]);
    [public, noise].into_iter().chain(fixed).collect()
}

/// Randomness: any, all bytes the least and the greatest, and numbers that all are the same.
fn randomness(length: usize) -> Vec<Vec<u8>> {
    let mut noise = vec![0; length];
    Random::new(3).fill(&mut noise);
    [0, 0x7f, 0xff].into_iter().map(|byte| vec![byte; length]).chain([noise]).collect()
}

fn encapsulations<S: CcaSet<PublicError = Infallible>>(scheme: &Scheme, set: Set) {
    let randomness = randomness(S::Randomness::LEN);
    for (k, public) in public_keys(scheme).into_iter().enumerate() {
        for (i, random) in randomness.iter().enumerate() {
            let [r, m] = set.sample_message(random);
            let [ciphertext, shared] = set.encrypt(&public, &r, &m);
            for cpu in Cpu::available() {
                let bytes = S::PublicBytes::of(&public).expect("lengths");
                let random = S::Randomness::of(random).expect("lengths");
                let Ok(key) = EncapsulationKey::<S>::from_bytes_on(cpu, bytes);
                let made = key.encapsulate_deterministic(random);
                assert!(made.0.as_ref() == ciphertext, "{} on {cpu:?}: key {k}, {i}", scheme.name);
                assert!(made.1.as_bytes()[..] == shared, "{} on {cpu:?}: key {k}, {i}", scheme.name);
            }
        }
    }
}

/// Protects: ciphertexts and shared keys byte for byte on every backend, for whatever bytes a public key and
/// the randomness are: how elements are drawn and sorted, read, multiplied, lifted, written.
#[test]
fn ciphertexts_are_those_of_the_specification() {
    let [a, b, c, d, e, f] = sets();
    encapsulations::<Ntruhps2048509>(a.0, a.1);
    encapsulations::<Ntruhps2048677>(b.0, b.1);
    encapsulations::<Ntruhps4096821>(c.0, c.1);
    encapsulations::<Ntruhps40961229>(d.0, d.1);
    encapsulations::<Ntruhrss701>(e.0, e.1);
    encapsulations::<Ntruhrss1373>(f.0, f.1);
}

/// Protects: what the slow code opens is what was sent, and the shared keys of both are the same: the tests
/// of rejection read ciphertexts by it.
#[test]
fn the_slow_code_opens_ciphertexts() {
    for (scheme, set) in sets() {
        let [public, private] = keys(scheme, 4);
        let length = if set.hps { (set.n - 1) + (30 * (set.n - 1)).div_ceil(8) } else { 2 * (set.n - 1) };
        let mut random = vec![0; length];
        Random::new(5).fill(&mut random);
        let [r, m] = set.sample_message(&random);
        let [ciphertext, shared] = set.encrypt(&public, &r, &m);
        let opened = set.open(&private, &ciphertext);
        assert!(opened.r == r && opened.m == m && opened.unused == 0, "{}", scheme.name);
        for cpu in Cpu::available() {
            assert_eq!(decapsulated(scheme, cpu, &private, &ciphertext), shared, "{}", scheme.name);
        }
    }
}

/// Protects: a key is that of the elements that are drawn for it: `f` is in the private key, and `h f` is
/// `3 g`, or `3 (x - 1) g`.
#[test]
fn keys_are_those_of_the_specification() {
    for (scheme, set) in sets() {
        let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
        let (mut random, mut drawn) = (Random::new(7), Vec::new());
        let mut recorded = Generator(|bytes: &mut [u8]| {
            random.fill(bytes);
            drawn.extend_from_slice(bytes);
        });
        (scheme.generate)(Cpu::detect(), &mut recorded, &mut public, &mut private).unwrap();
        let [f, g] = set.sample_key(&drawn);
        assert_eq!(set.decode_ternary(&private[..set.small_bytes()]), f, "{}", scheme.name);
        let multiple = |i: usize| match set.hps {
            true => 3 * g[i],
            false => 3 * (g[(i + set.n - 1) % set.n] - g[i]),
        };
        let expected: Vec<i128> = (0..set.n).map(|i| centred(multiple(i), set.q)).collect();
        let product = set.product(&set.decode_of_sum_zero(&public), &f);
        assert_eq!(set.modulo_phi(set.q, &product), set.modulo_phi(set.q, &expected), "{}", scheme.name);
    }
}
