//! What is checked.

use super::signature;
use ringsmith::scheme;
use ringsmith_simd::Cpu;

/// Which schemes to check; what a file has for others is counted, and not checked.
#[derive(Clone, Copy)]
pub enum Selection {
    /// Everything.
    All,
    /// The one of this name.
    One(&'static str),
}

impl Selection {
    /// A scheme, a key exchange, a set of public-key encryption or of signatures by its name, or `all`.
    ///
    /// # Errors
    /// Where there is none of that name.
    pub fn parse(name: &str) -> Result<Self, String> {
        if name.eq_ignore_ascii_case("all") {
            return Ok(Selection::All);
        }
        let exchange = || scheme::exchange_by_name(name).map(|exchange| exchange.name);
        let encryption = || scheme::encryption_by_name(name).map(|scheme| scheme.name);
        let found = scheme::by_name(name).map(|scheme| scheme.name).or_else(exchange).or_else(encryption);
        let found = found.or_else(|| signature::named(name));
        found.map(Selection::One).ok_or_else(|| {
            let exchanges = scheme::EXCHANGES.iter().map(|one| one.name);
            let names = scheme::ALL.iter().map(|one| one.name).chain(exchanges);
            let names = names.chain(scheme::ENCRYPTIONS.iter().map(|one| one.name));
            let names: Vec<_> = names.chain(signature::names()).collect();
            format!("no scheme `{name}`; there are: {}, all", names.join(", "))
        })
    }

    pub(super) fn takes(self, name: &str) -> bool {
        match self {
            Selection::All => true,
            Selection::One(one) => one == name,
        }
    }

    pub(super) fn name(self) -> &'static str {
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
