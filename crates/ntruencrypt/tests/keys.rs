//! Keys: what is none, other forms, and files.

mod shared;

use ringsmith_kem::pke::PublicKeyEncryption;
use ringsmith_kem::scheme::SchemeError;
use ringsmith_ntruencrypt::{
    SCHEMES, ees401ep1, ees401ep2, ees443ep1, ees653ep1, ees677ep1, ees853ep1, ees1087ep1, libntru,
    ntruprime739,
};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use shared::{Set, decrypted, in_turn, keys, sets};

/// Every set.
fn all() -> impl Iterator<Item = &'static PublicKeyEncryption> {
    SCHEMES.into_iter().chain(libntru::SCHEMES).chain(ntruprime739::SCHEMES)
}

/// What reading a private key gives: its public key.
fn public_key_of(scheme: &PublicKeyEncryption, private: &[u8]) -> Result<Vec<u8>, SchemeError> {
    public_key_on(Cpu::detect(), scheme, private)
}

/// The same on a backend.
fn public_key_on(cpu: Cpu, scheme: &PublicKeyEncryption, private: &[u8]) -> Result<Vec<u8>, SchemeError> {
    let mut public = vec![0xa5; scheme.public_key];
    let read = (scheme.public_key_of)(cpu, private, &mut public);
    if read.is_err() {
        assert!(public.iter().all(|byte| *byte == 0xa5), "{}: something was written", scheme.name);
    }
    read.map(|()| public)
}

/// Protects: a private key tells its public one, and what it decrypts is the same on every backend.
#[test]
fn public_keys_of_private_keys() {
    for scheme in all() {
        let [public, private, _] = keys(scheme, 1);
        assert_eq!(public_key_of(scheme, &private), Ok(public), "{}", scheme.name);
    }
}

/// Protects: keys are the same on every backend.
#[test]
fn keys_on_every_backend() {
    for scheme in all() {
        let [public, private, _] = keys(scheme, 4);
        for cpu in Cpu::available() {
            let [mut a, mut b] = [scheme.public_key, scheme.private_key].map(|length| vec![0; length]);
            (scheme.generate)(cpu, &mut Random::new(4), &mut a, &mut b).expect("lengths");
            assert!(a == public && b == private, "{} on {cpu:?}", scheme.name);
        }
    }
}

/// Protects: a private key that is altered at any byte is none: its identifier, its public key, or its secret
/// one; by the backends in turn.
#[test]
fn altered_private_keys() {
    for scheme in all() {
        let [_, private, _] = keys(scheme, 1);
        for (i, cpu) in (0..private.len()).zip(in_turn()) {
            let mut altered = private.clone();
            altered[i] ^= 1 << (i % 8);
            let found = public_key_on(cpu, scheme, &altered);
            assert_eq!(found, Err(SchemeError::InvalidKey), "{} byte {i} on {cpu:?}", scheme.name);
            let found = decrypted(scheme, cpu, &altered, &vec![0; scheme.ciphertext]);
            assert_eq!(found, Err(SchemeError::InvalidKey), "{} byte {i} on {cpu:?}", scheme.name);
        }
    }
}

/// Protects: a public key that is altered in what is before its element, or behind it, is none; any element
/// is one, where all numbers of its bits are coefficients. By the backends in turn.
#[test]
fn altered_public_keys() {
    for scheme in SCHEMES.into_iter().chain(libntru::SCHEMES) {
        let [public, _, _] = keys(scheme, 1);
        let header = public.len() - scheme.ciphertext;
        for (i, cpu) in (0..public.len()).zip(in_turn()) {
            let mut altered = public.clone();
            altered[i] ^= 1 << (i % 8);
            let is_behind = altered.len() - 1 == i;
            match (scheme.check_public_key)(cpu, &altered) {
                Ok(()) => assert!(i >= header, "{} byte {i}", scheme.name),
                Err(why) => {
                    assert_eq!(why, SchemeError::InvalidKey);
                    assert!(i < header || is_behind, "{} byte {i}", scheme.name);
                }
            }
        }
    }
}

