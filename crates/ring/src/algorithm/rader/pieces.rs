//! Problems of 16 coefficients, one a lane: Bruun's splits, and products of eight coefficients.

use super::ROWS;
use super::plan::Plan;
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

/// Modulo the two factors of `x^16 - 1`, or of `x^16 + 1`, one behind the other; centred.
#[inline(always)]
pub(super) fn split<S: Simd, const Q: i64>(s: S, x: [S::I16; PROBLEM], plus: bool) -> [S::I16; PROBLEM] {
    let (mut y, mut j) = ([s.splat(0); PROBLEM], 0);
    while j < 4 {
        let c = [x[j], x[4 + j], x[8 + j], x[12 + j]];
        // x^8 = 1 and -1; x^8 = -s x^4 - 1 and x^8 = s x^4 - 1.
        let [a, b, d, e] = if plus {
            [
                s.sub(c[0], c[2]),
                s.add(c[1], c[3]),
                by_sigma::<S, Q, false>(s, c[3]),
                by_sigma::<S, Q, false>(s, c[2]),
            ]
        } else {
            [c[0], c[1], c[2], c[3]]
        };
        let sums = [s.add(a, d), if plus { s.sub(b, e) } else { s.add(b, e) }];
        let differences = [s.sub(a, d), if plus { s.add(b, e) } else { s.sub(b, e) }];
        (y[j], y[4 + j], y[8 + j], y[12 + j]) = (sums[0], sums[1], differences[0], differences[1]);
        j += 1;
    }
    j = 0;
    while j < PROBLEM {
        y[j] = barrett::exact::<S, Q>(s, y[j]);
        j += 1;
    }
    y
}

/// Twice the problem whose pieces are `x`.
#[inline(always)]
pub(super) fn merge<S: Simd, const Q: i64>(s: S, x: [S::I16; PROBLEM], plus: bool) -> [S::I16; PROBLEM] {
    let (mut y, mut j) = ([s.splat(0); PROBLEM], 0);
    while j < 4 {
        let (low, high) = ([x[j], x[8 + j]], [x[4 + j], x[12 + j]]);
        let (a, b) = (s.add(low[0], low[1]), s.add(high[0], high[1]));
        let (d, e) = (s.sub(low[0], low[1]), s.sub(high[0], high[1]));
        (y[j], y[4 + j], y[8 + j], y[12 + j]) = if plus {
            // c_3 and c_2 of what was multiplied by s.
            let third = by_sigma::<S, Q, true>(s, d);
            let second = by_sigma::<S, Q, true>(s, s.sub(s.splat(0), e));
            (s.add(a, second), s.sub(b, third), second, third)
        } else {
            (a, b, d, e)
        };
        j += 1;
    }
    y
}

/// `a = a b 2^-16`, piece by piece; centred.
pub(super) struct Products<'a, const Q: i64> {
    pub(super) a: &'a mut [Row; ROWS],
    pub(super) b: &'a [Row; ROWS],
}

impl<const Q: i64> Kernel for Products<'_, Q> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (a, b) = (self.a.as_chunks_mut::<PIECE>().0, self.b.as_chunks::<PIECE>().0);
        for (i, (a, b)) in a.iter_mut().zip(b).enumerate() {
            let (mut x, mut y, mut j) = ([s.splat(0); PIECE], [s.splat(0); PIECE], 0);
            while j < PIECE {
                (x[j], y[j]) = (s.load(&a[j]), s.load(&b[j]));
                j += 1;
            }
            let product = reduced::<S, Q>(s, eight::<S, Q>(s, &x, &y), i % 4);
            j = 0;
            while j < PIECE {
                s.store(&mut a[j], barrett::exact::<S, Q>(s, product[j]));
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

/// Eight by eight, from products of four that are reduced.
#[inline(always)]
fn eight<S: Simd, const Q: i64>(s: S, a: &[S::I16; PIECE], b: &[S::I16; PIECE]) -> [S::I16; PRODUCT] {
    let quarters = |x: &[S::I16; PIECE]| ([x[0], x[1], x[2], x[3]], [x[4], x[5], x[6], x[7]]);
    let ((a0, a1), (b0, b1)) = (quarters(a), quarters(b));
    let sums = |x: [S::I16; 4], y: [S::I16; 4]| {
        [s.add(x[0], y[0]), s.add(x[1], y[1]), s.add(x[2], y[2]), s.add(x[3], y[3])]
    };
    let (mut low, mut high) = (four::<S, Q>(s, a0, b0), four::<S, Q>(s, a1, b1));
    let both = four::<S, Q>(s, sums(a0, a1), sums(b0, b1));
    let (mut out, mut i) = ([s.splat(0); PRODUCT], 0);
    while i < 7 {
        (low[i], high[i]) = (barrett::exact::<S, Q>(s, low[i]), barrett::exact::<S, Q>(s, high[i]));
        let both = barrett::exact::<S, Q>(s, both[i]);
        let middle = s.sub(s.sub(both, low[i]), high[i]);
        out[i] = s.add(out[i], low[i]);
        out[4 + i] = s.add(out[4 + i], middle);
        out[8 + i] = s.add(out[8 + i], high[i]);
        i += 1;
    }
    out
}

/// Modulo the trinomial of a piece: 0 to 3 for `x^8 - 1`, `x^8 + 1`, `x^8 + s x^4 + 1`, `x^8 - s x^4 + 1`.
#[inline(always)]
fn reduced<S: Simd, const Q: i64>(s: S, mut c: [S::I16; PRODUCT], piece: usize) -> [S::I16; PIECE] {
    let mut i = PRODUCT;
    while i > PIECE {
        i -= 1;
        match piece {
            0 => c[i - 8] = s.add(c[i - 8], c[i]),
            1 => c[i - 8] = s.sub(c[i - 8], c[i]),
            _ => {
                let turned = by_sigma::<S, Q, false>(s, c[i]);
                c[i - 4] = if piece == 2 { s.sub(c[i - 4], turned) } else { s.add(c[i - 4], turned) };
                c[i - 8] = s.sub(c[i - 8], c[i]);
            }
        }
    }
    [c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]
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
