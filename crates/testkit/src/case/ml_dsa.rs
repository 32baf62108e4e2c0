//! ML-DSA: keys and signatures, in every set.
//!
//! What a key or a signature publishes on the way is named in one file (`crates/ml_dsa/src/publish.rs`), with
//! the reasons. It decides how long an attempt takes and how many there are. Valgrind follows secrets through
//! all of that, here through each of the rejections. Where traces are compared, what is published is replaced
//! by constants, so that a trace can differ by nothing but secrets.

use super::Case;
use super::scheme::both_forms;
use crate::observe::observed;
use crate::operand::{make_defined, make_undefined, secret_bytes};
use ringsmith::encoding::{EncodedSet, read_signing_key};
use ringsmith::ml_dsa::{MlDsa44, MlDsa65, MlDsa87, Mu};
use ringsmith::signature::SigningKey;
use ringsmith_oracle::Random;
use ringsmith_probe::valgrind::running_on_valgrind;
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// Runs it with what is published fixed, where no tool follows it.
#[cfg(ringsmith_internals)]
fn compared<T>(f: impl FnOnce() -> T) -> T {
    match follows_secrets() {
        true => f(),
        false => ringsmith::ml_dsa::internals::with_fixed_publications(f),
    }
}

/// Whether attempts were rejected because of `z`, of the low part, and of hints.
#[cfg(ringsmith_internals)]
fn rejected_in_three_ways() -> bool {
    let [response, low, _, hints] = ringsmith::ml_dsa::internals::rejections();
    [response, low, hints].into_iter().all(|count| count > 0)
}

/// Nothing can be fixed in this build.
#[cfg(not(ringsmith_internals))]
fn compared<T>(f: impl FnOnce() -> T) -> T {
    f()
}

/// Whether a tool follows secrets.
fn follows_secrets() -> bool {
    !cfg!(miri) && running_on_valgrind()
}

/// A key of a secret seed.
fn key<S: EncodedSet>(cpu: Cpu, random: &mut Random) -> SigningKey<S> {
    SigningKey::from_seed_on(cpu, &secret_bytes(random))
}

/// The bytes of a key become public.
fn publish<S: EncodedSet>(key: &SigningKey<S>) {
    make_defined(black_box(key.to_bytes().as_mut()));
}

/// Signs 64 bytes: a number, and zeros.
fn sign<S: EncodedSet>(key: &SigningKey<S>, number: u16, rnd: &[u8; 32]) {
    let mut mu = [0; 64];
    mu[..2].copy_from_slice(&number.to_le_bytes());
    let mut signature = key.sign_mu_with(&Mu::from_bytes(mu), rnd).expect("a key that is whole");
    make_defined(black_box(signature.as_mut()));
}

/// What every set does.
fn cases<S: EncodedSet + Numbers>() -> Vec<Case> {
    let case = |name: &str, run: fn(Cpu, u64)| Case::new(format!("{} {name}", S::NAME), false, run);
    vec![
        case("generate", |cpu, seed| {
            let xi = secret_bytes(&mut Random::new(seed));
            publish::<S>(&compared(|| observed(|| SigningKey::from_seed_on(cpu, &xi))));
        }),
        case("sign", |cpu, seed| {
            let mut random = Random::new(seed);
            compared(|| {
                let (key, rnd) = (key::<S>(cpu, &mut random), secret_bytes(&mut random));
                observed(|| sign(&key, 0, &rnd));
            });
        }),
        // Where traces are compared, this is the case before.
        case("sign with rejected attempts", |cpu, seed| {
            let mut xi = [seed as u8; 32];
            make_undefined(&mut xi);
            let key = compared(|| SigningKey::<S>::from_seed_on(cpu, &xi));
            let numbers = if follows_secrets() { S::NUMBERS } else { &S::NUMBERS[..1] };
            compared(|| observed(|| numbers.iter().for_each(|number| sign(&key, *number, &[0; 32]))));
            #[cfg(ringsmith_internals)]
            assert!(seed != 1 || !follows_secrets() || rejected_in_three_ways(), "other attempts");
        }),
        case("read a private key", |cpu, seed| {
            compared(|| {
                let bytes = key::<S>(cpu, &mut Random::new(seed)).to_bytes();
                publish(&observed(|| SigningKey::<S>::from_bytes_on(cpu, &bytes)).expect("its own"));
            });
        }),
        // With its seed, so that both forms are compared.
        case("read a private key in PKCS #8", |cpu, seed| {
            compared(|| {
                let key = key::<S>(cpu, &mut Random::new(seed));
                let xi = key.to_seed().expect("the key was made of it");
                let document = both_forms(S::OID, &*xi, key.to_bytes().as_ref());
                let read = observed(|| read_signing_key::<S>(cpu, document.as_bytes()));
                publish(&read.expect("forms of one key"));
            });
        }),
    ]
}

/// Messages whose attempts are rejected: the first one because of `z`, the second one because of the low
/// part, the third one because of its hints (`c t0` never is too large in ML-DSA-65 and -87, and once in ten
/// million attempts in ML-DSA-44; it is published with the hints).
trait Numbers {
    /// The numbers of the messages, for the key of the first secret and without randomness.
    const NUMBERS: &[u16];
}

impl Numbers for MlDsa44 {
    const NUMBERS: &[u16] = &[0, 28, 820];
}

impl Numbers for MlDsa65 {
    const NUMBERS: &[u16] = &[13, 21, 1384];
}

impl Numbers for MlDsa87 {
    const NUMBERS: &[u16] = &[3, 12, 232];
}

/// The cases.
pub(super) fn all() -> Vec<Case> {
    [cases::<MlDsa44>(), cases::<MlDsa65>(), cases::<MlDsa87>()].into_iter().flatten().collect()
}
