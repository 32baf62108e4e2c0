//! The definition: products in an array.

use crate::{I32Lanes, ProductLanes, Quotient, Scalar, each};

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
    const QUOTIENT: Quotient = Quotient::Floor;

    #[inline(always)]
    fn times32(self, a: Self::I32, [z, quotient]: [Self::I32; 2], p: Self::I32) -> Self::I32 {
        let (a, z, quotient, p) = (row(a), row(z), row(quotient), row(p));
        self.load32(&each(
            #[inline(always)]
            |i| {
                let t = ((a[i] as i64 * quotient[i] as i64) >> i32::BITS) as i32;
                a[i].wrapping_mul(z[i]).wrapping_sub(t.wrapping_mul(p[i]))
            },
        ))
    }
    #[inline(always)]
    fn times_sum32(self, [a, b]: [Self::I32; 2], [z, w]: [[Self::I32; 2]; 2], p: Self::I32) -> Self::I32 {
        let (a, b, z, w, p) = (row(a), row(b), [row(z[0]), row(z[1])], [row(w[0]), row(w[1])], row(p));
        self.load32(&each(
            #[inline(always)]
            |i| {
                let products = (a[i] as i64 * z[1][i] as i64).wrapping_add(b[i] as i64 * w[1][i] as i64);
                let t = (products >> i32::BITS) as i32;
                let low = a[i].wrapping_mul(z[0][i]).wrapping_add(b[i].wrapping_mul(w[0][i]));
                low.wrapping_sub(t.wrapping_mul(p[i]))
            },
        ))
    }
    #[inline(always)]
    fn step32(self, a: Self::I32, p: Self::I32) -> Self::I32 {
        let sign = self.shift_right32::<31>(a);
        let signed = self.sub32(self.xor32(p, sign), sign);
        self.sub32(a, signed)
    }
}
