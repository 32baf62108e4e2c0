//! NIST's Automated Cryptographic Validation Protocol, ML-KEM, FIPS 203: JSON.
//!
//! `internalProjection.json` of the folders `ML-KEM-keyGen-FIPS203`, `ML-KEM-encapDecap-FIPS203` and
//! `ML-KEM-encapDecap-FIPS203-tr1` of `usnistgov/ACVP-Server` (`gen-val/json-files`), which has inputs and
//! answers in one file; the fields are those of draft-celi-acvp-ml-kem. A prompt or an answer alone lacks the
//! other's fields, and is refused.
//!
//! | mode | function | type | checked |
//! |---|---|---|---|
//! | `keyGen` | | AFT | `d`, `z` to `ek`, `dk` |
//! | `encapDecap` | `encapsulation` | AFT | `ek`, `m` to `c`, `k`; with `dk`, `dk`, `c` to `k` too |
//! | `encapDecap` | `decapsulation` | VAL | `dk`, `c` to `k`; or `d`, `z`, `c` to `k`, and `dk` |
//! | `encapDecap` | `encapsulationKeyCheck` | VAL | `ek` is taken or refused, as `testPassed` says |
//! | `encapDecap` | `decapsulationKeyCheck` | VAL | `dk` is taken or refused |
//!
//! For `decapsulation`, `dk` stands in the test or, in older files, in the group. Where `keyFormat` is
//! `seed`, a private key is given as its seed, `d` and `z`. If `dk` is given too, it must be the seed's.

use super::json::{self, Hex, Place};
use super::subject::{Encapsulated, Keys, Outcome, Target};
use super::tally::{Kind, Tally};
use super::{FileError, Run};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    parameter_set: String,
    function: Option<String>,
    key_format: Option<String>,
    dk: Option<Hex>,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    tc_id: u64,
    d: Option<Hex>,
    z: Option<Hex>,
    ek: Option<Hex>,
    dk: Option<Hex>,
    m: Option<Hex>,
    c: Option<Hex>,
    k: Option<Hex>,
    test_passed: Option<bool>,
}

/// What a group is about.
#[derive(Clone, Copy)]
enum Function {
    KeyGeneration,
    Encapsulation,
    Decapsulation,
    EncapsulationKeyCheck,
    DecapsulationKeyCheck,
}

/// Checks a file of one of the two modes.
pub(super) fn check(run: Run, text: &str, mode: &str) -> Result<Tally, FileError> {
    let groups: Vec<Group> = json::acvp(text, ["FIPS203", "FIPS203-tr1"])?;
    let mut tally = Tally::new(match mode {
        "keyGen" => "ACVP keyGen",
        "encapDecap" => "ACVP encapDecap",
        _ => return Err(FileError::json("mode", "is not `keyGen` or `encapDecap`")),
    });
    for (group, cases) in groups.iter().enumerate() {
        let function = Function::of(group, mode, cases.function.as_deref())?;
        let target = Target::named(run, &cases.parameter_set);
        let of_seed = of_seed(group, cases.key_format.as_deref())?;
        for (test, case) in cases.tests.iter().enumerate() {
            let dk = case.dk.as_ref().or(cases.dk.as_ref());
            let case = Case { place: Place { group, test }, dk, of_seed, test: case };
            case.check(&mut tally, &target, function)?;
        }
    }
    Ok(tally)
}

/// Whether the private keys of a group are given as their seeds.
fn of_seed(group: usize, format: Option<&str>) -> Result<bool, FileError> {
    match format {
        Some("seed") => Ok(true),
        None | Some("none" | "expanded") => Ok(false),
        Some(_) => {
            let path = format!("testGroups[{group}].keyFormat");
            Err(FileError::json(path, "is not `seed`, `expanded` or `none`"))
        }
    }
}

impl Function {
    fn of(group: usize, mode: &str, function: Option<&str>) -> Result<Self, FileError> {
        let path = || format!("testGroups[{group}].function");
        match (mode, function) {
            ("keyGen", None) => Ok(Function::KeyGeneration),
            ("encapDecap", Some("encapsulation")) => Ok(Function::Encapsulation),
            ("encapDecap", Some("decapsulation")) => Ok(Function::Decapsulation),
            ("encapDecap", Some("encapsulationKeyCheck")) => Ok(Function::EncapsulationKeyCheck),
            ("encapDecap", Some("decapsulationKeyCheck")) => Ok(Function::DecapsulationKeyCheck),
            (_, None) => Err(FileError::json(path(), "missing")),
            (_, Some(_)) => Err(FileError::json(path(), format!("is no function of the mode `{mode}`"))),
        }
    }
}

