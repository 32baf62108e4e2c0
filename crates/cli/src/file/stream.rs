//! From an input to an output, through the format.

use super::input::{Input, PIECE, copy};
use super::keys::{AnyIdentity, AnyRecipient};
use crate::error::Error;
use crate::output::Output;
use age::armor::{ArmoredReader, ArmoredWriter, Format};
use age::{DecryptError, Decryptor, EncryptError, Encryptor};
use std::cell::Cell;
use std::io::{self, BufReader, ErrorKind, Write};
use std::rc::Rc;

/// A new file's key and header, for all recipients.
pub(crate) fn encryptor(recipients: &[AnyRecipient]) -> Result<Encryptor, Error> {
    Encryptor::with_recipients(recipients.iter().map(AnyRecipient::as_age)).map_err(|why| match why {
        EncryptError::IncompatibleRecipients { .. } => Error::Usage(
            "post-quantum and classical recipients cannot be mixed: the file would be as weak as the weakest"
                .into(),
        ),
        EncryptError::MissingRecipients => {
            Error::Usage("no recipient: name a public key with -r, or a file of them with -R".into())
        }
        other => Error::Read { name: "the system's randomness".into(), why: io::Error::other(other) },
    })
}

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
    let reader = ArmoredReader::new(BufReader::with_capacity(PIECE, input.reader));
    let refused = |why| refused(&name, why);
    let decryptor = Decryptor::new_buffered(reader).map_err(refused)?;
    if decryptor.is_scrypt() {
        return Err(Error::Wrong(format!("{name} is encrypted with a passphrase, not to a key")));
    }
    let mut reader = decryptor.decrypt(identities.iter().map(AnyIdentity::as_age)).map_err(refused)?;
    let mut output = output()?;
    copy(&mut reader, None, |why| broken(&name, why), |piece| output.write(piece))?;
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
