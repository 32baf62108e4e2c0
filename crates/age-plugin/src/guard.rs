//! What a client sends, within limits.
//!
//! The crate `age-plugin` reads standard input by itself: a line of any length, any number of them, and it
//! begins anew with a stanza after each of its lines. It also panics where a client answers `fail` to what it
//! was told. So standard input becomes a pipe, and a thread hands on what keeps the limits.

use ringsmith_age::{HEADER_BYTES, HEADER_WORDS, LINE_BYTES};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::sync::OnceLock;
use std::thread;
use zeroize::Zeroizing;

/// The most bytes that a client sends: a header's stanzas, each as a command, and as much again for keys.
const BYTES: usize = 2 * HEADER_BYTES;
/// The most lines of a stanza: a body has 48 bytes a line, and the longest known 2,048 bytes.
const STANZA_LINES: usize = 128;
/// Bytes that are read at a time.
const PIECE: usize = 1 << 13;

/// Why no more is handed on.
static REFUSED: OnceLock<String> = OnceLock::new();

/// From now on, standard input is what keeps the limits; it ends where they are exceeded.
pub(crate) fn stdin() -> io::Result<()> {
    let client = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let (reader, mut writer) = io::pipe()?;
    rustix::stdio::dup2_stdin(reader)?;
    // It ends with the process, or when either end is closed: then nobody waits for what it has.
    thread::Builder::new().spawn(move || {
        if let Err(Stop::Refused(why)) = forward(client, &mut writer) {
            _ = REFUSED.set(why);
        }
    })?;
    Ok(())
}

/// Why standard input ended before the client was done, if a limit was exceeded.
pub(crate) fn refused() -> Option<&'static str> {
    REFUSED.get().map(String::as_str)
}

/// Why nothing more is handed on.
enum Stop {
    /// An end of the connection is closed.
    Closed,
    /// A limit is exceeded.
    Refused(String),
}

impl From<io::Error> for Stop {
    fn from(_: io::Error) -> Self {
        Stop::Closed
    }
}

fn forward(mut client: impl Read, plugin: &mut impl Write) -> Result<(), Stop> {
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
            counted.bound(line.len() > LINE_BYTES, "a line", LINE_BYTES, "bytes")?;
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
    fn line(&mut self, line: &[u8]) -> Result<(), Stop> {
        if line.starts_with(b"-> ") {
            self.lines = 0;
            self.words += line.iter().filter(|byte| **byte == b' ').count();
        }
        self.bytes += line.len();
        self.lines += 1;
        self.bound(self.bytes > BYTES, "all", BYTES, "bytes")?;
        self.bound(self.words > HEADER_WORDS, "all", HEADER_WORDS, "words")?;
        self.bound(self.lines > STANZA_LINES, "a stanza", STANZA_LINES, "lines")
    }

    fn bound(&self, exceeded: bool, what: &str, limit: usize, of: &str) -> Result<(), Stop> {
        if !exceeded {
            return Ok(());
        }
        Err(Stop::Refused(format!("the client sent too much: {what} of more than {limit} {of}")))
    }
}

/// A line as it is handed on. Whatever the client says to a key or to an error, it was told: `fail` and
/// `unsupported` change nothing.
fn said(line: &[u8]) -> &[u8] {
    let begins =
        |answer: &[u8]| line.strip_prefix(answer).is_some_and(|rest| matches!(rest, [b' ' | b'\n', ..]));
    if begins(b"-> fail") || begins(b"-> unsupported") { b"-> ok\n" } else { line }
}
