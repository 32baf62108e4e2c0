//! A file that is not opened yet: what its header tells everybody.

use crate::any::AnyIdentity;
use crate::file::{OpenError, PIECE};
use crate::header::{NONCE, check, parse, split, stanzas};
use crate::passphrase::{self, Passphrase};
use age::DecryptError;
use age_core::format::{FileKey, Stanza};
use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};

/// Types of stanzas that are told apart; more are counted together.
const TYPES: usize = 16;
/// What types of stanzas end with that are nobody's: they are there so that readers take types that they
/// don't know.
const NO_RECIPIENT: &str = "-grease";
/// Bytes of the nonce, and those that a chunk has more than its plaintext.
const OVERHEAD: u64 = 16;

/// A file whose header was read, within limits, and is well-formed.
///
/// ```
/// use ringsmith_age::{AnyIdentity, ClosedFile, encryptor};
/// use std::io::Write;
///
/// let alice = AnyIdentity::generate_classical()?;
/// let (mut file, encryptor) = (Vec::new(), encryptor(&[alice.to_recipient()])?);
/// let mut writer = encryptor.wrap_output(&mut file)?;
/// writer.write_all(b"a letter")?;
/// writer.finish()?;
///
/// let closed = ClosedFile::read(&file[..])?;
/// assert_eq!(closed.recipients().types().next(), Some(("X25519", 1)));
/// assert_eq!(closed.contents_bytes()?, 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ClosedFile<R> {
    header: Vec<u8>,
    rest: R,
    recipients: Recipients,
}

impl ClosedFile<()> {
    /// Reads a header, of a binary file or of text.
    ///
    /// # Errors
    /// Where the header is beyond a limit, is malformed or can't be read.
    pub fn read<R: Read>(input: R) -> Result<ClosedFile<impl BufRead + use<R>>, OpenError> {
        let (header, rest) = split(BufReader::with_capacity(PIECE, input))?;
        let work_factor = passphrase::work_factor(&header);
        // Only a header that is one is said to have a passphrase.
        match &work_factor {
            Err(OpenError::PassphraseBeside) => {}
            _ => check(&header)?,
        }
        let recipients = Recipients::new(&header, work_factor?);
        Ok(ClosedFile { header, rest, recipients })
    }
}

impl<R: BufRead> ClosedFile<R> {
    /// Who can open it.
    pub fn recipients(&self) -> &Recipients {
        &self.recipients
    }

    /// What was encrypted, for who has one of these keys.
    ///
    /// # Errors
    /// Where it is no file for these keys, or can't be read.
    pub fn open(self, identities: &[AnyIdentity]) -> Result<impl Read + use<R>, OpenError> {
        if self.recipients.work_factor.is_some() {
            return Err(OpenError::Passphrase);
        }
        let all = identities.iter().map(|of| of.as_age() as &dyn age::Identity);
        Ok(parse(self.header, self.rest)?.decrypt(all)?)
    }

    /// The index of the key that opens it, if one of these does. What comes after the header is not looked
    /// at.
    ///
    /// # Errors
    /// Where the header is malformed, or was altered.
    pub fn opened_by(&self, identities: &[AnyIdentity]) -> Result<Option<usize>, OpenError> {
        let found = Cell::new(None);
        let all: Vec<_> =
            identities.iter().zip(0..).map(|(of, index)| Noted { of, index, found: &found }).collect();
        let parsed = parse(self.header.clone(), NONCE)?;
        match parsed.decrypt(all.iter().map(|of| of as &dyn age::Identity)) {
            Ok(_) => Ok(found.get()),
            Err(DecryptError::NoMatchingKeys) => Ok(None),
            Err(why) => Err(why.into()),
        }
    }

