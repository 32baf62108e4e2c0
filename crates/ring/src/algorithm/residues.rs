//! Products of residues modulo `x^d - w`, sixteen at a time.
//!
//! # The map
//! Lane `l` of register `i` is coefficient `i` of residue `l`. Schoolbook takes all `d^2` products `a_i b_j`.
//! One iteration of Karatsuba takes `d (d + 1) / 2`: with `D_i = a_i b_i` and `D_ij = (a_i + a_j)(b_i + b_j)`
//! for `i < j`,
//!
//! ```text
//! a_i b_j + a_j b_i = D_ij - D_i - D_j
//! ```
//!
//! Terms of degree `d` and more are summed before they are multiplied by `w`. The second operand is
//! multiplied by `q^-1 mod 2^16` once, so that each product is one by a prepared factor.
//!
//! # Bounds
//! Schoolbook: `Products::Residues`. Karatsuba takes centred operands, and reduces its sums, which are
//! longer: they lie within the same bound then.
//!
//! # Source
//! A. Weimerskirch, C. Paar: Generalizations of the Karatsuba algorithm, 2006 (eprint 2006/224), section 3,
//! as E. Alkim, Y. A. Bilgin, M. Cenk use it for NewHope-Compact, section 3.2.

use super::network::Twiddle;
use super::plan;
use crate::bound::Bound;
use crate::number::inverse_mod_word;
use crate::reduce::{barrett, montgomery};
use ringsmith_simd::{Simd, each};

/// What makes registers second operands: each times `q^-1 mod 2^16`.
#[inline(always)]
fn factors<S: Simd, const Q: i64, const D: usize>(s: S, b: &[S::I16; D]) -> [S::I16; D] {
    let inverse = s.splat(const { inverse_mod_word(Q) });
    each(
        #[inline(always)]
        |i| s.mul_lo(b[i], inverse),
    )
}

/// Each register after a code of the plan.
#[inline(always)]
pub(crate) fn reduced<S: Simd, const Q: i64, const D: usize>(s: S, code: u8, a: &[S::I16; D]) -> [S::I16; D] {
    each(
        #[inline(always)]
        |i| plan::reduce::<S, Q>(s, code, a[i]),
    )
}

/// Each register, centred.
#[inline(always)]
pub(crate) fn centred<S: Simd, const Q: i64, const D: usize>(s: S, a: &[S::I16; D]) -> [S::I16; D] {
    each(
        #[inline(always)]
        |i| barrett::exact::<S, Q>(s, a[i]),
    )
}

/// `a b 2^-16` modulo `x^D - w`, `root` being the factor `w`.
#[inline(always)]
pub(crate) fn schoolbook<S: Simd, const Q: i64, const D: usize>(
    s: S,
    a: &[S::I16; D],
    b: &[S::I16; D],
    root: &Twiddle,
) -> [S::I16; D] {
    let (q, bq) = (s.splat(Q as i16), factors::<S, Q, D>(s, b));
    each(
        #[inline(always)]
        |t| {
            let (mut sum, mut i) = (s.mul_mont(a[0], b[t], bq[t], q), 1);
            while i <= t {
                sum = s.add(sum, s.mul_mont(a[i], b[t - i], bq[t - i], q));
                i += 1;
            }
            if i == D {
                return sum;
            }
            let mut wrapped = s.mul_mont(a[i], b[D + t - i], bq[D + t - i], q);
            i += 1;
            while i < D {
                wrapped = s.add(wrapped, s.mul_mont(a[i], b[D + t - i], bq[D + t - i], q));
                i += 1;
            }
            s.add(sum, times_root::<S, Q>(s, wrapped, root))
        },
    )
}

/// `a w`.
#[inline(always)]
fn times_root<S: Simd, const Q: i64>(s: S, a: S::I16, root: &Twiddle) -> S::I16 {
    s.mul_mont(a, s.load(&root[0]), s.load(&root[1]), s.splat(Q as i16))
}

/// The same by one iteration of Karatsuba.
#[inline(always)]
pub(crate) fn karatsuba<S: Simd, const Q: i64, const D: usize>(
    s: S,
    a: &[S::I16; D],
    b: &[S::I16; D],
    root: &Twiddle,
) -> [S::I16; D] {
    let (q, bq) = (s.splat(Q as i16), factors::<S, Q, D>(s, b));
    let squares: [_; D] = each(
        #[inline(always)]
        |i| s.mul_mont(a[i], b[i], bq[i], q),
    );
    each(
        #[inline(always)]
        |t| {
            let mut sum = karatsuba_sum::<S, Q, D>(s, a, b, &squares, t);
            if t + 1 < D {
                let wrapped = karatsuba_sum::<S, Q, D>(s, a, b, &squares, D + t);
                sum = s.add(sum, times_root::<S, Q>(s, wrapped, root));
            }
            barrett::reduce::<S, Q>(s, sum)
        },
    )
}

/// The terms of degree `t` of the product.
#[inline(always)]
fn karatsuba_sum<S: Simd, const Q: i64, const D: usize>(
    s: S,
    a: &[S::I16; D],
    b: &[S::I16; D],
    squares: &[S::I16; D],
    t: usize,
) -> S::I16 {
    let first = if t < D { 0 } else { t + 1 - D };
    let mut sum = None;
    let mut i = first;
    while 2 * i < t {
        let j = t - i;
        let both = montgomery::product::<S, Q>(s, s.add(a[i], a[j]), s.add(b[i], b[j]));
        let cross = s.sub(s.sub(both, squares[i]), squares[j]);
        sum = Some(match sum {
            Some(sum) => s.add(sum, cross),
            None => cross,
        });
        i += 1;
    }
    match sum {
        Some(sum) if t.is_multiple_of(2) => s.add(sum, squares[t / 2]),
        Some(sum) => sum,
        None => squares[t / 2],
    }
}

/// Where Karatsuba's sums lie before they are reduced, for operands in `a`; `None` where a lane overflows.
pub(crate) const fn karatsuba_bound(q: i64, degree: usize, a: Bound) -> Option<Bound> {
    let twice = a.add(a);
    let both = montgomery::bound_wide(twice.mul(twice).mirrored(), q);
    let one = montgomery::bound_wide(a.mul(a).mirrored(), q);
    let cross = both.sub(one).sub(one);
    // The longest sum: of degree d - 1, where d is even; the next ones get a sum times `w`.
    let pairs = cross.scale((degree / 2) as i64);
    let wrapped = montgomery::bound_any(pairs, q);
    let widest = pairs.join(cross.scale((degree / 2 - 1) as i64).add(one).add(wrapped));
    if twice.fits(16) && widest.fits(16) { Some(widest) } else { None }
}
