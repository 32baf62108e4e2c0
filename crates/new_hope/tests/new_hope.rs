//! NewHope and NewHope-Compact: what bytes that were not made as they should be give. Its known answers are
//! in the test kit.

use rand_core::CryptoRng;
use ringsmith_hash::Shake256;
use ringsmith_kem::scheme::InvalidKey;
use ringsmith_new_hope::{cca_512, cca_1024, compact_512, compact_768, compact_1024, cpa_512, cpa_1024};
use ringsmith_oracle::Generator;
use ringsmith_simd::Cpu;

/// Bytes that count up from `next`: a test knows what was drawn.
fn counting(mut next: u8) -> impl CryptoRng {
    Generator(move |out: &mut [u8]| {
        out.iter_mut().for_each(|byte| {
            *byte = next;
            next = next.wrapping_add(1);
        });
    })
}

macro_rules! for_each_set {
    ($check:ident) => {
        $check!(cca_512);
        $check!(cca_1024);
        $check!(compact_512);
        $check!(compact_768);
        $check!(compact_1024);
    };
}

fn shake(cpu: Cpu, parts: [&[u8]; 2]) -> [u8; 32] {
    let mut out = [0; 32];
    Shake256::new(cpu).absorb(parts[0]).absorb(parts[1]).reader().squeeze(&mut out);
    out
}

/// Protects: implicit rejection. A ciphertext with one bit changed, in each of its parts, gives the key that
/// only the private key's holder knows, on every backend.
#[test]
fn one_bit_of_a_ciphertext() {
    macro_rules! check {
        ($set:ident) => {
            for cpu in Cpu::available() {
                let key = $set::DecapsulationKey::generate(cpu, &mut counting(0));
                let (ciphertext, shared) = key.encapsulation_key().encapsulate(&mut counting(9));
                assert_eq!(key.decapsulate(&ciphertext), shared);
                // The second 32 bytes that were drawn.
                let z: [u8; 32] = std::array::from_fn(|i| 32 + i as u8);
                let bits = 8 * $set::CT_BYTES;
                for bit in (0..bits).step_by(301).chain([bits - 1]) {
                    let mut changed = ciphertext;
                    changed[bit / 8] ^= 1 << (bit % 8);
                    let expected = shake(cpu, [&z, &shake(cpu, [&changed, &[]])]);
                    assert_eq!(key.decapsulate(&changed), expected, "{} bit {bit} {cpu:?}", stringify!($set));
                    assert_ne!(expected, shared);
                }
            }
        };
    }
    for_each_set!(check);
}

/// Protects: any bytes are a public key, as in the submission's code, and every backend takes its numbers
/// modulo q.
#[test]
fn any_public_key() {
    macro_rules! check {
        ($set:ident) => {
            for byte in [0xff, 0xa5, 0] {
                let answers: Vec<_> = Cpu::available()
                    .map(|cpu| {
                        let key = $set::EncapsulationKey::from_bytes(cpu, &[byte; $set::EK_BYTES]);
                        assert_eq!(key.to_bytes(), [byte; $set::EK_BYTES]);
                        key.encapsulate(&mut counting(1))
                    })
                    .collect();
                assert!(answers.iter().all(|answer| *answer == answers[0]), "{}", stringify!($set));
            }
        };
    }
    for_each_set!(check);
}

/// Protects: a private key comes back from its bytes; one whose public key or hash was altered is refused.
#[test]
fn private_keys() {
    macro_rules! check {
        ($set:ident) => {
            let cpu = Cpu::detect();
            let key = $set::DecapsulationKey::generate(cpu, &mut counting(0));
            let bytes = key.to_bytes();
            let again = $set::DecapsulationKey::from_bytes(cpu, &bytes).expect("a key");
            assert_eq!(again.to_bytes(), bytes);
            assert_eq!(again.encapsulation_key(), key.encapsulation_key());
            let (ciphertext, shared) = key.encapsulation_key().encapsulate(&mut counting(9));
            assert_eq!(again.decapsulate(&ciphertext), shared);
            let public = $set::DK_BYTES - 64 - $set::EK_BYTES;
            for place in [public, $set::DK_BYTES - 65, $set::DK_BYTES - 64, $set::DK_BYTES - 33] {
                let mut altered = bytes.clone();
                altered[place] ^= 1;
                let refused = $set::DecapsulationKey::from_bytes(cpu, &altered);
                assert!(matches!(refused, Err(InvalidKey)), "{} byte {place}", stringify!($set));
            }
        };
    }
    for_each_set!(check);
}

/// Protects: a key that is used once, from its bytes, gives what an expanded one gives, on every backend.
#[test]
fn in_one_call() {
    macro_rules! check {
        ($set:ident) => {
            for cpu in Cpu::available() {
                let key = $set::DecapsulationKey::generate(cpu, &mut counting(0));
                let public = key.encapsulation_key().to_bytes();
                let made = key.encapsulation_key().encapsulate(&mut counting(9));
                let once = $set::EncapsulationKey::encapsulate_once(cpu, &public, &mut counting(9));
                assert_eq!(once, made, "{} {cpu:?}", stringify!($set));
                let read = $set::DecapsulationKey::decapsulate_once(cpu, &key.to_bytes(), &made.0);
                assert_eq!(read.expect("a key"), made.1, "{} {cpu:?}", stringify!($set));
            }
        };
    }
    for_each_set!(check);
}

