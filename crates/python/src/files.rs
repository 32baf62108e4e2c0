//! Files in the age format, to post-quantum recipients and classical ones.
//!
//! The sentences of errors are those of the command. A new file appears when all of it is written, and none
//! is overwritten.

use crate::error::{self, InvalidCiphertext};
use age::armor::{ArmoredWriter, Format};
use age::{DecryptError, EncryptError, Encryptor};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use ringsmith::Cpu;
use ringsmith_age::{
    HeaderError, Identity, Kind, Recipient, TextError, caught, classical_recipient, decryptor,
};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The functions.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("KINDS", Kind::ALL.map(Kind::name).to_vec())?;
    module.add_function(wrap_pyfunction!(new_identity, module)?)?;
    module.add_function(wrap_pyfunction!(recipient_of, module)?)?;
    module.add_function(wrap_pyfunction!(encrypt_file, module)?)?;
    module.add_function(wrap_pyfunction!(decrypt_file, module)?)?;
    module.add_function(wrap_pyfunction!(encrypt_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(decrypt_bytes, module)?)
}

/// Bytes that are handed on at a time: those of a chunk of the format.
const PIECE: usize = 1 << 16;

type Recipients = Vec<Box<dyn age::Recipient + Send>>;
type Identities = Vec<Box<dyn age::Identity + Send>>;

