//! From an input to an output, through the format.

use super::input::{Input, PIECE, copy};
use super::keys::{AnyIdentity, AnyRecipient};
use crate::error::Error;
use crate::output::Output;
use crate::shown::Text;
use age::armor::{ArmoredWriter, Format};
use age::{DecryptError, EncryptError, Encryptor};
use ringsmith_age::{HEADER_BYTES, HeaderError, caught, decryptor};
use std::cell::Cell;
use std::io::{self, BufReader, ErrorKind, Write};
use std::rc::Rc;

/// A new file's key and header, for all recipients.
pub(crate) fn encryptor(recipients: &[AnyRecipient]) -> Result<Encryptor, Error> {
    let bytes: usize = recipients.iter().map(AnyRecipient::stanza_bytes).sum();
    if bytes > HEADER_BYTES - REST_OF_HEADER {
        return Err(Error::Usage(format!(
            "{} recipients are too many: the header would be longer than {HEADER_BYTES} bytes, \
             which `decrypt` refuses",
            recipients.len()
        )));
    }
    let made = caught(|| Encryptor::with_recipients(recipients.iter().map(AnyRecipient::as_age)));
    made.map_err(Error::Stopped)?.map_err(|why| match why {
        EncryptError::IncompatibleRecipients { .. } => Error::Usage(
            "post-quantum and classical recipients cannot be mixed: the file would be as weak as the weakest"
                .into(),
        ),
        EncryptError::MissingRecipients => {
            Error::Usage("no recipient: name a public key with -r, or a file of them with -R".into())
        }
        other => Error::Stopped(other.to_string()),
    })
}

/// Bytes of a header beside the recipients' stanzas, at most: its first line and its last, and a stanza
/// without meaning that the crate `age` adds.
const REST_OF_HEADER: usize = 512;

/// Encrypts all of an input.
pub(crate) fn encrypt(
    encryptor: Encryptor,
    mut input: Input,
    output: Output,
    format: Format,
) -> Result<(), Error> {
    let name = output.name();
    let sink = Sink { output, failure: Rc::default() };
    let failure = sink.failure.clone();
    let write_error = |why| Error::Write { name: name.clone(), why: failure.take().unwrap_or(why) };
    let start = |sink| encryptor.wrap_output(ArmoredWriter::wrap_output(sink, format)?);
    let mut writer = start(sink).map_err(write_error)?;
    let read_error = |why| Error::Read { name: input.name.clone(), why };
    copy(&mut input.reader, input.length, read_error, |piece| writer.write_all(piece).map_err(write_error))?;
    let sink = writer.finish().and_then(ArmoredWriter::finish).map_err(write_error)?;
    sink.output.finish()
}

/// Decrypts an input; the output is opened when the input's header is accepted.
pub(crate) fn decrypt(
    identities: &[AnyIdentity],
    input: Input,
    output: impl FnOnce() -> Result<Output, Error>,
) -> Result<(), Error> {
    let name = input.name;
    let decryptor = decryptor(BufReader::with_capacity(PIECE, input.reader)).map_err(|why| match why {
        HeaderError::Age(why) => refused(&name, why),
        limit => Error::Wrong(format!("{name} has {limit}")),
    })?;
    if decryptor.is_scrypt() {
        return Err(Error::Wrong(format!("{name} is encrypted with a passphrase, not to a key")));
    }
    let mut reader =
        decryptor.decrypt(identities.iter().map(AnyIdentity::as_age)).map_err(|why| refused(&name, why))?;
    let mut output = output()?;
    let mut text = output.is_terminal().then(Text::default);
    let write = |piece: &[u8]| {
        if text.as_mut().is_some_and(|text| !text.goes_on(piece)) {
            return Err(Error::NoText);
        }
        output.write(piece)
    };
    copy(&mut reader, None, |why| broken(&name, why), write)?;
    output.finish()
}

/// Why a file's header is not accepted.
fn refused(name: &str, why: DecryptError) -> Error {
    let says = match why {
        DecryptError::Io(why) => return broken(name, why),
        DecryptError::NoMatchingKeys => "was not encrypted to any of these keys",
        DecryptError::UnknownFormat => "is of an unknown version of the age format",
        DecryptError::InvalidHeader => "is no age file, or its header is damaged",
        DecryptError::InvalidMac => "has a header that was altered",
        _ => "has a damaged header",
    };
    Error::Wrong(format!("{name} {says}"))
}

/// Why a file can't be read on: it was cut off or altered, or the system does not give it.
fn broken(name: &str, why: io::Error) -> Error {
    match why.kind() {
        ErrorKind::UnexpectedEof => Error::Wrong(format!("{name} is cut off, or no age file")),
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::Other => {
            Error::Wrong(format!("{name} was altered or is damaged"))
        }
        _ => Error::Read { name: name.into(), why },
    }
}

/// An output that keeps why it failed: on their way through the format's writers, some errors lose their
/// kind.
struct Sink {
    output: Output,
    failure: Rc<Cell<Option<io::Error>>>,
}

impl Sink {
    fn keep<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|why| {
            let kind = why.kind();
            self.failure.set(Some(why));
            kind.into()
        })
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = Write::write(&mut self.output, bytes);
        self.keep(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.output.flush();
        self.keep(flushed)
    }
}
