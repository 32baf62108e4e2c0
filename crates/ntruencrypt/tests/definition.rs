//! The library against the slow code of `shared`: keys, ciphertexts, and what is drawn again.

mod shared;

use ringsmith_kem::set::Failed;
use ringsmith_ntruencrypt::generators::first_f;
use ringsmith_ntruencrypt::{Ees401ep1, Ees439ep1, ntruprime739};
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

/// The seeds of a set's `F` that a test draws.
fn seeds(set: Set) -> Vec<Vec<u8>> {
    let mut random = Random::new(13);
    let mut seed = || {
        let mut seed = vec![0; 2 * set.strength];
        random.fill(&mut seed);
        seed
    };
    vec![seed(), seed(), seed()]
}

/// `f` of a seed by its inverse is 1.
fn is_inverse(set: Set, seed: &[u8], inverse: &[i16]) -> bool {
    let mut f: Vec<i64> = set.combined(&set.f_of(seed).0).into_iter().map(|x| 3 * x).collect();
    f[0] += 1;
    let inverse: Vec<i64> = inverse.iter().map(|x| i64::from(*x)).collect();
    let product = set.product(&f, &inverse);
    product[0] == 1 && product[1..].iter().all(|x| *x == 0)
}

/// `first_f` of a set.
type First = fn(
    Cpu,
    &mut ringsmith_kem::set::Draw<'_>,
    &mut dyn FnMut() -> bool,
    &mut [u16],
    &mut [i16],
) -> Result<(), Failed>;

/// Where the first `refused` seeds are taken for such without an inverse, the next one's `F` is taken,
/// with its own inverse; and no other seed is drawn.
fn check_refused(cpu: Cpu, set: Set, first: First, refused: usize) {
    let (seeds, [mut drawn, mut asked]) = (seeds(set), [0; 2]);
    let mut draw = |bytes: &mut [u8]| {
        bytes.copy_from_slice(seeds.get(drawn).ok_or(Failed)?);
        drawn += 1;
        Ok(())
    };
    let mut refuses = || {
        asked += 1;
        asked <= refused
    };
    let expected = seeds.get(refused).map(|seed| set.f_of(seed).1);
    let count: usize = set.f.iter().map(|weight| 2 * weight).sum();
    let (mut indices, mut inverse) = (vec![0; count], vec![0; set.n]);
    let found = first(cpu, &mut draw, &mut refuses, &mut indices, &mut inverse);
    let name = set.scheme.name;
    assert_eq!(found.is_ok(), expected.is_some(), "{name} on {cpu:?}");
    let seed = refused.min(seeds.len() - 1);
    assert_eq!((drawn, asked), (seed + 1, seed + 1), "{name} on {cpu:?}");
    if let Some(expected) = expected {
        assert!(indices.iter().map(|i| usize::from(*i)).eq(expected), "{name} on {cpu:?}, {refused} refused");
        assert!(is_inverse(set, &seeds[seed], &inverse), "{name} on {cpu:?}, {refused} refused");
    }
}

/// Protects: where `f` of a seed has no inverse, the next seed is drawn by one call and its `F` is the key's;
/// nothing is left of those before. Such a seed is not known of any set, so an inverse is denied here.
#[test]
fn seeds_without_an_inverse() {
    let first: [(Set, First); 3] = [
        (sets()[0], |cpu, draw, refuses, a, b| first_f::<Ees401ep1>(cpu, draw, refuses, a, b)),
        (sets()[1], |cpu, draw, refuses, a, b| first_f::<Ees439ep1>(cpu, draw, refuses, a, b)),
        (sets()[6], |cpu, draw, refuses, a, b| first_f::<ntruprime739::X998>(cpu, draw, refuses, a, b)),
    ];
    for (set, first) in first {
        for cpu in Cpu::available() {
            (0..4).for_each(|refused| check_refused(cpu, set, first, refused));
        }
    }
}
