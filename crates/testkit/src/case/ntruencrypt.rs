//! NTRUEncrypt: keys, messages, and ciphertexts that are refused, for several causes, in every set.
//!
//! How often a key or a message is drawn is public, but it makes another trace. So the secrets are such of
//! which none is drawn again ([`Drawn::once`]).

use super::Case;
use crate::observe::observed;
use crate::operand::{make_defined, make_undefined};
use ringsmith::ntruencrypt::*;
use ringsmith::pke::{DecryptionKey, PkeSet, PublicKeyEncryption};
use ringsmith::set::Bytes;
use ringsmith_oracle::{Generator, Random};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// Bytes that look random, and how often they were asked for.
struct Drawn {
    random: Random,
    calls: usize,
}

impl Drawn {
    /// Of a seed, or the next one, so that `make` asks so many times.
    fn once(seed: u64, calls: usize, make: impl Fn(&mut Generator<&mut dyn FnMut(&mut [u8])>)) -> Random {
        let from = |attempt: u64| Random::new(seed + (attempt << 32));
        let asks = |attempt: &u64| {
            let mut drawn = Drawn { random: from(*attempt), calls: 0 };
            let mut draw = |bytes: &mut [u8]| {
                drawn.random.fill(bytes);
                drawn.calls += 1;
            };
            make(&mut Generator(&mut draw));
            drawn.calls == calls
        };
        from((0..).find(asks).expect("most are drawn once"))
    }
}

/// A generator of secrets.
fn secret(mut random: Random) -> Generator<impl FnMut(&mut [u8])> {
    Generator(move |bytes: &mut [u8]| {
        random.fill(bytes);
        make_undefined(bytes);
    })
}

/// Secret bytes of a new key, of which nothing is drawn again: a seed of each of its polynomials.
fn for_a_key<S: PkeSet>(cpu: Cpu, seed: u64) -> Random {
    Drawn::once(seed, 2, |rng| _ = black_box(DecryptionKey::<S>::generate_on(cpu, rng)))
}

/// A new key of secret bytes.
fn key<S: PkeSet>(cpu: Cpu, seed: u64) -> DecryptionKey<S> {
    DecryptionKey::generate_on(cpu, &mut secret(for_a_key::<S>(cpu, seed)))
}

/// A secret message, of which half is used. It stands on the stack: the heap would give each another address.
fn message<S: PkeSet>(seed: u64) -> S::MessageBytes {
    let mut message = S::MessageBytes::ZERO;
    Random::new(seed).fill(message.as_mut());
    message
}

/// The half.
fn half<S: PkeSet>(message: &mut S::MessageBytes) -> &mut [u8] {
    &mut message.as_mut()[..S::MessageBytes::LEN / 2]
}

/// A ciphertext of a message.
fn ciphertext<S: PkeSet>(key: &DecryptionKey<S>, seed: u64) -> S::CiphertextBytes {
    let made = key.encryption_key().encrypt(half::<S>(&mut message::<S>(seed)), &mut Random::new(seed));
    let mut ciphertext = made.expect("a short message");
    make_defined(ciphertext.as_mut());
    ciphertext
}

/// A ciphertext that is refused, of a cause that the seed says: one of the key's own with its first byte
/// altered, or a bit of its last byte, which may be behind the last coefficient; random bytes; one for
/// another key. So traces of different causes are compared.
fn refused<S: PkeSet>(cpu: Cpu, own: &DecryptionKey<S>, seed: u64) -> S::CiphertextBytes {
    let mut bytes = ciphertext(own, seed);
    let last = S::CiphertextBytes::LEN - 1;
    match seed % 5 {
        0 => bytes.as_mut()[0] ^= 1,
        1 => bytes.as_mut()[last] ^= 1,
        2 => bytes.as_mut()[last] ^= 0x80,
        3 => Random::new(seed).fill(bytes.as_mut()),
        _ => bytes = ciphertext(&DecryptionKey::<S>::generate_on(cpu, &mut Random::new(!seed)), seed),
    }
    bytes
}

