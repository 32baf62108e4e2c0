//! Lanes of 64 bits that multiply numbers of 52, or of 64: transforms modulo primes of 30 to 62 bits.
//!
//! # The map
//! For words `a` and `b`, `p` is the product of their low 52 bits. A product is added in two halves,
//! `c + (p mod 2^52)` and `c + floor(p / 2^52)`; the sum has 64 bits. That is what the instructions of
//! AVX-512 IFMA do. A row has eight lanes on every backend, so that one body, one table and one layout serve
//! all. A vector holds a row, or one of its words where no instruction multiplies more: then a body goes over
//! a row in eight pieces, with a word each in registers.
//!
//! What transforms do most is to multiply by a constant `w` modulo a prime `p`, which is below `2^51`, or
//! below `2^50` where doubles do it. A pair of words that is made beforehand, its *factor*, tells the
//! quotient of any `b w` and `p` but for less than 1, so that what is left is `t = b w` modulo `p` in
//! `(-p, p)`. What a factor is differs by backend.
//!
//! # By the halves of products
//! Let `p < 2^51`, so that `2 p < 2^52`. The factor is `w` and `w' = ceil(2^52 w / p)`, and
//! `t = b w - floor(b w' / 2^52) p`. With `w'` rounded down it is V. Shoup's, in NTL, and `t` is in
//! `[0, 2 p)`; rounded up it lies on both sides of 0.
//!
//! `w' = (2^52 w + e) / p` with `0 <= e < p`, so `b w' / 2^52 = b w / p + b e / (2^52 p)`. The last term is
//! in `[0, 1)`, as `b < 2^52`. So the floor is above `b w / p - 1` and below `b w / p + 1`. `w'` is at most
//! `2^52 - floor(2^52 / p)`, so it has 52 bits. `t` is computed modulo `2^52`: three multiply-adds, of which
//! the last two begin with `c`. A reduction is that by 1, with a quotient that is `k` less.
//!
//! # Backends
//! * AVX-512: an instruction each, on one register.
//! * AVX2: the high half by two fused multiply-adds on doubles, the low one by 32-bit products; products by
//!   factors on doubles alone. The proofs are below.
//! * SSE2, NEON, none: 128-bit products of integers, a word at a time.
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
//! # Products by a factor on doubles
//! Let `p < 2^50`, `w < p` and `0 <= b < 2^52`. The factor is `w` and `v = w / p`, rounded once.
//!
//! 1. `v` is in `[0, 1)`, so it is wrong by at most `2^-54`, and `b v` by less than `1/4`. `b v + 2^52` is in
//!    `[2^52, 2^53)`, where doubles are the integers; rounded once, and `2^52` taken off, it is `k`, the
//!    integer next to `b v`: `|b w / p - k| < 3/4`.
//! 2. `h = b w`, rounded, and `l = b w - h`, which is a double, of at most half a unit of `h`'s last place:
//!    `2^49`.
//! 3. `h - k p` is an integer, and less than `p + 2^49` in absolute value: a double, so rounding leaves it.
//! 4. `r = (h - k p) + l = b w - k p` is an integer in `(-p, p)`: exact.
//! 5. `r + (2^52 + p)` is in `[2^52, 2^53)`, where doubles are the integers: the bits below its exponent are
//!    `r + p`, in `(0, 2 p)`. The exponent stands above 52 bits, where nothing counts. `t` is `r`. A
//!    reduction has `k p` in place of `p`.
//!
//! # Products by a factor of 64 bits
//! Let `p < 2^62`, `w < p`, and `b` any word. The factor is `w` and `w' = floor(2^64 w / p)`, and
//! `t = b w - q p` with an approximate quotient `q`. As above, `floor(b w' / 2^64)` is above `b w / p - 2`
//! and at most `b w / p`; with it `t` is in `[0, 2 p)`. That takes all four products of the halves of `b` and
//! `w'`. With `b = b1 2^32 + b0` and `w' = w1 2^32 + w0`, three give
//!
//! ```text
//! q = b1 w1 + floor(b0 w1 / 2^32) + floor(b1 w0 / 2^32).
//! ```
//!
//! `b w' / 2^64` is greater by the two fractions and by `b0 w0 / 2^64`, each in `[0, 1)`. So `q` is above
//! `b w / p - 4` and at most `b w / p`, and `t` is in `[0, 4 p)`: less than `2^64`. Hence it is right modulo
//! `2^64`, and only low halves of `b w` and of `q p` are needed. In these `b0 w0` counts whole, and of the
//! products across the halves the low 32 bits.
//!
//! * AVX-512: `floor(x y / 2^32)` of numbers of 32 bits is the high half of a product of 52 bits, of `2^20 x`
//!   and `y`: two multiply-adds. Low halves have an instruction.
//! * AVX2: the products across both halves are one operation on lanes of 32 bits.
//! * Others take the exact quotient.
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
mod shoup;

