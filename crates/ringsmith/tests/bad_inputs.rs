//! What bytes that are no keys, and ciphertexts that nobody made, do.

mod shared;

use ringsmith::keys::{DecapsulationKey, EncapsulationKey};
use ringsmith::ml_kem::{InvalidKey, MlKem512, MlKem768, MlKem1024};
use ringsmith::scheme::{self, Scheme, SchemeError};
use ringsmith::set::{Bytes, SeedSet};
use ringsmith_hash::Shake256;
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use shared::ntru_prime::{Set, aliases, hash, sets};
use shared::{example_seed, ml_kem, sampled};
use std::ops::Range;

/// The modulus, and what 12 bits hold at most.
const Q: u16 = 3329;
const LARGEST: u16 = (1 << 12) - 1;

/// Writes the coefficient at a place among 12-bit coefficients.
fn set_coefficient(bytes: &mut [u8], place: usize, value: u16) {
    let at = place / 2 * 3;
    if place.is_multiple_of(2) {
        bytes[at] = value as u8;
        bytes[at + 1] = bytes[at + 1] & 0xf0 | (value >> 8) as u8;
    } else {
        bytes[at + 1] = bytes[at + 1] & 15 | (value << 4) as u8;
        bytes[at + 2] = (value >> 4) as u8;
    }
}

/// The bytes of a scheme's values, from one run.
struct Run {
    seed: Vec<u8>,
    public: Vec<u8>,
    private: Vec<u8>,
    ciphertext: Vec<u8>,
    shared: Vec<u8>,
}

fn run(scheme: &Scheme) -> Run {
    let (cpu, mut random) = (Cpu::detect(), Random::new(1));
    let seed = scheme.seed.as_ref().map(|_| random.bytes::<64>().to_vec()).unwrap_or_default();
    let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
    let (mut ciphertext, mut shared) = (vec![0; scheme.ciphertext], vec![0; scheme.shared_key]);
    match &scheme.seed {
        Some(form) => (form.expand)(cpu, &seed, &mut public, &mut private).expect("a seed"),
        None => (scheme.generate)(cpu, &mut random, &mut public, &mut private).expect("lengths"),
    }
    (scheme.encapsulate)(cpu, &public, &mut random, &mut ciphertext, &mut shared).expect("a key");
    Run { seed, public, private, ciphertext, shared }
}

/// Wrong lengths: nothing, one less, one more, and far too many.
fn wrong(length: usize) -> [usize; 4] {
    [0, length - 1, length + 1, 1 << 16]
}

/// Asserts that a call with an argument of each wrong length says so, and leaves its results as they were.
fn refused(
    what: &str,
    length: usize,
    outputs: &[usize],
    mut call: impl FnMut(usize, &mut [Vec<u8>]) -> Result<(), SchemeError>,
) {
    const UNTOUCHED: u8 = 0xa5;
    for given in wrong(length) {
        let mut out: Vec<Vec<u8>> = outputs.iter().map(|length| vec![UNTOUCHED; *length]).collect();
        match call(given, &mut out) {
            Err(SchemeError::Length { what: named, expected, given: said }) => {
                assert_eq!((named, expected, said), (what, length, given))
            }
            other => panic!("{what} of {given} bytes: {other:?}"),
        }
        assert!(
            out.concat().iter().all(|byte| *byte == UNTOUCHED),
            "{what} of {given} bytes: something was written"
        );
    }
}

/// The bytes cut or lengthened.
fn resized(bytes: &[u8], length: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.resize(length, 0);
    bytes
}

