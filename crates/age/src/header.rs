//! Reading a file's header in bounded time and memory.
//!
//! The parser of the crate `age` takes a header line by line, and begins anew after each line: a header of
//! `n` lines costs `n^2`, and nothing bounds a line or their number. So the header is read here, within
//! limits, and handed to the parser in one piece.
//!
//! # What it does not do
//! It does not judge: whether a header is well-formed is for the parser to say. It looks for line ends, for
//! the line that begins with `---`, with which a header ends, and counts words.

use age::armor::ArmoredReader;
use age::{DecryptError, Decryptor};
use std::fmt;
use std::io::{self, BufRead, ErrorKind, Read};

/// The most bytes of a line: of a header, or of a file that is text.
pub const LINE_BYTES: usize = 1 << 16;
/// The most bytes of a header: some 1,300 recipients of [`MlKem768X25519`](crate::Kind), 20,000 of X25519.
pub const HEADER_BYTES: usize = 1 << 21;
/// The most words of a header, types of stanzas and their arguments together: each is a string in memory.
pub const HEADER_WORDS: usize = 1 << 17;

/// What a file of the only version begins with.
const FIRST_LINE: &[u8] = b"age-encryption.org/v1\n";
/// What the last line of a header begins with.
const LAST_LINE: &[u8] = b"---";
/// What the first line of a stanza begins with.
const STANZA: &[u8] = b"->";

/// What comes after a header, where nothing is read of it: the parser takes as many bytes.
pub(crate) const NONCE: &[u8] = &[0; 16];

