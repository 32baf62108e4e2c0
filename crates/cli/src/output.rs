//! Writing: to standard output, or to a new file that appears whole or not at all.

use crate::error::Error;
use crate::shown;
use crate::unfinished::{Unfinished, appearing};
use ringsmith_age::stdout_is_closed;
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

    /// Refuses standard output that is closed, where what is written would be lost and no copy of it is left.
    pub(crate) fn only_copy(self) -> Result<Self, Error> {
        match self {
            Output::Stdout(_) if stdout_is_closed() => Err(Error::Closed),
            output => Ok(output),
        }
    }

    /// Refuses to write binary data to a terminal.
    pub(crate) fn takes_binary(&self, what: &'static str) -> Result<(), Error> {
        if self.is_terminal() { Err(Error::Terminal { what }) } else { Ok(()) }
    }

    /// Whether it is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Output::Stdout(stdout) if stdout.is_terminal())
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Output::Stdout(_) => STDOUT.into(),
            Output::File(file) => shown::name(&file.target),
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

/// A file that would be longer than the process may write (`ulimit -f`) is an error, where the signal would
/// end the process.
#[cfg(unix)]
pub(crate) fn heed_no_size_limit() {
    // A handler that does next to nothing, because to ignore a signal takes `unsafe`. Where it can't be had,
    // the signal ends the process as before.
    _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

#[cfg(not(unix))]
pub(crate) fn heed_no_size_limit() {}

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
        let (temporary, file) = make_beside(target).map_err(|why| write_error(target, why))?;
        // A secret is written at once, so that the buffer keeps no copy of it.
        let capacity = if access == Access::Owner { 0 } else { BUFFER };
        let writer = BufWriter::with_capacity(capacity, file);
        Ok(NewFile { target: target.into(), temporary, writer, access })
    }

    /// Writes bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.writer.write_all(bytes).map_err(|why| write_error(&self.target, why))
    }

    /// Puts the file in its place. A secret is on the disk then, its bytes and its name, because nobody has
    /// another copy; of other files the system says that they will be.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        self.written().map_err(|why| match why.kind() {
            ErrorKind::AlreadyExists => Error::Exists(self.target.clone()),
            _ => write_error(&self.target, why),
        })
    }

    fn written(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        let file = self.writer.get_ref();
        allow(file, self.access);
        if self.access == Access::Owner {
            file.sync_all()?;
        }
        appear(self.temporary.path(), &self.target)?;
        match self.access {
            Access::All => Ok(()),
            // A failure to remove it can't be told to anybody here.
            Access::Owner => sync_directory(&self.target).inspect_err(|_| _ = fs::remove_file(&self.target)),
        }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // After a rename there is nothing to remove; a failure can't be told to anybody here.
        let _ = fs::remove_file(self.temporary.path());
    }
}

/// Gives a finished file its name, which nobody else's file has, even one that was made meanwhile.
///
/// The system renames without replacing, or a second name (a hard link) does not replace. Where the file
/// system can do neither, as some network file systems, it is looked whether the name is taken, and then
/// renamed: a file that is made just in between is replaced.
fn appear(temporary: &Path, target: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    match rename_new(temporary, target) {
        Err(why) if matches!(why.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {}
        renamed => return renamed,
    }
    match fs::hard_link(temporary, target) {
        Err(why) if why.kind() == ErrorKind::AlreadyExists => Err(why),
        Err(_) if fs::symlink_metadata(target).is_ok() => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(temporary, target),
        Ok(()) => Ok(()),
    }
}

#[cfg(target_os = "linux")]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

/// A new hidden file in the target's directory, of this process's own. Its name does not depend on the
/// target's, which may be as long as names can be; and whatever ends the process, nobody but its owner can
/// read what is left of it.
fn make_beside(target: &Path) -> io::Result<(Unfinished, File)> {
    target.file_name().ok_or(ErrorKind::InvalidFilename)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut number = 0;
    loop {
        let name = format!(".ringsmith.{}.{number}.tmp", std::process::id());
        match Unfinished::make(target.with_file_name(name), |path| options.open(path)) {
            // A process of the same number left it, or the one before in this process still has it.
            Err(why) if why.kind() == ErrorKind::AlreadyExists && number < MAX_TEMPORARY => number += 1,
            made => return made,
        }
    }
}

/// Temporary files of one process number in a directory.
const MAX_TEMPORARY: u32 = 1000;

/// Sets who may read a file: whoever the process's mask allows, or its owner, whatever the mask says.
#[cfg(unix)]
fn allow(file: &File, access: Access) {
    use rustix::fs::{Mode, fchmod};
    let mode = match access {
        Access::All => Mode::from_raw_mode(0o666).difference(mask()),
        Access::Owner => Mode::from_raw_mode(0o600),
    };
    // File systems without modes, as FAT, may refuse. Nobody may read more of it then than before.
    _ = fchmod(file, mode);
}

#[cfg(not(unix))]
fn allow(_: &File, _: Access) {}

/// The process's mask, which can be read by setting it alone: to one that allows nobody anything, should
/// another thread make a file just then.
#[cfg(unix)]
fn mask() -> rustix::fs::Mode {
    let mask = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o777));
    rustix::process::umask(mask);
    mask
}

/// Has the system write down the names of the target's directory. Where it has no way to, as for a directory
/// that can't be read, this does nothing.
#[cfg(unix)]
fn sync_directory(target: &Path) -> io::Result<()> {
    let directory = match target.parent() {
        Some(directory) if directory != Path::new("") => directory,
        _ => Path::new("."),
    };
    match File::open(directory).and_then(|directory| directory.sync_all()) {
        Err(why) if why.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) => Err(why),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

fn write_error(target: &Path, why: io::Error) -> Error {
    Error::Write { name: shown::name(target), why }
}
