//! Wycheproof's vectors for ML-KEM (`C2SP/wycheproof`, `testvectors_v1/mlkem_*_test.json`): JSON.
//!
//! | type of a group | fields | checked where `valid` | checked where `invalid` |
//! |---|---|---|---|
//! | `MLKEMKeyGen` | `seed`, `ek`, `dk` | the keys | |
//! | `MLKEMEncapsTest` | `ek`, `m`, `c`, `K` | ciphertext and shared key | the key is refused |
//! | `MLKEMTest` | `seed`, `ek`, `c`, `K` | the key, where given, and the shared key | `c` is refused |
//! | `MLKEMDecapsValidationTest` | `dk`, `c`, `K` | the shared key | key or ciphertext is refused |
//!
//! `seed` is `d || z`. An invalid seed is one of another length. `acceptable` cases pass where they are
//! refused, and otherwise are checked as valid ones.

use super::json::{self, Hex, Place};
use super::subject::{Encapsulated, Keys, Outcome, Subject, Target};
use super::tally::{Kind, Tally};
use super::{FileError, Run};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    number_of_tests: u64,
    test_groups: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    r#type: Type,
    parameter_set: String,
    tests: Vec<Test>,
}

#[derive(Clone, Copy, Deserialize)]
enum Type {
    #[serde(rename = "MLKEMKeyGen")]
    KeyGeneration,
    #[serde(rename = "MLKEMEncapsTest")]
    Encapsulation,
    #[serde(rename = "MLKEMTest")]
    SeedAndCiphertext,
    #[serde(rename = "MLKEMDecapsValidationTest")]
    KeyAndCiphertext,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    tc_id: u64,
    result: Verdict,
    seed: Option<Hex>,
    ek: Option<Hex>,
    dk: Option<Hex>,
    m: Option<Hex>,
    c: Option<Hex>,
    #[serde(rename = "K")]
    k: Option<Hex>,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Valid,
    Invalid,
    Acceptable,
}

/// Why a case whose message has another length is not checked.
const BY_TYPE: Outcome = Outcome::NotChecked("excluded by the type");

/// Checks a file.
pub(super) fn check(run: Run, text: &str) -> Result<Tally, FileError> {
    let file: File = json::parse(text)?;
    json::counted(file.number_of_tests, file.test_groups.iter().map(|group| group.tests.len()))?;
    let mut tally = Tally::new("Wycheproof");
    for (group, cases) in file.test_groups.iter().enumerate() {
        let target = Target::named(run, &cases.parameter_set);
        for (test, case) in cases.tests.iter().enumerate() {
            Case { place: Place { group, test }, test: case }.check(&mut tally, &target, cases.r#type)?;
        }
    }
    Ok(tally)
}

impl Verdict {
    /// What becomes of a case that is checked as valid, as refused, or as either.
    fn judge(self, valid: impl FnOnce() -> Outcome, refused: impl FnOnce() -> Outcome) -> Outcome {
        match self {
            Verdict::Valid => valid(),
            Verdict::Invalid => refused(),
            Verdict::Acceptable => match refused() {
                Outcome::Passed => Outcome::Passed,
                _ => valid(),
            },
        }
    }

    /// The kind of a case.
    fn kind(self, valid: Kind, refused: Kind) -> Kind {
        if self == Verdict::Invalid { refused } else { valid }
    }
}

/// A test.
struct Case<'a> {
    place: Place,
    test: &'a Test,
}

