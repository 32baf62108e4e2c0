//! The key exchanges against the digests of their references' messages, on every backend and by every route;
//! and many of them.

#![cfg(feature = "cases")] // The rings' routes.

use rand_core::{CryptoRng, Rng};
use ringsmith::new_hope::adps::{self, Adps};
use ringsmith::new_hope::longa_naehrig::{self, LongaNaehrig};
use ringsmith::new_hope::{Exchange, Form, OFFER_BYTES, RESPONSE_BYTES, SECRET_BYTES};
use ringsmith_oracle::{Generator, Random, hex};
use ringsmith_ring::DomainEntry;
use ringsmith_routes::new_hope::{LONGA_NAEHRIG_DOMAINS, NEW_HOPE_1024_DOMAINS};
use ringsmith_routes::rings::NewHope1024;
use ringsmith_simd::Cpu;
use ringsmith_testkit::nist::Drbg;
use sha2::{Digest, Sha256};

/// D. J. Bernstein's generator SURF, of which the reference of the ADPS form draws its test vectors: 32
/// rounds on twelve words that count, with a seed of the digits of pi; the lowest byte of each of eight words
/// is given, the last first.
fn surf() -> impl CryptoRng {
    let (mut counter, mut left) = (0, Vec::new());
    Generator(move |out: &mut [u8]| {
        for byte in out {
            if left.is_empty() {
                counter += 1;
                left = surf_block(counter);
            }
            *byte = left.pop().expect("a block has bytes");
        }
    })
}

/// 32 digits of pi.
const SEED: [u32; 32] =
    [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5];

/// Its bytes for a count.
fn surf_block(counter: u32) -> Vec<u8> {
    let mut state: [u32; 12] = std::array::from_fn(|i| SEED[12 + i]);
    state[0] ^= counter;
    let mut words: [u32; 8] = std::array::from_fn(|i| SEED[24 + i]);
    let (mut last, mut sum) = (state[11], 0u32);
    for round in 1..=32 {
        sum = sum.wrapping_add(0x9e37_79b9);
        for (i, word) in state.iter_mut().enumerate() {
            let mixed = (last ^ SEED[i]).wrapping_add(sum) ^ last.rotate_left([5, 7, 9, 13][i % 4]);
            *word = word.wrapping_add(mixed);
            last = *word;
        }
        if round % 16 == 0 {
            words.iter_mut().zip(&state[4..]).for_each(|(out, word)| *out ^= word);
        }
    }
    words.map(|word| word as u8).to_vec()
}

/// Every exchange of a form, by each of its domains.
fn everywhere<F: Form>(
    domains: [&'static DomainEntry<NewHope1024, F::Order>; 3],
) -> Vec<(String, Exchange<F>)> {
    let by = |cpu, domain: &'static DomainEntry<NewHope1024, F::Order>| {
        (format!("{cpu:?} {}", domain.route()), Exchange::<F>::new_on(cpu).with_domain(domain))
    };
    Cpu::available().flat_map(|cpu| domains.map(|domain| by(cpu, domain))).collect()
}

fn everywhere_adps() -> Vec<(String, adps::Exchange)> {
    everywhere(NEW_HOPE_1024_DOMAINS)
}

fn everywhere_longa_naehrig() -> Vec<(String, longa_naehrig::Exchange)> {
    everywhere(LONGA_NAEHRIG_DOMAINS)
}

/// Protects: byte compatibility of the ADPS form: what its reference prints of 1000 exchanges.
#[test]
fn a_thousand_of_the_reference() {
    const STDOUT: &str = "e780324593d2aac563022bd9ecfa1a61a3bee92de07df579400293625e814a22";
    for (what, exchange) in everywhere_adps() {
        let (mut rng, mut digest) = (surf(), Sha256::new());
        for _ in 0..1000 {
            let (alice, offer) = exchange.offer(&mut rng);
            let (response, key) = exchange.respond(&mut rng, &offer);
            let own = alice.finish(&response);
            assert_eq!(own, key, "{what}");
            // Its last line repeats the one before.
            digest.update(
                [hex(&offer), hex(&response), hex(own.as_bytes()), hex(own.as_bytes()), String::new()]
                    .join("\n"),
            );
        }
        assert_eq!(hex(&digest.finalize()), STDOUT, "{what}");
    }
}

/// Generators of NIST's known-answer tests, each of its own seed.
fn generators(count: usize) -> impl Iterator<Item = Drbg> {
    let mut seeds = Drbg::new(&std::array::from_fn(|i| i as u8));
    (0..count).map(move |_| {
        let mut seed = [0; 48];
        seeds.fill_bytes(&mut seed);
        Drbg::new(&seed)
    })
}

fn drawn<const N: usize>(rng: &mut Drbg) -> [u8; N] {
    let mut bytes = [0; N];
    rng.fill_bytes(&mut bytes);
    bytes
}

