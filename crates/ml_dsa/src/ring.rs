//! The ring `Z_q[x]/(x^256 + 1)`, `q = 8380417 = 2^23 - 2^13 + 1`, and its transform: FIPS 204, section 7.5.
//!
//! `zeta = 1753` has the order 512, so `x^256 + 1` has the roots `zeta^(2i+1)`. The transform is their eight
//! layers: layer by layer, `x^2m - r^2` splits into `x^m - r` and `x^m + r`, with `r = zeta^brv8(i)` for
//! `i = 1, 2, ..` in order. Values are in the order of the standard, so that the matrix is sampled in place.
//!
//! Products are Montgomery's: `reduce(a b) = a b / 2^32 mod q`. That factor stays in a sum of products, and
//! [`inverse`] takes it off.
//!
//! # Bounds
//! `reduce` takes `|a| < 2^31 q` to `(-q, q)`. [`forward`] takes coefficients in `(-q, q)`; each of eight
//! layers adds less than `q`, so lanes stay below `9 q < 2^31`. Between functions values are in `(-q, q)`.
//!
//! Constant time; no division. All else of the crate uses the functions of this file alone.

use core::ops::{Deref, DerefMut};
use ringsmith_simd::wipe;

/// Coefficients of an element.
pub(crate) const N: usize = 256;
/// The modulus.
pub(crate) const Q: i32 = 8_380_417;
/// A root of unity of the order 512.
const ZETA: i64 = 1753;
/// `q^-1` modulo `2^32`.
const Q_INVERSE: i32 = inverse_of(Q);
/// `zeta^brv8(i) 2^32`, centred.
const TWIDDLES: [i32; N] = twiddles();
/// `2^64 / 256`, centred: takes off the factor of a product, of its own reduction, and of eight layers.
const SCALE: i32 = centred(power(2, 64 - 8));

const _: () = assert!(power(ZETA, 256) == Q as i64 - 1, "zeta must have the order 512");
const _: () = assert!(9 * (Q as i64) < 1 << 31, "eight layers without a reduction");

/// An element, as coefficients or as values of the transform.
#[derive(Clone, Copy)]
pub(crate) struct Poly(pub(crate) [i32; N]);

impl Poly {
    pub(crate) const ZERO: Self = Poly([0; N]);
}

/// Elements that are secret: cleared on drop.
pub(crate) struct SecretPolys<const M: usize>([Poly; M]);

impl<const M: usize> SecretPolys<M> {
    /// All zero.
    pub(crate) const fn zero() -> Self {
        SecretPolys([Poly::ZERO; M])
    }
}

impl<const M: usize> Deref for SecretPolys<M> {
    type Target = [Poly; M];
    fn deref(&self) -> &[Poly; M] {
        &self.0
    }
}

impl<const M: usize> DerefMut for SecretPolys<M> {
    fn deref_mut(&mut self) -> &mut [Poly; M] {
        &mut self.0
    }
}

impl<const M: usize> Drop for SecretPolys<M> {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(|poly| wipe(&mut poly.0));
    }
}

/// `base^exponent` modulo `q`, in `[0, q)`.
const fn power(base: i64, exponent: u32) -> i64 {
    let (mut result, mut i) = (1, 0);
    while i < exponent {
        result = result * base % Q as i64;
        i += 1;
    }
    result
}

/// The representative in `(-q/2, q/2)` of one in `[0, q)`.
const fn centred(a: i64) -> i32 {
    (if a > Q as i64 / 2 { a - Q as i64 } else { a }) as i32
}

/// The inverse of an odd number modulo `2^32`, by Newton's iteration.
const fn inverse_of(a: i32) -> i32 {
    let (mut inverse, mut i) = (1i32, 0);
    while i < 5 {
        inverse = inverse.wrapping_mul(2i32.wrapping_sub(a.wrapping_mul(inverse)));
        i += 1;
    }
    assert!(inverse.wrapping_mul(a) == 1);
    inverse
}

const fn twiddles() -> [i32; N] {
    let (mut table, mut i) = ([0; N], 0);
    while i < N {
        let exponent = (i as u8).reverse_bits() as u32;
        table[i] = centred(power(ZETA, exponent) * power(2, 32) % Q as i64);
        i += 1;
    }
    table
}

/// `a / 2^32` modulo `q`, in `(-q, q)` for `|a| < 2^31 q`.
#[inline(always)]
const fn reduce(a: i64) -> i32 {
    let m = (a as i32).wrapping_mul(Q_INVERSE);
    ((a - m as i64 * Q as i64) >> 32) as i32
}

/// `a b / 2^32` modulo `q`, in `(-q, q)`.
#[inline(always)]
const fn multiply(a: i32, b: i32) -> i32 {
    reduce(a as i64 * b as i64)
}

/// To `(-q, q)` from `(-2^31 + 2^22, 2^31 - 2^22)`: the nearest multiple of `2^23` tells that of `q`.
#[inline(always)]
const fn small(a: i32) -> i32 {
    a - ((a + (1 << 22)) >> 23) * Q
}

