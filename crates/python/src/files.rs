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
    CLASSICAL_STANZA_BYTES, HEADER_BYTES, HeaderError, Identity, Kind, Recipient, TextError, caught,
    classical_recipient, decryptor,
};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
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

/// Recipients, and how long the stanza of each is in a file's header.
type Recipients = Vec<(Box<dyn age::Recipient + Send>, usize)>;
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
                    Some(code) => PyOSError::new_err((code, format!("cannot {what}: {}", plain(&why)), name)),
                    None => PyOSError::new_err(format!("cannot {what} {name}: {why}")),
                }
            }
        }
    }
}

/// The system's reason, without its number.
fn plain(why: &io::Error) -> String {
    let text = why.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_string()
}

fn system(what: &'static str, path: &Path) -> impl Fn(io::Error) -> Failure + use<> {
    let path = path.to_path_buf();
    move |why| Failure::System { what, path: Some(path.clone()), why }
}

/// A recipient's text, and how long its stanza is.
fn recipient(cpu: Cpu, text: &str) -> Done<(Box<dyn age::Recipient + Send>, usize)> {
    let none = |why: &dyn std::fmt::Display| Failure::Refused(format!("no recipient: {why}"));
    match Recipient::parse_on(cpu, text) {
        Ok(recipient) => {
            let bytes = recipient.kind().stanza_bytes();
            Ok((Box::new(recipient), bytes))
        }
        Err(TextError::OtherKind) => match classical_recipient(text) {
            Ok(recipient) => Ok((Box::new(recipient), CLASSICAL_STANZA_BYTES)),
            Err(TextError::OtherKind) => Err(none(&no_recipient(text))),
            Err(why) => Err(none(&why)),
        },
        Err(why) => Err(none(&why)),
    }
}

/// Why a text is none, which is not shown: it may be a secret.
fn no_recipient(text: &str) -> &'static str {
    let begins = |prefix: &str| text.to_ascii_lowercase().starts_with(prefix);
    if begins("age-secret-key-") || begins("age-plugin-") {
        return "this is a private key, which decrypts; its public key begins with age1";
    }
    "the text is none of age1pq1..., age1ringsmith1... and age1..."
}

/// Why a text is no private key.
const NO_IDENTITY: &str =
    "no private key: none of AGE-SECRET-KEY-PQ-1..., AGE-PLUGIN-RINGSMITH-1... and AGE-SECRET-KEY-1...";

/// An identity's text, which is never shown.
fn identity(cpu: Cpu, text: &str) -> Done<Box<dyn age::Identity + Send>> {
    match Identity::parse_on(cpu, text) {
        Ok(identity) => Ok(Box::new(identity)),
        Err(TextError::OtherKind) => {
            let classical: Result<age::x25519::Identity, _> = text.parse();
            let classical = classical.map_err(|_| Failure::Refused(NO_IDENTITY.into()))?;
            Ok(Box::new(classical))
        }
        Err(why) => Err(Failure::Refused(format!("no private key: {why}"))),
    }
}

/// Held while a header is made.
static ALONE: Mutex<()> = Mutex::new(());

/// Encrypts all that is read.
fn encrypt(
    recipients: &Recipients,
    armor: bool,
    input: &mut impl Read,
    output: impl Write,
) -> Result<(), EncryptFailure> {
    few(recipients)?;
    let make = || Encryptor::with_recipients(recipients.iter().map(|(of, _)| &**of as &dyn age::Recipient));
    let made = {
        // What panics say is kept quiet meanwhile, by a hook that all threads share.
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        caught(make)
    };
    let encryptor = made.map_err(EncryptFailure::stopped)?.map_err(EncryptFailure::of)?;
    let format = if armor { Format::AsciiArmor } else { Format::Binary };
    let armored = ArmoredWriter::wrap_output(output, format).map_err(EncryptFailure::Write)?;
    let mut writer = encryptor.wrap_output(armored).map_err(EncryptFailure::Write)?;
    copy(input, |piece| writer.write_all(piece).map_err(EncryptFailure::Write), EncryptFailure::Read)?;
    writer.finish().and_then(ArmoredWriter::finish).map_err(EncryptFailure::Write)?;
    Ok(())
}

