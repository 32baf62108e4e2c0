//! SubjectPublicKeyInfo and PKCS #8: the standard's examples, another library, every form, and what is
//! refused.

mod shared;

use pkcs8::der::Encode;
use pkcs8::{
    AssociatedOid, DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding,
    ObjectIdentifier,
};
use ringsmith::encoding::{self, EncodingError, Form};
use ringsmith::keys::{DecapsulationKey, EncapsulationKey};
use ringsmith::ml_kem::{MlKem512, MlKem768, MlKem1024};
use ringsmith::scheme::{self, Scheme, SchemeError};
use ringsmith::set::{Bytes, KemSet, SeedSet};
use ringsmith::{kem, pkcs8};
use ringsmith_hash::Sha3_256;
use ringsmith_kem::traits::SeededKey;
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use shared::{example_seed, ml_kem, sampled};

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OCTET_STRING: u8 = 0x04;
const SEQUENCE: u8 = 0x30;
/// `[0] IMPLICIT` of a primitive type.
const SEED: u8 = 0x80;
/// `[0]` and `[1]` of a PKCS #8: attributes and public key.
const ATTRIBUTES: u8 = 0xa0;
const PUBLIC_KEY: u8 = 0x81;

/// An element of DER.
fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let contents = parts.concat();
    let length = match contents.len() {
        short @ 0..128 => vec![short as u8],
        long @ 128..256 => vec![0x81, long as u8],
        long => vec![0x82, (long >> 8) as u8, long as u8],
    };
    [&[tag], &length[..], &contents].concat()
}

/// The algorithm identifier of a scheme, with parameters (or none).
fn algorithm(oid: ObjectIdentifier, parameters: &[u8]) -> Vec<u8> {
    element(SEQUENCE, &[&oid.to_der().expect("an identifier"), parameters])
}

fn public_info(oid: ObjectIdentifier, parameters: &[u8], unused: u8, key: &[u8], after: &[u8]) -> Vec<u8> {
    element(SEQUENCE, &[&algorithm(oid, parameters), &element(BIT_STRING, &[&[unused], key]), after])
}

fn private_info(oid: ObjectIdentifier, version: u8, parameters: &[u8], key: &[u8], after: &[u8]) -> Vec<u8> {
    let version = element(INTEGER, &[&[version]]);
    element(SEQUENCE, &[&version, &algorithm(oid, parameters), &element(OCTET_STRING, &[key]), after])
}

fn seed_form(seed: &[u8]) -> Vec<u8> {
    element(SEED, &[seed])
}

fn expanded_form(key: &[u8]) -> Vec<u8> {
    element(OCTET_STRING, &[key])
}

fn both_forms(seed: &[u8], key: &[u8]) -> Vec<u8> {
    element(SEQUENCE, &[&element(OCTET_STRING, &[seed]), &element(OCTET_STRING, &[key])])
}

/// SHA3-256 of a text.
fn digest(text: &str) -> String {
    let digest: [u8; 32] = Sha3_256::new().absorb(text.as_bytes()).digest();
    ringsmith_oracle::hex(&digest)
}

fn pem(label: &'static str, der: &[u8]) -> String {
    let document = pkcs8::Document::try_from(der).expect("a sequence");
    document.to_pem(label, LineEnding::LF).expect("a text")
}

/// A scheme's keys of the example seed: seed, public key, private key.
fn example_keys(scheme: &Scheme) -> [Vec<u8>; 3] {
    let seed = example_seed().to_vec();
    let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
    let form = scheme.seed.as_ref().expect("ML-KEM has seeds");
    (form.expand)(Cpu::detect(), &seed, &mut public, &mut private).expect("a seed");
    [seed, public, private]
}

/// The key of the example seed.
fn example_key<S: SeedSet<Seed = [u8; 64]>>() -> DecapsulationKey<S> {
    DecapsulationKey::from_seed(&example_seed())
}

fn oid(scheme: &Scheme) -> ObjectIdentifier {
    scheme.encoding.as_ref().expect("ML-KEM has identifiers").oid
}

