//! Products of 32-bit lanes in full: transforms modulo primes below `2^30`.
//!
//! # The map
//! A product of two lanes has 64 bits. Products are added and subtracted as they are, and only their sum is
//! reduced. Montgomery's reduction takes such a sum `x`: with `m = x / p` modulo `2^32`, a signed lane,
//! `x - m p` is a multiple of `2^32`, and what is left is its high half, `x / 2^32` modulo `p`.
//!
//! Since `|m| <= 2^31`, the result is at most `|x| / 2^32 + p / 2`.
//!
//! # Backends
//! Where the eight numbers of 64 bits stand is the backend's.
//! * AVX2: those of the even lanes and those of the odd ones, since its product reads the low half of each 64
//!   bits. Three shuffles bring them there and back.
//! * NEON: those of the lower and of the upper four lanes; its product widens, and subtracts as well.
//! * SSE2: as AVX2, two of each. Its product is unsigned; what signs add is kept apart and taken off at last.
//! * None: an array.
//!
//! # Source
//! P. L. Montgomery, *Modular multiplication without trial division*, Mathematics of Computation 44 (1985);
//! the signed form is G. Seiler's, *Faster AVX2 optimized NTT multiplication for Ring-LWE lattice
//! cryptography*, IACR ePrint 2018/039. Deviation: high halves are not taken before the difference.
//!
//! # Constant time
//! No branch or address depends on a lane.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod plain;
#[cfg(target_arch = "x86_64")]
mod sse2;

use crate::I32Lanes;

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
    /// `a - p` where `a > 0`, `a + p` where `a < 0`; where `a = 0` one of the three (CPUs differ, all are as
    /// good to us). So `|a| <= 2 p` becomes `|a| <= p`.
    fn step32(self, a: Self::I32, p: Self::I32) -> Self::I32;
}