/// Whether the bytes of a public key over a field are numbers below `q`: in 14 bits each, or three in five
/// bytes.
fn are_coefficients(set: Set, public: &[u8]) -> bool {
    if !set.is_radix {
        return set.unpack(public).1;
    }
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| 256 * sum + i64::from(*byte));
    let limit = |bytes: &[u8]| set.q.pow(if bytes.len() == 5 { 3 } else { 1 });
    public.chunks(5).all(|bytes| number(bytes) < limit(bytes))
}

/// Protects: a public key over a field that is altered in any bit of any byte is one where its numbers are
/// coefficients, and else is none; in both packings, by the backends in turn.
#[test]
fn altered_public_keys_over_a_field() {
    for set in [sets()[6], sets()[7]] {
        let [public, _, _] = keys(set.scheme, 1);
        let (name, mut refused) = (set.scheme.name, 0);
        for ((i, bit), cpu) in (0..public.len()).flat_map(|i| (0..8).map(move |bit| (i, bit))).zip(in_turn())
        {
            let mut altered = public.clone();
            altered[i] ^= 1 << bit;
            let expected =
                if are_coefficients(set, &altered) { Ok(()) } else { Err(SchemeError::InvalidKey) };
            let found = (set.scheme.check_public_key)(cpu, &altered);
            assert_eq!(found, expected, "{name} byte {i} bit {bit} on {cpu:?}");
            refused += usize::from(found.is_err());
        }
        assert!((50..8 * public.len() / 2).contains(&refused), "{name}: {refused} refused");
    }
}

/// Protects: bits behind the last coefficient of a public key.
#[test]
fn bits_behind_public_keys() {
    for set in sets().into_iter().filter(|set| !set.is_radix) {
        let [public, _, _] = keys(set.scheme, 1);
        let (unused, last) = (8 * set.packed() - set.bits * set.n, public.len() - 1);
        for bit in 0..8 {
            let mut altered = public.clone();
            // The standard's last bits are the least of a byte.
            altered[last] ^= if set.scheme.name.starts_with("libntru") { 0x80 >> bit } else { 1 << bit };
            let checked = (set.scheme.check_public_key)(Cpu::detect(), &altered);
            assert_eq!(checked.is_err(), bit < unused, "{} bit {bit}", set.scheme.name);
        }
    }
}

/// Protects: of a field's numbers those up to `q - 1` are coefficients, in any place, and no others; in both
/// packings.
#[test]
fn numbers_that_are_no_coefficients() {
    let [x998, radix] = [sets()[6], sets()[7]];
    let packed = |a: &[i64]| {
        // `pack` takes the rest by q, so a number is put as its bits.
        let bits: Vec<usize> =
            a.iter().flat_map(|x| (0..14).rev().map(move |i| (*x >> i & 1) as usize)).collect();
        let byte =
            |bits: &[usize]| bits.iter().enumerate().map(|(i, bit)| bit << (7 - i)).sum::<usize>() as u8;
        bits.chunks(8).map(byte).collect::<Vec<_>>()
    };
    let in_radix = |a: &[i64]| {
        let bytes = |group: &[i64]| {
            let number = group.iter().rev().fold(0, |sum, x| sum * x998.q + x);
            number.to_le_bytes()[..if group.len() == 3 { 5 } else { 2 }].to_vec()
        };
        a.chunks(3).flat_map(bytes).collect::<Vec<_>>()
    };
    let is_key =
        |scheme: &PublicKeyEncryption, bytes: &[u8]| (scheme.check_public_key)(Cpu::detect(), bytes).is_ok();
    for (place, number) in
        (0..x998.n).flat_map(|place| [0, x998.q - 1, x998.q, (1 << 14) - 1].map(|x| (place, x)))
    {
        let mut a = vec![1; x998.n];
        a[place] = number;
        let is_one = number < x998.q;
        assert_eq!(is_key(x998.scheme, &packed(&a)), is_one, "{number} in place {place}");
        // What is too great carries into the next number of its group, and of the last one it shows.
        if place % 3 == 2 || place == x998.n - 1 || is_one {
            let number = number.min(11000);
            a[place] = number;
            assert_eq!(is_key(radix.scheme, &in_radix(&a)), is_one, "{number} in place {place}, by radix");
        }
    }
}

