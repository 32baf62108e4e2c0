//! Decrypting a file.

use super::input::{Input, PIECE, copy};
use super::keys::{AnyIdentity, identities};
use crate::error::Error;
use crate::lookup::cpu;
use crate::output::{Access, Output};
use age::armor::ArmoredReader;
use age::{DecryptError, Decryptor};
use clap::{Args, ValueHint};
use std::io::{self, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

/// What to decrypt, by whom.
#[derive(Args)]
pub(crate) struct Decrypt {
    /// A file of private keys; may be repeated; - is standard input
    #[arg(short, long, value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    identity: Vec<PathBuf>,
    /// What was encrypted, in a new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// The encrypted file, binary or text; - is standard input
    #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
    input: PathBuf,
}

impl Decrypt {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<(), Error> {
        let files = self.identity.iter().chain([&self.input]);
        if files.filter(|path| *path == Path::new("-")).count() > 1 {
            return Err(Error::Usage("standard input is named more than once".into()));
        }
        let mut all = Vec::new();
        for path in &self.identity {
            all.extend(identities(cpu()?, path)?);
        }
        let input = Input::open(&self.input)?;
        let name = input.name;
        let reader = ArmoredReader::new(BufReader::with_capacity(PIECE, input.reader));
        let refused = |why| refused(&name, why);
        let decryptor = Decryptor::new_buffered(reader).map_err(refused)?;
        if decryptor.is_scrypt() {
            return Err(Error::Wrong(format!("{name} is encrypted with a passphrase, not to a key")));
        }
        let mut reader = decryptor.decrypt(all.iter().map(AnyIdentity::as_age)).map_err(refused)?;
        let mut output = Output::open(self.output.as_deref(), Access::All)?;
        copy(&mut reader, None, |why| broken(&name, why), |piece| output.write(piece))?;
        output.finish()
    }
}

/// Why a file's header is not accepted.
fn refused(name: &str, why: DecryptError) -> Error {
    let says = match why {
        DecryptError::Io(why) => return broken(name, why),
        DecryptError::NoMatchingKeys => "was not encrypted to any of these keys",
        DecryptError::UnknownFormat => "is of an unknown version of the age format",
        DecryptError::InvalidHeader => "is no age file, or its header is damaged",
        DecryptError::InvalidMac => "has a header that was altered",
        _ => "has a damaged header",
    };
    Error::Wrong(format!("{name} {says}"))
}

/// Why a file can't be read on: it was cut off or altered, or the system does not give it.
fn broken(name: &str, why: io::Error) -> Error {
    match why.kind() {
        ErrorKind::UnexpectedEof => Error::Wrong(format!("{name} is cut off, or no age file")),
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::Other => {
            Error::Wrong(format!("{name} was altered or is damaged"))
        }
        _ => Error::Read { name: name.into(), why },
    }
}
