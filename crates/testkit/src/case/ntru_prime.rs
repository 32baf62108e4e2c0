//! NTRU Prime: keys, ciphertexts, and what is made of them.

use super::Case;
use super::scheme::case;
use crate::observe::observed;
use crate::operand::{make_defined, make_undefined, secret_bytes};
use ringsmith_oracle::{Generator, Random};
use ringsmith_schemes::ntru_prime::{ntrulpr653, ntrulpr761, ntrulpr1277, sntrup653, sntrup761, sntrup953};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// NTRU Prime. An element that has no inverse modulo 3 is drawn again, which is public: none of these is.
macro_rules! field_cases {
    ($set:ident) => {{
        use $set::DecapsulationKey;
        let case = |name: &str, counted, run| case(&$set::SCHEME, name, counted, run);
        fn key(cpu: Cpu, seed: u64) -> DecapsulationKey {
            let mut random = Random::new(seed);
            DecapsulationKey::generate(
                cpu,
                &mut Generator(|bytes: &mut [u8]| {
                    random.fill(bytes);
                    make_undefined(bytes);
                }),
            )
        }
        vec![
            case("generate", true, |cpu, seed| {
                // Hash and cipher ask for the CPU's features when they are first called.
                black_box(DecapsulationKey::generate(cpu, &mut Random::new(0)));
                let key = observed(|| key(cpu, seed));
                make_defined(black_box(key.to_bytes().as_mut_slice()));
            }),
            case("encapsulate", true, |cpu, seed| {
                let key = DecapsulationKey::generate(cpu, &mut Random::new(0));
                let random = secret_bytes(&mut Random::new(seed));
                let (mut ciphertext, mut shared) =
                    observed(|| key.encapsulation_key().encapsulate_deterministic(&random));
                make_defined(black_box(&mut ciphertext));
                make_defined(black_box(&mut shared));
            }),
            case("decapsulate", true, |cpu, seed| {
                let key = key(cpu, seed);
                let random = secret_bytes(&mut Random::new(seed));
                let (mut ciphertext, _) = key.encapsulation_key().encapsulate_deterministic(&random);
                make_defined(&mut ciphertext);
                make_defined(black_box(&mut observed(|| key.decapsulate(&ciphertext))));
            }),
            case("read a private key and decapsulate", false, |cpu, seed| {
                let bytes = key(cpu, seed).to_bytes();
                let ciphertext = [5; $set::CT_BYTES];
                let mut shared = observed(|| {
                    DecapsulationKey::from_bytes(cpu, &bytes).map(|key| key.decapsulate(&ciphertext))
                });
                shared.iter_mut().for_each(|shared| make_defined(black_box(shared)));
            }),
        ]
    }};
}

/// Keys of Streamlined NTRU Prime, two with one inversion.
macro_rules! batch_cases {
    ($set:ident) => {{
        use $set::DecapsulationKey;
        vec![case(&$set::SCHEME, "generate a batch", false, |cpu, seed| {
            // Hash and cipher ask for the CPU's features when they are first called.
            black_box(DecapsulationKey::generate(cpu, &mut Random::new(0)));
            let (mut keys, mut random) = ([None, None], Random::new(seed));
            let mut rng = Generator(|bytes: &mut [u8]| {
                random.fill(bytes);
                make_undefined(bytes);
            });
            observed(|| DecapsulationKey::generate_batch(cpu, &mut rng, &mut keys));
            for key in keys.into_iter().flatten() {
                make_defined(black_box(key.to_bytes().as_mut_slice()));
            }
        })]
    }};
}

/// The cases.
pub(super) fn all() -> Vec<Case> {
    let sets = [
        field_cases!(sntrup653),
        field_cases!(sntrup761),
        // Super-rows of two rows. Not 1277: one of 32 secrets draws an element without inverse modulo 3 first, which is public.
        field_cases!(sntrup953),
        // In other sets it happens that an element that has no inverse modulo 3 is drawn again, which is public and another trace.
        batch_cases!(sntrup761),
        field_cases!(ntrulpr653),
        field_cases!(ntrulpr761),
        field_cases!(ntrulpr1277),
    ];
    sets.into_iter().flatten().collect()
}