/// SHA3-256 of the files of the examples of RFC 9935, appendix C: public key, seed, expanded key, both.
const EXAMPLES: [(&str, [&str; 4]); 3] = [
    (
        "ML-KEM-512",
        [
            "88eeef4df6211642d549bbe1c7239446d2336ce56a5d2ead7dd6cc6f9e664a15",
            "e48050d7801224d606c90d9429166e94cc75a2332e59839c931bb460d979af88",
            "009deb9bbc3b61b2a085cb82c58c67bb05b73d5f7ce7f39e90bfd6a4f8f31454",
            "aa84aded41d77fe852e7419f1ad56a3021d0fa6b912dd61ef39926e06b1d1887",
        ],
    ),
    (
        "ML-KEM-768",
        [
            "5b59343f8f5e4b2c11787d8d71aad67d3368a6eb8833c01e568cc2353e4f4434",
            "c5bfae2ac3483c1087bbc5bb2962414c5a0237f1b7b095eda8848c0dffca80d2",
            "4fbe041c459371e31453cab07c579df23ddb66ae9916c6ca5c4111a1ad2e8dae",
            "8e0e3d8a1f6742ec29f6f2bfe0db148e8d57f779e63360b019776fed2d7d2c94",
        ],
    ),
    (
        "ML-KEM-1024",
        [
            "a3f8ba37bd00a1174374edf6a7f9793555a7a945285932026f14063686e76c5f",
            "d11096f7794f4eadec9ee2fa8b40dde69b5568b0e69d3e63ccd417e701424fb8",
            "83766d036672740454fa53fea5228f0d9f17b7200920517a4259a370fd24408d",
            "5f8cfc4ae550087829b3147343b3c6665cdc778a26f6925340aebdcf2968c947",
        ],
    ),
];

/// Protects: byte for byte the standard's example files, and reading each of them. Its form with both is not
/// written: the test makes that file from its parts.
#[test]
fn examples_of_the_standard() {
    let cpu = Cpu::detect();
    assert_eq!(
        EXAMPLES.map(|(name, _)| name),
        ml_kem().map(|scheme| scheme.name).collect::<Vec<_>>()[..],
        "a scheme without examples"
    );
    for (name, expected) in EXAMPLES {
        let scheme = scheme::by_name(name).expect("a listed scheme");
        let [seed, public, private] = example_keys(scheme);
        let both = private_info(oid(scheme), 0, &[], &both_forms(&seed, &private), &[]);
        let files = [
            scheme.public_key_to_pem(cpu, &public).expect("a key"),
            scheme.private_key_to_pem(cpu, &seed).expect("a seed").to_string(),
            scheme.private_key_to_pem(cpu, &private).expect("a key").to_string(),
            pem("PRIVATE KEY", &both),
        ];
        assert_eq!(files.each_ref().map(|file| digest(file)), expected, "{name}");
        let read = encoding::read_public_key(cpu, files[0].as_bytes(), None).expect("an example");
        assert!(read.scheme.name == name && read.bytes == public);
        for (file, has_seed) in files[1..].iter().zip([true, false, true]) {
            let read = encoding::read_private_key(cpu, file.as_bytes(), None).expect("an example");
            assert!(read.scheme.name == name && *read.bytes == private, "{name}");
            assert_eq!(read.seed.is_some_and(|read| *read == seed), has_seed, "{name}");
        }
    }
}

/// Protects: the standard's inconsistent examples (appendix C.4), made from the good ones by the byte that
/// they changed: the wrong hash and the wrong `z` beside a seed are refused. The wrong secret without a seed
/// passes all checks of FIPS 203, and is read.
#[test]
fn inconsistent_examples_of_the_standard() {
    let (cpu, scheme) = (Cpu::detect(), scheme::by_name("ML-KEM-512").expect("listed"));
    let [seed, _, private] = example_keys(scheme);
    let (secret, hash, z) = (0, private.len() - 64, private.len() - 1);
    let changed = |place: usize| {
        let mut private = private.clone();
        private[place] ^= 1;
        private
    };
    let cases = [
        (
            expanded_form(&changed(secret)),
            "ce350947d15e0e5c9c160b1137e80af38beee28a004fa30750807103f421543f",
            true,
        ),
        (
            expanded_form(&changed(hash)),
            "bbd1bcb75f4d61a7fa22edd6f57b16bc35685de97af91f00b9e9af7cde3d1203",
            false,
        ),
        (
            both_forms(&seed, &changed(z)),
            "8e2397cab09b85bd521c2523781c3a07061bce572fee37e84b6e0bff37419961",
            false,
        ),
    ];
    for (key, expected, accepted) in cases {
        let file = pem("PRIVATE KEY", &private_info(oid(scheme), 0, &[], &key, &[]));
        // These files end without a newline.
        assert_eq!(digest(file.trim_end()), expected);
        let read = encoding::read_private_key(cpu, file.as_bytes(), None);
        assert_eq!(read.err(), (!accepted).then_some(EncodingError::Key(SchemeError::InvalidKey)));
    }
}