/// Protects: every argument of every function of a scheme, of a wrong length, is one error that says which,
/// and nothing is written.
#[test]
fn lengths() {
    let (cpu, random) = (Cpu::detect(), || Random::new(2));
    for &scheme in scheme::ALL {
        let run = run(scheme);
        let Scheme { public_key: pk, private_key: sk, ciphertext: ct, shared_key: ss, .. } = *scheme;

        refused("public key", pk, &[0, sk], |n, out| {
            out[0] = vec![0xa5; n];
            let [public, private] = out else { panic!("two results") };
            (scheme.generate)(cpu, &mut random(), public, private)
        });
        refused("private key", sk, &[pk, 0], |n, out| {
            out[1] = vec![0xa5; n];
            let [public, private] = out else { panic!("two results") };
            (scheme.generate)(cpu, &mut random(), public, private)
        });
        if let Some(seed) = &scheme.seed {
            refused("seed", seed.bytes, &[pk, sk], |n, out| {
                let [public, private] = out else { panic!("two results") };
                (seed.expand)(cpu, &resized(&run.seed, n), public, private)
            });
        }
        refused("public key", pk, &[], |n, _| (scheme.check_public_key)(cpu, &resized(&run.public, n)));
        if let Some(public_key_of) = scheme.public_key_of {
            refused("private key", sk, &[pk], |n, out| {
                public_key_of(cpu, &resized(&run.private, n), &mut out[0])
            });
        }
        refused("public key", pk, &[ct, ss], |n, out| {
            let [ciphertext, shared] = out else { panic!("two results") };
            (scheme.encapsulate)(cpu, &resized(&run.public, n), &mut random(), ciphertext, shared)
        });
        refused("shared key", ss, &[ct, 0], |n, out| {
            out[1] = vec![0xa5; n];
            let [ciphertext, shared] = out else { panic!("two results") };
            (scheme.encapsulate)(cpu, &run.public, &mut random(), ciphertext, shared)
        });
        refused("private key", sk, &[ss], |n, out| {
            (scheme.decapsulate)(cpu, &resized(&run.private, n), &run.ciphertext, &mut out[0])
        });
        refused("ciphertext", ct, &[ss], |n, out| {
            (scheme.decapsulate)(cpu, &run.private, &resized(&run.ciphertext, n), &mut out[0])
        });
    }
}

/// Protects: the list's functions against each other: a seed's keys, the public key of a private one, the
/// shared key.
#[test]
fn functions_of_the_list_agree() {
    let cpu = Cpu::detect();
    for &scheme in scheme::ALL {
        let run = run(scheme);
        let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
        (scheme.generate)(cpu, &mut Random::new(1), &mut public, &mut private).expect("lengths");
        assert!(
            public == run.public && private == run.private,
            "{}: a key is that of the seed drawn",
            scheme.name
        );
        if let Some(public_key_of) = scheme.public_key_of {
            public.fill(0);
            public_key_of(cpu, &private, &mut public).expect("a key");
            assert_eq!(public, run.public, "{}", scheme.name);
        }
        (scheme.check_public_key)(cpu, &public).expect("a key");
        let mut shared = vec![0; scheme.shared_key];
        (scheme.decapsulate)(cpu, &private, &run.ciphertext, &mut shared).expect("a key");
        assert_eq!(shared, run.shared, "{}", scheme.name);
    }
}

/// Protects: the modulus check of section 7.2, at every coefficient, in a public key and in the one inside a
/// private key; the coefficient below the modulus is a key, so the check is no stricter than the standard.
#[test]
fn coefficients_above_the_modulus() {
    let cpu = Cpu::detect();
    for scheme in ml_kem() {
        let run = run(scheme);
        let coefficients = (scheme.public_key - 32) / 3 * 2;
        let inside = scheme.private_key - scheme.public_key - 64;
        for place in (0..coefficients).step_by(sampled(61)).chain([coefficients - 1]) {
            for value in [Q, Q + 1, LARGEST] {
                let mut public = run.public.clone();
                set_coefficient(&mut public, place, value);
                let refused = (scheme.check_public_key)(cpu, &public);
                assert_eq!(refused, Err(SchemeError::InvalidKey), "{}: {value} at {place}", scheme.name);
            }
            let mut private = run.private.clone();
            set_coefficient(&mut private[inside..], place, Q);
            let public_key_of = scheme.public_key_of.expect("ML-KEM's private keys hold the public one");
            let refused = public_key_of(cpu, &private, &mut vec![0; scheme.public_key]);
            assert_eq!(refused, Err(SchemeError::InvalidKey), "{}: private key, {place}", scheme.name);
            let mut public = run.public.clone();
            set_coefficient(&mut public, place, Q - 1);
            (scheme.check_public_key)(cpu, &public).expect("a coefficient below the modulus");
        }
    }
}

