//! What the formats in JSON share.

use super::error::FileError;
use super::text::decode;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};

/// Reads a whole text.
///
/// # Errors
/// Where it is no JSON, or not of the type's form; with the path to the value.
pub(super) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, FileError> {
    let mut json = serde_json::Deserializer::from_str(text);
    let read = serde_path_to_error::deserialize(&mut json);
    let value = read.map_err(|error| FileError::json(error.path().to_string(), message(error.inner())))?;
    json.end().map_err(|error| FileError::json(".", message(&error)))?;
    Ok(value)
}

/// A file of NIST's.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Acvp<G> {
    revision: String,
    test_groups: Vec<G>,
}

/// The groups of a file of NIST's, of one of two revisions of a standard.
///
/// # Errors
/// Where it is of another one, and as [`parse`].
pub(super) fn acvp<G: DeserializeOwned>(text: &str, revisions: [&str; 2]) -> Result<Vec<G>, FileError> {
    let Acvp { revision, test_groups } = parse(text)?;
    match revisions.contains(&revision.as_str()) {
        true => Ok(test_groups),
        false => {
            let [first, second] = revisions;
            Err(FileError::json("revision", format!("is not `{first}` or `{second}`")))
        }
    }
}

/// Whether a file of Wycheproof's has as many tests as it says; of each group, how many it has.
///
/// # Errors
/// Where it has not.
pub(super) fn counted(says: u64, of_groups: impl Iterator<Item = usize>) -> Result<(), FileError> {
    match of_groups.sum::<usize>() {
        tests if tests as u64 == says => Ok(()),
        tests => Err(FileError::json("numberOfTests", format!("says {says}, and there are {tests}"))),
    }
}

/// What the parser says, without the value where that is long.
fn message(error: &serde_json::Error) -> String {
    const MAX: usize = 160;
    match error.to_string() {
        short if short.len() <= MAX => short,
        _ => format!("is not as the format has it, at line {} column {}", error.line(), error.column()),
    }
}

/// Bytes as hexadecimal digits.
pub(super) struct Hex(pub(super) Vec<u8>);

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        decode(&String::deserialize(deserializer)?).map(Hex).map_err(D::Error::custom)
    }
}

impl Hex {
    /// Exactly `N` bytes.
    ///
    /// # Errors
    /// Where they are not so many.
    pub(super) fn array<const N: usize>(&self) -> Result<&[u8; N], String> {
        let other = |_| format!("has {} bytes, where the format has {N}", self.0.len());
        self.0.as_slice().try_into().map_err(other)
    }
}

/// Where a test stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The index of its group.
    pub(super) group: usize,
    /// Its index in the group.
    pub(super) test: usize,
}

impl Place {
    /// What is wrong with a field of the test.
    pub(super) fn error(self, field: &str, what: impl Into<String>) -> FileError {
        FileError::json(format!("testGroups[{}].tests[{}].{field}", self.group, self.test), what)
    }

    /// A field of the test that must be there.
    ///
    /// # Errors
    /// Where it is not.
    pub(super) fn need<'a, T>(self, field: &str, value: Option<&'a T>) -> Result<&'a T, FileError> {
        value.ok_or_else(|| self.error(field, "missing"))
    }

    /// A field of bytes.
    ///
    /// # Errors
    /// Where it is missing.
    pub(super) fn bytes<'a>(
        self,
        field: &str,
        value: impl Into<Option<&'a Hex>>,
    ) -> Result<&'a [u8], FileError> {
        self.need(field, value.into()).map(|hex| hex.0.as_slice())
    }

    /// A field of exactly `N` bytes.
    ///
    /// # Errors
    /// Where it is missing, or has another length.
    pub(super) fn array<'a, const N: usize>(
        self,
        field: &str,
        value: impl Into<Option<&'a Hex>>,
    ) -> Result<&'a [u8; N], FileError> {
        self.need(field, value.into())?.array().map_err(|what| self.error(field, what))
    }

    /// The same; zeros where it is missing.
    ///
    /// # Errors
    /// Where it has another length.
    pub(super) fn array_or_zero<'a, const N: usize>(
        self,
        field: &str,
        value: &'a Option<Hex>,
    ) -> Result<&'a [u8; N], FileError> {
        match value {
            None => Ok(&[0; N]),
            Some(hex) => self.array(field, hex),
        }
    }
}
