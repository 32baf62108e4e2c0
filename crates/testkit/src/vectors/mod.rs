//! Published test vectors against our schemes: what `cargo xtask vectors` does.
//!
//! | format | file | of |
//! |---|---|---|
//! | NIST response file | `response.rs` | every scheme; with `d || z || m` those with deterministic forms |
//! | NIST ACVP | `acvp.rs` | ML-KEM |
//! | Wycheproof | `wycheproof.rs` | ML-KEM |
//! | C2SP CCTV | `cctv.rs` | ML-KEM |
//! | Botan's test data; JSON of the reference, of LatticeCrypto | `exchange.rs` | NewHope's key exchanges |
//!
//! A file is recognised by its contents, compressed or not. Every case is counted: as passed, as failed, or
//! as not checked with the reason. What a file lacks or what can't be read is an error that names the place,
//! and nothing of that file counts then.

mod acvp;
mod cctv;
mod deterministic;
mod error;
mod exchange;
mod input;
mod json;
mod report;
mod response;
mod subject;
mod table;
mod tally;
mod text;
mod wycheproof;

pub use deterministic::Deterministic;
pub use error::FileError;
pub use input::{read, unpack};
pub use report::{Report, report};
pub use table::table;
pub use tally::{Kind, Row, Tally};

use ringsmith::scheme;
use ringsmith_simd::Cpu;

/// Which schemes to check; what a file has for others is counted, and not checked.
#[derive(Clone, Copy)]
pub enum Selection {
    /// Every scheme and key exchange.
    All,
    /// The one of this name.
    One(&'static str),
}

impl Selection {
    /// A scheme or a key exchange by its name, or `all`.
    ///
    /// # Errors
    /// Where there is none of that name.
    pub fn parse(name: &str) -> Result<Self, String> {
        if name.eq_ignore_ascii_case("all") {
            return Ok(Selection::All);
        }
        let exchange = || scheme::exchange_by_name(name).map(|exchange| exchange.name);
        let found = scheme::by_name(name).map(|scheme| scheme.name).or_else(exchange);
        found.map(Selection::One).ok_or_else(|| {
            let exchanges = scheme::EXCHANGES.iter().map(|one| one.name);
            let names: Vec<_> = scheme::ALL.iter().map(|one| one.name).chain(exchanges).collect();
            format!("no scheme `{name}`; there are: {}, all", names.join(", "))
        })
    }

    fn takes(self, name: &str) -> bool {
        match self {
            Selection::All => true,
            Selection::One(one) => one == name,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Selection::All => "the schemes",
            Selection::One(one) => one,
        }
    }
}

/// What to check, and on which CPU backend.
#[derive(Clone, Copy)]
pub struct Run {
    /// The backend.
    pub cpu: Cpu,
    /// The schemes.
    pub selection: Selection,
}

impl Run {
    /// Checks the contents of a file, which may be compressed.
    ///
    /// # Errors
    /// Where the file is of no known format, is malformed, or has nothing for the selected schemes.
    pub fn check(self, contents: &[u8]) -> Result<Tally, FileError> {
        let contents = unpack(contents)?;
        let text = std::str::from_utf8(&contents).map_err(|_| FileError::NotText)?;
        let tally = self.check_text(text)?;
        match tally.reason_for_nothing() {
            None => Ok(tally),
            Some(reason) => Err(FileError::Nothing { wanted: self.selection.name(), reason }),
        }
    }

    fn check_text(self, text: &str) -> Result<Tally, FileError> {
        let (_, first) = text::lines(text).next().ok_or(FileError::Empty)?;
        if first.starts_with('{') {
            return json::check(self, text);
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
}
