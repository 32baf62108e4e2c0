//! Signing a file.

use super::keys::{Signer, signer};
use super::{context, hashed};
use crate::error::Error;
use crate::file::input::Input;
use crate::kem::drawn;
use crate::key_files::is_standard;
use crate::lookup::cpu;
use crate::output::{Access, Output};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// What to sign, by whom.
#[derive(Args)]
pub(crate) struct Sign {
    /// The private key's file: PEM, DER or raw; - is standard input
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    identity: PathBuf,
    /// The scheme, where a raw key's length does not say it
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// What the signature is for, at most 255 bytes: whoever verifies it must give the same
    #[arg(long, value_name = "TEXT")]
    context: Option<String>,
    /// Take no randomness: the same signature each time
    #[arg(long)]
    deterministic: bool,
    /// The signature's new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// What is signed; - is standard input
    #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
    file: PathBuf,
}

impl Sign {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<(), Error> {
        if is_standard(Some(&self.identity)) && is_standard(Some(&self.file)) {
            return Err(Error::Usage("private key and file cannot both be standard input".into()));
        }
        let (cpu, context) = (cpu()?, context(self.context.as_deref())?);
        let Signer { key, public } = signer(cpu, &self.identity, self.scheme.as_deref())?;
        let input = Input::open(&self.file)?;
        let mut output = Output::open(self.output.as_deref(), Access::All)?.only_copy()?;
        output.takes_binary("a signature")?;
        let mu = hashed(cpu, key.scheme, &public, context, input)?;
        let mut signature = vec![0; key.scheme.signature];
        match self.deterministic {
            true => (key.scheme.sign_deterministic)(cpu, &key.bytes, &mu, &mut signature)?,
            false => drawn(|rng| (key.scheme.sign)(cpu, &key.bytes, &mu, rng, &mut signature))?,
        }
        output.write(&signature)?;
        output.finish()
    }
}