/// What every set does.
fn cases<S: PkeSet>(scheme: &PublicKeyEncryption, counted: bool) -> Vec<Case> {
    let case =
        |name: &str, counted, run: fn(Cpu, u64)| Case::new(format!("{} {name}", scheme.name), counted, run);
    vec![
        case("generate", counted, |cpu, seed| {
            // Hashes ask for the CPU's features when they are called first: here.
            let random = for_a_key::<S>(cpu, seed);
            let key = observed(|| DecryptionKey::<S>::generate_on(cpu, &mut secret(random)));
            make_defined(black_box((*key.to_bytes()).as_mut()));
        }),
        case("encrypt", counted, |cpu, seed| {
            // One key, so that it is the same for all secrets.
            let key = DecryptionKey::<S>::generate_on(cpu, &mut Random::new(0));
            let (key, mut message) = (key.encryption_key(), message::<S>(seed));
            let message = half::<S>(&mut message);
            let random = Drawn::once(seed, 1, |rng| _ = black_box(key.encrypt(message, rng)));
            make_undefined(message);
            let made = observed(|| key.encrypt(message, &mut secret(random)));
            make_defined(black_box(made.expect("a short message").as_mut()));
        }),
        case("decrypt", counted, |cpu, seed| {
            let key = key::<S>(cpu, seed);
            let ciphertext = ciphertext(&key, seed);
            let message = observed(|| key.decrypt(&ciphertext)).expect("its own ciphertext");
            make_defined(black_box(&mut message.to_vec()));
        }),
        case("read and write a private key, and refuse a ciphertext", false, |cpu, seed| {
            let key = key::<S>(cpu, seed);
            let (bytes, foreign) = (key.to_bytes(), refused(cpu, &key, seed));
            let read = || {
                DecryptionKey::<S>::from_bytes_on(cpu, &bytes)
                    .map(|key| (key.to_bytes(), key.decrypt(&foreign).is_err()))
            };
            let (mut bytes, refused) = observed(read).expect("a key that was written");
            assert!(refused, "{} opens a ciphertext that must be refused", S::NAME);
            make_defined(black_box((*bytes).as_mut()));
        }),
    ]
}

/// The cases. Instructions are counted of sets with trits, with a product, with indices, and over a field; of
/// libntru's sets there is one of each kind of polynomial.
pub(super) fn all() -> Vec<Case> {
    [
        cases::<Ees401ep1>(&ees401ep1::SCHEME, true),
        cases::<Ees449ep1>(&ees449ep1::SCHEME, false),
        cases::<Ees677ep1>(&ees677ep1::SCHEME, true),
        cases::<Ees1087ep2>(&ees1087ep2::SCHEME, false),
        cases::<Ees541ep1>(&ees541ep1::SCHEME, false),
        cases::<Ees613ep1>(&ees613ep1::SCHEME, false),
        cases::<Ees887ep1>(&ees887ep1::SCHEME, false),
        cases::<Ees1171ep1>(&ees1171ep1::SCHEME, false),
        cases::<Ees659ep1>(&ees659ep1::SCHEME, false),
        cases::<Ees761ep1>(&ees761ep1::SCHEME, false),
        cases::<Ees1087ep1>(&ees1087ep1::SCHEME, true),
        cases::<Ees1499ep1>(&ees1499ep1::SCHEME, false),
        cases::<Ees401ep2>(&ees401ep2::SCHEME, false),
        cases::<Ees439ep1>(&ees439ep1::SCHEME, false),
        cases::<Ees593ep1>(&ees593ep1::SCHEME, false),
        cases::<Ees743ep1>(&ees743ep1::SCHEME, true),
        cases::<Ees443ep1>(&ees443ep1::SCHEME, false),
        cases::<Ees587ep1>(&ees587ep1::SCHEME, false),
        cases::<Ees653ep1>(&ees653ep1::SCHEME, false),
        cases::<Ees853ep1>(&ees853ep1::SCHEME, false),
        cases::<libntru::Ees401ep1>(&libntru::ees401ep1::SCHEME, false),
        cases::<libntru::Ees743ep1>(&libntru::ees743ep1::SCHEME, false),
        cases::<ntruprime739::X998>(&ntruprime739::x998::SCHEME, true),
        cases::<ntruprime739::Radix>(&ntruprime739::radix::SCHEME, false),
    ]
    .into_iter()
    .flatten()
    .collect()
}
