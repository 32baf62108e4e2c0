//! Keys as files: JSON of PEM texts by name. The texts are those of RFC 9881, in the folder `examples` of
//! `lamps-wg/dilithium-certificates`, and of Bouncy Castle's test data.
//!
//! | label | checked |
//! |---|---|
//! | `PRIVATE KEY` | it is read; refused where its name says `bad` |
//! | `PUBLIC KEY` | it is read |
//! | others | nothing: of certificates the test `files` of `ringsmith-ml-dsa` verifies some |
//!
//! The set is told by the name, in which `_` stands for `-`. Keys whose names are the same up to the set's
//! name and with it belong to each other: their public keys are compared.

use super::super::json;
use super::super::subject::{Outcome, same};
use super::super::{FileError, Kind, Run, Tally};
use super::{Subject, subject};
use ringsmith::encoding::EncodingError;
use std::collections::BTreeMap;

/// Texts by name.
type Files = BTreeMap<String, String>;

const PRIVATE: &str = "PRIVATE KEY";
const PUBLIC: &str = "PUBLIC KEY";
const CERTIFICATE: &str = "CERTIFICATE";

/// The label of a text of PEM.
fn label(pem: &str) -> Option<&str> {
    pem.split_once("-----BEGIN ")?.1.split_once("-----").map(|(label, _)| label)
}

/// The files, if it is a list of such.
pub(in super::super) fn list(text: &str) -> Option<Files> {
    let files: Files = json::parse(text).ok()?;
    (!files.is_empty() && files.values().all(|pem| label(pem).is_some())).then_some(files)
}

/// Checks a file.
pub(in super::super) fn check(run: Run, files: &Files) -> Result<Tally, FileError> {
    let (mut tally, mut publics) = (Tally::new("keys by name"), Publics::default());
    for (name, pem) in files {
        let upper = name.to_uppercase().replace('_', "-");
        let set = subject::names().find(|set| upper.contains(set));
        let set = set.ok_or_else(|| FileError::json(name.as_str(), "names no set"))?;
        let stem = name.split_once(set).map_or(name.as_str(), |(stem, _)| stem);
        let (subject, read) = (Subject::named(run, set), |public| publics.same((set, stem), public));
        match label(pem) {
            Some(PRIVATE) if name.contains("bad") => {
                subject.read_private(&mut tally, Kind::PrivateKeyRefused, name, pem, |key| match key {
                    Err(EncodingError::Key(_)) => Outcome::Passed,
                    Err(why) => Outcome::Failed(format!("refused for another reason: {why}")),
                    Ok(_) => Outcome::Failed("taken, and should be refused".into()),
                });
            }
            Some(PRIVATE) => {
                subject.read_private(&mut tally, Kind::PrivateKeyTaken, name, pem, |key| outcome(key, read));
            }
            Some(PUBLIC) => subject.read_public(&mut tally, name, pem, |key| outcome(key, read)),
            Some(CERTIFICATE) => subject.not_checked(&mut tally, Kind::Certificate, name, "no key"),
            _ => subject.not_checked(&mut tally, Kind::OtherText, name, "no key"),
        }
    }
    Ok(tally)
}

/// What becomes of a key that should be read.
fn outcome(key: Result<Vec<u8>, EncodingError>, read: impl FnOnce(Vec<u8>) -> Result<(), String>) -> Outcome {
    match key {
        Ok(public) => read(public).into(),
        Err(EncodingError::DraftForm { .. }) => Outcome::NotChecked("a form of a draft, which is refused"),
        Err(why) => Outcome::Failed(why.to_string()),
    }
}

/// The public keys so far, by what they belong to.
#[derive(Default)]
struct Publics<'a>(BTreeMap<(&'a str, &'a str), Vec<u8>>);

impl<'a> Publics<'a> {
    /// Whether it is the same as those before.
    fn same(&mut self, of: (&'a str, &'a str), public: Vec<u8>) -> Result<(), String> {
        match self.0.get(&of) {
            Some(first) => same("public key", first, &public),
            None => {
                self.0.insert(of, public);
                Ok(())
            }
        }
    }
}
