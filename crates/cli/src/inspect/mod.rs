//! `ringsmith inspect`: what a file is, without a word of what is secret in it.

mod age;

use crate::error::Error;
use crate::file::input::Input;
use crate::file::passphrase::Opening;
use crate::file::protected::is_age;
use crate::keys::AnyScheme;
use crate::lookup::cpu;
use crate::output::print;
use crate::pke_keys::DecryptionKey;
use crate::signature::Certificate;
use clap::{Args, ValueHint};
use ringsmith::Cpu;
use ringsmith::encoding::{self, EncodingError, Form};
use ringsmith::hash::Sha3_256;
use ringsmith::scheme::{PublicKeyEncryption, Scheme, Seed, SignatureScheme, Status};
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Which file.
#[derive(Args)]
pub(crate) struct Inspect {
    /// The scheme, where a raw key's length does not say it
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// Say whether a private key of this file opens an age file; may be repeated
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    identity: Vec<PathBuf>,
    #[command(flatten)]
    opening: Opening,
    /// A key, a certificate, a ciphertext or a signature: PEM, DER or raw; an age file, or keys of such
    /// files; - is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
}

/// The longest file accepted that is no age file, in bytes: several times the longest key as text.
const LONGEST: usize = 1 << 16;

/// Runs the command.
pub(crate) fn run(args: &Inspect) -> Result<(), Error> {
    let expected = args.scheme.as_deref().map(AnyScheme::find).transpose()?;
    args.read_once()?;
    let Input { name, mut reader, .. } = Input::open(&args.file)?;
    // The memory is all there, so that no copy of a secret is left behind by a vector that grew.
    let mut bytes = Zeroizing::new(Vec::with_capacity(LONGEST + 1));
    let read = reader.by_ref().take(LONGEST as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|why| Error::Read { name: name.clone(), why })?;
    let text = if expected.is_none() && is_age(&bytes) {
        age::file(cpu()?, &name, &bytes, reader, args)?
    } else if !args.identity.is_empty() {
        return Err(Error::Usage(format!("{name} is no age file, and -i goes with such files alone")));
    } else if bytes.len() > LONGEST {
        return Err(Error::TooLong { name, limit: LONGEST });
    } else if let Some(keys) = age::Keys::of(&bytes).filter(|_| expected.is_none()) {
        age::keys(cpu()?, &name, &args.file, &bytes, keys)?
    } else {
        describe(cpu()?, &bytes, expected).map_err(|why| Error::Key { name: name.clone(), why })?
    };
    print(format!("{name}: {text}").as_bytes())
}

impl Inspect {
    /// Standard input can be one thing.
    fn read_once(&self) -> Result<(), Error> {
        let files = self.identity.iter().chain([&self.file]).map(PathBuf::as_path);
        let standard = files.chain(self.opening.source.path()).filter(|path| *path == Path::new("-"));
        match standard.count() {
            0 | 1 => Ok(()),
            _ => Err(Error::Usage("standard input is named more than once".into())),
        }
    }
}

/// What the bytes are.
fn describe(cpu: Cpu, bytes: &[u8], expected: Option<AnyScheme>) -> Result<String, EncodingError> {
    if let Some(certificate) = Certificate::of(bytes) {
        return certified(cpu, &certificate?, expected);
    }
    let described = match Form::of(bytes) {
        Form::Raw => raw(cpu, bytes, expected),
        form => key(cpu, bytes, expected, form),
    };
    described.map_err(|why| match (why, expected) {
        (EncodingError::UnknownAlgorithm { oid }, Some(expected)) => match AnyScheme::of(oid) {
            Some(found) => {
                EncodingError::OtherScheme { expected: expected.facts().0, found: found.facts().0 }
            }
            None => why,
        },
        _ => why,
    })
}

