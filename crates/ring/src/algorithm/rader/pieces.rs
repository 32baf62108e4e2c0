//! Problems of 16 coefficients, one a lane: Bruun's splits, and products of eight coefficients.

use super::ROWS;
use super::plan::Plan;
use crate::algorithm::network::{gather, scatter};
use crate::bound::Bound;
use crate::number::inverse;
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor, bound_any, bound_wide};
use ringsmith_simd::{Kernel, Row, Simd};

/// Coefficients of a problem.
const PROBLEM: usize = 16;
/// Coefficients of a piece.
const PIECE: usize = 8;
/// Coefficients of the product of two pieces.
const PRODUCT: usize = 2 * PIECE - 1;

/// `s x`, or `x / s`.
#[inline(always)]
fn by_sigma<S: Simd, const Q: i64, const BACK: bool>(s: S, x: S::I16) -> S::I16 {
    let factor = const {
        let sigma = Plan::<Q>::SIGMA;
        Factor::new(if BACK { inverse(sigma, Q) } else { sigma }, Q)
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
            let (d, e) = (by_sigma::<S, Q, false>(s, c[3]), by_sigma::<S, Q, false>(s, c[2]));
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
            let (third, second) = (by_sigma::<S, Q, true>(s, d), by_sigma::<S, Q, true>(s, e));
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
            eight::<S, Q>(s, a, b, self.work);
            reduce::<S, Q>(s, self.work, i % 4);
            let mut j = 0;
            while j < PIECE {
                s.store(&mut a[j], barrett::exact::<S, Q>(s, s.load(&self.work[j])));
                j += 1;
            }
        }
    }
}

/// Two coefficients by two.
#[inline(always)]
fn two<S: Simd, const Q: i64>(s: S, a: [S::I16; 2], b: [S::I16; 2]) -> [S::I16; 3] {
    let low = montgomery::product::<S, Q>(s, a[0], b[0]);
    let high = montgomery::product::<S, Q>(s, a[1], b[1]);
    let both = montgomery::product::<S, Q>(s, s.add(a[0], a[1]), s.add(b[0], b[1]));
    [low, s.sub(s.sub(both, low), high), high]
}

/// Four by four.
#[inline(always)]
fn four<S: Simd, const Q: i64>(s: S, a: [S::I16; 4], b: [S::I16; 4]) -> [S::I16; 7] {
    let low = two::<S, Q>(s, [a[0], a[1]], [b[0], b[1]]);
    let high = two::<S, Q>(s, [a[2], a[3]], [b[2], b[3]]);
    let both = two::<S, Q>(s, [s.add(a[0], a[2]), s.add(a[1], a[3])], [s.add(b[0], b[2]), s.add(b[1], b[3])]);
    let (mut middle, mut i) = (both, 0);
    while i < 3 {
        middle[i] = s.sub(s.sub(both[i], low[i]), high[i]);
        i += 1;
    }
    [low[0], low[1], s.add(low[2], middle[0]), middle[1], s.add(middle[2], high[0]), high[1], high[2]]
}

/// Four coefficients of a piece from `at` on.
#[inline(always)]
fn half<S: Simd>(s: S, x: &[Row; PIECE], at: usize) -> [S::I16; 4] {
    gather::<S, PIECE, 4>(s, x, at, 1)
}

/// Their sums with the others.
#[inline(always)]
fn halves<S: Simd>(s: S, x: &[Row; PIECE]) -> [S::I16; 4] {
    let (a, b) = (half(s, x, 0), half(s, x, 4));
    [s.add(a[0], b[0]), s.add(a[1], b[1]), s.add(a[2], b[2]), s.add(a[3], b[3])]
}

/// Eight by eight, from products of four that are reduced.
#[inline(always)]
fn eight<S: Simd, const Q: i64>(s: S, a: &[Row; PIECE], b: &[Row; PIECE], out: &mut [Row; PROBLEM]) {
    s.begin_products(PIECE, 16);
    let low = four::<S, Q>(s, half(s, a, 0), half(s, b, 0));
    let mut i = 0;
    while i < PROBLEM {
        s.store(&mut out[i], if i < 7 { barrett::exact::<S, Q>(s, low[i]) } else { s.splat(0) });
        i += 1;
    }
    let high = four::<S, Q>(s, half(s, a, 4), half(s, b, 4));
    i = 0;
    while i < 7 {
        s.store(&mut out[8 + i], barrett::exact::<S, Q>(s, high[i]));
        i += 1;
    }
    let both = four::<S, Q>(s, halves(s, a), halves(s, b));
    // The middle less both ends, before any of it is added to them.
    let mut middle = both;
    i = 0;
    while i < 7 {
        let ends = s.add(s.load(&out[i]), s.load(&out[8 + i]));
        middle[i] = s.sub(barrett::exact::<S, Q>(s, both[i]), ends);
        i += 1;
    }
    i = 0;
    while i < 7 {
        let sum = s.add(s.load(&out[4 + i]), middle[i]);
        s.store(&mut out[4 + i], sum);
        i += 1;
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
            let (turned, middle) = (by_sigma::<S, Q, false>(s, x), s.load(&c[i - 4]));
            s.store(&mut c[i - 4], if piece == 2 { s.sub(middle, turned) } else { s.add(middle, turned) });
        }
    }
}

/// Where a Montgomery product of two values lies.
const fn product_bound(a: Bound, q: i64) -> Bound {
    bound_wide(a.mul(a).mirrored(), q)
}

/// Where the coefficients of [`two`] lie, and those of [`four`].
const fn two_bound(a: Bound, q: i64) -> Bound {
    product_bound(a.scale(2), q).add(product_bound(a, q).scale(2))
}

/// Whether no lane of the splits, the products and the way back overflows, and all that is reduced is centred by it.
pub(super) const fn hold(q: i64) -> bool {
    let (centred, lane) = (Bound::centred(q).mirrored(), Bound::symmetric(i16::MAX as i64));
    // The splits: of what comes from a product by the table.
    let turned = bound_any(lane, q);
    let split = turned.scale(2).add(bound_any(turned, q).join(turned));
    // Three layers of Karatsuba: sums of up to eight centred values. The middle coefficient of four is of three of products of two; those
    // beside it of four products.
    let sums = centred.scale(2);
    let four = two_bound(sums.scale(2), q).add(two_bound(sums, q).scale(2));
    let outer = product_bound(sums, q).add(two_bound(sums, q));
    // A coefficient of eight: one of the middle, of three, and two beside it; then what the trinomial adds.
    let eight = centred.scale(5);
    let top = eight.add(bound_any(eight, q));
    let last = eight.add(top).add(bound_any(top, q));
    // The way back.
    let back = sums.add(bound_any(sums, q));
    sums.scale(4).fits(16)
        && split.fits(16)
        && four.fits(16)
        && outer.fits(16)
        && last.fits(16)
        && back.fits(16)
        && barrett::exact_limit(q) >= 1 << 15
}
