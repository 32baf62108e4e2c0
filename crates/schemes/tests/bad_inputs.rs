//! What bytes that are no keys, and ciphertexts that nobody made, do.

mod shared;

use ringsmith_hash::Shake256;
use ringsmith_oracle::Random;
use ringsmith_schemes::ml_kem::{InvalidKey, ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith_schemes::scheme::{self, Scheme, SchemeError};
use ringsmith_simd::Cpu;
use sha2::{Digest, Sha512};
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

/// Protects: every argument of every function of a scheme, of a wrong length, is one error that says which, and nothing is written.
#[test]
fn lengths() {
    let (cpu, random) = (Cpu::detect(), || Random::new(2));
    for scheme in scheme::ALL {
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

/// Protects: the list's functions against each other: a seed's keys, the public key of a private one, the shared key.
#[test]
fn functions_of_the_list_agree() {
    let cpu = Cpu::detect();
    for scheme in scheme::ALL {
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

/// Protects: the modulus check of section 7.2, at every coefficient, in a public key and in the one inside a private key; the
/// coefficient below the modulus is a key, so the check is no stricter than the standard.
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

/// Protects: the hash check of section 7.3: a private key with any byte of its public key or of its hash changed is refused. Its other
/// bytes are the secret, of which the standard checks nothing.
#[test]
fn changed_private_keys() {
    let cpu = Cpu::detect();
    // All but NewHope's CPA, whose private keys hold the secret alone, and NTRU Prime, whose secret is checked too.
    let checks_the_hash = |scheme: &&Scheme| scheme.public_key_of.is_some() && !is_ntru_prime(scheme);
    for scheme in scheme::ALL.into_iter().filter(checks_the_hash) {
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

/// A set of NTRU Prime by its name: whether it is a streamlined one, its degree, and where in a private key the bytes
/// are that a rejected ciphertext's key is made of.
fn ntru_prime(scheme: &Scheme) -> (bool, usize, Range<usize>) {
    let streamlined = scheme.name.starts_with("sntrup");
    let degree: usize = scheme.name.trim_start_matches(char::is_alphabetic).parse().expect("a size");
    let small = degree.div_ceil(4);
    let secret = if streamlined { 2 * small } else { small };
    (streamlined, degree, secret + scheme.public_key..scheme.private_key - 32)
}

/// Protects: a private key of NTRU Prime is refused where a small element has a coefficient 2, and by all but decapsulation at once where
/// its public key or its hash are changed; decapsulation then rejects. What a rejected ciphertext's key is made of, between these, may be
/// anything.
#[test]
fn changed_private_keys_of_ntru_prime() {
    let cpu = Cpu::detect();
    for scheme in scheme::ALL.into_iter().filter(|scheme| is_ntru_prime(scheme)) {
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

/// Protects: implicit rejection of NTRU Prime: a ciphertext with one bit changed, a random one, and one of zeroes or ones have a shared
/// key that is not that of the ciphertext before: on every backend the hash of 0, of what the private key has for it (hashed itself in
/// the streamlined sets), and of the ciphertext (round 3, section 3.6).
#[test]
fn ciphertexts_of_ntru_prime() {
    let hash = |byte: u8, parts: [&[u8]; 2]| -> Vec<u8> {
        Sha512::new_with_prefix([byte]).chain_update(parts[0]).chain_update(parts[1]).finalize()[..32]
            .to_vec()
    };
    for scheme in scheme::ALL.into_iter().filter(|scheme| is_ntru_prime(scheme)) {
        let run = run(scheme);
        let bits = 8 * scheme.ciphertext;
        let mut changed: Vec<Vec<u8>> = (0..bits)
            .step_by(997 * sampled(7))
            .chain([bits - 1, bits - 32 * 8, bits - 32 * 8 - 1])
            .map(|bit| {
                let mut changed = run.ciphertext.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                changed
            })
            .collect();
        changed.extend([vec![0; scheme.ciphertext], vec![0xff; scheme.ciphertext]]);
        let (streamlined, _, rejected) = ntru_prime(scheme);
        let secret = &run.private[rejected];
        let secret = if streamlined { hash(3, [secret, &[]]) } else { secret.to_vec() };
        for ciphertext in changed {
            let expected = hash(0, [&secret, &ciphertext]);
            assert_ne!(expected, run.shared, "{}", scheme.name);
            for cpu in Cpu::available() {
                let mut shared = vec![0; scheme.shared_key];
                (scheme.decapsulate)(cpu, &run.private, &ciphertext, &mut shared)
                    .expect("lengths of the scheme");
                assert_eq!(shared, expected, "{} on {cpu:?}", scheme.name);
            }
        }
    }
}

/// Protects: implicit rejection. A ciphertext with one bit changed gives the key of FIPS 203, SHAKE256(z || c), on every backend:
/// no other value, and never the key of the ciphertext before.
#[test]
fn one_bit_of_a_ciphertext() {
    macro_rules! check {
        ($set:ident, $marker:ident) => {
            for cpu in Cpu::available() {
                let seed = example_seed();
                let key = $set::DecapsulationKey::from_seed(cpu, &seed);
                let (ciphertext, shared) = key.encapsulation_key().encapsulate_deterministic(&[9; 32]);
                assert_eq!(key.decapsulate(&ciphertext), shared);
                let bits = 8 * $set::CT_BYTES;
                // A step without a common divisor with the bits of a coefficient: every position in a byte and in a coefficient.
                for bit in (0..bits).step_by(29 * sampled(7)).chain([1, bits - 1]) {
                    let mut changed = ciphertext;
                    changed[bit / 8] ^= 1 << (bit % 8);
                    let expected: [u8; 32] = Shake256::new(cpu).absorb(&seed[32..]).absorb(&changed).digest();
                    assert_eq!(key.decapsulate(&changed), expected, "{}: bit {bit}, {cpu:?}", stringify!($set));
                    assert_ne!(expected, shared);
                }
            }
        };
    }
    for_each_set!(check);
}

/// Protects: a failure is the same value and the same words, whichever check failed.
#[test]
fn one_error() {
    macro_rules! check {
        ($set:ident, $marker:ident) => {{
            let cpu = Cpu::detect();
            let good = $set::DecapsulationKey::from_seed(cpu, &example_seed());
            let (bytes, public) = (good.to_bytes(), good.encapsulation_key().to_bytes());
            let secret = $set::DK_BYTES - $set::EK_BYTES - 64;
            let broken = |change: fn(&mut [u8], usize)| {
                let mut bytes = bytes.clone();
                change(bytes.as_mut_slice(), secret);
                $set::DecapsulationKey::from_bytes(cpu, &bytes).err()
            };
            let mut large = public;
            set_coefficient(&mut large, 0, Q);
            let errors = [
                $set::EncapsulationKey::from_bytes(cpu, &large).err(),
                // The first and the last coefficient of the public key, its seed, its hash.
                broken(|bytes, secret| set_coefficient(&mut bytes[secret..], 0, LARGEST)),
                broken(|bytes, secret| bytes[secret] ^= 1),
                broken(|bytes, _| bytes[$set::DK_BYTES - 65] ^= 1),
                broken(|bytes, _| bytes[$set::DK_BYTES - 64] ^= 1),
                broken(|bytes, _| bytes[$set::DK_BYTES - 33] ^= 128),
                broken(|bytes, _| bytes.fill(0)),
                broken(|bytes, _| bytes.fill(0xff)),
            ];
            assert!(errors.iter().all(|error| *error == Some(InvalidKey)), "{errors:?}");
            let words: Vec<String> = errors.iter().flatten().map(ToString::to_string).collect();
            assert!(words.iter().all(|text| *text == words[0] && !text.contains('\n')));
        }};
    }
    for_each_set!(check);
}