/// What generic code makes of the keys of a generator: both as DER and as text.
fn documents<K>() -> [Vec<u8>; 4]
where
    K: kem::Kem,
    K::EncapsulationKey: EncodePublicKey + DecodePublicKey,
    K::DecapsulationKey: EncodePrivateKey + DecodePrivateKey + kem::KeyExport,
{
    use kem::{Decapsulator, KeyExport};
    let (private, public) = K::generate_keypair_from_rng(&mut Random::new(1));
    let der = [
        public.to_public_key_der().expect("a key").into_vec(),
        private.to_pkcs8_der().expect("a key").to_bytes().to_vec(),
    ];
    let texts = [
        public.to_public_key_pem(LineEnding::LF).expect("a key"),
        private.to_pkcs8_pem(LineEnding::LF).expect("a key").to_string(),
    ];
    assert!(K::EncapsulationKey::from_public_key_der(&der[0]).expect("a key") == public);
    assert!(K::EncapsulationKey::from_public_key_pem(&texts[0]).expect("a key") == public);
    for read in [K::DecapsulationKey::from_pkcs8_der(&der[1]), K::DecapsulationKey::from_pkcs8_pem(&texts[1])]
    {
        let read = read.expect("a key");
        assert!(read.to_bytes() == private.to_bytes() && public == *read.encapsulation_key());
    }
    let [public, private] = der;
    let [public_text, private_text] = texts.map(String::into_bytes);
    [public, private, public_text, private_text]
}

/// Protects: generic code over the traits of `kem` and `pkcs8`; the bytes and the text of the crate `ml-kem`,
/// in both directions.
#[test]
fn another_library() {
    fn check<S, T: DecodePrivateKey>(theirs: [Vec<u8>; 4], their_seed: fn(&T) -> Option<ml_kem::Seed>)
    where
        S: SeedSet<Seed = [u8; 64]> + AssociatedOid,
        S: kem::Kem<DecapsulationKey = SeededKey<S>, EncapsulationKey = EncapsulationKey<S>>,
    {
        assert_eq!(documents::<S>(), theirs, "{}", S::NAME);
        // What they wrote is read by the types themselves.
        let key = DecapsulationKey::<S>::from_pkcs8_der(&theirs[1]).expect("their key");
        let public = EncapsulationKey::<S>::from_public_key_der(&theirs[0]).expect("their key");
        assert_eq!(public, *key.encapsulation_key());
        let read = T::from_pkcs8_der(key.to_pkcs8_der().expect("a key").as_bytes());
        assert_eq!(
            their_seed(&read.expect("our key")).map(|seed| seed.to_vec()),
            key.to_seed().map(|seed| seed.to_vec())
        );
    }
    check::<MlKem512, _>(documents::<ml_kem::MlKem512>(), ml_kem::DecapsulationKey512::to_seed);
    check::<MlKem768, _>(documents::<ml_kem::MlKem768>(), ml_kem::DecapsulationKey768::to_seed);
    check::<MlKem1024, _>(documents::<ml_kem::MlKem1024>(), ml_kem::DecapsulationKey1024::to_seed);
}

/// Protects: the object identifiers, against the list of the crate `const-oid`.
#[test]
fn identifiers() {
    use const_oid::db::fips203::{ID_ALG_ML_KEM_512, ID_ALG_ML_KEM_768, ID_ALG_ML_KEM_1024};
    assert_eq!(MlKem512::OID, ID_ALG_ML_KEM_512);
    assert_eq!(MlKem768::OID, ID_ALG_ML_KEM_768);
    assert_eq!(MlKem1024::OID, ID_ALG_ML_KEM_1024);
    let listed: Vec<_> =
        scheme::ALL.iter().filter_map(|scheme| Some(scheme.encoding.as_ref()?.oid)).collect();
    assert_eq!(listed, [ID_ALG_ML_KEM_512, ID_ALG_ML_KEM_768, ID_ALG_ML_KEM_1024]);
}