/// Protects: the hash check of section 7.3: a private key with any byte of its public key or of its hash
/// changed is refused. Its other bytes are the secret, of which the standard checks nothing.
#[test]
fn changed_private_keys() {
    let cpu = Cpu::detect();
    // All but NewHope's CPA and NTRU, whose private keys hold the secret alone, and NTRU Prime, whose secret
    // is checked too.
    let is_ntru = |scheme: &Scheme| scheme.name.starts_with("ntruh");
    let checks_the_hash =
        |scheme: &&Scheme| scheme.public_key_of.is_some() && !is_ntru_prime(scheme) && !is_ntru(scheme);
    for scheme in scheme::ALL.iter().copied().filter(checks_the_hash) {
        let run = run(scheme);
        let secret = scheme.private_key - scheme.public_key - 64;
        let mut shared = vec![0; scheme.shared_key];
        for place in (0..scheme.private_key).step_by(sampled(37)) {
            let mut private = run.private.clone();
            private[place] ^= 1 << (place % 8);
            let result = (scheme.decapsulate)(cpu, &private, &run.ciphertext, &mut shared);
            let checked = (secret..scheme.private_key - 32).contains(&place);
            let expected = if checked { Err(SchemeError::InvalidKey) } else { Ok(()) };
            assert_eq!(result, expected, "{}: byte {place}", scheme.name);
        }
    }
}

fn is_ntru_prime(scheme: &Scheme) -> bool {
    ["sntrup", "ntrulpr"].iter().any(|family| scheme.name.starts_with(family))
}

/// A set of NTRU Prime by its name: whether it is a streamlined one, its degree, and where in a private key
/// the bytes are that a rejected ciphertext's key is made of.
fn ntru_prime(scheme: &Scheme) -> (bool, usize, Range<usize>) {
    let streamlined = scheme.name.starts_with("sntrup");
    let degree: usize = scheme.name.trim_start_matches(char::is_alphabetic).parse().expect("a size");
    let small = degree.div_ceil(4);
    let secret = if streamlined { 2 * small } else { small };
    (streamlined, degree, secret + scheme.public_key..scheme.private_key - 32)
}

/// Protects: a private key of NTRU Prime is refused where a small element has a coefficient 2, and by all but
/// decapsulation at once where its public key or its hash are changed; decapsulation then rejects. What a
/// rejected ciphertext's key is made of, between these, may be anything.
#[test]
fn changed_private_keys_of_ntru_prime() {
    let cpu = Cpu::detect();
    for scheme in scheme::ALL.iter().copied().filter(|scheme| is_ntru_prime(scheme)) {
        let run = run(scheme);
        let (streamlined, degree, rejected) = ntru_prime(scheme);
        let (small, secret) = (degree.div_ceil(4), rejected.start - scheme.public_key);
        let mut shared = vec![0; scheme.shared_key];
        for place in (0..scheme.private_key).step_by(sampled(37)) {
            let mut private = run.private.clone();
            private[place] ^= 1 << (place % 8);
            let result = (scheme.decapsulate)(cpu, &private, &run.ciphertext, &mut shared);
            // Bits behind the last coefficient are not looked at.
            let coefficients = if place % small == small - 1 { (degree - 1) % 4 + 1 } else { 4 };
            let is_small = (0..coefficients).all(|i| (private[place] >> (2 * i)) & 3 != 3);
            let refused = |wrong: bool| if wrong { Err(SchemeError::InvalidKey) } else { Ok(()) };
            let (in_secret, in_public) = (place < secret, place >= secret && !rejected.contains(&place));
            assert_eq!(result, refused(in_secret && !is_small), "{}: byte {place}", scheme.name);
            // NTRU LPRime rounds its products with the public key: a small change may be lost.
            let rejects = in_public && (streamlined || place >= rejected.end);
            assert!(!rejects || shared != run.shared, "{}: byte {place}", scheme.name);
            let read = scheme.public_key_of.expect("a private key of NTRU Prime tells its public key");
            let read = read(cpu, &private, &mut vec![0; scheme.public_key]);
            assert_eq!(read, refused(in_secret && !is_small || in_public), "{}: byte {place}", scheme.name);
        }
    }
}

