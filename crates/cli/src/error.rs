//! What can go wrong, in one line a user can act on, and the exit code that goes with it.

use crate::file::stream::Hinted;
use crate::keys::AnyScheme;
use crate::shown::{self, escaped, excerpt};
use ringsmith::any::{ParseError, RingError};
use ringsmith::encoding::EncodingError;
use ringsmith::scheme::SchemeError;
use ringsmith::{CpuError, Route, WhyNot};
use ringsmith_age::{MakeError, OpenError, Reason};
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// Why the command ends without having done what was asked.
#[derive(Debug)]
pub(crate) enum Error {
    /// Arguments that do not fit together.
    Usage(String),
    /// No ring has this name.
    UnknownRing { name: String, near: Vec<String> },
    /// No ring has this name, and it is no ring expression.
    NoRing { text: String, near: Vec<String>, why: ParseError },
    /// There is no such ring.
    Ring { text: String, why: RingError },
    /// A ring without a name has no other route than the planner's.
    UnnamedRoute { ring: String },
    /// No route has this name.
    UnknownRoute { name: String, near: Vec<String> },
    /// The route exists, but does not serve the ring.
    RouteRefused { route: Route, ring: &'static str, why: WhyNot, instead: Vec<String> },
    /// A key exchange does not go by this route.
    ExchangeRefused { route: Route, instead: Vec<String> },
    /// `RINGSMITH_CPU` names no backend, or one that this machine lacks.
    Cpu { asked: String, why: CpuError },
    /// A file or standard input can't be read.
    Read { name: String, why: io::Error },
    /// A line is no polynomial of the ring.
    Line { name: String, line: u64, problem: Problem },
    /// An operand file without any polynomial.
    Empty { name: String },
    /// A file with more polynomials than the one of a ring.
    Second { name: String, line: u64 },
    /// One operand file ends before the other.
    Uneven { shorter: String, has: u64, longer: String, line: u64 },
    /// The output file is there already.
    Exists(PathBuf),
    /// The output can't be written.
    Write { name: String, why: io::Error },
    /// The system took the cycle counter away.
    Counter(io::Error),
    /// There is no such GPU, or it fails.
    #[cfg(feature = "cuda")]
    Gpu(ringsmith_gpu::GpuError),
    /// A batch of messages was not encrypted on it.
    #[cfg(feature = "cuda")]
    Batch(ringsmith_gpu::schemes::BatchError),
    /// A check that failed.
    Wrong(String),
    /// No scheme has this name.
    UnknownScheme { name: String, near: Vec<String> },
    /// No key exchange has this name.
    UnknownExchange { name: String, near: Vec<String> },
    /// A file of another length than a message of an exchange, or a ciphertext.
    Length { name: String, why: SchemeError },
    /// A file that can't be removed.
    Remove { name: String, why: io::Error },
    /// A file that is longer than any key, in bytes.
    TooLong { name: String, limit: usize },
    /// A file that holds no key, or not the one that is wanted.
    Key { name: String, why: EncodingError },
    /// A line of a file of keys that is none.
    KeyLine { name: String, line: usize, problem: String },
    /// A file without keys.
    NoKeys { name: String, what: &'static str },
    /// A message that is longer than a set of public-key encryption takes, in bytes.
    LongMessage { name: String, scheme: &'static str, limit: usize },
    /// A key of the other kind than the one that is wanted.
    OtherKey { name: String, scheme: &'static str, found: &'static str, wanted: &'static str },
    /// A key of a set that is taken only where it is named.
    Unnamed { name: String, scheme: &'static str },
    /// A private key in PEM or DER, of public-key encryption.
    NoPrivateForm { name: String },
    /// A scheme whose keys have neither PEM nor DER.
    NoIdentifier { scheme: &'static str },
    /// A scheme of another kind than the command is for.
    OtherUse(AnyScheme),
    /// A key of one.
    KeyOfOtherUse { name: String, scheme: AnyScheme },
    /// A private key that decrypts files in place of one that signs them.
    KeyOfFiles { name: String },
    /// A file of another length than a scheme's signatures.
    SignatureLength { name: String, given: Option<usize>, scheme: &'static str, expected: usize },
    /// A signature that was not made of a file with a key.
    Signature { file: String, signature: String },
    /// A certificate that can't be made.
    Certificate(String),
    /// A private key that does not tell its public key.
    NoPublicKey { scheme: &'static str },
    /// A scheme refuses its arguments.
    Scheme(SchemeError),
    /// A file of private keys whose protection is not opened.
    Protected { name: String, why: OpenError },
    /// There is no terminal to ask on.
    NoTerminal,
    /// The system gives no random bytes.
    Random(getrandom::Error),
    /// An encrypted file can't be made.
    Make(MakeError),
    /// What was decrypted is no text, and would go to a terminal.
    NoText,
    /// Standard output is closed, where the only copy of something would go.
    Closed,
    /// A secret that serves once has another name.
    Linked { name: String },
    /// Binary data would go to a terminal.
    Terminal { what: &'static str },
}

/// What is wrong with a line of a polynomial file. Indices and columns count from 1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// Longer than the limit, in bytes.
    TooLong { limit: usize },
    /// No text from this byte on.
    NotUtf8 { column: usize },
    /// Not as many coefficients as the ring has.
    Count { expected: usize, given: usize },
    /// Something else than a decimal number.
    NotANumber { index: usize, column: usize, text: String, low: i64, high: i64 },
    /// A number that represents no coefficient.
    OutOfRange { index: usize, column: usize, text: String, low: i64, high: i64 },
}

/// The reader of our output is gone: nobody is left to tell, so the command ends quietly, as by SIGPIPE
/// (128 + 13).
const CLOSED_PIPE: u8 = 141;

impl Error {
    /// The exit code: 1 where a check failed, as that of a ciphertext, 2 for anything that was asked wrongly
    /// or can't be read or written.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Error::Wrong(_) | Error::Scheme(SchemeError::Decryption) => 1,
            Error::Signature { .. } | Error::SignatureLength { .. } => 1,
            #[cfg(feature = "cuda")]
            Error::Gpu(ringsmith_gpu::GpuError::Wrong { .. })
            | Error::Batch(ringsmith_gpu::schemes::BatchError::Gpu(ringsmith_gpu::GpuError::Wrong {
                ..
            })) => 1,
            _ if self.is_closed_pipe() => CLOSED_PIPE,
            _ => 2,
        }
    }

    /// What is shown below the message: where an expression can't be read, in a line under it.
    pub(crate) fn picture(&self) -> Vec<String> {
        match self {
            Error::NoRing { text, why, .. } => why.picture(text, escaped).into(),
            _ => Vec::new(),
        }
    }

    /// Whether whoever read our output has stopped reading, as `head` does.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Error::Write { why, .. } if why.kind() == ErrorKind::BrokenPipe)
    }
}

impl From<SchemeError> for Error {
    fn from(why: SchemeError) -> Self {
        Error::Scheme(why)
    }
}

impl From<MakeError> for Error {
    fn from(why: MakeError) -> Self {
        Error::Make(why)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(message) | Error::Wrong(message) => f.write_str(message),
            Error::UnknownRing { name, near } => unknown(f, "ring", "rings", name, near),
            Error::NoRing { text, near, why } if why.is_name() => unknown(f, "ring", "rings", text, near),
            Error::NoRing { text, near, .. } => {
                write!(f, "'{}' is no ring", excerpt(text))?;
                if near.is_empty() { Ok(()) } else { f.write_str("; ").and_then(|()| offer(f, near)) }
            }
            Error::Ring { text, why } => write!(f, "{}: {why}", excerpt(text)),
            Error::UnnamedRoute { ring } => write!(
                f,
                "{} has no name here, and no route but the planner's: leave --route out",
                excerpt(ring)
            ),
            Error::UnknownRoute { name, near } => unknown(f, "route", "rings", name, near),
            Error::UnknownScheme { name, near } => unknown(f, "scheme", "schemes", name, near),
            Error::UnknownExchange { name, near } => {
                unknown(f, "key exchange", "exchange --help", name, near)
            }
            Error::RouteRefused { route, ring, why, instead } => {
                write!(f, "route {route} does not serve {ring}: {why}; it has: {}", instead.join(", "))
            }
            Error::ExchangeRefused { route, instead } => {
                write!(f, "route {route} does not serve the exchange; it has: {}", instead.join(", "))
            }
            Error::Cpu { asked, why } => write!(f, "RINGSMITH_CPU={asked}: {why}"),
            Error::Read { name, why } => write!(f, "cannot read {name}: {}", Reason(why)),
            Error::Line { name, line, problem } => write!(f, "{name}, line {line}: {problem}"),
            Error::Empty { name } => write!(f, "{name} holds no polynomial"),
            Error::Second { name, line } => {
                write!(f, "{name} has a second polynomial, at line {line}, where a ring has one")
            }
            Error::Uneven { shorter, has, longer, line } => {
                let s = if *has == 1 { "" } else { "s" };
                write!(
                    f,
                    "{shorter} ends after {has} polynomial{s}, but {longer} has another one at line {line}"
                )
            }
            Error::Counter(why) => write!(f, "cannot count cycles: {}", Reason(why)),
            #[cfg(feature = "cuda")]
            Error::Gpu(why) => why.fmt(f),
            #[cfg(feature = "cuda")]
            Error::Batch(why) => why.fmt(f),
            Error::Exists(path) => write!(f, "{} exists already, and is not overwritten", shown::name(path)),
            Error::Write { name, why } => write!(f, "cannot write {name}: {}", Reason(why)),
            Error::TooLong { name, limit } => {
                write!(f, "{name} is longer than {limit} bytes, the most that it may have")
            }
            Error::Length { name, why } => write!(f, "{name}: {why}"),
            Error::Remove { name, why } => write!(f, "cannot remove {name}: {}", Reason(why)),
            Error::Key { name, why } => write!(f, "{name}: {why}"),
            Error::KeyLine { name, line, problem } => write!(f, "{name}, line {line}: {problem}"),
            Error::NoKeys { name, what } => write!(f, "{name} holds no {what}"),
            Error::LongMessage { name, scheme, limit } => write!(
                f,
                "{name} is longer than {limit} bytes, the most that a message to a key of {scheme} may have: \
                 `ringsmith encrypt` takes files of any length"
            ),
            Error::OtherKey { name, scheme, found, wanted } => {
                write!(f, "{name} is a {found} of {scheme}, and not a {wanted}")
            }
            Error::Unnamed { name, scheme } => write!(
                f,
                "{name} may be a key of {scheme}, which is taken only where it is named: \
                 add --scheme {scheme}"
            ),
            Error::NoPrivateForm { name } => {
                write!(f, "{name}: private keys of public-key encryption are raw bytes, not PEM or DER")
            }
            Error::NoIdentifier { scheme } => {
                write!(f, "{scheme} has no object identifier, so its keys are raw bytes: add --format raw")
            }
            Error::OtherUse(scheme) => write!(f, "{}", Use(*scheme)),
            Error::KeyOfOtherUse { name, scheme } => write!(f, "{name}: {}", Use(*scheme)),
            Error::KeyOfFiles { name } => write!(
                f,
                "{name} holds keys that decrypt files: `ringsmith keygen --kind ml-dsa-65` makes one that \
                 signs"
            ),
            Error::SignatureLength { name, given, scheme, expected } => match given {
                Some(given) => {
                    write!(f, "{name}: {given} bytes, where a signature of {scheme} has {expected}")
                }
                None => {
                    write!(f, "{name} is longer than a signature of {scheme}, which has {expected} bytes")
                }
            },
            Error::Signature { file, signature } => write!(
                f,
                "{signature} is no signature of {file} by this key: one of them was altered, or the key or \
                 the context is another"
            ),
            Error::Certificate(why) => write!(f, "the certificate can't be made: {why}"),
            Error::NoPublicKey { scheme } => {
                write!(
                    f,
                    "a private key of {scheme} does not tell its public key: keep both when they are made"
                )
            }
            Error::Scheme(why) => why.fmt(f),
            Error::Protected { name, why } => write!(f, "{name} {}", Hinted(why)),
            Error::NoTerminal => f.write_str(
                "there is no terminal to ask for a passphrase on: name a file that holds it with \
                 --passphrase-file",
            ),
            Error::Random(why) => {
                f.write_str("the system gives no random bytes: ")?;
                match why.raw_os_error() {
                    Some(code) => Reason(&io::Error::from_raw_os_error(code)).fmt(f),
                    None => why.fmt(f),
                }
            }
            Error::Make(MakeError::Nobody) => {
                f.write_str("no recipient: name a public key with -r, or a file of them with -R")
            }
            Error::Make(why) => why.fmt(f),
            Error::NoText => f.write_str(
                "what is decrypted is no text, or has controls in it, and is not for a terminal: \
                 name a file with -o, or use a pipe",
            ),
            Error::Closed => f.write_str(
                "standard output is closed, and the only copy would be lost: \
                 name a file with -o, or use a pipe",
            ),
            Error::Linked { name } => {
                write!(f, "{name} is a link, or has another name: the secret would stay when it is removed")
            }
            Error::Terminal { what } => {
                write!(f, "{what} in binary is not for a terminal: name a file with -o, or use a pipe")
            }
        }
    }
}

/// What a scheme does, and the command for it.
struct Use(AnyScheme);

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (does, command) = self.0.use_of();
        write!(f, "{} {does}: use `ringsmith {command}`", self.0.facts().0)
    }
}

/// `no ring 'foo'`, and the near names or where to find them.
fn unknown(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    command: &str,
    name: &str,
    near: &[String],
) -> fmt::Result {
    write!(f, "no {what} is named '{}'; ", excerpt(name))?;
    if near.is_empty() { write!(f, "`ringsmith {command}` lists them") } else { offer(f, near) }
}

/// The near names, as a question.
fn offer(f: &mut fmt::Formatter<'_>, near: &[String]) -> fmt::Result {
    match near {
        [] => Ok(()),
        [one] => write!(f, "did you mean {one}?"),
        [most @ .., last] => write!(f, "did you mean {} or {last}?", most.join(", ")),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::TooLong { limit } => {
                write!(f, "longer than {limit} bytes, the most that a line may have")
            }
            Problem::NotUtf8 { column } => write!(f, "byte {column} is not UTF-8 text"),
            Problem::Count { expected, given } => {
                let s = if *given == 1 { "" } else { "s" };
                write!(f, "{given} coefficient{s}, where the ring has {expected}")
            }
            Problem::NotANumber { index, column, text, low, high } => {
                write!(
                    f,
                    "coefficient {index} (column {column}), '{text}', is no number; accepted: {low} to {high}"
                )
            }
            Problem::OutOfRange { index, column, text, low, high } => {
                write!(
                    f,
                    "coefficient {index} (column {column}), {text}, is out of range; \
                     accepted: {low} to {high}"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: scripts can tell a failed check (1) from a bad request (2) and from a reader that left.
    #[test]
    fn exit_codes() {
        assert_eq!(Error::Wrong(String::new()).exit_code(), 1);
        assert_eq!(Error::from(SchemeError::Decryption).exit_code(), 1);
        let (file, signature) = (String::new(), String::new());
        assert_eq!(Error::Signature { file, signature }.exit_code(), 1);
        assert_eq!(Error::from(SchemeError::InvalidKey).exit_code(), 2);
        assert_eq!(Error::Empty { name: String::new() }.exit_code(), 2);
        let closed = Error::Write { name: String::new(), why: ErrorKind::BrokenPipe.into() };
        assert_eq!(closed.exit_code(), 141);
    }
}
