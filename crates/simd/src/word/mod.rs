//! Lanes of 64 bits that multiply numbers of 52: transforms modulo primes of 30 to 46 bits.
//!
//! # The map
//! For words `a` and `b`, `p` is the product of their low 52 bits. A product is added in two halves,
//! `c + (p mod 2^52)` and `c + floor(p / 2^52)`; the sum has 64 bits. That is what the instructions of
//! AVX-512 IFMA do. A vector has eight lanes on every backend, so that one body, one table and one layout
//! serve all.
//!
//! # Backends
//! * AVX-512: an instruction each, on one register.
//! * AVX2: the high half by two fused multiply-adds on doubles, the low one by 32-bit products
//!   ([proof](self#the-high-half-by-doubles)).
//! * SSE2, NEON, none: 128-bit products of integers, lane by lane.
//!
//! # The high half by doubles
//! Let `0 <= a, b < 2^52`, as doubles (they have 53 bits, so these are exact), and `c = 2^104`. All
//! operations round to the nearest, ties to even, as Rust's doubles always do.
//!
//! 1. `s = a b + c`, rounded once. `c <= a b + c < 2^105`, where doubles are the multiples of `2^52`:
//!    `s = c + h 2^52`, with `h` an integer and `|a b - h 2^52| <= 2^51`. The bits of `s` below its exponent
//!    are `h`, which is below `2^52`, since `a b <= (2^52 - 1)^2 < 2^104 - 2^52`.
//! 2. `c - s = -h 2^52`, exactly: it has at most 52 bits.
//! 3. `r = a b + (c - s)`, rounded once; `a b - h 2^52` is an integer of at most `2^51`, so `r` is it.
//! 4. `floor(a b / 2^52)` is `h` where `r >= 0` and `h - 1` where `r < 0`. The sign of `r` is its top bit: a
//!    difference of equal numbers is `+0`. Where `h = 0`, `r = a b` is not negative.
//!
//! # Constant time
//! No branch, address or division depends on a lane. Fused multiply-adds and sums of doubles take the same
//! time for all operands that are neither denormal nor infinite; there are none here. The integer products of
//! plain Rust rely on the multiplier, as this crate does everywhere.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod plain;

use crate::WideRow;

/// The bits of a factor.
const BITS: u32 = 52;
/// The low 52 bits of a word.
const LOW: u64 = (1 << BITS) - 1;

/// Vectors of 8 lanes of `u64` that multiply numbers of 52 bits.
pub trait WordLanes: Copy {
    /// 8 lanes of `u64`.
    type Words: Copy;

    /// `x` in every lane.
    fn splat_words(self, x: u64) -> Self::Words;
    /// The lanes of a row.
    fn load_words(self, row: &WideRow) -> Self::Words;
    /// Writes the lanes to a row.
    fn store_words(self, row: &mut WideRow, v: Self::Words);
    /// `a + b` modulo `2^64`.
    fn add_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `a - b` modulo `2^64`.
    fn sub_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `a | b`.
    fn or_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `a & b`.
    fn and_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `a - b` where `a >= b`, else `a`; both are below `2^63`.
    fn sub_if_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `c + (p mod 2^52)` modulo `2^64`, where `p` is the product of the low 52 bits of `a` and of `b`.
    fn madd_low52(self, c: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `c + floor(p / 2^52)` modulo `2^64`, where `p` is the product of the low 52 bits of `a` and of `b`.
    fn madd_high52(self, c: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
    /// The transpose: lane `j` of result `i` is lane `i` of `x[j]`.
    fn transpose_words(self, x: [Self::Words; 8]) -> [Self::Words; 8];
}
