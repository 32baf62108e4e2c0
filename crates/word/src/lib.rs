//! Polynomials modulo `x^n + 1` or `x^n - 1` and a prime of up to 62 bits that is chosen at run time.
//!
//! Homomorphic encryption multiplies in such rings: `n` is a power of two from 2 to `2^17`, and `p - 1` a
//! multiple of `2 n`, so that products are transforms of length `n` (number-theoretic transforms). The prime
//! and the degree are values: nothing is compiled for them, and a ring is made in microseconds.
//!
//! # Start here
//! A [`WordRing`] holds the tables of one ring. It makes a [`Polynomial`] of your coefficients, numbers in
//! `[0, p)`, the constant term first. Operations take polynomials and give them back in the same memory.
//!
//! ```
//! use ringsmith_word::WordRing;
//!
//! let ring = WordRing::new(1024, 49_201_153)?;
//! let mut coefficients = [0; 1024];
//! coefficients[1023] = 3; // 3 x^1023
//! let a = ring.polynomial(&coefficients)?;
//! coefficients[1023] = 0;
//! coefficients[2] = 5; // 5 x^2
//! let b = ring.polynomial(&coefficients)?;
//!
//! // 15 x^1025 = -15 x, as x^1024 = -1
//! let product = ring.product(a, b)?;
//! let product: Vec<u64> = product.coefficients().collect();
//! assert_eq!(product[..3], [0, 49_201_153 - 15, 0]);
//! # Ok::<(), ringsmith_word::WordError>(())
//! ```
//!
//! # Sums of products, and operands that are used again
//! A product is three transforms. To add several products, add their transforms and leave the domain once. To
//! multiply by the same polynomial again, prepare it once:
//!
//! ```
//! # use ringsmith_word::{WordError, WordRing};
//! # fn main() -> Result<(), WordError> {
//! let ring = WordRing::new(2048, 70_368_740_769_793)?;
//! let key = ring.prepare(ring.polynomial(&[7; 2048])?)?;
//! let (a, b) = (ring.polynomial(&[1; 2048])?, ring.polynomial(&[2; 2048])?);
//!
//! let mut sum = ring.zero()?;
//! ring.accumulate_prepared(&mut sum, &ring.forward(a)?, &key)?;
//! ring.accumulate_prepared(&mut sum, &ring.forward(b)?, &key)?;
//! let sum = ring.inverse(sum)?;
//!
//! // 3 (1 + .. + x^2047) 7 (1 + .. + x^2047): coefficient 2047 is a sum of 2048 products.
//! assert_eq!(sum.coefficients().last(), Some(21 * 2048));
//! # Ok(())
//! # }
//! ```
//!
//! # More than one prime
//! Homomorphic encryption takes coefficients modulo a product of primes, which has hundreds of bits. An
//! [`RnsRing`] holds the ring of each prime, has the same operations, and brings numbers of several words to
//! residues and back. Its primes are below `2^50`, so that their sums of products have room in lanes of 52
//! bits; a ring of one prime goes up to `2^62`. The feature `rayon`, which takes the standard library, has
//! its primes side by side on threads.
//!
//! # Which primes
//! An odd prime below `2^62` such that `p - 1` is a multiple of `2 n` ([`Shape::Negacyclic`]) or of `n`
//! ([`Shape::Cyclic`]). 1073479681 (30 bits), 70368740769793 (46), 562949950537729 (49), 1152921504606584833
//! (60) and 4611686018425815041 (62) serve every `n` up to `2^17`. For other primes the constructor returns a
//! [`WordError`] that says why.
//!
//! # Memory
//! Constructors allocate, and return an error if there is no memory. Of the other operations only
//! [`WordRing::product_by`] allocates. From 64 coefficients on, a polynomial takes 4 or 8 bytes a
//! coefficient, by the lanes, and a ring 11, 16 or 32; below, both take eight times as much. Polynomials,
//! transformed and prepared ones are cleared when they are dropped.
//!
//! # Constant time
//! Nothing branches on a coefficient, divides by it or forms an address from it; whether all coefficients
//! that are given are below `p` is told. `n`, `p` and the kind of CPU are public. Tools look at every kind of
//! lanes, as at the library's other kernels.
//!
//! # How
//! One transform over the vectors of the CPU, and five kinds of lanes below it. Primes of up to 30 bits take
//! lanes of 32 bits, greater ones lanes of 64. Up to 49 bits these are integers of 52 bits where an
//! instruction multiplies those (`ringsmith_simd::WordLanes`, AVX-512), for primes of up to 30 bits too if
//! there are at most `2^15` coefficients; or doubles, where products of those are fused with a sum
//! (`ringsmith_simd::ResidueLanes`, AVX2). All others are integers of 64 bits. Lanes of 32 bits have
//! Montgomery's products (`ringsmith_simd::ProductLanes`); from 4096 coefficients on, where 512 bits are
//! computed at once (AMD's Zen 5), constants have quotients (`ringsmith_simd::TwoRowLanes`). The prime, the
//! degree and the CPU, all public, determine the kind. Each kind is compiled only for the CPUs that use it.
//!
//! Lanes are reduced lazily. Below `2^46` a prime leaves six bits of 52, enough for all layers of a transform
//! without a reduction; below `2^49` it leaves three, enough for three layers, or on doubles, which have
//! signs, for eleven; below `2^30` it leaves two bits of 32, in which two layers are done at once, or one
//! after the other by quotients; below `2^60` and `2^62` it leaves four and two bits of 64, where every other
//! layer reduces, or each. The compiler proves it for every such prime at once, so that nothing is left to
//! prove when a prime is chosen.
//! The page of [`WordRing`] describes the order of transformed polynomials.
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod balanced;
mod bounds;
mod element;
mod ends;
mod error;
#[cfg(feature = "k-red")]
mod k_red;
mod kernels;
mod kind;
mod lanes;
mod lanes32;
mod layers;
mod long;
mod memory;
mod narrow;
mod number;
mod pair;
mod pass;
mod plan;
mod quadratic;
mod quotient;
mod ring;
mod rns;
mod tables;
mod tail;
mod wide;
#[cfg(test)]
mod worst;

pub use element::{Polynomial, Prepared, Transformed};
pub use error::WordError;
pub use kind::LaneKind;
pub use number::is_prime;
pub use quadratic::{Form, Method};
pub use ring::{Shape, WordRing};
pub use rns::{RnsPolynomial, RnsPrepared, RnsRing, RnsTransformed};
