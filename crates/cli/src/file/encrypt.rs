//! Encrypting a file.

use super::input::Input;
use super::keys::{identities, recipients};
use super::stream;
use crate::error::Error;
use crate::lookup::cpu;
use crate::output::{Access, Output};
use age::armor::Format;
use clap::{Args, ValueHint};
use ringsmith::Cpu;
use ringsmith_age::{AnyIdentity, AnyRecipient, encryptor};
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
        let encryptor = encryptor(&self.recipients(cpu()?)?)?;
        let input = Input::open(&self.input)?;
        let output = Output::open(self.output.as_deref(), Access::All)?.only_copy()?;
        if !self.armor {
            output.takes_binary("an encrypted file")?;
        }
        stream::encrypt(
            encryptor,
            input,
            output,
            if self.armor { Format::AsciiArmor } else { Format::Binary },
        )
    }

    /// Standard input can be one thing.
    fn read_once(&self) -> Result<(), Error> {
        let files = self.recipients_file.iter().chain(&self.identity).chain([&self.input]);
        match files.filter(|path| *path == Path::new("-")).count() {
            0 | 1 => Ok(()),
            _ => Err(Error::Usage("standard input is named more than once".into())),
        }
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
            all.extend(identities(cpu, path)?.iter().map(AnyIdentity::to_recipient));
        }
        Ok(all)
    }
}
