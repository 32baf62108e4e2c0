//! Wycheproof's vectors for ML-DSA (`C2SP/wycheproof`, `testvectors_v1/mldsa_*_test.json`): JSON.
//!
//! | type of a group | its key | checked where `valid` | checked where `invalid` |
//! |---|---|---|---|
//! | `MlDsaSign` | `privateSeed` or `privateKey` | `publicKey`, `mu`, `sig` | nothing is signed |
//! | `MlDsaVerify` | `publicKey` | `sig` verifies | `sig` does not verify |
//!
//! What is signed is `msg` with `ctx`, or `mu` where there is no `msg`. `rnd` is zeros where there is none.

use super::super::json::{self, Hex, Place};
use super::super::{FileError, Run, Tally};
use super::subject::Published;
use super::{Signed, Subject};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    algorithm: String,
    number_of_tests: u64,
    test_groups: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    r#type: Type,
    private_seed: Option<Hex>,
    private_key: Option<Hex>,
    public_key: Option<Hex>,
    tests: Vec<Test>,
}

#[derive(Clone, Copy, Deserialize)]
enum Type {
    #[serde(rename = "MlDsaSign")]
    Sign,
    #[serde(rename = "MlDsaVerify")]
    Verify,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    tc_id: u64,
    result: Verdict,
    msg: Option<Hex>,
    mu: Option<Hex>,
    ctx: Option<Hex>,
    rnd: Option<Hex>,
    sig: Option<Hex>,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Valid,
    Invalid,
}

/// Checks a file.
pub(in super::super) fn check(run: Run, text: &str) -> Result<Tally, FileError> {
    let file: File = json::parse(text)?;
    json::counted(file.number_of_tests, file.test_groups.iter().map(|group| group.tests.len()))?;
    let (mut tally, subject) = (Tally::new("Wycheproof"), Subject::named(run, &file.algorithm));
    for (group, cases) in file.test_groups.iter().enumerate() {
        for (test, case) in cases.tests.iter().enumerate() {
            let case = Case { place: Place { group, test }, group: cases, test: case };
            match cases.r#type {
                Type::Sign => case.sign(&mut tally, &subject)?,
                Type::Verify => case.verify(&mut tally, &subject)?,
            }
        }
    }
    Ok(tally)
}

/// A test.
struct Case<'a> {
    place: Place,
    group: &'a Group,
    test: &'a Test,
}

impl<'a> Case<'a> {
    fn name(&self) -> String {
        format!("tcId {}", self.test.tc_id)
    }

    fn signed(&self) -> Result<Signed<'a>, FileError> {
        let context = self.test.ctx.as_ref().map_or(&[][..], |hex| &hex.0);
        match &self.test.msg {
            Some(message) => Ok(Signed::Message { context, message: &message.0 }),
            None => Ok(Signed::Mu(self.place.array("mu", &self.test.mu)?)),
        }
    }

    fn sign(&self, tally: &mut Tally, subject: &Subject) -> Result<(), FileError> {
        let key = self.group.private_seed.as_ref().or(self.group.private_key.as_ref());
        let (key, signed) = (self.place.bytes("privateSeed", key)?, self.signed()?);
        if self.test.result == Verdict::Invalid {
            subject.refuse_to_sign(tally, self.name(), key, signed);
            return Ok(());
        }
        let rnd = self.place.array_or_zero("rnd", &self.test.rnd)?;
        let given = |hex: &'a Option<Hex>| hex.as_ref().map(|hex| hex.0.as_slice());
        let (public, mu) = (given(&self.group.public_key), given(&self.test.mu));
        let published = Published { public, mu, signature: self.place.bytes("sig", &self.test.sig)? };
        subject.sign(tally, self.name(), key, signed, rnd, &published);
        Ok(())
    }

    fn verify(&self, tally: &mut Tally, subject: &Subject) -> Result<(), FileError> {
        let key = self.place.bytes("publicKey", &self.group.public_key)?;
        let signature = self.place.bytes("sig", &self.test.sig)?;
        let good = self.test.result == Verdict::Valid;
        subject.verify(tally, self.name(), (key, self.signed()?, signature), good);
        Ok(())
    }
}
