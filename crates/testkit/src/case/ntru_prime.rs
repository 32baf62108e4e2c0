//! NTRU Prime: keys, ciphertexts, and what is made of them, in every set.
//!
//! How often an element of a key of Streamlined NTRU Prime is drawn is public, but it makes another trace. So
//! the secrets are such of which none is drawn again ([`taken`]).

use super::Case;
use super::scheme::{case, secret_of};
use crate::observe::observed;
use crate::operand::{make_defined, make_undefined};
use ringsmith::keys::{DecapsulationKey, EncapsulationKey};
use ringsmith::ntru_prime::{
    Ntrulpr653, Ntrulpr761, Ntrulpr857, Ntrulpr953, Ntrulpr1013, Ntrulpr1277, Sntrup653, Sntrup761,
    Sntrup857, Sntrup953, Sntrup1013, Sntrup1277, ntrulpr653, ntrulpr761, ntrulpr857, ntrulpr953,
    ntrulpr1013, ntrulpr1277, sntrup653, sntrup761, sntrup857, sntrup953, sntrup1013, sntrup1277,
};
use ringsmith::scheme::Scheme;
use ringsmith::set::{BatchSet, Bytes, CcaSet};
use ringsmith_oracle::{Generator, Random};
use ringsmith_ring::inverse::{InversesMod3, Invertible};
use ringsmith_ring::{Coefficients, Multiplier, Ring};
use ringsmith_routes::rings::{
    NtruPrime653, NtruPrime761, NtruPrime857, NtruPrime953, NtruPrime1013, NtruPrime1277,
};
use ringsmith_simd::Cpu;
use std::convert::Infallible;
use std::hint::black_box;
use std::marker::PhantomData;

/// Keys of a batch.
pub const BATCH: usize = 2;

/// The next small element, as the scheme draws it from `4 p` bytes.
fn small<R: Ring>(random: &mut Random) -> R::Coeffs {
    let (mut bytes, mut out) = (vec![0; 4 * R::N], R::Coeffs::ZERO);
    random.fill(&mut bytes);
    for (x, bytes) in out.rows_mut().as_flattened_mut().iter_mut().zip(bytes.as_chunks::<4>().0) {
        let word = u32::from_le_bytes(*bytes) & ((1 << 30) - 1);
        *x = ((3 * word) >> 30) as i16 - 1;
    }
    out
}

/// Random bytes for so many keys of which no element is drawn again; for most seeds, those of the seed
/// itself.
pub fn taken<R: InversesMod3>(cpu: Cpu, seed: u64, keys: usize) -> Random {
    let by = Multiplier::<R>::new_on(cpu);
    let mut scratch = by.scratch();
    let test = Invertible::new(by, &mut scratch);
    let from = |attempt: u64| Random::new(seed + (attempt << 32));
    let mut all_taken = |attempt: &u64| {
        let mut random = from(*attempt);
        (0..keys).all(|_| {
            let g = small::<R>(&mut random);
            // What the rest of the key is made of.
            small::<R>(&mut random);
            test.test(&g, &mut scratch).to_bool()
        })
    };
    from((0..).find(&mut all_taken).expect("nearly all elements have an inverse"))
}

/// Calls the hash and the cipher, which ask for the CPU's features when they are first called.
fn warm_up(cpu: Cpu) {
    black_box(ntrulpr653::DecapsulationKey::generate_on(cpu, &mut Random::new(0)));
}

/// Random bytes of a seed for a set's keys.
pub(super) trait Randomness {
    /// For one key.
    fn of(cpu: Cpu, seed: u64) -> Random;
}

/// Any bytes.
pub(super) struct Any;

impl Randomness for Any {
    fn of(_: Cpu, seed: u64) -> Random {
        Random::new(seed)
    }
}

/// Bytes of which no element is drawn again, of a ring.
struct Taken<R>(PhantomData<R>);

impl<R: InversesMod3> Randomness for Taken<R> {
    fn of(cpu: Cpu, seed: u64) -> Random {
        taken::<R>(cpu, seed, 1)
    }
}

/// A new key of secret bytes.
fn key<S: CcaSet>(cpu: Cpu, mut random: Random) -> DecapsulationKey<S> {
    let mut secret = Generator(|bytes: &mut [u8]| {
        random.fill(bytes);
        make_undefined(bytes);
    });
    DecapsulationKey::generate_on(cpu, &mut secret)
}

/// An array of fives.
fn fives<B: Bytes>() -> B {
    let mut bytes = B::ZERO;
    bytes.as_mut().fill(5);
    bytes
}

