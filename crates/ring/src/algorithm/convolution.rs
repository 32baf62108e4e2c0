//! Products of rows by pairwise multiply-add, and the reduction by `f`.
//!
//! # The map
//! `c = a b` for polynomials in rows of 16, with `2 n` coefficients; then `c` modulo `f`.
//!
//! # Row times row
//!
//! `c[16 k + t] = sum_i sum_p a_i[2p] b[16 (k-i) + t - 2p] + a_i[2p+1] b[16 (k-i) + t - 2p - 1]`. For even `t` the two
//! factors of `b` are a pair of lanes of the 16 words that begin at place `16 - 2p - 1` of the window (row `k-i-1`, row
//! `k-i`), for odd `t` of the words one place later. So with the pairs of `a_i` swapped, one multiply-add per parity and
//! `p` serves 16 products, and even and odd sums are joined at the end: `n^2 / 16` multiply-adds for a whole product.
//!
//! # Conditions
//! Any number of rows; a power of two as modulus, or an odd one of which a row of products fits 32 bits.
//!
//! # Bounds
//! In: centred; out: centred. 32-bit sums hold so many rows of products before they must be reduced: [`rows_per_sum`] computes how many from the
//! bounds of the operands, at compile time.
//!
//! # Reduction by `f`
//! `x^n` is `1`, `-1`, `x^(n/2) - 1` or `x + 1`: at most two terms fold onto each coefficient.
//!
//! # Source
//! Ringsmith's own: the schoolbook product, in the order that pairwise multiply-adds take. Deviation: none of the products of two rows is
//! reduced by itself.
//!
//! ```
//! use ringsmith_ring::algorithm::convolution::rows_per_sum;
//! use ringsmith_ring::bound::Bound;
//!
//! // NTRU Prime 761: of 48 rows of products a sum holds 21, and all of them where one operand is ternary.
//! let centred = Bound::centred(4591);
//! assert_eq!(rows_per_sum(4591, centred, centred, 48), 21);
//! assert_eq!(rows_per_sum(4591, centred, Bound::symmetric(1), 48), 48);
//! ```

use crate::bound::Bound;
use crate::reduce::residue;
use crate::ring::Shape;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// How many rows of products one 32-bit sum may hold, for centred `a` and `b` within their bounds, such that the reduced
/// sum can be added to a shrunk residue; at most `rows`.
pub const fn rows_per_sum(q: i64, a: Bound, b: Bound, rows: usize) -> usize {
    if residue::wraps(q) {
        // Sums wrap modulo 2^32, and the low word is all that counts.
        return rows;
    }
    let mut count = rows;
    loop {
        assert!(count > 0, "one row of products overflows a 32-bit sum");
        let sum = a.mul(b).mirrored().scale(16 * count as i64);
        let reduced = residue::from_wide_bound(sum, q);
        if sum.fits(32) && reduced.add(residue::shrink_bound(q)).fits(16) {
            return count;
        }
        count -= 1;
    }
}

/// One row of a product: `sum_i a_i window_(k-i)`; `a` ascends while the windows descend.
struct ProductRow<'a, const Q: i64> {
    /// Rows with swapped pairs.
    a: &'a [Row],
    /// The second operand, as many rows as `a` and one more.
    windows: &'a [Row],
    /// Rows per 32-bit sum.
    rows_per_sum: usize,
    out: &'a mut Row,
}

impl<const Q: i64> Kernel for ProductRow<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (mut a, mut windows) = (self.a, self.windows);
        let mut total = s.splat(0);
        let (mut sums, mut held) = ([s.acc_zero(); 2], 0);
        while let (Some((row, more)), Some(window)) = (a.split_first(), windows.last_chunk::<2>()) {
            s.madd_windows(&mut sums, row, window);
            held += 1;
            if held == self.rows_per_sum || more.is_empty() {
                let (low, high) = s.even_odd(sums[0], sums[1]);
                total = s.add(total, residue::from_wide::<S, Q>(s, low, high));
                total = residue::shrink::<S, Q>(s, total);
                (sums, held) = ([s.acc_zero(); 2], 0);
            }
            a = more;
            let Some((_, fewer)) = windows.split_last() else { break };
            windows = fewer;
        }
        s.store(self.out, total);
    }
}

/// `out = a` with the lanes of each pair swapped, for a product with an operand of as many rows.
struct SwapPairs<'a> {
    a: &'a [Row],
    out: &'a mut [Row],
}

impl Kernel for SwapPairs<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        s.begin_products(16 * self.a.len(), 1);
        for (out, a) in self.out.iter_mut().zip(self.a) {
            s.store(out, s.swap_pairs(s.load(a)));
        }
    }
}

