//! Products of 32-bit lanes in full: transforms modulo primes below `2^30`.
//!
//! # The map
//! A product of two lanes has 64 bits. Products are added and subtracted as they are, and only their sum is
//! reduced. Montgomery's reduction takes such a sum `x`: with `m = x / p` modulo `2^32`, a signed lane,
//! `x - m p` is a multiple of `2^32`, and what is left is its high half, `x / 2^32` modulo `p`.
//!
//! Since `|m| <= 2^31`, the result is at most `|x| / 2^32 + p / 2`.
//!
//! # Products by constants
//! Where `z` is a constant, its *factor* is made beforehand: `z`, and the quotient `z' = z 2^k / p`, rounded
//! to the nearest. Let `t` be the integer below `a z' / 2^k`, or next to it. Then `a z - t p` is a product
//! modulo `p`, and small: only its low 32 bits are computed. [`Quotient`] says what a backend takes for `k`
//! and `t`, and how large the results are. Two products have one reduction: `a z + b w - t p`, with the
//! quotient of the sum. Quotients are those of P. Barrett's reduction.
//!
//! # Backends
//! Where the eight numbers of 64 bits stand is the backend's.
//! * AVX2: those of the even lanes and those of the odd ones, since its product reads the low half of each 64
//!   bits. Three shuffles bring them there and back.
//! * AVX-512: as AVX2, on one row; or on two rows in one register, eight products each
//!   ([`TwoRowLanes`], which has products by constants of its own).
//! * NEON: those of the lower and of the upper four lanes; its product widens, and subtracts as well.
//! * SSE2: as AVX2, two of each. Its product is unsigned; what signs add is kept apart and taken off at last.
//! * None: an array.
//!
//! # Source
//! P. L. Montgomery, *Modular multiplication without trial division*, Mathematics of Computation 44 (1985);
//! the signed form is G. Seiler's, *Faster AVX2 optimized NTT multiplication for Ring-LWE lattice
//! cryptography*, IACR ePrint 2018/039. Deviation: high halves are not taken before the difference. Products
//! by constants: H. Becker, V. Hwang, M. J. Kannwischer, B.-Y. Yang and S.-Y. Yang, *Neon NTT*, IACR ePrint
//! 2021/986, section 2. Deviation: a quotient that is rounded down, where no instruction rounds, and sums.
//!
//! # Constant time
//! No branch or address depends on a lane.

mod apart;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod plain;
mod rows;
#[cfg(target_arch = "x86_64")]
mod sse2;

use crate::I32Lanes;
pub use apart::RowsApart;
pub use rows::{Line32, RowLanes, TwoRowLanes};

/// The quotient that a backend takes in products by constants.
///
/// How large results are depends on the lane `a` a little: of two products, on `|a|` and `|b|` together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quotient {
    /// `floor(a z' / 2^32)`, of a sum of products as well: results are between `-e p` and `(1 + e) p`, with
    /// `e = |a| / 2^33`.
    Floor,
    /// `a z' / 2^31` rounded to the nearest, for each product by itself: results are at most `(1/2 + e) p` in
    /// absolute value, with `e = |a| / 2^32`, and those of two products at most `(1 + e) p`.
    Rounded,
}

impl Quotient {
    /// `k`, of the factors' `z' = z 2^k / p`.
    pub const fn bits(self) -> u32 {
        match self {
            Quotient::Floor => 32,
            Quotient::Rounded => 31,
        }
    }

    /// The factor of a constant `|z| < p / 2`, for an odd `p` below `2^31`.
    pub const fn factor(self, z: i64, p: i64) -> [i32; 2] {
        assert!(-p < 2 * z && 2 * z < p, "a constant that is not centred");
        let scaled = (z as i128) << self.bits();
        [z as i32, (2 * scaled + p as i128).div_euclid(2 * p as i128) as i32]
    }
}

/// Vectors of 8 lanes of `i32` whose products have 64 bits.
pub trait ProductLanes: I32Lanes {
    /// 8 numbers of 64 bits.
    type Products: Copy;

    /// `a b`.
    fn products32(self, a: Self::I32, b: Self::I32) -> Self::Products;
    /// `a + b` modulo `2^64`.
    fn add_products32(self, a: Self::Products, b: Self::Products) -> Self::Products;
    /// `a - b` modulo `2^64`.
    fn sub_products32(self, a: Self::Products, b: Self::Products) -> Self::Products;
    /// `x / 2^32` modulo `p >= 0`, where `inverse` is `p^-1` modulo `2^32`: the low 32 bits of
    /// `floor((x - m p) / 2^32)`, where `m` is the low 32 bits of `x inverse`, with a sign.
    fn montgomery32(self, x: Self::Products, p: Self::I32, inverse: Self::I32) -> Self::I32;
    /// `x` in two parts: its low 32 bits, and those of `floor(x / 2^K)`; `1 <= K <= 31`.
    fn split_products32<const K: i32>(self, x: Self::Products) -> (Self::I32, Self::I32);
    /// The quotient of products by constants.
    const QUOTIENT: Quotient;
    /// `a z - t p` modulo `2^32`, where `factor` is `z` and its quotient, and `t` what [`QUOTIENT`] says.
    ///
    /// [`QUOTIENT`]: ProductLanes::QUOTIENT
    fn times32(self, a: Self::I32, factor: [Self::I32; 2], p: Self::I32) -> Self::I32;
    /// `a z + b w - t p` modulo `2^32`, likewise.
    fn times_sum32(self, operands: [Self::I32; 2], factors: [[Self::I32; 2]; 2], p: Self::I32) -> Self::I32;
    /// `a + p` where `a` is negative, else `a`; `p >= 0` and `a >= -p`.
    #[inline(always)]
    fn add_if_negative32(self, a: Self::I32, p: Self::I32) -> Self::I32 {
        self.add32(a, self.and32(self.shift_right32::<31>(a), p))
    }
    /// `a - p` where `a > 0`, `a + p` where `a < 0`; where `a = 0` one of the three (CPUs differ, all are as
    /// good to us). So `|a| <= 2 p` becomes `|a| <= p`.
    fn step32(self, a: Self::I32, p: Self::I32) -> Self::I32;
}
