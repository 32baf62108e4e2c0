//! The cases of the tools that watch secrets: their names, that each runs, and that the randomness of NTRU
//! Prime's keys is such that no secret is drawn again.
#![cfg(feature = "cases")]

use ringsmith::ntru_prime::{sntrup653, sntrup761, sntrup857, sntrup953, sntrup1013, sntrup1277};
use ringsmith::scheme::Scheme;
use ringsmith_oracle::{Generator, Random};
use ringsmith_ring::inverse::InversesMod3;
use ringsmith_routes::rings::{
    MlKem, NtruPrime653, NtruPrime761, NtruPrime857, NtruPrime953, NtruPrime1013, NtruPrime1277,
};
use ringsmith_simd::Cpu;
use ringsmith_testkit::case::ntru_prime::{BATCH, taken};
use ringsmith_testkit::case::{all, of_ring};
use std::collections::HashSet;

fn cpu() -> Cpu {
    Cpu::from_env().expect("RINGSMITH_CPU names a backend of this machine")
}

/// Protects: the tools tell the cases apart by their names.
#[test]
#[cfg_attr(miri, ignore = "the tables of all rings: minutes under Miri")]
fn names_differ() {
    let cases = all();
    let names: HashSet<String> = cases.iter().map(|case| case.name.clone()).collect();
    assert_eq!(names.len(), cases.len());
}

/// Protects: every route of the smallest ring runs; the one that is small enough for Miri.
#[test]
fn cases_of_the_small_ring_run() {
    let cases = of_ring::<MlKem>();
    assert!(!cases.is_empty());
    cases.iter().for_each(|case| case.run(cpu(), 1));
}

/// Protects: every case runs.
#[test]
#[cfg_attr(miri, ignore = "rings of a thousand coefficients: minutes under Miri")]
fn every_case_runs() {
    all().iter().for_each(|case| case.run(cpu(), 1));
}

/// Secrets that the tools compare.
const SECRETS: u64 = 32;

/// How often a key draws random bytes: three times where nothing is drawn again.
fn draws(scheme: &Scheme, mut random: Random) -> usize {
    let mut draws = 0;
    let mut counting = Generator(|bytes: &mut [u8]| {
        draws += 1;
        random.fill(bytes);
    });
    let [mut public, mut private] = [scheme.public_key, scheme.private_key].map(|length| vec![0; length]);
    let made = (scheme.generate)(Cpu::detect(), &mut counting, &mut public, &mut private);
    made.expect("the scheme's lengths");
    draws
}

fn nothing_is_drawn_again<R: InversesMod3>(scheme: &Scheme) {
    for (seed, keys) in (1..=SECRETS).flat_map(|seed| [(seed, 1), (seed, BATCH)]) {
        let random = taken::<R>(Cpu::detect(), seed, keys);
        assert_eq!(draws(scheme, random), 3, "{} of seed {seed}", scheme.name);
    }
}

/// Protects: a trace of a key is the same for all secrets of the cases, because none draws an element again.
#[test]
#[cfg_attr(miri, ignore = "rings of a thousand coefficients: minutes under Miri")]
fn no_secret_is_drawn_again() {
    nothing_is_drawn_again::<NtruPrime653>(&sntrup653::SCHEME);
    nothing_is_drawn_again::<NtruPrime761>(&sntrup761::SCHEME);
    nothing_is_drawn_again::<NtruPrime857>(&sntrup857::SCHEME);
    nothing_is_drawn_again::<NtruPrime953>(&sntrup953::SCHEME);
    nothing_is_drawn_again::<NtruPrime1013>(&sntrup1013::SCHEME);
    nothing_is_drawn_again::<NtruPrime1277>(&sntrup1277::SCHEME);
}

/// Protects: the test above can fail. Of the seeds by themselves, some draw an element again.
#[test]
#[cfg_attr(miri, ignore = "rings of a thousand coefficients: minutes under Miri")]
fn some_seeds_are_drawn_again() {
    assert!((1..=SECRETS).any(|seed| draws(&sntrup1277::SCHEME, Random::new(seed)) > 3));
}
