//! Passphrases: the only recipient of a file, whose key is sealed by a key that is derived from what somebody
//! remembers.
//!
//! `-> scrypt SALT W`: 16 bytes of salt, and the work factor, in decimal digits that don't begin with 0. With
//! `N = 2^W` the key is
//!
//! ```text
//! wrap key = scrypt(passphrase, "age-encryption.org/v1/scrypt" || SALT, N, r = 8, p = 1, 32 bytes)
//! ```
//!
//! which takes `128 r N = 2^(W + 10)` bytes of memory, and a time in proportion. Who makes a file chooses
//! `W`: so it is compared with the most that the reader accepts, and the memory is asked for, before any
//! work.
//!
//! # Sources
//! The format: <https://c2sp.org/age>; scrypt: RFC 7914. The words of new passphrases: D. S. Wilkerson, "A
//! Proposal for Proquints: Identifiers that are Readable, Spellable, and Pronounceable", arXiv:0901.4016.

use crate::file::{MakeError, OpenError, encrypt_to};
use crate::header::stanzas;
use age::secrecy::{ExposeSecret, SecretString};
use age::{Encryptor, scrypt};
use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use ringsmith::random;
use std::fmt;
use zeroize::Zeroizing;

/// The work factor of files that are made: 256 MiB, some second. That of age.
pub const WORK_FACTOR: u8 = 18;
/// The greatest work factor that is accepted, unless the reader asks for more: 1 GiB.
pub const MAX_WORK_FACTOR: u8 = 20;
/// The greatest work factor that a reader can ask for: 1 TiB.
pub const LAST_WORK_FACTOR: u8 = 30;

/// The type of the stanza.
pub(crate) const STANZA: &str = "scrypt";
/// Bytes of a salt.
const SALT: usize = 16;
/// Letters of a new passphrase: seven words of 16 bits, and what stands between.
const LETTERS: usize = 41;

/// What somebody remembers. Cleared on drop.
pub struct Passphrase(SecretString);

impl Passphrase {
    /// A text; it is taken byte by byte as it stands.
    ///
    /// ```
    /// use ringsmith_age::Passphrase;
    ///
    /// assert!(Passphrase::new("correct horse").is_some());
    /// assert!(Passphrase::new("").is_none());
    /// ```
    pub fn new(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Passphrase(text.to_owned().into()))
    }

    /// A new one of 112 random bits, as seven words that can be spoken: `lusab-babad-gutih-tugad-...`.
    ///
    /// ```
    /// use ringsmith_age::Passphrase;
    ///
    /// let new = Passphrase::generate()?;
    /// assert_eq!(new.text().split('-').count(), 7);
    /// assert_ne!(new.text(), Passphrase::generate()?.text());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Where the system gives no randomness.
    pub fn generate() -> Result<Self, random::Error> {
        let mut bits = Zeroizing::new([0; 14]);
        getrandom::fill(bits.as_mut())?;
        Ok(Self::of_bits(&bits))
    }

    /// The passphrase that is made of these 112 bits.
    ///
    /// ```
    /// use ringsmith_age::Passphrase;
    ///
    /// // 127.0.0.1 and 63.84.220.193, the examples of the source.
    /// let bits = [127, 0, 0, 1, 63, 84, 220, 193, 0, 0, 0, 0, 0, 0];
    /// let text = "lusab-babad-gutih-tugad-babab-babab-babab";
    /// assert_eq!(Passphrase::of_bits(&bits).text(), text);
    /// ```
    pub fn of_bits(bits: &[u8; 14]) -> Self {
        Passphrase(words(bits).as_str().to_owned().into())
    }

    /// The text: a secret.
    pub fn text(&self) -> &str {
        self.0.expose_secret()
    }
}

const CONSONANTS: [u8; 16] = *b"bdfghjklmnprstvz";
const VOWELS: [u8; 4] = *b"aiou";

/// Sixteen bits a word: a consonant for four of them, a vowel for two, and so on. In constant time: no table
/// is looked up at a place that a bit says.
fn words(bits: &[u8; 14]) -> Zeroizing<String> {
    // The memory is all there, so that no copy of a secret is left behind by a string that grew.
    let mut text = Zeroizing::new(String::with_capacity(LETTERS));
    for (i, pair) in bits.chunks(2).enumerate() {
        let word = pair.iter().fold(0, |word, byte| word << 8 | u16::from(*byte));
        if i > 0 {
            text.push('-');
        }
        let consonant = |shift: u32| letter(&CONSONANTS, word >> shift & 15);
        let vowel = |shift: u32| letter(&VOWELS, word >> shift & 3);
        text.extend([consonant(12), vowel(10), consonant(6), vowel(4), consonant(0)]);
    }
    text
}

