//! `ringsmith pke`: public-key encryption of short messages, over files and pipes.
//!
//! Whatever is secret goes to files that only their owner reads; nothing is overwritten, and nothing appears
//! before all of it is written. Whatever is wrong with a ciphertext, there is one error.

use crate::error::Error;
use crate::kem::drawn;
use crate::key_files::{Format, Places, is_standard, write_public};
use crate::keys::{encryption, read, read_up_to};
use crate::lookup::cpu;
use crate::output::{Access, Output};
use crate::pke_keys::{decryption_key, encryption_key};
use crate::shown::{Text, warn};
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use ringsmith::Cpu;
use ringsmith::scheme::{PublicKeyEncryption, SchemeError, Status};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// What to do.
#[derive(Args)]
pub(crate) struct Pke {
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
    /// Encrypt a short message to a public key; `ringsmith encrypt` is for files
    #[command(after_help = ENCRYPT_EXAMPLES)]
    Encrypt(Encrypt),
    /// Decrypt a message with a private key
    #[command(after_help = DECRYPT_EXAMPLES)]
    Decrypt(Decrypt),
}

/// How a public key is written; private keys have one form.
#[derive(Clone, Copy, ValueEnum)]
enum PublicFormat {
    /// Text: SubjectPublicKeyInfo
    Pem,
    /// The same in binary
    Der,
    /// The bytes of the scheme's standard
    Raw,
}

impl From<PublicFormat> for Format {
    fn from(format: PublicFormat) -> Format {
        match format {
            PublicFormat::Pem => Format::Pem,
            PublicFormat::Der => Format::Der,
            PublicFormat::Raw => Format::Raw,
        }
    }
}

const KEYGEN_EXAMPLES: &str = "\
The public key is written as SubjectPublicKeyInfo where the set has an object identifier. Private
keys have neither PEM nor DER by any standard: they are the bytes of the set's own, readable by
their owner only. No file is overwritten.

Examples:
  ringsmith pke keygen -o bob.key --public bob.pub
  ringsmith pke keygen --scheme libntru-ees743ep1 --format raw -o bob.key --public bob.pub";

const PUBLIC_EXAMPLES: &str = "\
Examples:
  ringsmith pke public -i bob.key -o bob.pub
  ringsmith pke public -i bob.key --format raw | sha256sum";

const ENCRYPT_EXAMPLES: &str = "\
A message has at most as many bytes as `ringsmith schemes` lists for the set, and may be empty. The
ciphertext is binary, and as long for every message. `ringsmith encrypt` is for files of any length,
in the age format.

Examples:
  ringsmith pke encrypt -R bob.pub -o to-bob.ct message
  head -c 32 /dev/urandom | ringsmith pke encrypt -R bob.pub | ssh bob receive";

const DECRYPT_EXAMPLES: &str = "\
A ciphertext that was not made for the key is one error, whatever is wrong with it, and exit code 1;
nothing is written then. `ringsmith decrypt` is for files in the age format.

Examples:
  ringsmith pke decrypt -i bob.key to-bob.ct
  receive | ringsmith pke decrypt -i bob.key -o message";

#[derive(Args)]
struct Keygen {
    /// The parameter set; `ringsmith schemes` lists them
    #[arg(long, value_name = "NAME", default_value = "ees743ep1")]
    scheme: String,
    /// How the public key is written
    #[arg(long, value_enum, default_value_t = PublicFormat::Pem)]
    format: PublicFormat,
    #[command(flatten)]
    places: Places,
}