/// Protects: a key keeps the form that it has; a seed is kept, and is not made up.
#[test]
fn forms_are_kept() {
    fn check<S: SeedSet<Seed = [u8; 64]> + AssociatedOid>() {
        let key = example_key::<S>();
        let bytes = key.to_bytes();
        let expanded = DecapsulationKey::<S>::from_bytes(&bytes).expect("a key");
        let info = |key: &[u8]| private_info(S::OID, 0, &[], key, &[]);
        let seed_der = info(&seed_form(&example_seed()));
        let expanded_der = info(&expanded_form(bytes.as_ref()));
        let both_der = info(&both_forms(&example_seed(), bytes.as_ref()));
        let written = |key: &DecapsulationKey<S>| key.to_pkcs8_der().expect("a key").as_bytes().to_vec();
        assert_eq!(written(&key), seed_der);
        assert_eq!(written(&expanded), expanded_der);
        let read = |der: &[u8]| DecapsulationKey::<S>::from_pkcs8_der(der).expect("a key");
        for (der, again) in [(&seed_der, &seed_der), (&expanded_der, &expanded_der), (&both_der, &seed_der)] {
            assert_eq!(*read(der).to_bytes(), *bytes);
            assert_eq!(written(&read(der)), **again);
        }
        // The type of the traits takes keys with their seed alone.
        assert!(SeededKey::<S>::from_pkcs8_der(&both_der).is_ok());
        assert!(SeededKey::<S>::from_pkcs8_der(&expanded_der).is_err());
    }
    check::<MlKem512>();
    check::<MlKem768>();
    check::<MlKem1024>();
}

/// What stands where no parameters may: `NULL`.
const NULL: &[u8] = &[5, 0];
/// An algorithm that is none of ours.
const OTHER: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.4.4");

/// Asserts that the type and the tools refuse each of these.
fn refused_public<S: KemSet + AssociatedOid>(cases: &[(&str, Vec<u8>)]) {
    for (what, der) in cases {
        assert!(EncapsulationKey::<S>::from_public_key_der(der).is_err(), "{}: {what}", S::NAME);
        assert!(encoding::read_public_key(Cpu::detect(), der, None).is_err(), "{}: {what}", S::NAME);
    }
}

/// The same of private keys.
fn refused_private<S: SeedSet + AssociatedOid>(cases: &[(&str, Vec<u8>)]) {
    for (what, der) in cases {
        assert!(DecapsulationKey::<S>::from_pkcs8_der(der).is_err(), "{}: {what}", S::NAME);
        assert!(encoding::read_private_key(Cpu::detect(), der, None).is_err(), "{}: {what}", S::NAME);
    }
}

/// Of a public key.
fn public_structures<S: SeedSet<Seed = [u8; 64]> + AssociatedOid>() {
    let (oid, extra) = (S::OID, element(INTEGER, &[&[0]]));
    let bytes = example_key::<S>().encapsulation_key().to_bytes();
    let public = bytes.as_ref();
    let good = public_info(oid, &[], 0, public, &[]);
    assert!(EncapsulationKey::<S>::from_public_key_der(&good).is_ok());
    let (mut even, mut large) = (bytes, bytes);
    even.as_mut()[S::PublicBytes::LEN - 1] &= 0xfe;
    large.as_mut().fill(0xff);
    refused_public::<S>(&[
        ("identifier", public_info(OTHER, &[], 0, public, &[])),
        ("NULL parameters", public_info(oid, NULL, 0, public, &[])),
        ("parameters", public_info(oid, &extra, 0, public, &[])),
        ("unused bits", public_info(oid, &[], 1, even.as_ref(), &[])),
        ("short", public_info(oid, &[], 0, &public[1..], &[])),
        ("long", public_info(oid, &[], 0, &[public, &[0]].concat(), &[])),
        ("empty", public_info(oid, &[], 0, &[], &[])),
        ("modulus", public_info(oid, &[], 0, large.as_ref(), &[])),
        ("an element more", public_info(oid, &[], 0, public, &extra)),
        ("trailing data", [&good[..], &[0]].concat()),
        ("an octet string", element(SEQUENCE, &[&algorithm(oid, &[]), &expanded_form(public)])),
    ]);
}

