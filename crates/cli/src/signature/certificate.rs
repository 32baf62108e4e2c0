//! Certificates that a key signs itself (RFC 5280, RFC 9881): making one, and what is in one.

use super::keys::{Signer, signer};
use super::subject::subject;
use crate::error::Error;
use crate::lookup::cpu;
use crate::output::{Access, Output};
use crate::shown::escaped;
use clap::{Args, ValueHint};
use ringsmith::Cpu;
use ringsmith::encoding::{self, EncodingError, PublicKey};
use ringsmith::pkcs8::spki::{self, AlgorithmIdentifierOwned, DynSignatureAlgorithmIdentifier};
use ringsmith::pkcs8::{Document, EncodePublicKey, LineEnding, ObjectIdentifier};
use ringsmith::random::{self, SystemRng};
use ringsmith::scheme::{SchemeError, SignatureScheme};
use ringsmith::signature::{Context, Mu};
use signature::Keypair;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use x509_cert::builder::profile::BuilderProfile;
use x509_cert::builder::{self, Builder, CertificateBuilder};
use x509_cert::certificate::TbsCertificate;
use x509_cert::der::asn1::BitString;
use x509_cert::der::{Decode, Encode, EncodePem, Header, Reader, SliceReader};
use x509_cert::ext::pkix::{BasicConstraints, KeyUsage, KeyUsages, SubjectKeyIdentifier};
use x509_cert::ext::{Extension, ToExtension};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{SubjectPublicKeyInfoOwned, SubjectPublicKeyInfoRef};
use x509_cert::time::Validity;

/// Whose certificate, and for how long.
#[derive(Args)]
pub(crate) struct CertificateFile {
    /// The private key's file: PEM, DER or raw; - is standard input
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    identity: PathBuf,
    /// The scheme, where a raw key's length does not say it
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// Whom the key belongs to, as in 'CN=Alice,O=Example,C=CH'
    #[arg(long, value_name = "NAME")]
    subject: String,
    /// How many days from now the certificate is valid
    #[arg(long, value_name = "DAYS", default_value_t = 365,
        value_parser = clap::value_parser!(u32).range(1..=36500))]
    days: u32,
    /// The certificate's new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl CertificateFile {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<(), Error> {
        let (cpu, subject) = (cpu()?, subject(&self.subject)?);
        let signer = signer(cpu, &self.identity, self.scheme.as_deref())?;
        let mut output = Output::open(self.output.as_deref(), Access::All)?;
        let days = Duration::from_secs(u64::from(self.days) * 24 * 60 * 60);
        let made = random::drawn(|rng| self_signed(cpu, &signer, subject, days, rng));
        let text = made.map_err(Error::Random)??;
        output.write(text.as_bytes())?;
        output.finish()
    }
}

/// A certificate as PEM that the key signs itself.
fn self_signed(
    cpu: Cpu,
    signer: &Signer,
    subject: Name,
    valid: Duration,
    rng: &mut SystemRng,
) -> Result<String, Error> {
    let Signer { key, public } = signer;
    let named = Named { scheme: key.scheme, public: info(cpu, key.scheme, public)? };
    let mut certificate = CertificateBuilder::new(
        Alone(subject),
        SerialNumber::generate(rng),
        Validity::from_now(valid)?,
        SubjectPublicKeyInfoOwned::from_der(named.public.as_bytes())?,
    )?;
    let mu = mu(cpu, key.scheme, public, &certificate.finalize(&named)?)?;
    let mut signature = vec![0; key.scheme.signature];
    (key.scheme.sign)(cpu, &key.bytes, &mu, rng, &mut signature)?;
    let certificate = certificate.assemble(BitString::from_bytes(&signature)?, &named)?;
    Ok(certificate.to_pem(LineEnding::LF)?)
}

fn info(cpu: Cpu, scheme: &SignatureScheme, public: &[u8]) -> Result<Document, Error> {
    let made = scheme.public_key_to_der(cpu, public);
    made.map_err(|why| Error::Key { name: "the public key".into(), why })
}

/// What is signed of a certificate: its context is empty.
fn mu(cpu: Cpu, scheme: &SignatureScheme, public: &[u8], certified: &[u8]) -> Result<Mu, SchemeError> {
    let mut message = (scheme.message)(cpu, public, Context::EMPTY)?;
    message.update(certified);
    Ok(message.finish())
}

impl From<builder::Error> for Error {
    fn from(why: builder::Error) -> Self {
        Error::Certificate(why.to_string())
    }
}

impl From<x509_cert::der::Error> for Error {
    fn from(why: x509_cert::der::Error) -> Self {
        Error::Certificate(why.to_string())
    }
}

/// What a certificate says of a key that signs whatever its owner wants, but no certificates of others.
struct Alone(Name);

impl BuilderProfile for Alone {
    fn get_issuer(&self, subject: &Name) -> Name {
        subject.clone()
    }

    fn get_subject(&self) -> Name {
        self.0.clone()
    }

    fn build_extensions(
        &self,
        key: SubjectPublicKeyInfoRef<'_>,
        _: SubjectPublicKeyInfoRef<'_>,
        _: &TbsCertificate,
    ) -> builder::Result<Vec<Extension>> {
        let constraints = BasicConstraints { ca: false, path_len_constraint: None };
        let identifier = SubjectKeyIdentifier::try_from(key)?;
        Ok(vec![
            identifier.to_extension(&self.0, &[])?,
            constraints.to_extension(&self.0, &[])?,
            KeyUsage(KeyUsages::DigitalSignature.into()).to_extension(&self.0, &[])?,
        ])
    }
}

