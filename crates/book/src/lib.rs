//! The pictures of the book, and the tests of its pages.
//!
//! The book is the folder `docs`. A picture of an algorithm is drawn by a function here, and a test compares
//! the file with what the function draws; bars of bounds are those that the compiler derives, and lengths of
//! transforms those that the planner of any ring has. Pictures of
//! figures are drawn from the pages that have the figures (`ringsmith-plot`). To write all files again:
//! `cargo run -p ringsmith-book`.
//!
//! Examples in Rust on the pages of algorithms are documentation tests of this crate (`pages`, below).
#![forbid(unsafe_code)]
#![allow(long_running_const_eval, reason = "plans and their proofs are computed by the compiler")]

use std::path::Path;
use std::{fs, io};

pub mod bars;
pub mod evaluations;
pub mod forests;
pub mod inverses;
pub mod layouts;
pub mod permutations;
pub mod products;
pub mod transforms;

/// A picture as text.
pub use ringsmith_plot::svg;

/// A picture: its place in `docs`, without `.svg`, and what draws it.
pub type Picture = (&'static str, fn() -> String);

/// Every picture.
pub const PICTURES: [Picture; 20] = [
    ("algorithms/schoolbook", products::schoolbook),
    ("algorithms/signed", products::signed),
    ("algorithms/karatsuba", products::karatsuba),
    ("algorithms/toom-cook", evaluations::toom_cook),
    ("algorithms/toeplitz", products::toeplitz),
    ("algorithms/ntt", transforms::ntt),
    ("algorithms/rows", layouts::rows),
    ("algorithms/good-thomas", permutations::good_thomas),
    ("algorithms/rader", permutations::rader),
    ("algorithms/bruun", transforms::bruun),
    ("algorithms/schoenhage", layouts::schoenhage),
    ("algorithms/interleaved", layouts::interleaved),
    ("algorithms/rns", evaluations::rns),
    ("algorithms/bounds", bars::transform),
    ("algorithms/k-red", bars::k_red),
    ("algorithms/words", bars::words),
    ("algorithms/inverses", inverses::inverses),
    ("algorithms/planner", evaluations::planner),
    ("any-ring.tree", forests::tree),
    ("any-ring.lengths", forests::lengths),
];

/// A picture of figures: its place in `docs`, the text there that has the figures, and what draws it.
pub type Figures = (&'static str, &'static str, fn(&str) -> Option<String>);

/// Every picture of figures.
pub const FIGURES: [Figures; 11] = [
    ("performance.kem.svg", "performance.md", ringsmith_plot::peers::draw),
    ("performance.svg", "performance.md", ringsmith_plot::routes::draw),
    ("any-ring.costs.svg", "any-ring.costs.txt", ringsmith_plot::costs::draw_text),
    ("any-ring.plan.svg", "any-ring.md", ringsmith_plot::plan::draw),
    ("build-cost.svg", "architecture.md", ringsmith_plot::build::draw),
    ("papers/akleylek-tok.svg", "papers/akleylek-tok.txt", ringsmith_plot::paper::draw),
    ("papers/gorbenko.svg", "papers/gorbenko.txt", ringsmith_plot::paper::draw),
    ("papers/longa-naehrig.svg", "papers/longa-naehrig.txt", ringsmith_plot::paper::draw),
    ("papers/newhope-compact.svg", "papers/newhope-compact.txt", ringsmith_plot::paper::draw),
    ("papers/ntru-prime.svg", "papers/ntru-prime.txt", ringsmith_plot::paper::draw),
    ("papers/ntru.svg", "papers/ntru.txt", ringsmith_plot::paper::draw),
];

/// Draws all of them, from the texts in a folder `docs`: places and pictures.
///
/// # Errors
/// Where a text is not there.
pub fn figures(docs: &Path) -> io::Result<Vec<(&'static str, String)>> {
    let draw = |(place, text, draw): Figures| {
        let text = fs::read_to_string(docs.join(text))?;
        Ok((place, draw(&text).unwrap_or_default()))
    };
    FIGURES.into_iter().map(draw).collect()
}

/// Where the first page has the table of speed.
const SPEED: [&str; 2] =
    ["<!-- written by `cargo run -p ringsmith-book` from docs/performance.md -->\n", "<!-- end -->"];

/// The first page with the figures of the page of performance; nothing where it has no place for them.
pub fn first_page(page: &str, performance: &str) -> Option<String> {
    let (before, rest) = page.split_once(SPEED[0])?;
    let (_, behind) = rest.split_once(SPEED[1])?;
    let table = ringsmith_plot::peers::table(performance);
    Some(format!("{before}{}\n{table}\n{}{behind}", SPEED[0], SPEED[1]))
}

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
