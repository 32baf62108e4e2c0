//! Pictures of figures, as SVG of one screen.
//!
//! A picture is drawn from the text that has its figures: a page in Markdown, or the tables that a program
//! prints. So it can be drawn anew without measuring, and a test can compare it with the text.
//!
//! | picture | of |
//! |---|---|
//! | [`peers::draw`] | how many times as long as ours other libraries take, from the page of performance |
//! | [`routes::draw`] | products in a few rings by each route, from the same page |
//! | [`paper::draw`] | the tables of a paper: what was published beside what was measured |
//! | [`plan::draw`] | the methods for products in a ring: predicted, and measured |
//! | [`build::draw`] | what compiling costs, from a page's table |
//! | [`costs::draw`] | what a model predicts beside what was measured |
//!
//! ```
//! let page = "\
//! * machine: a machine
//!
//! #### ML-KEM-768
//!
//! | operation | avx2 | other 1.0 (avx2) |
//! |---|---:|---:|
//! | keygen | 1,000 | 2,500 (2.50) |
//! ";
//! let picture = ringsmith_plot::peers::draw(page).unwrap();
//! assert!(picture.starts_with("<svg") && picture.contains("other 1.0 (avx2)") && picture.contains("2.50"));
//! ```
#![forbid(unsafe_code)]

pub mod axis;
pub mod build;
mod compare;
pub mod costs;
pub mod panel;
pub mod paper;
pub mod peers;
pub mod plan;
pub mod routes;
pub mod svg;
pub mod table;
