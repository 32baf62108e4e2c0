//! `ringsmith sign`, `verify`, `certificate`: signatures of files, of any length, by the schemes of the list.
//!
//! A signature is the bytes of its standard and nothing else, so that other programs verify it. A file is
//! hashed as it is read: memory is that of a piece. Nothing is written unless all is well.

mod certificate;
pub(crate) mod keys;
mod sign;
mod subject;
mod verify;

pub(crate) use certificate::{Certificate, CertificateFile};
pub(crate) use sign::Sign;
pub(crate) use verify::Verify;

use crate::error::Error;
use crate::file::input::{Input, copy};
use ringsmith::Cpu;
use ringsmith::scheme::SignatureScheme;
use ringsmith::signature::{Context, Mu};

/// What a user names as a context.
fn context(text: Option<&str>) -> Result<Context<'_>, Error> {
    Context::new(text.unwrap_or_default().as_bytes()).map_err(|why| Error::Usage(format!("--context: {why}")))
}

/// What is signed of a file, with this public key.
fn hashed(
    cpu: Cpu,
    scheme: &SignatureScheme,
    public: &[u8],
    context: Context<'_>,
    input: Input,
) -> Result<Mu, Error> {
    let mut message = (scheme.message)(cpu, public, context)?;
    let Input { name, mut reader, length } = input;
    let read_error = |why| Error::Read { name: name.clone(), why };
    copy(&mut reader, length, read_error, |piece| {
        message.update(piece);
        Ok(())
    })?;
    Ok(message.finish())
}
