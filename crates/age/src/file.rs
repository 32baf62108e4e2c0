//! Making and opening files, and in one sentence why that fails: programs say them all alike.
//!
//! A sentence of [`OpenError`] follows the file's name: "letter.age was not encrypted to any of these keys".

use crate::any::{AnyIdentity, AnyRecipient};
use crate::closed::ClosedFile;
use crate::header::{HEADER_BYTES, HeaderError};
use crate::passphrase::{LAST_WORK_FACTOR, Memory, memory};
use crate::programs::caught;
use age::{DecryptError, EncryptError, Encryptor};
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::sync::{Mutex, PoisonError};

/// Bytes that are read at a time: those of a chunk of the format.
pub const PIECE: usize = 1 << 16;

/// Bytes of a header beside the recipients' stanzas, at most: its first line and its last, and a stanza
/// without meaning that the crate `age` adds.
const REST_OF_HEADER: usize = 512;

/// Why a file is not made.
#[derive(Debug)]
#[non_exhaustive]
pub enum MakeError {
    /// So many recipients make a header that [`decryptor`](crate::decryptor) refuses.
    TooMany(usize),
    /// Some recipients are post-quantum, and some are not.
    Mixed,
    /// There is no recipient.
    Nobody,
    /// No passphrase has this work factor.
    WorkFactor(u8),
    /// The passphrase takes so many bytes, and the system does not give them.
    Memory(u64),
    /// The crate `age` stopped, and said this.
    Stopped(String),
}

impl fmt::Display for MakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MakeError::TooMany(count) => write!(
                f,
                "{count} recipients are too many: the header would be longer than {HEADER_BYTES} bytes, \
                 which `decrypt` refuses"
            ),
            MakeError::Mixed => f.write_str(
                "post-quantum and classical recipients cannot be mixed: the file would be as weak as the \
                 weakest",
            ),
            MakeError::Nobody => f.write_str("no recipient: name a public key"),
            MakeError::WorkFactor(factor) => {
                write!(f, "a work factor is a number from 1 to {LAST_WORK_FACTOR}, and not {factor}")
            }
            MakeError::Memory(bytes) => {
                write!(f, "a passphrase takes {}, which the system does not give", Memory(*bytes))
            }
            MakeError::Stopped(says) => write!(
                f,
                "the file's header can't be made, as where the system gives no random bytes: {says}"
            ),
        }
    }
}

impl std::error::Error for MakeError {}

impl From<EncryptError> for MakeError {
    fn from(why: EncryptError) -> Self {
        match why {
            EncryptError::IncompatibleRecipients { .. } => MakeError::Mixed,
            EncryptError::MissingRecipients => MakeError::Nobody,
            other => MakeError::Stopped(other.to_string()),
        }
    }
}

/// Held while a header is made: the hook of panics is the whole process's.
static ALONE: Mutex<()> = Mutex::new(());

/// A new file's key and header, for all recipients; one thread at a time makes one.
///
/// ```
/// use ringsmith_age::{MakeError, encryptor};
///
/// assert!(matches!(encryptor(&[]), Err(MakeError::Nobody)));
/// ```
///
/// # Errors
/// Where the recipients do not serve, or the system gives no randomness.
pub fn encryptor(recipients: &[AnyRecipient]) -> Result<Encryptor, MakeError> {
    let bytes: usize = recipients.iter().map(AnyRecipient::stanza_bytes).sum();
    if bytes > HEADER_BYTES - REST_OF_HEADER {
        return Err(MakeError::TooMany(recipients.len()));
    }
    encrypt_to(recipients.iter().map(|of| of.as_age() as &dyn age::Recipient))
}

/// The same for recipients of the crate `age`.
pub(crate) fn encrypt_to<'a>(
    recipients: impl Iterator<Item = &'a dyn age::Recipient>,
) -> Result<Encryptor, MakeError> {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(caught(|| Encryptor::with_recipients(recipients)).map_err(MakeError::Stopped)??)
}

