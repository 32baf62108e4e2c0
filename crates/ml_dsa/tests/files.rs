//! Keys as files, certificates, and the traits of the crate `signature`.
//!
//! `RINGSMITH_VECTORS` names a folder with `mldsa/keys_certificates_a.json.xz`: keys and certificates of RFC
//! 9881 and of Bouncy Castle, which are not in this repository. The rest needs no file.

use ringsmith_kem::encoding::{EncodedSet, EncodingError, read_signing_key, read_verifying_key};
use ringsmith_kem::pkcs8::der::asn1::BitStringRef;
use ringsmith_kem::pkcs8::der::{Decode, Document, Reader, SliceReader};
use ringsmith_kem::pkcs8::spki::AlgorithmIdentifierRef;
use ringsmith_kem::pkcs8::{AssociatedOid, DecodePrivateKey, DecodePublicKey, EncodePrivateKey};
use ringsmith_kem::pkcs8::{EncodePublicKey, SubjectPublicKeyInfoRef};
use ringsmith_kem::signature::traits::{Keypair, MultipartSigner, MultipartVerifier};
use ringsmith_kem::signature::traits::{RandomizedMultipartSigner, RandomizedSigner};
use ringsmith_kem::signature::traits::{Signature, SignatureEncoding, Signer, Verifier};
use ringsmith_kem::signature::{PreparedSigningKey, PreparedVerifyingKey, SigningKey, VerifyingKey};
use ringsmith_ml_dsa::{Context, InvalidKey, MlDsa44, MlDsa65, MlDsa87};
use ringsmith_simd::Cpu;
use std::collections::BTreeMap;
use std::io::Read;

type Files = BTreeMap<String, String>;

/// The files, if there are any.
fn files() -> Option<Files> {
    let Some(root) = std::env::var_os("RINGSMITH_VECTORS") else {
        println!("not run: RINGSMITH_VECTORS is not set");
        return None;
    };
    let path = std::path::Path::new(&root).join("mldsa/keys_certificates_a.json.xz");
    let compressed = std::fs::read(&path).expect("the file of keys");
    let mut text = String::new();
    lzma_rust2::XzReader::new(&compressed[..], true).read_to_string(&mut text).expect("a text");
    Some(serde_json::from_str(&text).expect("texts by name"))
}

/// What PEM holds, whatever its label.
fn der(pem: &str) -> Vec<u8> {
    Document::from_pem(&pem[pem.find("-----BEGIN").expect("PEM")..]).expect("PEM").1.into_vec()
}

fn signing<S: EncodedSet>(pem: &str) -> Result<SigningKey<S>, EncodingError> {
    read_signing_key(Cpu::detect(), pem.as_bytes())
}

/// The parts of a certificate: what is signed, its public key, and the signature.
fn certificate(der: &[u8]) -> (&[u8], &[u8], Vec<u8>) {
    let mut reader = SliceReader::new(der).expect("DER");
    let parts = reader.sequence(|inner| {
        let signed = inner.tlv_bytes()?;
        AlgorithmIdentifierRef::decode(inner)?;
        let signature = BitStringRef::decode(inner)?;
        Ok::<_, ringsmith_kem::pkcs8::der::Error>((signed, signature.raw_bytes().to_vec()))
    });
    let (signed, signature) = parts.expect("a certificate");
    let mut reader = SliceReader::new(signed).expect("DER");
    let key = reader.sequence(|inner| {
        // Version, number, algorithm, issuer, validity, subject.
        (0..6).try_for_each(|_| inner.tlv_bytes().map(|_| ()))?;
        let key = inner.tlv_bytes()?;
        while !inner.is_finished() {
            inner.tlv_bytes()?;
        }
        Ok::<_, ringsmith_kem::pkcs8::der::Error>(key)
    });
    (signed, key.expect("a public key"), signature)
}

