//! Makes a self-signed certificate of a new key and prints both as PEM: `x509-cert` builds it, ML-DSA-65
//! signs it.
//!
//! ```text
//! cargo run -p ringsmith-ml-dsa --example certificate > pair.pem
//! ```

use ringsmith_kem::pkcs8::{EncodePrivateKey, EncodePublicKey, LineEnding, SubjectPublicKeyInfo};
use ringsmith_ml_dsa::ml_dsa_65::{Signature, SigningKey};
use std::error::Error;
use std::str::FromStr;
use std::time::Duration;
use x509_cert::builder::{Builder, CertificateBuilder, profile::cabf::Root};
use x509_cert::der::{Decode, EncodePem};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::time::Validity;

/// A certificate of an authority that signs itself, valid for a year from now.
pub(crate) fn self_signed(key: &SigningKey, subject: &str) -> Result<String, Box<dyn Error>> {
    let public = key.verifying_key().to_public_key_der()?;
    let builder = CertificateBuilder::new(
        Root::new(false, Name::from_str(subject)?)?,
        SerialNumber::from(1u32),
        Validity::from_now(Duration::from_secs(365 * 24 * 60 * 60))?,
        SubjectPublicKeyInfo::from_der(public.as_bytes())?,
    )?;
    let certificate = builder.build::<_, Signature>(key)?;
    Ok(certificate.to_pem(LineEnding::LF)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed)?;
    let key = SigningKey::from_seed(&seed);
    print!("{}", *key.to_pkcs8_pem(LineEnding::LF)?);
    print!("{}", self_signed(&key, "CN=Alice,O=Example,C=CH")?);
    Ok(())
}
