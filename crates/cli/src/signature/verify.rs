//! Verifying the signature of a file.

use super::keys::{Verifier, verifier};
use super::{context, hashed};
use crate::error::Error;
use crate::file::input::Input;
use crate::keys::read;
use crate::lookup::cpu;
use crate::output::print;
use clap::{Args, ValueHint};
use ringsmith::scheme::{SchemeError, SignatureScheme};
use std::path::{Path, PathBuf};

/// What was signed, by whom.
#[derive(Args)]
pub(crate) struct Verify {
    /// The file of a public key, or of a certificate: PEM, DER or raw; - is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    public: PathBuf,
    /// The signature's file; - is standard input
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    signature: PathBuf,
    /// The scheme that the key must be of
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// What the signature is for, as it was signed
    #[arg(long, value_name = "TEXT")]
    context: Option<String>,
    /// What was signed; - is standard input
    #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
    file: PathBuf,
}

impl Verify {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<(), Error> {
        let inputs = [&self.public, &self.signature, &self.file];
        if inputs.into_iter().filter(|path| *path == Path::new("-")).count() > 1 {
            return Err(Error::Usage("standard input is named more than once".into()));
        }
        let (cpu, context) = (cpu()?, context(self.context.as_deref())?);
        let Verifier { key, certificate } = verifier(cpu, &self.public, self.scheme.as_deref())?;
        let (name, signature) = signature(key.scheme, &self.signature)?;
        let input = Input::open(&self.file)?;
        let file = input.name.clone();
        let mu = hashed(cpu, key.scheme, &key.bytes, context, input)?;
        (key.scheme.verify)(cpu, &key.bytes, &mu, &signature).map_err(|why| match why {
            SchemeError::Verification => Error::Signature { file: file.clone(), signature: name },
            why => why.into(),
        })?;
        let subject = certificate.map(|it| format!(", by the key of {}", it.subject())).unwrap_or_default();
        print(format!("{file}: good signature ({}){subject}\n", key.scheme.name).as_bytes())
    }
}

/// A signature of a scheme, and what messages call it. A file of another length is none.
fn signature(scheme: &SignatureScheme, path: &Path) -> Result<(String, Vec<u8>), Error> {
    let (name, bytes) = match read(path) {
        Err(Error::TooLong { name, .. }) => return Err(no_signature(name, None, scheme)),
        read => read?,
    };
    if bytes.len() != scheme.signature {
        return Err(no_signature(name, Some(bytes.len()), scheme));
    }
    Ok((name, bytes.to_vec()))
}

fn no_signature(name: String, given: Option<usize>, scheme: &SignatureScheme) -> Error {
    Error::SignatureLength { name, given, scheme: scheme.name, expected: scheme.signature }
}