#[derive(Args)]
struct Public {
    /// The private key's file; - is standard input
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    identity: PathBuf,
    /// The parameter set, where it must be named: those of a draft, of libntru and over a field
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// How the public key is written
    #[arg(long, value_enum, default_value_t = PublicFormat::Pem)]
    format: PublicFormat,
    /// The public key's new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

#[derive(Args)]
struct Encrypt {
    /// The public key's file: PEM, DER or raw; - is standard input
    #[arg(short = 'R', long = "recipient-file", alias = "recipient")]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    recipient: PathBuf,
    /// The parameter set that the key must be of; those of a draft, of libntru and over a field must be named
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// The ciphertext's new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// The message; - is standard input
    #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
    message: PathBuf,
}

#[derive(Args)]
struct Decrypt {
    /// The private key's file; - is standard input
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    identity: PathBuf,
    /// The parameter set, where it must be named: those of a draft, of libntru and over a field
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// The message's new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// The ciphertext; - is standard input
    #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
    ciphertext: PathBuf,
}

/// Runs the command.
pub(crate) fn run(args: &Pke) -> Result<(), Error> {
    let cpu = cpu()?;
    match &args.command {
        Command::Keygen(args) => keygen(cpu, args),
        Command::Public(args) => public(cpu, args),
        Command::Encrypt(args) => encrypt(cpu, args),
        Command::Decrypt(args) => decrypt(cpu, args),
    }
}

/// Says of a set that is no standard what it is for.
fn warn_of_status(scheme: &PublicKeyEncryption) {
    let name = scheme.name;
    match scheme.status {
        Status::Historical => warn(&format!("{name} is historical: for compatibility with what exists")),
        Status::Research => {
            warn(&format!(
                "{name} is for research only: too weak, or of a broken hash, or never in a standard"
            ));
        }
        _ => {}
    }
}

fn encoded(cpu: Cpu, scheme: &PublicKeyEncryption, format: Format, key: &[u8]) -> Result<Vec<u8>, Error> {
    format.public(key, || scheme.public_key_to_pem(cpu, key), || scheme.public_key_to_der(cpu, key))
}

fn keygen(cpu: Cpu, args: &Keygen) -> Result<(), Error> {
    let (scheme, format) = (encryption(&args.scheme)?, Format::from(args.format));
    if args.places.public.is_some() {
        format.is_of(scheme.name, scheme.encoding.is_some())?;
    }
    let pair = args.places.open(Format::Raw, format)?;
    let (mut public, mut private) = (vec![0; scheme.public_key], Zeroizing::new(vec![0; scheme.private_key]));
    drawn(|rng| (scheme.generate)(cpu, rng, &mut public, &mut private))?;
    pair.write(&private, || encoded(cpu, scheme, format, &public))
}

fn public(cpu: Cpu, args: &Public) -> Result<(), Error> {
    let key = decryption_key(cpu, &args.identity, args.scheme.as_deref())?;
    let format = Format::from(args.format);
    format.is_of(key.scheme.name, key.scheme.encoding.is_some())?;
    let encoded = encoded(cpu, key.scheme, format, &key.public)?;
    write_public(args.output.as_deref(), format, &encoded)
}

fn encrypt(cpu: Cpu, args: &Encrypt) -> Result<(), Error> {
    if is_standard(Some(&args.recipient)) && is_standard(Some(&args.message)) {
        return Err(Error::Usage("public key and message cannot both be standard input".into()));
    }
    let key = encryption_key(cpu, &args.recipient, args.scheme.as_deref())?;
    // Now, so that whoever is about to type a message knows.
    warn_of_status(key.scheme);
    let message = message(key.scheme, &args.message)?;
    let mut file = Output::open(args.output.as_deref(), Access::All)?.only_copy()?;
    file.takes_binary("a ciphertext")?;
    let mut ciphertext = vec![0; key.scheme.ciphertext];
    drawn(|rng| (key.scheme.encrypt)(cpu, &key.bytes, &message, rng, &mut ciphertext))?;
    file.write(&ciphertext)?;
    file.finish()
}

/// A message that a set takes.
fn message(scheme: &PublicKeyEncryption, path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
    match read_up_to(scheme.message, path) {
        Ok((_, message)) => Ok(message),
        Err(Error::TooLong { name, limit }) => Err(Error::LongMessage { name, scheme: scheme.name, limit }),
        Err(error) => Err(error),
    }
}

fn decrypt(cpu: Cpu, args: &Decrypt) -> Result<(), Error> {
    if is_standard(Some(&args.identity)) && is_standard(Some(&args.ciphertext)) {
        return Err(Error::Usage("private key and ciphertext cannot both be standard input".into()));
    }
    let key = decryption_key(cpu, &args.identity, args.scheme.as_deref())?;
    let ciphertext = match read(&args.ciphertext) {
        Ok((_, ciphertext)) => ciphertext,
        // As one of any other length.
        Err(Error::TooLong { .. }) => return Err(SchemeError::Decryption.into()),
        Err(error) => return Err(error),
    };
    let mut file = Output::open(args.output.as_deref(), Access::Owner)?.only_copy()?;
    let mut message = Zeroizing::new(vec![0; key.scheme.message]);
    let length = (key.scheme.decrypt)(cpu, &key.bytes, &ciphertext, &mut message)?;
    let message = &message[..length];
    if file.is_terminal() && !Text::default().goes_on(message) {
        return Err(Error::NoText);
    }
    file.write(message)?;
    file.finish()
}
