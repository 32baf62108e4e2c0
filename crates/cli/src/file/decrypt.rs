//! Decrypting a file.

use super::input::Input;
use super::keys::identities;
use super::passphrase::Opening;
use super::stream::{self, By};
use crate::error::Error;
use crate::lookup::cpu;
use crate::output::{Access, Output};
use clap::{Args, ValueHint};
use std::path::{Path, PathBuf};

/// What to decrypt, by whom.
#[derive(Args)]
pub(crate) struct Decrypt {
    /// A file of private keys; may be repeated; - is standard input. What is encrypted with a passphrase
    /// needs none: the passphrase is asked for
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    identity: Vec<PathBuf>,
    /// What was encrypted, in a new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    #[command(flatten)]
    opening: Opening,
    /// The encrypted file, binary or text; - is standard input
    #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
    input: PathBuf,
}

impl Decrypt {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<(), Error> {
        let files = self.identity.iter().map(PathBuf::as_path).chain([&*self.input]);
        let standard = files.chain(self.opening.source.path()).filter(|path| *path == Path::new("-"));
        if standard.count() > 1 {
            return Err(Error::Usage("standard input is named more than once".into()));
        }
        let mut all = Vec::new();
        for path in &self.identity {
            all.extend(identities(cpu()?, path, &self.opening)?);
        }
        let input = Input::open(&self.input)?;
        let by = if all.is_empty() { By::Passphrase(&self.opening) } else { By::Keys(&all) };
        stream::decrypt(by, input, || Output::open(self.output.as_deref(), Access::All))
    }
}
