//! Vectors of one row of 32-bit lanes, or of two: what transforms modulo primes below `2^30` compute with.

use crate::{Row32, Simd};

/// A row of eight lanes in memory, in half a cache line.
#[derive(Clone, Copy, Default)]
#[repr(C, align(32))]
pub struct Line32(pub Row32);

/// Arithmetic on vectors that hold rows of 32-bit lanes, of which each has eight: what
/// [`ProductLanes`](crate::ProductLanes) has, on one row or on two. Every token has it for one row.
pub trait RowLanes: Copy {
    /// The lanes.
    type Lanes: Copy;
    /// Numbers of 64 bits, as many.
    type LaneProducts: Copy;

    /// `x` in every lane.
    fn splat_lanes(self, x: i32) -> Self::Lanes;
    /// `a + b`.
    fn add_lanes(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    /// `a - b`.
    fn sub_lanes(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    /// `a & b`.
    fn and_lanes(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    /// `floor(a / 2^K)`.
    fn shift_right_lanes<const K: i32>(self, a: Self::Lanes) -> Self::Lanes;
    /// `a b` where `0 <= a < 2^15` and `|b| < 2^15`.
    fn multiply_words(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    /// `a b` in full.
    fn multiply_lanes(self, a: Self::Lanes, b: Self::Lanes) -> Self::LaneProducts;
    /// `a + b` modulo `2^64`.
    fn add_products(self, a: Self::LaneProducts, b: Self::LaneProducts) -> Self::LaneProducts;
    /// `a - b` modulo `2^64`.
    fn sub_products(self, a: Self::LaneProducts, b: Self::LaneProducts) -> Self::LaneProducts;
    /// As [`ProductLanes::montgomery32`](crate::ProductLanes::montgomery32).
    fn montgomery(self, x: Self::LaneProducts, p: Self::Lanes, inverse: Self::Lanes) -> Self::Lanes;
    /// As [`ProductLanes::split_products32`](crate::ProductLanes::split_products32).
    fn split_products<const K: i32>(self, x: Self::LaneProducts) -> (Self::Lanes, Self::Lanes);
    /// As [`ProductLanes::step32`](crate::ProductLanes::step32), for `|a| <= 2 p`.
    fn step(self, a: Self::Lanes, p: Self::Lanes) -> Self::Lanes;
    /// The transpose of eight vectors, row by row: lane `j` of result `i` is lane `i` of `x[j]`.
    fn transpose_lanes(self, x: [Self::Lanes; 8]) -> [Self::Lanes; 8];
}

/// Two rows at once: in one vector on CPUs whose vectors hold 16 lanes, in two elsewhere
/// ([`RowsApart`](crate::RowsApart)).
///
/// # Products by constants without a sign
/// Let `0 < z < p < 2^31`, and `z' = floor(2^32 z / p)`. For a lane `0 <= a < 2^32` let
/// `t = floor(a z' / 2^32)`. Then `t <= a z / p`, and since `z' > 2^32 z / p - 1`,
/// `t > a z / p - a / 2^32 - 1`. So `a z - t p` is in `[0, (1 + a / 2^32) p)`, below `2 p`; its low 32 bits
/// are computed.
///
/// The quotient is V. Shoup's (NTL); lanes of any size are D. Harvey's, *Faster arithmetic for
/// number-theoretic transforms*, Journal of Symbolic Computation 60 (2014).
pub trait TwoRowLanes: RowLanes {
    /// Masks of lanes, the backend's, whose values the compiler must not know.
    type LaneMasks: Copy;
    /// Constants and their quotients, as products take them.
    type LaneFactors: Copy;

    /// Two rows, each from a place of its own.
    fn load_rows(self, rows: [&Row32; 2]) -> Self::Lanes;
    /// Writes two rows.
    fn store_rows(self, rows: [&mut Row32; 2], v: Self::Lanes);
    /// Two rows that stand together.
    fn load_lines(self, lines: &[Line32; 2]) -> Self::Lanes;
    /// Writes two rows that stand together.
    fn store_lines(self, lines: &mut [Line32; 2], v: Self::Lanes);
    /// A row, and one of zeroes.
    fn load_row(self, row: &Row32) -> Self::Lanes;
    /// Writes the first row.
    fn store_row(self, row: &mut Row32, v: Self::Lanes);
    /// A number in all lanes of each row.
    fn splat_rows(self, x: [i32; 2]) -> Self::Lanes;
    /// The lesser of `a` and `b`, taken as numbers without a sign.
    fn least_lanes(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    /// The masks, hidden from the compiler: to be made once a kernel.
    fn lane_masks(self) -> Self::LaneMasks;
    /// Of constants `z` and quotients `z'`, lane by lane.
    fn lane_factors(self, factor: [Self::Lanes; 2]) -> Self::LaneFactors;
    /// The same of one constant and its quotient for each row.
    fn splat_factors(self, factors: [[i32; 2]; 2], masks: Self::LaneMasks) -> Self::LaneFactors;
    /// `a z - t p`, as above.
    fn times_lanes(
        self,
        a: Self::Lanes,
        factors: Self::LaneFactors,
        p: Self::Lanes,
        masks: Self::LaneMasks,
    ) -> Self::Lanes;
}

impl<S: Simd> RowLanes for S {
    type Lanes = S::I32;
    type LaneProducts = S::Products;

    #[inline(always)]
    fn splat_lanes(self, x: i32) -> S::I32 {
        self.splat32(x)
    }
    #[inline(always)]
    fn add_lanes(self, a: S::I32, b: S::I32) -> S::I32 {
        self.add32(a, b)
    }
    #[inline(always)]
    fn sub_lanes(self, a: S::I32, b: S::I32) -> S::I32 {
        self.sub32(a, b)
    }
    #[inline(always)]
    fn and_lanes(self, a: S::I32, b: S::I32) -> S::I32 {
        self.and32(a, b)
    }
    #[inline(always)]
    fn shift_right_lanes<const K: i32>(self, a: S::I32) -> S::I32 {
        self.shift_right32::<K>(a)
    }
    #[inline(always)]
    fn multiply_words(self, a: S::I32, b: S::I32) -> S::I32 {
        self.mul_word32(a, b)
    }
    #[inline(always)]
    fn multiply_lanes(self, a: S::I32, b: S::I32) -> S::Products {
        self.products32(a, b)
    }
    #[inline(always)]
    fn add_products(self, a: S::Products, b: S::Products) -> S::Products {
        self.add_products32(a, b)
    }
    #[inline(always)]
    fn sub_products(self, a: S::Products, b: S::Products) -> S::Products {
        self.sub_products32(a, b)
    }
    #[inline(always)]
    fn montgomery(self, x: S::Products, p: S::I32, inverse: S::I32) -> S::I32 {
        self.montgomery32(x, p, inverse)
    }
    #[inline(always)]
    fn split_products<const K: i32>(self, x: S::Products) -> (S::I32, S::I32) {
        self.split_products32::<K>(x)
    }
    #[inline(always)]
    fn step(self, a: S::I32, p: S::I32) -> S::I32 {
        self.step32(a, p)
    }
    #[inline(always)]
    fn transpose_lanes(self, x: [S::I32; 8]) -> [S::I32; 8] {
        crate::transpose32(self, x)
    }
}