/// What a key is that is the only thing that the bytes can be.
fn key(cpu: Cpu, bytes: &[u8], expected: Option<AnyScheme>, form: Form) -> Result<String, EncodingError> {
    let of_kem = |scheme| of_kem(cpu, bytes, scheme, form);
    let of_pke = |scheme| {
        let key = encoding::read_encryption_key(cpu, bytes, scheme)?;
        Ok(encryption_key(cpu, key.scheme, &key.bytes).alone(cpu, form))
    };
    match expected {
        Some(AnyScheme::Kem(scheme)) => of_kem(Some(scheme)),
        Some(AnyScheme::Pke(scheme)) => of_pke(Some(scheme)),
        Some(AnyScheme::Signatures(scheme)) => of_signatures(cpu, bytes, Some(scheme), form),
        None => of_kem(None).or_else(|why| match (why, of_pke(None)) {
            (_, Ok(found)) => Ok(found),
            (EncodingError::UnknownAlgorithm { .. }, Err(EncodingError::Key(why))) => Err(why.into()),
            (why @ EncodingError::UnknownAlgorithm { .. }, _) => {
                match of_signatures(cpu, bytes, None, form) {
                    Err(EncodingError::UnknownAlgorithm { .. }) => Err(why),
                    found => found,
                }
            }
            (why, _) => Err(why),
        }),
    }
}

/// The same of signatures.
fn of_signatures(
    cpu: Cpu,
    bytes: &[u8],
    expected: Option<&'static SignatureScheme>,
    form: Form,
) -> Result<String, EncodingError> {
    let private = match encoding::read_any_signing_key(cpu, bytes, expected) {
        Ok(key) => {
            let reading = signing_key(cpu, key.scheme, &key.bytes);
            let what = if key.seed.is_some() { WITH_SEED } else { reading.what };
            return Ok(Reading { what, ..reading }.alone(cpu, form));
        }
        Err(why) => why,
    };
    match encoding::read_any_verifying_key(cpu, bytes, expected) {
        Ok(key) => Ok(verifying_key(key.scheme, &key.bytes).alone(cpu, form)),
        Err(public) => Err(if says_more(&private) { private } else { public }),
    }
}

/// What a certificate says, and who signed it.
fn certified(
    cpu: Cpu,
    certificate: &Certificate,
    expected: Option<AnyScheme>,
) -> Result<String, EncodingError> {
    let key = match expected {
        Some(AnyScheme::Signatures(scheme)) => certificate.public_key(cpu, Some(scheme))?,
        Some(other) => {
            let found = certificate.public_key(cpu, None)?.scheme.name;
            return Err(EncodingError::OtherScheme { expected: other.facts().0, found });
        }
        None => certificate.public_key(cpu, None)?,
    };
    let signed = match certificate.is_signed_by_itself(cpu, &key) {
        Some(true) => "its own key, which is right".into(),
        Some(false) => "its own key, which is WRONG: the certificate was altered".into(),
        None => format!("{}, which is not checked", certificate.issuer()),
    };
    let reading = verifying_key(key.scheme, &key.bytes);
    Ok(format!(
        "certificate of a key of {}, {}\n  subject: {}\n  signed by: {signed}\n  valid: {}{}\n  \
         {FINGERPRINT}: {}\n",
        key.scheme.name,
        key.scheme.status,
        certificate.subject(),
        certificate.validity(),
        certificate.is_outdated().map_or("", |_| ", not now"),
        reading.fingerprint(cpu).unwrap_or_default(),
    ))
}

/// The same of key encapsulation.
fn of_kem(
    cpu: Cpu,
    bytes: &[u8],
    expected: Option<&'static Scheme>,
    form: Form,
) -> Result<String, EncodingError> {
    let private = match encoding::read_private_key(cpu, bytes, expected) {
        Ok(key) => {
            let reading = private_key(cpu, key.scheme, &key.bytes);
            let what = if key.seed.is_some() { WITH_SEED } else { reading.what };
            return Ok(Reading { what, ..reading }.alone(cpu, form));
        }
        Err(why) => why,
    };
    match encoding::read_public_key(cpu, bytes, expected) {
        Ok(key) => Ok(public_key(cpu, key.scheme, &key.bytes).alone(cpu, form)),
        // What was recognised as one kind of key says best what is wrong with it.
        Err(public) => Err(if says_more(&private) { private } else { public }),
    }
}

