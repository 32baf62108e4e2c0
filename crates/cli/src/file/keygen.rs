//! New keys for files: that encrypt them, or sign them.

use super::keys::{file_text, identities_in};
use super::passphrase::Opening;
use super::protected::{is_age, protect, unprotected};
use crate::error::Error;
use crate::key_files::{Format, Places, is_standard};
use crate::keys::{read, warn_if_open};
use crate::lookup::cpu;
use crate::output::{Access, Output};
use crate::signature::keys::signer_of;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use ringsmith::encoding::Form;
use ringsmith::scheme::{SIGNATURES, SignatureScheme, signature_by_name};
use ringsmith_age::{AnyIdentity, Kind};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Where the key goes.
#[derive(Args)]
pub(crate) struct Keygen {
    /// The private key's new file, which only its owner can read; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// The public key's new file; -y makes it later
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "public_of")]
    public: Option<PathBuf>,
    /// Protect the private key with a passphrase, which is asked for: its file is an age file then
    #[arg(short, long, conflicts_with = "public_of")]
    passphrase: bool,
    /// The kind of post-quantum key
    #[arg(long, value_name = "KIND", default_value = Kind::default().name(), value_parser = kind_parser(),
        ignore_case = true, conflicts_with = "public_of")]
    kind: AnyKind,
    /// A key of X25519 alone, which a quantum computer breaks
    #[arg(long, conflicts_with_all = ["public_of", "kind"])]
    classical: bool,
    /// Write the public keys of a file of private keys instead; - is standard input
    #[arg(short = 'y', long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    public_of: Option<PathBuf>,
    #[command(flatten)]
    opening: Opening,
}

/// What a key is for.
#[derive(Clone, Copy)]
enum AnyKind {
    /// Encrypting files.
    Files(Kind),
    /// Signing them.
    Signatures(&'static SignatureScheme),
}

/// A kind by its name.
fn kind_parser() -> impl TypedValueParser<Value = AnyKind> {
    let signatures = SIGNATURES.iter().map(|scheme| scheme.name.to_ascii_lowercase());
    let names = Kind::ALL.iter().map(|kind| kind.name().to_string()).chain(signatures);
    PossibleValuesParser::new(names).try_map(|name| match signature_by_name(&name) {
        Some(scheme) => Ok(AnyKind::Signatures(scheme)),
        None => name.to_ascii_lowercase().parse().map(AnyKind::Files),
    })
}

impl Keygen {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<(), Error> {
        self.check()?;
        match (&self.public_of, self.kind) {
            (Some(path), _) => self.write_public(path),
            (None, AnyKind::Signatures(scheme)) if !self.classical => self.generate_signer(scheme),
            (None, kind) => self.generate(kind),
        }
    }

    /// What does not fit together.
    fn check(&self) -> Result<(), Error> {
        let passphrase_file = self.opening.source.path();
        let wrong = match (&self.public_of, self.passphrase, self.kind) {
            (None, false, _) if passphrase_file.is_some() => "--passphrase-file goes with -p or -y",
            (None, true, AnyKind::Signatures(_)) if !self.classical => {
                "-p is for keys that decrypt files, not for those that sign"
            }
            (Some(path), ..) if is_standard(Some(path)) && passphrase_file == Some(Path::new("-")) => {
                "standard input is named more than once"
            }
            _ => return Ok(()),
        };
        Err(Error::Usage(wrong.into()))
    }

    /// Writes the public keys of a file, in the form that its private keys have.
    fn write_public(&self, path: &Path) -> Result<(), Error> {
        let (cpu, (name, bytes)) = (cpu()?, read(path)?);
        let is_protected = is_age(&bytes);
        let bytes = unprotected(&name, bytes, &self.opening)?;
        let text = if Form::of(&bytes) == Form::Raw {
            let keys = identities_in(cpu, &name, &bytes)?;
            keys.iter().map(|key| key.to_recipient().to_string() + "\n").collect()
        } else {
            let signer = signer_of(cpu, name.clone(), &bytes, None)?;
            let text = signer.key.scheme.public_key_to_pem(cpu, &signer.public);
            text.map_err(|why| Error::Key { name, why })?
        };
        if !is_protected {
            warn_if_open(path);
        }
        let mut output = Output::open(self.output.as_deref(), Access::All)?;
        output.write(text.as_bytes())?;
        output.finish()
    }

    fn places(&self) -> Places {
        Places { output: self.output.clone(), public: self.public.clone() }
    }

    /// A key that files are encrypted to, as a line of text.
    fn generate(&self, kind: AnyKind) -> Result<(), Error> {
        let pair = self.places().open(Format::Pem, Format::Pem)?;
        let passphrase = self.passphrase.then(|| self.opening.source.for_new()).transpose()?;
        let key = match kind {
            AnyKind::Files(kind) if !self.classical => AnyIdentity::generate_on(cpu()?, kind),
            _ => AnyIdentity::generate_classical(),
        };
        let key = key.map_err(Error::Random)?;
        let public = key.to_recipient().to_string();
        let to_terminal = is_standard(self.output.as_deref()) && io::stdout().is_terminal();
        let text = file_text(&key);
        let protected = passphrase.as_deref().map(|it| protect(text.as_bytes(), it)).transpose()?;
        let file = protected.as_deref().unwrap_or(text.as_bytes());
        pair.write(file, || Ok(format!("{public}\n").into_bytes()))?;
        if (self.passphrase || !to_terminal) && self.public.is_none() {
            // The key is made; nothing depends on whether this arrives.
            let _ = writeln!(io::stderr(), "Public key: {public}");
        }
        Ok(())
    }

    /// A key that signs, as PEM: its seed.
    fn generate_signer(&self, scheme: &SignatureScheme) -> Result<(), Error> {
        let (cpu, pair) = (cpu()?, self.places().open(Format::Pem, Format::Pem)?);
        let mut seed = Zeroizing::new(vec![0; scheme.seed]);
        getrandom::fill(&mut seed).map_err(Error::Random)?;
        let (mut public, mut private) =
            (vec![0; scheme.public_key], Zeroizing::new(vec![0; scheme.private_key]));
        (scheme.expand)(cpu, &seed, &mut public, &mut private)?;
        let text = scheme.private_key_to_pem(cpu, &seed);
        let text = text.map_err(|why| Error::Key { name: "the new key".into(), why })?;
        let public_text = || scheme.public_key_to_pem(cpu, &public);
        pair.write(text.as_bytes(), || {
            let text = public_text().map_err(|why| Error::Key { name: "the public key".into(), why })?;
            Ok(text.into_bytes())
        })
    }
}
