//! A lane at a time: the definition, and what runs where no instruction multiplies so wide.

use super::{BITS, Factor, LOW, shoup};
use crate::{Scalar, WideRow, WordLanes};

/// The high half of the product of the low 52 bits. Shifted up, `a` has no other bits, and the product is a
/// word's high half, which is an instruction.
#[inline(always)]
const fn high(a: u64, b: u64) -> u64 {
    (((a << (u64::BITS - BITS)) as u128 * (b & LOW) as u128) >> u64::BITS) as u64
}

/// The high half of a product.
#[inline(always)]
const fn high64(a: u64, b: u64) -> u64 {
    ((a as u128 * b as u128) >> u64::BITS) as u64
}

/// The token `$token` has its lanes one by one.
macro_rules! one_by_one {
    ($token:ty) => {
        impl WordLanes for $token {
            type Words = u64;
            const PIECES: usize = 8;

            #[inline(always)]
            fn splat_words(self, x: u64) -> u64 {
                x
            }
            #[inline(always)]
            fn load_words(self, row: &WideRow, piece: usize) -> u64 {
                row[piece]
            }
            #[inline(always)]
            fn store_words(self, row: &mut WideRow, piece: usize, v: u64) {
                row[piece] = v;
            }
            #[inline(always)]
            fn add_words(self, a: u64, b: u64) -> u64 {
                a.wrapping_add(b)
            }
            #[inline(always)]
            fn sub_words(self, a: u64, b: u64) -> u64 {
                a.wrapping_sub(b)
            }
            #[inline(always)]
            fn or_words(self, a: u64, b: u64) -> u64 {
                a | b
            }
            #[inline(always)]
            fn and_words(self, a: u64, b: u64) -> u64 {
                a & b
            }
            #[inline(always)]
            fn top_words(self, a: u64) -> u64 {
                a >> 48
            }
            #[inline(always)]
            fn madd_low32(self, c: u64, a: u64, b: u64) -> u64 {
                c.wrapping_add(u64::from(a as u32) * u64::from(b as u32))
            }
            #[inline(always)]
            fn sub_if_words(self, a: u64, b: u64) -> u64 {
                // The shift is hidden from the compiler, which would make a branch of a question of the sign.
                let sign = *core::hint::black_box(&(u64::BITS - 1));
                let difference = a.wrapping_sub(b);
                let negative = difference.wrapping_shr(sign).wrapping_neg();
                difference.wrapping_add(b & negative)
            }
            #[inline(always)]
            fn madd_low52(self, c: u64, a: u64, b: u64) -> u64 {
                c.wrapping_add(a.wrapping_mul(b) & LOW)
            }
            #[inline(always)]
            fn madd_high52(self, c: u64, a: u64, b: u64) -> u64 {
                c.wrapping_add(high(a, b))
            }
            type Prime = u64;

            #[inline(always)]
            fn prime52(self, p: u64) -> u64 {
                shoup::minus(self, p)
            }
            fn factor52(w: u64, p: u64) -> Factor {
                shoup::factor(w, p)
            }
            #[inline(always)]
            fn madd_factor52(self, c: u64, b: u64, factors: [u64; 2], p: u64) -> u64 {
                shoup::madd(self, c, b, factors, p)
            }
            #[inline(always)]
            fn around52(self, k: u64, _: u64) -> u64 {
                shoup::around(self, k)
            }
            #[inline(always)]
            fn reduce52(self, a: u64, one: [u64; 2], around: u64, p: u64) -> u64 {
                shoup::reduce(self, a, one, around, p)
            }
            #[inline(always)]
            fn low64(self, a: u64, b: u64) -> u64 {
                a.wrapping_mul(b)
            }
            #[inline(always)]
            fn high64(self, a: u64, b: u64) -> u64 {
                high64(a, b)
            }
            type LongPrime = u64;

            #[inline(always)]
            fn prime64(self, p: u64) -> u64 {
                p
            }
            #[inline(always)]
            fn times64(self, b: u64, [w, quotient]: [u64; 2], p: u64) -> u64 {
                let q = self.high64(b, quotient);
                self.sub_words(self.low64(b, w), self.low64(q, p))
            }
            #[inline(always)]
            fn transpose_words(self, x: [u64; 8]) -> [u64; 8] {
                x
            }
        }
    };
}

one_by_one!(Scalar);
#[cfg(target_arch = "x86_64")]
one_by_one!(crate::Sse2);
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
one_by_one!(crate::Neon);
