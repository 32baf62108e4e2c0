//! NTRU Prime against its specification, which `shared/ntru_prime.rs` has in lists of numbers: how they are
//! packed, and what is made of public keys, whatever bytes they are.

mod shared;

use ringsmith_kem::scheme::Scheme;
use ringsmith_oracle::{Generator, Random, Ring, Shape, product};
use ringsmith_simd::Cpu;
use shared::ntru_prime::{Set, aliases, decode, decode_small, encode, largest, sets};
use shared::sampled;

/// Protects: the slow codec itself: numbers are decoded as they were encoded, the smallest, the largest and
/// random ones, into as many bytes as the scheme says; so are their other writings.
#[test]
fn the_slow_codec() {
    for (scheme, set) in sets() {
        let (before, of_public_key) = set.of_public_key();
        let in_ciphertext = set.parts(scheme.ciphertext)[0];
        for (m, bytes) in [(of_public_key, scheme.public_key - before), (set.rounded(), in_ciphertext)] {
            // All but the first, which encodes the largest numbers.
            let is_encoding = |bytes: &Vec<u8>| encode(&decode(bytes, &m), &m) == *bytes;
            let all = largest(&m);
            assert!(is_encoding(&all[0]) && !all[1..].iter().any(is_encoding), "{}", scheme.name);
            let (mut random, most) = (Random::new(1), i64::from(m[0]) - 1);
            let some: Vec<u32> = m.iter().map(|_| random.within(0, most) as u32).collect();
            for numbers in [vec![0; m.len()], vec![m[0] - 1; m.len()], some] {
                let encoded = encode(&numbers, &m);
                assert_eq!(encoded.len(), bytes, "{}", scheme.name);
                assert_eq!(decode(&encoded, &m), numbers, "{}", scheme.name);
                for alias in aliases(&encoded, &m) {
                    assert_ne!(alias, encoded);
                    assert_eq!(decode(&alias, &m), numbers, "{}", scheme.name);
                }
            }
        }
    }
}

/// A new public key and its private key.
fn keys(scheme: &Scheme, seed: u64) -> [Vec<u8>; 2] {
    let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
    (scheme.generate)(Cpu::detect(), &mut Random::new(seed), &mut public, &mut private).expect("lengths");
    [public, private]
}

/// Public keys: one that was made, and bytes that nobody made: its other writings, those that make quotients
/// largest, and others.
fn public_keys(scheme: &Scheme, set: Set) -> Vec<Vec<u8>> {
    let [public, _] = keys(scheme, 1);
    let (before, m) = set.of_public_key();
    let others = aliases(&public[before..], &m).into_iter().take(1);
    let written = others.chain(largest(&m)).map(|rest| [&public[..before], &rest].concat());
    let mut noise = vec![0; scheme.public_key];
    Random::new(2).fill(&mut noise);
    let fixed = [0, 0x7f, 0xff].map(|byte| vec![byte; scheme.public_key]);
    [public.clone(), noise].into_iter().chain(fixed).chain(written).collect()
}

/// Protects: ciphertexts and shared keys, byte for byte on every backend, for whatever bytes a public key is:
/// how an element and a rounded one are decoded, products, rounding, how a rounded element is encoded, the
/// four bits of a message, and all hashes.
#[test]
fn encapsulation_for_any_public_key() {
    for (scheme, set) in sets() {
        for (i, public) in public_keys(scheme, set).into_iter().enumerate().step_by(sampled(5)) {
            let mut random = vec![0; set.random_bytes()];
            Random::new(i as u64).fill(&mut random);
            let expected = set.encapsulate(&public, &random);
            for cpu in Cpu::available() {
                let mut rng = Generator(|out: &mut [u8]| out.copy_from_slice(&random));
                let (mut ciphertext, mut shared) = (vec![0; scheme.ciphertext], vec![0; scheme.shared_key]);
                (scheme.encapsulate)(cpu, &public, &mut rng, &mut ciphertext, &mut shared).expect("lengths");
                assert!([ciphertext, shared] == expected, "{}, key {i}, {cpu:?}", scheme.name);
            }
        }
    }
}

/// Protects: what a generated public key is. Of Streamlined NTRU Prime the one encoding of `h` with
/// `3 f h = g`, which is small, for the `f` and the `1 / g` modulo 3 of the private key; of NTRU LPRime the
/// one of the rounded product of `a` and the seed's element.
#[test]
fn generated_public_keys() {
    for (scheme, set) in sets() {
        let [public, private] = keys(scheme, 3);
        let (first, second) = private.split_at(set.p.div_ceil(4));
        let f = decode_small(first, set.p);
        if !set.streamlined {
            let product = set.product(&set.uniform(&public[..32]), &f);
            assert_eq!(public[32..], set.encode_rounded(&product), "{}", scheme.name);
            continue;
        }
        assert_eq!(public, encode(&decode(&public, &set.full()), &set.full()), "{}", scheme.name);
        let three_f: Vec<i128> = f.iter().map(|x| 3 * x).collect();
        let g = set.product(&three_f, &set.decode_full(&public));
        assert!(g.iter().all(|x| x.abs() <= 1), "{}", scheme.name);
        let modulo_3 = Ring { q: 3, n: set.p, shape: Shape::PrimeTrinomial };
        let one = product(modulo_3, &g, &decode_small(second, set.p));
        assert!(one[0] == 1 && one[1..].iter().all(|x| *x == 0), "{}", scheme.name);
    }
}