/// Copies `b` between two rows of zeros: the windows of [`product_by_windows`].
pub(crate) fn windows(b: &[Row], out: &mut [Row]) {
    let (first, rest) = out.split_at_mut(1);
    let (middle, last) = rest.split_at_mut(b.len());
    first[0] = [0; 16];
    middle.copy_from_slice(b);
    last[0] = [0; 16];
}

/// The whole product `c = a b`, `2 n` coefficients, as residues within [`product_bound`]; a factor `2^-16` is left where
/// the modulus is odd.
pub(crate) fn product<const Q: i64>(
    cpu: impl Run,
    rows_per_sum: usize,
    a: &[Row],
    b: &[Row],
    c: &mut [Row],
    scratch: &mut [Row],
) {
    let (padded, scratch) = scratch.split_at_mut(b.len() + 2);
    windows(b, padded);
    product_by_windows::<Q>(cpu, rows_per_sum, a, padded, c, scratch);
}

/// [`product`] with the windows of `b` already made.
pub(crate) fn product_by_windows<const Q: i64>(
    cpu: impl Run,
    rows_per_sum: usize,
    a: &[Row],
    padded: &[Row],
    c: &mut [Row],
    scratch: &mut [Row],
) {
    let (rows, columns) = (a.len(), padded.len() - 2);
    let swapped = &mut scratch[..rows];
    cpu.run(SwapPairs { a, out: swapped });
    for (k, out) in c.iter_mut().enumerate().take(rows + columns) {
        // Window d = k - i is rows d and d + 1 of `padded`, 0 <= d <= columns.
        let (first, last) = (k.saturating_sub(columns), k.min(rows - 1));
        let a = &swapped[first..=last];
        let windows = &padded[k - last..k - first + 2];
        cpu.run(ProductRow::<Q> { a, windows, rows_per_sum, out });
    }
}

/// Where the residues of a product lie.
pub const fn product_bound(q: i64) -> Bound {
    residue::shrink_bound(q)
}

/// `out = finish(c + s1 t1 + s2 t2)` for one row, lanes past the degree cleared.
struct FoldRow<'a, const Q: i64> {
    terms: [(&'a Row, Sign); 3],
    keep: &'a Row,
    out: &'a mut Row,
}

#[derive(Clone, Copy)]
enum Sign {
    Plus,
    Minus,
    Absent,
}

impl<const Q: i64> Kernel for FoldRow<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut sum = s.splat(0);
        let mut i = 0;
        while i < 3 {
            let (row, sign) = self.terms[i];
            sum = match sign {
                Sign::Plus => s.add(sum, s.load(row)),
                Sign::Minus => s.sub(sum, s.load(row)),
                Sign::Absent => sum,
            };
            i += 1;
        }
        s.store(self.out, s.and(residue::finish::<S, Q>(s, sum), s.load(self.keep)));
    }
}

/// Three residues fit a lane, and the result is centred.
pub(crate) const fn check_fold(q: i64) {
    assert!(product_bound(q).scale(3).mirrored().fits(16), "three residues overflow a lane");
    assert!(residue::finish_is_centred(q), "the results are not centred");
}

/// Reduces a whole product by `f` of degree `n`, takes the factor off, and centres.
pub(crate) fn fold<const Q: i64>(
    cpu: impl Run,
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
    let half = n / 2;
    let lanes: [i16; 16] = core::array::from_fn(|lane| -(((n - 1) % 16 >= lane) as i16));
    for (row, out) in out.iter_mut().enumerate() {
        let i = 16 * row;
        let plain = (window(words, i), Sign::Plus);
        let upper = |at: usize, sign| (window(top, 1 + at), sign);
        let absent = (plain.0, Sign::Absent);
        let terms = match shape {
            Shape::Cyclic => [plain, upper(i, Sign::Plus), absent],
            Shape::Negacyclic => [plain, upper(i, Sign::Minus), absent],
            Shape::HalfTrinomial if i < half => [plain, upper(i, Sign::Minus), upper(i + half, Sign::Minus)],
            Shape::HalfTrinomial => [plain, upper(i - half, Sign::Plus), absent],
            Shape::PrimeTrinomial => [plain, upper(i, Sign::Plus), (window(top, i), Sign::Plus)],
        };
        let keep = if i + 16 <= n { &[-1; 16] } else { &lanes };
        cpu.run(FoldRow::<Q> { terms, keep, out });
    }
}

fn window(words: &[i16], at: usize) -> &Row {
    words[at..].first_chunk().expect("a row inside the product")
}
