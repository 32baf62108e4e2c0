//! The library against the slow code of `shared`: keys, ciphertexts, and what is drawn again.

mod shared;

use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use shared::{Set, decrypted, drawing, keys, sets};

/// `f h = 3 g` modulo `q`, with `F` and `g` of the seeds that were drawn.
fn check_keys(set: Set, seed: u64) {
    let [public, private, drawn] = keys(set.scheme, seed);
    let (of_f, of_g) = drawn.split_at(2 * set.strength);
    let (parts, _) = set.f_of(of_f);
    let (f, g) = (set.combined(&parts), set.g_of(of_g));
    let h = set.h(&public);
    let product = set.product(&f, &h);
    for (i, (x, y)) in product.iter().zip(&h).enumerate() {
        assert_eq!((3 * x + y - 3 * g[i]).rem_euclid(set.q), 0, "{} coefficient {i}", set.scheme.name);
    }
    let element = if set.is_radix { &public } else { set.packed_of(&public) };
    let mut windows = private.windows(element.len());
    assert!(
        windows.any(|window| window == element),
        "{}: the private key holds the public one",
        set.scheme.name
    );
}

/// Protects: keys are those of their seeds.
#[test]
fn keys_are_those_of_their_seeds() {
    for set in sets() {
        (1..4).for_each(|seed| check_keys(set, seed));
    }
}

/// Protects: ciphertexts are those of the definition, with random bytes that are drawn again too, on every
/// backend; and messages are found.
#[test]
fn ciphertexts_are_those_of_the_definition() {
    let mut random = Random::new(7);
    for set in sets() {
        let [public, private, _] = keys(set.scheme, 1);
        for length in [0, 1, set.message / 2, set.message] {
            let mut message = vec![0; length];
            random.fill(&mut message);
            let (mut pieces, mut expected) = (vec![], None);
            while expected.is_none() {
                let mut piece = vec![0; set.random];
                random.fill(&mut piece);
                expected = set.encrypt(&public, &message, &piece);
                pieces.push(piece);
            }
            let expected = expected.expect("a ciphertext");
            for cpu in Cpu::available() {
                let mut ciphertext = vec![0; set.scheme.ciphertext];
                let rng = &mut drawing(&pieces);
                (set.scheme.encrypt)(cpu, &public, &message, rng, &mut ciphertext).expect("a key");
                assert!(ciphertext == expected, "{} on {cpu:?}, {length} bytes", set.scheme.name);
                let found = decrypted(set.scheme, cpu, &private, &ciphertext).expect("a message");
                assert_eq!(found, message, "{} on {cpu:?}", set.scheme.name);
            }
        }
    }
}

/// Protects: random bytes are drawn again where a masked message has too few coefficients of a value, and
/// only there: of ees401ep1 that is one in ten or so.
#[test]
fn some_random_bytes_are_drawn_again() {
    let set = sets()[0];
    let [public, _, _] = keys(set.scheme, 1);
    let mut random = Random::new(11);
    let pieces = (0..100).map(|_| random.bytes::<14>());
    let again = pieces.filter(|piece| set.encrypt(&public, b"", piece).is_none()).count();
    assert!((1..50).contains(&again), "{again} of 100");
}
