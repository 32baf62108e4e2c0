//! The pictures of the book, and the tests of its pages.
//!
//! The book is the folder `docs`. A picture of an algorithm is drawn by a function here, and a test compares
//! the file with what the function draws; bars of bounds are those that the compiler derives. To write the
//! files again: `cargo run -p ringsmith-book`.
//!
//! Examples in Rust on the pages of algorithms are documentation tests of this crate (`pages`, below).
#![forbid(unsafe_code)]
#![allow(long_running_const_eval, reason = "plans and their proofs are computed by the compiler")]

pub mod bars;
pub mod evaluations;
pub mod layouts;
pub mod permutations;
pub mod products;
pub mod svg;
pub mod transforms;

/// A picture: its name in `docs/algorithms`, without `.svg`, and what draws it.
pub type Picture = (&'static str, fn() -> String);

/// Every picture.
pub const PICTURES: [Picture; 16] = [
    ("schoolbook", products::schoolbook),
    ("karatsuba", products::karatsuba),
    ("toom-cook", evaluations::toom_cook),
    ("toeplitz", products::toeplitz),
    ("ntt", transforms::ntt),
    ("rows", layouts::rows),
    ("good-thomas", permutations::good_thomas),
    ("rader", permutations::rader),
    ("bruun", transforms::bruun),
    ("schoenhage", layouts::schoenhage),
    ("interleaved", layouts::interleaved),
    ("rns", evaluations::rns),
    ("bounds", bars::transform),
    ("k-red", bars::k_red),
    ("words", bars::words),
    ("planner", evaluations::planner),
];

/// The pages of algorithms, whose examples are tested.
#[cfg(doctest)]
pub mod pages {
    macro_rules! pages {
        ($($name:ident $path:literal)*) => { $(
            #[doc = include_str!(concat!("../../../docs/algorithms/", $path, ".md"))]
            pub mod $name {}
        )* };
    }
    pages! {
        schoolbook "schoolbook" karatsuba "karatsuba" toom_cook "toom-cook" toeplitz "toeplitz" ntt "ntt"
        rows "rows" good_thomas "good-thomas" rader "rader" schoenhage "schoenhage" rns "rns" k_red "k-red"
        interleaved "interleaved" signed "signed" words "words" inverses "inverses" planner "planner"
    }
}
