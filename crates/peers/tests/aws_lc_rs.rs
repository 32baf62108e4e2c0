//! ML-DSA with aws-lc-rs, both ways: keys in every form, and signatures. It signs hedged, without a context.
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
