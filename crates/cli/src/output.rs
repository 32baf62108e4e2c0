//! Writing: to standard output line by line, or to a new file that appears whole or not at all.

use crate::error::Error;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Where products go.
pub(crate) enum Output {
    /// Standard output; whole lines are handed on at once.
    Stdout(io::StdoutLock<'static>),
    /// A new file.
    File(NewFile),
}

impl Output {
    /// Opens a new file; none or `-` is standard output.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Error> {
        match path {
            Some(path) if path != Path::new("-") => Ok(Output::File(NewFile::create(path)?)),
            _ => Ok(Output::Stdout(io::stdout().lock())),
        }
    }

    /// Writes a line, its end included.
    pub(crate) fn write(&mut self, line: &str) -> Result<(), Error> {
        match self {
            Output::Stdout(stdout) => stdout.write_all(line.as_bytes()).map_err(stdout_error),
            Output::File(file) => file.write(line),
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

/// Writes a whole text to standard output.
pub(crate) fn print(text: &[u8]) -> Result<(), Error> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text).and_then(|()| stdout.flush()).map_err(stdout_error)
}

/// A failure to write to standard output.
pub(crate) fn stdout_error(why: io::Error) -> Error {
    Error::Write { name: "standard output".into(), why }
}

/// A temporary file that takes its place when it is finished, and is removed when it is not.
pub(crate) struct NewFile {
    target: PathBuf,
    /// Beside the target, so that both are on one file system.
    temporary: PathBuf,
    writer: BufWriter<File>,
}

impl NewFile {
    /// Starts a file beside `target`, which must not exist.
    pub(crate) fn create(target: &Path) -> Result<Self, Error> {
        // Not `exists`: a link to nowhere is something that is there too.
        if fs::symlink_metadata(target).is_ok() {
            return Err(Error::Exists(target.into()));
        }
        let temporary =
            beside(target).ok_or_else(|| write_error(target, ErrorKind::InvalidFilename.into()))?;
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary);
        let file = file.map_err(|why| write_error(target, why))?;
        Ok(NewFile { target: target.into(), temporary, writer: BufWriter::new(file) })
    }

    /// Writes a text.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Error> {
        self.writer.write_all(text.as_bytes()).map_err(|why| write_error(&self.target, why))
    }

    /// Puts the file in its place.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        let written = self.writer.flush().and_then(|()| self.writer.get_ref().sync_all());
        written.and_then(|()| appear(&self.temporary, &self.target)).map_err(|why| match why.kind() {
            ErrorKind::AlreadyExists => Error::Exists(self.target.clone()),
            _ => write_error(&self.target, why),
        })
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // After a rename there is nothing to remove; a failure can't be told to anybody here.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Gives a finished file its name. A hard link never replaces a file, even one made meanwhile; file systems without hard
/// links get a rename.
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
