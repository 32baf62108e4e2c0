//! Polynomials modulo a product of primes: a residue number system.
//!
//! # The map
//! For different primes `p_0 .. p_(k-1)` and their product `Q`, a number in `[0, Q)` is its `k` residues (the
//! Chinese remainder theorem). So the ring modulo `Q` is the rings modulo the primes side by side, and an
//! operand is one of each: a *limb*. Sums and products don't mix limbs.
//!
//! # Remainder
//! A number of several words is `x = sum x_j 2^(52 j)`, with digits below `2^52`. Its residue is the sum of
//! the products of the digits and constants modulo `p`, each a lazy product by a factor, in `[0, 2 p)`
//! (`ringsmith_simd::WordLanes`), which are added for as long as they are below `2^52`, and then reduced.
//!
//! # Lift
//! Back by mixed radix: `x = v_0 + v_1 p_0 + v_2 p_0 p_1 + ..` with `0 <= v_i < p_i`. With
//! `c_i = (p_0 .. p_(i-1))^-1` modulo `p_i` it is
//!
//! ```text
//! v_i = c_i x_i - c_i v_0 - (c_i p_0) v_1 - .. - (c_i p_0 .. p_(i-2)) v_(i-1)   modulo p_i,
//! ```
//!
//! a sum of products by constants as before. So one routine does both: `k^2 / 2` products a coefficient
//! here, `k` for each digit there. Then `x` is a sum of products of whole numbers, by digits of 52 bits: low
//! and high halves added for each digit, and carried once. `x` is below `Q` as it is; nothing is compared.
//!
//! # Bounds
//! A prime is below `2^50`, whatever the lanes of its ring: `room = (2^52 / p - 2) / 2` products and a
//! reduced sum stay below `2^52`, and `room` is 1 at least. A digit is a sum of at most `2 k` halves below
//! `2^52`, and `k <= 64`.
//!
//! # Source
//! H. L. Garner, *The residue number system*, IRE Transactions on Electronic Computers EC-8 (1959).
//! Deviation: each digit in mixed radix is one sum of products by constants, in place of `i` differences and
//! products.

mod blocks;
mod constants;
mod digits;
mod element;
mod kernels;
mod parallel;
mod ring;

pub(crate) use constants::MAX_PRIMES;
pub use element::{RnsPolynomial, RnsPrepared, RnsTransformed};
pub use ring::RnsRing;