/// Around a private key.
fn private_structures<S: SeedSet<Seed = [u8; 64]> + AssociatedOid>() {
    let (seed, oid, extra) = (example_seed(), S::OID, element(INTEGER, &[&[0]]));
    let public = example_key::<S>().encapsulation_key().to_bytes();
    let with = |version, after: &[u8]| private_info(oid, version, &[], &seed_form(&seed), after);
    let bits = element(PUBLIC_KEY, &[&[0], public.as_ref()]);
    let wrong = element(PUBLIC_KEY, &[&[0], &[7; 32]]);
    let attributes = element(ATTRIBUTES, &[]);
    let accepted =
        [with(0, &[]), with(0, &attributes), with(1, &bits), with(1, &[&attributes[..], &bits].concat())];
    for der in accepted {
        let read = DecapsulationKey::<S>::from_pkcs8_der(&der).expect("a key");
        assert!(read.to_seed().is_some_and(|read| *read == seed));
    }
    let mut unused = bits.clone();
    unused[4] = 1;
    refused_private::<S>(&[
        ("identifier", private_info(OTHER, 0, &[], &seed_form(&seed), &[])),
        ("NULL parameters", private_info(oid, 0, NULL, &seed_form(&seed), &[])),
        ("a public key without its version", with(0, &bits)),
        ("a version without its public key", with(1, &[])),
        ("version 2", with(2, &bits)),
        ("another public key", with(1, &wrong)),
        ("a public key with unused bits", with(1, &unused)),
        ("trailing data", [&with(0, &[])[..], &[0]].concat()),
        ("an element more", with(0, &extra)),
    ]);
}

/// Inside the octet string of a private key.
fn private_forms<S: SeedSet<Seed = [u8; 64]> + AssociatedOid>() {
    let (seed, extra, bytes) = (example_seed(), element(INTEGER, &[&[0]]), example_key::<S>().to_bytes());
    let private: &[u8] = bytes.as_ref();
    let cases = [
        ("an empty key", vec![]),
        ("a bare seed", seed.to_vec()),
        ("a seed in an octet string", expanded_form(&seed)),
        ("a constructed seed", element(0xa0, &[&seed])),
        ("a seed with an explicit tag", element(0xa0, &[&expanded_form(&seed)])),
        ("a seed with tag 1", element(0x81, &[&seed])),
        ("a short seed", seed_form(&seed[1..])),
        ("a long seed", seed_form(&[&seed[..], &[0]].concat())),
        ("data after the seed", [&seed_form(&seed)[..], &[0]].concat()),
        ("data after the expanded key", [&expanded_form(private)[..], &[5, 0]].concat()),
        ("a short expanded key", expanded_form(&private[1..])),
        ("both, without a seed", element(SEQUENCE, &[&expanded_form(private)])),
        ("both, without an expanded key", element(SEQUENCE, &[&expanded_form(&seed)])),
        ("both, in the other order", both_forms(private, &seed)),
        ("both, of different keys", both_forms(&[1; 64], private)),
        ("both, with an element more", element(SEQUENCE, &[&both_forms(&seed, private)[4..], &extra])),
    ];
    refused_private::<S>(&cases.map(|(what, key)| (what, private_info(S::OID, 0, &[], &key, &[]))));
}

/// Protects: what is well-formed DER and is no key: each is refused, by the type and by the tools.
#[test]
fn structures_that_are_refused() {
    fn check<S: SeedSet<Seed = [u8; 64]> + AssociatedOid>() {
        public_structures::<S>();
        private_structures::<S>();
        private_forms::<S>();
    }
    check::<MlKem512>();
    check::<MlKem768>();
    check::<MlKem1024>();
}