/// A key as the builder of certificates knows it.
struct Named {
    scheme: &'static SignatureScheme,
    public: Document,
}

/// A public key as the builder of certificates knows it.
#[derive(Clone)]
struct Info(Document);

impl EncodePublicKey for Info {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        Ok(self.0.clone())
    }
}

impl Keypair for Named {
    type VerifyingKey = Info;

    fn verifying_key(&self) -> Info {
        Info(self.public.clone())
    }
}

/// A signature is named as its key is.
impl DynSignatureAlgorithmIdentifier for Named {
    fn signature_algorithm_identifier(&self) -> spki::Result<AlgorithmIdentifierOwned> {
        let oid = oid_of(self.scheme).ok_or(spki::Error::KeyMalformed)?;
        Ok(AlgorithmIdentifierOwned { oid, parameters: None })
    }
}

fn oid_of(scheme: &SignatureScheme) -> Option<ObjectIdentifier> {
    scheme.encoding.as_ref().map(|encoding| encoding.oid)
}

/// A certificate that was read.
pub(crate) struct Certificate {
    /// What is in it.
    parts: x509_cert::Certificate,
    /// What was signed of it, as it stands there.
    certified: Vec<u8>,
}

const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const END: &str = "-----END CERTIFICATE-----";

impl Certificate {
    /// The certificate that bytes are, PEM or DER, if they are one; of several in a text, the first.
    pub(crate) fn of(bytes: &[u8]) -> Option<Result<Self, EncodingError>> {
        let bytes = bytes.trim_ascii_start();
        if bytes.starts_with(BEGIN.as_bytes()) {
            return Some(Self::of_text(bytes));
        }
        Self::of_der(bytes).ok().map(Ok)
    }

    fn of_text(text: &[u8]) -> Result<Self, EncodingError> {
        let end = text.windows(END.len()).position(|part| part == END.as_bytes());
        let first = &text[..end.ok_or(EncodingError::Text)? + END.len()];
        let text = str::from_utf8(first).map_err(|_| EncodingError::Text)?;
        let (_, document) = Document::from_pem(text).map_err(|_| EncodingError::Text)?;
        Self::of_der(document.as_bytes())
    }

    fn of_der(der: &[u8]) -> Result<Self, EncodingError> {
        let parts = x509_cert::Certificate::from_der(der).map_err(|_| EncodingError::Malformed)?;
        let certified = first_of_sequence(der).map_err(|_| EncodingError::Malformed)?;
        Ok(Certificate { parts, certified })
    }

    /// Its public key, which must be of a signature scheme.
    pub(crate) fn public_key(
        &self,
        cpu: Cpu,
        expected: Option<&'static SignatureScheme>,
    ) -> Result<PublicKey<SignatureScheme>, EncodingError> {
        let info = self.parts.tbs_certificate().subject_public_key_info();
        let info = info.to_der().map_err(|_| EncodingError::Malformed)?;
        encoding::read_any_verifying_key(cpu, &info, expected)
    }

    /// Whether its own key signed it; `None` where it says that somebody else did.
    pub(crate) fn is_signed_by_itself(&self, cpu: Cpu, key: &PublicKey<SignatureScheme>) -> Option<bool> {
        let parts = self.parts.tbs_certificate();
        if parts.issuer() != parts.subject() || oid_of(key.scheme) != Some(parts.signature().oid) {
            return None;
        }
        let signature = self.parts.signature().as_bytes().unwrap_or_default();
        let verified = mu(cpu, key.scheme, &key.bytes, &self.certified)
            .and_then(|mu| (key.scheme.verify)(cpu, &key.bytes, &mu, signature));
        Some(verified.is_ok() && self.parts.signature_algorithm() == parts.signature())
    }

    /// Whom the key belongs to, for a terminal.
    pub(crate) fn subject(&self) -> String {
        escaped(&self.parts.tbs_certificate().subject().to_string())
    }

    /// Who says so.
    pub(crate) fn issuer(&self) -> String {
        escaped(&self.parts.tbs_certificate().issuer().to_string())
    }

    /// From when to when it is valid.
    pub(crate) fn validity(&self) -> String {
        let Validity { not_before, not_after, .. } = self.parts.tbs_certificate().validity();
        format!("{not_before} to {not_after}")
    }

    /// What is wrong with it now, if it is valid at another time.
    pub(crate) fn is_outdated(&self) -> Option<String> {
        let Validity { not_before, not_after, .. } = self.parts.tbs_certificate().validity();
        let now = SystemTime::now();
        if now < not_before.to_system_time() {
            return Some(format!("is not valid before {not_before}"));
        }
        (now > not_after.to_system_time()).then(|| format!("is not valid after {not_after}"))
    }
}

/// The first element of a sequence, as it stands there.
fn first_of_sequence(der: &[u8]) -> x509_cert::der::Result<Vec<u8>> {
    let mut reader = SliceReader::new(der)?;
    Header::decode(&mut reader)?;
    reader.tlv_bytes().map(<[u8]>::to_vec)
}
