//! Integers with a sign, in an array.

use super::{LANES, half, half_mut};
use crate::{Factor, ResidueLanes, Scalar, WideRow, each};

/// The lanes in an array.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct Lanes([i64; LANES]);

/// A prime, and what is multiplied by in place of a division.
#[derive(Clone, Copy)]
pub struct Modulus {
    p: i64,
    /// How many low bits of a product don't matter: two less than `p` has.
    low: u32,
    /// The quotient of 1's factor.
    one: i64,
    /// `2^(BITS + low + 2) / p`, rounded down.
    inverse: i128,
}

impl Modulus {
    /// With the constants of a prime.
    #[inline(always)]
    const fn new(p: u64, [one, inverse]: [u64; 2]) -> Self {
        Modulus { p: p as i64, low: low(p), one: one as i64, inverse: inverse as i128 }
    }
}

/// Two less than the bits of `p >= 3`.
const fn low(p: u64) -> u32 {
    u64::BITS - 2 - p.leading_zeros()
}

/// `2^BITS w / p`, rounded to the nearest.
fn quotient(w: i64, p: u64) -> u64 {
    let p = i128::from(p);
    ((i128::from(w) << (BITS + 1)) + p).div_euclid(2 * p) as u64
}

/// The bits of a factor's quotient.
const BITS: u32 = 62;

/// A lane at a time.
#[inline(always)]
fn lanes(f: impl Fn(usize) -> i64) -> Lanes {
    Lanes(each(f))
}

/// `x / 2^k`, rounded to the nearest.
#[inline(always)]
const fn rounded(x: i128, k: u32) -> i128 {
    (x + ((1 << k) >> 1)) >> k
}

/// `b w` less a multiple of `p`.
#[inline(always)]
const fn times(b: i64, w: i64, quotient: i64, p: i64) -> i64 {
    let k = rounded(b as i128 * quotient as i128, BITS) as i64;
    b.wrapping_mul(w).wrapping_sub(k.wrapping_mul(p))
}

/// `a b` less a multiple of `p`. Without its low bits the product is wrong by at most `p / 4`, the quotient
/// by `1/2` and that.
#[inline(always)]
const fn multiply(a: i64, b: i64, of: Modulus) -> i64 {
    let product = a as i128 * b as i128;
    let k = rounded(rounded(product, of.low) * of.inverse, BITS + 2) as i64;
    (product as i64).wrapping_sub(k.wrapping_mul(of.p))
}

/// The token `$token` has its lanes in arrays.
macro_rules! in_arrays {
    ($token:ty) => {
        impl ResidueLanes for $token {
            type Residues = Lanes;
            type Modulus = Modulus;

            #[inline(always)]
            fn modulus49(self, p: u64, constants: [u64; 2]) -> Modulus {
                Modulus::new(p, constants)
            }
            fn constants49(p: u64) -> [u64; 2] {
                [quotient(1, p), ((1 << (BITS + 2 + low(p))) / u128::from(p)) as u64]
            }
            fn factor49(w: u64, p: u64) -> Factor {
                let w = if 2 * w > p { w as i64 - p as i64 } else { w as i64 };
                [w as u64, quotient(w, p)]
            }
            #[inline(always)]
            fn splat_residues(self, x: u64) -> Lanes {
                Lanes([x as i64; LANES])
            }
            #[inline(always)]
            fn load_residues(self, row: &WideRow, at: usize) -> Lanes {
                let row = half(row, at);
                lanes(
                    #[inline(always)]
                    |i| row[i] as i64,
                )
            }
            #[inline(always)]
            fn store_residues(self, row: &mut WideRow, at: usize, x: Lanes) {
                *half_mut(row, at) = each(
                    #[inline(always)]
                    |i| x.0[i] as u64,
                );
            }
            #[inline(always)]
            fn residues(self, numbers: &WideRow, at: usize) -> Lanes {
                self.load_residues(numbers, at)
            }
            #[inline(always)]
            fn numbers(self, numbers: &mut WideRow, at: usize, x: Lanes, p: Modulus) {
                *half_mut(numbers, at) = each(
                    #[inline(always)]
                    |i| super::residue_number(x.0[i] as u64, p.p as u64, false),
                );
            }
            #[inline(always)]
            fn add_residues(self, a: Lanes, b: Lanes) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| a.0[i].wrapping_add(b.0[i]),
                )
            }
            #[inline(always)]
            fn sub_residues(self, a: Lanes, b: Lanes) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| a.0[i].wrapping_sub(b.0[i]),
                )
            }
            #[inline(always)]
            fn times_residues(self, b: Lanes, [w, v]: [Lanes; 2], p: Modulus) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| times(b.0[i], w.0[i], v.0[i], p.p),
                )
            }
            #[inline(always)]
            fn reduce_residues(self, a: Lanes, p: Modulus) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| times(a.0[i], 1, p.one, p.p),
                )
            }
            #[inline(always)]
            fn multiply_residues(self, a: Lanes, b: Lanes, p: Modulus) -> Lanes {
                lanes(
                    #[inline(always)]
                    |i| multiply(a.0[i], b.0[i], p),
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