/// Protects: a failure inside the private key is one error, whichever check failed.
#[test]
fn one_error() {
    let scheme = scheme::by_name("ML-KEM-768").expect("listed");
    let [seed, public, private] = example_keys(scheme);
    let changed = |place: usize| {
        let mut private = private.clone();
        private[place] ^= 1;
        private
    };
    let after = element(PUBLIC_KEY, &[&[0], &[0; 1184]]);
    let hash = private.len() - 64;
    let keys = [
        (0, seed_form(&seed[1..]), &[][..]),
        (0, expanded_form(&private[1..]), &[]),
        (0, expanded_form(&changed(hash)), &[]),
        (0, expanded_form(&changed(hash - public.len())), &[]),
        (0, both_forms(&seed, &changed(0)), &[]),
        (0, both_forms(&seed, &changed(private.len() - 1)), &[]),
        (0, both_forms(&seed, &private[1..]), &[]),
        (0, vec![SEED], &[]),
        (1, seed_form(&seed), &after),
    ];
    for (version, key, after) in keys {
        let der = private_info(oid(scheme), version, &[], &key, after);
        let error = DecapsulationKey::<MlKem768>::from_pkcs8_der(&der).err();
        assert_eq!(error, Some(pkcs8::KeyError::Invalid.into()));
    }
}

/// Calls with every value at every place of a header, a changed bit at every place of the rest, and every
/// truncation (on slow machines with some of each).
fn mutations(der: &[u8], header: usize, mut call: impl FnMut(usize, &[u8])) {
    for place in 0..header {
        for value in (0..=255).filter(|value| *value != der[place]).step_by(sampled(23)) {
            let mut changed = der.to_vec();
            changed[place] = value;
            call(place, &changed);
        }
    }
    for place in (header..der.len()).step_by(sampled(41)) {
        let mut changed = der.to_vec();
        changed[place] ^= 1 << (place % 8);
        call(place, &changed);
    }
    for length in (0..der.len()).step_by(sampled(43)) {
        call(0, &der[..length]);
    }
}

/// Protects: no panic on any changed byte and any truncation; a changed structure is refused, and so is a
/// changed key wherever the standard or the form says so.
#[test]
fn changed_bytes() {
    fn check<S: SeedSet<Seed = [u8; 64]> + AssociatedOid>() {
        let key = example_key::<S>();
        let public = key.encapsulation_key();
        let der = public.to_public_key_der().expect("a key").into_vec();
        let header = der.len() - S::PublicBytes::LEN;
        mutations(&der, header, |place, changed| match EncapsulationKey::<S>::from_public_key_der(changed) {
            Ok(read) => assert!(place >= header && read != *public, "{}: byte {place}", S::NAME),
            Err(error) => assert!(!error.to_string().is_empty()),
        });

        let (private, length) = (key.to_bytes(), S::PrivateBytes::LEN);
        let secret = length - S::PublicBytes::LEN - 64;
        // Where each form may change and be a key.
        let forms = [
            (seed_form(&example_seed()), 64, [0..64, 0..0]),
            (expanded_form(private.as_ref()), length, [0..secret, length - 32..length]),
            (both_forms(&example_seed(), private.as_ref()), length, [0..0, 0..0]),
        ];
        for (form, length, free) in forms {
            let der = private_info(S::OID, 0, &[], &form, &[]);
            let header = der.len() - length;
            mutations(&der, header, |place, changed| {
                let free = free.iter().any(|range| place >= header && range.contains(&(place - header)));
                let read = DecapsulationKey::<S>::from_pkcs8_der(changed);
                assert_eq!(read.is_ok(), free, "{}: byte {place} of {}", S::NAME, der.len());
            });
        }
    }
    check::<MlKem512>();
    check::<MlKem768>();
    check::<MlKem1024>();
}