/// What every set does whose public keys any bytes are.
pub(super) fn cases<S: CcaSet<PublicError = Infallible>, R: Randomness>(
    scheme: &Scheme,
    counted: bool,
) -> Vec<Case> {
    let case = |name: &str, counted, run| case(scheme, name, counted, run);
    vec![
        case("generate", counted, |cpu, seed| {
            warm_up(cpu);
            let random = R::of(cpu, seed);
            let key = observed(|| key::<S>(cpu, random));
            make_defined(black_box((*key.to_bytes()).as_mut()));
        }),
        case("encapsulate", counted, |cpu, seed| {
            // Any bytes are a key.
            let Ok(key) = EncapsulationKey::<S>::from_bytes_on(cpu, &fives());
            let random = secret_of(&mut Random::new(seed));
            let (mut ciphertext, mut shared) = observed(|| key.encapsulate_deterministic(&random));
            make_defined(black_box(ciphertext.as_mut()));
            make_defined(black_box(shared.as_mut_bytes()));
        }),
        case("decapsulate", counted, |cpu, seed| {
            let key = key::<S>(cpu, R::of(cpu, seed));
            let random = secret_of(&mut Random::new(seed));
            let (mut ciphertext, _) = key.encapsulation_key().encapsulate_deterministic(&random);
            make_defined(ciphertext.as_mut());
            make_defined(black_box(observed(|| key.decapsulate(&ciphertext)).as_mut_bytes()));
        }),
        case("read and write a private key, and decapsulate rejected", false, |cpu, seed| {
            let bytes = key::<S>(cpu, R::of(cpu, seed)).to_bytes();
            let ciphertext = fives();
            let read = || {
                DecapsulationKey::<S>::from_bytes_on(cpu, &bytes)
                    .map(|key| (key.to_bytes(), key.decapsulate(&ciphertext)))
            };
            let (mut bytes, mut shared) = observed(read).expect("a key that was written");
            make_defined(black_box((*bytes).as_mut()));
            make_defined(black_box(shared.as_mut_bytes()));
        }),
    ]
}

/// Keys of Streamlined NTRU Prime, with one inversion for all of them.
fn batch<S: BatchSet, R: InversesMod3>(scheme: &Scheme) -> Case {
    case(scheme, "generate a batch", false, |cpu, seed| {
        warm_up(cpu);
        let (mut keys, mut random) = ([const { None }; BATCH], taken::<R>(cpu, seed, BATCH));
        let mut secret = Generator(|bytes: &mut [u8]| {
            random.fill(bytes);
            make_undefined(bytes);
        });
        observed(|| DecapsulationKey::<S>::generate_batch_on(cpu, &mut secret, &mut keys));
        for key in keys.into_iter().flatten() {
            make_defined(black_box((*key.to_bytes()).as_mut()));
        }
    })
}

/// What a set of Streamlined NTRU Prime does.
fn streamlined<S: BatchSet<PublicError = Infallible>, R: InversesMod3>(
    scheme: &Scheme,
    counted: bool,
) -> Vec<Case> {
    let mut cases = cases::<S, Taken<R>>(scheme, counted);
    cases.push(batch::<S, R>(scheme));
    cases
}

/// The cases. Instructions are counted of rings with super-rows of one row and of three.
pub(super) fn all() -> Vec<Case> {
    [
        streamlined::<Sntrup653, NtruPrime653>(&sntrup653::SCHEME, true),
        streamlined::<Sntrup761, NtruPrime761>(&sntrup761::SCHEME, true),
        streamlined::<Sntrup857, NtruPrime857>(&sntrup857::SCHEME, false),
        streamlined::<Sntrup953, NtruPrime953>(&sntrup953::SCHEME, true),
        streamlined::<Sntrup1013, NtruPrime1013>(&sntrup1013::SCHEME, false),
        streamlined::<Sntrup1277, NtruPrime1277>(&sntrup1277::SCHEME, false),
        cases::<Ntrulpr653, Any>(&ntrulpr653::SCHEME, true),
        cases::<Ntrulpr761, Any>(&ntrulpr761::SCHEME, true),
        cases::<Ntrulpr857, Any>(&ntrulpr857::SCHEME, false),
        cases::<Ntrulpr953, Any>(&ntrulpr953::SCHEME, false),
        cases::<Ntrulpr1013, Any>(&ntrulpr1013::SCHEME, false),
        cases::<Ntrulpr1277, Any>(&ntrulpr1277::SCHEME, true),
    ]
    .into_iter()
    .flatten()
    .collect()
}