/// Why a file is not opened, or not read to its end.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The header is longer than is read, or has too many words.
    Limit(HeaderError),
    /// It is encrypted with a passphrase.
    Passphrase,
    /// It is encrypted to keys, and no passphrase opens it.
    NoPassphrase,
    /// It has a passphrase beside other recipients, or two.
    PassphraseBeside,
    /// It is encrypted with another passphrase.
    OtherPassphrase,
    /// Its passphrase has a work factor of more than what is accepted.
    WorkFactor {
        /// What it asks for.
        factor: u64,
        /// The most that is accepted.
        most: u8,
    },
    /// Its passphrase takes so many bytes, and the system does not give them.
    Memory(u64),
    /// It was made for others.
    OtherKeys,
    /// It has another version.
    Version,
    /// It is no age file.
    NoFile,
    /// Its header was altered after it was made.
    AlteredHeader,
    /// Its header is damaged.
    DamagedHeader,
    /// It ends too early.
    CutOff,
    /// It was altered after it was made.
    Altered,
    /// The system does not give it.
    Read(io::Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OpenError::Limit(limit) => return write!(f, "has {limit}"),
            OpenError::Read(why) => return write!(f, "can't be read: {}", crate::Reason(why)),
            OpenError::WorkFactor { factor, most } => {
                let memory = Memory(memory(*factor));
                return write!(
                    f,
                    "asks for {memory} by its passphrase's work factor, which may be {most} at most"
                );
            }
            OpenError::Memory(bytes) => {
                let memory = Memory(*bytes);
                return write!(f, "takes {memory} for its passphrase, which the system does not give");
            }
            OpenError::NoPassphrase => "is encrypted to keys, not with a passphrase",
            OpenError::PassphraseBeside => "has a passphrase beside other recipients, which is not allowed",
            OpenError::OtherPassphrase => "is encrypted with another passphrase",
            OpenError::Passphrase => "is encrypted with a passphrase, not to a key",
            OpenError::OtherKeys => "was not encrypted to any of these keys",
            OpenError::Version => "is of an unknown version of the age format",
            OpenError::NoFile => "is no age file, or its header is damaged",
            OpenError::AlteredHeader => "has a header that was altered",
            OpenError::DamagedHeader => "has a damaged header",
            OpenError::CutOff => "is cut off, or no age file",
            OpenError::Altered => "was altered or is damaged",
        })
    }
}

impl std::error::Error for OpenError {}

impl From<DecryptError> for OpenError {
    fn from(why: DecryptError) -> Self {
        match why {
            DecryptError::Io(why) => why.into(),
            DecryptError::NoMatchingKeys => OpenError::OtherKeys,
            DecryptError::UnknownFormat => OpenError::Version,
            DecryptError::InvalidHeader => OpenError::NoFile,
            DecryptError::InvalidMac => OpenError::AlteredHeader,
            _ => OpenError::DamagedHeader,
        }
    }
}

impl From<HeaderError> for OpenError {
    fn from(why: HeaderError) -> Self {
        match why {
            HeaderError::Age(why) => why.into(),
            limit => OpenError::Limit(limit),
        }
    }
}

/// Why a file can't be read on: it was cut off or altered, or the system does not give it.
impl From<io::Error> for OpenError {
    fn from(why: io::Error) -> Self {
        match why.kind() {
            ErrorKind::UnexpectedEof => OpenError::CutOff,
            ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::Other => OpenError::Altered,
            _ => OpenError::Read(why),
        }
    }
}

/// What was encrypted, for who has one of these keys. Errors of its reader become an [`OpenError`] too.
///
/// ```
/// use ringsmith::Cpu;
/// use ringsmith_age::{AnyIdentity, OpenError, open};
///
/// let alice = AnyIdentity::generate_classical()?;
/// let letter = b"Dear Bob,\nthis is a letter that nobody encrypted.\n";
/// let why = open(&letter[..], &[alice]).err().unwrap();
/// assert_eq!(why.to_string(), "is no age file, or its header is damaged");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Where it is no file for these keys, or can't be read.
pub fn open<R: Read>(input: R, identities: &[AnyIdentity]) -> Result<impl Read + use<R>, OpenError> {
    ClosedFile::read(input)?.open(identities)
}
