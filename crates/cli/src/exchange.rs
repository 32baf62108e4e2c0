//! `ringsmith exchange`: a key exchange in three steps, over files and pipes.
//!
//! The secret of an offer finishes one exchange: its file is removed then.

use crate::error::Error;
use crate::kem::drawn;
use crate::key_files::is_standard;
use crate::keys;
use crate::lookup::{self, cpu};
use crate::near::nearest;
use crate::output::{Access, Output, finish_all};
use crate::shown;
use clap::{Args, Subcommand, ValueHint};
use ringsmith::Cpu;
use ringsmith::scheme::{self, KeyExchange, SchemeError};
use ringsmith_routes::new_hope::{EXCHANGES, exchange_by};
use std::fs;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// What to do.
#[derive(Args)]
pub(crate) struct Exchange {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make an offer, and the secret that its response needs
    #[command(after_help = OFFER_EXAMPLES)]
    Offer(Offer),
    /// Respond to an offer, with a shared key
    #[command(after_help = RESPOND_EXAMPLES)]
    Respond(Respond),
    /// Recover the shared key of a response; the offer's secret is removed then
    #[command(after_help = FINISH_EXAMPLES)]
    Finish(Finish),
}

const OFFER_EXAMPLES: &str = "\
The offer is binary; the secret's file is readable by its owner only. No file is overwritten.
NewHope-ADPS and NewHope-Longa-Naehrig are for research and compatibility; use `ringsmith kem` otherwise.

Examples:
  ringsmith exchange offer -s alice.secret -o offer
  ringsmith exchange offer --form NewHope-Longa-Naehrig -s alice.secret | ssh bob receive";

const RESPOND_EXAMPLES: &str = "\
The shared key is a secret: make keys of it by a key derivation.

Examples:
  ringsmith exchange respond -k bob.key -o response offer
  receive | ringsmith exchange respond -k bob.key | ssh alice receive";

const FINISH_EXAMPLES: &str = "\
A secret finishes one exchange: more would tell about it. So its file is removed when the shared key is \
written.
Whether both sides have the same key shows when it is used.

Examples:
  ringsmith exchange finish -s alice.secret -o alice.key response
  receive | ringsmith exchange finish -s alice.secret | openssl dgst -sha256";

/// Which exchange.
#[derive(Args)]
struct Which {
    /// The form of the exchange: NewHope-ADPS or NewHope-Longa-Naehrig
    #[arg(long, value_name = "NAME", default_value = "NewHope-ADPS")]
    form: String,
    /// The route of its ring; messages do not depend on it
    #[arg(long, value_name = "ROUTE")]
    route: Option<String>,
}

