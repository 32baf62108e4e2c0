//! Lanes of residues that lie around 0: transforms modulo primes of up to 49 bits, on doubles.
//!
//! # The map
//! A lane is an integer of less than `2^52` in absolute value, which stands for its residue modulo a prime
//! `p < 2^49`. Lanes are added and subtracted as they are; a sum may have any sign, so nothing is added to
//! keep it positive. How a lane's bits stand for the number is the backend's.
//!
//! A product by a constant `w` is computed with a pair of words that is made beforehand, the constant's
//! *factor*. `w` is taken in `(-p/2, p/2)`.
//!
//! # On doubles
//! AVX2 has no product of 64 bits, but fused multiply-adds of doubles: `a b + c`, rounded once. All
//! operations round to the nearest, ties to even, as Rust's doubles always do. Let `|b| <= 2^52`, and let `v`
//! be `w / p`, rounded once: it is less than `1/2`, so it is wrong by at most `2^-55`. `M = 3 * 2^51`.
//!
//! 1. `b v + M` is in `[2^52, 2^53]`, where doubles are the integers; rounded once, and `M` taken off, it is
//!    `k`, an integer next to `b v`: `|b w / p - k| <= 1/2 + |b| 2^-55 <= 5/8`.
//! 2. `h = b w`, rounded, and `l = b w - h`, exactly: `|b w| < 2^100`, so `|l| <= 2^46`, and `h` and `l` are
//!    integers.
//! 3. `h - k p` is an integer of at most `5/8 p + 2^46 < 2^49`: a double, so rounding leaves it.
//! 4. `t = (h - k p) + l = b w - k p` is an integer of at most `5/8 p`: exact.
//!
//! A butterfly adds `l` to `a` before it adds `h - k p`: `l` is there first, and so the sum comes an addition
//! earlier than that of `a` and `t`. `|a + l| <= 2^52 + 2^46` and `|a + t| < 2^53` are integers: nothing is
//! rounded. The same of the difference.
//!
//! A reduction of `|a| <= 8 p` is `a - k p`, with `k` next to `a (1/p)`. `1/p` is wrong by at most one part
//! in `2^53`, so that `|a / p - k| <= 1/2 + 2^-49`, and what is left is at most `(p + 1) / 2`.
//!
//! A product of `|a| <= 4 p` and of `b`, which is reduced, is the same with `h = a b`, and `k` next to
//! `h (1/p)`: `|a b / p| <= 2 p + 4 < 2^50 + 4`, and `h (1/p)` is wrong by two parts in `2^53` of that, a
//! quarter. So `|a b / p - k| < 3/4 + 2^-40`, and the rest is as above.
//!
//! # Backends
//! * AVX2: doubles, four in a register.
//! * Others: integers of 64 bits with a sign, whose products have 128, lane by lane.
//!
//! # Source
//! J. van der Hoeven, G. Lecerf and G. Quintin, *Modular SIMD arithmetic in Mathemagix*, ACM Transactions on
//! Mathematical Software 43 (2016), section 4. Deviation: residues around 0, which are not put into an
//! interval after every product.
//!
//! # Constant time
//! As for [`WordLanes`](crate::WordLanes): sums, products and conversions of doubles that are neither
//! denormal nor infinite take the same time for all operands.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod plain;

use crate::{Factor, WideRow};

/// Lanes of a vector.
const LANES: usize = 4;

/// Half of a row: 0 or 1.
#[inline(always)]
fn half(row: &WideRow, half: usize) -> &[u64; LANES] {
    let [first, second] = row.as_chunks().0 else { unreachable!("eight words") };
    if half == 0 { first } else { second }
}

/// The same, to be written.
#[inline(always)]
fn half_mut(row: &mut WideRow, half: usize) -> &mut [u64; LANES] {
    let [first, second] = row.as_chunks_mut().0 else { unreachable!("eight words") };
    if half == 0 { first } else { second }
}

/// Vectors of 4 lanes of residues modulo a prime below `2^49`: half of a row, so that eight of them and their
/// constants stay in the registers of AVX2.
pub trait ResidueLanes: Copy {
    /// 4 lanes.
    type Residues: Copy;
    /// A prime, and what follows from it.
    type Modulus: Copy;

    /// An odd prime below `2^49` and its constants, in lanes.
    fn modulus49(self, p: u64, constants: [u64; 2]) -> Self::Modulus;
    /// What an odd prime below `2^49` is divided by with. It serves this backend alone.
    fn constants49(p: u64) -> [u64; 2];
    /// The factor of a constant `w < p`; both are public. It serves this backend alone.
    fn factor49(w: u64, p: u64) -> Factor;
    /// Bits in every lane.
    fn splat_residues(self, bits: u64) -> Self::Residues;
    /// The lanes of half `half` of a row, 0 or 1, bit by bit.
    fn load_residues(self, row: &WideRow, half: usize) -> Self::Residues;
    /// Writes the lanes' bits to half of a row.
    fn store_residues(self, row: &mut WideRow, half: usize, x: Self::Residues);
    /// Numbers below `2^52` of half of a row, one a lane.
    fn residues(self, numbers: &WideRow, half: usize) -> Self::Residues;
    /// Writes the numbers in `[0, p)` to half of a row, for lanes in `(-p, p)`.
    fn numbers(self, numbers: &mut WideRow, half: usize, x: Self::Residues, p: Self::Modulus);
    /// `a + b`.
    fn add_residues(self, a: Self::Residues, b: Self::Residues) -> Self::Residues;
    /// `a - b`.
    fn sub_residues(self, a: Self::Residues, b: Self::Residues) -> Self::Residues;
    /// `b w` modulo `p`, at most `(1/2 + |b| 2^-55) p` in absolute value. The factors' words are in two
    /// vectors.
    fn times_residues(
        self,
        b: Self::Residues,
        factors: [Self::Residues; 2],
        p: Self::Modulus,
    ) -> Self::Residues;
    /// `a + t` and `a - t`, where `t` is `b w` modulo `p` as of
    /// [`times_residues`](ResidueLanes::times_residues).
    #[inline(always)]
    fn butterfly_residues(
        self,
        a: Self::Residues,
        b: Self::Residues,
        factors: [Self::Residues; 2],
        p: Self::Modulus,
    ) -> [Self::Residues; 2] {
        let t = self.times_residues(b, factors, p);
        [self.add_residues(a, t), self.sub_residues(a, t)]
    }
    /// `a` modulo `p`, at most `(p + 1) / 2` in absolute value, where `|a| <= 8 p`.
    fn reduce_residues(self, a: Self::Residues, p: Self::Modulus) -> Self::Residues;
    /// `a b` modulo `p`, less than `p` in absolute value, where `|a| <= 4 p` and `b` is reduced.
    fn multiply_residues(self, a: Self::Residues, b: Self::Residues, p: Self::Modulus) -> Self::Residues;
}

/// The number in `[0, p)` of one lane in `(-p, p)` of a backend whose lanes are doubles, or are not.
#[doc(hidden)]
pub const fn residue_number(bits: u64, p: u64, doubles: bool) -> u64 {
    let x = if doubles { f64::from_bits(bits) as i64 } else { bits as i64 };
    (x + (p as i64 & x >> (u64::BITS - 1))) as u64
}