/// Protects: the two packings are of one key, and what is encrypted for one is opened by the other.
#[test]
fn two_packings_of_a_key() {
    let (x998, radix) = (&ntruprime739::x998::SCHEME, &ntruprime739::radix::SCHEME);
    let [public, private, _] = keys(x998, 5);
    let [other_public, other_private, _] = keys(radix, 5);
    assert_eq!(sets()[6].h(&public), sets()[7].h(&other_public));
    let [mut one, mut other] = [vec![0; x998.ciphertext], vec![0; radix.ciphertext]];
    (x998.encrypt)(Cpu::detect(), &public, b"either", &mut Random::new(1), &mut one).expect("a key");
    (radix.encrypt)(Cpu::detect(), &other_public, b"either", &mut Random::new(1), &mut other).expect("a key");
    assert_eq!(one, other);
    assert_eq!(decrypted(radix, Cpu::detect(), &other_private, &one), Ok(b"either".to_vec()));
    assert_eq!(decrypted(x998, Cpu::detect(), &private, &one), Ok(b"either".to_vec()));
}

/// Protects: a key of another set is none, also of one with the same length.
#[test]
fn keys_of_other_sets() {
    for scheme in all() {
        for other in all().filter(|other| other.name != scheme.name) {
            let [public, private, _] = keys(other, 1);
            let same = (scheme.check_public_key)(Cpu::detect(), &public).is_ok();
            // libntru's public keys say the degree alone.
            let alike = [scheme, other].iter().all(|set| set.name.starts_with("libntru-"));
            assert!(!same || alike, "{} of {}", scheme.name, other.name);
            assert!(public_key_of(scheme, &private).is_err(), "{} of {}", scheme.name, other.name);
        }
    }
}

/// Protects: messages of 0 and 1 byte, of the most bytes and of one more; with bytes 0 at their ends.
#[test]
fn messages_of_all_lengths() {
    let cpu = Cpu::detect();
    for scheme in all() {
        let [public, private, _] = keys(scheme, 1);
        let (most, mut random) = (scheme.message, Random::new(1));
        for length in [0, 1, 2, most - 1, most] {
            for byte in [0, 0xff] {
                let (message, mut ciphertext) = (vec![byte; length], vec![0; scheme.ciphertext]);
                (scheme.encrypt)(cpu, &public, &message, &mut random, &mut ciphertext).expect("a key");
                assert_eq!(decrypted(scheme, cpu, &private, &ciphertext), Ok(message), "{}", scheme.name);
            }
        }
        for given in [most + 1, 256, 1 << 16] {
            let mut ciphertext = vec![0xa5; scheme.ciphertext];
            let made = (scheme.encrypt)(cpu, &public, &vec![0; given], &mut random, &mut ciphertext);
            let expected = ringsmith_kem::pke::MessageTooLong { most, given };
            assert_eq!(made, Err(SchemeError::MessageTooLong(expected)), "{}", scheme.name);
            assert!(ciphertext.iter().all(|byte| *byte == 0xa5), "{}", scheme.name);
        }
    }
}