/// Keys and certificates of RFC 9881.
fn rfc<S: EncodedSet>(files: &Files) {
    let file = |end: &str| files[&format!("rfc9881/{}{end}", S::NAME)].as_str();
    let seed = signing::<S>(file("-seed.priv")).expect("a seed");
    let expanded = signing::<S>(file("-expanded.priv")).expect("the long form");
    let both = signing::<S>(file("-both.priv")).expect("both forms");
    assert!(seed.to_bytes() == expanded.to_bytes() && seed.to_bytes() == both.to_bytes());
    assert!(both.to_seed() == seed.to_seed() && seed.to_seed().is_some() && expanded.to_seed().is_none());
    // What is written: the seed where it is known.
    assert_eq!(seed.to_pkcs8_der().expect("DER").as_bytes(), der(file("-seed.priv")));
    assert_eq!(both.to_pkcs8_der().expect("DER").as_bytes(), der(file("-seed.priv")));
    assert_eq!(expanded.to_pkcs8_der().expect("DER").as_bytes(), der(file("-expanded.priv")));

    let public = read_verifying_key::<S>(Cpu::detect(), file(".pub").as_bytes()).expect("a public key");
    assert_eq!(public, *seed.verifying_key());
    assert_eq!(public.to_public_key_der().expect("DER").as_bytes(), der(file(".pub")));
    self_signed::<S>(file(".crt"));
}

/// A certificate that is signed with its own key; one byte of difference, and it is not.
fn self_signed<S: EncodedSet>(pem: &str) {
    let der = der(pem);
    let (signed, key, signature) = certificate(&der);
    let key = SubjectPublicKeyInfoRef::from_der(key).expect("a public key");
    let key = VerifyingKey::<S>::try_from(key).expect("a key of the set");
    key.verify(Context::EMPTY, signed, &signature).expect("a certificate of itself");
    let mut other = signed.to_vec();
    other[100] ^= 1;
    key.verify(Context::EMPTY, &other, &signature).expect_err("another text");
}

/// Protects: the three forms of RFC 9881 are read, each is written as its examples are, and its certificates
/// verify.
#[test]
fn examples_of_the_rfc() {
    let Some(files) = files() else { return };
    rfc::<MlDsa44>(&files);
    rfc::<MlDsa87>(&files);
}

/// Protects: certificates of another library verify; its private keys have the form of a draft, and the error
/// says so.
#[test]
fn of_another_library() {
    fn of<S: EncodedSet>(files: &Files, set: &str) {
        self_signed::<S>(&files[&format!("tls/x509-ca-ml_dsa_{set}.pem")]);
        for who in ["ca", "server"] {
            let old = &files[&format!("tls/x509-{who}-key-ml_dsa_{set}.pem")];
            let why = signing::<S>(old).err().expect("a form of a draft");
            assert_eq!(why, EncodingError::DraftForm { scheme: S::NAME });
            assert!(why.to_string().contains("draft of RFC 9881"));
            assert!(SigningKey::<S>::from_pkcs8_pem(old).is_err());
        }
    }
    let Some(files) = files() else { return };
    of::<MlDsa44>(&files, "44");
    of::<MlDsa87>(&files, "87");
}

/// Protects: the bad keys of RFC 9881 are refused: two forms that differ, and a hash that is wrong.
#[test]
fn bad_keys_of_the_rfc() {
    let Some(files) = files() else { return };
    let bad: Vec<_> = files.iter().filter(|(name, _)| name.contains("bad-")).collect();
    assert_eq!(bad.len(), 2);
    for (name, pem) in bad {
        let why = signing::<MlDsa44>(pem).err();
        assert!(matches!(why, Some(EncodingError::Key(_))), "{name}: {why:?}");
    }
}

/// A key, and its two forms in DER: the seed, the long form.
fn forms<S: EncodedSet>() -> (SigningKey<S>, Vec<u8>, Vec<u8>) {
    let key = SigningKey::<S>::from_seed(&[9; 32]);
    let long = SigningKey::<S>::from_bytes(&key.to_bytes()).expect("its own");
    let der = |key: &SigningKey<S>| key.to_pkcs8_der().expect("DER").as_bytes().to_vec();
    let (seed, long) = (der(&key), der(&long));
    (key, seed, long)
}

/// Protects: lengths of the encodings (RFC 9881), and that what is written is read.
#[test]
fn lengths_and_round_trips() {
    fn of<S: EncodedSet>(seed_length: usize, long_length: usize, public_length: usize) {
        let (key, seed, long) = forms::<S>();
        assert_eq!((seed.len(), long.len()), (seed_length, long_length));
        for der in [&seed, &long] {
            let again = SigningKey::<S>::from_pkcs8_der(der).expect("its own");
            assert!(again.to_bytes() == key.to_bytes());
        }
        let public = key.verifying_key().to_public_key_der().expect("DER");
        assert_eq!(public.as_bytes().len(), public_length);
        let again = VerifyingKey::<S>::from_public_key_der(public.as_bytes()).expect("its own");
        assert_eq!(again, *key.verifying_key());
    }
    of::<MlDsa44>(54, 2588, 1334);
    of::<MlDsa65>(54, 4060, 1974);
    of::<MlDsa87>(54, 4924, 2614);
}