/// Refuses more recipients than a header holds that is read again.
fn few(recipients: &Recipients) -> Result<(), EncryptFailure> {
    /// A header's first line and its last, and a stanza without meaning that the crate `age` adds.
    const REST: usize = 512;
    let (count, bytes) = (recipients.len(), recipients.iter().map(|(_, bytes)| bytes).sum::<usize>());
    if bytes <= HEADER_BYTES - REST {
        return Ok(());
    }
    Err(EncryptFailure::Says(format!(
        "{count} recipients are too many: the header would be longer than {HEADER_BYTES} bytes, which \
         `decrypt` refuses"
    )))
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
            other => return EncryptFailure::stopped(other.to_string()),
        })
    }

    fn stopped(says: String) -> Self {
        EncryptFailure::Says(format!(
            "the file's header can't be made, as where the system gives no random bytes: {says}"
        ))
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
    let decryptor = decryptor(BufReader::with_capacity(PIECE, input)).map_err(|why| match why {
        HeaderError::Age(why) => refused(name, why),
        limit => Failure::Wrong(format!("{name} has {limit}")),
    })?;
    if decryptor.is_scrypt() {
        return Err(Failure::Wrong(format!("{name} is encrypted with a passphrase, not to a key")).into());
    }
    let all = identities.iter().map(|of| &**of as &dyn age::Identity);
    let mut reader = decryptor.decrypt(all).map_err(|why| refused(name, why))?;
    copy(&mut reader, write, |why| broken(name, why).into())
}

/// Why a file's header is not accepted.
fn refused(name: &str, why: DecryptError) -> Failure {
    let says = match why {
        DecryptError::Io(why) => return broken(name, why),
        DecryptError::NoMatchingKeys => "was not encrypted to any of these keys",
        DecryptError::UnknownFormat => "is of an unknown version of the age format",
        DecryptError::InvalidHeader => "is no age file, or its header is damaged",
        DecryptError::InvalidMac => "has a header that was altered",
        _ => "has a damaged header",
    };
    Failure::Wrong(format!("{name} {says}"))
}

