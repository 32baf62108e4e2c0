//! `ringsmith inspect`: what a file is, without a word of what is secret in it.

use crate::error::Error;
use crate::keys;
use crate::lookup::cpu;
use crate::output::print;
use clap::{Args, ValueHint};
use ringsmith::Cpu;
use ringsmith::encoding::{self, EncodingError, Form};
use ringsmith::hash::Sha3_256;
use ringsmith::scheme::{ALL, Scheme, Seed};
use std::fmt::Write;
use std::path::PathBuf;
use zeroize::Zeroizing;

/// Which file.
#[derive(Args)]
pub(crate) struct Inspect {
    /// The scheme, where a raw key's length does not say it
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// A key or a ciphertext: PEM, DER or raw; - is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
}

/// Runs the command.
pub(crate) fn run(args: &Inspect) -> Result<(), Error> {
    let expected = args.scheme.as_deref().map(keys::scheme).transpose()?;
    let (name, bytes) = keys::read(&args.file)?;
    let text = describe(cpu()?, &bytes, expected).map_err(|why| Error::Key { name: name.clone(), why })?;
    print(format!("{name}: {text}").as_bytes())
}

/// What the bytes are.
fn describe(cpu: Cpu, bytes: &[u8], expected: Option<&'static Scheme>) -> Result<String, EncodingError> {
    match Form::of(bytes) {
        Form::Raw => raw(cpu, bytes, expected),
        form => key(cpu, bytes, expected, form),
    }
}

/// What a key is that is the only thing that the bytes can be.
fn key(
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
fn raw(cpu: Cpu, bytes: &[u8], expected: Option<&'static Scheme>) -> Result<String, EncodingError> {
    let of = |scheme: &&Scheme| expected.is_none_or(|expected| expected.name == scheme.name);
    let readings = ALL.iter().copied().filter(of).flat_map(|scheme| readings(cpu, scheme, bytes));
    let readings: Vec<Reading> = readings.collect();
    match &readings[..] {
        all if all.iter().all(|reading| reading.verdict == Verdict::Failed) => {
            key(cpu, bytes, expected, Form::Raw)
        }
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
}

/// Something of a scheme that bytes can be.
struct Reading {
    scheme: &'static Scheme,
    what: &'static str,
    verdict: Verdict,
    /// The public key, where there is one and it is told.
    public: Option<Vec<u8>>,
}

const WITH_SEED: &str = "private key, with its seed";
const CIPHERTEXT: &str = "ciphertext";

/// What bytes of this length can be in a scheme.
fn readings(cpu: Cpu, scheme: &'static Scheme, bytes: &[u8]) -> impl Iterator<Item = Reading> {
    let length = bytes.len();
    let form = scheme.seed.as_ref().filter(|form| form.bytes == length);
    let readings = [
        form.map(|form| seed(cpu, scheme, form, bytes)),
        (length == scheme.private_key).then(|| private_key(cpu, scheme, bytes)),
        (length == scheme.public_key).then(|| public_key(cpu, scheme, bytes)),
        (length == scheme.ciphertext).then_some(Reading {
            scheme,
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
    Reading { scheme, what: WITH_SEED, verdict: Verdict::NoChecks, public: expanded.ok().map(|()| public) }
}

fn private_key(cpu: Cpu, scheme: &'static Scheme, bytes: &[u8]) -> Reading {
    let has_seeds = scheme.seed.is_some();
    let what = if has_seeds { "private key, expanded, without its seed" } else { "private key" };
    let Some(public_key_of) = scheme.public_key_of else {
        return Reading { scheme, what, verdict: Verdict::NoChecks, public: None };
    };
    let mut public = vec![0; scheme.public_key];
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
    Reading { scheme, what: "public key", verdict, public: Some(bytes.to_vec()) }
}

impl Reading {
    /// The only one.
    fn alone(&self, cpu: Cpu, form: Form) -> String {
        let Reading { scheme, what, .. } = self;
        if *what == CIPHERTEXT {
            return format!("{} bytes, as many as a {what} of {} has\n", scheme.ciphertext, scheme.name);
        }
        let fingerprint = self.fingerprint(cpu).unwrap_or_else(|| "the private key does not tell it".into());
        let (name, status, verdict) = (scheme.name, scheme.status, self.verdict());
        format!("{name} {what} ({form}), {status}\n  {verdict}\n  {FINGERPRINT}: {fingerprint}\n")
    }

    /// One of several.
    fn listed(&self, cpu: Cpu) -> String {
        let Reading { scheme, what, .. } = self;
        let mut text = format!("  {} {what}, {}: {}\n", scheme.name, scheme.status, self.verdict());
        if let Some(fingerprint) = self.fingerprint(cpu).filter(|_| self.verdict != Verdict::Failed) {
            // Writing to a string can't fail.
            let _ = writeln!(text, "    {FINGERPRINT}: {fingerprint}");
        }
        text
    }

    fn verdict(&self) -> String {
        match self.verdict {
            Verdict::Passed => format!("all checks of {} passed", self.scheme.source),
            Verdict::Failed => format!("the checks of {} failed", self.scheme.source),
            Verdict::NoChecks => "nothing to check, any bytes of this length are one".into(),
        }
    }

    fn fingerprint(&self, cpu: Cpu) -> Option<String> {
        let digest: [u8; 32] = Sha3_256::new_on(cpu).absorb(self.public.as_ref()?).digest();
        Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

const FINGERPRINT: &str = "SHA3-256 of the public key";