/// Protects: the types' functions agree with the table's.
#[test]
fn functions_of_types_agree() {
    let mut random = Random::new(1);
    let alice = ees677ep1::DecryptionKey::generate(&mut random);
    let bob = ees677ep1::EncryptionKey::from_bytes(&alice.encryption_key().to_bytes()).expect("a key");
    assert!(bob == *alice.encryption_key());
    assert_eq!(bob.encrypt(&[1; 102], &mut random).map_err(|why| (why.most, why.given)), Err((101, 102)));
    let ciphertext = bob.encrypt(b"for Alice", &mut random).expect("a short message");
    assert_eq!(alice.decrypt(&ciphertext).as_deref().ok(), Some(&b"for Alice"[..]));
    let again = ees677ep1::DecryptionKey::from_bytes(&alice.to_bytes()).expect("a key");
    let mut message = ringsmith_kem::pke::Message::empty();
    again.decrypt_into(&ciphertext, &mut message).expect("a message");
    assert_eq!(*message, *b"for Alice");
    let mut altered = ciphertext;
    altered[0] ^= 1;
    assert!(again.decrypt_into(&altered, &mut message).is_err() && message.is_empty());
    let boxed = ees677ep1::DecryptionKey::generate_boxed(&mut random);
    assert!(boxed.decrypt(&ciphertext).is_err());
}

/// A private key's parts: what is before `F`, and `F`.
fn split<'a>(scheme: &PublicKeyEncryption, private: &'a [u8]) -> (&'a [u8], &'a [u8]) {
    private.split_at(scheme.public_key)
}

/// Bytes of numbers of so many bits, the most significant first.
fn indices_as_bytes(indices: &[usize], width: usize) -> Vec<u8> {
    let bits: Vec<usize> =
        indices.iter().flat_map(|index| (0..width).rev().map(move |bit| index >> bit & 1)).collect();
    bits.chunks(8)
        .map(|byte| byte.iter().enumerate().map(|(i, bit)| bit << (7 - i)).sum::<usize>() as u8)
        .collect()
}

/// Bytes of coefficients, five in each.
fn trits_as_bytes(a: &[i64]) -> Vec<u8> {
    a.chunks(5).map(|five| five.iter().rev().fold(0, |sum, x| 3 * sum + x.rem_euclid(3)) as u8).collect()
}

/// Protects: private keys with trits and with indices, under each tag, become the same key in the set's own
/// form, which decrypts.
#[test]
fn other_forms() {
    for (set, width) in [(sets()[0], 9), (sets()[2], 11)] {
        let scheme = set.scheme;
        let [public, private, drawn] = keys(scheme, 1);
        let (parts, indices) = set.f_of(&drawn[..2 * set.strength]);
        let start = &private[1..scheme.public_key];
        let [trits, listed] = [trits_as_bytes(&parts[0]), indices_as_bytes(&indices, width)];
        let own = split(scheme, &private).1;
        assert!(own == trits || own == listed, "{}", scheme.name);
        for (tag, secret) in [(2, own), (0xfe, &trits), (0xff, &listed)] {
            let given = [&[tag], start, secret].concat();
            let mut usual = vec![0; scheme.private_key];
            let import = scheme.import.expect("forms");
            import(Cpu::detect(), &given, &mut usual).expect("a key");
            assert_eq!(public_key_of(scheme, &usual), Ok(public.clone()), "{} {tag:x}", scheme.name);
            if tag != 0xfe || own != listed {
                assert!(usual == private, "{} {tag:x}", scheme.name);
            }
            let mut ciphertext = vec![0; scheme.ciphertext];
            let rng = &mut Random::new(1);
            (scheme.encrypt)(Cpu::detect(), &public, b"any", rng, &mut ciphertext).expect("a key");
            assert_eq!(decrypted(scheme, Cpu::detect(), &usual, &ciphertext), Ok(b"any".to_vec()));
        }
    }
}

