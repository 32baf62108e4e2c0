//! For programs on these crates: panics that must not be theirs, and an output that is closed.

use std::any::Any;
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
