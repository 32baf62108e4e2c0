//! Encrypting a file.

use super::input::Input;
use super::keys::{identities, recipients};
use super::passphrase::Opening;
use super::stream;
use crate::error::Error;
use crate::lookup::cpu;
use crate::output::{Access, Output};
use age::armor::Format;
use clap::{Args, ValueHint};
use ringsmith::Cpu;
use ringsmith_age::{AnyIdentity, AnyRecipient, WORK_FACTOR, encryptor, passphrase_encryptor};
use std::path::{Path, PathBuf};

/// What to encrypt, to whom.
#[derive(Args)]
pub(crate) struct Encrypt {
    /// Encrypt to this public key; may be repeated
    #[arg(short, long, value_name = "RECIPIENT")]
    recipient: Vec<String>,
    /// Encrypt to the public keys of a file, one a line; may be repeated; - is standard input
    #[arg(short = 'R', long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    recipients_file: Vec<PathBuf>,
    /// Encrypt to the public keys of a file of private keys; may be repeated
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    identity: Vec<PathBuf>,
    /// Encrypt with a passphrase, which is asked for, and to no key
    #[arg(short, long, conflicts_with_all = ["recipient", "recipients_file", "identity"])]
    passphrase: bool,
    #[command(flatten)]
    opening: Opening,
    /// Write text (ASCII armor)
    #[arg(short, long)]
    armor: bool,
    /// The encrypted file, a new one; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// What is encrypted; - is standard input
    #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
    input: PathBuf,
}

impl Encrypt {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<(), Error> {
        self.read_once()?;
        let to_keys = if self.passphrase { None } else { Some(encryptor(&self.recipients(cpu()?)?)?) };
        let input = Input::open(&self.input)?;
        let output = Output::open(self.output.as_deref(), Access::All)?.only_copy()?;
        if !self.armor {
            output.takes_binary("an encrypted file")?;
        }
        // Nobody is asked before all else is well.
        let encryptor = match to_keys {
            Some(encryptor) => encryptor,
            None => passphrase_encryptor(&*self.opening.source.for_new()?, WORK_FACTOR)?,
        };
        let format = if self.armor { Format::AsciiArmor } else { Format::Binary };
        stream::encrypt(encryptor, input, output, format)
    }

    /// Standard input can be one thing, and a passphrase must be for something.
    fn read_once(&self) -> Result<(), Error> {
        let files = self.recipients_file.iter().chain(&self.identity).chain([&self.input]);
        let files = files.map(PathBuf::as_path).chain(self.opening.source.path());
        if files.filter(|path| *path == Path::new("-")).count() > 1 {
            return Err(Error::Usage("standard input is named more than once".into()));
        }
        if self.opening.source.path().is_some() && !self.passphrase && self.identity.is_empty() {
            return Err(Error::Usage("--passphrase-file goes with -p or -i".into()));
        }
        Ok(())
    }

    fn recipients(&self, cpu: Cpu) -> Result<Vec<AnyRecipient>, Error> {
        let mut all = Vec::new();
        for text in &self.recipient {
            all.push(AnyRecipient::parse_on(cpu, text).map_err(|why| Error::Usage(why.to_string()))?);
        }
        for path in &self.recipients_file {
            all.extend(recipients(cpu, path)?);
        }
        for path in &self.identity {
            all.extend(identities(cpu, path, &self.opening)?.iter().map(AnyIdentity::to_recipient));
        }
        Ok(all)
    }
}
