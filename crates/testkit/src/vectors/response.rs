//! NIST response files: records of lines `name = value`.
//!
//! The files of the known-answer tests of NIST's post-quantum call (`PQCgenKAT_kem.c` of the submission
//! packages), and those of BouncyCastle's test data (`bcgit/bc-test-data`, `pqc/crypto`). A record is
//! `count`, the randomness, `pk`, `sk`, `ct`, `ss`. The randomness is
//!
//! * `seed`: 48 bytes, which start the generator of [`crate::nist`]; it makes the keys, and goes on with the
//!   ciphertext;
//! * or `random`: `d || z || m` of FIPS 203.
//!
//! Each record checks the keys, the ciphertext made with the file's public key, and the shared key that the
//! file's private key finds in the file's ciphertext. The scheme is the one that a comment on top names,
//! otherwise the one with these sizes.

use super::subject::{Encapsulated, Keys, Target};
use super::tally::{Kind, Tally};
use super::text::{self, Line, excerpt, optional};
use super::{FileError, Run, Selection};
use crate::nist::{Draws, Drbg, FOLDER, OneByOne, title};
use ringsmith::scheme::{self, Scheme};

const FIELDS: [&str; 7] = ["count", "seed", "random", "pk", "sk", "ct", "ss"];

/// What keys and ciphertext are made from.
enum Randomness {
    Seed([u8; 48]),
    Given([[u8; 32]; 3]),
}

struct Record {
    count: String,
    randomness: Randomness,
    pk: Vec<u8>,
    sk: Vec<u8>,
    ct: Vec<u8>,
    ss: Vec<u8>,
}

/// Checks a response file.
pub(super) fn check(run: Run, text: &str) -> Result<Tally, FileError> {
    let records = records(text)?;
    let first = records.first().ok_or(FileError::Empty)?;
    let scheme = scheme_of(run.selection, text, first)?;
    let target = Target::of(run, scheme);
    let mut tally = Tally::new(match first.randomness {
        Randomness::Seed(_) => "response file, seed",
        Randomness::Given(_) => "response file, d z m",
    });
    let submitted = first_line(text).is_some_and(|line| line.contains(FOLDER));
    let draws = if submitted { Draws::AsSubmitted } else { Draws::AtOnce };
    let drbg = |seed: &[u8; 48]| OneByOne::new(Drbg::new(seed), scheme, draws);
    records.iter().for_each(|record| check_record(&mut tally, &target, record, &drbg));
    Ok(tally)
}

fn check_record(tally: &mut Tally, target: &Target, record: &Record, drbg: &impl Fn(&[u8; 48]) -> OneByOne) {
    let keys = Keys { ek: &record.pk, dk: Some(&record.sk) };
    let (ek, encapsulated) = (&record.pk, Encapsulated { c: &record.ct, k: &record.ss });
    let case = format!("count = {}", record.count);
    match &record.randomness {
        Randomness::Seed(seed) => {
            let mut drbg = drbg(seed);
            tally.check(target, Kind::KeyGeneration, &case, |s| s.generate(&mut drbg, keys));
            tally.check(target, Kind::Encapsulation, &case, |s| s.encapsulate(&mut drbg, ek, encapsulated));
        }
        Randomness::Given([d, z, m]) => {
            tally.check(target, Kind::KeyGeneration, &case, |s| s.generate_from(&[*d, *z].concat(), keys));
            tally.check(target, Kind::Encapsulation, &case, |s| s.encapsulate_from(ek, m, encapsulated));
        }
    }
    tally.check(target, Kind::Decapsulation, &case, |s| s.decapsulate(&record.sk, encapsulated));
}

fn records(text: &str) -> Result<Vec<Record>, FileError> {
    let lines = text::lines(text).map(Line::parse).collect::<Result<Vec<_>, _>>()?;
    if let Some(line) = lines.iter().find(|line| !FIELDS.contains(&line.name)) {
        let what = format!("`{}` is no field of a response file", excerpt(line.name));
        return Err(FileError::line(line.number, what));
    }
    // What stands before the first `count` is nothing: a file is recognised by a `count` in its first line.
    lines.chunk_by(|_, next| next.name != "count").map(Record::new).collect()
}

impl Record {
    fn new(lines: &[Line]) -> Result<Self, FileError> {
        let start = lines[0].number;
        let need = |name: &str| {
            let missing = || FileError::line(start, format!("the record that starts here has no `{name}`"));
            optional(lines, name)?.ok_or_else(missing)
        };
        Ok(Record {
            count: excerpt(need("count")?.value()?),
            randomness: Randomness::new(optional(lines, "seed")?, optional(lines, "random")?, start)?,
            pk: need("pk")?.bytes()?,
            sk: need("sk")?.bytes()?,
            ct: need("ct")?.bytes()?,
            ss: need("ss")?.bytes()?,
        })
    }
}

impl Randomness {
    fn new(seed: Option<&Line>, random: Option<&Line>, start: usize) -> Result<Self, FileError> {
        match (seed, random) {
            (Some(seed), None) => seed.array().map(Randomness::Seed),
            (None, Some(random)) => {
                let bytes: [u8; 96] = random.array()?;
                let part = |i: usize| std::array::from_fn(|j| bytes[32 * i + j]);
                Ok(Randomness::Given(std::array::from_fn(part)))
            }
            (None, None) => {
                Err(FileError::line(start, "the record that starts here has no `seed` and no `random`"))
            }
            (Some(_), Some(random)) => Err(FileError::line(random.number, "`random` beside `seed`")),
        }
    }
}

/// The comment on top.
fn first_line(text: &str) -> Option<&str> {
    text.lines().map(str::trim).find(|line| !line.is_empty()).filter(|line| line.starts_with('#'))
}

/// The scheme of a file: by the comment on top, otherwise by the sizes in the first record.
fn scheme_of(selection: Selection, text: &str, first: &Record) -> Result<&'static Scheme, FileError> {
    let plain = |name: &str| name.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    let named = first_line(text)
        .map(|text| plain(&text.replace(FOLDER, "")))
        .and_then(|text| scheme::ALL.iter().copied().find(|scheme| plain(title(scheme)) == text));
    if let Some(scheme) = named {
        return Ok(scheme);
    }
    let sizes = [&first.pk, &first.sk, &first.ct, &first.ss].map(Vec::len);
    let fits = |scheme: &&'static Scheme| {
        [scheme.public_key, scheme.private_key, scheme.ciphertext, scheme.shared_key] == sizes
    };
    let fitting: Vec<_> = scheme::ALL.iter().copied().filter(fits).collect();
    match (&fitting[..], selection) {
        ([], _) => Err(FileError::NoScheme(format!("no scheme has pk, sk, ct, ss of {sizes:?} bytes"))),
        ([one], _) => Ok(one),
        (several, Selection::One(one)) => {
            Ok(several.iter().find(|fit| fit.name == one).unwrap_or(&several[0]))
        }
        (_, Selection::All | Selection::Family(_)) => {
            Err(FileError::NoScheme("several schemes have these sizes: name one".into()))
        }
    }
}