/// Whether a private key's error is about a private key.
fn says_more(why: &EncodingError) -> bool {
    !matches!(
        why,
        EncodingError::Unrecognised { .. } | EncodingError::Label { .. } | EncodingError::Malformed
    )
}

/// What raw bytes can be, by their length and by the checks of each scheme.
fn raw(cpu: Cpu, bytes: &[u8], expected: Option<AnyScheme>) -> Result<String, EncodingError> {
    let of = |scheme: &AnyScheme| expected.is_none_or(|expected| expected.facts().0 == scheme.facts().0);
    let mut all: Vec<Reading> = Vec::new();
    for scheme in AnyScheme::all().filter(of) {
        match scheme {
            AnyScheme::Kem(scheme) => all.extend(readings(cpu, scheme, bytes)),
            AnyScheme::Pke(scheme) => all.extend(encryption_readings(cpu, scheme, bytes)),
            AnyScheme::Signatures(scheme) => all.extend(signature_readings(cpu, scheme, bytes)),
        }
    }
    // Keys of public-key encryption begin with what names their set, but of few sets: they are nothing else.
    let names_itself = |reading: &Reading| reading.names_itself(cpu);
    if all.iter().any(names_itself) {
        all.retain(names_itself);
    }
    // Hardly anybody has what is for research alone: where a scheme of another kind has the length, it is
    // told if the checks find it.
    if all.iter().any(|reading| !matches!(reading.scheme, AnyScheme::Pke(_))) {
        let name = |reading: &Reading| reading.scheme.facts().0;
        let passed = all.iter().filter(|reading| reading.verdict == Verdict::Passed);
        let found: Vec<_> = passed.map(name).collect();
        all.retain(|reading| !reading.is_for_research() || found.contains(&name(reading)));
    }
    match &all[..] {
        all if all.iter().all(|reading| reading.verdict == Verdict::Failed) => match all {
            [Reading { scheme: AnyScheme::Pke(scheme), what, .. }, others @ ..] => {
                Err(EncodingError::NotOf { what, scheme: scheme.name, others: !others.is_empty() })
            }
            _ => key(cpu, bytes, expected, Form::Raw),
        },
        [one] => Ok(one.alone(cpu, Form::Raw)),
        several => {
            let lines: String = several.iter().map(|reading| reading.listed(cpu)).collect();
            Ok(format!("{} bytes, as many as each of these has:\n{lines}", bytes.len()))
        }
    }
}

/// What was found by the checks of a scheme.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed,
    /// The scheme looks at the length alone.
    NoChecks,
    /// The scheme looks at more, with the private key.
    Hidden,
}

/// Something of a scheme that bytes can be.
struct Reading {
    scheme: AnyScheme,
    what: &'static str,
    verdict: Verdict,
    /// The public key, where there is one and it is told.
    public: Option<Vec<u8>>,
}

const WITH_SEED: &str = "private key, with its seed";
const PRIVATE: &str = "private key";
const PUBLIC: &str = "public key";
const CIPHERTEXT: &str = "ciphertext";
const SIGNATURE: &str = "signature";
const EXPANDED: &str = "private key, expanded, without its seed";

/// What bytes of this length can be in a scheme.
fn readings(cpu: Cpu, scheme: &'static Scheme, bytes: &[u8]) -> impl Iterator<Item = Reading> {
    let length = bytes.len();
    let form = scheme.seed.as_ref().filter(|form| form.bytes == length);
    let readings = [
        form.map(|form| seed(cpu, scheme, form, bytes)),
        (length == scheme.private_key).then(|| private_key(cpu, scheme, bytes)),
        (length == scheme.public_key).then(|| public_key(cpu, scheme, bytes)),
        (length == scheme.ciphertext).then_some(Reading {
            scheme: AnyScheme::Kem(scheme),
            what: CIPHERTEXT,
            verdict: Verdict::NoChecks,
            public: None,
        }),
    ];
    readings.into_iter().flatten()
}