impl<'a> Case<'a> {
    fn check(&self, tally: &mut Tally, target: &Target, r#type: Type) -> Result<(), FileError> {
        match r#type {
            Type::KeyGeneration => self.key_generation(tally, target),
            Type::Encapsulation => self.encapsulation(tally, target),
            Type::SeedAndCiphertext => self.seed_and_ciphertext(tally, target),
            Type::KeyAndCiphertext => self.key_and_ciphertext(tally, target),
        }
    }

    fn name(&self) -> String {
        format!("tcId {}", self.test.tc_id)
    }

    /// A field of `N` bytes; none where an invalid case has another length.
    fn array<const N: usize>(
        &self,
        field: &str,
        value: &'a Option<Hex>,
    ) -> Result<Option<&'a [u8; N]>, FileError> {
        if self.test.result == Verdict::Invalid && self.place.bytes(field, value)?.len() != N {
            return Ok(None);
        }
        self.place.array(field, value).map(Some)
    }

    /// `d || z`, and whether it is to be refused for its length.
    fn seed(&self) -> Result<(&'a [u8], bool), FileError> {
        let seed = self.place.bytes("seed", &self.test.seed)?;
        Ok((seed, self.test.result == Verdict::Invalid && seed.len() != 64))
    }

    /// Ciphertext and shared key; an invalid case needs none.
    fn encapsulated(&self) -> Result<Encapsulated<'a>, FileError> {
        if self.test.result == Verdict::Invalid {
            let given = |value: &'a Option<Hex>| value.as_ref().map_or(&[][..], |hex| &hex.0);
            return Ok(Encapsulated { c: given(&self.test.c), k: given(&self.test.k) });
        }
        Ok(Encapsulated { c: self.place.bytes("c", &self.test.c)?, k: self.place.bytes("K", &self.test.k)? })
    }

    fn key_generation(&self, tally: &mut Tally, target: &Target) -> Result<(), FileError> {
        let result = self.test.result;
        let kind = result.kind(Kind::KeyGeneration, Kind::SeedRefused);
        let (seed, bad) = self.seed()?;
        if bad {
            tally.check(target, kind, self.name(), |s| s.refuse_seed(seed));
            return Ok(());
        }
        let (ek, dk) = (self.place.bytes("ek", &self.test.ek)?, Some(self.place.bytes("dk", &self.test.dk)?));
        let taken = || Outcome::Failed("a seed of 64 bytes is always taken".into());
        let keys = |s: Subject| s.generate_from(seed, Keys { ek, dk });
        tally.check(target, kind, self.name(), |s| result.judge(|| keys(s), taken));
        Ok(())
    }

    fn encapsulation(&self, tally: &mut Tally, target: &Target) -> Result<(), FileError> {
        let (result, encapsulated) = (self.test.result, self.encapsulated()?);
        let (ek, m) = (self.place.bytes("ek", &self.test.ek)?, self.array("m", &self.test.m)?);
        let check = |s: Subject| match m {
            Some(m) => result
                .judge(|| s.encapsulate_from(ek, m, encapsulated), || s.judge_encapsulation_key(ek, false)),
            None => BY_TYPE,
        };
        let kind = result.kind(Kind::Encapsulation, Kind::EncapsulationKeyRefused);
        tally.check(target, kind, self.name(), check);
        Ok(())
    }

    fn seed_and_ciphertext(&self, tally: &mut Tally, target: &Target) -> Result<(), FileError> {
        let (seed, bad) = self.seed()?;
        if bad {
            tally.check(target, Kind::SeedRefused, self.name(), |s| s.refuse_seed(seed));
            return Ok(());
        }
        if let Some(Hex(ek)) = &self.test.ek {
            let keys = Keys { ek, dk: None };
            tally.check(target, Kind::KeyGeneration, self.name(), |s| s.generate_from(seed, keys));
        }
        self.decapsulation(tally, target, Kind::CiphertextRefused, |s, check| s.with_key_from(seed, check))
    }

    fn key_and_ciphertext(&self, tally: &mut Tally, target: &Target) -> Result<(), FileError> {
        let dk = self.place.bytes("dk", &self.test.dk)?;
        self.decapsulation(tally, target, Kind::DecapsulationRefused, |_, check| check(dk))
    }

    /// Checks a decapsulation; `with_key` goes on with the private key.
    fn decapsulation(
        &self,
        tally: &mut Tally,
        target: &Target,
        refused: Kind,
        with_key: impl FnOnce(Subject, &dyn Fn(&[u8]) -> Outcome) -> Outcome,
    ) -> Result<(), FileError> {
        self.place.bytes("c", &self.test.c)?;
        let (result, encapsulated) = (self.test.result, self.encapsulated()?);
        tally.check(target, result.kind(Kind::Decapsulation, refused), self.name(), |s| {
            with_key(s, &|dk| {
                result.judge(
                    || s.decapsulate(dk, encapsulated),
                    || s.judge_decapsulation(dk, encapsulated.c, false),
                )
            })
        });
        Ok(())
    }
}
