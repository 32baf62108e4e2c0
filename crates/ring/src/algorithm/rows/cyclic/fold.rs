//! From the cyclic product to the field: what wrapped goes where it belongs, and `x^n` becomes `x + 1`.

use super::{PRODUCT, TOP, plan};
use crate::algorithm::rows::base::reduced;
use crate::bound::Bound;
use crate::reduce::montgomery::{self, Factor};
use crate::reduce::residues::{Arithmetic, OddResidues};
use crate::ring::Ring;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Simd};

/// The coefficients that wrapped: computed, taken off, and put behind the others.
pub(super) struct Unwrap<'a, R, M, const OPERAND: usize, const ROWS: usize> {
    pub(super) by: M,
    pub(super) a: &'a [Row; OPERAND],
    pub(super) top: &'a [Row; TOP],
    /// Memory for rows of the first operand: the caller's, which is cleared, as an operand may be secret.
    pub(super) swapped: &'a mut [Row; TOP],
    pub(super) out: &'a mut [Row; PRODUCT],
    pub(super) ring: PhantomData<R>,
}

/// Rows of the operands whose products wrap begin here. The product of rows `i` and `j` ends at coefficient
/// `16 (i + j) + 30`: below `16 rows` where one of them is before this row, whatever the other is.
pub(super) const fn top_row(n: usize, operand: usize, rows: usize) -> usize {
    if wraps(n, rows) { rows - operand } else { operand }
}

/// Whether a product has more coefficients than so many rows.
const fn wraps(n: usize, rows: usize) -> bool {
    16 * rows < 2 * n - 1
}

/// Whether the coefficients that wrapped are right on any CPU: their sums hold so many rows of products of
/// centred coefficients, and they are no larger than those that the last sum was planned for.
pub(super) const fn wrapped_hold(q: i64, rows: usize) -> bool {
    let sum = Bound::centred(q).mul(Bound::centred(q)).mirrored().scale(16 * rows as i64);
    let wrapped = montgomery::bound_wide(sum, q);
    sum.fits(32) && wrapped.fits(16) && plan::wrapped_fit(q, montgomery::bound_any(wrapped, q))
}

impl<R: Ring, M: OddResidues, const OPERAND: usize, const ROWS: usize> Kernel
    for Unwrap<'_, R, M, OPERAND, ROWS>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let first = const { top_row(R::N, OPERAND, ROWS) };
        // Behind `first` there are as many rows as beyond twice `first`: ROWS = first + OPERAND.
        let count = OPERAND - first;
        let unit = const { Factor::new(1 << 16, M::Q) };
        let mut i = 0;
        while i < count {
            s.store(&mut self.swapped[i], s.swap_pairs(s.load(&self.a[first + i])));
            i += 1;
        }
        let mut m = 0;
        while m < count {
            let (mut sums, mut i) = ([s.acc_zero(); 2], m);
            while i < count {
                let two: &[Row; 2] = self.top[m + count - i - 1..].first_chunk().expect("two rows a window");
                s.madd_windows(&mut sums, &self.swapped[i], two);
                i += 1;
            }
            let wrapped = self.by.scale(s, reduced(s, self.by, sums), unit);
            let plain = s.sub(s.load(&self.out[m]), wrapped);
            s.store(&mut self.out[m], plain);
            s.store(&mut self.out[ROWS + m], wrapped);
            m += 1;
        }
    }
}

/// `x^n = x + 1`, and centred.
pub(in crate::algorithm) struct Fold<'a, R, M, const OPERAND: usize> {
    pub(in crate::algorithm) by: M,
    pub(in crate::algorithm) product: &'a [Row; PRODUCT],
    pub(in crate::algorithm) out: &'a mut [Row; OPERAND],
    pub(in crate::algorithm) ring: PhantomData<R>,
}

/// The sixteen words from `16 row + at` on.
#[inline(always)]
fn words<S: Simd>(s: S, rows: &[Row; PRODUCT], at: usize) -> S::I16 {
    s.load(rows.as_flattened()[at..].first_chunk().expect("a row inside the product"))
}

impl<R: Ring, M: Arithmetic, const OPERAND: usize> Fold<'_, R, M, OPERAND> {
    #[inline(always)]
    fn row<S: Simd>(&mut self, s: S, i: usize, mask: [Option<&Row>; 2]) {
        let (plain, above) = (s.load(&self.product[i]), words(s, self.product, 16 * i + R::N));
        let mut below = words(s, self.product, 16 * i + R::N - 1);
        if let Some(mask) = mask[0] {
            below = s.and(below, s.load(mask));
        }
        let mut sum = self.by.shrink(s, s.add(plain, s.add(above, below)));
        if let Some(mask) = mask[1] {
            sum = s.and(sum, s.load(mask));
        }
        s.store(&mut self.out[i], sum);
    }
}

/// All ones in the lanes from `low` to below `high`.
const fn lanes(low: usize, high: usize) -> Row {
    let (mut row, mut lane) = ([0; 16], low);
    while lane < high {
        row[lane] = -1;
        lane += 1;
    }
    row
}

impl<R: Ring, M: Arithmetic, const OPERAND: usize> Kernel for Fold<'_, R, M, OPERAND> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let (first, last) = const { (&lanes(1, 16), &lanes(0, R::N - 16 * (OPERAND - 1))) };
        self.row(s, 0, [Some(first), None]);
        let mut i = 1;
        while i < OPERAND - 1 {
            self.row(s, i, [None, None]);
            i += 1;
        }
        self.row(s, OPERAND - 1, [None, Some(last)]);
    }
}
