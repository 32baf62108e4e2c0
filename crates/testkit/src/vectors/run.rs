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
    /// Those whose names are this one, a hyphen and a number.
    Family(&'static str),
}

impl Selection {
    /// A scheme, a key exchange, a set of public-key encryption or of signatures by its name, a family of
    /// these, as in `ml-dsa`, or `all`.
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
        let found = found.or_else(|| signature::named(name)).map(Selection::One);
        found.or_else(|| names().find_map(|of| family(of, name)).map(Selection::Family)).ok_or_else(|| {
            let names: Vec<_> = names().collect();
            format!("no scheme `{name}`; there are: {}, all", names.join(", "))
        })
    }

    pub(super) fn takes(self, name: &str) -> bool {
        match self {
            Selection::All => true,
            Selection::One(one) => one == name,
            Selection::Family(first) => family(name, first).is_some(),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Selection::All => "the schemes",
            Selection::One(one) | Selection::Family(one) => one,
        }
    }
}

/// The names of all sets.
fn names() -> impl Iterator<Item = &'static str> {
    let exchanges = scheme::EXCHANGES.iter().map(|one| one.name);
    let names = scheme::ALL.iter().map(|one| one.name).chain(exchanges);
    names.chain(scheme::ENCRYPTIONS.iter().map(|one| one.name)).chain(signature::names())
}

/// The family of a set, where it is called so, in any case: what is before a hyphen and a number in the set's
/// name.
fn family<'a>(of: &'a str, name: &str) -> Option<&'a str> {
    let (first, number) = of.rsplit_once('-')?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && first.eq_ignore_ascii_case(name)).then_some(first)
}

/// What to check, and on which CPU backend.
#[derive(Clone, Copy)]
pub struct Run {
    /// The backend.
    pub cpu: Cpu,
    /// The schemes.
    pub selection: Selection,
}
