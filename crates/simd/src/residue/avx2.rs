//! A register of four doubles.

use super::{half, half_mut};
use crate::{Avx2, Factor, ResidueLanes, WideRow};
use core::arch::x86_64::*;

type D = __m256d;

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs AVX2 or FMA; an `Avx2` token exists only where
        // its `detect` saw both.
        unsafe { $intrinsic($($arg),*) }
    };
}

/// `2^52`, above which the last bit of a double is 1.
const UNIT: f64 = (1_u64 << 52) as f64;
/// In the middle of the doubles whose last bit is 1.
const MIDDLE: f64 = 1.5 * UNIT;

/// Four lanes of a double.
#[inline(always)]
fn splat(x: f64) -> D {
    op!(_mm256_set1_pd; x)
}

/// A prime on doubles.
#[derive(Clone, Copy)]
pub struct Modulus {
    p: D,
    /// `1 / p`.
    inverse: D,
}

/// The integer next to `a v`.
#[inline(always)]
fn quotient(a: D, v: D) -> D {
    let middle = splat(MIDDLE);
    let above = op!(_mm256_fmadd_pd; a, v, middle);
    op!(_mm256_sub_pd; above, middle)
}

/// `a b - k p`, as a sum of two.
#[inline(always)]
fn parts(a: D, b: D, h: D, k: D, p: D) -> [D; 2] {
    [op!(_mm256_fmsub_pd; a, b, h), op!(_mm256_fnmadd_pd; k, p, h)]
}

/// `b w` modulo `p` as a sum of two, as the module's page proves it.
#[inline(always)]
fn times(b: D, [w, v]: [D; 2], of: Modulus) -> [D; 2] {
    let h = op!(_mm256_mul_pd; b, w);
    parts(b, w, h, quotient(b, v), of.p)
}

/// The sum of two.
#[inline(always)]
fn sum([l, r]: [D; 2]) -> D {
    op!(_mm256_add_pd; r, l)
}

/// `a` modulo `p`, likewise.
#[inline(always)]
fn reduce(a: D, of: Modulus) -> D {
    let k = quotient(a, of.inverse);
    op!(_mm256_fnmadd_pd; k, of.p, a)
}

/// `a b` modulo `p`, likewise.
#[inline(always)]
fn multiply(a: D, b: D, of: Modulus) -> D {
    let h = op!(_mm256_mul_pd; a, b);
    sum(parts(a, b, h, quotient(h, of.inverse), of.p))
}

/// Numbers below `2^52`: put below the exponent of `2^52`, which is then taken off.
#[inline(always)]
fn doubles(numbers: __m256i) -> D {
    let unit = splat(UNIT);
    let unit_bits = op!(_mm256_castpd_si256; unit);
    let above = op!(_mm256_or_si256; numbers, unit_bits);
    let above = op!(_mm256_castsi256_pd; above);
    op!(_mm256_sub_pd; above, unit)
}

/// The numbers in `[0, p)` of lanes in `(-p, p)`: the same backward. The sign of a lane is its top bit.
#[inline(always)]
fn integers(x: D, of: Modulus) -> __m256i {
    let (unit, zero) = (splat(UNIT), splat(0.0));
    let or_p = op!(_mm256_blendv_pd; zero, of.p, x);
    let x = op!(_mm256_add_pd; x, or_p);
    let above = op!(_mm256_add_pd; x, unit);
    let (above, unit) = (op!(_mm256_castpd_si256; above), op!(_mm256_castpd_si256; unit));
    op!(_mm256_xor_si256; above, unit)
}

/// The words of half of a row.
#[inline(always)]
fn load(words: &[u64; 4]) -> __m256i {
    // SAFETY: the reference is valid for reads of 32 bytes; the load has no alignment requirement.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

/// Writes them.
#[inline(always)]
fn store(words: &mut [u64; 4], x: __m256i) {
    // SAFETY: the reference is valid for writes of 32 bytes; the store has no alignment requirement.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), x) }
}

impl ResidueLanes for Avx2 {
    type Residues = D;
    type Modulus = Modulus;

    #[inline(always)]
    fn modulus49(self, p: u64, [inverse, _]: [u64; 2]) -> Modulus {
        Modulus { p: splat(p as f64), inverse: splat(f64::from_bits(inverse)) }
    }
    fn constants49(p: u64) -> [u64; 2] {
        [(1.0 / p as f64).to_bits(), 0]
    }
    fn factor49(w: u64, p: u64) -> Factor {
        let w = if 2 * w > p { w as f64 - p as f64 } else { w as f64 };
        [w.to_bits(), (w / p as f64).to_bits()]
    }
    #[inline(always)]
    fn splat_residues(self, x: u64) -> D {
        splat(f64::from_bits(x))
    }
    #[inline(always)]
    fn load_residues(self, row: &WideRow, at: usize) -> D {
        op!(_mm256_castsi256_pd; load(half(row, at)))
    }
    #[inline(always)]
    fn store_residues(self, row: &mut WideRow, at: usize, x: D) {
        store(half_mut(row, at), op!(_mm256_castpd_si256; x));
    }
    #[inline(always)]
    fn residues(self, numbers: &WideRow, at: usize) -> D {
        doubles(load(half(numbers, at)))
    }
    #[inline(always)]
    fn numbers(self, numbers: &mut WideRow, at: usize, x: D, p: Modulus) {
        store(half_mut(numbers, at), integers(x, p));
    }
    #[inline(always)]
    fn add_residues(self, a: D, b: D) -> D {
        op!(_mm256_add_pd; a, b)
    }
    #[inline(always)]
    fn sub_residues(self, a: D, b: D) -> D {
        op!(_mm256_sub_pd; a, b)
    }
    #[inline(always)]
    fn times_residues(self, b: D, factors: [D; 2], p: Modulus) -> D {
        sum(times(b, factors, p))
    }
    #[inline(always)]
    fn butterfly_residues(self, a: D, b: D, factors: [D; 2], p: Modulus) -> [D; 2] {
        let [l, r] = times(b, factors, p);
        let (above, below) = (op!(_mm256_add_pd; a, l), op!(_mm256_sub_pd; a, l));
        [op!(_mm256_add_pd; above, r), op!(_mm256_sub_pd; below, r)]
    }
    #[inline(always)]
    fn reduce_residues(self, a: D, p: Modulus) -> D {
        reduce(a, p)
    }
    #[inline(always)]
    fn multiply_residues(self, a: D, b: D, p: Modulus) -> D {
        multiply(a, b, p)
    }
}
