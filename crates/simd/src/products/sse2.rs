//! Two registers: the even and the odd lanes of each, two products each. The products are unsigned; what
//! signs add to their high halves is kept beside them, all lanes together.

use crate::{I32Lanes, ProductLanes, Quotient, Sse2};
use core::arch::x86_64::*;

type H = __m128i;
type V = (H, H);

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs SSE2 alone, which every x86-64 CPU has.
        unsafe { $intrinsic($($arg),*) }
    };
}

/// Four numbers of 64 bits.
#[derive(Clone, Copy)]
pub struct Four {
    /// Those of the even lanes, plus `2^32` times the excess.
    even: H,
    /// Those of the odd lanes, likewise.
    odd: H,
    /// By lane, modulo `2^32`.
    excess: H,
}

/// The odd lanes in the places of the even ones.
#[inline(always)]
fn odd(a: H) -> H {
    op!(_mm_shuffle_epi32::<0xf5>; a)
}

/// `b` where `a` is negative, else 0.
#[inline(always)]
fn if_negative(a: H, b: H) -> H {
    let sign = op!(_mm_srai_epi32::<31>; a);
    op!(_mm_and_si128; sign, b)
}

/// One half of each 64 bits, of even and of odd lanes, in their places: the low halves, `PART = 0x88`, or the
/// high ones, `PART = 0xdd`.
#[inline(always)]
fn halves<const PART: i32>(even: H, odd: H) -> H {
    let (even, odd) = (op!(_mm_castsi128_ps; even), op!(_mm_castsi128_ps; odd));
    let halves = op!(_mm_shuffle_ps::<PART>; even, odd);
    let halves = op!(_mm_castps_si128; halves);
    op!(_mm_shuffle_epi32::<0xd8>; halves)
}

/// The unsigned products are `a b + 2^32 ((a < 0) b + (b < 0) a)`.
#[inline(always)]
fn products(a: H, b: H) -> Four {
    let excess = op!(_mm_add_epi32; if_negative(a, b), if_negative(b, a));
    Four { even: op!(_mm_mul_epu32; a, b), odd: op!(_mm_mul_epu32; odd(a), odd(b)), excess }
}

#[inline(always)]
fn add(a: Four, b: Four) -> Four {
    Four {
        even: op!(_mm_add_epi64; a.even, b.even),
        odd: op!(_mm_add_epi64; a.odd, b.odd),
        excess: op!(_mm_add_epi32; a.excess, b.excess),
    }
}

#[inline(always)]
fn sub(a: Four, b: Four) -> Four {
    Four {
        even: op!(_mm_sub_epi64; a.even, b.even),
        odd: op!(_mm_sub_epi64; a.odd, b.odd),
        excess: op!(_mm_sub_epi32; a.excess, b.excess),
    }
}

/// The high halves of `x - m p`: where `m` is negative, the unsigned product is `2^32 p` more.
#[inline(always)]
fn montgomery(x: Four, p: H, inverse: H) -> H {
    let (even, high) = (op!(_mm_mul_epu32; x.even, inverse), op!(_mm_mul_epu32; x.odd, odd(inverse)));
    let m = halves::<0x88>(even, high);
    let (even, high) = (op!(_mm_mul_epu32; even, p), op!(_mm_mul_epu32; high, odd(p)));
    let (even, high) = (op!(_mm_sub_epi64; x.even, even), op!(_mm_sub_epi64; x.odd, high));
    let less = op!(_mm_sub_epi32; if_negative(m, p), x.excess);
    op!(_mm_add_epi32; halves::<0xdd>(even, high), less)
}

/// The high halves of `x`.
#[inline(always)]
fn high(x: Four) -> H {
    op!(_mm_sub_epi32; halves::<0xdd>(x.even, x.odd), x.excess)
}

/// The low halves of `x`, and `x` shifted right by `K`.
#[inline(always)]
fn split<const K: i32>(x: Four) -> (H, H) {
    let (low, high) = (halves::<0x88>(x.even, x.odd), high(x));
    let count = op!(_mm_cvtsi32_si128; K);
    let below = op!(_mm_srl_epi32; low, count);
    let count = op!(_mm_cvtsi32_si128; 32 - K);
    let above = op!(_mm_sll_epi32; high, count);
    (low, op!(_mm_or_si128; below, above))
}

/// `a - p`, or `a + p` where `a` is negative.
#[inline(always)]
fn step(a: H, p: H) -> H {
    let sign = op!(_mm_srai_epi32::<31>; a);
    let signed = op!(_mm_xor_si128; p, sign);
    let signed = op!(_mm_sub_epi32; signed, sign);
    op!(_mm_sub_epi32; a, signed)
}

impl ProductLanes for Sse2 {
    type Products = (Four, Four);

    #[inline(always)]
    fn products32(self, a: V, b: V) -> (Four, Four) {
        (products(a.0, b.0), products(a.1, b.1))
    }
    #[inline(always)]
    fn add_products32(self, a: (Four, Four), b: (Four, Four)) -> (Four, Four) {
        (add(a.0, b.0), add(a.1, b.1))
    }
    #[inline(always)]
    fn sub_products32(self, a: (Four, Four), b: (Four, Four)) -> (Four, Four) {
        (sub(a.0, b.0), sub(a.1, b.1))
    }
    #[inline(always)]
    fn montgomery32(self, x: (Four, Four), p: V, inverse: V) -> V {
        (montgomery(x.0, p.0, inverse.0), montgomery(x.1, p.1, inverse.1))
    }
    #[inline(always)]
    fn split_products32<const K: i32>(self, x: (Four, Four)) -> (V, V) {
        let (x, y) = (split::<K>(x.0), split::<K>(x.1));
        ((x.0, y.0), (x.1, y.1))
    }
    const QUOTIENT: Quotient = Quotient::Floor;

    #[inline(always)]
    fn times32(self, a: V, [z, quotient]: [V; 2], p: V) -> V {
        let x = self.products32(a, quotient);
        self.sub32(self.mul_lo32(a, z), self.mul_lo32((high(x.0), high(x.1)), p))
    }
    #[inline(always)]
    fn times_sum32(self, [a, b]: [V; 2], [z, w]: [[V; 2]; 2], p: V) -> V {
        let x = self.add_products32(self.products32(a, z[1]), self.products32(b, w[1]));
        let low = self.add32(self.mul_lo32(a, z[0]), self.mul_lo32(b, w[0]));
        self.sub32(low, self.mul_lo32((high(x.0), high(x.1)), p))
    }
    #[inline(always)]
    fn step32(self, a: V, p: V) -> V {
        (step(a.0, p.0), step(a.1, p.1))
    }
}
