//! Public-key encryption in the lists, and its public keys as files.

use ringsmith::encoding::{self, EncodingError};
use ringsmith::scheme::{self, ENCRYPTIONS, PublicKeyEncryption, SchemeError, Status};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;

/// A new pair of keys.
fn keys(scheme: &PublicKeyEncryption) -> [Vec<u8>; 2] {
    let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
    (scheme.generate)(Cpu::detect(), &mut Random::new(1), &mut public, &mut private).expect("lengths");
    [public, private]
}

fn named(name: &str) -> &'static PublicKeyEncryption {
    scheme::encryption_by_name(name).expect("a set")
}

/// The sets with an object identifier, and its last number.
const NUMBERED: [(&str, u8); 18] = [
    ("ees401ep1", 0x22),
    ("ees449ep1", 0x23),
    ("ees677ep1", 0x24),
    ("ees1087ep2", 0x25),
    ("ees541ep1", 0x26),
    ("ees613ep1", 0x27),
    ("ees887ep1", 0x28),
    ("ees1171ep1", 0x29),
    ("ees659ep1", 0x2a),
    ("ees761ep1", 0x2b),
    ("ees1087ep1", 0x2c),
    ("ees1499ep1", 0x2d),
    ("ees401ep2", 0x2e),
    ("ees439ep1", 0x2f),
    ("ees593ep1", 0x30),
    ("ees743ep1", 0x31),
    ("ees443ep1", 0x32),
    ("ees587ep1", 0x33),
];

/// Protects: names are found in capitals or not, and no two sets have the same.
#[test]
fn names() {
    assert_eq!(ENCRYPTIONS.len(), 40);
    for scheme in ENCRYPTIONS {
        assert_eq!(named(&scheme.name.to_uppercase()).name, scheme.name);
        assert!(scheme::by_name(scheme.name).is_none());
    }
    assert!(scheme::encryption_by_name("ML-KEM-768").is_none());
}

/// Protects: which sets are for research alone: those of 112 bits and of SHA-1, of a draft, libntru's, and
/// those over a field.
#[test]
fn status() {
    let of = |status| {
        let all = ENCRYPTIONS.iter().filter(move |scheme| scheme.status == status);
        all.map(|scheme| scheme.name).collect::<Vec<_>>()
    };
    let historical = of(Status::Historical);
    assert_eq!(
        historical,
        [
            "ees677ep1",
            "ees1087ep2",
            "ees887ep1",
            "ees1171ep1",
            "ees1087ep1",
            "ees1499ep1",
            "ees593ep1",
            "ees743ep1",
            "ees443ep1",
            "ees587ep1"
        ]
    );
    assert_eq!(of(Status::Research).len(), 30);
    assert_eq!([Status::Draft, Status::Research].map(|x| x.to_string()), ["draft", "research only"]);
}

/// Protects: a public key's DER is what NTRU's library writes, byte by byte, and is read, with and without
/// the name, as DER and as text.
#[test]
fn public_keys_as_files() {
    let cpu = Cpu::detect();
    for (name, number) in NUMBERED {
        let (scheme, [public, _]) = (named(name), keys(named(name)));
        let der = scheme.public_key_to_der(cpu, &public).expect("a key");
        let packed = &public[5..];
        let long = |more: usize| ((packed.len() + more) as u16).to_be_bytes();
        let expected = [
            &[0x30, 0x82][..],
            &long(0x25),
            &[0x30, 0x1a, 0x06, 0x0b, 0x2b, 6, 1, 4, 1, 0xc1, 0x16, 1, 1, 1, 1],
            &[0x06, 0x0b, 0x2b, 6, 1, 4, 1, 0xc1, 0x16, 1, 1, 2, number],
            &[0x03, 0x82],
            &long(5),
            &[0, 0x04, 0x82],
            &long(0),
            packed,
        ];
        assert_eq!(der.as_bytes(), expected.concat(), "{name}");
        let text = scheme.public_key_to_pem(cpu, &public).expect("a key");
        for file in [der.as_bytes(), text.as_bytes(), &public] {
            for asked in [None, Some(scheme)] {
                let read = encoding::read_encryption_key(cpu, file, asked).expect("a key");
                assert!(read.scheme.name == name && read.bytes == public, "{name}");
            }
        }
        let other = named("ees653ep1");
        let read = encoding::read_encryption_key(cpu, der.as_bytes(), Some(other)).err();
        assert_eq!(read, Some(EncodingError::OtherScheme { expected: "ees653ep1", found: name }));
    }
}

