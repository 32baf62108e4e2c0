//! The definition: products in an array.

use crate::{I32Lanes, ProductLanes, Scalar, each};

/// The lanes in an array.
#[inline(always)]
fn row(a: <Scalar as I32Lanes>::I32) -> [i32; 8] {
    let mut row = [0; 8];
    Scalar.store32(&mut row, a);
    row
}

impl ProductLanes for Scalar {
    type Products = [i64; 8];

    #[inline(always)]
    fn products32(self, a: Self::I32, b: Self::I32) -> [i64; 8] {
        let (a, b) = (row(a), row(b));
        each(
            #[inline(always)]
            |i| a[i] as i64 * b[i] as i64,
        )
    }
    #[inline(always)]
    fn add_products32(self, a: [i64; 8], b: [i64; 8]) -> [i64; 8] {
        each(
            #[inline(always)]
            |i| a[i].wrapping_add(b[i]),
        )
    }
    #[inline(always)]
    fn sub_products32(self, a: [i64; 8], b: [i64; 8]) -> [i64; 8] {
        each(
            #[inline(always)]
            |i| a[i].wrapping_sub(b[i]),
        )
    }
    #[inline(always)]
    fn montgomery32(self, x: [i64; 8], p: Self::I32, inverse: Self::I32) -> Self::I32 {
        let (p, inverse) = (row(p), row(inverse));
        self.load32(&each(
            #[inline(always)]
            |i| {
                let m = (x[i] as i32).wrapping_mul(inverse[i]);
                (x[i].wrapping_sub(m as i64 * p[i] as i64) >> i32::BITS) as i32
            },
        ))
    }
    #[inline(always)]
    fn split_products32<const K: i32>(self, x: [i64; 8]) -> (Self::I32, Self::I32) {
        let low = each(
            #[inline(always)]
            |i| x[i] as i32,
        );
        let shifted = each(
            #[inline(always)]
            |i| (x[i] >> K) as i32,
        );
        (self.load32(&low), self.load32(&shifted))
    }
    #[inline(always)]
    fn step32(self, a: Self::I32, p: Self::I32) -> Self::I32 {
        let sign = self.shift_right32::<31>(a);
        let signed = self.sub32(self.xor32(p, sign), sign);
        self.sub32(a, signed)
    }
}
