//! NewHope and NewHope-Compact: what bytes that were not made as they should be give. Its known answers are
//! in the test kit.

use rand_core::CryptoRng;
use ringsmith_hash::Shake256;
use ringsmith_kem::keys::{DecapsulationKey, EncapsulationKey, OneTimeKey, SecretKey};
use ringsmith_kem::scheme::InvalidKey;
use ringsmith_kem::set::{Bytes, CcaSet, CpaSet, KemSet};
use ringsmith_new_hope::{
    NewHopeCca512, NewHopeCca1024, NewHopeCompact512, NewHopeCompact768, NewHopeCompact1024, NewHopeCpa512,
    NewHopeCpa1024, cca_512,
};
use ringsmith_oracle::Generator;
use ringsmith_ring::{Domain, DomainEntry, Order, Ring};
use ringsmith_routes::new_hope::{
    COMPACT_512_DOMAINS, COMPACT_768_DOMAINS, COMPACT_1024_DOMAINS, NEW_HOPE_512_DOMAINS,
    NEW_HOPE_1024_DOMAINS,
};
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

/// The second 32 bytes that key generation draws: what a rejected ciphertext's key is made of.
fn z() -> [u8; 32] {
    std::array::from_fn(|i| 32 + i as u8)
}

/// Calls a check for every set that is secure against chosen ciphertexts.
macro_rules! for_each_set {
    ($check:ident) => {
        $check::<NewHopeCca512>();
        $check::<NewHopeCca1024>();
        $check::<NewHopeCompact512>();
        $check::<NewHopeCompact768>();
        $check::<NewHopeCompact1024>();
    };
}

fn shake(cpu: Cpu, parts: [&[u8]; 2]) -> [u8; 32] {
    let mut out = [0; 32];
    Shake256::new_on(cpu).absorb(parts[0]).absorb(parts[1]).reader().squeeze(&mut out);
    out
}

/// The shared key of a rejected ciphertext.
fn rejected(cpu: Cpu, ciphertext: &impl Bytes) -> [u8; 32] {
    shake(cpu, [&z(), &shake(cpu, [ciphertext.as_ref(), &[]])])
}

fn key<S: CcaSet>(cpu: Cpu) -> DecapsulationKey<S> {
    DecapsulationKey::generate_on(cpu, &mut counting(0))
}

/// Protects: implicit rejection. A ciphertext with one bit changed, in each of its parts, gives the key that
/// only the private key's holder knows, on every backend.
#[test]
fn one_bit_of_a_ciphertext() {
    fn check<S: CcaSet>() {
        for cpu in Cpu::available() {
            let key = key::<S>(cpu);
            let (ciphertext, shared) = key.encapsulation_key().encapsulate(&mut counting(9));
            assert_eq!(key.decapsulate(&ciphertext), shared);
            let bits = 8 * S::CiphertextBytes::LEN;
            for bit in (0..bits).step_by(301).chain([bits - 1]) {
                let mut changed = ciphertext;
                changed.as_mut()[bit / 8] ^= 1 << (bit % 8);
                let expected = rejected(cpu, &changed);
                assert_eq!(key.decapsulate(&changed), expected, "{} bit {bit} {cpu:?}", S::NAME);
                assert_ne!(shared, expected);
            }
        }
    }
    for_each_set!(check);
}

/// Protects: any bytes are a public key, as in the submission's code, and every backend takes its numbers
/// modulo q.
#[test]
fn any_public_key() {
    fn check<S: CcaSet>() {
        for byte in [0xff, 0xa5, 0] {
            let mut bytes = S::PublicBytes::ZERO;
            bytes.as_mut().fill(byte);
            let answers: Vec<_> = Cpu::available()
                .map(|cpu| {
                    let key = EncapsulationKey::<S>::from_bytes_on(cpu, &bytes).expect("any bytes are a key");
                    assert_eq!(key.to_bytes(), bytes);
                    key.encapsulate(&mut counting(1))
                })
                .collect();
            assert!(answers.iter().all(|answer| *answer == answers[0]), "{}", S::NAME);
        }
    }
    for_each_set!(check);
}