#[derive(Args)]
struct Offer {
    #[command(flatten)]
    which: Which,
    /// The secret's new file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    secret: PathBuf,
    /// The offer's new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

#[derive(Args)]
struct Respond {
    #[command(flatten)]
    which: Which,
    /// The shared key's new file; - is standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    key: PathBuf,
    /// The response's new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// The offer; - is standard input
    #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
    offer: PathBuf,
}

#[derive(Args)]
struct Finish {
    #[command(flatten)]
    which: Which,
    /// The secret's file, which is removed
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    secret: PathBuf,
    /// The shared key's new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// The response; - is standard input
    #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
    response: PathBuf,
}

impl Which {
    /// The exchange, and the CPU backend.
    fn find(&self) -> Result<(&'static KeyExchange, Cpu), Error> {
        let all = || scheme::EXCHANGES.iter().copied().map(|exchange| exchange.name.to_string());
        let unknown = || Error::UnknownExchange { name: self.form.clone(), near: nearest(&self.form, all()) };
        let exchange = scheme::exchange_by_name(&self.form).ok_or_else(unknown)?;
        let Some(name) = &self.route else { return Ok((exchange, cpu()?)) };
        let route = lookup::any_route(name)?;
        let exchange = exchange_by(exchange, route).map_err(|_| {
            let all = EXCHANGES.as_flattened().iter().filter(|it| it.name == exchange.name);
            Error::ExchangeRefused { route, instead: all.map(|it| it.route.to_string()).collect() }
        })?;
        Ok((exchange, cpu()?))
    }
}

/// Runs the command.
pub(crate) fn run(args: &Exchange) -> Result<(), Error> {
    match &args.command {
        Command::Offer(args) => offer(args),
        Command::Respond(args) => respond(args),
        Command::Finish(args) => finish(args),
    }
}

/// What a file holds, which must be of one length.
fn read(path: &Path, what: &'static str, expected: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
    let (name, bytes) = keys::read(path)?;
    if bytes.len() == expected {
        return Ok(bytes);
    }
    Err(Error::Length { name, why: SchemeError::Length { what, expected, given: bytes.len() } })
}

fn offer(args: &Offer) -> Result<(), Error> {
    let (exchange, cpu) = args.which.find()?;
    if is_standard(Some(&args.secret)) {
        return Err(Error::Usage("the secret does not go to standard output: name a file with -s".into()));
    }
    let mut offer_file = Output::open(args.output.as_deref(), Access::All)?.only_copy()?;
    let mut secret_file = Output::open(Some(&args.secret), Access::Owner)?;
    offer_file.takes_binary("an offer")?;
    let (mut secret, mut offer) = (Zeroizing::new(vec![0; exchange.secret]), vec![0; exchange.offer]);
    drawn(|rng| (exchange.make_offer)(cpu, rng, &mut secret, &mut offer))?;
    secret_file.write(&secret)?;
    offer_file.write(&offer)?;
    finish_all([secret_file, offer_file])
}

fn respond(args: &Respond) -> Result<(), Error> {
    let (exchange, cpu) = args.which.find()?;
    if is_standard(Some(&args.key)) && is_standard(args.output.as_deref()) {
        return Err(Error::Usage(
            "response and shared key cannot both go to standard output: name a file with -o".into(),
        ));
    }
    let offer = read(&args.offer, "offer", exchange.offer)?;
    let mut response_file = Output::open(args.output.as_deref(), Access::All)?.only_copy()?;
    let mut key_file = Output::open(Some(&args.key), Access::Owner)?.only_copy()?;
    response_file.takes_binary("a response")?;
    key_file.takes_binary("a shared key")?;
    let (mut response, mut key) = (vec![0; exchange.response], Zeroizing::new(vec![0; exchange.shared_key]));
    drawn(|rng| (exchange.respond)(cpu, &offer, rng, &mut response, &mut key))?;
    key_file.write(&key)?;
    response_file.write(&response)?;
    finish_all([key_file, response_file])
}

fn finish(args: &Finish) -> Result<(), Error> {
    let (exchange, cpu) = args.which.find()?;
    if is_standard(Some(&args.secret)) {
        return Err(Error::Usage("the secret is a file, which is removed: name it with -s".into()));
    }
    has_one_name(&args.secret)?;
    let secret = read(&args.secret, "secret", exchange.secret)?;
    let response = read(&args.response, "response", exchange.response)?;
    let mut file = Output::open(args.output.as_deref(), Access::Owner)?.only_copy()?;
    file.takes_binary("a shared key")?;
    let mut key = Zeroizing::new(vec![0; exchange.shared_key]);
    (exchange.finish)(cpu, &secret, &response, &mut key)?;
    file.write(&key)?;
    file.finish()?;
    let name = || shown::name(&args.secret);
    fs::remove_file(&args.secret).map_err(|why| Error::Remove { name: name(), why })
}

/// Refuses a secret that would stay when its name is removed, and could be used again: a link to one, and one
/// with two names.
fn has_one_name(secret: &Path) -> Result<(), Error> {
    let name = || shown::name(secret);
    let metadata = fs::symlink_metadata(secret).map_err(|why| Error::Read { name: name(), why })?;
    let is_one = !metadata.is_symlink() && links(&metadata) <= 1;
    if is_one || metadata.is_dir() { Ok(()) } else { Err(Error::Linked { name: name() }) }
}

#[cfg(unix)]
fn links(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn links(_: &fs::Metadata) -> u64 {
    1
}
