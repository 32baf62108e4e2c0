//! Products in `Z_q[x]/(f)`, where `q` and `f` are known when a program runs: any modulus from 2 to `2^62`,
//! prime or not, and any monic `f` of degree 1 to 65536.
//!
//! # Start here
//! A [`Ring`] is made of `q` and `f`. Elements are slices of coefficients.
//!
//! ```
//! use ringsmith_any::Ring;
//!
//! let ring = Ring::of(&"Z_4096[x]/(x^743-x-1)".parse()?)?;
//! let mut room = ring.room()?; // the memory that products take
//! let mut a = [0_u16; 743];
//! a[742] = 3; // 3 x^742
//! let mut b = [0_u16; 743];
//! b[2] = 5; // 5 x^2
//! let mut product = [0_u16; 743];
//! ring.product(&a, &b, &mut product, &mut room)?;
//! // 15 x^744 = 15 x (x + 1), as x^743 = x + 1
//! assert_eq!(product[..3], [0, 15, 15]);
//! println!("{}", ring.route());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How
//! Products are exact: over the integers, by transforms modulo up to five primes of 46 bits
//! (`ringsmith_word`), of which the ring takes as many as its operands' bounds ask for; where `q` is a prime
//! with the roots of unity, modulo `q` itself. Where `f` is `x^n - 1` or `x^n + 1` and `n` a power of two,
//! transforms have length `n` and wrap as `f` does. Else they hold the whole product, by lengths of 1, 1.25,
//! 1.5 and 1.75 times a power of two, and it is divided by `f`: term by term where that has few, already in
//! the residues where the primes hold what comes of it; by two more products where it has many.
//! [`Ring::route`] says what was chosen.
//!
//! Where kernels were compiled for a ring, they can serve it through the same operations: see [`compiled`].
//!
//! # Many products
//! [`Ring::products`] multiplies slices of elements pair by pair: with the feature `rayon`, which takes the
//! standard library, on several threads.
//!
//! # Inverses
//! [`Inverses`] has them, for a `q` that is a prime or a power of one, up to degree 4096.
//!
//! # Constant time
//! Nothing branches on a coefficient, divides by it or forms an address from it; whether all coefficients
//! that are given are in range is told. `q`, `f`, bounds and the kind of CPU are public.
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod batch;
mod coefficient;
pub mod compiled;
mod cost;
mod divisor;
mod error;
mod exact;
mod expression;
mod fold;
mod forest;
mod inverse;
mod lanes;
mod memory;
mod operands;
mod packed;
mod parse;
mod planned;
mod polynomial;
mod range;
mod ring;
mod route;
mod schoolbook;
mod weights;
mod written;
mod zq;

pub use coefficient::Coefficient;
pub use cost::{Candidate, Candidates, Costs, Kind, Method, Refused, WhyNot, Work};
pub use error::{MAX_BITS, MAX_DEGREE, RingError};
pub use expression::Expression;
#[doc(hidden)]
pub use forest::lengths;
pub use inverse::Inverses;
pub use operands::Operands;
pub use parse::ParseError;
pub use polynomial::Polynomial;
pub use ring::{Prepared, Ring, Room};
pub use route::Route;
