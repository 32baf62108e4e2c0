//! Who decrypts a file.

use crate::kind::{Kind, Private, mlkem768};
use crate::plugin;
use crate::recipient::Recipient;
use crate::text::TextError;
use age::DecryptError;
use age_core::format::{FileKey, Stanza};
use ringsmith::Cpu;
use zeroize::Zeroizing;

/// A private key that decrypts files. Cleared on drop.
pub struct Identity(Private);

impl Identity {
    /// A new one of a kind, of the system's randomness.
    ///
    /// ```
    /// use ringsmith_age::{Identity, Kind};
    ///
    /// let identity = Identity::generate(Kind::Sntrup761X25519)?;
    /// assert!(identity.to_recipient().to_string().starts_with("age1ringsmith1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Where the system gives none.
    pub fn generate(kind: Kind) -> Result<Self, getrandom::Error> {
        Self::generate_on(Cpu::detect(), kind)
    }

    /// The same; all operations with the identity are done on this CPU.
    ///
    /// # Errors
    /// The same.
    pub fn generate_on(cpu: Cpu, kind: Kind) -> Result<Self, getrandom::Error> {
        Private::generate(cpu, kind).map(Identity)
    }

    /// From its text, `AGE-SECRET-KEY-PQ-1...` or `AGE-PLUGIN-RINGSMITH-1...`.
    ///
    /// # Errors
    /// Where the text is none, or holds no key.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        Self::parse_on(Cpu::detect(), text)
    }

    /// The same; all operations with the identity are done on this CPU.
    ///
    /// # Errors
    /// The same.
    pub fn parse_on(cpu: Cpu, text: &str) -> Result<Self, TextError> {
        let (plugin, bytes) = plugin::parse(&mlkem768::IDENTITY, &plugin::IDENTITY, text)?;
        Self::from_plugin_on(cpu, plugin, &bytes)
    }

    /// From what a client gives to the plugin of this name.
    ///
    /// # Errors
    /// Where the bytes hold no key, or the plugin is not ours.
    pub fn from_plugin(plugin: &str, bytes: &[u8]) -> Result<Self, TextError> {
        Self::from_plugin_on(Cpu::detect(), plugin, bytes)
    }

    /// The same; all operations with the identity are done on this CPU.
    ///
    /// # Errors
    /// The same.
    pub fn from_plugin_on(cpu: Cpu, plugin: &str, bytes: &[u8]) -> Result<Self, TextError> {
        let (kind, seed) = plugin::key(plugin, bytes)?;
        let seed = seed.try_into().map_err(|_| TextError::InvalidKey)?;
        Ok(Identity(Private::from_seed(cpu, kind, seed)))
    }

    /// The text for clients that know it by the plugin, `AGE-PLUGIN-RINGSMITH-1...`: a secret.
    pub fn to_plugin_text(&self) -> Zeroizing<String> {
        plugin::IDENTITY.encode(&plugin::with_kind(self.kind(), self.0.seed().as_slice()))
    }

    /// The text of age, `AGE-SECRET-KEY-PQ-1...`, or the plugin's where age has none for the kind: a secret.
    pub fn to_text(&self) -> Zeroizing<String> {
        match self.kind() {
            Kind::MlKem768X25519 => mlkem768::IDENTITY.encode(self.0.seed().as_slice()),
            Kind::Sntrup761X25519 => self.to_plugin_text(),
        }
    }

    /// Its recipient.
    pub fn to_recipient(&self) -> Recipient {
        Recipient::new(self.0.public())
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        self.0.kind()
    }
}

impl age::Identity for Identity {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        self.0.unwrap(stanza)
    }
}
