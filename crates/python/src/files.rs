//! Files in the age format, to post-quantum recipients and classical ones.
//!
//! The sentences of errors are the crate `ringsmith-age`'s, as the command's are. A new file appears when all
//! of it is written, and none is overwritten.

use crate::error::{self, InvalidCiphertext};
use age::armor::{ArmoredWriter, Format};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use ringsmith::Cpu;
use ringsmith_age::{
    AnyIdentity, AnyRecipient, Identity, Kind, MakeError, OpenError, PIECE, Reason, encryptor,
};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// Why a file is not encrypted or decrypted.
enum Failure {
    /// What the user gave is refused.
    Refused(String),
    /// The file is none that was made for these keys.
    Wrong(String),
    /// A file can't be read or written: the system's reason, and all that is said.
    System { path: PathBuf, why: io::Error, says: String },
}

type Done<T> = Result<T, Failure>;

impl From<Failure> for PyErr {
    fn from(why: Failure) -> Self {
        match why {
            Failure::Refused(says) => error::refused(says),
            Failure::Wrong(says) => InvalidCiphertext::new_err(says),
            // With the number of an error, Python raises the class that belongs to it.
            Failure::System { path, why, says } => match why.raw_os_error() {
                Some(code) => PyOSError::new_err((code, says, path)),
                None => PyOSError::new_err(says),
            },
        }
    }
}

impl From<MakeError> for Failure {
    fn from(why: MakeError) -> Self {
        Failure::Refused(why.to_string())
    }
}

fn system(what: &'static str, path: &Path) -> impl Fn(io::Error) -> Failure + use<> {
    let path = path.to_path_buf();
    move |why| {
        let says = format!("cannot {what} {}: {}", path.display(), Reason(&why));
        Failure::System { path: path.clone(), why, says }
    }
}

/// Encrypts all that is read.
fn encrypt(
    recipients: &[AnyRecipient],
    armor: bool,
    input: &mut impl Read,
    output: impl Write,
    [read, write]: [&dyn Fn(io::Error) -> Failure; 2],
) -> Done<()> {
    let encryptor = encryptor(recipients)?;
    let format = if armor { Format::AsciiArmor } else { Format::Binary };
    let armored = ArmoredWriter::wrap_output(output, format).map_err(write)?;
    let mut writer = encryptor.wrap_output(armored).map_err(write)?;
    copy(input, |piece| writer.write_all(piece).map_err(write), read)?;
    writer.finish().and_then(ArmoredWriter::finish).map_err(write)?;
    Ok(())
}

/// Decrypts all that is read.
fn decrypt(
    identities: &[AnyIdentity],
    input: impl Read,
    path: &Path,
    write: impl FnMut(&[u8]) -> Done<()>,
) -> Done<()> {
    let refused = |why| match why {
        OpenError::Read(why) => system("read", path)(why),
        // Files with a passphrase are the command's.
        OpenError::Passphrase => {
            Failure::Wrong(format!("{} {why}: `ringsmith decrypt` asks for it", path.display()))
        }
        why => Failure::Wrong(format!("{} {why}", path.display())),
    };
    let mut reader = ringsmith_age::open(input, identities).map_err(refused)?;
    copy(&mut reader, write, |why| refused(why.into()))
}

/// Hands all bytes of a reader on, a piece at a time; memory of the pieces is cleared in the end.
fn copy(
    input: &mut impl Read,
    mut write: impl FnMut(&[u8]) -> Done<()>,
    read_error: impl Fn(io::Error) -> Failure,
) -> Done<()> {
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
    let says = format!("{} exists already, and is not overwritten", path.display());
    Failure::System { path: path.into(), why: io::Error::from_raw_os_error(code), says }
}

fn open(path: &Path) -> Done<File> {
    File::open(path).map_err(system("read", path))
}

fn recipients(cpu: Cpu, texts: &[String]) -> Done<Vec<AnyRecipient>> {
    let parse = |text: &String| AnyRecipient::parse_on(cpu, text.trim());
    texts.iter().map(parse).collect::<Result<_, _>>().map_err(|why| Failure::Refused(why.to_string()))
}

fn identity(cpu: Cpu, text: &str) -> Done<AnyIdentity> {
    AnyIdentity::parse_on(cpu, text.trim()).map_err(|why| Failure::Refused(why.to_string()))
}

fn identities(cpu: Cpu, texts: &[String]) -> Done<Vec<AnyIdentity>> {
    texts.iter().map(|text| identity(cpu, text)).collect()
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
    Ok(self::identity(error::cpu()?, identity)?.to_recipient().to_string())
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
        let errors: [&dyn Fn(_) -> _; 2] = [&system("read", &input), &system("write", &output)];
        encrypt(&to, armor, &mut file, &mut new.writer, errors)?;
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
        decrypt(&by, file, &input, |piece| new.writer.write_all(piece).map_err(&error))?;
        new.finish()
    });
    Ok(done?)
}

/// What messages call bytes.
const BYTES: &str = "the file";

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
        let error = system("write", Path::new(BYTES));
        encrypt(&to, armor, &mut { data }, &mut file, [&error, &error])?;
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
        decrypt(&by, data, Path::new(BYTES), |piece| {
            contents.extend_from_slice(piece);
            Ok(())
        })?;
        Ok(contents)
    });
    Ok(PyBytes::new(py, &done?))
}
