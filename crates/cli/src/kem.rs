//! `ringsmith kem`: keys, ciphertexts and shared keys of the schemes, over files and pipes.
//!
//! Whatever is secret goes to files that only their owner reads; nothing is overwritten, and nothing appears
//! before all of it is written.

use crate::error::Error;
use crate::key_files::{Format, Places, is_standard, write_public};
use crate::keys::{self, private_key, public_key, scheme};
use crate::output::{Access, Output, finish_all};
use crate::shown::warn;
use clap::{Args, Subcommand, ValueHint};
use ringsmith::Cpu;
use ringsmith::random::{self, SystemRng};
use ringsmith::scheme::{Scheme, SchemeError};
use std::path::PathBuf;
use zeroize::Zeroizing;

use crate::lookup::cpu;

/// What to do.
#[derive(Args)]
pub(crate) struct Kem {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make a private key and its public key
    #[command(after_help = KEYGEN_EXAMPLES)]
    Keygen(Keygen),
    /// Write the public key of a private key
    #[command(after_help = PUBLIC_EXAMPLES)]
    Public(Public),
    /// Make a shared key and a ciphertext of it for a public key
    #[command(after_help = ENCAPSULATE_EXAMPLES)]
    Encapsulate(Encapsulate),
    /// Recover the shared key of a ciphertext
    #[command(after_help = DECAPSULATE_EXAMPLES)]
    Decapsulate(Decapsulate),
}

const KEYGEN_EXAMPLES: &str = "\
The private key is written as its seed where the scheme has one (in PEM and DER), the public key as
SubjectPublicKeyInfo. Private keys are readable by their owner only. No file is overwritten.

Examples:
  ringsmith kem keygen -o bob.key --public bob.pub
  ringsmith kem keygen --scheme ML-KEM-1024 --format raw -o bob.dk --public bob.ek";

const PUBLIC_EXAMPLES: &str = "\
Examples:
  ringsmith kem public -i bob.key -o bob.pub
  ringsmith kem public -i bob.key --format raw | sha256sum";

const ENCAPSULATE_EXAMPLES: &str = "\
Ciphertext and shared key are raw bytes. The shared key is a secret: make keys of it by a key derivation.

Examples:
  ringsmith kem encapsulate -R bob.pub -o to-bob.ct -s alice.secret
  ringsmith kem encapsulate -R bob.pub -s alice.secret | ssh bob receive";

const DECAPSULATE_EXAMPLES: &str = "\
A ciphertext that was not made for the key gives another shared key, and no error (implicit rejection):
whether both sides agree shows when the shared key is used.

Examples:
  ringsmith kem decapsulate -i bob.key -o bob.secret to-bob.ct
  receive | ringsmith kem decapsulate -i bob.key | openssl dgst -sha256";

#[derive(Args)]
struct Keygen {
    /// The scheme; `ringsmith schemes` lists them
    #[arg(long, value_name = "NAME", default_value = "ML-KEM-768")]
    scheme: String,
    /// How both keys are written
    #[arg(long, value_enum, default_value_t = Format::Pem)]
    format: Format,
    #[command(flatten)]
    places: Places,
}

