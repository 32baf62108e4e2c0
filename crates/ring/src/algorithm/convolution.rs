//! Products of rows by pairwise multiply-add, and the reduction by `f`.
//!
//! # The map
//! `c = a b` for polynomials in rows of 16, with `2 n` coefficients; then `c` modulo `f`.
//!
//! # Row times row
//!
//! `c[16 k + t] = sum_i sum_p a_i[2p] b[16 (k-i) + t - 2p] + a_i[2p+1] b[16 (k-i) + t - 2p - 1]`. For even
//! `t` the two factors of `b` are a pair of lanes of the 16 words that begin at place `16 - 2p - 1` of the
//! window (row `k-i-1`, row `k-i`), for odd `t` of the words one place later. So with the pairs of `a_i`
//! swapped, one multiply-add per parity and `p` serves 16 products, and even and odd sums are joined at the
//! end: `n^2 / 16` multiply-adds for a whole product.
//!
//! # Conditions
//! Any number of rows; a power of two as modulus, or an odd one of which a row of products fits 32 bits.
//!
//! # Bounds
//! In: centred; out: centred. 32-bit sums hold so many rows of products before they must be reduced:
//! [`rows_per_sum`] computes how many from the bounds of the operands, at compile time.
//!
//! # Reduction by `f`
//! `x^n` is `1`, `-1`, `x^(n/2) - 1` or `x + 1`: at most two terms fold onto each coefficient.
//!
//! # Source
//! Ringsmith's own: the schoolbook product, in the order that pairwise multiply-adds take. Deviation: none of
//! the products of two rows is reduced by itself.
//!
//! ```
//! use ringsmith_ring::algorithm::convolution::rows_per_sum;
//! use ringsmith_ring::bound::Bound;
//! use ringsmith_ring::reduce::residues::Modulus;
//!
//! // NTRU Prime 761: of 48 rows of products a sum holds 21, and all of them where one operand is ternary.
//! let (modulus, centred) = (Modulus::Odd(4591), Bound::centred(4591));
//! assert_eq!(rows_per_sum(modulus, centred, centred, 48), 21);
//! assert_eq!(rows_per_sum(modulus, centred, Bound::symmetric(1), 48), 48);
//! ```

use crate::bound::Bound;
use crate::reduce::residues::{Modulus, Residues};
use crate::ring::Shape;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// How many rows of products one 32-bit sum may hold, for centred `a` and `b` within their bounds, such that
/// the reduced sum can be added to a shrunk residue; at most `rows`.
pub const fn rows_per_sum(modulus: Modulus, a: Bound, b: Bound, rows: usize) -> usize {
    let mut count = rows;
    loop {
        assert!(count > 0, "overflow: one row of products in a 32-bit sum");
        let sum = a.mul(b).mirrored().scale(16 * count as i64);
        if let Some(reduced) = modulus.reduce_wide(sum)
            && modulus.hold(reduced.add(modulus.shrunk()))
        {
            return count;
        }
        count -= 1;
    }
}

/// A whole product, in one kernel: a call for each row would read and write the stack, which stalls where
/// that lies like the rows in their pages.
struct Whole<'a, M> {
    by: M,
    a: &'a [Row],
    b: &'a [Row],
    /// Room for `a` with the lanes of each pair swapped.
    swapped: &'a mut [Row],
    /// Room for the windows: `b` between two rows of zeroes.
    padded: &'a mut [Row],
    /// Rows per 32-bit sum.
    rows_per_sum: usize,
    out: &'a mut [Row],
}

impl<M: Residues> Kernel for Whole<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (rows, columns) = (self.a.len(), self.b.len());
        s.begin_products(16 * rows, 1);
        for (out, a) in self.swapped.iter_mut().zip(self.a) {
            s.store(out, s.swap_pairs(s.load(a)));
        }
        pad(s, self.b, self.padded);
        for (k, out) in self.out.iter_mut().enumerate().take(rows + columns) {
            // Window d = k - i is rows d and d + 1 of `padded`, 0 <= d <= columns.
            let (first, last) = (k.saturating_sub(columns), k.min(rows - 1));
            let a = self.swapped.get(first..=last).unwrap_or_default();
            let windows = self.padded.get(k - last..k - first + 2).unwrap_or_default();
            s.store(out, product_row(s, self.by, a, windows, self.rows_per_sum));
        }
    }
}

/// `out = b` between two rows of zeroes.
#[inline(always)]
fn pad<S: Simd>(s: S, b: &[Row], out: &mut [Row]) {
    let Some((first, rest)) = out.split_first_mut() else { return };
    s.store(first, s.splat(0));
    for (out, b) in rest.iter_mut().zip(b) {
        s.store(out, s.load(b));
    }
    if let Some(last) = rest.get_mut(b.len()) {
        s.store(last, s.splat(0));
    }
}