/// Why a file can't be read on.
fn broken(name: &str, why: io::Error) -> Failure {
    match why.kind() {
        ErrorKind::UnexpectedEof => Failure::Wrong(format!("{name} is cut off, or no age file")),
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::Other => {
            Failure::Wrong(format!("{name} was altered or is damaged"))
        }
        _ => system("read", Path::new(name))(why),
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

/// A new file under another name, which is removed unless it is finished. Until then nobody but its owner
/// reads it.
struct NewFile {
    target: PathBuf,
    unfinished: PathBuf,
    writer: BufWriter<File>,
    /// What new files allow here.
    allows: Permissions,
}

impl NewFile {
    fn create(target: &Path) -> Done<Self> {
        if fs::symlink_metadata(target).is_ok() {
            return Err(exists(target));
        }
        let (unfinished, file, allows) = beside(target).map_err(system("write", target))?;
        let writer = BufWriter::with_capacity(PIECE, file);
        Ok(NewFile { target: target.into(), unfinished, writer, allows })
    }

    /// Now it appears, unless another one has appeared meanwhile.
    fn finish(mut self) -> Done<()> {
        let error = system("write", &self.target);
        self.writer.flush().and_then(|()| self.writer.get_ref().sync_all()).map_err(&error)?;
        // File systems without modes may refuse. Nobody may read more of it then than before.
        _ = self.writer.get_ref().set_permissions(self.allows.clone());
        match fs::hard_link(&self.unfinished, &self.target) {
            Ok(()) => Ok(()),
            Err(why) if why.kind() == ErrorKind::AlreadyExists => Err(exists(&self.target)),
            // Where there are no links.
            Err(_) if fs::symlink_metadata(&self.target).is_ok() => Err(exists(&self.target)),
            Err(_) => fs::rename(&self.unfinished, &self.target).map_err(error),
        }
    }
}

/// A new hidden file in the target's directory, whose name does not depend on the target's; and what new
/// files allow there.
fn beside(target: &Path) -> io::Result<(PathBuf, File, Permissions)> {
    target.file_name().ok_or(ErrorKind::InvalidFilename)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // An empty one tells what the process's mask lets new files allow.
    let (path, empty) = new_beside(target, &options)?;
    let allows = empty.metadata().map(|of| of.permissions());
    fs::remove_file(&path)?;
    let allows = allows?;
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let (path, file) = new_beside(target, &options)?;
    Ok((path, file, allows))
}

fn new_beside(target: &Path, options: &OpenOptions) -> io::Result<(PathBuf, File)> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = target.with_file_name(format!(".ringsmith.{}.{number}.py.tmp", std::process::id()));
        match options.open(&path) {
            // A process of the same number left it.
            Err(why) if why.kind() == ErrorKind::AlreadyExists => {}
            made => return Ok((path, made?)),
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

fn recipients(cpu: Cpu, texts: &[String]) -> Done<Recipients> {
    texts.iter().map(|text| recipient(cpu, text.trim())).collect()
}

fn identities(cpu: Cpu, texts: &[String]) -> Done<Identities> {
    texts.iter().map(|text| identity(cpu, text.trim())).collect()
}

/// A new private key of a kind, and its recipient, as texts.
#[pyfunction]
fn new_identity(kind: &str) -> PyResult<(String, String)> {
    let kind: Kind = kind.parse().map_err(error::refused)?;
    let identity = Identity::generate_on(error::cpu()?, kind).map_err(error::of_random)?;
    Ok((identity.to_text().to_string(), identity.to_recipient().to_string()))
}

/// The recipient of a private key.
#[pyfunction]
fn recipient_of(identity: &str) -> PyResult<String> {
    match Identity::parse_on(error::cpu()?, identity.trim()) {
        Ok(identity) => Ok(identity.to_recipient().to_string()),
        Err(TextError::OtherKind) => {
            let classical: Result<age::x25519::Identity, _> = identity.trim().parse();
            classical.map(|it| it.to_public().to_string()).map_err(|_| error::refused(NO_IDENTITY))
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
    let cpu = error::cpu()?;
    let done = py.detach(|| {
        let (to, mut file, mut new) = (recipients(cpu, &to)?, open(&input)?, NewFile::create(&output)?);
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
    let cpu = error::cpu()?;
    let done = py.detach(|| {
        let (by, file, mut new) = (identities(cpu, &by)?, open(&input)?, NewFile::create(&output)?);
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
    let cpu = error::cpu()?;
    let done = py.detach(|| -> Done<Vec<u8>> {
        let (to, mut file) = (recipients(cpu, &to)?, Vec::new());
        encrypt(&to, armor, &mut { data }, &mut file).map_err(|why| match why {
            EncryptFailure::Says(says) => Failure::Refused(says),
            EncryptFailure::Read(why) | EncryptFailure::Write(why) => {
                Failure::System { what: "write", path: None, why }
            }
        })?;
        Ok(file)
    });
    Ok(PyBytes::new(py, &done?))
}

/// Decrypts bytes with private keys.
#[pyfunction]
fn decrypt_bytes<'py>(py: Python<'py>, data: &[u8], by: Vec<String>) -> PyResult<Bound<'py, PyBytes>> {
    let by = Zeroizing::new(by);
    let cpu = error::cpu()?;
    let done = py.detach(|| -> Done<Zeroizing<Vec<u8>>> {
        let (by, mut contents) = (identities(cpu, &by)?, Zeroizing::new(Vec::with_capacity(data.len())));
        decrypt(&by, data, "the file", |piece| -> Done<()> {
            contents.extend_from_slice(piece);
            Ok(())
        })?;
        Ok(contents)
    });
    Ok(PyBytes::new(py, &done?))
}