/// Protects: no panic on a changed or cut text, and no other key from one.
#[test]
fn changed_texts() {
    let (cpu, scheme) = (Cpu::detect(), scheme::by_name("ML-KEM-512").expect("listed"));
    let [seed, public, _] = example_keys(scheme);
    let text = scheme.private_key_to_pem(cpu, &seed).expect("a seed");
    let read = |text: &[u8]| encoding::read_private_key(cpu, text, Some(scheme));
    for place in 0..text.len() {
        assert!(read(&text.as_bytes()[..place]).is_err() || place == text.len() - 1, "cut at {place}");
        for value in [0, b' ', b'\n', b'A', b'=', b'-', 0x7f, 0xff] {
            let mut changed = text.as_bytes().to_vec();
            changed[place] = value;
            let _ = read(&changed);
        }
    }
    let public_text = scheme.public_key_to_pem(cpu, &public).expect("a key");
    assert_eq!(read(public_text.as_bytes()).err(), Some(EncodingError::Label { expected: "PRIVATE KEY" }));
    let public = encoding::read_public_key(cpu, text.as_bytes(), None).err();
    assert_eq!(public, Some(EncodingError::Label { expected: "PUBLIC KEY" }));
    assert_eq!(read(b"-----BEGIN PRIVATE KEY-----").err(), Some(EncodingError::Text));
    assert_eq!(read(text.replace('\n', "\r\n").as_bytes()).map(|key| key.bytes.len()).ok(), Some(1632));
}

/// Protects: how a tool finds the scheme of raw bytes, and what it says where it cannot.
#[test]
fn raw_keys() {
    let cpu = Cpu::detect();
    for scheme in ml_kem() {
        let [seed, public, private] = example_keys(scheme);
        for expected in [None, Some(scheme)] {
            let read = encoding::read_public_key(cpu, &public, expected).expect("a raw key");
            assert!(read.scheme.name == scheme.name && read.bytes == public);
            let read = encoding::read_private_key(cpu, &private, expected).expect("a raw key");
            assert!(read.scheme.name == scheme.name && *read.bytes == private && read.seed.is_none());
            assert_eq!(read.short(), private);
        }
        let read = encoding::read_private_key(cpu, &seed, Some(scheme)).expect("a seed");
        assert!(read.scheme.name == scheme.name && *read.bytes == private && read.short() == seed);

        let mut bad = private.clone();
        bad[scheme.private_key - 64] ^= 1;
        let invalid = Some(EncodingError::Key(SchemeError::InvalidKey));
        let ones = vec![0xff; scheme.public_key];
        assert_eq!(encoding::read_private_key(cpu, &bad, Some(scheme)).err(), invalid);
        assert_eq!(encoding::read_public_key(cpu, &ones, Some(scheme)).err(), invalid);
        // NewHope-Compact has keys of these lengths, too.
        let assumed = |what| Some(EncodingError::NotOf { what, scheme: scheme.name, others: true });
        assert_eq!(encoding::read_private_key(cpu, &bad, None).err(), assumed("private key"));
        assert_eq!(encoding::read_public_key(cpu, &ones, None).err(), assumed("public key"));
        assert_eq!(scheme.public_key_to_der(cpu, &vec![0xff; scheme.public_key]).err(), invalid);
        assert_eq!(scheme.private_key_to_der(cpu, &bad).err(), invalid);
        assert!(
            scheme.public_key_to_der(cpu, &private).is_err()
                && scheme.private_key_to_der(cpu, &public).is_err()
        );
    }
    // As many bytes as a key of ML-KEM, which is the standard, has one of NewHope-Compact: it must be named.
    let compact = scheme::by_name("NewHope-Compact-512").expect("a listed scheme");
    let key = vec![0xff; compact.public_key];
    assert!(encoding::read_public_key(cpu, &key, None).is_err());
    let read = encoding::read_public_key(cpu, &key, Some(compact)).expect("any bytes are a key");
    assert!(read.scheme.name == compact.name && read.bytes == key);
    assert_eq!(
        compact.public_key_to_der(cpu, &key).err(),
        Some(EncodingError::NoIdentifier { scheme: compact.name })
    );
    // The only one of this length, of which another cannot be named.
    let (what, scheme) = ("private key", "sntrup761");
    let alone = encoding::read_private_key(cpu, &[0xff; 1763], None).err();
    assert_eq!(alone, Some(EncodingError::NotOf { what, scheme, others: false }));
    // Of two that are no standards, neither is taken.
    let either = encoding::read_public_key(cpu, &[0; 928], None).err();
    assert_eq!(either, Some(EncodingError::Ambiguous { what: "public key", given: 928 }));
    let seed = encoding::read_private_key(cpu, &example_seed(), None).err();
    assert_eq!(seed, Some(EncodingError::Ambiguous { what: "private key", given: 64 }));
    let nothing = encoding::read_public_key(cpu, &[], None).err();
    assert_eq!(nothing, Some(EncodingError::Unrecognised { what: "public key", given: 0 }));
}

