//! NTRU Prime beyond its bytes: keys that are made many at a time.

mod shared;

use rand_core::CryptoRng;
use ringsmith_kem::keys::{DecapsulationKey, EncapsulationKey};
use ringsmith_kem::set::{BatchSet, Bytes};
use ringsmith_ntru_prime::{Sntrup653, Sntrup761, Sntrup857, Sntrup953, Sntrup1013, Sntrup1277};
use ringsmith_oracle::{Generator, Random};
use ringsmith_simd::Cpu;
use shared::sampled;
use std::collections::BTreeSet;

/// Most keys that are made with one inversion.
const BATCH: usize = 32;

/// A set, and what these tests do with it.
struct Set {
    name: &'static str,
    degree: usize,
    /// Private keys of a batch, after one ciphertext for each was opened.
    batch: fn(Cpu, &mut dyn CryptoRng, usize) -> Vec<Vec<u8>>,
    /// A private key that is made by itself.
    single: fn(Cpu, &mut dyn CryptoRng) -> Vec<u8>,
    public_key: usize,
}

/// What these tests do with a set.
const fn set<S: BatchSet>(name: &'static str, degree: usize) -> Set {
    Set {
        name,
        degree,
        batch: |cpu, rng, count| {
            let mut keys = Vec::new();
            keys.resize_with(count, || None);
            DecapsulationKey::<S>::generate_batch_on(cpu, rng, &mut keys);
            let written = |key: Option<DecapsulationKey<S>>| {
                let key = key.expect("a key in each place");
                let public = key.encapsulation_key().to_bytes();
                let read = EncapsulationKey::<S>::from_bytes_on(cpu, &public).expect("its own bytes");
                let (ciphertext, shared) = read.encapsulate(&mut Random::new(count as u64));
                assert_eq!(key.decapsulate(&ciphertext), shared, "{}", S::NAME);
                (*key.to_bytes()).as_ref().to_vec()
            };
            keys.into_iter().map(written).collect()
        },
        single: |cpu, rng| (*DecapsulationKey::<S>::generate_on(cpu, rng).to_bytes()).as_ref().to_vec(),
        public_key: S::PublicBytes::LEN,
    }
}

const SETS: [Set; 6] = [
    set::<Sntrup653>("sntrup653", 653),
    set::<Sntrup761>("sntrup761", 761),
    set::<Sntrup857>("sntrup857", 857),
    set::<Sntrup953>("sntrup953", 953),
    set::<Sntrup1013>("sntrup1013", 1013),
    set::<Sntrup1277>("sntrup1277", 1277),
];

/// The keys of a batch, and what was drawn for them.
fn recorded(set: &Set, cpu: Cpu, count: usize) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let (mut random, mut draws) = (Random::new(count as u64), Vec::new());
    let mut rng = Generator(|out: &mut [u8]| {
        random.fill(out);
        draws.push(out.to_vec());
    });
    let keys = (set.batch)(cpu, &mut rng, count);
    (keys, draws)
}

/// Keys of the draws of a batch, made one by one: of those for elements as many as a key takes, and of the
/// others the last that is left. Gives the draws for elements of each key.
fn made_one_by_one<'a>(set: &Set, cpu: Cpu, keys: &[Vec<u8>], draws: &'a [Vec<u8>]) -> Vec<&'a [Vec<u8>]> {
    let (mut elements, rho) = draws.split_at(draws.len() - keys.len());
    let mut drawn = Vec::new();
    for (key, rho) in keys.iter().zip(rho.iter().rev()) {
        let mut taken = 0;
        let mut rng = Generator(|out: &mut [u8]| {
            let is_element = out.len() == 4 * set.degree;
            out.copy_from_slice(if is_element { &elements[taken] } else { rho });
            taken += usize::from(is_element);
        });
        assert_eq!((set.single)(cpu, &mut rng), *key, "{} on {cpu:?}", set.name);
        drawn.push(&elements[..taken]);
        elements = &elements[taken..];
    }
    assert!(elements.is_empty(), "{}: draws that no key was made of", set.name);
    drawn
}

/// The small elements and what a rejected ciphertext's key is made of, of each key: no two are equal, in a
/// key or in two.
fn are_distinct(set: &Set, keys: &[Vec<u8>]) {
    let small = set.degree.div_ceil(4);
    let secrets = |key: &Vec<u8>| {
        let rho = 2 * small + set.public_key;
        [0, small, rho].map(|at| key[at..at + small].to_vec())
    };
    let all: BTreeSet<Vec<u8>> = keys.iter().flat_map(secrets).collect();
    assert_eq!(all.len(), 3 * keys.len(), "{}", set.name);
}

/// Asserts of batches of so many keys that they are the keys that their draws make one by one.
fn check(set: &Set, cpu: Cpu, count: usize) {
    let (keys, draws) = recorded(set, cpu, count);
    assert_eq!(keys.len(), count);
    are_distinct(set, &keys);
    let mut left = &draws[..];
    for keys in keys.chunks(BATCH) {
        let elements = left.iter().take_while(|draw| draw.len() == 4 * set.degree).count();
        let (draws, rest) = left.split_at(elements + keys.len());
        let drawn = made_one_by_one(set, cpu, keys, draws);
        left = rest;
        rejected_draws(set, cpu, keys, &drawn, &draws[elements..]);
    }
    assert!(left.is_empty(), "{}: draws that no key was made of", set.name);
}

/// Asserts that draws of elements without an inverse change nothing: of 0, before each of the others' first
/// ones.
fn rejected_draws(set: &Set, cpu: Cpu, keys: &[Vec<u8>], drawn: &[&[Vec<u8>]], rho: &[Vec<u8>]) {
    // A number in the middle third of 30 bits is a coefficient 0.
    let zero = (1u32 << 29).to_le_bytes().repeat(set.degree);
    let with_zero = drawn.iter().flat_map(|draws| [&[zero.clone()][..], draws].concat());
    let mut script = with_zero.chain(rho.iter().cloned());
    let mut rng = Generator(|out: &mut [u8]| out.copy_from_slice(&script.next().expect("a draw")));
    assert_eq!((set.batch)(cpu, &mut rng, keys.len()), keys, "{} on {cpu:?}", set.name);
    assert_eq!(script.next(), None, "{}", set.name);
}

/// Protects: a batch's keys are byte for byte those that the same draws make one by one: the elements in
/// their order, those that are rejected passed over, then what rejected ciphertexts' keys are made of,
/// backwards; in every set, on every backend, with no key, one, a few, a full batch and one key more. Each
/// key opens what is made for it, and no two share a secret.
#[test]
fn batches() {
    let counts: &[usize] = if sampled(2) == 1 { &[0, 1, 2, 3, 32, 33] } else { &[0, 1, 3] };
    for set in &SETS {
        for cpu in Cpu::available() {
            for &count in counts {
                check(set, cpu, count);
            }
        }
    }
}

/// Protects: a batch over two and more inversions.
#[test]
fn one_key_more_than_an_inversion_serves() {
    check(&SETS[0], Cpu::detect(), BATCH + 1);
}

/// Protects: an empty batch draws nothing; a batch of one is what a key by itself is.
#[test]
fn the_smallest_batches() {
    for set in &SETS {
        for cpu in Cpu::available() {
            assert_eq!(recorded(set, cpu, 0), (vec![], vec![]), "{}", set.name);
            let one = (set.batch)(cpu, &mut Random::new(7), 1);
            assert_eq!(one, [(set.single)(cpu, &mut Random::new(7))], "{} on {cpu:?}", set.name);
        }
    }
}
