//! ML-DSA: keys and signatures, in every set.
//!
//! What a key or a signature publishes on the way is named in one file (`crates/ml_dsa/src/publish.rs`), with
//! the reasons, also what the frame of signatures publishes. It decides how long an attempt takes and how many there are. Valgrind follows secrets through
//! all of that, here through each of the rejections. Where traces are compared, what is published is replaced
//! by constants, so that a trace can differ by nothing but secrets.

use super::Case;
use super::scheme::both_forms;
use crate::observe::observed;
use crate::operand::{make_defined, make_undefined, secret_bytes};
use ringsmith::encoding::{EncodedSet, read_signing_key};
use ringsmith::ml_dsa::{MlDsa44, MlDsa65, MlDsa87, Mu};
use ringsmith::set::Bytes;
use ringsmith::signature::{PreparedSet, PreparedSigningKey, PrivateKey, SigningForm, SigningKey};
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

/// Signs 64 bytes: a number, and zeros. With a key of either form.
fn sign<S: EncodedSet, F: SigningForm<S>>(key: &PrivateKey<S, F>, number: u16, rnd: &[u8; 32]) {
    let mut mu = [0; 64];
    mu[..2].copy_from_slice(&number.to_le_bytes());
    let mut signature = key.sign_mu_with(&Mu::from_bytes(mu), rnd).expect("a key that is whole");
    make_defined(black_box(signature.as_mut()));
}

/// The key of a secret seed, read in its long form: it has no seed.
fn read_key<S: EncodedSet>(cpu: Cpu, random: &mut Random) -> SigningKey<S> {
    let bytes = key::<S>(cpu, random).to_bytes();
    SigningKey::from_bytes_on(cpu, &bytes).expect("its own")
}

/// A case of a set.
fn case<S: EncodedSet>(name: &str, run: fn(Cpu, u64)) -> Case {
    Case::new(format!("{} {name}", S::NAME), false, run)
}

/// What every set does.
fn cases<S: EncodedSet + PreparedSet + Numbers>() -> Vec<Case> {
    [made::<S>(), prepared::<S>(), read::<S>()].into_iter().flatten().collect()
}

/// Keys and signatures.
fn made<S: EncodedSet + Numbers>() -> Vec<Case> {
    let case = case::<S>;
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
            let key = compared(|| key_of_numbers::<S>(cpu, seed));
            compared(|| observed(|| sign_numbers(&key)));
            #[cfg(ringsmith_internals)]
            assert!(seed != 1 || !follows_secrets() || rejected_in_three_ways(), "other attempts");
        }),
    ]
}

/// Keys that are expanded once.
fn prepared<S: EncodedSet + PreparedSet + Numbers>() -> Vec<Case> {
    let case = case::<S>;
    vec![
        case("prepare a private key", |cpu, seed| {
            compared(|| {
                let key = read_key::<S>(cpu, &mut Random::new(seed));
                black_box(observed(|| PreparedSigningKey::new(&key)));
            });
        }),
        case("sign with a prepared key", |cpu, seed| {
            let mut random = Random::new(seed);
            compared(|| {
                let key = PreparedSigningKey::new(&read_key::<S>(cpu, &mut random));
                let rnd = secret_bytes(&mut random);
                observed(|| sign(&key, 0, &rnd));
            });
        }),
        case("sign with a prepared key and rejected attempts", |cpu, seed| {
            let key = compared(|| PreparedSigningKey::new(&key_of_numbers::<S>(cpu, seed)));
            compared(|| observed(|| sign_numbers(&key)));
        }),
    ]
}

/// Keys that come from outside.
fn read<S: EncodedSet>() -> Vec<Case> {
    let case = case::<S>;
    vec![
        case("read a private key", |cpu, seed| {
            compared(|| {
                let bytes = key::<S>(cpu, &mut Random::new(seed)).to_bytes();
                publish(&observed(|| SigningKey::<S>::from_bytes_on(cpu, &bytes)).expect("its own"));
            });
        }),
        case("sign with a key that was read", |cpu, seed| {
            let mut random = Random::new(seed);
            compared(|| {
                let (key, rnd) = (read_key::<S>(cpu, &mut random), secret_bytes(&mut random));
                observed(|| sign(&key, 0, &rnd));
            });
        }),
        // Where traces are compared the verdict is fixed, and the key is taken.
        case("refuse a private key", |cpu, seed| {
            let key = compared(|| key::<S>(cpu, &mut Random::new(seed)).to_bytes());
            // The end of `t0` is another one, or the beginning of the secret, which leaves its range.
            let keys = [S::SigningBytes::LEN - 1, BEFORE_SECRETS].map(|at| {
                let mut altered = key.clone();
                altered.as_mut()[at] ^= 0xff;
                altered
            });
            let refused = |bytes| SigningKey::<S>::from_bytes_on(cpu, bytes).is_err();
            let refused = compared(|| observed(|| keys.each_ref().map(|bytes| refused(bytes))));
            assert!(refused == [follows_secrets(); 2], "keys that are none");
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

/// Bytes before the secrets of a private key: `rho`, `K` and `tr` of FIPS 204, algorithm 24.
const BEFORE_SECRETS: usize = 32 + 32 + 64;

/// The key whose attempts [`Numbers`] knows, where the seed is 1.
fn key_of_numbers<S: EncodedSet>(cpu: Cpu, seed: u64) -> SigningKey<S> {
    let mut xi = [seed as u8; 32];
    make_undefined(&mut xi);
    SigningKey::from_seed_on(cpu, &xi)
}

/// Signs the messages of [`Numbers`]; where traces are compared, the first one.
fn sign_numbers<S: EncodedSet + Numbers, F: SigningForm<S>>(key: &PrivateKey<S, F>) {
    let numbers = if follows_secrets() { S::NUMBERS } else { &S::NUMBERS[..1] };
    numbers.iter().for_each(|number| sign(key, *number, &[0; 32]));
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