/// A test, with what its group gives it.
struct Case<'a> {
    place: Place,
    test: &'a Test,
    dk: Option<&'a Hex>,
    of_seed: bool,
}

impl Case<'_> {
    fn check(&self, tally: &mut Tally, target: &Target, function: Function) -> Result<(), FileError> {
        match function {
            Function::KeyGeneration => self.key_generation(tally, target),
            Function::Encapsulation => self.encapsulation(tally, target),
            Function::Decapsulation => self.decapsulation(tally, target),
            Function::EncapsulationKeyCheck => self.encapsulation_key_check(tally, target),
            Function::DecapsulationKeyCheck => self.decapsulation_key_check(tally, target),
        }
    }

    fn name(&self) -> String {
        format!("tcId {}", self.test.tc_id)
    }

    fn encapsulated(&self) -> Result<Encapsulated<'_>, FileError> {
        let (c, k) = (self.place.bytes("c", &self.test.c)?, self.place.bytes("k", &self.test.k)?);
        Ok(Encapsulated { c, k })
    }

    fn seed(&self) -> Result<Vec<u8>, FileError> {
        let d: &[u8; 32] = self.place.array("d", &self.test.d)?;
        let z: &[u8; 32] = self.place.array("z", &self.test.z)?;
        Ok([*d, *z].concat())
    }

    fn good(&self) -> Result<bool, FileError> {
        self.place.need("testPassed", self.test.test_passed.as_ref()).copied()
    }

    fn key_generation(&self, tally: &mut Tally, target: &Target) -> Result<(), FileError> {
        let seed = self.seed()?;
        let (ek, dk) = (self.place.bytes("ek", &self.test.ek)?, self.place.bytes("dk", self.dk)?);
        let keys = Keys { ek, dk: Some(dk) };
        tally.check(target, Kind::KeyGeneration, self.name(), |s| s.generate_from(&seed, keys));
        Ok(())
    }

    fn encapsulation(&self, tally: &mut Tally, target: &Target) -> Result<(), FileError> {
        let (ek, m) = (self.place.bytes("ek", &self.test.ek)?, self.place.array("m", &self.test.m)?);
        let encapsulated = self.encapsulated()?;
        tally.check(target, Kind::Encapsulation, self.name(), |s| s.encapsulate_from(ek, m, encapsulated));
        match self.dk {
            Some(_) => self.decapsulation(tally, target),
            None => Ok(()),
        }
    }

    fn decapsulation(&self, tally: &mut Tally, target: &Target) -> Result<(), FileError> {
        if self.of_seed {
            return self.decapsulation_of_seed(tally, target);
        }
        let (dk, encapsulated) = (self.place.bytes("dk", self.dk)?, self.encapsulated()?);
        tally.check(target, Kind::Decapsulation, self.name(), |s| s.decapsulate(dk, encapsulated));
        Ok(())
    }

    fn decapsulation_of_seed(&self, tally: &mut Tally, target: &Target) -> Result<(), FileError> {
        let (seed, encapsulated) = (self.seed()?, self.encapsulated()?);
        tally.check(target, Kind::Decapsulation, self.name(), |s| {
            s.with_key_from(&seed, |dk| match self.dk {
                Some(published) if published.0 != dk => Outcome::Failed("`dk` is not the seed's".into()),
                _ => s.decapsulate(dk, encapsulated),
            })
        });
        Ok(())
    }

    fn encapsulation_key_check(&self, tally: &mut Tally, target: &Target) -> Result<(), FileError> {
        let (ek, good) = (self.place.bytes("ek", &self.test.ek)?, self.good()?);
        let kind = if good { Kind::EncapsulationKeyTaken } else { Kind::EncapsulationKeyRefused };
        tally.check(target, kind, self.name(), |s| s.judge_encapsulation_key(ek, good));
        Ok(())
    }

    fn decapsulation_key_check(&self, tally: &mut Tally, target: &Target) -> Result<(), FileError> {
        let (dk, good) = (self.place.bytes("dk", self.dk)?, self.good()?);
        let kind = if good { Kind::DecapsulationKeyTaken } else { Kind::DecapsulationKeyRefused };
        tally.check(target, kind, self.name(), |s| s.judge_decapsulation_key(dk, good));
        Ok(())
    }
}
