//! Base products: modulo `x^L - w`, by pairwise multiply-add on 32-bit sums.
//!
//! `c_t = sum_(i <= t) a_i b_(t-i) + sum_(i > t) a_i (w b)_(L+t-i)`: with the window `[w b | b]` of `2 L`
//! words each coefficient is one sum of `L` products. A row of `a`, its pairs swapped, meets two neighbouring
//! rows of the window at a time ([`convolution`](crate::algorithm::convolution)); these stand side by side on
//! a cache line. `L` is 16, 32 or 48 coefficients: super-rows of one, two or three rows. One Montgomery step
//! then takes a factor of `2^16` off.

use crate::reduce::residues::Arithmetic;
use ringsmith_simd::{Kernel, Row, Simd};

/// Rows of a super-row, where so many rows have so many windows: a super-row of `w` rows has `2 w - 1`.
pub(super) const fn width(rows: usize, windows: usize) -> usize {
    let mut width = 1;
    while windows * width != rows * (2 * width - 1) {
        width += 1;
        assert!(width <= 3, "so many windows belong to no rows");
    }
    width
}

/// The windows at the beginning of a memory.
pub(super) fn windows<const WINDOWS: usize>(rows: &[Row]) -> &[[Row; 2]; WINDOWS] {
    rows.as_chunks().0.first_chunk().expect(ROOM)
}

/// The same to write, and the rest of the memory.
pub(super) fn windows_mut<const WINDOWS: usize>(rows: &mut [Row]) -> (&mut [[Row; 2]; WINDOWS], &mut [Row]) {
    let (windows, rest) = rows.split_at_mut(2 * WINDOWS);
    (windows.as_chunks_mut().0.first_chunk_mut().expect(ROOM), rest)
}

/// Panic message for too little memory; it cannot occur, because making an [`Entry`](crate::Entry) proves
/// that the memory is large enough.
const ROOM: &str = "memory for windows";

/// The products of all super-rows, in place.
pub(super) struct BaseProducts<'a, M, const ROWS: usize, const WINDOWS: usize> {
    pub(super) by: M,
    /// The first operand, its pairs swapped.
    pub(super) rows: &'a mut [Row; ROWS],
    /// The windows of the second.
    pub(super) windows: &'a [[Row; 2]; WINDOWS],
}

impl<M: Arithmetic, const ROWS: usize, const WINDOWS: usize> Kernel for BaseProducts<'_, M, ROWS, WINDOWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        match const { width(ROWS, WINDOWS) } {
            1 => self.two_by_two::<S>(s),
            2 => self.wide::<S, 2, 3>(s),
            _ => self.wide::<S, 3, 5>(s),
        }
    }
}

impl<M: Arithmetic, const ROWS: usize, const WINDOWS: usize> BaseProducts<'_, M, ROWS, WINDOWS> {
    /// Super-rows of one row: two products at a time, each of which hides the other's waits.
    #[inline(always)]
    fn two_by_two<S: Simd>(self, s: S) {
        let (rows, windows) = (self.rows.as_chunks_mut::<2>().0, self.windows.as_chunks::<2>().0);
        for (a, windows) in rows.iter_mut().zip(windows) {
            s.begin_products(16, 2);
            let (mut x, mut y) = ([s.acc_zero(); 2], [s.acc_zero(); 2]);
            s.madd_windows(&mut x, &a[0], &windows[0]);
            s.madd_windows(&mut y, &a[1], &windows[1]);
            s.store(&mut a[0], reduced(s, self.by, x));
            s.store(&mut a[1], reduced(s, self.by, y));
        }
    }

    /// Super-rows of two rows, or of three.
    #[inline(always)]
    fn wide<S: Simd, const WIDTH: usize, const EACH: usize>(self, s: S) {
        let (rows, windows) = (self.rows.as_chunks_mut::<WIDTH>().0, self.windows.as_chunks::<EACH>().0);
        for (a, windows) in rows.iter_mut().zip(windows) {
            s.begin_products(16 * WIDTH, 1);
            let (sums, mut t) = (sums::<S, WIDTH, EACH>(s, a, windows), 0);
            while t < WIDTH {
                s.store(&mut a[t], reduced(s, self.by, sums[t]));
                t += 1;
            }
        }
    }
}

/// The sums of a base product. Row `i` of the first operand is multiplied by the windows of all rows of the
/// result at once.
#[inline(always)]
pub(super) fn sums<S: Simd, const WIDTH: usize, const EACH: usize>(
    s: S,
    a: &[Row; WIDTH],
    windows: &[[Row; 2]; EACH],
) -> [[S::Acc; 2]; WIDTH] {
    let (mut sums, mut i) = ([[s.acc_zero(); 2]; WIDTH], 0);
    while i < WIDTH {
        let these: &[[Row; 2]; WIDTH] = windows[WIDTH - 1 - i..].first_chunk().expect("as many windows");
        s.madd_windows_n(&mut sums, &a[i], these);
        i += 1;
    }
    sums
}

/// A row of sums, reduced.
#[inline(always)]
pub(in crate::algorithm) fn reduced<S: Simd, M: Arithmetic>(s: S, by: M, sums: [S::Acc; 2]) -> S::I16 {
    let (low, high) = s.even_odd(sums[0], sums[1]);
    by.reduce_wide(s, low, high)
}
