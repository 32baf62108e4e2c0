//! From an input to an output, through the format.

use super::input::{Input, copy};
use super::passphrase::Opening;
use crate::error::Error;
use crate::output::Output;
use crate::shown::Text;
use age::Encryptor;
use age::armor::{ArmoredWriter, Format};
use ringsmith_age::{AnyIdentity, ClosedFile, LAST_WORK_FACTOR, OpenError};
use std::cell::Cell;
use std::fmt;
use std::io::{self, Read, Write};
use std::rc::Rc;

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

/// Who decrypts.
#[derive(Clone, Copy)]
pub(crate) enum By<'a> {
    /// Whoever has one of these keys.
    Keys(&'a [AnyIdentity]),
    /// Whoever knows the passphrase, which is asked for.
    Passphrase(&'a Opening),
}

impl By<'_> {
    /// What was encrypted.
    fn open(self, name: &str, input: impl Read + 'static) -> Result<Box<dyn Read>, Error> {
        let refused = |why| not_opened(name, why);
        let closed = ClosedFile::read(input).map_err(refused)?;
        match self {
            By::Keys(keys) => Ok(Box::new(closed.open(keys).map_err(refused)?)),
            By::Passphrase(_) if closed.recipients().work_factor().is_none() => {
                Err(Error::Usage(format!("{name} is encrypted to keys: name a file of private keys with -i")))
            }
            By::Passphrase(opening) => {
                let most = opening.max_work_factor;
                closed.recipients().passphrase_within(most).map_err(refused)?;
                let passphrase = opening.source.to_open(name)?;
                Ok(Box::new(closed.open_with(&passphrase, most).map_err(refused)?))
            }
        }
    }
}

/// Decrypts an input; the output is opened when the input's header is accepted.
pub(crate) fn decrypt(
    by: By,
    input: Input,
    output: impl FnOnce() -> Result<Output, Error>,
) -> Result<(), Error> {
    let name = input.name;
    let refused = |why| not_opened(&name, why);
    let mut reader = by.open(&name, input.reader)?;
    let mut output = output()?;
    let mut text = output.is_terminal().then(Text::default);
    let write = |piece: &[u8]| {
        if text.as_mut().is_some_and(|text| !text.goes_on(piece)) {
            return Err(Error::NoText);
        }
        output.write(piece)
    };
    copy(&mut reader, None, |why| refused(why.into()), write)?;
    output.finish()
}

/// Why a file is not decrypted: what it is, or that the system does not give it.
pub(crate) fn not_opened(name: &str, why: OpenError) -> Error {
    match why {
        OpenError::Read(why) => Error::Read { name: name.into(), why },
        why => Error::Wrong(format!("{name} {}", Hinted(&why))),
    }
}

/// What is to be done, behind the reason.
pub(crate) struct Hinted<'a>(pub(crate) &'a OpenError);

impl fmt::Display for Hinted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)?;
        match self.0 {
            OpenError::Passphrase => f.write_str(": leave -i out, and it is asked for"),
            OpenError::WorkFactor { factor, .. } if *factor <= u64::from(LAST_WORK_FACTOR) => {
                write!(f, ": --max-work-factor {factor} accepts it")
            }
            _ => Ok(()),
        }
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
