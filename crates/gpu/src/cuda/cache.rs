//! Compiled kernels are kept in a folder of the user's. They are code that runs on the GPU with the user's
//! secrets, so the folder and each file must belong to the user alone, and a file must be as it was written.

use crate::GpuError;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// A folder with compiled kernels.
pub struct Cache(PathBuf);

fn refused(path: &Path, why: &'static str) -> GpuError {
    GpuError::Cache { path: path.display().to_string(), why }
}

/// Whether somebody else could have written what this is about: `mode` are the bits that nobody else may
/// have.
#[cfg(unix)]
fn check(path: &Path, metadata: &fs::Metadata, mode: u32) -> Result<(), GpuError> {
    use std::os::unix::fs::MetadataExt;
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(refused(path, "it belongs to another user"));
    }
    if metadata.mode() & mode != 0 {
        return Err(refused(path, "others may use it: its mode must be 0700, or 0600 of a file"));
    }
    Ok(())
}

/// Makes the folder, for its user alone.
#[cfg(unix)]
fn make(folder: &Path) -> Result<(), GpuError> {
    use std::os::unix::fs::DirBuilderExt;
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).map_err(|_| refused(parent, "it can't be made"))?;
    }
    let _ = fs::DirBuilder::new().mode(0o700).create(folder);
    let metadata = fs::symlink_metadata(folder).map_err(|_| refused(folder, "it can't be made"))?;
    if !metadata.is_dir() {
        return Err(refused(folder, "it is no folder"));
    }
    check(folder, &metadata, 0o077)
}

impl Cache {
    /// The user's: `ringsmith-gpu` in `XDG_CACHE_HOME`, or in `.cache` of the home folder. `None` where there
    /// is neither, it can't be made, or the system has other permissions than Unix's.
    ///
    /// # Errors
    /// Where others may use the folder.
    pub fn of_user() -> Result<Option<Self>, GpuError> {
        let set = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let caches = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
        let folder = caches.filter(|_| cfg!(unix)).map(|caches| caches.join("ringsmith-gpu"));
        folder.map_or(Ok(None), |folder| Cache::if_possible(&folder))
    }

    /// In a folder, which is made; `None` where it is not there and can't be made.
    ///
    /// # Errors
    /// Where others may use it.
    pub fn if_possible(folder: &Path) -> Result<Option<Self>, GpuError> {
        match Cache::at(folder) {
            Err(_) if fs::symlink_metadata(folder).is_err() => Ok(None),
            cache => cache.map(Some),
        }
    }

    /// In a folder, which is made.
    ///
    /// # Errors
    /// Where others may use it.
    #[cfg(unix)]
    pub fn at(folder: &Path) -> Result<Self, GpuError> {
        make(folder)?;
        Ok(Cache(folder.to_path_buf()))
    }

    /// Only on Unix.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(unix))]
    pub fn at(folder: &Path) -> Result<Self, GpuError> {
        Err(refused(folder, "this system's permissions are not known"))
    }

    /// What is kept by a key; `None` where there is nothing, or not as it was written.
    ///
    /// # Errors
    /// Where the file is another user's, or can't be read.
    pub fn load(&self, key: &str) -> Result<Option<Vec<u8>>, GpuError> {
        let path = self.0.join(key);
        let Ok(metadata) = fs::symlink_metadata(&path) else { return Ok(None) };
        if !metadata.is_file() {
            return Err(refused(&path, "it is no file"));
        }
        let unread = |_| refused(&path, "it can't be read");
        let mut file = File::open(&path).map_err(unread)?;
        #[cfg(unix)]
        check(&path, &file.metadata().map_err(unread)?, 0o077)?;
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(unread)?;
        Ok(behind_hash(content))
    }

    /// Keeps something by a key: written beside, then renamed, so that nobody reads half of it.
    ///
    /// # Errors
    /// Where it can't be written.
    pub fn store(&self, key: &str, content: &[u8]) -> Result<(), GpuError> {
        let path = self.0.join(key);
        let unwritten = || refused(&path, "it can't be written");
        // Other threads, and processes that see this folder, write files of their own.
        let named = |number: u32| self.0.join(format!("{key}.{}.{number}", std::process::id()));
        let made = (0..WRITERS).map(named).find_map(|beside| Some((create(&beside).ok()?, beside)));
        let (mut file, beside) = made.ok_or_else(unwritten)?;
        let written = file.write_all(&Sha256::digest(content)).and_then(|()| file.write_all(content));
        written.and_then(|()| fs::rename(&beside, &path)).map_err(|_| {
            let _ = fs::remove_file(&beside);
            unwritten()
        })
    }
}

/// How many may write the same file at once, with those that were killed while they did.
const WRITERS: u32 = 64;

/// A new file for its user alone; an error where there is one.
fn create(path: &Path) -> std::io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// What stands behind its hash, if the hash is right.
fn behind_hash(mut file: Vec<u8>) -> Option<Vec<u8>> {
    let content = (file.len() >= 32).then(|| file.split_off(32))?;
    (Sha256::digest(&content)[..] == file[..]).then_some(content)
}