/// One row of a product: `sum_i a_i window_(k-i)`; `a`, of rows with swapped pairs, ascends while the
/// windows, one more, descend.
#[inline(always)]
fn product_row<S: Simd, M: Residues>(
    s: S,
    by: M,
    mut a: &[Row],
    mut windows: &[Row],
    rows_per_sum: usize,
) -> S::I16 {
    let mut total = s.splat(0);
    let (mut sums, mut held) = ([s.acc_zero(); 2], 0);
    while let (Some((row, more)), Some(window)) = (a.split_first(), windows.last_chunk::<2>()) {
        s.madd_windows(&mut sums, row, window);
        held += 1;
        if held == rows_per_sum || more.is_empty() {
            let (low, high) = s.even_odd(sums[0], sums[1]);
            total = s.add(total, by.reduce_wide(s, low, high));
            total = by.shrink(s, total);
            (sums, held) = ([s.acc_zero(); 2], 0);
        }
        a = more;
        let Some((_, fewer)) = windows.split_last() else { break };
        windows = fewer;
    }
    total
}

/// The whole product `c = a b`, `2 n` coefficients, as residues that are shrunk; a factor `2^-16` is
/// left where the modulus is odd.
pub(crate) fn product<M: Residues>(
    cpu: impl Run,
    by: M,
    rows_per_sum: usize,
    a: &[Row],
    b: &[Row],
    c: &mut [Row],
    scratch: &mut [Row],
) {
    let (padded, scratch) = scratch.split_at_mut(b.len() + 2);
    let swapped = &mut scratch[..a.len()];
    cpu.run(Whole { by, a, b, swapped, padded, rows_per_sum, out: c });
}

/// Rows of scratch memory that a product of operands of so many rows each takes.
pub(crate) const fn product_scratch(rows: usize) -> usize {
    2 * rows + 2
}

/// Rows of scratch memory that folding onto so many rows takes.
pub(crate) const fn fold_scratch(rows: usize) -> usize {
    rows + 2
}

/// The greater one.
pub(crate) const fn greater(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// `out = finish(t0 + t1 + t2)` with signs, row by row.
struct FoldRows<'a, M> {
    by: M,
    terms: [(&'a [Row], Sign); 3],
    /// Zeroes in the lanes of the last row that are past the degree.
    last: &'a Row,
    out: &'a mut [Row],
}

#[derive(Clone, Copy)]
enum Sign {
    Plus,
    Minus,
    Absent,
}

/// `sum + row`, or what the sign says.
#[inline(always)]
fn signed<S: Simd>(s: S, sum: S::I16, row: &Row, sign: Sign) -> S::I16 {
    match sign {
        Sign::Plus => s.add(sum, s.load(row)),
        Sign::Minus => s.sub(sum, s.load(row)),
        Sign::Absent => sum,
    }
}

impl<M: Residues> Kernel for FoldRows<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let [(x, first), (y, second), (z, third)] = self.terms;
        for (((out, x), y), z) in self.out.iter_mut().zip(x).zip(y).zip(z) {
            let sum = signed(s, s.splat(0), x, first);
            let sum = signed(s, signed(s, sum, y, second), z, third);
            s.store(out, self.by.finish(s, sum));
        }
        if let Some(out) = self.out.last_mut() {
            s.store(out, s.and(s.load(out), s.load(self.last)));
        }
    }
}

/// Whether three residues fit a lane, and the result is centred.
pub(crate) const fn folds(modulus: Modulus) -> bool {
    modulus.hold(modulus.shrunk().scale(3).mirrored()) && modulus.finish_is_centred()
}

/// The same, as a proof.
pub(crate) const fn check_fold(modulus: Modulus) {
    assert!(folds(modulus), "overflow: three residues, or a result that is not centred");
}

/// Reduces a whole product by `f` of degree `n`, takes the factor off, and centres.
pub(crate) fn fold<M: Residues>(
    cpu: impl Run,
    by: M,
    shape: Shape,
    n: usize,
    c: &[Row],
    out: &mut [Row],
    scratch: &mut [Row],
) {
    // top[0] = 0, top[1 + i] = c[n + i], then zeros
    let top = &mut scratch.as_flattened_mut()[..16 * (out.len() + 2)];
    let (words, upper) = (c.as_flattened(), &c.as_flattened()[n..]);
    let count = upper.len().min(top.len() - 1);
    top.fill(0);
    top[1..1 + count].copy_from_slice(&upper[..count]);
    let last: Row = core::array::from_fn(|lane| -(((n - 1) % 16 >= lane) as i16));
    let upper = |at: usize, sign| (rows_at(top, 1 + at), sign);
    let plain = (c, Sign::Plus);
    let absent = (c, Sign::Absent);
    let fold = |terms, out: &mut [Row]| cpu.run(FoldRows { by, terms, last: &last, out });
    match shape {
        Shape::Cyclic => fold([plain, upper(0, Sign::Plus), absent], out),
        Shape::Negacyclic => fold([plain, upper(0, Sign::Minus), absent], out),
        Shape::PrimeTrinomial => fold([plain, upper(0, Sign::Plus), (rows_at(top, 0), Sign::Plus)], out),
        Shape::HalfTrinomial => {
            let half = n / 2;
            let rows = half.div_ceil(16);
            let (lower, rest) = out.split_at_mut(rows);
            fold([plain, upper(0, Sign::Minus), upper(half, Sign::Minus)], lower);
            let at = 16 * rows;
            fold([(rows_at(words, at), Sign::Plus), upper(at - half, Sign::Plus), absent], rest);
        }
    }
}

/// The rows that begin at a word.
fn rows_at(words: &[i16], at: usize) -> &[Row] {
    words[at..].as_chunks().0
}