    /// What was encrypted, for who knows the passphrase, where its work factor is at most `most`.
    ///
    /// # Errors
    /// Where it has no passphrase, or another one, or its work is too much for the reader or the system.
    pub fn open_with(self, passphrase: &Passphrase, most: u8) -> Result<impl Read + use<R>, OpenError> {
        let identity = passphrase::identity(passphrase, self.recipients.passphrase_within(most)?)?;
        let decryptor = parse(self.header, self.rest)?;
        decryptor.decrypt([&identity as &dyn age::Identity].into_iter()).map_err(|why| match why {
            DecryptError::DecryptionFailed => OpenError::OtherPassphrase,
            why => why.into(),
        })
    }

    /// Bytes of what was encrypted, by the length of the file, which is read to its end; nothing is checked
    /// by it.
    ///
    /// # Errors
    /// Where the file ends too early, or can't be read.
    pub fn contents_bytes(mut self) -> Result<u64, OpenError> {
        contents_of(io::copy(&mut self.rest, &mut io::sink())?).ok_or(OpenError::CutOff)
    }
}

/// A key that says whether it is the one.
struct Noted<'a> {
    of: &'a AnyIdentity,
    index: usize,
    found: &'a Cell<Option<usize>>,
}

impl age::Identity for Noted<'_> {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        let file_key = self.of.as_age().unwrap_stanza(stanza)?;
        if file_key.is_ok() {
            self.found.set(Some(self.index));
        }
        Some(file_key)
    }
}

/// Bytes of what was encrypted to so many: a nonce, and chunks of at most [`PIECE`] bytes, each with a tag.
/// `None` where no file has so many.
fn contents_of(payload: u64) -> Option<u64> {
    let chunks = payload.checked_sub(OVERHEAD)?;
    let count = chunks.div_ceil(PIECE as u64 + OVERHEAD);
    let contents = chunks.checked_sub(OVERHEAD * count)?;
    // A last chunk of nothing is the only one.
    let last = contents.checked_sub(PIECE as u64 * count.checked_sub(1)?)?;
    (last > 0 || count == 1).then_some(contents)
}

/// Who can open a file, as its header says: for whom it is, it does not say. Stanzas without meaning are left
/// out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipients {
    types: Vec<(String, usize)>,
    others: usize,
    work_factor: Option<u64>,
}

impl Recipients {
    fn new(header: &[u8], work_factor: Option<u64>) -> Self {
        let mut all = Recipients { types: Vec::new(), others: 0, work_factor };
        let names = stanzas(header).map(|words| words.split(' ').next().unwrap_or_default());
        names.filter(|name| !name.ends_with(NO_RECIPIENT)).for_each(|name| all.add(name));
        all
    }

    fn add(&mut self, name: &str) {
        match self.types.iter().position(|(it, _)| it == name) {
            Some(at) => self.types[at].1 += 1,
            None if self.types.len() < TYPES => self.types.push((name.into(), 1)),
            None => self.others += 1,
        }
    }

    /// The types of stanzas in the order of the file, and how many there are of each: at most 16 types.
    pub fn types(&self) -> impl Iterator<Item = (&str, usize)> {
        self.types.iter().map(|(name, count)| (&name[..], *count))
    }

    /// How many stanzas there are of other types still.
    pub fn others(&self) -> usize {
        self.others
    }

    /// The work factor, where a passphrase opens the file and nothing else does. It may be any number.
    pub fn work_factor(&self) -> Option<u64> {
        self.work_factor
    }

    /// The work factor, where a passphrase opens the file and it is at most `most`: whether it is worth to
    /// ask somebody for a passphrase.
    ///
    /// # Errors
    /// Where it is more, or no passphrase opens the file.
    pub fn passphrase_within(&self, most: u8) -> Result<u8, OpenError> {
        let factor = self.work_factor.ok_or(OpenError::NoPassphrase)?;
        let accepted = u8::try_from(factor).ok().filter(|factor| *factor <= most);
        accepted.ok_or(OpenError::WorkFactor { factor, most })
    }

    /// The memory that the passphrase takes, in words: `256 MiB of memory`.
    pub fn work(&self) -> Option<String> {
        Some(passphrase::Memory(passphrase::memory(self.work_factor?)).to_string())
    }
}