use crate::{WideRow, each};
pub use shoup::factor64;

/// The bits of a factor.
const BITS: u32 = 52;
/// The low 52 bits of a word.
const LOW: u64 = (1 << BITS) - 1;

/// A constant, made to be multiplied by.
pub type Factor = [u64; 2];

/// Lanes of `u64` that multiply numbers of 52 bits: 8 in a vector, or one.
pub trait WordLanes: Copy {
    /// 8 lanes of `u64`, or one.
    type Words: Copy;
    /// How many vectors hold a row: 1 of 8 lanes, or 8 of one.
    const PIECES: usize;

    /// `x` in every lane.
    fn splat_words(self, x: u64) -> Self::Words;
    /// A piece of a row, of which there are [`PIECES`](WordLanes::PIECES).
    fn load_words(self, row: &WideRow, piece: usize) -> Self::Words;
    /// Writes a piece of a row.
    fn store_words(self, row: &mut WideRow, piece: usize, v: Self::Words);
    /// `a + b` modulo `2^64`.
    fn add_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `a - b` modulo `2^64`.
    fn sub_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `a | b`.
    fn or_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `a & b`.
    fn and_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `floor(a / 2^48)`.
    fn top_words(self, a: Self::Words) -> Self::Words;
    /// `c + a b` modulo `2^64`, of the low 32 bits of `a` and of `b`.
    fn madd_low32(self, c: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `a - b` where `a >= b`, else `a`; `b` is at most `2^63`, and `a` below `b + 2^63`.
    fn sub_if_words(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `c + (p mod 2^52)` modulo `2^64`, where `p` is the product of the low 52 bits of `a` and of `b`.
    fn madd_low52(self, c: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `c + floor(p / 2^52)` modulo `2^64`, where `p` is the product of the low 52 bits of `a` and of `b`.
    fn madd_high52(self, c: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
    /// A prime below `2^51` in lanes; below `2^50` with AVX2.
    type Prime: Copy;

    /// A prime below `2^51` in lanes; below `2^50` with AVX2.
    fn prime52(self, p: u64) -> Self::Prime;
    /// The factor of a constant `w < p`; both are public. It serves this backend alone.
    fn factor52(w: u64, p: u64) -> Factor;
    /// `c + t`, where `t` is `b w` modulo `p` in `(-p, p)`, for the low 52 bits of `b`. The low 52 bits of
    /// the sum are right, those above are of no meaning. The factors' words are in two vectors.
    fn madd_factor52(
        self,
        c: Self::Words,
        b: Self::Words,
        factors: [Self::Words; 2],
        p: Self::Prime,
    ) -> Self::Words;
    /// The middle of an interval: `k p`, where `k >= 1` and `(k + 1) p <= 2^52`. It serves this backend
    /// alone.
    fn around52(self, k: u64, p: u64) -> Self::Words;
    /// The low 52 bits of `a`, modulo `p` between `(k - 1) p` and `(k + 1) p`, in the low 52 bits. `one` is
    /// the factor of 1, `around` is of `k`.
    fn reduce52(
        self,
        a: Self::Words,
        one: [Self::Words; 2],
        around: Self::Words,
        p: Self::Prime,
    ) -> Self::Words;
    /// `a b` modulo `2^64`.
    fn low64(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `floor(a b / 2^64)`.
    fn high64(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// A prime below `2^62` in lanes.
    type LongPrime: Copy;

    /// A prime below `2^62` in lanes.
    fn prime64(self, p: u64) -> Self::LongPrime;
    /// `b w` modulo `p`, in `[0, 4 p)`, of any word `b`. The words of factors ([`factor64`]) are in two
    /// vectors.
    fn times64(self, b: Self::Words, factors: [Self::Words; 2], p: Self::LongPrime) -> Self::Words;
    /// The transpose: lane `j` of result `i` is lane `i` of `x[j]`. Vectors of one lane are left as they are.
    fn transpose_words(self, x: [Self::Words; 8]) -> [Self::Words; 8];
    /// The transpose of eight rows in memory.
    #[inline(always)]
    fn transpose_rows(self, rows: &mut [WideRow; 8]) {
        if Self::PIECES > 1 {
            return transpose(rows);
        }
        let columns = self.transpose_words(each(
            #[inline(always)]
            |i| self.load_words(&rows[i], 0),
        ));
        let mut i = 0;
        while i < 8 {
            self.store_words(&mut rows[i], 0, columns[i]);
            i += 1;
        }
    }
}

/// The transpose, word by word.
#[inline(always)]
fn transpose(rows: &mut [WideRow; 8]) {
    let mut i = 0;
    while i < 8 {
        let mut j = 0;
        while j < i {
            (rows[i][j], rows[j][i]) = (rows[j][i], rows[i][j]);
            j += 1;
        }
        i += 1;
    }
}
