//! For programs on these crates: panics that must not be theirs, an output that is closed, and what messages
//! have in common.

use std::any::Any;
use std::fmt;
use std::io::{self, ErrorKind};
use std::panic::{self, AssertUnwindSafe};

/// What `make` makes, or what it said when it panicked.
///
/// The crates `age` and `age-plugin` panic where the system gives no randomness. A program ends with an error
/// then, by this function. The process's panic hook says nothing while `make` runs, and is as before
/// afterwards: no other thread should set it meanwhile. What `make` may have left half-done is to be dropped.
///
/// ```
/// assert_eq!(ringsmith_age::caught(|| 1), Ok(1));
/// assert_eq!(ringsmith_age::caught(|| panic!("no randomness")), Err::<(), _>("no randomness".to_string()));
/// ```
///
/// # Errors
/// Where `make` panics.
pub fn caught<T>(make: impl FnOnce() -> T) -> Result<T, String> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let made = panic::catch_unwind(AssertUnwindSafe(make));
    panic::set_hook(hook);
    made.map_err(|why| message(&*why))
}

fn message(why: &(dyn Any + Send)) -> String {
    match (why.downcast_ref::<&str>(), why.downcast_ref::<String>()) {
        (Some(text), _) => (*text).into(),
        (_, Some(text)) => text.clone(),
        _ => "a panic without words".into(),
    }
}

/// Whether standard output was closed when the process started.
///
/// Rust opens the null device in its place then, for reading and writing, and what is written there is lost
/// without an error. What a shell opens for `> /dev/null` is for writing alone. Never so where the system is
/// no Unix.
pub fn stdout_is_closed() -> bool {
    #[cfg(unix)]
    {
        use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
        let stdout = std::io::stdout();
        let is_null = || Some(fstat(&stdout).ok()?.st_rdev == stat("/dev/null").ok()?.st_rdev);
        is_null() == Some(true) && fcntl_getfl(&stdout).is_ok_and(|flags| flags.contains(OFlags::RDWR))
    }
    #[cfg(not(unix))]
    false
}

/// The start of a text, short enough for a message.
///
/// ```
/// assert_eq!(ringsmith_age::excerpt("a name"), "a name");
/// assert_eq!(ringsmith_age::excerpt(&"x".repeat(1 << 20)), "x".repeat(40) + "...");
/// ```
pub fn excerpt(text: &str) -> String {
    const LENGTH: usize = 40;
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(LENGTH).collect();
    if chars.next().is_some() { start + "..." } else { start }
}

/// The system's reason in plain words, without its number.
///
/// ```
/// let why = std::fs::read("/nowhere/nothing").unwrap_err();
/// assert_eq!(ringsmith_age::Reason(&why).to_string(), "no such file or directory");
/// ```
pub struct Reason<'a>(pub &'a io::Error);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind() {
            ErrorKind::NotFound => f.write_str("no such file or directory"),
            ErrorKind::IsADirectory => f.write_str("it is a directory"),
            ErrorKind::NotADirectory => f.write_str("a part of the path is no directory"),
            ErrorKind::PermissionDenied => f.write_str("permission denied"),
            ErrorKind::FileTooLarge => f.write_str("the file is too large"),
            ErrorKind::StorageFull => f.write_str("no space left"),
            _ => {
                let text = self.0.to_string();
                f.write_str(text.split(" (os error").next().unwrap_or(&text))
            }
        }
    }
}
