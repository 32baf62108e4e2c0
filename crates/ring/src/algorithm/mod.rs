//! The algorithms: each file opens with its mathematics, what it needs of `(q, n, f)`, and its source.

#[allow(unreachable_pub, reason = "choices stand in public traits")]
pub(crate) mod choice;
#[cfg(not(ringsmith_internals))]
#[allow(unreachable_pub, reason = "tests see it")]
mod codelet;
#[cfg(ringsmith_internals)]
pub mod codelet;
pub(crate) mod composition;
pub mod convolution;
pub mod good_thomas;
pub mod incomplete;
pub mod interleaved;
pub mod k_red;
pub mod karatsuba;
pub(crate) mod network;
pub mod ntt;
pub mod ordered;
mod plan;
pub mod rader;
mod residues;
pub mod rns;
pub mod rows;
pub mod schoenhage;
pub mod schoolbook;
pub mod signed;
pub mod size_class;
pub mod small;
pub mod toeplitz;
pub mod toom_cook;
pub(crate) mod tree;
pub mod with_zeroes;
pub mod words;