/// Protects: byte compatibility of Longa and Naehrig's form, with noise from seeds and both places of the
/// nonce of the hints: the digest of offers, responses and keys.
#[test]
fn latticecrypto_with_seeds() {
    let digests = [
        "3fac8465c4245f86cfa5fc2a2b2f172fb58cf51b63860a6e85a4fcdcde923959",
        "b10e311439b27d9f33f9ec67d932b4a940bf99434a8bff9ae511fd4184d07211",
    ];
    for (what, exchange) in everywhere_longa_naehrig() {
        for (exchange, expected) in
            [exchange, exchange.with_help_nonce_in_byte_one()].into_iter().zip(digests)
        {
            let mut digest = Sha256::new();
            for mut rng in generators(10) {
                let (alice, offer) = exchange.offer(&mut rng);
                let (response, key) = exchange.respond(&mut rng, &offer);
                assert_eq!(alice.finish(&response), key, "{what}");
                digest.update([&offer[..], &response, key.as_bytes()].concat());
            }
            assert_eq!(hex(&digest.finalize()), expected, "{what}");
        }
    }
}

/// Protects: the same with the bytes of the noise themselves.
#[test]
fn latticecrypto_with_noise() {
    const DIGEST: &str = "e8a8bdb3f346add7d31e0221ee2cd261e276673a6463aa60ac8b3a0e2e2869dc";
    for (what, exchange) in everywhere_longa_naehrig() {
        let mut digest = Sha256::new();
        for mut rng in generators(20) {
            let seed = drawn(&mut rng);
            let [s, e] = [(); 2].map(|()| drawn(&mut rng));
            let (alice, offer) = exchange.offer_from_noise(&seed, [&s, &e]);
            let [s, e, last] = [(); 3].map(|()| drawn(&mut rng));
            let (response, key) = exchange.respond_from_noise([&s, &e, &last], &drawn(&mut rng), &offer);
            assert_eq!(alice.finish(&response), key, "{what}");
            digest.update([&offer[..], &response, key.as_bytes()].concat());
        }
        assert_eq!(hex(&digest.finalize()), DIGEST, "{what}");
    }
}

/// Protects: the hashed key is SHAKE128 of the other.
#[test]
fn hashed_keys() {
    let (plain, rng) = (longa_naehrig::Exchange::new(), || Random::new(1));
    let hashed = plain.with_hashed_key();
    let (alice, offer) = hashed.offer(&mut rng());
    let ((response, key), (same, bits)) =
        (hashed.respond(&mut rng(), &offer), plain.respond(&mut rng(), &offer));
    assert!(response == same && key != bits);
    assert_eq!(alice.finish(&response), key);
    let expected: [u8; 32] = ringsmith_hash::Shake128::new().absorb(bits.as_bytes()).digest();
    assert_eq!(key, expected);
}

fn many<F: Form>(count: usize) {
    let (exchange, mut rng) = (Exchange::<F>::new(), Random::new(7));
    for i in 0..count {
        let (alice, offer) = exchange.offer(&mut rng);
        let (response, key) = exchange.respond(&mut rng, &offer);
        assert_eq!(alice.finish(&response), key, "{} {i}", F::NAME);
    }
}

/// Protects: 10,000 exchanges without a mismatch for each form.
#[test]
fn ten_thousand_exchanges() {
    // Emulated machines and builds without optimisation would take minutes.
    let count = if cfg!(all(target_arch = "x86_64", not(debug_assertions))) { 10_000 } else { 100 };
    many::<Adps>(count);
    many::<LongaNaehrig>(count);
}

/// Protects: any bytes are an offer and a response, on every backend the same; a secret comes back from its
/// bytes, which have one length.
#[test]
fn any_bytes() {
    any_bytes_of::<Adps>();
    any_bytes_of::<LongaNaehrig>();
}

fn any_bytes_of<F: Form>() {
    let answer = |cpu: Cpu, byte: u8| {
        let exchange = Exchange::<F>::new_on(cpu);
        let responded = exchange.respond(&mut Random::new(1), &[byte; OFFER_BYTES]);
        let (alice, offer) = exchange.offer(&mut Random::new(2));
        let secret = alice.into_bytes();
        let alice = exchange.read_offer(secret.as_slice()).expect("a secret");
        let (response, key) = exchange.respond(&mut Random::new(3), &offer);
        assert_eq!(alice.finish(&response), key);
        let alice = exchange.read_offer(secret.as_slice()).expect("a secret");
        (responded, alice.finish(&[byte; RESPONSE_BYTES]))
    };
    for byte in [0, 0xa5, 0xff] {
        let expected = answer(Cpu::detect(), byte);
        Cpu::available().for_each(|cpu| assert_eq!(answer(cpu, byte), expected, "{byte} {cpu:?}"));
    }
    let exchange = Exchange::<F>::new();
    for length in [0, SECRET_BYTES - 1, SECRET_BYTES + 1] {
        let refused = exchange.read_offer(&vec![0; length]).err().expect("a wrong length");
        assert_eq!(
            refused.to_string(),
            format!("a secret of {length} bytes, where the scheme has {SECRET_BYTES}")
        );
    }
}
