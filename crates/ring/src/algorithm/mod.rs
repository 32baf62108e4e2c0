//! The algorithms: each file opens with its mathematics, what it needs of `(q, n, f)`, and its source.

pub mod choice;
pub mod codelet;
pub mod convolution;
pub mod good_thomas;
pub mod incomplete;
pub mod k_red;
pub mod karatsuba;
pub(crate) mod network;
pub mod ntt;
pub mod ordered;
pub mod plan;
pub mod rader;
mod residues;
pub mod rns;
pub mod rows;
pub mod schoenhage;
pub mod schoolbook;
pub mod toom_cook;
mod tree;
