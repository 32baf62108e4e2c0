//! New keys for files.

use super::keys::{file_text, identities};
use crate::error::Error;
use crate::lookup::cpu;
use crate::output::{Access, Output};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use ringsmith_age::{AnyIdentity, Kind};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// Where the key goes.
#[derive(Args)]
pub(crate) struct Keygen {
    /// The private key's new file, which only its owner can read; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// The kind of post-quantum key
    #[arg(long, value_name = "KIND", default_value_t, value_parser = kind_parser(),
        conflicts_with = "public_of")]
    kind: Kind,
    /// A key of X25519 alone, which a quantum computer breaks
    #[arg(long, conflicts_with_all = ["public_of", "kind"])]
    classical: bool,
    /// Write the public keys of a file of private keys instead; - is standard input
    #[arg(short = 'y', long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    public_of: Option<PathBuf>,
}

/// A kind by its name.
fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).try_map(|name| name.parse())
}

impl Keygen {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<(), Error> {
        match &self.public_of {
            Some(path) => {
                let keys = identities(cpu()?, path)?;
                let text: String = keys.iter().map(|key| key.to_recipient().to_string() + "\n").collect();
                let mut output = Output::open(self.output.as_deref(), Access::All)?;
                output.write(text.as_bytes())?;
                output.finish()
            }
            None => self.generate(),
        }
    }

    fn generate(&self) -> Result<(), Error> {
        let mut output = Output::open(self.output.as_deref(), Access::Owner)?.only_copy()?;
        let key = match self.classical {
            true => AnyIdentity::generate_classical(),
            false => AnyIdentity::generate_on(cpu()?, self.kind),
        };
        let key = key.map_err(Error::Random)?;
        let shown = matches!(output, Output::Stdout(_)) && io::stdout().is_terminal();
        output.write(file_text(&key).as_bytes())?;
        output.finish()?;
        if !shown {
            // The key is made; nothing depends on whether this arrives.
            let _ = writeln!(io::stderr(), "Public key: {}", key.to_recipient());
        }
        Ok(())
    }
}
