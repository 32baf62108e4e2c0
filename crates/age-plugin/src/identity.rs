//! Decrypting: file keys are unwrapped.

use age::Identity as _;
use age_core::format::{FileKey, Stanza};
use age_plugin::Callbacks;
use age_plugin::identity::{Error, IdentityPluginV1};
use ringsmith::Cpu;
use ringsmith_age::Identity;
use std::collections::HashMap;
use std::io;

/// Those of the user.
pub(crate) struct Identities {
    cpu: Cpu,
    all: Vec<Identity>,
}

impl Identities {
    /// None yet.
    pub(crate) fn new(cpu: Cpu) -> Self {
        Identities { cpu, all: Vec::new() }
    }

    /// The key of a file, if one of its stanzas is for us; what is wrong with those that are malformed, if
    /// none is.
    fn unwrap(&self, file_index: usize, stanzas: &[Stanza]) -> Option<Result<FileKey, Vec<Error>>> {
        let mut errors = Vec::new();
        for (stanza_index, stanza) in stanzas.iter().enumerate() {
            match self.unwrap_one(stanza) {
                Some(Ok(file_key)) => return Some(Ok(file_key)),
                Some(Err(why)) => {
                    errors.push(Error::Stanza { file_index, stanza_index, message: why.into() })
                }
                None => {}
            }
        }
        (!errors.is_empty()).then_some(Err(errors))
    }

    /// The key in a stanza, of the first identity that opens it; what is wrong with it, said once, if none
    /// does.
    fn unwrap_one(&self, stanza: &Stanza) -> Option<Result<FileKey, &'static str>> {
        let mut malformed = None;
        for unwrapped in self.all.iter().filter_map(|identity| identity.unwrap_stanza(stanza)) {
            match unwrapped {
                Ok(file_key) => return Some(Ok(file_key)),
                Err(_) => malformed = Some(Err("a malformed stanza")),
            }
        }
        malformed
    }
}

impl IdentityPluginV1 for Identities {
    fn add_identity(&mut self, index: usize, plugin_name: &str, bytes: &[u8]) -> Result<(), Error> {
        let identity = Identity::from_plugin_on(self.cpu, plugin_name, bytes)
            .map_err(|why| Error::Identity { index, message: why.to_string() })?;
        self.all.push(identity);
        Ok(())
    }

    fn unwrap_file_keys(
        &mut self,
        files: Vec<Vec<Stanza>>,
        _: impl Callbacks<Error>,
    ) -> io::Result<HashMap<usize, Result<FileKey, Vec<Error>>>> {
        let unwrapped = |(index, stanzas): (usize, Vec<Stanza>)| Some((index, self.unwrap(index, &stanzas)?));
        Ok(files.into_iter().enumerate().filter_map(unwrapped).collect())
    }
}
