//! Signatures: ML-DSA in NIST's ACVP (`acvp.rs`), in Wycheproof's files (`wycheproof.rs`), and in cases that
//! isolate one check of verification each (`edges.rs`); keys as files (`keys.rs`).

pub(super) mod acvp;
pub(super) mod edges;
pub(super) mod keys;
#[path = "../../../../ml_dsa/tests/ml_dsa_vectors/signed.rs"]
mod signed;
mod subject;
pub(super) mod wycheproof;

use signed::Signed;
use subject::Subject;
pub(super) use subject::{named, names};
