//! What is not finished: files and directories are removed when the command is interrupted, and the terminal
//! is set right.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The exit code of a command that was interrupted.
const INTERRUPTED: i32 = 130;

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Held while several files appear, of which all must or none.
static APPEARING: Mutex<()> = Mutex::new(());
static HANDLER: Once = Once::new();
/// What else is done then.
static THEN: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Has an interruption end the process by [`interrupted`]. Where a signal is ignored (`nohup`, a job in the
/// background of a script), or handled by somebody else, it stays so.
fn handle() {
    HANDLER.call_once(|| _ = ctrlc::try_set_handler(interrupted));
}

/// While this lives, something is done when the command is interrupted.
pub(crate) struct WhenInterrupted;

/// Has `what` done when the command is interrupted, in place of what was to be done before.
pub(crate) fn when_interrupted(what: impl FnOnce() + Send + 'static) -> WhenInterrupted {
    *lock(&THEN) = Some(Box::new(what));
    handle();
    WhenInterrupted
}

impl Drop for WhenInterrupted {
    fn drop(&mut self) {
        *lock(&THEN) = None;
    }
}

/// A path of this process alone, for as long as this lives: what is there goes when the command is
/// interrupted.
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes what is there, which must not exist before; no interruption comes between.
    pub(crate) fn make<T>(path: PathBuf, make: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<(Self, T)> {
        handle();
        let mut paths = lock(&PATHS);
        let made = make(&path)?;
        paths.push(path.clone());
        Ok((Unfinished(path), made))
    }

    /// The path.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        lock(&PATHS).retain(|path| *path != self.0);
    }
}

/// While this is held, an interruption waits.
pub(crate) fn appearing() -> MutexGuard<'static, ()> {
    lock(&APPEARING)
}

fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    // What a thread that panicked left is as good as before: no lock is held over anything that panics
    // half-way.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Both locks are held to the end of the process, so nothing new begins.
fn interrupted() {
    let _appearing = lock(&APPEARING);
    if let Some(then) = lock(&THEN).take() {
        then();
    }
    for path in lock(&PATHS).iter() {
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }
    process::exit(INTERRUPTED);
}
