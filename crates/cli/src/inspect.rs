//! `ringsmith inspect`: what a file is, without a word of what is secret in it.

use crate::error::Error;
use crate::keys;
use crate::lookup::cpu;
use crate::output::print;
use clap::{Args, ValueHint};
use ringsmith::Cpu;
use ringsmith::encoding::{self, EncodingError};
use ringsmith::hash::Sha3_256;
use ringsmith::scheme::{ALL, Scheme};
use std::fmt::Write;
use std::path::PathBuf;

/// Which file.
#[derive(Args)]
pub(crate) struct Inspect {
    /// The scheme, where a raw key's length does not say it
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// A key or a ciphertext: PEM, DER or raw; - is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
}

/// Runs the command.
pub(crate) fn run(args: &Inspect) -> Result<(), Error> {
    let expected = args.scheme.as_deref().map(keys::scheme).transpose()?;
    let (name, bytes) = keys::read(&args.file)?;
    let text = describe(cpu()?, &bytes, expected).map_err(|why| Error::Key { name: name.clone(), why })?;
    print(format!("{name}: {text}").as_bytes())
}

/// What the bytes are.
fn describe(cpu: Cpu, bytes: &[u8], expected: Option<&'static Scheme>) -> Result<String, EncodingError> {
    let private = match encoding::read_private_key(cpu, bytes, expected) {
        Ok(key) => {
            let form = match (&key.seed, &key.scheme.seed) {
                (Some(_), _) => "private key, with its seed",
                (None, Some(_)) => "private key, expanded, without its seed",
                (None, None) => "private key",
            };
            let public = key.scheme.public_key_of.map(|public_key_of| {
                let mut public = vec![0; key.scheme.public_key];
                public_key_of(cpu, &key.bytes, &mut public).map(|()| public)
            });
            return Ok(key_text(cpu, key.scheme, form, bytes, public.transpose()?.as_deref()));
        }
        Err(why) => why,
    };
    let public = match encoding::read_public_key(cpu, bytes, expected) {
        Ok(key) => return Ok(key_text(cpu, key.scheme, "public key", bytes, Some(&key.bytes))),
        Err(why) => why,
    };
    // The bytes may be a ciphertext only where they have no form of a key.
    let unrecognised = |why: &EncodingError| matches!(why, EncodingError::Unrecognised { .. });
    let of = |scheme: &&&Scheme| expected.is_none_or(|expected| expected.name == scheme.name);
    let ciphertext = ALL.iter().filter(of).find(|scheme| scheme.ciphertext == bytes.len());
    match ciphertext {
        Some(scheme) if unrecognised(&private) && unrecognised(&public) => {
            Ok(format!("{} bytes, as many as a ciphertext of {} has\n", bytes.len(), scheme.name))
        }
        // What was recognised as one kind of key says best what is wrong with it.
        _ => Err(if says_more(&private) { private } else { public }),
    }
}

/// Whether a private key's error is about a private key.
fn says_more(why: &EncodingError) -> bool {
    !matches!(
        why,
        EncodingError::Unrecognised { .. } | EncodingError::Label { .. } | EncodingError::Malformed
    )
}

fn key_text(cpu: Cpu, scheme: &Scheme, kind: &str, bytes: &[u8], public: Option<&[u8]>) -> String {
    let fingerprint = public.map_or("the private key does not tell it".into(), |public| {
        let digest: [u8; 32] = Sha3_256::new(cpu).absorb(public).digest();
        digest.iter().fold(String::new(), |mut text, byte| {
            // Writing to a string can't fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    });
    let encoding = match bytes {
        _ if bytes.trim_ascii_start().starts_with(b"-----BEGIN ") => "PEM",
        _ if kind.starts_with("public") && bytes.len() == scheme.public_key => "raw",
        _ if bytes.len() == scheme.private_key => "raw",
        _ if scheme.seed.as_ref().is_some_and(|seed| seed.bytes == bytes.len()) => "raw",
        _ => "DER",
    };
    format!(
        "{} {kind} ({encoding}), {}\n  all checks of {} passed\n  SHA3-256 of the public key: {fingerprint}\n",
        scheme.name, scheme.status, scheme.source
    )
}
