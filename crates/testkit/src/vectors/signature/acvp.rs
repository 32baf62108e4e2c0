//! NIST's Automated Cryptographic Validation Protocol, ML-DSA, FIPS 204: JSON.
//!
//! `internalProjection.json` of the folders `ML-DSA-keyGen-FIPS204`, `ML-DSA-sigGen-FIPS204` (and `-tr1`) and
//! `ML-DSA-sigVer-FIPS204` of `usnistgov/ACVP-Server` (`gen-val/json-files`); the fields are those of
//! draft-celi-acvp-ml-dsa.
//!
//! | mode | checked |
//! |---|---|
//! | `keyGen` | `seed` to `pk`, `sk` |
//! | `sigGen` | `sk` or `seed`, what is signed, `rnd` (zeros where there is none) to `signature` |
//! | `sigVer` | `pk`, what is signed, `signature`: taken or refused, as `testPassed` says |
//!
//! What is signed is `mu` where the test has it; `message` as it stands where `signatureInterface` is
//! `internal`; its digest by `hashAlg` with `context` where `preHash` is `preHash`; otherwise `message` with
//! `context`.

use super::super::json::{self, Hex, Place};
use super::super::{FileError, Run, Tally};
use super::signed::hash_of;
use super::subject::Published;
use super::{Signed, Subject};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    parameter_set: String,
    signature_interface: Option<String>,
    pre_hash: Option<String>,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    tc_id: u64,
    seed: Option<Hex>,
    pk: Option<Hex>,
    sk: Option<Hex>,
    message: Option<Hex>,
    mu: Option<Hex>,
    context: Option<Hex>,
    hash_alg: Option<String>,
    rnd: Option<Hex>,
    signature: Option<Hex>,
    test_passed: Option<bool>,
}

/// Checks a file of one of the three modes.
pub(in super::super) fn check(run: Run, text: &str, mode: &str) -> Result<Tally, FileError> {
    let groups: Vec<Group> = json::acvp(text, ["FIPS204", "FIPS204-tr1"])?;
    let mut tally = Tally::new(match mode {
        "keyGen" => "ACVP keyGen",
        "sigGen" => "ACVP sigGen",
        "sigVer" => "ACVP sigVer",
        _ => return Err(FileError::json("mode", "is not `keyGen`, `sigGen` or `sigVer`")),
    });
    for (group, cases) in groups.iter().enumerate() {
        let subject = Subject::named(run, &cases.parameter_set);
        for (test, case) in cases.tests.iter().enumerate() {
            let case = Case { place: Place { group, test }, group: cases, test: case };
            match mode {
                "keyGen" => case.key_generation(&mut tally, &subject)?,
                "sigGen" => case.signing(&mut tally, &subject)?,
                _ => case.verifying(&mut tally, &subject)?,
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

    /// What is signed.
    fn signed(&self) -> Result<Signed<'a>, FileError> {
        if self.test.mu.is_some() {
            return Ok(Signed::Mu(self.place.array("mu", &self.test.mu)?));
        }
        let message = self.place.bytes("message", &self.test.message)?;
        if self.group.signature_interface.as_deref() == Some("internal") {
            return Ok(Signed::Internal(message));
        }
        let context = self.place.bytes("context", &self.test.context)?;
        if self.group.pre_hash.as_deref() != Some("preHash") {
            return Ok(Signed::Message { context, message });
        }
        let name = self.place.need("hashAlg", self.test.hash_alg.as_ref())?;
        let hash = hash_of(name).ok_or_else(|| self.place.error("hashAlg", "is no hash of FIPS 204"))?;
        Ok(Signed::Prehashed { context, hash, message })
    }

    fn key_generation(&self, tally: &mut Tally, subject: &Subject) -> Result<(), FileError> {
        let seed = self.place.array("seed", &self.test.seed)?;
        let published = [self.place.bytes("pk", &self.test.pk)?, self.place.bytes("sk", &self.test.sk)?];
        subject.generate(tally, self.name(), seed, published);
        Ok(())
    }

    fn signing(&self, tally: &mut Tally, subject: &Subject) -> Result<(), FileError> {
        let key = match &self.test.sk {
            None => self.place.bytes("seed", &self.test.seed)?,
            sk => self.place.bytes("sk", sk)?,
        };
        let rnd = self.place.array_or_zero("rnd", &self.test.rnd)?;
        let signature = self.place.bytes("signature", &self.test.signature)?;
        let published = Published { public: None, mu: None, signature };
        subject.sign(tally, self.name(), key, self.signed()?, rnd, &published);
        Ok(())
    }

    fn verifying(&self, tally: &mut Tally, subject: &Subject) -> Result<(), FileError> {
        let (key, signature) =
            (self.place.bytes("pk", &self.test.pk)?, self.place.bytes("signature", &self.test.signature)?);
        let good = self.place.need("testPassed", self.test.test_passed.as_ref()).copied()?;
        subject.verify(tally, self.name(), (key, self.signed()?, signature), good);
        Ok(())
    }
}