#[derive(Args)]
struct Public {
    /// The private key's file: PEM, DER or raw; - is standard input
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    identity: PathBuf,
    /// The scheme, where a raw key's length does not say it
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// How the public key is written
    #[arg(long, value_enum, default_value_t = Format::Pem)]
    format: Format,
    /// The public key's new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

#[derive(Args)]
struct Encapsulate {
    /// The public key's file: PEM, DER or raw; - is standard input
    #[arg(short = 'R', long = "recipient-file", alias = "recipient")]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    recipient: PathBuf,
    /// The scheme that the key must be of
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// The shared key's new file; - is standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    secret: PathBuf,
    /// The ciphertext's new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

#[derive(Args)]
struct Decapsulate {
    /// The private key's file: PEM, DER or raw; - is standard input
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    identity: PathBuf,
    /// The scheme, where a raw key's length does not say it
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// The shared key's new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// The ciphertext; - is standard input
    #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
    ciphertext: PathBuf,
}

/// Runs the command.
pub(crate) fn run(args: &Kem) -> Result<(), Error> {
    let cpu = cpu()?;
    match &args.command {
        Command::Keygen(args) => keygen(cpu, args),
        Command::Public(args) => public(cpu, args),
        Command::Encapsulate(args) => encapsulate(cpu, args),
        Command::Decapsulate(args) => decapsulate(cpu, args),
    }
}

/// Says where a private key is used up by one ciphertext.
fn warn_of_reuse(scheme: &Scheme) {
    if !scheme.cca {
        let name = scheme.name;
        let warning =
            format!("a private key of {name} serves one ciphertext: more tell about it, so remove it then");
        warn(&warning);
    }
}

fn keygen(cpu: Cpu, args: &Keygen) -> Result<(), Error> {
    let (scheme, format) = (scheme(&args.scheme)?, args.format);
    format.is_of(scheme.name, scheme.encoding.is_some())?;
    let pair = args.places.open(format, format)?;
    warn_of_reuse(scheme);
    let (short, long, public) = new_key(cpu, scheme)?;
    let private = encode_private(cpu, scheme, format, &short, &long)?;
    pair.write(&private, || encode_public(cpu, scheme, format, &public))
}

type Secret = Zeroizing<Vec<u8>>;

/// A new private key in its short form, where it has one, and its long one, and its public key.
fn new_key(cpu: Cpu, scheme: &Scheme) -> Result<(Secret, Secret, Vec<u8>), Error> {
    let mut public = vec![0; scheme.public_key];
    let mut long = Zeroizing::new(vec![0; scheme.private_key]);
    let short = match &scheme.seed {
        Some(form) => {
            let mut seed = Zeroizing::new(vec![0; form.bytes]);
            getrandom::fill(&mut seed).map_err(Error::Random)?;
            (form.expand)(cpu, &seed, &mut public, &mut long)?;
            seed
        }
        None => {
            drawn(|rng| (scheme.generate)(cpu, rng, &mut public, &mut long))?;
            long.clone()
        }
    };
    Ok((short, long, public))
}

/// What a scheme makes of the system's randomness.
pub(crate) fn drawn(make: impl FnOnce(&mut SystemRng) -> Result<(), SchemeError>) -> Result<(), Error> {
    Ok(random::drawn(make).map_err(Error::Random)??)
}

fn encode_private(
    cpu: Cpu,
    scheme: &Scheme,
    format: Format,
    short: &[u8],
    long: &[u8],
) -> Result<Secret, Error> {
    let key = |why| Error::Key { name: "the new key".into(), why };
    Ok(match format {
        Format::Pem => {
            Zeroizing::new(scheme.private_key_to_pem(cpu, short).map_err(key)?.as_bytes().to_vec())
        }
        Format::Der => {
            Zeroizing::new(scheme.private_key_to_der(cpu, short).map_err(key)?.as_bytes().to_vec())
        }
        Format::Raw => Zeroizing::new(long.to_vec()),
    })
}

fn encode_public(cpu: Cpu, scheme: &Scheme, format: Format, public: &[u8]) -> Result<Vec<u8>, Error> {
    format.public(public, || scheme.public_key_to_pem(cpu, public), || scheme.public_key_to_der(cpu, public))
}

fn public(cpu: Cpu, args: &Public) -> Result<(), Error> {
    let key = private_key(cpu, &args.identity, args.scheme.as_deref())?;
    args.format.is_of(key.scheme.name, key.scheme.encoding.is_some())?;
    let public_key_of = key.scheme.public_key_of.ok_or(Error::NoPublicKey { scheme: key.scheme.name })?;
    let mut public = vec![0; key.scheme.public_key];
    public_key_of(cpu, &key.bytes, &mut public)?;
    let encoded = encode_public(cpu, key.scheme, args.format, &public)?;
    write_public(args.output.as_deref(), args.format, &encoded)
}

fn encapsulate(cpu: Cpu, args: &Encapsulate) -> Result<(), Error> {
    if is_standard(Some(&args.secret)) && is_standard(args.output.as_deref()) {
        return Err(Error::Usage(
            "ciphertext and shared key cannot both go to standard output: name a file with -o".into(),
        ));
    }
    let key = public_key(cpu, &args.recipient, args.scheme.as_deref())?;
    let mut ciphertext_file = Output::open(args.output.as_deref(), Access::All)?.only_copy()?;
    let mut secret_file = Output::open(Some(&args.secret), Access::Owner)?.only_copy()?;
    ciphertext_file.takes_binary("a ciphertext")?;
    secret_file.takes_binary("a shared key")?;
    let mut ciphertext = vec![0; key.scheme.ciphertext];
    let mut secret = Zeroizing::new(vec![0; key.scheme.shared_key]);
    drawn(|rng| (key.scheme.encapsulate)(cpu, &key.bytes, rng, &mut ciphertext, &mut secret))?;
    secret_file.write(&secret)?;
    ciphertext_file.write(&ciphertext)?;
    finish_all([secret_file, ciphertext_file])
}

fn decapsulate(cpu: Cpu, args: &Decapsulate) -> Result<(), Error> {
    if is_standard(Some(&args.identity)) && is_standard(Some(&args.ciphertext)) {
        return Err(Error::Usage("private key and ciphertext cannot both be standard input".into()));
    }
    let key = private_key(cpu, &args.identity, args.scheme.as_deref())?;
    let (name, ciphertext) = keys::read(&args.ciphertext)?;
    let (expected, given) = (key.scheme.ciphertext, ciphertext.len());
    if given != expected {
        return Err(Error::Length { name, why: SchemeError::Length { what: "ciphertext", expected, given } });
    }
    let mut file = Output::open(args.output.as_deref(), Access::Owner)?.only_copy()?;
    file.takes_binary("a shared key")?;
    let mut secret = Zeroizing::new(vec![0; key.scheme.shared_key]);
    warn_of_reuse(key.scheme);
    // A damaged private key, which would give another shared key, was refused when it was read.
    (key.scheme.decapsulate)(cpu, &key.bytes, &ciphertext, &mut secret)?;
    file.write(&secret)?;
    file.finish()
}