/// The key of a rejected ciphertext of NTRU Prime (round 3, section 3.6): the hash of 0, of what the private
/// key has for it (hashed itself in the streamlined sets), and of the ciphertext.
fn rejected_key(scheme: &Scheme, private: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    let (streamlined, _, rejected) = ntru_prime(scheme);
    let secret = &private[rejected];
    let secret = if streamlined { hash(3, &[secret]) } else { secret.to_vec() };
    hash(0, &[&secret, ciphertext])
}

/// A ciphertext for a public key, and its shared key.
fn encapsulated(scheme: &Scheme, public: &[u8], seed: u64) -> [Vec<u8>; 2] {
    let (mut ciphertext, mut shared) = (vec![0; scheme.ciphertext], vec![0; scheme.shared_key]);
    (scheme.encapsulate)(Cpu::detect(), public, &mut Random::new(seed), &mut ciphertext, &mut shared)
        .expect("lengths of the scheme");
    [ciphertext, shared]
}

fn decapsulated(scheme: &Scheme, cpu: Cpu, private: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    let mut shared = vec![0; scheme.shared_key];
    (scheme.decapsulate)(cpu, private, ciphertext, &mut shared).expect("lengths of the scheme");
    shared
}

/// All that can be put together of the parts of two ciphertexts for one key, and is neither of them.
fn mixed(set: Set, one: &[u8], other: &[u8]) -> Vec<Vec<u8>> {
    let parts = set.parts(one.len());
    let mix = |choice: usize| {
        let (mut mixed, mut at) = (Vec::new(), 0);
        for (i, length) in parts.iter().enumerate() {
            let from = if (choice >> i) & 1 == 0 { one } else { other };
            mixed.extend(&from[at..at + length]);
            at += length;
        }
        mixed
    };
    (1..(1 << parts.len()) - 1).map(mix).collect()
}

/// A ciphertext whose rounded element has other writings, in all of these, and its shared key. The last bytes
/// do not always leave room.
fn other_writings(scheme: &Scheme, set: Set, public: &[u8]) -> (Vec<Vec<u8>>, Vec<u8>) {
    let written = |seed| {
        let [ciphertext, shared] = encapsulated(scheme, public, seed);
        let (body, rest) = ciphertext.split_at(set.parts(ciphertext.len())[0]);
        let others = aliases(body, &set.rounded()).into_iter().map(|body| [&body, rest].concat());
        (others.collect::<Vec<_>>(), shared)
    };
    (10..100).map(written).find(|(others, _)| !others.is_empty()).expect("one of them leaves room")
}

/// Ciphertexts that are none for the key of a run, and shared keys of those that they were made from.
fn spoiled(scheme: &Scheme, set: Set, run: &Run) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
    (scheme.generate)(Cpu::detect(), &mut Random::new(3), &mut public, &mut private).expect("lengths");
    let [for_another_key, shared_with_another] = encapsulated(scheme, &public, 1);
    let [second, second_shared] = encapsulated(scheme, &run.public, 4);
    let (others, others_shared) = other_writings(scheme, set, &run.public);
    let mut noise = vec![0; scheme.ciphertext];
    Random::new(5).fill(&mut noise);
    let mut spoiled = vec![vec![0; scheme.ciphertext], vec![0xff; scheme.ciphertext], noise, for_another_key];
    spoiled.extend(mixed(set, &run.ciphertext, &second));
    spoiled.extend(others);
    (spoiled, vec![run.shared.clone(), shared_with_another, second_shared, others_shared])
}