/// The letter of a value.
fn letter(letters: &[u8], value: u16) -> char {
    let is = |index: u16| ((index ^ value).wrapping_sub(1) >> 8) as u8;
    let chosen = letters.iter().zip(0..).fold(0, |letter, (one, index)| letter | one & is(index));
    // The compiler is told that it is ASCII, and asks no byte for it.
    char::from(chosen & 0x7f)
}

/// A new file's key and header, for who has a passphrase alone.
///
/// ```no_run
/// use ringsmith_age::{Passphrase, WORK_FACTOR, passphrase_encryptor};
///
/// let passphrase = Passphrase::new("correct horse").unwrap();
/// let encryptor = passphrase_encryptor(&passphrase, WORK_FACTOR)?;
/// # Ok::<(), ringsmith_age::MakeError>(())
/// ```
///
/// # Errors
/// Where the work factor is 0 or more than [`LAST_WORK_FACTOR`], or the system gives no memory or no
/// randomness.
pub fn passphrase_encryptor(passphrase: &Passphrase, work_factor: u8) -> Result<Encryptor, MakeError> {
    if !(1..=LAST_WORK_FACTOR).contains(&work_factor) {
        return Err(MakeError::WorkFactor(work_factor));
    }
    let memory = memory(work_factor.into());
    if !is_there(memory) {
        return Err(MakeError::Memory(memory));
    }
    let mut recipient = scrypt::Recipient::new(passphrase.0.clone());
    recipient.set_work_factor(work_factor);
    encrypt_to([&recipient as &dyn age::Recipient].into_iter())
}

/// Who opens a file with a passphrase, of this work factor, where the system gives the memory.
pub(crate) fn identity(passphrase: &Passphrase, work_factor: u8) -> Result<scrypt::Identity, OpenError> {
    let memory = memory(work_factor.into());
    if !is_there(memory) {
        return Err(OpenError::Memory(memory));
    }
    let mut identity = scrypt::Identity::new(passphrase.0.clone());
    identity.set_max_work_factor(work_factor);
    Ok(identity)
}

/// Bytes that a work factor takes, as far as there is a number for it.
pub(crate) fn memory(work_factor: u64) -> u64 {
    let cost = u32::try_from(work_factor).ok().and_then(|factor| 1u64.checked_shl(factor));
    cost.and_then(|cost| cost.checked_mul(1024)).unwrap_or(u64::MAX)
}

/// Whether the system gives so many bytes: scrypt ends the process where it does not.
fn is_there(bytes: u64) -> bool {
    const BESIDE: u64 = 1 << 20;
    let bytes = bytes.saturating_add(BESIDE);
    usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// Bytes in the greatest unit that leaves no rest: `256 MiB`.
pub(crate) struct Memory(pub(crate) u64);

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 6] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];
        let unit = (self.0.trailing_zeros() as usize / 10).min(UNITS.len() - 1);
        if self.0 == u64::MAX {
            return f.write_str("more memory than there is");
        }
        write!(f, "{} {} of memory", self.0 >> (10 * unit), UNITS[unit])
    }
}

/// The work factor of a header whose recipient is a passphrase; `None` where it has no passphrase. As great
/// as a number can be where the digits say more.
pub(crate) fn work_factor(header: &[u8]) -> Result<Option<u64>, OpenError> {
    let (mut found, mut count) = (None, 0);
    for words in stanzas(header) {
        let mut words = words.split(' ');
        count += 1;
        if words.next() == Some(STANZA) {
            found = Some(words);
        }
    }
    let Some(mut words) = found else { return Ok(None) };
    if count > 1 {
        return Err(OpenError::PassphraseBeside);
    }
    match (words.next(), words.next(), words.next()) {
        (Some(salt), Some(factor), None) if is_salt(salt) && is_number(factor) => {
            Ok(Some(factor.parse().unwrap_or(u64::MAX)))
        }
        _ => Err(OpenError::NoFile),
    }
}

fn is_salt(text: &str) -> bool {
    BASE64_STANDARD_NO_PAD.decode(text).is_ok_and(|salt| salt.len() == SALT)
}

/// Decimal digits that don't begin with 0.
fn is_number(text: &str) -> bool {
    !text.starts_with('0') && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
