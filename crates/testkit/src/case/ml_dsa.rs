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

/// How often attempts of `f` were rejected because of `z`, of the low part, of `c t0`, and of hints.
#[cfg(ringsmith_internals)]
fn rejections(f: impl FnOnce()) -> [usize; 4] {
    let before = ringsmith::ml_dsa::internals::rejections();
    f();
    let after = ringsmith::ml_dsa::internals::rejections();
    std::array::from_fn(|test| after[test] - before[test])
}

/// Nothing is counted in this build.
#[cfg(not(ringsmith_internals))]
fn rejections(f: impl FnOnce()) -> [usize; 4] {
    f();
    ONCE_EACH
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

/// Signs 64 bytes, with a key of either form.
fn sign<S: EncodedSet, F: SigningForm<S>>(key: &PrivateKey<S, F>, mu: [u8; 64], rnd: &[u8; 32]) {
    let mut signature = key.sign_mu_with(&Mu::from_bytes(mu), rnd).expect("a key that is whole");
    make_defined(black_box(signature.as_mut()));
}

/// A number, and zeros.
fn numbered(number: u16) -> [u8; 64] {
    let mut mu = [0; 64];
    mu[..2].copy_from_slice(&number.to_le_bytes());
    mu
}

/// The key of a secret seed, read in its long form: it has no seed.
fn read_key<S: EncodedSet>(cpu: Cpu, random: &mut Random) -> SigningKey<S> {
    let bytes = key::<S>(cpu, random).to_bytes();
    SigningKey::<S>::from_bytes_on(cpu, &bytes).expect("its own")
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
                observed(|| sign(&key, numbered(0), &rnd));
            });
        }),
        // Where traces are compared, this is the case before.
        case("sign with rejected attempts", |cpu, seed| {
            sign_numbers(seed, &compared(|| key_of_numbers::<S>(cpu, seed)));
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
                observed(|| sign(&key, numbered(0), &rnd));
            });
        }),
        case("sign with a prepared key and rejected attempts", |cpu, seed| {
            sign_numbers(seed, &compared(|| PreparedSigningKey::new(&key_of_numbers::<S>(cpu, seed))));
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
                observed(|| sign(&key, numbered(0), &rnd));
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

/// What the messages of [`Numbers`] are rejected by.
const ONCE_EACH: [usize; 4] = [1, 1, 0, 1];

/// Signs the messages of [`Numbers`]; where traces are compared, the first one.
fn sign_numbers<S: EncodedSet + Numbers, F: SigningForm<S>>(seed: u64, key: &PrivateKey<S, F>) {
    let numbers = if follows_secrets() { S::NUMBERS } else { &S::NUMBERS[..1] };
    let sign_all = || numbers.iter().for_each(|number| sign(key, numbered(*number), &[0; 32]));
    let counts = rejections(|| compared(|| observed(sign_all)));
    assert!(seed != 1 || !follows_secrets() || counts == ONCE_EACH, "other attempts: {counts:?}");
}

/// Messages of which one attempt is rejected, before the signature: the first one because of `z`, the second
/// one because of the low part, the third one because of its hints (`c t0` never is too large in ML-DSA-65
/// and -87, and once in ten million attempts in ML-DSA-44: see [`all_rejections`]).
trait Numbers {
    /// The numbers of the messages, for the key of the first secret and without randomness.
    const NUMBERS: &[u16];
}

impl Numbers for MlDsa44 {
    const NUMBERS: &[u16] = &[0, 24, 820];
}

impl Numbers for MlDsa65 {
    const NUMBERS: &[u16] = &[108, 13, 1384];
}

impl Numbers for MlDsa87 {
    const NUMBERS: &[u16] = &[19, 3, 232];
}

/// A seed and a message of ML-DSA-44, whose four attempts before the signature are rejected by one test each:
/// NIST's case of rejections, `mldsa_44_sign_seed_test.json` of Wycheproof, `tcId` 65.
const XI: [u8; 32] = [
    0x83, 0x6e, 0xab, 0xed, 0xb4, 0xd2, 0xcd, 0x9b, 0xe6, 0xa4, 0xd9, 0x57, 0xcf, 0x5e, 0xe6, 0xbf, 0x48,
    0x93, 0x04, 0x13, 0x68, 0x64, 0xc5, 0x5c, 0x2c, 0x5f, 0x01, 0xda, 0x50, 0x47, 0xd1, 0x8b,
];
/// The message: the 64 bytes that are signed.
const MU: [u8; 64] = [
    0xd5, 0x61, 0x60, 0x8e, 0xe2, 0x44, 0x51, 0x73, 0x50, 0xdc, 0x3d, 0x29, 0xbc, 0xf2, 0x08, 0x8f, 0x5e,
    0x2e, 0xb2, 0x53, 0x9a, 0xf0, 0xa9, 0x3e, 0xa2, 0xb6, 0x99, 0x72, 0x6f, 0xfa, 0x58, 0x6c, 0xd5, 0x7a,
    0x5f, 0x62, 0x06, 0x2e, 0xab, 0xde, 0xc5, 0x80, 0xcb, 0x86, 0xac, 0x3f, 0xb1, 0xc0, 0x49, 0x9e, 0xaf,
    0x14, 0x71, 0x67, 0x9e, 0xd6, 0xa6, 0x14, 0xdd, 0x33, 0x97, 0xc8, 0x7f, 0x34,
];

/// Signs with a key of either form, through all rejections where the seed is 1; with another key where it is
/// not, and where traces are compared without a rejection.
fn all_rejections() -> Case {
    case::<MlDsa44>("sign through all rejections, prepared or not", |cpu, seed| {
        let mut xi = XI;
        xi[0] ^= seed as u8 ^ 1;
        make_undefined(&mut xi);
        let key = compared(|| SigningKey::<MlDsa44>::from_seed_on(cpu, &xi));
        let prepared = compared(|| PreparedSigningKey::new(&key));
        let counts = rejections(|| {
            compared(|| {
                observed(|| {
                    sign(&key, MU, &[0; 32]);
                    sign(&prepared, MU, &[0; 32]);
                });
            });
        });
        let all = counts.iter().all(|count| *count > 0) || cfg!(not(ringsmith_internals));
        assert!(seed != 1 || !follows_secrets() || all, "{counts:?}");
    })
}

/// The cases.
pub(super) fn all() -> Vec<Case> {
    let of_sets = [cases::<MlDsa44>(), cases::<MlDsa65>(), cases::<MlDsa87>()];
    of_sets.into_iter().flatten().chain([all_rejections()]).collect()
}
