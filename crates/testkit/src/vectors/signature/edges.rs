//! Cases that isolate one check of verification each: JSON with a note and `tests`, each with its set, what
//! it is about, `pk`, `msg`, `ctx`, `sig`, and whether they are `valid`. Their public keys have `t1 = 0`, so
//! that the challenge is right for any response and hints.

use super::super::json::{self, Hex};
use super::super::text::excerpt;
use super::super::{FileError, Run, Tally};
use super::{Signed, Subject};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    tests: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    parameter_set: String,
    comment: String,
    pk: Hex,
    msg: Hex,
    ctx: Hex,
    sig: Hex,
    valid: bool,
}

/// Checks a file.
pub(in super::super) fn check(run: Run, text: &str) -> Result<Tally, FileError> {
    let (file, mut tally): (File, _) = (json::parse(text)?, Tally::new("isolated checks"));
    for (number, test) in file.tests.iter().enumerate() {
        let signed = Signed::Message { context: &test.ctx.0, message: &test.msg.0 };
        let name = format!("test {number}, {}", excerpt(&test.comment));
        let case = (test.pk.0.as_slice(), signed, test.sig.0.as_slice());
        Subject::named(run, &test.parameter_set).verify(&mut tally, name, case, test.valid);
    }
    Ok(tally)
}