/// Protects: sets without an identifier say so, and no set has private keys in DER.
#[test]
fn keys_without_files() {
    let cpu = Cpu::detect();
    for scheme in ENCRYPTIONS {
        let no_form = EncodingError::NoPrivateForm { scheme: scheme.name };
        assert_eq!(scheme.private_key_to_der().err(), Some(no_form));
        if NUMBERED.iter().any(|(name, _)| *name == scheme.name) {
            continue;
        }
        let [public, _] = keys(scheme);
        let no_identifier = EncodingError::NoIdentifier { scheme: scheme.name };
        assert_eq!(scheme.public_key_to_der(cpu, &public).err(), Some(no_identifier));
        // Nor is it taken for a key of theirs unless they are named.
        let read = encoding::read_encryption_key(cpu, &public, None).err();
        let given = public.len();
        assert_eq!(read, Some(EncodingError::Unrecognised { what: "public key", given }), "{}", scheme.name);
        let read = encoding::read_encryption_key(cpu, &public, Some(*scheme)).expect("a key");
        assert!(read.bytes == public && read.scheme.name == scheme.name);
    }
}

/// Protects: DER that is cut, lengthened, or altered where the structure is, is refused.
#[test]
fn malformed_files() {
    let (cpu, scheme) = (Cpu::detect(), named("ees401ep1"));
    let [public, _] = keys(scheme);
    let der = scheme.public_key_to_der(cpu, &public).expect("a key").as_bytes().to_vec();
    let read = |bytes: &[u8]| encoding::read_encryption_key(cpu, bytes, None).err();
    for at in 0..41 {
        let mut altered = der.clone();
        altered[at] ^= 1;
        // Another number is that of another set, whose keys have other lengths.
        assert!(read(&altered).is_some(), "byte {at}");
    }
    assert!(read(&der[..der.len() - 1]).is_some());
    assert!(read(&[&der[..], &[0]].concat()).is_some());
    let mut unknown = der.clone();
    unknown[31] = 0x21;
    assert!(matches!(read(&unknown), Some(EncodingError::UnknownAlgorithm { .. })));
    let mut behind = der;
    *behind.last_mut().expect("bytes") |= 1;
    assert_eq!(read(&behind), Some(EncodingError::Key(SchemeError::InvalidKey)));
}

/// Wrong lengths: nothing, one less, one more, and far too many.
fn wrong(length: usize) -> [usize; 4] {
    [0, length - 1, length + 1, 1 << 16]
}

/// Protects: every argument of a wrong length is one error that says which, and nothing is written; but for a
/// ciphertext, which is one that was not made for the key.
#[test]
fn lengths() {
    let cpu = Cpu::detect();
    for scheme in ENCRYPTIONS {
        let [public, private] = keys(scheme);
        let random = || Random::new(2);
        let expected = |what, expected, given| Err(SchemeError::Length { what, expected, given });
        for n in wrong(scheme.public_key) {
            let (resized, mut out) = (vec![0; n], vec![0xa5; n]);
            let what = expected("public key", scheme.public_key, n);
            let mut private_out = vec![0xa5; scheme.private_key];
            assert_eq!((scheme.generate)(cpu, &mut random(), &mut out, &mut private_out), what);
            assert_eq!((scheme.check_public_key)(cpu, &resized), what);
            assert_eq!((scheme.public_key_of)(cpu, &private, &mut out), what);
            let mut ciphertext = vec![0xa5; scheme.ciphertext];
            assert_eq!((scheme.encrypt)(cpu, &resized, b"", &mut random(), &mut ciphertext), what);
            assert!([out, private_out, ciphertext].concat().iter().all(|byte| *byte == 0xa5));
        }
        for n in wrong(scheme.private_key) {
            let what = expected("private key", scheme.private_key, n);
            let (mut out, mut public_out) = (vec![0xa5; n], vec![0xa5; scheme.public_key]);
            assert_eq!((scheme.generate)(cpu, &mut random(), &mut public_out, &mut out), what);
            assert_eq!((scheme.public_key_of)(cpu, &vec![0; n], &mut public_out), what);
            let (ciphertext, mut message) = (vec![0; scheme.ciphertext], vec![0xa5; scheme.message]);
            let found = (scheme.decrypt)(cpu, &vec![0; n], &ciphertext, &mut message);
            assert_eq!(found.map(|_| ()), what);
            assert!([out, public_out, message].concat().iter().all(|byte| *byte == 0xa5));
        }
        for n in wrong(scheme.message) {
            let (ciphertext, mut message) = (vec![0; scheme.ciphertext], vec![0xa5; n]);
            let found = (scheme.decrypt)(cpu, &private, &ciphertext, &mut message);
            assert_eq!(found.map(|_| ()), expected("message", scheme.message, n));
        }
        for n in wrong(scheme.ciphertext) {
            let mut ciphertext = vec![0xa5; n];
            let made = (scheme.encrypt)(cpu, &public, b"", &mut random(), &mut ciphertext);
            assert_eq!(made, expected("ciphertext", scheme.ciphertext, n));
            let mut message = vec![0xa5; scheme.message];
            let found = (scheme.decrypt)(cpu, &private, &vec![0; n], &mut message);
            assert_eq!(found, Err(SchemeError::Decryption));
            assert!(message.iter().all(|byte| *byte == 0xa5));
        }
    }
}