/// Protects: every domain of a set gives the same bytes: of a ciphertext, of shared keys; one with another
/// order is refused.
#[test]
fn domains() {
    use ringsmith_ring::WhyNot;
    use ringsmith_routes::new_hope::*;
    macro_rules! check {
        ($set:ident, $domains:ident, $others:ident) => {
            for cpu in Cpu::available() {
                let key = || $set::DecapsulationKey::generate(cpu, &mut counting(0));
                let bytes = key().to_bytes();
                let made = key().encapsulation_key().encapsulate(&mut counting(9));
                for domain in $domains {
                    let (route, key) =
                        (domain.route, key().with_domain(domain).expect("a domain of the set"));
                    assert_eq!(key.encapsulation_key().route(), route);
                    assert_eq!(key.to_bytes(), bytes);
                    assert_eq!(
                        key.encapsulation_key().encapsulate(&mut counting(9)),
                        made,
                        "{route} {cpu:?}"
                    );
                    assert_eq!(key.decapsulate(&made.0), made.1, "{route} {cpu:?}");
                }
                assert_eq!(key().with_domain($others[0]).err(), Some(WhyNot::Order));
            }
        };
    }
    check!(cca_512, NEW_HOPE_512_DOMAINS, COMPACT_512_DOMAINS);
    check!(cca_1024, NEW_HOPE_1024_DOMAINS, LONGA_NAEHRIG_DOMAINS);
    check!(cpa_512, NEW_HOPE_512_DOMAINS, COMPACT_512_DOMAINS);
    check!(cpa_1024, NEW_HOPE_1024_DOMAINS, COMPACT_1024_DOMAINS);
    check!(compact_512, COMPACT_512_DOMAINS, NEW_HOPE_512_DOMAINS);
    check!(compact_1024, COMPACT_1024_DOMAINS, NEW_HOPE_1024_DOMAINS);
    for cpu in Cpu::available() {
        let key = || compact_768::DecapsulationKey::generate(cpu, &mut counting(0));
        let expected = key().encapsulation_key().encapsulate(&mut counting(9));
        for domain in COMPACT_768_DOMAINS {
            let key = key().with_domain(domain).expect("a domain of the set");
            assert_eq!(key.encapsulation_key().encapsulate(&mut counting(9)), expected, "{cpu:?}");
            assert_eq!(key.decapsulate(&expected.0), expected.1, "{cpu:?}");
        }
    }
}

/// Protects: what NewHope-Compact's reference emits is understood: where a coefficient of a ciphertext is 0,
/// it may write q, and the shared key is the one of the bytes that were sent. Other numbers from q on are
/// rejected.
#[test]
fn coefficients_that_are_the_modulus() {
    macro_rules! check {
        ($set:ident, $q:literal) => {
            for cpu in Cpu::available() {
                // The first ciphertext with an even coefficient of 0.
                let (key, mut tried) = ($set::DecapsulationKey::generate(cpu, &mut counting(0)), 0);
                let (ciphertext, at) = loop {
                    let (ciphertext, _) = key.encapsulation_key().encapsulate_deterministic(&[tried; 32]);
                    let u = &ciphertext[..$set::EK_BYTES - 32];
                    match u.chunks(3).position(|bytes| bytes[0] == 0 && bytes[1] & 15 == 0) {
                        Some(at) => break (ciphertext, 3 * at),
                        None => tried += 1,
                    }
                };
                let with = |number: u16| {
                    let mut changed = ciphertext;
                    changed[at] = number as u8;
                    changed[at + 1] |= (number >> 8) as u8;
                    changed
                };
                // The key is K, which is in all bytes that decapsulate to it, hashed with the ciphertext;
                // rejected, it is z.
                let z: [u8; 32] = std::array::from_fn(|i| 32 + i as u8);
                let rejected = |sent: &[u8]| shake(cpu, [&z, &shake(cpu, [sent, &[]])]);
                let same = with($q);
                assert_ne!(key.decapsulate(&same), rejected(&same), "{} {cpu:?}", stringify!($set));
                assert_ne!(key.decapsulate(&same), key.decapsulate(&ciphertext));
                for number in [1, $q + 1, 4095] {
                    let other = with(number);
                    assert_eq!(key.decapsulate(&other), rejected(&other), "{number} {cpu:?}");
                }
            }
        };
    }
    check!(compact_512, 3329);
    check!(compact_768, 3457);
    check!(compact_1024, 3329);
}

/// Protects: the submission's code writes no number from q on, and rejects a ciphertext that has q where it
/// would write 0.
#[test]
fn the_modulus_is_no_zero_in_the_submission() {
    for cpu in Cpu::available() {
        let (key, mut tried) = (cca_512::DecapsulationKey::generate(cpu, &mut counting(0)), 0u8);
        // The first ciphertext with a first coefficient of four in 56 bits that is 0.
        let (ciphertext, at) = loop {
            let (ciphertext, _) = key.encapsulation_key().encapsulate_deterministic(&[tried; 32]);
            let u = &ciphertext[..cca_512::EK_BYTES - 32];
            match u.chunks(7).position(|bytes| bytes[0] == 0 && bytes[1] & 0x3f == 0) {
                Some(at) => break (ciphertext, 7 * at),
                None => {
                    tried = tried.checked_add(1).expect("a coefficient is 0 in one ciphertext of a hundred")
                }
            }
        };
        let mut changed = ciphertext;
        (changed[at], changed[at + 1]) = (12289u16 as u8, changed[at + 1] | (12289u16 >> 8) as u8);
        let z: [u8; 32] = std::array::from_fn(|i| 32 + i as u8);
        assert_eq!(key.decapsulate(&changed), shake(cpu, [&z, &shake(cpu, [&changed, &[]])]), "{cpu:?}");
    }
}