/// Protects: the form of bytes is that by which they are read, whatever their algorithm; what is cut is raw.
#[test]
fn forms_of_bytes() {
    let (cpu, scheme) = (Cpu::detect(), scheme::by_name("ML-KEM-512").expect("listed"));
    let [seed, public, private] = example_keys(scheme);
    for raw in [&seed, &public, &private, &vec![]] {
        assert_eq!(Form::of(raw), Form::Raw);
    }
    let rsa = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
    let texts = [
        scheme.public_key_to_pem(cpu, &public).expect("a key"),
        scheme.private_key_to_pem(cpu, &seed).expect("a seed").to_string(),
    ];
    for text in texts {
        assert_eq!(Form::of(text.as_bytes()), Form::Pem);
        assert_eq!(Form::of(format!("\n {text}").as_bytes()), Form::Pem);
        assert_eq!(Form::of(&text.as_bytes()[1..]), Form::Raw);
    }
    for der in [
        scheme.public_key_to_der(cpu, &public).expect("a key").as_bytes(),
        scheme.private_key_to_der(cpu, &private).expect("a key").as_bytes(),
        &public_info(rsa, &[5, 0], 0, &public, &[]),
        &private_info(rsa, 0, &[], &seed_form(&seed), &[]),
    ] {
        assert_eq!(Form::of(der), Form::Der);
        assert_eq!(Form::of(&der[..der.len() - 1]), Form::Raw);
    }
    assert_eq!([Form::Pem, Form::Der, Form::Raw].map(|form| form.to_string()), ["PEM", "DER", "raw"]);
}

/// Protects: a key of another scheme, and of an algorithm that is not here, are said to be that.
#[test]
fn other_algorithms() {
    let (cpu, first, second) = (Cpu::detect(), scheme::ALL[0], scheme::ALL[1]);
    let [seed, public, _] = example_keys(first);
    let (public_der, private_der) = (
        first.public_key_to_der(cpu, &public).expect("a key"),
        first.private_key_to_der(cpu, &seed).expect("a seed"),
    );
    let other = Some(EncodingError::OtherScheme { expected: second.name, found: first.name });
    assert_eq!(encoding::read_public_key(cpu, public_der.as_bytes(), Some(second)).err(), other);
    assert_eq!(encoding::read_private_key(cpu, private_der.as_bytes(), Some(second)).err(), other);

    let rsa = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
    let unknown = Some(EncodingError::UnknownAlgorithm { oid: rsa });
    assert_eq!(encoding::read_public_key(cpu, &public_info(rsa, &[], 0, &public, &[]), None).err(), unknown);
    let der = private_info(rsa, 0, &[], &seed_form(&seed), &[]);
    assert_eq!(encoding::read_private_key(cpu, &der, None).err(), unknown);
    let with = public_info(oid(first), &[5, 0], 0, &public, &[]);
    assert_eq!(encoding::read_public_key(cpu, &with, None).err(), Some(EncodingError::Parameters));
}

/// Protects: every error is one line.
#[test]
fn errors_are_one_line() {
    let what = "public key";
    let errors = [
        EncodingError::Unrecognised { what, given: 3 },
        EncodingError::Ambiguous { what, given: 64 },
        EncodingError::NotOf { what, scheme: "A", others: false },
        EncodingError::NotOf { what, scheme: "A", others: true },
        EncodingError::Text,
        EncodingError::Label { expected: "PUBLIC KEY" },
        EncodingError::Malformed,
        EncodingError::UnknownAlgorithm { oid: oid(scheme::ALL[0]) },
        EncodingError::OtherScheme { expected: "A", found: "B" },
        EncodingError::NoIdentifier { scheme: "A" },
        EncodingError::Parameters,
        EncodingError::Key(SchemeError::InvalidKey),
    ];
    let lines: std::collections::BTreeSet<String> = errors.map(|error| error.to_string()).into();
    assert!(
        lines.len() == errors.len() && lines.iter().all(|line| line.len() > 10 && !line.contains('\n')),
        "{lines:?}"
    );
}
