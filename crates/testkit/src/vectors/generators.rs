//! NTRUEncrypt's two generators by themselves, in JSON: what strongSwan's tests have of them.
//!
//! A file has one seed. All of it gives the mask; its beginning, of a length that the file names, gives the
//! indices of private keys. 2 stands for -1 in the mask.
//!
//! | checked | of |
//! |---|---|
//! | the mask of the seed (MGF-TP-1) | the set with as many coefficients |
//! | the indices of the seed (IGF-2), in their order | each set that is named |

use super::json::{self, Hex};
use super::subject::Outcome;
use super::tally::{Kind, Tally};
use super::text::excerpt;
use super::{FileError, Run};
use ringsmith::ntruencrypt::generators::{indices, mask};
use ringsmith::ntruencrypt::{FACTS, Facts, Hash, SCHEMES};
use ringsmith::scheme::PublicKeyEncryption;
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    hash: String,
    mgf_seed: Hex,
    #[serde(rename = "trits(0,1,2=-1)")]
    trits: Vec<i16>,
    igf_seed_len: usize,
    igf: Vec<Indices>,
}

#[derive(Deserialize)]
struct Indices {
    param: String,
    #[serde(rename = "indices(+1s then -1s per poly)")]
    indices: Vec<u16>,
}

/// A set and its numbers.
type Set = (&'static PublicKeyEncryption, &'static Facts);

/// The set of NTRU's own library that is as asked, and has the hash function of a name.
fn find(hash: &str, is_it: impl Fn(Set) -> bool) -> Option<Set> {
    let hash = match hash {
        "SHA1" => Hash::Sha1,
        "SHA256" => Hash::Sha256,
        _ => return None,
    };
    let mut sets = SCHEMES.into_iter().zip(FACTS);
    sets.find(|(scheme, facts)| facts.hash == hash && is_it((*scheme, *facts)))
}

/// Whether numbers are those of the file; if not, the first that differs.
fn same<T: PartialEq>(published: &[T], ours: &[T]) -> Outcome {
    match published.iter().zip(ours).position(|(published, ours)| published != ours) {
        None if published.len() == ours.len() => Outcome::Passed,
        None => Outcome::Failed(format!("has {} numbers, ours {}", published.len(), ours.len())),
        Some(i) => Outcome::Failed(format!("number {i} differs")),
    }
}

/// Checks a file.
pub(super) fn check(run: Run, text: &str) -> Result<Tally, FileError> {
    let File { hash, mgf_seed: Hex(seed), trits, igf_seed_len, igf } = json::parse(text)?;
    let beginning = seed.get(..igf_seed_len);
    let beginning = beginning.ok_or_else(|| FileError::json("igf_seed_len", "is beyond the seed"))?;
    let mut tally = Tally::new("NTRUEncrypt's generators");
    let mut count = |kind, (scheme, _): Set, check: &dyn Fn() -> Outcome| {
        let is_taken = run.selection.takes(scheme.name);
        let outcome = if is_taken { check() } else { Outcome::NotChecked("other set") };
        tally.count(scheme.name, kind, "the seed", outcome);
    };
    let set = find(&hash, |(_, facts)| facts.n == trits.len()).ok_or_else(|| {
        let what = format!("no set has {} coefficients and {}", trits.len(), excerpt(&hash));
        FileError::json("trits(0,1,2=-1)", what)
    })?;
    count(Kind::Mask, set, &|| {
        let mut ours = vec![0; set.1.n];
        mask(run.cpu, set.1, &seed, &mut ours);
        let digits: Vec<_> = ours.into_iter().map(|x| x.rem_euclid(3)).collect();
        same(&trits, &digits)
    });
    for (i, Indices { param, indices: published }) in igf.iter().enumerate() {
        let set = find(&hash, |(scheme, _)| scheme.name == param).ok_or_else(|| {
            let what = format!("no set `{}` with {}", excerpt(param), excerpt(&hash));
            FileError::json(format!("igf[{i}].param"), what)
        })?;
        count(Kind::Indices, set, &|| {
            let mut ours = vec![0; set.1.indices()];
            indices(run.cpu, set.1, beginning, &mut ours);
            same(published, &ours)
        });
    }
    Ok(tally)
}
