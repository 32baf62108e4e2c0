//! Reading whole files in pieces, with progress.

use crate::error::Error;
use crate::progress::Progress;
use crate::shown;
use ringsmith_age::PIECE;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes after which the progress is shown again.
const STEP: u64 = 1 << 24;

/// A file that is read, or standard input.
pub(crate) struct Input {
    /// What messages call it.
    pub(crate) name: String,
    /// Its bytes.
    pub(crate) reader: Box<dyn Read>,
    /// How many there are, where that is known.
    pub(crate) length: Option<u64>,
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        if path == Path::new("-") {
            return Ok(Input {
                name: "standard input".into(),
                reader: Box::new(io::stdin().lock()),
                length: None,
            });
        }
        let name = shown::name(path);
        let opened = File::open(path).and_then(|file| {
            let metadata = file.metadata()?;
            if metadata.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok((file, metadata)) }
        });
        match opened {
            Ok((file, metadata)) => Ok(Input {
                name,
                reader: Box::new(file),
                length: metadata.is_file().then_some(metadata.len()),
            }),
            Err(why) => Err(Error::Read { name, why }),
        }
    }
}

/// Hands all bytes of a reader on, a piece at a time. Memory of the pieces is cleared in the end.
pub(crate) fn copy(
    reader: &mut dyn Read,
    length: Option<u64>,
    read_error: impl Fn(io::Error) -> Error,
    mut write: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut piece = zeroize::Zeroizing::new(vec![0; PIECE]);
    let (progress, mut done, mut shown) = (Progress::new(), 0, 0);
    let copied = loop {
        let count = match fill(reader, &mut piece) {
            Ok(0) => break Ok(()),
            Ok(count) => count,
            Err(why) => break Err(read_error(why)),
        };
        if let Err(error) = write(&piece[..count]) {
            break Err(error);
        }
        done += count as u64;
        if done - shown >= STEP {
            shown = done;
            progress.show(&text(done, length));
        }
    };
    progress.clear();
    copied
}

/// Reads until the piece is full, or the end.
fn fill(reader: &mut dyn Read, piece: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < piece.len() {
        match reader.read(&mut piece[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
            Err(why) if filled == 0 => return Err(why),
            // What came before the failure is handed on; the reader will fail again.
            Err(_) => break,
        }
    }
    Ok(filled)
}

/// How far it is.
fn text(done: u64, length: Option<u64>) -> String {
    let mebibytes = |bytes: u64| bytes >> 20;
    match length {
        Some(length) if length >= done => {
            format!(
                "{} of {} MiB ({}%)",
                mebibytes(done),
                mebibytes(length),
                (100 * done).checked_div(length).unwrap_or(100)
            )
        }
        _ => format!("{} MiB", mebibytes(done)),
    }
}
