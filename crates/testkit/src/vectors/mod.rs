//! Published test vectors against our schemes: what `cargo xtask vectors` does.
//!
//! | format | file | of |
//! |---|---|---|
//! | NIST response file | `response.rs` | every scheme; with `d || z || m` those with deterministic forms |
//! | NIST ACVP | `acvp.rs`, `signature/acvp.rs` | ML-KEM, ML-DSA |
//! | Wycheproof | `wycheproof.rs`, `signature/wycheproof.rs` | ML-KEM, ML-DSA |
//! | JSON of isolated checks | `signature/edges.rs` | ML-DSA |
//! | JSON of keys in PEM by name | `signature/keys.rs` | ML-DSA |
//! | C2SP CCTV | `cctv.rs` | ML-KEM |
//! | Botan's test data; JSON of the reference, of LatticeCrypto | `exchange.rs` | NewHope's key exchanges |
//! | JSON of NTRU's own library, of libntru, and of a model | `encryption.rs` | NTRUEncrypt |
//! | JSON of strongSwan's two generators | `generators.rs` | NTRUEncrypt |
//! | Bouncy Castle's `poly_*.txt` | `poly.rs` | parts of NTRU; builds with `ringsmith_internals` |
//!
//! A file is recognised by its contents, compressed or not; of NTRU's parts by its name. Every case is
//! counted: as passed, as failed, or as not checked with the reason. What a file lacks or what can't be read
//! is an error that names the place, and nothing of that file counts then.

mod acvp;
mod cctv;
mod deterministic;
mod encryption;
mod error;
mod exchange;
mod generators;
mod input;
mod json;
#[cfg(ringsmith_internals)]
mod poly;
mod report;
mod response;
mod run;
mod signature;
mod subject;
mod table;
mod tally;
mod text;
mod wycheproof;

pub use deterministic::Deterministic;
pub use error::FileError;
pub use input::{read, unpack};
pub use report::{Report, report};
pub use run::{Run, Selection};
pub use table::table;
pub use tally::{Kind, Row, Tally};

/// What tells the formats apart.
#[derive(serde::Deserialize)]
struct Top {
    algorithm: Option<String>,
    mode: Option<String>,
    param_set: Option<serde::de::IgnoredAny>,
    oid: Option<serde::de::IgnoredAny>,
    schema: Option<String>,
    vectors: Option<serde::de::IgnoredAny>,
    mgf_seed: Option<serde::de::IgnoredAny>,
    note: Option<serde::de::IgnoredAny>,
    tests: Option<serde::de::IgnoredAny>,
}

impl Run {
    /// Checks the contents of a file, which may be compressed.
    ///
    /// # Errors
    /// Where the file is of no known format, is malformed, or has nothing for the selected schemes.
    pub fn check(self, contents: &[u8]) -> Result<Tally, FileError> {
        self.check_named("", contents)
    }

    /// The same of a file with a name, which says what NTRU's parts are of.
    ///
    /// # Errors
    /// The same.
    pub fn check_named(self, name: &str, contents: &[u8]) -> Result<Tally, FileError> {
        let contents = unpack(contents)?;
        let text = std::str::from_utf8(&contents).map_err(|_| FileError::NotText)?;
        let tally = self.check_part(name, text).unwrap_or_else(|| self.check_text(text))?;
        match tally.reason_for_nothing() {
            None => Ok(tally),
            Some(reason) => Err(FileError::Nothing { wanted: self.selection.name(), reason }),
        }
    }

    /// Checks a file of a part of NTRU, where the name is that of one.
    #[cfg(ringsmith_internals)]
    fn check_part(self, name: &str, text: &str) -> Option<Result<Tally, FileError>> {
        poly::Subject::named(name).map(|subject| subject.check(self, text))
    }

    /// The parts are not seen in such builds.
    #[cfg(not(ringsmith_internals))]
    fn check_part(self, _: &str, _: &str) -> Option<Result<Tally, FileError>> {
        None
    }

    fn check_text(self, text: &str) -> Result<Tally, FileError> {
        let (_, first) = text::lines(text).next().ok_or(FileError::Empty)?;
        if first.starts_with('{') {
            return self.check_json(text);
        }
        if exchange::is_list(text) {
            return exchange::reference(self, text);
        }
        match first.split_once('=').map(|(name, _)| name.trim()) {
            Some(exchange::FIRST_OF_BOTAN) => exchange::botan(self, text),
            Some("count") => response::check(self, text),
            Some(_) if cctv::is_listing(text) => cctv::listing(self, text),
            None if cctv::is_key_list(first) => cctv::key_list(self, text),
            _ => Err(FileError::Unknown),
        }
    }

    /// Checks a file in JSON.
    fn check_json(self, text: &str) -> Result<Tally, FileError> {
        if let Some(files) = signature::keys::list(text) {
            return signature::keys::check(self, &files);
        }
        let top: Top = json::parse(text)?;
        match (top.algorithm.as_deref(), &top.mode, &top.schema) {
            (Some("ML-KEM"), Some(mode), None) => acvp::check(self, text, mode),
            (Some("ML-KEM"), None, Some(_)) => wycheproof::check(self, text),
            (Some("ML-DSA"), Some(mode), None) => signature::acvp::check(self, text, mode),
            (Some(name), None, Some(_)) if name.starts_with("ML-DSA-") => {
                signature::wycheproof::check(self, text)
            }
            (Some("ML-KEM" | "ML-DSA"), ..) => Err(FileError::Unknown),
            (Some(_), ..) => Err(FileError::json("algorithm", "is not `ML-KEM` or `ML-DSA`")),
            (None, None, None) if top.param_set.is_some() && top.vectors.is_some() => {
                encryption::check(self, text)
            }
            (None, None, None) if top.oid.is_some() && top.vectors.is_some() => {
                encryption::over_a_field(self, text)
            }
            (None, None, None) if top.mgf_seed.is_some() => generators::check(self, text),
            (None, None, None) if top.note.is_some() && top.tests.is_some() => {
                signature::edges::check(self, text)
            }
            (None, Some(mode), None) if top.vectors.is_some() => exchange::latticecrypto(self, text, mode),
            (None, ..) => Err(FileError::json("algorithm", "missing")),
        }
    }
}
