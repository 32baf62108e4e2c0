//! Two registers of four doubles.

use crate::{Avx2, Factor, ResidueLanes, WideRow, WordLanes, each};
use core::arch::x86_64::*;

type D = __m256d;
/// Lanes 0..4 and 4..8.
type Pair = (D, D);

/// An intrinsic that works on registers alone.
macro_rules! op {
    ($intrinsic:expr; $($arg:expr),*) => {
        // SAFETY: the intrinsic touches no memory and needs AVX2 or FMA; an `Avx2` token exists only where
        // its `detect` saw both.
        unsafe { $intrinsic($($arg),*) }
    };
}

/// The same on both registers.
macro_rules! both {
    ($operation:expr; $($arg:expr),*) => { (op!($operation; $($arg.0),*), op!($operation; $($arg.1),*)) };
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

/// `a b - k p`.
#[inline(always)]
fn remainder(a: D, b: D, h: D, k: D, p: D) -> D {
    let l = op!(_mm256_fmsub_pd; a, b, h);
    let r = op!(_mm256_fnmadd_pd; k, p, h);
    op!(_mm256_add_pd; r, l)
}

/// `b w` modulo `p`, as the module's page proves it.
#[inline(always)]
fn times(b: D, [w, v]: [D; 2], of: Modulus) -> D {
    let h = op!(_mm256_mul_pd; b, w);
    remainder(b, w, h, quotient(b, v), of.p)
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
    remainder(a, b, h, quotient(h, of.inverse), of.p)
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

/// Doubles as words, bit by bit.
#[inline(always)]
fn words(x: Pair) -> (__m256i, __m256i) {
    both!(_mm256_castpd_si256; x)
}

/// Words as doubles, bit by bit.
#[inline(always)]
fn bits(x: (__m256i, __m256i)) -> Pair {
    both!(_mm256_castsi256_pd; x)
}

impl ResidueLanes for Avx2 {
    type Residues = Pair;
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
    fn splat_residues(self, x: u64) -> Pair {
        bits(self.splat_words(x))
    }
    #[inline(always)]
    fn load_residues(self, row: &WideRow) -> Pair {
        bits(self.load_words(row, 0))
    }
    #[inline(always)]
    fn store_residues(self, row: &mut WideRow, x: Pair) {
        self.store_words(row, 0, words(x));
    }
    #[inline(always)]
    fn residues(self, numbers: &WideRow) -> Pair {
        let numbers = self.load_words(numbers, 0);
        (doubles(numbers.0), doubles(numbers.1))
    }
    #[inline(always)]
    fn numbers(self, numbers: &mut WideRow, x: Pair, p: Modulus) {
        self.store_words(numbers, 0, (integers(x.0, p), integers(x.1, p)));
    }
    #[inline(always)]
    fn add_residues(self, a: Pair, b: Pair) -> Pair {
        both!(_mm256_add_pd; a, b)
    }
    #[inline(always)]
    fn sub_residues(self, a: Pair, b: Pair) -> Pair {
        both!(_mm256_sub_pd; a, b)
    }
    #[inline(always)]
    fn times_residues(self, b: Pair, [w, v]: [Pair; 2], p: Modulus) -> Pair {
        (times(b.0, [w.0, v.0], p), times(b.1, [w.1, v.1], p))
    }
    #[inline(always)]
    fn reduce_residues(self, a: Pair, p: Modulus) -> Pair {
        (reduce(a.0, p), reduce(a.1, p))
    }
    #[inline(always)]
    fn multiply_residues(self, a: Pair, b: Pair, p: Modulus) -> Pair {
        (multiply(a.0, b.0, p), multiply(a.1, b.1, p))
    }
    #[inline(always)]
    fn transpose_residues(self, x: [Pair; 8]) -> [Pair; 8] {
        let x = self.transpose_words(each(
            #[inline(always)]
            |i| words(x[i]),
        ));
        each(
            #[inline(always)]
            |i| bits(x[i]),
        )
    }
}
