//! Who a file is encrypted to.

use crate::kind::{self, POSTQUANTUM};
use crate::plugin::{self, NATIVE};
use crate::text::TextError;
use age::EncryptError;
use age_core::format::{FileKey, Stanza};
use ringsmith::Cpu;
use ringsmith::x_wing::{EK_BYTES, EncapsulationKey};
use std::collections::HashSet;
use std::fmt;

/// A public key that files are encrypted to.
#[derive(Clone, PartialEq, Eq)]
pub struct Recipient(EncapsulationKey);

impl Recipient {
    /// From its text, `age1pq1...` or `age1ringsmith1...`; the CPU is that of all operations with it.
    ///
    /// # Errors
    /// Where the text is none, or holds no key.
    pub fn parse(cpu: Cpu, text: &str) -> Result<Self, TextError> {
        let bytes = plugin::parse::<EK_BYTES, { EK_BYTES + 1 }>(&kind::RECIPIENT, &plugin::RECIPIENT, text)?;
        Self::from_plugin(cpu, NATIVE, bytes.as_slice())
    }

    /// From what a client gives to the plugin of this name; the CPU is that of all operations with it.
    ///
    /// # Errors
    /// Where the bytes hold no key, or the plugin is not ours.
    pub fn from_plugin(cpu: Cpu, plugin: &str, bytes: &[u8]) -> Result<Self, TextError> {
        let key = plugin::key(plugin, bytes)?;
        EncapsulationKey::from_bytes(cpu, key).map(Recipient).map_err(|_| TextError::InvalidKey)
    }

    /// The text for clients that know it by the plugin: `age1ringsmith1...`.
    pub fn to_plugin_text(&self) -> String {
        plugin::RECIPIENT.encode(&plugin::with_kind(&self.0.to_bytes())).to_string()
    }

    pub(crate) fn new(key: EncapsulationKey) -> Self {
        Recipient(key)
    }
}

/// The text of age, `age1pq1...`.
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
