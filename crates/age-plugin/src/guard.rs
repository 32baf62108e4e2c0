//! What a client sends, within limits.
//!
//! The crate `age-plugin` reads standard input by itself. So standard input becomes a pipe, and a thread
//! hands on what keeps the limits of [`forward_commands`].

use ringsmith_age::{CommandsError, forward_commands};
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::sync::OnceLock;
use std::thread;

/// Why no more is handed on.
static REFUSED: OnceLock<String> = OnceLock::new();

/// From now on, standard input is what keeps the limits; it ends where they are exceeded.
pub(crate) fn stdin() -> io::Result<()> {
    let client = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let (reader, writer) = io::pipe()?;
    rustix::stdio::dup2_stdin(reader)?;
    // It ends with the process, or when either end is closed: then nobody waits for what it has.
    thread::Builder::new().spawn(move || {
        if let Err(why @ CommandsError::TooMuch { .. }) = forward_commands(client, &writer) {
            _ = REFUSED.set(why.to_string());
        }
    })?;
    Ok(())
}

/// Why standard input ended before the client was done, if a limit was exceeded.
pub(crate) fn refused() -> Option<&'static str> {
    REFUSED.get().map(String::as_str)
}
