//! Division steps modulo 2, in words of 64 coefficients.
//!
//! # The map
//! Polynomials in reverse, `f(0) = 1`. A step is that of `inverse`, where a unit is 1:
//!
//! ```text
//! (delta, f, g) -> (1 - delta, g, (g + f) / x)        where delta > 0 and g(0) is 1
//!                  (1 + delta, f, (g + g(0) f) / x)   elsewhere
//! ```
//!
//! So `g` becomes the same in both cases, and the second one of `f` is a choice by a mask.
//!
//! # Jumps
//! 63 steps are decided by the first 63 coefficients of `f` and `g`, a word of each. They are done there, and
//! on the columns of a matrix of polynomials, which are words, too: with the first row times `x` in each
//! step, nothing is divided. Then
//!
//! ```text
//! x^63 (f', g') = M (f, g)^T    and    (x v', r') = M (x v, r)^T
//! ```
//!
//! are eight carry-less products for each word.
//!
//! # Bounds
//! Entries of the matrix have degree 63 at most, so they are words. Of `x v` and `r` as many coefficients are
//! kept as there is room for: higher ones have no influence on lower ones.
//!
//! Constant time.

use ringsmith_simd::{CarrylessProducts, Kernel, Simd};

/// Steps of a jump.
const JUMP: usize = 63;

/// A matrix, row by row.
type Matrix = [[u64; 2]; 2];

/// So many steps, at most [`JUMP`], as a matrix.
#[inline(always)]
fn steps(count: usize, delta: &mut i32, mut f: u64, mut g: u64) -> Matrix {
    let ([mut u, mut v], [mut q, mut r], mut d) = ([1, 0], [0, 1], *delta);
    for _ in 0..count {
        // All ones where g(0) is 1; and where f and g change places, too.
        let one = (g & 1).wrapping_neg();
        let swap = ((-d >> 31) as i64 as u64) & one;
        let (change_f, change_u, change_v) = ((f ^ g) & swap, (u ^ q) & swap, (v ^ r) & swap);
        (g, q, r) = ((g ^ (f & one)) >> 1, q ^ (u & one), r ^ (v & one));
        (f, u, v) = (f ^ change_f, (u ^ change_u) << 1, (v ^ change_v) << 1);
        let turned = swap as i32;
        d = ((d ^ turned) - turned) + 1;
    }
    *delta = d;
    [[u, v], [q, r]]
}

/// All division steps on `f` and `g`, and on `x v` and `r`, all of the same number of words. The result is
/// `delta`.
pub(super) struct Divide<'a> {
    pub(super) steps: usize,
    pub(super) f: &'a mut [u64],
    pub(super) g: &'a mut [u64],
    pub(super) xv: &'a mut [u64],
    pub(super) r: &'a mut [u64],
}

/// `(a, b) = M (a, b)^T`, word by word: each word of both products goes to `write`, then the last ones.
#[inline(always)]
fn multiply<C: CarrylessProducts>(
    s: C,
    [first, second]: &Matrix,
    a: &mut [u64],
    b: &mut [u64],
    mut write: impl FnMut(&mut [u64], &mut [u64], usize, [u64; 2]),
) {
    let mut carry = [0; 2];
    for i in 0..a.len().min(b.len()) {
        let (x, y) = (a[i], b[i]);
        let row = |row: &[u64; 2]| {
            let products = (s.carryless_multiply64(row[0], x), s.carryless_multiply64(row[1], y));
            s.carryless_words(s.carryless_add(products.0, products.1))
        };
        let ([low_a, high_a], [low_b, high_b]) = (row(first), row(second));
        write(a, b, i, [low_a ^ carry[0], low_b ^ carry[1]]);
        carry = [high_a, high_b];
    }
    let end = a.len();
    write(a, b, end, carry);
}

impl Kernel for Divide<'_> {
    type Out = i32;
    const CARRYLESS: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> i32 {
        self.run_carryless(s, s)
    }
    #[inline(always)]
    fn run_carryless<S: Simd, C: CarrylessProducts>(self, _: S, s: C) -> i32 {
        let (mut left, mut delta) = (self.steps, 1);
        while left > 0 {
            let count = left.min(JUMP);
            let matrix = steps(count, &mut delta, self.f[0], self.g[0]);
            // A division by x^count.
            multiply(s, &matrix, self.f, self.g, |f, g, i, [a, b]| {
                if i > 0 {
                    (f[i - 1], g[i - 1]) = (f[i - 1] | a << (64 - count), g[i - 1] | b << (64 - count));
                }
                if i < f.len() {
                    (f[i], g[i]) = (a >> count, b >> count);
                }
            });
            multiply(s, &matrix, self.xv, self.r, |v, r, i, [a, b]| {
                if i < v.len() {
                    (v[i], r[i]) = (a, b);
                }
            });
            left -= count;
        }
        delta
    }
}