/// Why a file is not encrypted or decrypted.
enum Failure {
    /// What the user gave is refused.
    Refused(String),
    /// The file is none that was made for these keys.
    Wrong(String),
    /// A file can't be read or written.
    System { what: &'static str, path: Option<PathBuf>, why: io::Error },
}

type Done<T> = Result<T, Failure>;

impl From<Failure> for PyErr {
    fn from(why: Failure) -> Self {
        match why {
            Failure::Refused(says) => error::refused(says),
            Failure::Wrong(says) => InvalidCiphertext::new_err(says),
            Failure::System { what, path, why } => {
                let name = path.map(|path| path.display().to_string()).unwrap_or_default();
                // With the number of an error, Python raises the class that belongs to it.
                match why.raw_os_error() {
                    Some(code) => PyOSError::new_err((code, format!("cannot {what}: {why}"), name)),
                    None => PyOSError::new_err(format!("cannot {what} {name}: {why}")),
                }
            }
        }
    }
}

fn system(what: &'static str, path: &Path) -> impl Fn(io::Error) -> Failure + use<> {
    let path = path.to_path_buf();
    move |why| Failure::System { what, path: Some(path.clone()), why }
}

/// A recipient's text.
fn recipient(cpu: Cpu, text: &str) -> Done<Box<dyn age::Recipient + Send>> {
    let none = |why: &dyn std::fmt::Display| Failure::Refused(format!("no recipient: {why}"));
    match Recipient::parse_on(cpu, text) {
        Ok(recipient) => Ok(Box::new(recipient)),
        Err(TextError::OtherKind) => match classical_recipient(text) {
            Ok(recipient) => Ok(Box::new(recipient)),
            Err(TextError::OtherKind) => {
                Err(none(&"the text is none of age1pq1..., age1ringsmith1... and age1..."))
            }
            Err(why) => Err(none(&why)),
        },
        Err(why) => Err(none(&why)),
    }
}

/// An identity's text, which is never shown.
fn identity(cpu: Cpu, text: &str) -> Done<Box<dyn age::Identity + Send>> {
    const NONE: &str = "no private key: none of AGE-SECRET-KEY-PQ-1..., AGE-PLUGIN-RINGSMITH-1... and \
                        AGE-SECRET-KEY-1...";
    match Identity::parse_on(cpu, text) {
        Ok(identity) => Ok(Box::new(identity)),
        Err(TextError::OtherKind) => {
            let classical: Result<age::x25519::Identity, _> = text.parse();
            let classical = classical.map_err(|_| Failure::Refused(NONE.into()))?;
            Ok(Box::new(classical))
        }
        Err(why) => Err(Failure::Refused(format!("no private key: {why}"))),
    }
}

/// Encrypts all that is read.
fn encrypt(
    recipients: &Recipients,
    armor: bool,
    input: &mut impl Read,
    output: impl Write,
) -> Result<(), EncryptFailure> {
    let made =
        caught(|| Encryptor::with_recipients(recipients.iter().map(|of| &**of as &dyn age::Recipient)));
    let encryptor = made.map_err(EncryptFailure::Says)?.map_err(EncryptFailure::of)?;
    let format = if armor { Format::AsciiArmor } else { Format::Binary };
    let armored = ArmoredWriter::wrap_output(output, format).map_err(EncryptFailure::Write)?;
    let mut writer = encryptor.wrap_output(armored).map_err(EncryptFailure::Write)?;
    copy(input, |piece| writer.write_all(piece).map_err(EncryptFailure::Write), EncryptFailure::Read)?;
    writer.finish().and_then(ArmoredWriter::finish).map_err(EncryptFailure::Write)?;
    Ok(())
}

/// Why nothing was encrypted.
enum EncryptFailure {
    Says(String),
    Read(io::Error),
    Write(io::Error),
}

impl EncryptFailure {
    fn of(why: EncryptError) -> Self {
        EncryptFailure::Says(match why {
            EncryptError::IncompatibleRecipients { .. } => {
                "post-quantum and classical recipients cannot be mixed: the file would be as weak as the \
                 weakest"
                    .into()
            }
            EncryptError::MissingRecipients => "no recipient: name a public key".into(),
            other => other.to_string(),
        })
    }
}

/// Decrypts all that is read.
fn decrypt<F>(
    identities: &Identities,
    input: impl Read,
    name: &str,
    write: impl FnMut(&[u8]) -> Result<(), F>,
) -> Result<(), F>
where
    F: From<Failure>,
{
    let wrong = |says: String| F::from(Failure::Wrong(says));
    let decryptor = decryptor(BufReader::with_capacity(PIECE, input)).map_err(|why| match why {
        HeaderError::Age(why) => wrong(refused(name, &why)),
        limit => wrong(format!("{name} has {limit}")),
    })?;
    if decryptor.is_scrypt() {
        return Err(wrong(format!("{name} is encrypted with a passphrase, not to a key")));
    }
    let all = identities.iter().map(|of| &**of as &dyn age::Identity);
    let mut reader = decryptor.decrypt(all).map_err(|why| wrong(refused(name, &why)))?;
    copy(&mut reader, write, |why| wrong(broken(name, &why)))
}

/// Why a file's header is not accepted.
fn refused(name: &str, why: &DecryptError) -> String {
    let says = match why {
        DecryptError::Io(why) => return broken(name, why),
        DecryptError::NoMatchingKeys => "was not encrypted to any of these keys",
        DecryptError::UnknownFormat => "is of an unknown version of the age format",
        DecryptError::InvalidHeader => "is no age file, or its header is damaged",
        DecryptError::InvalidMac => "has a header that was altered",
        _ => "has a damaged header",
    };
    format!("{name} {says}")
}

/// Why a file can't be read on.
fn broken(name: &str, why: &io::Error) -> String {
    match why.kind() {
        ErrorKind::UnexpectedEof => format!("{name} is cut off, or no age file"),
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::Other => {
            format!("{name} was altered or is damaged")
        }
        _ => format!("cannot read {name}: {why}"),
    }
}

/// Hands all bytes of a reader on, a piece at a time; memory of the pieces is cleared in the end.
fn copy<F>(
    input: &mut impl Read,
    mut write: impl FnMut(&[u8]) -> Result<(), F>,
    read_error: impl Fn(io::Error) -> F,
) -> Result<(), F> {
    let mut piece = Zeroizing::new(vec![0; PIECE]);
    loop {
        match input.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(count) => write(&piece[..count])?,
            Err(why) if why.kind() == ErrorKind::Interrupted => {}
            Err(why) => return Err(read_error(why)),
        }
    }
}

/// A new file under another name, which is removed unless it is finished.
struct NewFile {
    target: PathBuf,
    unfinished: PathBuf,
    writer: BufWriter<File>,
}

impl NewFile {
    fn create(target: &Path) -> Done<Self> {
        if fs::symlink_metadata(target).is_ok() {
            return Err(exists(target));
        }
        let mut unfinished = target.as_os_str().to_owned();
        unfinished.push(format!(".{}.unfinished", std::process::id()));
        let unfinished = PathBuf::from(unfinished);
        let file = OpenOptions::new().write(true).create_new(true).open(&unfinished);
        let file = file.map_err(system("write", target))?;
        Ok(NewFile { target: target.into(), unfinished, writer: BufWriter::with_capacity(PIECE, file) })
    }

    /// Now it appears, unless another one has appeared meanwhile.
    fn finish(mut self) -> Done<()> {
        let error = system("write", &self.target);
        self.writer.flush().and_then(|()| self.writer.get_ref().sync_all()).map_err(&error)?;
        match fs::hard_link(&self.unfinished, &self.target) {
            Ok(()) => Ok(()),
            Err(why) if why.kind() == ErrorKind::AlreadyExists => Err(exists(&self.target)),
            // Where there are no links.
            Err(_) => fs::rename(&self.unfinished, &self.target).map_err(error),
        }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // After a rename it is gone; else nobody knows of it.
        let _ = fs::remove_file(&self.unfinished);
    }
}