/// Protects: a private key comes back from its bytes; one whose public key or hash was altered is refused.
#[test]
fn private_keys() {
    fn check<S: CcaSet>() {
        let cpu = Cpu::detect();
        let key = key::<S>(cpu);
        let bytes = key.to_bytes();
        let again = DecapsulationKey::<S>::from_bytes_on(cpu, &bytes).expect("a key");
        assert_eq!(again.to_bytes(), bytes);
        assert_eq!(again.encapsulation_key(), key.encapsulation_key());
        let (ciphertext, shared) = key.encapsulation_key().encapsulate(&mut counting(9));
        assert_eq!(again.decapsulate(&ciphertext), shared);
        let length = S::PrivateBytes::LEN;
        let public = length - 64 - S::PublicBytes::LEN;
        for place in [public, length - 65, length - 64, length - 33] {
            let mut altered = bytes.clone();
            (*altered).as_mut()[place] ^= 1;
            let refused = DecapsulationKey::<S>::from_bytes_on(cpu, &altered);
            assert!(matches!(refused, Err(InvalidKey)), "{} byte {place}", S::NAME);
        }
    }
    for_each_set!(check);
}

/// Protects: a key that is used once, from its bytes, gives what an expanded one gives, on every backend.
#[test]
fn in_one_call() {
    fn check<S: CcaSet>() {
        for cpu in Cpu::available() {
            let key = key::<S>(cpu);
            let public = key.encapsulation_key().to_bytes();
            let made = key.encapsulation_key().encapsulate(&mut counting(9));
            let once = EncapsulationKey::<S>::encapsulate_once_on(cpu, &public, &mut counting(9));
            assert_eq!(once.expect("any bytes are a key"), made, "{} {cpu:?}", S::NAME);
            let read = DecapsulationKey::<S>::decapsulate_once_on(cpu, &key.to_bytes(), &made.0);
            assert_eq!(read.expect("a key"), made.1, "{} {cpu:?}", S::NAME);
        }
    }
    for_each_set!(check);
}