/// Protects: every prefix, every extension, other sets, and every changed byte outside the key itself are
/// refused, in every form, without a panic.
#[test]
fn malformed() {
    let (key, seed, long) = forms::<MlDsa44>();
    let public = key.verifying_key().to_public_key_der().expect("DER").as_bytes().to_vec();
    let cpu = Cpu::detect();
    let private = |der: &[u8]| read_signing_key::<MlDsa44>(cpu, der);
    for end in 0..seed.len() {
        assert!(private(&seed[..end]).is_err(), "{end}");
    }
    for end in (0..long.len()).step_by(97).chain([long.len() - 1]) {
        assert!(private(&long[..end]).is_err(), "{end}");
    }
    for at in 0..seed.len() - 32 {
        let mut other = seed.clone();
        other[at] ^= 0x40;
        assert!(private(&other).is_err(), "byte {at}");
    }
    for der in [&seed, &long] {
        assert!(private(&[der, &[0][..]].concat()).is_err());
    }
    assert!(read_verifying_key::<MlDsa44>(cpu, &public[..public.len() - 1]).is_err());
    assert!(read_verifying_key::<MlDsa44>(cpu, &[&public, &[0][..]].concat()).is_err());
    assert!(read_signing_key::<MlDsa65>(cpu, &seed).is_err());
    assert!(read_verifying_key::<MlDsa65>(cpu, &public).is_err());
    // `NULL` is a parameter.
    let mut with_null = seed.clone();
    with_null.splice(18..18, [5, 0]);
    (with_null[1], with_null[6]) = (with_null[1] + 2, with_null[6] + 2);
    assert_eq!(private(&with_null).err(), Some(EncodingError::Parameters));
}

/// A value of DER with this tag.
fn tagged(tag: u8, bytes: &[u8]) -> Vec<u8> {
    let [high, low] = u16::try_from(bytes.len()).expect("short").to_be_bytes();
    let length = if bytes.len() < 128 { vec![low] } else { vec![0x82, high, low] };
    [&[tag][..], &length, bytes].concat()
}

/// Protects: each form of a draft is told from a damaged key.
#[test]
fn drafts() {
    let key = SigningKey::<MlDsa44>::from_seed(&[9; 32]);
    let (long, public) = (key.to_bytes(), key.verifying_key().to_bytes());
    let (_, seed, _) = forms::<MlDsa44>();
    let (version, algorithm) = (&seed[2..5], &seed[5..18]);
    let private = |inner: &[u8]| {
        let whole = tagged(0x30, &[version, algorithm, &tagged(4, inner)].concat());
        read_signing_key::<MlDsa44>(Cpu::detect(), &whole).err()
    };
    let draft = Some(EncodingError::DraftForm { scheme: "ML-DSA-44" });
    let [with_public, with_seed] = [[&long[..], &public].concat(), [&[9; 32][..], &*long].concat()];
    for form in [&[9; 32][..], &*long, &with_public, &with_seed, &tagged(4, &with_public)] {
        assert_eq!(private(form), draft, "{} bytes", form.len());
    }
    for damaged in [&long[1..], &[9; 33], &tagged(4, &long[1..]), &tagged(0x80, &[9; 31]), &[]] {
        assert!(matches!(private(damaged), Some(EncodingError::Key(_))), "{} bytes", damaged.len());
    }
}

/// A generator of one byte, or one that fails.
struct Fixed(Option<u8>);

impl rand_core::TryRng for Fixed {
    type Error = std::fmt::Error;
    fn try_next_u32(&mut self) -> Result<u32, std::fmt::Error> {
        rand_core::utils::next_word_via_fill(self)
    }
    fn try_next_u64(&mut self) -> Result<u64, std::fmt::Error> {
        rand_core::utils::next_word_via_fill(self)
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), std::fmt::Error> {
        bytes.fill(self.0.ok_or(std::fmt::Error)?);
        Ok(())
    }
}

impl rand_core::TryCryptoRng for Fixed {}

