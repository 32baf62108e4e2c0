//! The parts of NTRU's operations against published vectors, which are not in this repository.
//!
//! `RINGSMITH_VECTORS` names a folder with a folder `ntru`, in which are the files `SET_poly_FUNCTION.txt`,
//! compressed or not, as Bouncy Castle's test data have them: all functions of ntruhps2048509, and the
//! inverses of ntruhrss701.
#![cfg(ringsmith_internals)]

mod published;

use published::{Count, every};
use ringsmith_testkit::vectors::Kind;

/// Cases of each file.
const COUNT: usize = 100;

/// Protects: products modulo `q`, reductions, inverses modulo 2 and 3, elements as bytes and bytes as
/// elements, and how -1 is written, are the reference's.
#[test]
fn every_part() {
    let of_509 = [
        ("Rq_mul", Kind::Product),
        ("Sq_mul", Kind::Product),
        ("mod_q_Phi_n", Kind::Reduction),
        ("mod_3_Phi_n", Kind::Reduction),
        ("Rq_to_S3", Kind::Reduction),
        ("R2_inv", Kind::Inverse),
        ("S3_inv", Kind::Inverse),
        ("Rq_sum_zero_tobytes", Kind::Encoding),
        ("S3_tobytes", Kind::Encoding),
        ("Rq_sum_zero_frombytes", Kind::Decoding),
        ("Sq_frombytes", Kind::Decoding),
        ("S3_frombytes", Kind::Decoding),
        ("Z3_to_Zq", Kind::Representatives),
        ("trinary_Zq_to_Z3", Kind::Representatives),
    ];
    let of_701 = [("R2_inv", Kind::Inverse), ("S3_inv", Kind::Inverse)];
    let of_509 = of_509.map(|part| ("ntruhps2048509", part));
    let files = of_509.into_iter().chain(of_701.map(|part| ("ntruhrss701", part)));
    let expected: Vec<(String, Vec<Count<'_>>)> = files
        .map(|(set, (part, kind))| (format!("{set}_poly_{part}.txt"), vec![(set, kind, COUNT)]))
        .collect();
    every("ntru", |file| file.contains("_poly_"), &expected);
}