/// Protects: implicit rejection of NTRU Prime, of both families, in every set and on every backend. What was
/// not made for the key has the shared key of the submission's formula, which is that of no ciphertext that
/// it was made from: zeroes, ones, random bytes, a ciphertext for another key, every mixture of the parts of
/// two for this one (the rounded element, the four bits of NTRU LPRime's message, the hash that confirms it),
/// and other writings of the same rounded element, which only the comparison of bytes tells from the
/// ciphertext.
#[test]
fn ciphertexts_of_ntru_prime() {
    for (scheme, set) in sets() {
        let run = run(scheme);
        let (spoiled, accepted) = spoiled(scheme, set, &run);
        for cpu in Cpu::available() {
            assert_eq!(
                decapsulated(scheme, cpu, &run.private, &run.ciphertext),
                run.shared,
                "{}",
                scheme.name
            );
            for (i, ciphertext) in spoiled.iter().enumerate() {
                let shared = decapsulated(scheme, cpu, &run.private, ciphertext);
                let expected = rejected_key(scheme, &run.private, ciphertext);
                assert_eq!(shared, expected, "{}, ciphertext {i}, {cpu:?}", scheme.name);
                assert!(!accepted.contains(&shared), "{}, ciphertext {i}, {cpu:?}", scheme.name);
            }
        }
    }
}

/// Protects: the same of a ciphertext with one bit changed, in every byte; the backends take turns.
#[test]
fn one_bit_of_a_ciphertext_of_ntru_prime() {
    let cpus: Vec<Cpu> = Cpu::available().collect();
    for (scheme, _) in sets() {
        let run = run(scheme);
        let last = scheme.ciphertext - 1;
        let places = (0..scheme.ciphertext).step_by(sampled(29)).chain([last - 32, last]);
        for (place, cpu) in places.zip(cpus.iter().copied().cycle()) {
            let mut changed = run.ciphertext.clone();
            changed[place] ^= 1 << (place % 8);
            let shared = decapsulated(scheme, cpu, &run.private, &changed);
            let expected = rejected_key(scheme, &run.private, &changed);
            assert_eq!(shared, expected, "{}: byte {place}, {cpu:?}", scheme.name);
            assert_ne!(shared, run.shared, "{}: byte {place}, {cpu:?}", scheme.name);
        }
    }
}

/// A key pair whose public key has another writing: both, and the other one.
fn written_otherwise(scheme: &Scheme, set: Set) -> [Vec<u8>; 3] {
    let (before, m) = set.of_public_key();
    let made = |seed| {
        let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
        (scheme.generate)(Cpu::detect(), &mut Random::new(seed), &mut public, &mut private).expect("lengths");
        let other = aliases(&public[before..], &m).pop()?;
        let other = [&public[..before], &other].concat();
        Some([public, private, other])
    };
    (20..120).find_map(made).expect("one of them leaves room")
}

/// Protects: another writing of a public key of NTRU Prime is another key, because the key is hashed: the
/// ciphertexts have the same rounded element and another hash, and each private key rejects what was made for
/// the other writing.
#[test]
fn other_writings_of_public_keys_of_ntru_prime() {
    for (scheme, set) in sets() {
        let [public, private, other] = written_otherwise(scheme, set);
        (scheme.check_public_key)(Cpu::detect(), &other).expect("any bytes are a key");
        let [ciphertext, shared] = encapsulated(scheme, &public, 1);
        let [for_other, shared_with_other] = encapsulated(scheme, &other, 1);
        let confirmed = scheme.ciphertext - 32;
        assert_eq!(ciphertext[..confirmed], for_other[..confirmed], "{}", scheme.name);
        assert_ne!(ciphertext[confirmed..], for_other[confirmed..], "{}", scheme.name);
        // The private key of the other writing, with its hash.
        let rejected = ntru_prime(scheme).2;
        let secret = &private[..rejected.start - public.len()];
        let of_other = [secret, &other, &private[rejected], &hash(4, &[&other])].concat();
        for cpu in Cpu::available() {
            for (key, own, own_shared, others) in [
                (&private, &ciphertext, &shared, &for_other),
                (&of_other, &for_other, &shared_with_other, &ciphertext),
            ] {
                assert_eq!(decapsulated(scheme, cpu, key, own), *own_shared, "{} on {cpu:?}", scheme.name);
                let rejected = decapsulated(scheme, cpu, key, others);
                assert_eq!(rejected, rejected_key(scheme, key, others), "{} on {cpu:?}", scheme.name);
                assert!(rejected != shared && rejected != shared_with_other, "{}", scheme.name);
            }
        }
    }
}