/// A public key by another domain makes the same ciphertext and shared key.
fn public_domains<S: KemSet<Way = Domain<R, O>>, R: Ring, O: Order>(
    cpu: Cpu,
    public: &EncapsulationKey<S>,
    domains: &[&'static DomainEntry<R, O>],
) {
    let made = public.encapsulate(&mut counting(9));
    for domain in domains {
        let way = Domain::by_on(cpu, domain);
        let key = EncapsulationKey::<S>::from_bytes_by(way, &public.to_bytes()).expect("a key");
        assert_eq!(key.way().route(), domain.route());
        assert_eq!(key.encapsulate(&mut counting(9)), made, "{} {} {cpu:?}", S::NAME, domain.route());
    }
}

/// Protects: every domain of a set gives the same bytes: of keys, of a ciphertext, of shared keys.
#[test]
fn domains() {
    fn cca<S: CcaSet<Way = Domain<R, O>>, R: Ring, O: Order>(domains: &[&'static DomainEntry<R, O>]) {
        for cpu in Cpu::available() {
            let planned = key::<S>(cpu);
            let (bytes, public) = (planned.to_bytes(), planned.encapsulation_key());
            let (ciphertext, shared) = public.encapsulate(&mut counting(9));
            public_domains(cpu, public, domains);
            for domain in domains {
                let (what, way) =
                    (format!("{} {} {cpu:?}", S::NAME, domain.route()), Domain::by_on(cpu, domain));
                let key = DecapsulationKey::<S>::from_bytes_by(way, &bytes).expect("a key");
                assert_eq!(key.encapsulation_key().way().route(), domain.route());
                assert_eq!(key.to_bytes(), bytes);
                let made = key.encapsulation_key().encapsulate(&mut counting(9));
                assert!(made.0 == ciphertext && made.1 == shared, "{what}");
                assert_eq!(key.decapsulate(&ciphertext), shared, "{what}");
            }
        }
    }
    fn cpa<S: CpaSet<Way = Domain<R, O>>, R: Ring, O: Order>(domains: &[&'static DomainEntry<R, O>]) {
        for cpu in Cpu::available() {
            let planned = OneTimeKey::<S>::generate_on(cpu, &mut counting(0));
            let (bytes, public) = (planned.to_bytes(), planned.encapsulation_key());
            let (ciphertext, shared) = public.encapsulate(&mut counting(9));
            public_domains(cpu, public, domains);
            for domain in domains {
                let (what, way) =
                    (format!("{} {} {cpu:?}", S::NAME, domain.route()), Domain::by_on(cpu, domain));
                let key = OneTimeKey::<S>::generate_by(way, &mut counting(0));
                assert_eq!(key.encapsulation_key().way().route(), domain.route());
                assert_eq!((key.to_bytes(), key.encapsulation_key()), (bytes.clone(), public), "{what}");
                let made = key.encapsulation_key().encapsulate(&mut counting(9));
                assert!(made.0 == ciphertext && made.1 == shared, "{what}");
                assert_eq!(key.decapsulate(&ciphertext), shared, "{what}");
                let secret = SecretKey::<S>::from_bytes_by(way, &bytes);
                assert_eq!(secret.to_bytes(), bytes);
                assert_eq!(secret.decapsulate(&ciphertext), shared, "{what}");
            }
        }
    }
    cca::<NewHopeCca512, _, _>(&NEW_HOPE_512_DOMAINS);
    cca::<NewHopeCca1024, _, _>(&NEW_HOPE_1024_DOMAINS);
    cpa::<NewHopeCpa512, _, _>(&NEW_HOPE_512_DOMAINS);
    cpa::<NewHopeCpa1024, _, _>(&NEW_HOPE_1024_DOMAINS);
    cca::<NewHopeCompact512, _, _>(&COMPACT_512_DOMAINS);
    cca::<NewHopeCompact1024, _, _>(&COMPACT_1024_DOMAINS);
    cca::<NewHopeCompact768, _, _>(&COMPACT_768_DOMAINS);
}

/// Protects: what NewHope-Compact's reference emits is understood: where a coefficient of a ciphertext is 0,
/// it may write q, and the shared key is the one of the bytes that were sent. Other numbers from q on are
/// rejected.
#[test]
fn coefficients_that_are_the_modulus() {
    fn check<S: CcaSet<Randomness = [u8; 32]>>(q: u16) {
        for cpu in Cpu::available() {
            // The first ciphertext with an even coefficient of 0.
            let (key, mut tried) = (key::<S>(cpu), 0);
            let (ciphertext, at) = loop {
                let (ciphertext, _) = key.encapsulation_key().encapsulate_deterministic(&[tried; 32]);
                let u = &ciphertext.as_ref()[..S::PublicBytes::LEN - 32];
                match u.chunks(3).position(|bytes| bytes[0] == 0 && bytes[1] & 15 == 0) {
                    Some(at) => break (ciphertext, 3 * at),
                    None => tried += 1,
                }
            };
            let with = |number: u16| {
                let mut changed = ciphertext;
                changed.as_mut()[at] = number as u8;
                changed.as_mut()[at + 1] |= (number >> 8) as u8;
                changed
            };
            // The key is K, which is in all bytes that decapsulate to it, hashed with the ciphertext;
            // rejected, it is z.
            let same = with(q);
            assert_ne!(key.decapsulate(&same), rejected(cpu, &same), "{} {cpu:?}", S::NAME);
            assert_ne!(key.decapsulate(&same), key.decapsulate(&ciphertext));
            for number in [1, q + 1, 4095] {
                let other = with(number);
                assert_eq!(key.decapsulate(&other), rejected(cpu, &other), "{number} {cpu:?}");
            }
        }
    }
    check::<NewHopeCompact512>(3329);
    check::<NewHopeCompact768>(3457);
    check::<NewHopeCompact1024>(3329);
}

/// Protects: the submission's code writes no number from q on, and rejects a ciphertext that has q where it
/// would write 0.
#[test]
fn the_modulus_is_no_zero_in_the_submission() {
    for cpu in Cpu::available() {
        let (key, mut tried) = (key::<NewHopeCca512>(cpu), 0u8);
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
        assert_eq!(key.decapsulate(&changed), rejected(cpu, &changed), "{cpu:?}");
    }
}
