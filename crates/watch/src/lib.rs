//! A token that kernels run on to be watched: it panics where a lane overflows, and counts multiplications,
//! additions and small products. For tests and tables of numbers; no part of the library.
//!
//! ```
//! use ringsmith_simd::{Kernel, Row, Simd};
//! use ringsmith_watch::{LikeAvx2, Watching, counted};
//!
//! /// `out = a + a`.
//! struct Twice<'a>(&'a Row, &'a mut Row);
//! impl Kernel for Twice<'_> {
//!     type Out = ();
//!     fn run<S: Simd>(self, s: S) {
//!         let a = s.load(self.0);
//!         s.store(self.1, s.add(a, a));
//!     }
//! }
//!
//! let mut out = [0; 16];
//! let ((), counts) = counted(|| Watching::<LikeAvx2>::new().vectorize(Twice(&[1000; 16], &mut out)));
//! assert_eq!((out, counts.additions), ([2000; 16], 16));
//! ```
//!
//! # Overflow
//! Lanes of backends wrap, these don't: a sum, a rounding shift or a sign that its lane can't hold is a
//! panic. What a kernel wraps on purpose is none of its sums: halves of products. Residues modulo powers of
//! two wrap everywhere: they run on [`Words`], where nothing overflows, to be counted.
//!
//! # What counts
//! The count is that of the papers: one multiplication for a product of two numbers modulo `q`, whatever
//! instructions compute it, one addition for a sum or a difference of two. Reductions don't count.
//! Multiplications by constants are counted apart: those by a table's, as twiddles are, and those by one
//! constant in all lanes, most of which scale or take a factor off.
//!
//! A vector knows what its lanes are (`Role`): numbers, from memory or computed; one constant in all lanes;
//! or something in between, as a half of a product or a quotient. Products of numbers count, by
//! [`mul_mont`](ringsmith_simd::I16Lanes::mul_mont), by both halves or by pairs; sums of numbers count; what
//! is added or taken off in between belongs to a product or to a reduction. Small products, of polynomials of
//! few coefficients, are what algorithms say when they begin them
//! ([`begin_products`](ringsmith_simd::Watched::begin_products)); sums of polynomials likewise
//! ([`begin_sum`](ringsmith_simd::Watched::begin_sum)). A product of a vector by one word, added to a sum, is
//! one of both.
//!
//! # How
//! The arithmetic is the scalar backend's. Every operation is called, and vectors are numbers of places in a
//! list of the thread: kernels are functions of thousands of operations, and with rows in them compilers
//! would take minutes for each.
#![forbid(unsafe_code)]

mod counts;
mod machine;
mod token;
mod vectors;

pub use counts::{Counts, counted};
pub use machine::{LikeAvx2, LikeNeon, Machine, Plain, Words};
pub use token::{Watching, peaks};
pub use vectors::{Vector16, Vector32};
