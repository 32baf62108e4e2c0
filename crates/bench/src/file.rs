//! Writing a file as a whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that will replace another: written beside it, then renamed.
pub struct Pending {
    target: PathBuf,
    beside: PathBuf,
}

impl Pending {
    /// Makes a temporary file beside `target` and removes it, so that a path which can't be written is known
    /// before long work.
    ///
    /// # Errors
    /// Where the directory can't be written, or `target` is a directory.
    pub fn create(target: &Path) -> io::Result<Self> {
        let name = target.file_name().filter(|_| !target.is_dir()).ok_or(io::ErrorKind::IsADirectory)?;
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.tmp", std::process::id()));
        let pending = Pending { target: target.into(), beside: target.with_file_name(hidden) };
        drop(pending.open()?);
        fs::remove_file(&pending.beside)?;
        Ok(pending)
    }

    fn open(&self) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(&self.beside)
    }

    /// Writes all of `bytes` and puts the file in its place.
    ///
    /// # Errors
    /// Where the disk refuses; the file that was there before is then untouched, and nothing else is left.
    pub fn commit(self, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.open()?;
        let written = file
            .write_all(bytes)
            .and_then(|()| file.sync_all())
            .and_then(|()| fs::rename(&self.beside, &self.target));
        if written.is_err() {
            // The first error is the one to report.
            let _ = fs::remove_file(&self.beside);
        }
        written
    }

    /// Where the file will be.
    pub fn target(&self) -> &Path {
        &self.target
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("ringsmith-bench-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Protects: a run that is broken off leaves the old file and nothing else.
    #[test]
    fn all_or_nothing() {
        let folder = folder("file");
        let target = folder.join("rows.json");
        fs::write(&target, "old").unwrap();
        drop(Pending::create(&target).unwrap());
        assert_eq!(fs::read_to_string(&target).unwrap(), "old");
        Pending::create(&target).unwrap().commit(b"new").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    /// Protects: a bad path is an error before anything is measured.
    #[test]
    fn bad_paths() {
        let folder = folder("bad");
        assert!(Pending::create(&folder).is_err());
        assert!(Pending::create(&folder.join("missing/rows.json")).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