/// A file's header is not accepted.
#[derive(Debug)]
#[non_exhaustive]
pub enum HeaderError {
    /// A line is longer than [`LINE_BYTES`].
    LongLine,
    /// The header is longer than [`HEADER_BYTES`].
    TooLong,
    /// There are more words than [`HEADER_WORDS`].
    TooManyWords,
    /// The parser refuses it, or it can't be read.
    Age(DecryptError),
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeaderError::LongLine => write!(f, "a header with a line of more than {LINE_BYTES} bytes"),
            HeaderError::TooLong => write!(f, "a header of more than {HEADER_BYTES} bytes"),
            HeaderError::TooManyWords => {
                write!(f, "a header whose stanzas have more than {HEADER_WORDS} words")
            }
            HeaderError::Age(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for HeaderError {}

impl From<io::Error> for HeaderError {
    fn from(why: io::Error) -> Self {
        HeaderError::Age(DecryptError::Io(why))
    }
}

/// What [`Decryptor::new_buffered`] gives, for a binary file or for text (ASCII armor), in a time
/// proportional to the header's length, and in memory of a few times that. Reads in pieces of some kilobytes.
///
/// ```
/// use ringsmith_age::{HeaderError, decryptor};
///
/// let foreign = "-> someone\n\n".repeat(200_000);
/// let file = format!("age-encryption.org/v1\n{foreign}--- {}\n", "A".repeat(43));
/// assert!(matches!(decryptor(file.as_bytes()), Err(HeaderError::TooManyWords)));
/// ```
///
/// # Errors
/// Where the header is beyond a limit, is malformed or can't be read.
pub fn decryptor<R: Read>(input: R) -> Result<Decryptor<impl BufRead + use<R>>, HeaderError> {
    let (header, rest) = split(input)?;
    parse(header, rest)
}

/// A file's header, and what comes after it. The header is within the limits; more is not known of it.
pub(crate) fn split<R: Read>(input: R) -> Result<(Vec<u8>, impl BufRead + use<R>), HeaderError> {
    let mut rest = ArmoredReader::new(BoundedLines::new(input));
    Ok((read(&mut rest)?, rest))
}

/// What the parser makes of a header and what comes after it.
pub(crate) fn parse<R: BufRead>(
    header: Vec<u8>,
    rest: R,
) -> Result<Decryptor<impl BufRead + use<R>>, HeaderError> {
    let of_version_1 = header.starts_with(FIRST_LINE);
    Decryptor::new_buffered(Headed { header, read: 0, rest }).map_err(|why| match why {
        // What the parser can't read as version 1 it takes for another.
        DecryptError::UnknownFormat if of_version_1 => HeaderError::Age(DecryptError::InvalidHeader),
        why => HeaderError::Age(why),
    })
}

/// Whether a header's form is right, before what comes after it is read.
pub(crate) fn check(header: &[u8]) -> Result<(), HeaderError> {
    parse(header.to_vec(), NONCE).map(drop)
}

/// The words of a header's stanzas, each after its `->`.
pub(crate) fn stanzas(header: &[u8]) -> impl Iterator<Item = &str> {
    let lines = header.split(|byte| *byte == b'\n');
    let words = lines.filter_map(|line| str::from_utf8(line.strip_prefix(STANZA)?).ok());
    words.map(str::trim_start)
}

/// The header, up to its last line, or to the end of the file; of other versions and of files of other kinds
/// the first line.
fn read(input: &mut impl BufRead) -> Result<Vec<u8>, HeaderError> {
    let (mut header, mut words) = (Vec::new(), 0);
    loop {
        let line = header.len();
        let read = input.by_ref().take(LINE_BYTES as u64 + 1).read_until(b'\n', &mut header)?;
        if read > LINE_BYTES {
            return Err(HeaderError::LongLine);
        }
        if header.len() > HEADER_BYTES {
            return Err(HeaderError::TooLong);
        }
        let text = &header[line..];
        if text.starts_with(STANZA) {
            words += text.iter().filter(|byte| **byte == b' ').count();
            if words > HEADER_WORDS {
                return Err(HeaderError::TooManyWords);
            }
        }
        if read == 0 || text.starts_with(LAST_LINE) || !header.starts_with(FIRST_LINE) {
            return Ok(header);
        }
    }
}

/// A file whose header was read before. The header counts as one line, and nothing behind it as any: a parser
/// that asks for a line has all of it, and one that asks for more has a header that is cut off.
struct Headed<R> {
    header: Vec<u8>,
    /// How many bytes of it were handed on.
    read: usize,
    rest: R,
}

impl<R: BufRead> Read for Headed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.read == self.header.len() {
            return self.rest.read(bytes);
        }
        let read = (&self.header[self.read..]).read(bytes)?;
        self.read += read;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Headed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.header.len() { self.rest.fill_buf() } else { Ok(&self.header[self.read..]) }
    }

    fn consume(&mut self, count: usize) {
        if self.read == self.header.len() { self.rest.consume(count) } else { self.read += count }
    }

    fn read_until(&mut self, _: u8, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let left = &self.header[self.read..];
        bytes.extend_from_slice(left);
        self.read = self.header.len();
        Ok(left.len())
    }
}

/// A file that is text, which begins with a hyphen, has no line longer than [`LINE_BYTES`]; the parser of
/// armor takes any. Other files are handed on.
struct BoundedLines<R> {
    input: R,
    /// Whether the file is text, once its first byte is known.
    is_text: Option<bool>,
    /// How many bytes of the last line there were.
    line: usize,
}

impl<R> BoundedLines<R> {
    fn new(input: R) -> Self {
        BoundedLines { input, is_text: None, line: 0 }
    }
}

impl<R: Read> Read for BoundedLines<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(bytes)?;
        let bytes = &bytes[..count];
        self.is_text = self.is_text.or(bytes.first().map(|first| *first == b'-'));
        if self.is_text == Some(true) {
            self.line = match bytes.iter().rposition(|byte| *byte == b'\n') {
                Some(end) => count - end - 1,
                None => self.line + count,
            };
            if self.line > LINE_BYTES {
                return Err(ErrorKind::InvalidData.into());
            }
        }
        Ok(count)
    }
}
