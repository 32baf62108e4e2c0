//! Problems of 16 coefficients, one a lane: Bruun's splits, and products of eight coefficients.

use super::plan::Tables;
use super::{ROWS, eight};
use crate::algorithm::choice::{Direction, Forward, Inverse};
use crate::algorithm::network::{gather, scatter};
use crate::bound::Bound;
use crate::number::inverse;
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor, bound_any};
use ringsmith_simd::{Kernel, Row, Simd};

/// Coefficients of a problem.
const PROBLEM: usize = 16;
/// Coefficients of a piece.
const PIECE: usize = eight::SIZE;
/// Coefficients of the product of two pieces.
const PRODUCT: usize = 2 * PIECE - 1;

/// `s x`, or `x / s`.
#[inline(always)]
fn by_sigma<S: Simd, const Q: i64, D: Direction>(s: S, x: S::I16) -> S::I16 {
    let factor = const {
        let sigma = Tables::<Q>::SIGMA;
        Factor::new(if D::INVERSE { inverse(sigma, Q) } else { sigma }, Q)
    };
    montgomery::scale::<S, Q>(s, x, factor)
}

/// Modulo the two factors of `x^16 - 1`, or of `x^16 + 1`, one behind the other, in place; centred.
#[inline(always)]
pub(super) fn split<S: Simd, const Q: i64>(s: S, x: &mut [Row; PROBLEM], plus: bool) {
    let mut j = 0;
    while j < 4 {
        let c = gather::<S, PROBLEM, 4>(s, x, j, 4);
        // x^8 = 1 and -1; x^8 = -s x^4 - 1 and x^8 = s x^4 - 1.
        let y = if plus {
            let (a, b) = (s.sub(c[0], c[2]), s.add(c[1], c[3]));
            let (d, e) = (by_sigma::<S, Q, Forward>(s, c[3]), by_sigma::<S, Q, Forward>(s, c[2]));
            [s.add(a, d), s.sub(b, e), s.sub(a, d), s.add(b, e)]
        } else {
            [s.add(c[0], c[2]), s.add(c[1], c[3]), s.sub(c[0], c[2]), s.sub(c[1], c[3])]
        };
        let mut i = 0;
        while i < 4 {
            s.store(&mut x[4 * i + j], barrett::exact::<S, Q>(s, y[i]));
            i += 1;
        }
        j += 1;
    }
}

/// Twice the problem whose pieces are `x`, in place.
#[inline(always)]
pub(super) fn merge<S: Simd, const Q: i64>(s: S, x: &mut [Row; PROBLEM], plus: bool) {
    let mut j = 0;
    while j < 4 {
        let c = gather::<S, PROBLEM, 4>(s, x, j, 4);
        let (a, b) = (s.add(c[0], c[2]), s.add(c[1], c[3]));
        let (d, e) = (s.sub(c[0], c[2]), s.sub(c[1], c[3]));
        let y = if plus {
            // c_3 and -c_2 of what was multiplied by s.
            let (third, second) = (by_sigma::<S, Q, Inverse>(s, d), by_sigma::<S, Q, Inverse>(s, e));
            [s.sub(a, second), s.sub(b, third), s.sub(s.splat(0), second), third]
        } else {
            [a, b, d, e]
        };
        scatter(s, x, j, 4, y);
        j += 1;
    }
}

/// `a = a b 2^-16`, piece by piece; centred.
pub(super) struct Products<'a, const Q: i64> {
    pub(super) a: &'a mut [Row; ROWS],
    pub(super) b: &'a [Row; ROWS],
    /// The product of two pieces.
    pub(super) work: &'a mut [Row; PROBLEM],
}

impl<const Q: i64> Kernel for Products<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (a, b) = (self.a.as_chunks_mut::<PIECE>().0, self.b.as_chunks::<PIECE>().0);
        for (i, (a, b)) in a.iter_mut().zip(b).enumerate() {
            eight::product::<S, Q, PIECE>(s, [a, b], 0, 1, self.work);
            reduce::<S, Q>(s, self.work, i % 4);
            let mut j = 0;
            while j < PIECE {
                s.store(&mut a[j], barrett::exact::<S, Q>(s, s.load(&self.work[j])));
                j += 1;
            }
        }
    }
}

/// Modulo the trinomial of a piece: 0 to 3 for `x^8 - 1`, `x^8 + 1`, `x^8 + s x^4 + 1`, `x^8 - s x^4 + 1`.
#[inline(always)]
fn reduce<S: Simd, const Q: i64>(s: S, c: &mut [Row; PROBLEM], piece: usize) {
    let mut i = PRODUCT;
    while i > PIECE {
        i -= 1;
        let (x, low) = (s.load(&c[i]), s.load(&c[i - 8]));
        s.store(&mut c[i - 8], if piece == 0 { s.add(low, x) } else { s.sub(low, x) });
        if piece > 1 {
            let (twisted, middle) = (by_sigma::<S, Q, Forward>(s, x), s.load(&c[i - 4]));
            s.store(&mut c[i - 4], if piece == 2 { s.sub(middle, twisted) } else { s.add(middle, twisted) });
        }
    }
}

/// Whether no lane of the splits, the products and the way back overflows, and all that is reduced is centred
/// by it.
pub(super) const fn hold(q: i64) -> bool {
    let (centred, lane) = (Bound::centred(q).mirrored(), Bound::symmetric(i16::MAX as i64));
    // The splits: of what comes from a product by the table.
    let twisted = bound_any(lane, q);
    let split = twisted.scale(2).add(bound_any(twisted, q).join(twisted));
    // What the trinomial adds to products of eight coefficients.
    let product = eight::bound(q);
    let top = product.add(bound_any(product, q));
    let last = product.add(top).add(bound_any(top, q));
    // The way back.
    let sums = centred.scale(2);
    let back = sums.add(bound_any(sums, q));
    eight::holds(q) && split.fits(16) && last.fits(16) && back.fits(16) && barrett::exact_limit(q) >= 1 << 15
}