/// Protects: implicit rejection. A ciphertext with one bit changed gives the key of FIPS 203, SHAKE256(z ||
/// c), on every backend: no other value, and never the key of the ciphertext before.
#[test]
fn one_bit_of_a_ciphertext() {
    fn check<S: SeedSet<Seed = [u8; 64], Randomness = [u8; 32]>>(cpu: Cpu) {
        let seed = example_seed();
        let key = DecapsulationKey::<S>::from_seed_on(cpu, &seed);
        let (ciphertext, shared) = key.encapsulation_key().encapsulate_deterministic(&[9; 32]);
        assert_eq!(key.decapsulate(&ciphertext), shared);
        let bits = 8 * S::CiphertextBytes::LEN;
        // A step without a common divisor with the bits of a coefficient: every position in a byte and in a
        // coefficient.
        for bit in (0..bits).step_by(29 * sampled(7)).chain([1, bits - 1]) {
            let mut changed = ciphertext;
            changed.as_mut()[bit / 8] ^= 1 << (bit % 8);
            let expected: [u8; 32] =
                Shake256::new_on(cpu).absorb(&seed[32..]).absorb(changed.as_ref()).digest();
            assert_eq!(key.decapsulate(&changed), expected, "{}: bit {bit}, {cpu:?}", S::NAME);
            assert_ne!(shared, expected);
        }
    }
    for cpu in Cpu::available() {
        check::<MlKem512>(cpu);
        check::<MlKem768>(cpu);
        check::<MlKem1024>(cpu);
    }
}

/// Protects: a failure is the same value and the same words, whichever check failed.
#[test]
fn one_error() {
    fn check<S: SeedSet<Seed = [u8; 64], PublicError = InvalidKey>>() {
        let cpu = Cpu::detect();
        let good = DecapsulationKey::<S>::from_seed_on(cpu, &example_seed());
        let (bytes, public) = (good.to_bytes(), good.encapsulation_key().to_bytes());
        let secret = S::PrivateBytes::LEN - S::PublicBytes::LEN - 64;
        let broken = |change: fn(&mut [u8], usize)| {
            let mut bytes = bytes.clone();
            change(bytes.as_mut(), secret);
            DecapsulationKey::<S>::from_bytes_on(cpu, &bytes).err()
        };
        let mut large = public;
        set_coefficient(large.as_mut(), 0, Q);
        let errors = [
            EncapsulationKey::<S>::from_bytes_on(cpu, &large).err(),
            // The first and the last coefficient of the public key, its seed, its hash.
            broken(|bytes, secret| set_coefficient(&mut bytes[secret..], 0, LARGEST)),
            broken(|bytes, secret| bytes[secret] ^= 1),
            broken(|bytes, _| bytes[S::PrivateBytes::LEN - 65] ^= 1),
            broken(|bytes, _| bytes[S::PrivateBytes::LEN - 64] ^= 1),
            broken(|bytes, _| bytes[S::PrivateBytes::LEN - 33] ^= 128),
            broken(|bytes, _| bytes.fill(0)),
            broken(|bytes, _| bytes.fill(0xff)),
        ];
        assert!(errors.iter().all(|error| *error == Some(InvalidKey)), "{}: {errors:?}", S::NAME);
        let words: Vec<String> = errors.iter().flatten().map(ToString::to_string).collect();
        assert!(words.iter().all(|text| *text == words[0] && !text.contains('\n')));
    }
    check::<MlKem512>();
    check::<MlKem768>();
    check::<MlKem1024>();
}
