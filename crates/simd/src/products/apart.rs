//! Two rows, each in a vector of its own: the definition of what vectors of two rows compute.

use super::rows::{Line32, RowLanes, TwoRowLanes};
use crate::{Row32, Simd, each};

/// Two rows in two vectors of a token. Products by constants and their quotients are computed lane by lane:
/// backends whose vectors hold 16 lanes have instructions for them.
#[derive(Clone, Copy)]
pub struct RowsApart<S>(pub S);

/// A number for each row.
#[inline(always)]
fn both<T>(f: impl Fn(usize) -> T) -> [T; 2] {
    [f(0), f(1)]
}

impl<S: Simd> RowsApart<S> {
    /// Lane `i` of each row.
    #[inline(always)]
    fn lane_by_lane(self, f: impl Fn(usize, usize) -> i32) -> [S::I32; 2] {
        both(
            #[inline(always)]
            |r| {
                self.0.load32(&each(
                    #[inline(always)]
                    |i| f(r, i),
                ))
            },
        )
    }

    /// The lanes.
    #[inline(always)]
    fn rows(self, v: [S::I32; 2]) -> [Row32; 2] {
        let mut rows = [[0; 8]; 2];
        self.0.store32(&mut rows[0], v[0]);
        self.0.store32(&mut rows[1], v[1]);
        rows
    }
}

impl<S: Simd> RowLanes for RowsApart<S> {
    type Lanes = [S::I32; 2];
    type LaneProducts = [S::Products; 2];

    #[inline(always)]
    fn splat_lanes(self, x: i32) -> [S::I32; 2] {
        [self.0.splat32(x); 2]
    }
    #[inline(always)]
    fn add_lanes(self, a: [S::I32; 2], b: [S::I32; 2]) -> [S::I32; 2] {
        both(
            #[inline(always)]
            |r| self.0.add_lanes(a[r], b[r]),
        )
    }
    #[inline(always)]
    fn sub_lanes(self, a: [S::I32; 2], b: [S::I32; 2]) -> [S::I32; 2] {
        both(
            #[inline(always)]
            |r| self.0.sub_lanes(a[r], b[r]),
        )
    }
    #[inline(always)]
    fn and_lanes(self, a: [S::I32; 2], b: [S::I32; 2]) -> [S::I32; 2] {
        both(
            #[inline(always)]
            |r| self.0.and_lanes(a[r], b[r]),
        )
    }
    #[inline(always)]
    fn shift_right_lanes<const K: i32>(self, a: [S::I32; 2]) -> [S::I32; 2] {
        both(
            #[inline(always)]
            |r| self.0.shift_right_lanes::<K>(a[r]),
        )
    }
    #[inline(always)]
    fn multiply_words(self, a: [S::I32; 2], b: [S::I32; 2]) -> [S::I32; 2] {
        both(
            #[inline(always)]
            |r| self.0.multiply_words(a[r], b[r]),
        )
    }
    #[inline(always)]
    fn multiply_lanes(self, a: [S::I32; 2], b: [S::I32; 2]) -> [S::Products; 2] {
        both(
            #[inline(always)]
            |r| self.0.multiply_lanes(a[r], b[r]),
        )
    }
    #[inline(always)]
    fn add_products(self, a: [S::Products; 2], b: [S::Products; 2]) -> [S::Products; 2] {
        both(
            #[inline(always)]
            |r| self.0.add_products(a[r], b[r]),
        )
    }
    #[inline(always)]
    fn sub_products(self, a: [S::Products; 2], b: [S::Products; 2]) -> [S::Products; 2] {
        both(
            #[inline(always)]
            |r| self.0.sub_products(a[r], b[r]),
        )
    }
    #[inline(always)]
    fn montgomery(self, x: [S::Products; 2], p: [S::I32; 2], inverse: [S::I32; 2]) -> [S::I32; 2] {
        both(
            #[inline(always)]
            |r| self.0.montgomery(x[r], p[r], inverse[r]),
        )
    }
    #[inline(always)]
    fn split_products<const K: i32>(self, x: [S::Products; 2]) -> ([S::I32; 2], [S::I32; 2]) {
        let ((a, b), (c, d)) = (self.0.split_products::<K>(x[0]), self.0.split_products::<K>(x[1]));
        ([a, c], [b, d])
    }
    #[inline(always)]
    fn step(self, a: [S::I32; 2], p: [S::I32; 2]) -> [S::I32; 2] {
        both(
            #[inline(always)]
            |r| self.0.step(a[r], p[r]),
        )
    }
    #[inline(always)]
    fn transpose_lanes(self, x: [[S::I32; 2]; 8]) -> [[S::I32; 2]; 8] {
        let rows: [[S::I32; 8]; 2] = both(
            #[inline(always)]
            |r| {
                self.0.transpose_lanes(each(
                    #[inline(always)]
                    |i: usize| x[i][r],
                ))
            },
        );
        each(
            #[inline(always)]
            |i: usize| [rows[0][i], rows[1][i]],
        )
    }
}

