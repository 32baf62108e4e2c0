//! What a client of the plugin sends, within limits.
//!
//! The plugin protocol is stanzas, line by line. The crate `age-plugin` takes lines of any length and any
//! number of them, begins anew with a stanza after each of its lines, and panics where a client answers
//! `fail` or `unsupported` to what it was told.

use crate::header::{HEADER_BYTES, HEADER_WORDS, LINE_BYTES};
use std::fmt;
use std::io::{self, Read, Write};
use zeroize::Zeroizing;

/// The most bytes that a client sends: a header's stanzas, each as a command, and as much again for keys.
const BYTES: usize = 2 * HEADER_BYTES;
/// The most lines of a stanza: a body has 48 bytes a line, and the longest known 2,048 bytes.
const STANZA_LINES: usize = 128;
/// Bytes that are read at a time.
const PIECE: usize = 1 << 13;

/// Why a client's commands are handed on no further.
#[derive(Debug)]
#[non_exhaustive]
pub enum CommandsError {
    /// It sent more than a limit allows: of what, the limit, and in which unit.
    TooMuch {
        /// A line, a stanza or all of it.
        what: &'static str,
        /// The most that there may be.
        limit: usize,
        /// Bytes, lines or words.
        unit: &'static str,
    },
    /// An end of the connection failed.
    Io(io::Error),
}

impl fmt::Display for CommandsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandsError::TooMuch { what, limit, unit } => {
                write!(f, "the client sent too much: {what} of more than {limit} {unit}")
            }
            CommandsError::Io(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for CommandsError {}

impl From<io::Error> for CommandsError {
    fn from(why: io::Error) -> Self {
        CommandsError::Io(why)
    }
}

/// Hands a client's commands on to who reads them for the plugin, as they come, until the client ends. A
/// client's `fail` and `unsupported` are handed on as `ok`: it was told, and that changes nothing.
///
/// ```
/// use ringsmith_age::{CommandsError, forward_commands};
///
/// let mut taken = Vec::new();
/// forward_commands(&b"-> done\n\n-> fail\n\n"[..], &mut taken)?;
/// assert_eq!(taken, b"-> done\n\n-> ok\n\n");
///
/// let line = [b'a'; 100_000];
/// assert!(matches!(forward_commands(&line[..], io::sink()), Err(CommandsError::TooMuch { .. })));
/// # use std::io;
/// # Ok::<(), CommandsError>(())
/// ```
///
/// # Errors
/// Where the client exceeds a limit, or can't be read, or its commands can't be handed on.
pub fn forward_commands(mut client: impl Read, mut plugin: impl Write) -> Result<(), CommandsError> {
    // There are private keys in it.
    let (mut piece, mut line) =
        (Zeroizing::new([0; PIECE]), Zeroizing::new(Vec::with_capacity(LINE_BYTES + PIECE)));
    let mut counted = Counted::default();
    loop {
        let count = client.read(piece.as_mut())?;
        if count == 0 {
            plugin.write_all(&line)?;
            return Ok(());
        }
        for part in piece[..count].split_inclusive(|byte| *byte == b'\n') {
            line.extend_from_slice(part);
            bound(line.len(), "a line", LINE_BYTES, "bytes")?;
            if line.ends_with(b"\n") {
                counted.line(&line)?;
                plugin.write_all(said(&line))?;
                line.clear();
            }
        }
    }
}

/// What has come so far.
#[derive(Default)]
struct Counted {
    bytes: usize,
    words: usize,
    /// Of the stanza.
    lines: usize,
}

impl Counted {
    fn line(&mut self, line: &[u8]) -> Result<(), CommandsError> {
        if line.starts_with(b"-> ") {
            self.lines = 0;
            self.words += line.iter().filter(|byte| **byte == b' ').count();
        }
        self.bytes += line.len();
        self.lines += 1;
        bound(self.bytes, "all", BYTES, "bytes")?;
        bound(self.words, "all", HEADER_WORDS, "words")?;
        bound(self.lines, "a stanza", STANZA_LINES, "lines")
    }
}

fn bound(count: usize, what: &'static str, limit: usize, unit: &'static str) -> Result<(), CommandsError> {
    if count > limit { Err(CommandsError::TooMuch { what, limit, unit }) } else { Ok(()) }
}

/// A line as it is handed on.
fn said(line: &[u8]) -> &[u8] {
    let begins =
        |answer: &[u8]| line.strip_prefix(answer).is_some_and(|rest| matches!(rest, [b' ' | b'\n', ..]));
    if begins(b"-> fail") || begins(b"-> unsupported") { b"-> ok\n" } else { line }
}
