//! The Community Cryptography Test Vectors for ML-KEM (`C2SP/CCTV`, folder `ML-KEM`): text.
//!
//! * `intermediate`, `unluckysample`: lines `name = value`, one case in a file: `d`, `z`, `ek`, `dk`, `m`,
//!   `K`, `c`; the first has values from within the algorithms as well, which are not looked at. **Keys are
//!   not generated**: the vectors are those of the draft of FIPS 203, whose key generation does not hash `k`
//!   with `d`, and their keys do not follow from their seeds under the standard. Encapsulation with the
//!   file's keys and decapsulation are the standard's, and are checked.
//! * `strcmp`: `dk`, `c`, `K`, for comparisons that stop at a zero byte. Decapsulation is checked.
//! * `modulus`: lines of hexadecimal digits. Each is an encapsulation key with a coefficient that is not
//!   below the modulus.
//!
//! The parameter set follows from the sizes.

use super::subject::{Encapsulated, Outcome, Target};
use super::tally::{Kind, Tally};
use super::text::{self, Line, decode, optional};
use super::{Deterministic, FileError, Run};
use ringsmith::scheme::Scheme;

/// What only the files of intermediate values have.
const WITHIN: &str = "H(ek)";

/// Whether a text is a listing: `dk`, `c` and `K` have lines.
pub(super) fn is_listing(text: &str) -> bool {
    ["dk", "c", "K"].iter().all(|name| {
        text::lines(text).any(|(_, line)| line.split_once('=').is_some_and(|(left, _)| left.trim() == *name))
    })
}

/// Whether a text with this line is a list of keys.
pub(super) fn is_key_list(first: &str) -> bool {
    first.chars().all(|c| c.is_ascii_hexdigit())
}

/// Checks a listing.
pub(super) fn listing(run: Run, text: &str) -> Result<Tally, FileError> {
    let lines = text::lines(text).map(Line::parse).collect::<Result<Vec<_>, _>>()?;
    let bytes = |name| optional(&lines, name)?.map(|line| Ok((line, line.bytes()?))).transpose();
    let need = |name| bytes(name)?.ok_or_else(|| FileError::NoScheme(format!("has no line `{name}`")));
    let ((line, dk), (_, c), (_, k)) = (need("dk")?, need("c")?, need("K")?);
    let target = Target::of(run, set(line.number, "dk", dk.len(), |scheme| scheme.private_key)?);
    let encapsulated = Encapsulated { c: &c, k: &k };
    let mut tally = Tally::new(match (optional(&lines, WITHIN)?, bytes("ek")?) {
        (Some(_), _) => "CCTV intermediate",
        (None, Some(_)) => "CCTV unluckysample",
        (None, None) => "CCTV strcmp",
    });
    if bytes("d")?.is_some() {
        let draft = |_| Outcome::NotChecked("of the draft, not of FIPS 203");
        tally.check(&target, Kind::KeyGeneration, "d, z", draft);
    }
    if let Some(m) = optional(&lines, "m")? {
        let (m, (_, ek)) = (m.array()?, need("ek")?);
        tally.check(&target, Kind::Encapsulation, "ek, m", |s| s.encapsulate_from(&ek, &m, encapsulated));
    }
    tally.check(&target, Kind::Decapsulation, "dk, c", |s| s.decapsulate(&dk, encapsulated));
    Ok(tally)
}

/// Checks a list of keys.
pub(super) fn key_list(run: Run, text: &str) -> Result<Tally, FileError> {
    let mut tally = Tally::new("CCTV modulus");
    let mut length = None;
    for (number, line) in text::lines(text) {
        let ek = decode(line).map_err(|what| FileError::line(number, what))?;
        let target = Target::of(run, set(number, "a key", ek.len(), |scheme| scheme.public_key)?);
        if *length.get_or_insert(ek.len()) != ek.len() {
            return Err(FileError::line(number, "a key of another length than those before"));
        }
        let case = format!("line {number}");
        tally.check(&target, Kind::EncapsulationKeyRefused, case, |s| s.judge_encapsulation_key(&ek, false));
    }
    Ok(tally)
}

/// The parameter set with a key of some length.
fn set(
    number: usize,
    what: &str,
    length: usize,
    of: fn(&Scheme) -> usize,
) -> Result<&'static Scheme, FileError> {
    let found = Deterministic::all().iter().find(|forms| of(forms.scheme) == length);
    let none = || FileError::line(number, format!("{what}: no parameter set has a key of {length} bytes"));
    found.map(|forms| forms.scheme).ok_or_else(none)
}
