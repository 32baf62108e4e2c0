//! Rings modulo `x^n - 1` and a power of two, in which NTRU's families multiply.
//!
//! A ring is data, a degree and a modulus ([`each_ring!`]). Its kernels are those of its size class
//! ([`size_class`]): each is compiled once, and serves every ring of
//! the class.
//!
//! ```
//! use ringsmith_cyclic::rings::NtruHps677;
//! use ringsmith_ring::{Multiplier, Poly, Small};
//!
//! // (1024 x^676) (-x) = -1024 x^677 = -1024
//! let (mut a, mut b) = ([0i16; 677], [0i16; 677]);
//! (a[676], b[1]) = (-1024, 1);
//! let (a, b) = (Poly::<NtruHps677>::new(&a).unwrap(), Small::new(&b).unwrap());
//! let multiplier = Multiplier::new();
//! let (mut c, mut scratch) = (Poly::zero(), multiplier.scratch());
//! multiplier.multiply_small_into(&a, &b, &mut c, &mut scratch);
//! assert_eq!(c.centred()[..2], [-1024, 0]);
//! ```
//!
//! Constant time and free of overflow as all of the library: the compiler proves each ring here.
#![no_std]
#![forbid(unsafe_code)]
#![allow(long_running_const_eval, reason = "tables, plans and their proofs are computed by the compiler")]

pub mod class;
#[doc(hidden)]
pub mod element;
#[doc(hidden)]
pub mod lift;
pub mod rings;
#[doc(hidden)]
pub mod ternary;
pub mod whole;

use ringsmith_ring::algorithm::size_class;

/// Rows of an element of degree below `n`.
pub const fn rows(n: usize) -> usize {
    match size_class::of(n) {
        Some(class) => class.rows,
        None => panic!("a degree beyond all size classes"),
    }
}

/// The greatest power of two that the primes serve which serve `2^k` in the class of degree `n`.
pub const fn bits(n: usize, q: i64) -> u32 {
    match (rows(n), q.ilog2()) {
        (32, _) => 11,
        (45, k) if k <= 11 => 11,
        (45, _) => 13,
        (56 | 80, _) => 12,
        _ => 14,
    }
}
