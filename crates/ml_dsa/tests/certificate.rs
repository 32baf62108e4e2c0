//! A certificate that the crate `x509-cert` builds and this library signs: the example `certificate`.

#[allow(dead_code, reason = "its main function")]
#[path = "../examples/certificate.rs"]
mod example;

use ringsmith_kem::pkcs8::AssociatedOid;
use ringsmith_ml_dsa::ml_dsa_65::{SigningKey, VerifyingKey};
use ringsmith_ml_dsa::{Context, MlDsa65};
use x509_cert::Certificate;
use x509_cert::der::referenced::OwnedToRef;
use x509_cert::der::{DecodePem, Encode};

/// Protects: the certificate names the algorithm without parameters, in both places, and verifies with the
/// key that is in it.
#[test]
fn self_signed() {
    let key = SigningKey::from_seed(&[3; 32]);
    let pem = example::self_signed(&key, "CN=Alice,O=Example,C=CH").expect("a certificate");
    let certificate = Certificate::from_pem(pem).expect("a certificate");
    let signed = certificate.tbs_certificate();
    for algorithm in [certificate.signature_algorithm(), signed.signature()] {
        assert!(algorithm.oid == MlDsa65::OID && algorithm.parameters.is_none());
    }
    let info = signed.subject_public_key_info().owned_to_ref();
    let public = VerifyingKey::try_from(info).expect("a public key");
    assert_eq!(public, *key.verifying_key());
    let mut text = signed.to_der().expect("DER");
    let signature = certificate.signature().raw_bytes();
    assert!(public.verify(Context::EMPTY, &text, signature).is_ok());
    text[50] ^= 1;
    assert!(public.verify(Context::EMPTY, &text, signature).is_err());
}
