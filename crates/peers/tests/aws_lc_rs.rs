//! ML-DSA with aws-lc-rs, both ways: keys in every form, and signatures. It signs hedged, without a context.
//! With rustls's reader of certificates, which verifies by aws-lc-rs: our certificates.
#![cfg(feature = "dsa")]

use aws_lc_rs::encoding::{AsDer, AsRawBytes};
use aws_lc_rs::signature::{KeyPair, PqdsaKeyPair, PqdsaSigningAlgorithm, PqdsaVerificationAlgorithm};
use aws_lc_rs::signature::{ML_DSA_44, ML_DSA_44_SIGNING, ML_DSA_65, ML_DSA_65_SIGNING};
use aws_lc_rs::signature::{ML_DSA_87, ML_DSA_87_SIGNING, UnparsedPublicKey};
use ringsmith::encoding::EncodedSet;
use ringsmith::ml_dsa::{Context, MlDsa44, MlDsa65, MlDsa87};
use ringsmith::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use ringsmith::set::Bytes;
use ringsmith::signature::{SigningKey, VerifyingKey};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, SignatureVerificationAlgorithm, UnixTime};
use std::path::PathBuf;
use std::time::Duration;
use webpki::{EndEntityCert, Error, KeyUsage, anchor_from_trusted_cert};

fn agree<S: EncodedSet>(
    signing: &'static PqdsaSigningAlgorithm,
    verifying: &'static PqdsaVerificationAlgorithm,
) {
    for seed in 1..20 {
        let (ours, theirs) = (SigningKey::<S>::from_seed(&[seed; 32]), [seed; 32]);
        let theirs = PqdsaKeyPair::from_seed(signing, &theirs).expect("a seed");
        let (public, message) = (ours.verifying_key(), vec![seed; 50 * usize::from(seed)]);
        assert!(public.to_bytes().as_ref() == theirs.public_key().as_ref());
        let long = theirs.private_key().as_raw_bytes().expect("the long form");
        assert!((*ours.to_bytes()).as_ref() == long.as_ref());

        // The seed, and the long form, in files.
        let der = ours.to_pkcs8_der().expect("DER");
        assert!(der.as_bytes() == theirs.to_pkcs8v1().expect("DER").as_ref());
        let long = SigningKey::<S>::from_bytes(&ours.to_bytes()).expect("its own");
        for form in [&der, &long.to_pkcs8_der().expect("DER")] {
            let read = PqdsaKeyPair::from_pkcs8(signing, form.as_bytes()).expect("our key");
            assert!(read.public_key().as_ref() == public.to_bytes().as_ref());
        }
        let der = theirs.to_pkcs8v1().expect("DER");
        assert!(
            SigningKey::<S>::from_pkcs8_der(der.as_ref()).expect("their key").to_bytes() == ours.to_bytes()
        );
        let info = theirs.public_key().as_der().expect("DER");
        assert!(public.to_public_key_der().expect("DER").as_bytes() == info.as_ref());
        assert!(VerifyingKey::<S>::from_public_key_der(info.as_ref()).expect("their key") == *public);

        let key = UnparsedPublicKey::new(verifying, public.to_bytes());
        let mut made = ours.sign_deterministic(Context::EMPTY, &message).expect("a signature");
        assert!(key.verify(&message, made.as_ref()).is_ok());
        made.as_mut()[usize::from(seed)] ^= 1;
        assert!(key.verify(&message, made.as_ref()).is_err());
        let mut made = S::SignatureBytes::ZERO;
        theirs.sign(&message, made.as_mut()).expect("a signature");
        assert!(public.verify(Context::EMPTY, &message, made.as_ref()).is_ok());
        made.as_mut()[usize::from(seed)] ^= 1;
        assert!(public.verify(Context::EMPTY, &message, made.as_ref()).is_err());
    }
}

/// Protects: keys and signatures are the same, and each takes the other's.
#[test]
fn aws_lc_rs() {
    agree::<MlDsa44>(&ML_DSA_44_SIGNING, &ML_DSA_44);
    agree::<MlDsa65>(&ML_DSA_65_SIGNING, &ML_DSA_65);
    agree::<MlDsa87>(&ML_DSA_87_SIGNING, &ML_DSA_87);
}

/// Whether rustls takes a certificate that is its own authority.
fn taken(der: &[u8], by: &'static dyn SignatureVerificationAlgorithm, now: UnixTime) -> Result<(), Error> {
    let certificate = CertificateDer::from(der);
    let anchor = anchor_from_trusted_cert(&certificate)?;
    let end = EndEntityCert::try_from(&certificate)?;
    end.verify_for_usage(&[by], &[anchor], &[], now, KeyUsage::client_auth(), None, None).map(|_| ())
}

/// Protects: rustls reads the certificates that the command makes, and verifies them; not an altered one, nor
/// one that is not valid any more.
#[test]
#[ignore = "takes certificates of the command: the suite `interop` makes them"]
fn certificates() {
    let folder = std::env::var_os("RINGSMITH_CERTIFICATES").expect("the suite interop sets it");
    let algorithms =
        [webpki::aws_lc_rs::ML_DSA_44, webpki::aws_lc_rs::ML_DSA_65, webpki::aws_lc_rs::ML_DSA_87];
    for (set, by) in ["44", "65", "87"].into_iter().zip(algorithms) {
        let path = PathBuf::from(&folder).join(format!("ml-dsa-{set}.crt"));
        let certificate = CertificateDer::from_pem_file(path).expect("a certificate");
        let (mut der, now) = (certificate.to_vec(), UnixTime::now());
        assert!(taken(&der, by, now).is_ok(), "ML-DSA-{set}: {:?}", taken(&der, by, now));
        let later = UnixTime::since_unix_epoch(Duration::from_secs(now.as_secs() + 4 * 24 * 60 * 60));
        assert!(matches!(taken(&der, by, later), Err(Error::CertExpired { .. })));
        *der.last_mut().expect("a signature") ^= 1;
        assert_eq!(taken(&der, by, now), Err(Error::InvalidSignatureForPublicKey));
    }
}
