//! Who decrypts a file.

use crate::kind;
use crate::plugin::{self, NATIVE};
use crate::recipient::Recipient;
use crate::text::TextError;
use age::DecryptError;
use age_core::format::{FileKey, Stanza};
use ringsmith::Cpu;
use ringsmith::x_wing::{DK_BYTES, DecapsulationKey};
use zeroize::Zeroizing;

/// A private key that decrypts files. Cleared on drop.
pub struct Identity(DecapsulationKey);

impl Identity {
    /// A new one, of the system's randomness; the CPU is that of all operations with it.
    ///
    /// # Errors
    /// Where the system gives none.
    pub fn generate(cpu: Cpu) -> Result<Self, getrandom::Error> {
        let mut seed = Zeroizing::new([0; DK_BYTES]);
        getrandom::fill(seed.as_mut())?;
        Ok(Identity(DecapsulationKey::from_bytes(cpu, &seed)))
    }

    /// From its text, `AGE-SECRET-KEY-PQ-1...` or `AGE-PLUGIN-RINGSMITH-1...`; the CPU is that of all operations with it.
    ///
    /// # Errors
    /// Where the text is none, or holds no key.
    pub fn parse(cpu: Cpu, text: &str) -> Result<Self, TextError> {
        let bytes = plugin::parse::<DK_BYTES, { DK_BYTES + 1 }>(&kind::IDENTITY, &plugin::IDENTITY, text)?;
        Self::from_plugin(cpu, NATIVE, bytes.as_slice())
    }

    /// From what a client gives to the plugin of this name; the CPU is that of all operations with it.
    ///
    /// # Errors
    /// Where the bytes hold no key, or the plugin is not ours.
    pub fn from_plugin(cpu: Cpu, plugin: &str, bytes: &[u8]) -> Result<Self, TextError> {
        Ok(Identity(DecapsulationKey::from_bytes(cpu, plugin::key(plugin, bytes)?)))
    }

    /// The text for clients that know it by the plugin, `AGE-PLUGIN-RINGSMITH-1...`: a secret.
    pub fn to_plugin_text(&self) -> Zeroizing<String> {
        plugin::IDENTITY.encode(&plugin::with_kind(self.0.to_bytes().as_slice()))
    }

    /// The text of age, `AGE-SECRET-KEY-PQ-1...`: a secret.
    pub fn to_text(&self) -> Zeroizing<String> {
        kind::IDENTITY.encode(self.0.to_bytes().as_slice())
    }

    /// Its recipient.
    pub fn to_recipient(&self) -> Recipient {
        Recipient::new(self.0.encapsulation_key())
    }
}

impl age::Identity for Identity {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        kind::unwrap(&self.0, stanza)
    }
}