/// To `[0, q)` from `(-q, q)`.
#[inline(always)]
const fn canonical(a: i32) -> i32 {
    a + ((a >> 31) & Q)
}

/// The sum in `[0, q)` of a number there and one in `(-q, q)`.
#[inline(always)]
pub(crate) const fn add(a: i32, b: i32) -> i32 {
    // In (-2 q, q), then in (-q, q).
    canonical(canonical(a + b - Q))
}

/// To `(-q/2, q/2]` from `[0, q)`.
#[inline(always)]
pub(crate) const fn centre(a: i32) -> i32 {
    a - (((Q / 2 - a) >> 31) & Q)
}

/// The transform of coefficients in `(-q, q)`: algorithm 41.
pub(crate) fn forward(poly: &mut Poly) {
    let (mut length, mut i) = (N / 2, 1);
    while length > 0 {
        for block in poly.0.chunks_mut(2 * length) {
            let (low, high) = block.split_at_mut(length);
            for (low, high) in low.iter_mut().zip(high) {
                let product = multiply(*high, TWIDDLES[i]);
                (*low, *high) = (*low + product, *low - product);
            }
            i += 1;
        }
        length /= 2;
    }
    poly.0.iter_mut().for_each(|value| *value = small(*value));
}

/// The coefficients, in `[0, q)`, of values that are a sum of products: algorithm 42.
pub(crate) fn inverse(poly: &mut Poly) {
    let (mut length, mut i) = (1, N);
    while length < N {
        for block in poly.0.chunks_mut(2 * length) {
            i -= 1;
            let (low, high) = block.split_at_mut(length);
            for (low, high) in low.iter_mut().zip(high) {
                let difference = *high - *low;
                *low = small(*low + *high);
                *high = multiply(difference, TWIDDLES[i]);
            }
        }
        length *= 2;
    }
    poly.0.iter_mut().for_each(|value| *value = canonical(multiply(*value, SCALE)));
}

/// Adds a product of values to a sum.
pub(crate) fn multiply_add(sum: &mut Poly, a: &Poly, b: &Poly) {
    for ((sum, a), b) in sum.0.iter_mut().zip(&a.0).zip(&b.0) {
        *sum = small(*sum + multiply(*a, *b));
    }
}

/// Subtracts a product of values from a sum.
pub(crate) fn multiply_subtract(sum: &mut Poly, a: &Poly, b: &Poly) {
    for ((sum, a), b) in sum.0.iter_mut().zip(&a.0).zip(&b.0) {
        *sum = small(*sum - multiply(*a, *b));
    }
}

/// The product of two elements in the domain, as coefficients in `[0, q)`.
pub(crate) fn product(out: &mut Poly, a: &Poly, b: &Poly) {
    *out = Poly::ZERO;
    multiply_add(out, a, b);
    inverse(out);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The product by its definition, in `[0, q)`.
    fn schoolbook(a: &Poly, b: &Poly) -> Poly {
        let mut sums = [0i128; N];
        for (i, a) in a.0.iter().enumerate() {
            for (j, b) in b.0.iter().enumerate() {
                let product = *a as i128 * *b as i128;
                sums[(i + j) % N] += if i + j < N { product } else { -product };
            }
        }
        Poly(sums.map(|sum| sum.rem_euclid(Q as i128) as i32))
    }

    /// Protects: the transform, on the largest coefficients and on all kinds of them.
    #[test]
    fn products() {
        let mixed = |seed: i64| Poly(core::array::from_fn(|i| (power(seed, 7 * i as u32 + 1)) as i32));
        let (largest, least) = (Poly([Q - 1; N]), Poly([1 - Q; N]));
        let cases = [(largest, largest), (largest, least), (mixed(5), mixed(11)), (mixed(3), least)];
        for (a, b) in cases {
            let (mut x, mut y, mut z) = (a, b, Poly::ZERO);
            forward(&mut x);
            forward(&mut y);
            product(&mut z, &x, &y);
            assert_eq!(z.0, schoolbook(&a, &b).0);
            let mut difference = Poly::ZERO;
            multiply_add(&mut difference, &x, &y);
            multiply_subtract(&mut difference, &x, &y);
            inverse(&mut difference);
            assert_eq!(difference.0, [0; N]);
        }
    }

    /// Protects: the ends of each reduction's range.
    #[test]
    fn reductions() {
        for a in [0, 1, Q / 2, Q / 2 + 1, Q - 1] {
            assert_eq!(centre(a).rem_euclid(Q), a);
            assert!(2 * centre(a) < Q && 2 * centre(a) > -Q);
            for b in [1 - Q, -1, 0, 1, Q - 1] {
                assert_eq!(add(a, b), (a + b).rem_euclid(Q));
            }
        }
        let most = (1i64 << 31) * Q as i64 - 1;
        for a in [most, -most, 0, 1, -1] {
            let reduced = reduce(a) as i64;
            assert!(reduced.abs() < Q as i64);
            assert_eq!((reduced * power(2, 32) - a).rem_euclid(Q as i64), 0);
        }
    }
}
