//! Writing: to standard output, or to a new file that appears whole or not at all.

use crate::error::Error;
use crate::unfinished::{Unfinished, appearing};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

const STDOUT: &str = "standard output";

/// Where results go.
pub(crate) enum Output {
    /// Standard output; whole lines are handed on at once.
    Stdout(io::StdoutLock<'static>),
    /// A new file.
    File(NewFile),
}

/// Who may read a new file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Whom the system's defaults allow.
    All,
    /// Its owner alone: it holds a secret.
    Owner,
}

impl Output {
    /// Opens a new file; none or `-` is standard output.
    pub(crate) fn open(path: Option<&Path>, access: Access) -> Result<Self, Error> {
        match path {
            Some(path) if path != Path::new("-") => Ok(Output::File(NewFile::create(path, access)?)),
            _ => Ok(Output::Stdout(io::stdout().lock())),
        }
    }

    /// Refuses to write binary data to a terminal.
    pub(crate) fn takes_binary(&self, what: &'static str) -> Result<(), Error> {
        match self {
            Output::Stdout(stdout) if stdout.is_terminal() => Err(Error::Terminal { what }),
            _ => Ok(()),
        }
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Output::Stdout(_) => STDOUT.into(),
            Output::File(file) => file.target.display().to_string(),
        }
    }

    /// Writes bytes; of text, whole lines.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Output::Stdout(stdout) => stdout.write_all(bytes).map_err(stdout_error),
            Output::File(file) => file.write(bytes),
        }
    }

    /// Makes sure that everything has arrived; only now does the file appear.
    pub(crate) fn finish(self) -> Result<(), Error> {
        match self {
            Output::Stdout(mut stdout) => stdout.flush().map_err(stdout_error),
            Output::File(file) => file.finish(),
        }
    }
}

/// For writers of others; [`name`](Output::name) is to be said with an error.
impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(stdout) => stdout.write(bytes),
            Output::File(file) => file.writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(stdout) => stdout.flush(),
            Output::File(file) => file.writer.flush(),
        }
    }
}

/// Finishes several outputs in their order: all of them appear, or none.
pub(crate) fn finish_all(outputs: impl IntoIterator<Item = Output>) -> Result<(), Error> {
    let _all_or_none = appearing();
    let mut appeared = Vec::new();
    for output in outputs {
        let target = match &output {
            Output::Stdout(_) => None,
            Output::File(file) => Some(file.target.clone()),
        };
        if let Err(error) = output.finish() {
            // They were made a moment ago, and nobody was told of them; a failure can't be told to anybody
            // here.
            appeared.iter().for_each(|target| _ = fs::remove_file(target));
            return Err(error);
        }
        appeared.extend(target);
    }
    Ok(())
}

/// Writes a whole text to standard output.
pub(crate) fn print(text: &[u8]) -> Result<(), Error> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text).and_then(|()| stdout.flush()).map_err(stdout_error)
}

/// A failure to write to standard output.
pub(crate) fn stdout_error(why: io::Error) -> Error {
    Error::Write { name: STDOUT.into(), why }
}

/// Bytes that are collected before they are written.
const BUFFER: usize = 1 << 16;

/// A temporary file that takes its place when it is finished, and is removed when it is not, or the command
/// is interrupted.
pub(crate) struct NewFile {
    target: PathBuf,
    /// Beside the target, so that both are on one file system.
    temporary: Unfinished,
    writer: BufWriter<File>,
    access: Access,
}

impl NewFile {
    /// Starts a file beside `target`, which must not exist.
    pub(crate) fn create(target: &Path, access: Access) -> Result<Self, Error> {
        // Not `exists`: a link to nowhere is something that is there too.
        if fs::symlink_metadata(target).is_ok() {
            return Err(Error::Exists(target.into()));
        }
        let temporary =
            beside(target).ok_or_else(|| write_error(target, ErrorKind::InvalidFilename.into()))?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if access == Access::Owner {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        let made = Unfinished::make(temporary, |path| options.open(path));
        let (temporary, file) = made.map_err(|why| write_error(target, why))?;
        // A secret is written at once, so that the buffer keeps no copy of it.
        let capacity = if access == Access::Owner { 0 } else { BUFFER };
        let writer = BufWriter::with_capacity(capacity, file);
        Ok(NewFile { target: target.into(), temporary, writer, access })
    }

    /// Writes bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.writer.write_all(bytes).map_err(|why| write_error(&self.target, why))
    }

    /// Puts the file in its place. A secret is on the disk then, because nobody has another copy; of other
    /// files the system says that they will be.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        let sync = |file: &File| if self.access == Access::Owner { file.sync_all() } else { Ok(()) };
        let written = self.writer.flush().and_then(|()| sync(self.writer.get_ref()));
        written.and_then(|()| appear(self.temporary.path(), &self.target)).map_err(|why| match why.kind() {
            ErrorKind::AlreadyExists => Error::Exists(self.target.clone()),
            _ => write_error(&self.target, why),
        })
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // After a rename there is nothing to remove; a failure can't be told to anybody here.
        let _ = fs::remove_file(self.temporary.path());
    }
}

/// Gives a finished file its name. A hard link never replaces a file, even one made meanwhile; file systems
/// without hard links get a rename.
fn appear(temporary: &Path, target: &Path) -> io::Result<()> {
    match fs::hard_link(temporary, target) {
        Err(why) if why.kind() == ErrorKind::AlreadyExists => Err(why),
        Err(_) if fs::symlink_metadata(target).is_ok() => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(temporary, target),
        Ok(()) => Ok(()),
    }
}

/// The temporary file's name: hidden, in the target's directory, this process's own.
fn beside(target: &Path) -> Option<PathBuf> {
    let mut name = OsString::from(".");
    name.push(target.file_name()?);
    name.push(format!(".{}.tmp", std::process::id()));
    Some(target.with_file_name(name))
}

fn write_error(target: &Path, why: io::Error) -> Error {
    Error::Write { name: target.display().to_string(), why }
}
