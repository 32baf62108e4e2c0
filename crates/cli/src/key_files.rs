//! Writing keys: their formats, and the files of a new pair.

use crate::error::Error;
use crate::output::{Access, Output, finish_all};
use clap::{Args, ValueEnum, ValueHint};
use ringsmith::encoding::EncodingError;
use ringsmith::pkcs8::Document;
use std::path::{Path, PathBuf};

/// How a key is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text: SubjectPublicKeyInfo and PKCS #8
    Pem,
    /// The same in binary
    Der,
    /// The bytes of the scheme's standard
    Raw,
}

impl Format {
    /// Whether it is none for a terminal.
    pub(crate) fn is_binary(self) -> bool {
        self != Format::Pem
    }

    /// Refuses a format that a scheme does not have: without an object identifier there are raw keys alone.
    pub(crate) fn is_of(self, scheme: &'static str, has_identifier: bool) -> Result<(), Error> {
        if has_identifier || self == Format::Raw { Ok(()) } else { Err(Error::NoIdentifier { scheme }) }
    }

    /// A public key in this format, of its raw bytes, its text and its DER.
    pub(crate) fn public(
        self,
        raw: &[u8],
        pem: impl FnOnce() -> Result<String, EncodingError>,
        der: impl FnOnce() -> Result<Document, EncodingError>,
    ) -> Result<Vec<u8>, Error> {
        let key = |why| Error::Key { name: "the public key".into(), why };
        Ok(match self {
            Format::Pem => pem().map_err(key)?.into_bytes(),
            Format::Der => der().map_err(key)?.as_bytes().to_vec(),
            Format::Raw => raw.to_vec(),
        })
    }
}

/// Whether a path, or its absence, means standard output or input.
pub(crate) fn is_standard(path: Option<&Path>) -> bool {
    path.is_none_or(|path| path == Path::new("-"))
}

/// Where a new pair of keys goes.
#[derive(Args)]
pub(crate) struct Places {
    /// The private key's new file; standard output if left out
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// The public key's new file; the command `public` makes it later
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) public: Option<PathBuf>,
}

impl Places {
    /// Opens both, for keys in these formats.
    pub(crate) fn open(&self, private: Format, public: Format) -> Result<Pair, Error> {
        let private_path = self.output.as_deref();
        if is_standard(private_path) && self.public.as_deref().is_some_and(|path| is_standard(Some(path))) {
            return Err(Error::Usage("both keys cannot go to standard output: name a file with -o".into()));
        }
        let open = |path, access, format: Format| {
            let file = Output::open(path, access)?.only_copy()?;
            if format.is_binary() {
                file.takes_binary("a key")?;
            }
            Ok::<_, Error>(file)
        };
        Ok(Pair {
            private: open(private_path, Access::Owner, private)?,
            public: self.public.as_deref().map(|path| open(Some(path), Access::All, public)).transpose()?,
        })
    }
}

/// The files of a new pair of keys.
pub(crate) struct Pair {
    private: Output,
    public: Option<Output>,
}

impl Pair {
    /// Writes both keys, of which the public one is made where it is wanted: both files appear, or none.
    pub(crate) fn write(
        mut self,
        private: &[u8],
        public: impl FnOnce() -> Result<Vec<u8>, Error>,
    ) -> Result<(), Error> {
        self.private.write(private)?;
        if let Some(file) = &mut self.public {
            file.write(&public()?)?;
        }
        finish_all([Some(self.private), self.public].into_iter().flatten())
    }
}

/// Writes a public key alone.
pub(crate) fn write_public(path: Option<&Path>, format: Format, key: &[u8]) -> Result<(), Error> {
    let mut file = Output::open(path, Access::All)?;
    if format.is_binary() {
        file.takes_binary("a key")?;
    }
    file.write(key)?;
    file.finish()
}