/// Protects: the traits make and take the same signatures as the functions do with an empty context; parts
/// are the whole; errors are errors.
#[test]
fn traits_of_signature() {
    let key = SigningKey::<MlDsa65>::from_seed(&[5; 32]);
    let public = key.verifying_key();
    let own = key.sign_deterministic(Context::EMPTY, b"a message").expect("a signature");
    let signature: Signature<MlDsa65> = key.try_sign(b"a message").expect("a signature");
    assert_eq!(signature.to_bytes(), own);
    assert_eq!(key.try_multipart_sign(&[b"a ", b"", b"message"]).expect("a signature"), signature);
    assert_eq!(Signature::try_from(&own[..]).expect("the length"), signature);
    assert!(Signature::<MlDsa65>::try_from(&own[1..]).is_err());
    assert!(Verifier::verify(public, b"a message", &signature).is_ok());
    assert!(public.multipart_verify(&[b"a mess", b"age"], &signature).is_ok());
    assert!(Verifier::verify(public, b"another", &signature).is_err());
    assert!(public.multipart_verify(&[b"a mess"], &signature).is_err());

    let random: Signature<MlDsa65> =
        key.try_sign_with_rng(&mut Fixed(Some(1)), b"a message").expect("a signature");
    assert!(random != signature && Verifier::verify(public, b"a message", &random).is_ok());
    let parts = key.try_multipart_sign_with_rng(&mut Fixed(Some(1)), &[b"a mess", b"age"]);
    assert_eq!(parts.expect("a signature"), random);
    let failed: Result<Signature<MlDsa65>, _> = key.try_sign_with_rng(&mut Fixed(None), b"a message");
    assert!(failed.is_err());
}

/// What signs by the traits, whichever form a key has: a message, the same in parts, and with randomness.
fn signed<K>(key: &K) -> [Signature<MlDsa65>; 4]
where
    K: Signer<Signature<MlDsa65>>
        + MultipartSigner<Signature<MlDsa65>>
        + RandomizedSigner<Signature<MlDsa65>>
        + RandomizedMultipartSigner<Signature<MlDsa65>>,
{
    let (mut one, mut other) = (Fixed(Some(1)), Fixed(Some(1)));
    [
        key.try_sign(b"a message"),
        key.try_multipart_sign(&[b"a mess", b"age"]),
        key.try_sign_with_rng(&mut one, b"a message"),
        key.try_multipart_sign_with_rng(&mut other, &[b"a mess", b"age"]),
    ]
    .map(|signature| signature.expect("a signature"))
}

/// What the traits say of a signature: of its message, of that in parts, and of other messages.
fn verified(
    key: &(impl Verifier<Signature<MlDsa65>> + MultipartVerifier<Signature<MlDsa65>>),
    signature: &Signature<MlDsa65>,
) -> [bool; 4] {
    [
        key.verify(b"a message", signature),
        key.multipart_verify(&[b"a ", b"", b"message"], signature),
        key.verify(b"another", signature),
        key.multipart_verify(&[b"a mess"], signature),
    ]
    .map(|verdict| verdict.is_ok())
}

/// Protects: prepared keys have the same traits, which make the same signatures and give the same verdicts;
/// with an empty context; a signature that is altered or of another key is refused.
#[test]
fn traits_of_prepared_keys() {
    let key = SigningKey::<MlDsa65>::from_seed(&[5; 32]);
    let prepared = PreparedSigningKey::new(&key);
    assert_eq!(Keypair::verifying_key(&prepared), *key.verifying_key());
    let made = signed(&prepared);
    assert_eq!(made, signed(&key));

    let (plain, kept) = (key.verifying_key(), PreparedVerifyingKey::new(key.verifying_key()));
    let other = SigningKey::<MlDsa65>::from_seed(&[6; 32]);
    let other = PreparedVerifyingKey::new(other.verifying_key());
    for signature in made {
        assert_eq!(verified(&kept, &signature), [true, true, false, false]);
        assert_eq!(verified(plain, &signature), verified(&kept, &signature));
        assert_eq!(verified(&other, &signature), [false; 4]);
        let mut altered = *signature.as_bytes();
        altered[1000] ^= 1;
        assert_eq!(verified(&kept, &Signature::from_bytes(altered)), [false; 4]);
    }
    let context = Context::new(b"a context").expect("a short one");
    let of_a_context = key.sign_deterministic(context, b"a message").expect("a signature");
    assert_eq!(verified(&kept, &Signature::from_bytes(of_a_context)), [false; 4]);
}

/// Protects: object identifiers.
#[test]
fn identifiers() {
    let all = [MlDsa44::OID, MlDsa65::OID, MlDsa87::OID].map(|oid| oid.to_string());
    assert_eq!(all, [17, 18, 19].map(|last| format!("2.16.840.1.101.3.4.3.{last}")));
    let why: EncodingError = InvalidKey.into();
    assert!(matches!(why, EncodingError::Key(_)));
}
