//! Reduction modulo 3: coefficients that are -1, 0 or 1.
//!
//! # The map
//! `round(x / 3) = floor((x (2^15 + 1) / 3 + 2^14) / 2^15)` is a rounded product by a constant. With
//! `t = (2^15 + 1) / 3` it is exact where `|x| < 2^13`: `x t / 2^15 = x / 3 + x / (3 * 2^15)`, and the second
//! term is less than the third of a unit that no `x / 3` comes nearer to a half. What is left,
//! `x - 3 round(x / 3)`, is -1, 0 or 1.
//!
//! # Bounds
//! In: `|x| <=` [`LIMIT`]. Out: -1 to 1, or the nearest multiple of 3.

use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// The greatest magnitude of what is reduced.
pub const LIMIT: i64 = (1 << 13) - 1;

/// `1 / 3`, in units of `2^-15`.
const THIRD: i16 = {
    let third = ((1_i32 << 15) + 1) / 3;
    let mut x = -LIMIT as i32;
    while x <= LIMIT as i32 {
        let rest = x - 3 * ((x * third + (1 << 14)) >> 15);
        assert!(-1 <= rest && rest <= 1, "not the nearest multiple");
        x += 1;
    }
    third as i16
};

/// `round(x / 3)`.
#[inline(always)]
pub fn third<S: Simd>(s: S, x: S::I16) -> S::I16 {
    s.mul_hi_rounded(x, s.splat(THIRD))
}

/// The nearest multiple of 3.
#[inline(always)]
fn multiple<S: Simd>(s: S, x: S::I16) -> S::I16 {
    let t = third(s, x);
    s.add(s.add(t, t), t)
}

/// Coefficients modulo 3.
struct Reduce<'a>(&'a mut [Row]);

impl Kernel for Reduce<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for row in self.0 {
            let x = s.load(row);
            s.store(row, s.sub(x, multiple(s, x)));
        }
    }
}

/// Coefficients less that.
struct Round<'a>(&'a mut [Row]);

impl Kernel for Round<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for row in self.0 {
            let x = s.load(row);
            s.store(row, multiple(s, x));
        }
    }
}

/// Centred modulo 3: -1, 0, 1. Constant time.
///
/// ```
/// use ringsmith_ring::three;
/// let mut rows = [[5, -4, 3, 0, 1, -1, 2, -2, 8191, -8191, 0, 0, 0, 0, 0, 0]];
/// three::reduce(ringsmith_simd::Cpu::detect(), &mut rows);
/// assert_eq!(rows[0][..10], [-1, -1, 0, 0, 1, -1, -1, 1, 1, -1]);
/// ```
pub fn reduce(cpu: Cpu, rows: &mut [Row]) {
    cpu.run(Reduce(rows));
}

/// The nearest multiples of 3. Constant time.
pub fn round(cpu: Cpu, rows: &mut [Row]) {
    cpu.run(Round(rows));
}