impl<S: Simd> TwoRowLanes for RowsApart<S> {
    /// None.
    type LaneMasks = ();
    /// Constants and their quotients.
    type LaneFactors = [[S::I32; 2]; 2];

    #[inline(always)]
    fn load_rows(self, rows: [&Row32; 2]) -> [S::I32; 2] {
        both(
            #[inline(always)]
            |r| self.0.load32(rows[r]),
        )
    }
    #[inline(always)]
    fn store_rows(self, [first, second]: [&mut Row32; 2], v: [S::I32; 2]) {
        self.0.store32(first, v[0]);
        self.0.store32(second, v[1]);
    }
    #[inline(always)]
    fn load_lines(self, lines: &[Line32; 2]) -> [S::I32; 2] {
        self.load_rows([&lines[0].0, &lines[1].0])
    }
    #[inline(always)]
    fn store_lines(self, [first, second]: &mut [Line32; 2], v: [S::I32; 2]) {
        self.store_rows([&mut first.0, &mut second.0], v);
    }
    #[inline(always)]
    fn load_row(self, row: &Row32) -> [S::I32; 2] {
        [self.0.load32(row), self.0.splat32(0)]
    }
    #[inline(always)]
    fn store_row(self, row: &mut Row32, v: [S::I32; 2]) {
        self.0.store32(row, v[0]);
    }
    #[inline(always)]
    fn splat_rows(self, x: [i32; 2]) -> [S::I32; 2] {
        both(
            #[inline(always)]
            |r| self.0.splat32(x[r]),
        )
    }
    #[inline(always)]
    fn least_lanes(self, a: [S::I32; 2], b: [S::I32; 2]) -> [S::I32; 2] {
        let (a, b) = (self.rows(a), self.rows(b));
        self.lane_by_lane(
            #[inline(always)]
            |r, i| (a[r][i] as u32).min(b[r][i] as u32) as i32,
        )
    }
    #[inline(always)]
    fn lane_masks(self) {}
    #[inline(always)]
    fn lane_factors(self, factor: [[S::I32; 2]; 2]) -> [[S::I32; 2]; 2] {
        factor
    }
    #[inline(always)]
    fn splat_factors(self, [a, b]: [[i32; 2]; 2], (): ()) -> [[S::I32; 2]; 2] {
        [self.splat_rows([a[0], b[0]]), self.splat_rows([a[1], b[1]])]
    }
    #[inline(always)]
    fn times_lanes(
        self,
        a: [S::I32; 2],
        [z, quotient]: [[S::I32; 2]; 2],
        p: [S::I32; 2],
        (): (),
    ) -> [S::I32; 2] {
        let (a, z, quotient, p) = (self.rows(a), self.rows(z), self.rows(quotient), self.rows(p));
        self.lane_by_lane(
            #[inline(always)]
            |r, i| {
                let product = u64::from(a[r][i] as u32) * u64::from(quotient[r][i] as u32);
                let t = (product >> u32::BITS) as i32;
                a[r][i].wrapping_mul(z[r][i]).wrapping_sub(t.wrapping_mul(p[r][i]))
            },
        )
    }
}
