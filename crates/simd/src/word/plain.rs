//! Lanes in an array: the definition, and what runs where no instruction multiplies so wide.

use super::{BITS, Factor, LOW, shoup};
use crate::{Scalar, WideRow, WordLanes, each};

/// 8 lanes in an array.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct Lanes([u64; 8]);

/// A lane at a time.
#[inline(always)]
fn lanes(f: impl Fn(usize) -> u64) -> Lanes {
    Lanes(each(f))
}

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

/// The token `$token` has its lanes in arrays.
macro_rules! in_arrays {
    ($token:ty) => {
        impl WordLanes for $token {
            type Words = Lanes;

            #[inline(always)]
            fn splat_words(self, x: u64) -> Lanes {
                Lanes([x; 8])
            }
            #[inline(always)]
            fn load_words(self, row: &WideRow) -> Lanes {
                Lanes(*row)
            }
            #[inline(always)]
            fn store_words(self, row: &mut WideRow, v: Lanes) {
                *row = v.0;
            }
            #[inline(always)]
            fn add_words(self, a: Lanes, b: Lanes) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| a.0[i].wrapping_add(b.0[i]),
                )
            }
            #[inline(always)]
            fn sub_words(self, a: Lanes, b: Lanes) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| a.0[i].wrapping_sub(b.0[i]),
                )
            }
            #[inline(always)]
            fn or_words(self, a: Lanes, b: Lanes) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| a.0[i] | b.0[i],
                )
            }
            #[inline(always)]
            fn and_words(self, a: Lanes, b: Lanes) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| a.0[i] & b.0[i],
                )
            }
            #[inline(always)]
            fn top_words(self, a: Lanes) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| a.0[i] >> 48,
                )
            }
            #[inline(always)]
            fn madd_low32(self, c: Lanes, a: Lanes, b: Lanes) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| c.0[i].wrapping_add(u64::from(a.0[i] as u32) * u64::from(b.0[i] as u32)),
                )
            }
            #[inline(always)]
            fn sub_if_words(self, a: Lanes, b: Lanes) -> Lanes {
                // The shift is hidden from the compiler, which would make a branch of a question of the sign.
                let sign = *core::hint::black_box(&(u64::BITS - 1));
                lanes(
                    #[inline(always)]
                    |i| {
                        let difference = a.0[i].wrapping_sub(b.0[i]);
                        let negative = difference.wrapping_shr(sign).wrapping_neg();
                        difference.wrapping_add(b.0[i] & negative)
                    },
                )
            }
            #[inline(always)]
            fn madd_low52(self, c: Lanes, a: Lanes, b: Lanes) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| c.0[i].wrapping_add(a.0[i].wrapping_mul(b.0[i]) & LOW),
                )
            }
            #[inline(always)]
            fn madd_high52(self, c: Lanes, a: Lanes, b: Lanes) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| c.0[i].wrapping_add(high(a.0[i], b.0[i])),
                )
            }
            type Prime = Lanes;

            #[inline(always)]
            fn prime52(self, p: u64) -> Lanes {
                shoup::minus(self, p)
            }
            fn factor52(w: u64, p: u64) -> Factor {
                shoup::factor(w, p)
            }
            #[inline(always)]
            fn madd_factor52(self, c: Lanes, b: Lanes, factors: [Lanes; 2], p: Lanes) -> Lanes {
                shoup::madd(self, c, b, factors, p)
            }
            #[inline(always)]
            fn around52(self, k: u64, _: u64) -> Lanes {
                shoup::around(self, k)
            }
            #[inline(always)]
            fn reduce52(self, a: Lanes, one: [Lanes; 2], around: Lanes, p: Lanes) -> Lanes {
                shoup::reduce(self, a, one, around, p)
            }
            #[inline(always)]
            fn low64(self, a: Lanes, b: Lanes) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| a.0[i].wrapping_mul(b.0[i]),
                )
            }
            #[inline(always)]
            fn high64(self, a: Lanes, b: Lanes) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| high64(a.0[i], b.0[i]),
                )
            }
            type LongPrime = Lanes;

            #[inline(always)]
            fn prime64(self, p: u64) -> Lanes {
                Lanes([p; 8])
            }
            #[inline(always)]
            fn times64(self, b: Lanes, [w, quotient]: [Lanes; 2], p: Lanes) -> Lanes {
                let q = self.high64(b, quotient);
                self.sub_words(self.low64(b, w), self.low64(q, p))
            }
            #[inline(always)]
            fn transpose_words(self, x: [Lanes; 8]) -> [Lanes; 8] {
                each(
                    #[inline(always)]
                    |i| {
                        lanes(
                            #[inline(always)]
                            |j| x[j].0[i],
                        )
                    },
                )
            }
        }
    };
}

in_arrays!(Scalar);
#[cfg(target_arch = "x86_64")]
in_arrays!(crate::Sse2);
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
in_arrays!(crate::Neon);
