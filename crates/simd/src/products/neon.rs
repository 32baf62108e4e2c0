//! Two registers: the lower and the upper lanes of each, two products each.

use crate::{Neon, ProductLanes, Quotient};
use core::arch::aarch64::*;

type H = int32x4_t;
type W = (H, H);
/// Products of the lower and of the upper two lanes.
type P = (int64x2_t, int64x2_t);

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs NEON alone; a `Neon` token exists only where the
        // target has it.
        unsafe { $intrinsic($($arg),*) }
    };
}

/// Four products.
#[inline(always)]
fn products(a: H, b: H) -> P {
    let (low_a, low_b) = (op!(vget_low_s32; a), op!(vget_low_s32; b));
    (op!(vmull_s32; low_a, low_b), op!(vmull_high_s32; a, b))
}

/// The high halves of `x - m p`.
#[inline(always)]
fn montgomery(x: P, p: H, inverse: H) -> H {
    let (low, high) = (op!(vreinterpretq_s32_s64; x.0), op!(vreinterpretq_s32_s64; x.1));
    let low_halves = op!(vuzp1q_s32; low, high);
    let m = op!(vmulq_s32; low_halves, inverse);
    let (m_low, p_low) = (op!(vget_low_s32; m), op!(vget_low_s32; p));
    let (low, high) = (op!(vmlsl_s32; x.0, m_low, p_low), op!(vmlsl_high_s32; x.1, m, p));
    let (low, high) = (op!(vreinterpretq_s32_s64; low), op!(vreinterpretq_s32_s64; high));
    op!(vuzp2q_s32; low, high)
}

/// The low halves of `x`, and those of `x` shifted right by `K`.
#[inline(always)]
fn split<const K: i32>(x: P) -> (H, H) {
    let (low, high) = (op!(vmovn_s64; x.0), op!(vshrn_n_s64::<K>; x.0));
    (op!(vmovn_high_s64; low, x.1), op!(vshrn_high_n_s64::<K>; high, x.1))
}

/// `a - p`, or `a + p` where `a` is negative: a multiple of `p` is taken off, 1 or -1.
#[inline(always)]
fn step(a: H, p: H) -> H {
    let sign = op!(vshrq_n_s32::<31>; a);
    let one = op!(vdupq_n_s32; 1);
    let sign = op!(vorrq_s32; sign, one);
    op!(vmlsq_s32; a, sign, p)
}

/// `a z - t p`; a rounding product is in place of the quotient's shift.
#[inline(always)]
fn times(a: H, [z, quotient]: [H; 2], p: H) -> H {
    let t = op!(vqrdmulhq_s32; a, quotient);
    let low = op!(vmulq_s32; a, z);
    op!(vmlsq_s32; low, t, p)
}

/// `a z + b w - t p`.
#[inline(always)]
fn times_sum([a, b]: [H; 2], [z, w]: [[H; 2]; 2], p: H) -> H {
    let (t, u) = (op!(vqrdmulhq_s32; a, z[1]), op!(vqrdmulhq_s32; b, w[1]));
    let low = op!(vmulq_s32; a, z[0]);
    let low = op!(vmlaq_s32; low, b, w[0]);
    let t = op!(vaddq_s32; t, u);
    op!(vmlsq_s32; low, t, p)
}

/// The lesser of `a` and `a + p`, taken as numbers without a sign.
#[inline(always)]
fn add_if_negative(a: H, p: H) -> H {
    let sum = op!(vaddq_s32; a, p);
    let (a, sum) = (op!(vreinterpretq_u32_s32; a), op!(vreinterpretq_u32_s32; sum));
    let least = op!(vminq_u32; a, sum);
    op!(vreinterpretq_s32_u32; least)
}

impl ProductLanes for Neon {
    type Products = [P; 2];

    #[inline(always)]
    fn products32(self, a: W, b: W) -> [P; 2] {
        [products(a.0, b.0), products(a.1, b.1)]
    }
    #[inline(always)]
    fn add_products32(self, [a, b]: [P; 2], [c, d]: [P; 2]) -> [P; 2] {
        [
            (op!(vaddq_s64; a.0, c.0), op!(vaddq_s64; a.1, c.1)),
            (op!(vaddq_s64; b.0, d.0), op!(vaddq_s64; b.1, d.1)),
        ]
    }
    #[inline(always)]
    fn sub_products32(self, [a, b]: [P; 2], [c, d]: [P; 2]) -> [P; 2] {
        [
            (op!(vsubq_s64; a.0, c.0), op!(vsubq_s64; a.1, c.1)),
            (op!(vsubq_s64; b.0, d.0), op!(vsubq_s64; b.1, d.1)),
        ]
    }
    #[inline(always)]
    fn montgomery32(self, [low, high]: [P; 2], p: W, inverse: W) -> W {
        (montgomery(low, p.0, inverse.0), montgomery(high, p.1, inverse.1))
    }
    #[inline(always)]
    fn split_products32<const K: i32>(self, x: [P; 2]) -> (W, W) {
        let (x, y) = (split::<K>(x[0]), split::<K>(x[1]));
        ((x.0, y.0), (x.1, y.1))
    }
    const QUOTIENT: Quotient = Quotient::Rounded;

    #[inline(always)]
    fn times32(self, a: W, [z, quotient]: [W; 2], p: W) -> W {
        (times(a.0, [z.0, quotient.0], p.0), times(a.1, [z.1, quotient.1], p.1))
    }
    #[inline(always)]
    fn times_sum32(self, [a, b]: [W; 2], [z, w]: [[W; 2]; 2], p: W) -> W {
        let [low, high] = [[[z[0].0, z[1].0], [w[0].0, w[1].0]], [[z[0].1, z[1].1], [w[0].1, w[1].1]]];
        (times_sum([a.0, b.0], low, p.0), times_sum([a.1, b.1], high, p.1))
    }
    #[inline(always)]
    fn add_if_negative32(self, a: W, p: W) -> W {
        (add_if_negative(a.0, p.0), add_if_negative(a.1, p.1))
    }
    #[inline(always)]
    fn step32(self, a: W, p: W) -> W {
        (step(a.0, p.0), step(a.1, p.1))
    }
}
