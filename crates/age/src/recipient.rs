//! Who a file is encrypted to.

use crate::kind::{Kind, POSTQUANTUM, Public, mlkem768};
use crate::plugin;
use crate::text::TextError;
use age::EncryptError;
use age_core::format::{FileKey, Stanza};
use ringsmith::Cpu;
use std::collections::HashSet;
use std::fmt;

/// A public key that files are encrypted to.
#[derive(Clone, PartialEq, Eq)]
pub struct Recipient(Public);

impl Recipient {
    /// From its text, `age1pq1...` or `age1ringsmith1...`.
    ///
    /// # Errors
    /// Where the text is none, or holds no key.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        Self::parse_on(Cpu::detect(), text)
    }

    /// The same; all operations with the recipient are done on this CPU.
    ///
    /// # Errors
    /// The same.
    pub fn parse_on(cpu: Cpu, text: &str) -> Result<Self, TextError> {
        let (plugin, bytes) = plugin::parse(&mlkem768::RECIPIENT, &plugin::RECIPIENT, text)?;
        Self::from_plugin_on(cpu, plugin, &bytes)
    }

    /// From what a client gives to the plugin of this name.
    ///
    /// # Errors
    /// Where the bytes hold no key, or the plugin is not ours.
    pub fn from_plugin(plugin: &str, bytes: &[u8]) -> Result<Self, TextError> {
        Self::from_plugin_on(Cpu::detect(), plugin, bytes)
    }

    /// The same; all operations with the recipient are done on this CPU.
    ///
    /// # Errors
    /// The same.
    pub fn from_plugin_on(cpu: Cpu, plugin: &str, bytes: &[u8]) -> Result<Self, TextError> {
        let (kind, key) = plugin::key(plugin, bytes)?;
        Public::from_bytes(cpu, kind, key).map(Recipient).ok_or(TextError::InvalidKey)
    }

    /// The text for clients that know it by the plugin: `age1ringsmith1...`.
    pub fn to_plugin_text(&self) -> String {
        plugin::RECIPIENT.encode(&plugin::with_kind(self.kind(), &self.0.to_bytes())).to_string()
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        self.0.kind()
    }

    pub(crate) fn new(key: Public) -> Self {
        Recipient(key)
    }
}

/// The text of age, `age1pq1...`, or the plugin's where age has none for the kind.
impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Kind::MlKem768X25519 => f.write_str(&mlkem768::RECIPIENT.encode(&self.0.to_bytes())),
            Kind::Sntrup761X25519 => f.write_str(&self.to_plugin_text()),
        }
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
        Ok((vec![self.0.wrap(file_key)?], HashSet::from([POSTQUANTUM.to_string()])))
    }
}
