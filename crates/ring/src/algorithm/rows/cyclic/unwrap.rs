//! From the cyclic product to the whole one: what wrapped goes where it belongs.

use super::{PRODUCT, TOP, plan};
use crate::algorithm::convolution::{self, lesser};
use crate::algorithm::rows::base::reduced;
use crate::bound::Bound;
use crate::reduce::montgomery::{self, Factor};
use crate::reduce::residues::{Modulus, OddResidues};
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

/// How many rows of products of centred coefficients a sum holds.
const fn rows_per_sum(q: i64) -> usize {
    convolution::rows_per_sum(Modulus::Odd(q), Bound::centred(q), Bound::centred(q), TOP)
}

/// Whether the coefficients that wrapped are right on any CPU: sums hold so many rows of products of centred
/// coefficients, or some at a time, and what is left of them is no larger than that which the last sum was
/// planned for.
pub(super) const fn wrapped_hold(q: i64, rows: usize) -> bool {
    let most = rows_per_sum(q);
    let wrapped = if rows <= most {
        let sum = Bound::centred(q).mul(Bound::centred(q)).mirrored().scale(16 * rows as i64);
        montgomery::bound_wide(sum, q)
    } else {
        Modulus::Odd(q).shrunk()
    };
    most > 0 && wrapped.fits(16) && plan::wrapped_fit(q, montgomery::bound_any(wrapped, q))
}

impl<R: Ring, M: OddResidues, const OPERAND: usize, const ROWS: usize> Kernel
    for Unwrap<'_, R, M, OPERAND, ROWS>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let first = const { top_row(R::N, OPERAND, ROWS) };
        // Behind `first` there are as many rows as beyond twice `first`: ROWS = first + OPERAND.
        let (count, most) = (OPERAND - first, const { rows_per_sum(M::Q) });
        let unit = const { Factor::new(1 << 16, M::Q) };
        let mut i = 0;
        while i < count {
            s.store(&mut self.swapped[i], s.swap_pairs(s.load(&self.a[first + i])));
            i += 1;
        }
        let mut m = 0;
        while m < count {
            let (mut sum, mut i) = (s.splat(0), m);
            while i < count {
                let (mut sums, end) = ([s.acc_zero(); 2], lesser(i + most, count));
                while i < end {
                    let two: &[Row; 2] =
                        self.top[m + count - i - 1..].first_chunk().expect("two rows a window");
                    s.madd_windows(&mut sums, &self.swapped[i], two);
                    i += 1;
                }
                let part = reduced(s, self.by, sums);
                sum = if count > most { self.by.shrink(s, s.add(sum, part)) } else { part };
            }
            let wrapped = self.by.scale(s, sum, unit);
            let plain = s.sub(s.load(&self.out[m]), wrapped);
            s.store(&mut self.out[m], plain);
            s.store(&mut self.out[ROWS + m], wrapped);
            m += 1;
        }
    }
}
