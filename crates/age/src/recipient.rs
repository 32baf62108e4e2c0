//! Who a file is encrypted to.

use crate::kind::{self, POSTQUANTUM};
use crate::text::TextError;
use age::EncryptError;
use age_core::format::{FileKey, Stanza};
use ringsmith::Cpu;
use ringsmith::x_wing::EncapsulationKey;
use std::collections::HashSet;
use std::fmt;

/// A public key that files are encrypted to.
#[derive(Clone, PartialEq, Eq)]
pub struct Recipient(EncapsulationKey);

impl Recipient {
    /// From its text, `age1pq1...`; the CPU is that of all operations with it.
    ///
    /// # Errors
    /// Where the text is none, or holds no key.
    pub fn parse(cpu: Cpu, text: &str) -> Result<Self, TextError> {
        let bytes = kind::RECIPIENT.decode(text)?;
        EncapsulationKey::from_bytes(cpu, &bytes).map(Recipient).map_err(|_| TextError::InvalidKey)
    }

    pub(crate) fn new(key: EncapsulationKey) -> Self {
        Recipient(key)
    }
}

/// The text that [`parse`](Recipient::parse) reads.
impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&kind::RECIPIENT.encode(&self.0.to_bytes()))
    }
}

/// The text.
impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recipient({self})")
    }
}

impl age::Recipient for Recipient {
    fn wrap_file_key(&self, file_key: &FileKey) -> Result<(Vec<Stanza>, HashSet<String>), EncryptError> {
        Ok((vec![kind::wrap(&self.0, file_key)?], HashSet::from([POSTQUANTUM.to_string()])))
    }
}
