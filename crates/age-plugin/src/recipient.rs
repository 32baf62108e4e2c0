//! Encrypting: file keys are wrapped to recipients.

use age::Recipient as _;
use age_core::format::{FileKey, Stanza};
use age_plugin::Callbacks;
use age_plugin::recipient::{Error, RecipientPluginV1};
use ringsmith::Cpu;
use ringsmith_age::{Identity, POSTQUANTUM, Recipient};
use std::collections::HashSet;
use std::io;

/// Those of a file.
pub(crate) struct Recipients {
    cpu: Cpu,
    all: Vec<Recipient>,
}

impl Recipients {
    /// None yet.
    pub(crate) fn new(cpu: Cpu) -> Self {
        Recipients { cpu, all: Vec::new() }
    }
}

impl RecipientPluginV1 for Recipients {
    fn add_recipient(&mut self, index: usize, plugin_name: &str, bytes: &[u8]) -> Result<(), Error> {
        let recipient = Recipient::from_plugin_on(self.cpu, plugin_name, bytes)
            .map_err(|why| Error::Recipient { index, message: why.to_string() })?;
        self.all.push(recipient);
        Ok(())
    }

    fn add_identity(&mut self, index: usize, plugin_name: &str, bytes: &[u8]) -> Result<(), Error> {
        let identity = Identity::from_plugin_on(self.cpu, plugin_name, bytes)
            .map_err(|why| Error::Identity { index, message: why.to_string() })?;
        self.all.push(identity.to_recipient());
        Ok(())
    }

    /// A client that knows no labels would let classical recipients in beside ours: it is refused.
    fn labels(&mut self) -> HashSet<String> {
        HashSet::from([POSTQUANTUM.to_string()])
    }

    fn wrap_file_keys(
        &mut self,
        file_keys: Vec<FileKey>,
        _: impl Callbacks<Error>,
    ) -> io::Result<Result<Vec<Vec<Stanza>>, Vec<Error>>> {
        let wrap = |file_key: &FileKey| {
            let mut stanzas = Vec::new();
            for recipient in &self.all {
                let (wrapped, _) = recipient
                    .wrap_file_key(file_key)
                    .map_err(|why| vec![Error::Internal { message: why.to_string() }])?;
                stanzas.extend(wrapped);
            }
            Ok(stanzas)
        };
        Ok(file_keys.iter().map(wrap).collect())
    }
}