/// Any bytes are a seed.
fn seed(cpu: Cpu, scheme: &'static Scheme, form: &Seed, bytes: &[u8]) -> Reading {
    let mut public = vec![0; scheme.public_key];
    let mut private = Zeroizing::new(vec![0; scheme.private_key]);
    let expanded = (form.expand)(cpu, bytes, &mut public, &mut private);
    let public = expanded.ok().map(|()| public);
    Reading { scheme: AnyScheme::Kem(scheme), what: WITH_SEED, verdict: Verdict::NoChecks, public }
}

fn private_key(cpu: Cpu, of: &'static Scheme, bytes: &[u8]) -> Reading {
    let scheme = AnyScheme::Kem(of);
    let what = if of.seed.is_some() { EXPANDED } else { PRIVATE };
    let Some(public_key_of) = of.public_key_of else {
        return Reading { scheme, what, verdict: Verdict::NoChecks, public: None };
    };
    let mut public = vec![0; of.public_key];
    match public_key_of(cpu, bytes, &mut public) {
        Ok(()) => Reading { scheme, what, verdict: Verdict::Passed, public: Some(public) },
        Err(_) => Reading { scheme, what, verdict: Verdict::Failed, public: None },
    }
}

fn public_key(cpu: Cpu, scheme: &'static Scheme, bytes: &[u8]) -> Reading {
    let check = |bytes: &[u8]| (scheme.check_public_key)(cpu, bytes).is_ok();
    let verdict = match check(bytes) {
        false => Verdict::Failed,
        // A scheme that checks more than the length refuses numbers of ones.
        true if check(&vec![0xff; bytes.len()]) => Verdict::NoChecks,
        true => Verdict::Passed,
    };
    Reading { scheme: AnyScheme::Kem(scheme), what: PUBLIC, verdict, public: Some(bytes.to_vec()) }
}

/// What bytes can be in a set of public-key encryption, of whose private keys there are several forms.
fn encryption_readings(
    cpu: Cpu,
    scheme: &'static PublicKeyEncryption,
    bytes: &[u8],
) -> impl Iterator<Item = Reading> {
    let length = bytes.len();
    let reading = |what, verdict, public| Reading { scheme: AnyScheme::Pke(scheme), what, verdict, public };
    let private = match DecryptionKey::of(cpu, scheme, bytes) {
        Ok(key) => Some(reading(PRIVATE, Verdict::Passed, Some(key.public))),
        Err(_) => (length == scheme.private_key).then(|| reading(PRIVATE, Verdict::Failed, None)),
    };
    let public = (length == scheme.public_key).then(|| encryption_key(cpu, scheme, bytes));
    let ciphertext = (length == scheme.ciphertext).then(|| reading(CIPHERTEXT, Verdict::Hidden, None));
    [private, public, ciphertext].into_iter().flatten()
}

fn encryption_key(cpu: Cpu, scheme: &'static PublicKeyEncryption, bytes: &[u8]) -> Reading {
    let good = (scheme.check_public_key)(cpu, bytes).is_ok();
    let verdict = if good { Verdict::Passed } else { Verdict::Failed };
    Reading { scheme: AnyScheme::Pke(scheme), what: PUBLIC, verdict, public: Some(bytes.to_vec()) }
}