/// Protects: bytes that are no key in any form are refused, and nothing is written; products have no trits.
#[test]
fn no_form() {
    for (scheme, tags) in [(&ees401ep1::SCHEME, [0xfe, 0xff]), (&ees401ep2::SCHEME, [0xff, 0xff])] {
        let [_, private, _] = keys(scheme, 1);
        let import = |bytes: &[u8]| {
            let mut out = vec![0xa5; scheme.private_key];
            let imported = scheme.import.expect("forms")(Cpu::detect(), bytes, &mut out);
            assert!(imported.is_ok() || out.iter().all(|byte| *byte == 0xa5), "{}", scheme.name);
            imported
        };
        assert_eq!(import(&private), Ok(()));
        let mut tagged = private.clone();
        tagged[0] = tags[0];
        assert_eq!(import(&tagged), Ok(()));
        for tag in [0, 1, 3, 0xfd] {
            tagged[0] = tag;
            assert_eq!(import(&tagged), Err(SchemeError::InvalidKey), "{} {tag:x}", scheme.name);
        }
        for length in [0, 1, 4, 5, 6, private.len() - 1, private.len() + 1] {
            let mut resized = private.clone();
            resized.resize(length, 0);
            assert_eq!(import(&resized), Err(SchemeError::InvalidKey), "{} of {length}", scheme.name);
        }
        for at in [2, 7, private.len() - 2] {
            let mut altered = private.clone();
            altered[at] ^= 1;
            assert_eq!(import(&altered), Err(SchemeError::InvalidKey), "{} byte {at}", scheme.name);
        }
    }
    let [_, mut private, _] = keys(&ees401ep2::SCHEME, 1);
    private[0] = 0xfe;
    let mut out = vec![0; private.len()];
    let imported = ees401ep2::SCHEME.import.expect("forms")(Cpu::detect(), &private, &mut out);
    assert_eq!(imported, Err(SchemeError::InvalidKey));
    assert!(libntru::ees401ep1::SCHEME.import.is_none());
}

/// Protects: an index that is none, one that stands twice, and a bit behind the last.
#[test]
fn lists_that_are_none() {
    let (scheme, set) = (&ees1087ep1::SCHEME, sets()[2]);
    let [_, private, drawn] = keys(scheme, 1);
    let (_, indices) = set.f_of(&drawn[..2 * set.strength]);
    let (start, own) = split(scheme, &private);
    assert_eq!(own, indices_as_bytes(&indices, 11));
    let refused = |secret: &[u8], what: &str| {
        let found = public_key_of(scheme, &[start, secret].concat());
        assert_eq!(found, Err(SchemeError::InvalidKey), "{what}");
    };
    for (what, place, index) in [("none", 5, 1087), ("greatest", 0, 2047), ("twice", 70, indices[3])] {
        let mut others = indices.clone();
        others[place] = index;
        refused(&indices_as_bytes(&others, 11), what);
    }
    let mut behind = own.to_vec();
    *behind.last_mut().expect("bytes") |= 1;
    refused(&behind, "a bit behind the last");
    // The same key, in another order.
    let mut swapped = indices;
    swapped.swap(0, 1);
    assert!(public_key_of(scheme, &[start, &indices_as_bytes(&swapped, 11)].concat()).is_ok());
}

/// Protects: of sets that share an identifier none is taken for another, and sets that must be named say so.
#[test]
fn sets_that_must_be_named() {
    let by_name = |scheme: &PublicKeyEncryption| scheme.by_name;
    assert!([&ees653ep1::SCHEME, &ees853ep1::SCHEME].into_iter().all(by_name));
    assert!(libntru::SCHEMES.into_iter().chain(ntruprime739::SCHEMES).all(by_name));
    assert_eq!(SCHEMES.iter().filter(|scheme| scheme.by_name).count(), 2);
    let [public, _, _] = keys(&ees653ep1::SCHEME, 1);
    assert_eq!(public[..5], keys(&ees677ep1::SCHEME, 1)[0][..5]);
    assert!((ees443ep1::SCHEME.check_public_key)(Cpu::detect(), &public).is_err());
}
