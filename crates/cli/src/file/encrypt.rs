//! Encrypting a file.

use super::input::{Input, copy};
use super::keys::{AnyRecipient, identities, recipients};
use crate::error::Error;
use crate::lookup::cpu;
use crate::output::{Access, Output};
use age::armor::{ArmoredWriter, Format};
use age::{EncryptError, Encryptor};
use clap::{Args, ValueHint};
use ringsmith::Cpu;
use std::cell::Cell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

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
        let encryptor = self.encryptor()?;
        let mut input = Input::open(&self.input)?;
        let output = Output::open(self.output.as_deref(), Access::All)?;
        if !self.armor {
            output.takes_binary("an encrypted file")?;
        }
        let name = output.name();
        let sink = Sink { output, failure: Rc::default() };
        let failure = sink.failure.clone();
        let write_error = |why| Error::Write { name: name.clone(), why: failure.take().unwrap_or(why) };
        let format = if self.armor { Format::AsciiArmor } else { Format::Binary };
        let start = |sink| encryptor.wrap_output(ArmoredWriter::wrap_output(sink, format)?);
        let mut writer = start(sink).map_err(write_error)?;
        let read_error = |why| Error::Read { name: input.name.clone(), why };
        copy(&mut input.reader, input.length, read_error, |piece| {
            writer.write_all(piece).map_err(write_error)
        })?;
        let sink = writer.finish().and_then(ArmoredWriter::finish).map_err(write_error)?;
        sink.output.finish()
    }

    /// Standard input can be one thing.
    fn read_once(&self) -> Result<(), Error> {
        let files = self.recipients_file.iter().chain(&self.identity).chain([&self.input]);
        match files.filter(|path| *path == Path::new("-")).count() {
            0 | 1 => Ok(()),
            _ => Err(Error::Usage("standard input is named more than once".into())),
        }
    }

    /// The file's header, for all recipients.
    fn encryptor(&self) -> Result<Encryptor, Error> {
        let all = self.recipients(cpu()?)?;
        Encryptor::with_recipients(all.iter().map(AnyRecipient::as_age)).map_err(|why| match why {
            EncryptError::IncompatibleRecipients { .. } => Error::Usage(
                "post-quantum and classical recipients cannot be mixed: the file would be as weak as the weakest"
                    .into(),
            ),
            EncryptError::MissingRecipients => {
                Error::Usage("no recipient: name a public key with -r, or a file of them with -R".into())
            }
            other => Error::Read { name: "the system's randomness".into(), why: io::Error::other(other) },
        })
    }

    fn recipients(&self, cpu: Cpu) -> Result<Vec<AnyRecipient>, Error> {
        let mut all = Vec::new();
        for text in &self.recipient {
            all.push(AnyRecipient::parse(cpu, text).map_err(Error::Usage)?);
        }
        for path in &self.recipients_file {
            all.extend(recipients(cpu, path)?);
        }
        for path in &self.identity {
            all.extend(identities(cpu, path)?.iter().map(|identity| identity.to_recipient()));
        }
        Ok(all)
    }
}

/// An output that keeps why it failed: on their way through the format's writers, some errors lose their kind.
struct Sink {
    output: Output,
    failure: Rc<Cell<Option<io::Error>>>,
}

impl Sink {
    fn keep<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|why| {
            let kind = why.kind();
            self.failure.set(Some(why));
            kind.into()
        })
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = Write::write(&mut self.output, bytes);
        self.keep(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.output.flush();
        self.keep(flushed)
    }
}