/// What bytes of this length can be in a set of signatures.
fn signature_readings(
    cpu: Cpu,
    scheme: &'static SignatureScheme,
    bytes: &[u8],
) -> impl Iterator<Item = Reading> {
    let length = bytes.len();
    let readings = [
        (length == scheme.seed).then(|| signing_seed(cpu, scheme, bytes)),
        (length == scheme.private_key).then(|| signing_key(cpu, scheme, bytes)),
        (length == scheme.public_key).then(|| verifying_key(scheme, bytes)),
        (length == scheme.signature).then_some(Reading {
            scheme: AnyScheme::Signatures(scheme),
            what: SIGNATURE,
            verdict: Verdict::NoChecks,
            public: None,
        }),
    ];
    readings.into_iter().flatten()
}

/// Any bytes are a seed.
fn signing_seed(cpu: Cpu, of: &'static SignatureScheme, bytes: &[u8]) -> Reading {
    let (mut public, mut private) = (vec![0; of.public_key], Zeroizing::new(vec![0; of.private_key]));
    let public = (of.expand)(cpu, bytes, &mut public, &mut private).ok().map(|()| public);
    Reading { scheme: AnyScheme::Signatures(of), what: WITH_SEED, verdict: Verdict::NoChecks, public }
}

fn signing_key(cpu: Cpu, of: &'static SignatureScheme, bytes: &[u8]) -> Reading {
    let mut public = vec![0; of.public_key];
    let public = (of.public_key_of)(cpu, bytes, &mut public).ok().map(|()| public);
    let verdict = if public.is_some() { Verdict::Passed } else { Verdict::Failed };
    Reading { scheme: AnyScheme::Signatures(of), what: EXPANDED, verdict, public }
}

fn verifying_key(of: &'static SignatureScheme, bytes: &[u8]) -> Reading {
    let public = Some(bytes.to_vec());
    Reading { scheme: AnyScheme::Signatures(of), what: PUBLIC, verdict: Verdict::NoChecks, public }
}

impl Reading {
    /// Whether it is a key that says of which set it is: not a public one that is its element alone, as
    /// ciphertexts are.
    fn names_itself(&self, cpu: Cpu) -> bool {
        let AnyScheme::Pke(scheme) = self.scheme else { return false };
        let names_its_set = || (scheme.check_public_key)(cpu, &vec![0; scheme.public_key]).is_err();
        self.verdict == Verdict::Passed && (self.what == PRIVATE || names_its_set())
    }

    fn is_for_research(&self) -> bool {
        self.scheme.facts().1 == Status::Research
    }

    /// The only one.
    fn alone(&self, cpu: Cpu, form: Form) -> String {
        let Reading { scheme, what, .. } = self;
        let (name, status, _) = scheme.facts();
        if [CIPHERTEXT, SIGNATURE].contains(what) {
            return format!("{} bytes, as many as a {what} of {name} has\n", scheme.made());
        }
        let fingerprint = self.fingerprint(cpu).unwrap_or_else(|| "the private key does not tell it".into());
        format!("{name} {what} ({form}), {status}\n  {}\n  {FINGERPRINT}: {fingerprint}\n", self.verdict())
    }

    /// One of several.
    fn listed(&self, cpu: Cpu) -> String {
        let (name, status, _) = self.scheme.facts();
        let mut text = format!("  {name} {}, {status}: {}\n", self.what, self.verdict());
        if let Some(fingerprint) = self.fingerprint(cpu).filter(|_| self.verdict != Verdict::Failed) {
            // Writing to a string can't fail.
            let _ = writeln!(text, "    {FINGERPRINT}: {fingerprint}");
        }
        text
    }

    fn verdict(&self) -> String {
        let source = self.scheme.facts().2;
        match self.verdict {
            Verdict::Passed => format!("all checks of {source} passed"),
            Verdict::Failed => format!("the checks of {source} failed"),
            Verdict::NoChecks => "nothing to check, any bytes of this length are one".into(),
            Verdict::Hidden => "the private key tells whether it is one".into(),
        }
    }

    fn fingerprint(&self, cpu: Cpu) -> Option<String> {
        let digest: [u8; 32] = Sha3_256::new_on(cpu).absorb(self.public.as_ref()?).digest();
        Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

const FINGERPRINT: &str = "SHA3-256 of the public key";