/// The error of a file that is there.
fn exists(path: &Path) -> Failure {
    let code = 17; // EEXIST, everywhere that Python has a class for it
    Failure::System {
        what: "write what exists already, and is not overwritten",
        path: Some(path.into()),
        why: io::Error::from_raw_os_error(code),
    }
}

fn open(path: &Path) -> Done<File> {
    File::open(path).map_err(system("read", path))
}

fn recipients(texts: &[String]) -> Done<Recipients> {
    let cpu = Cpu::detect();
    texts.iter().map(|text| recipient(cpu, text.trim())).collect()
}

fn identities(texts: &[String]) -> Done<Identities> {
    let cpu = Cpu::detect();
    texts.iter().map(|text| identity(cpu, text.trim())).collect()
}

/// A new private key of a kind, and its recipient, as texts.
#[pyfunction]
fn new_identity(kind: &str) -> PyResult<(String, String)> {
    let kind: Kind = kind.parse().map_err(error::refused)?;
    let identity = Identity::generate(kind).map_err(error::of_random)?;
    Ok((identity.to_text().to_string(), identity.to_recipient().to_string()))
}

/// The recipient of a private key.
#[pyfunction]
fn recipient_of(identity: &str) -> PyResult<String> {
    match Identity::parse_on(Cpu::detect(), identity.trim()) {
        Ok(identity) => Ok(identity.to_recipient().to_string()),
        Err(TextError::OtherKind) => {
            let classical: Result<age::x25519::Identity, _> = identity.trim().parse();
            classical
                .map(|it| it.to_public().to_string())
                .map_err(|why| error::refused(format!("no private key: {why}")))
        }
        Err(why) => Err(error::refused(format!("no private key: {why}"))),
    }
}

/// Encrypts a file to recipients, into a new one.
#[pyfunction]
fn encrypt_file(
    py: Python<'_>,
    input: PathBuf,
    output: PathBuf,
    to: Vec<String>,
    armor: bool,
) -> PyResult<()> {
    let done = py.detach(|| {
        let (to, mut file, mut new) = (recipients(&to)?, open(&input)?, NewFile::create(&output)?);
        encrypt(&to, armor, &mut file, &mut new.writer).map_err(|why| match why {
            EncryptFailure::Says(says) => Failure::Refused(says),
            EncryptFailure::Read(why) => system("read", &input)(why),
            EncryptFailure::Write(why) => system("write", &output)(why),
        })?;
        new.finish()
    });
    Ok(done?)
}

/// Decrypts a file with private keys, into a new one.
#[pyfunction]
fn decrypt_file(py: Python<'_>, input: PathBuf, output: PathBuf, by: Vec<String>) -> PyResult<()> {
    let by = Zeroizing::new(by);
    let done = py.detach(|| {
        let (by, file, mut new) = (identities(&by)?, open(&input)?, NewFile::create(&output)?);
        let error = system("write", &output);
        let name = input.display().to_string();
        decrypt(&by, file, &name, |piece| new.writer.write_all(piece).map_err(&error))?;
        new.finish()
    });
    Ok(done?)
}

/// Encrypts bytes to recipients.
#[pyfunction]
fn encrypt_bytes<'py>(
    py: Python<'py>,
    data: &[u8],
    to: Vec<String>,
    armor: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut file = Vec::new();
    let to = recipients(&to)?;
    encrypt(&to, armor, &mut { data }, &mut file).map_err(|why| match why {
        EncryptFailure::Says(says) => Failure::Refused(says),
        EncryptFailure::Read(why) | EncryptFailure::Write(why) => {
            Failure::System { what: "write", path: None, why }
        }
    })?;
    Ok(PyBytes::new(py, &file))
}

/// Decrypts bytes with private keys.
#[pyfunction]
fn decrypt_bytes<'py>(py: Python<'py>, data: &[u8], by: Vec<String>) -> PyResult<Bound<'py, PyBytes>> {
    let by = Zeroizing::new(by);
    let (by, mut contents) = (identities(&by)?, Zeroizing::new(Vec::with_capacity(data.len())));
    decrypt(&by, data, "the file", |piece| -> Done<()> {
        contents.extend_from_slice(piece);
        Ok(())
    })?;
    Ok(PyBytes::new(py, &contents))
}
