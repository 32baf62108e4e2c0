//! Products of eight coefficients, one problem a lane.
//!
//! Three layers of Karatsuba, so 27 products of coefficients for 64:
//! `a b = l + ((a0 + a1)(b0 + b1) - l - u) y + u y^2` with `l = a0 b0`, `u = a1 b1`, of halves, quarters and
//! coefficients. In: centred. Out: within [`bound`], which fits where [`holds`].

use crate::algorithm::network::gather;
use crate::bound::Bound;
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, bound_wide};
use ringsmith_simd::{Row, Simd, each};

/// Coefficients of an operand.
pub(super) const SIZE: usize = 8;

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

/// Half `h` of eight coefficients in rows `step` apart, from `at` on.
#[inline(always)]
fn half<S: Simd, const N: usize>(s: S, x: &[Row; N], at: usize, step: usize, h: usize) -> [S::I16; 4] {
    gather(s, x, at + 4 * step * h, step)
}

/// The sum of both halves.
#[inline(always)]
fn halves<S: Simd, const N: usize>(s: S, x: &[Row; N], at: usize, step: usize) -> [S::I16; 4] {
    each(
        #[inline(always)]
        |i| s.add(s.load(&x[at + step * i]), s.load(&x[at + step * (4 + i)])),
    )
}

/// `a b 2^-16` of eight centred coefficients each, in rows `step` apart from `at` on: fifteen within
/// [`bound`], and a zero. From products of four that are reduced.
#[inline(always)]
pub(super) fn product<S: Simd, const Q: i64, const N: usize>(
    s: S,
    [a, b]: [&[Row; N]; 2],
    at: usize,
    step: usize,
    out: &mut [Row; 2 * SIZE],
) {
    s.begin_products(SIZE, 16);
    let low = four::<S, Q>(s, half(s, a, at, step, 0), half(s, b, at, step, 0));
    let mut i = 0;
    while i < 2 * SIZE {
        s.store(&mut out[i], if i < 7 { barrett::exact::<S, Q>(s, low[i]) } else { s.splat(0) });
        i += 1;
    }
    let high = four::<S, Q>(s, half(s, a, at, step, 1), half(s, b, at, step, 1));
    i = 0;
    while i < 7 {
        s.store(&mut out[8 + i], barrett::exact::<S, Q>(s, high[i]));
        i += 1;
    }
    let both = four::<S, Q>(s, halves(s, a, at, step), halves(s, b, at, step));
    // The middle less both ends: what is read of `out` is read before it is added to, which two places four
    // apart do.
    i = 0;
    while i < 3 {
        let (x, y) = (middle::<S, Q>(s, both[i], out, i), middle::<S, Q>(s, both[4 + i], out, 4 + i));
        add_to(s, &mut out[4 + i], x);
        add_to(s, &mut out[8 + i], y);
        i += 1;
    }
    let x = middle::<S, Q>(s, both[3], out, 3);
    add_to(s, &mut out[7], x);
}

/// Coefficient `i` of the middle product, less both ends.
#[inline(always)]
fn middle<S: Simd, const Q: i64>(s: S, both: S::I16, out: &[Row; 2 * SIZE], i: usize) -> S::I16 {
    s.sub(barrett::exact::<S, Q>(s, both), s.add(s.load(&out[i]), s.load(&out[8 + i])))
}

#[inline(always)]
fn add_to<S: Simd>(s: S, row: &mut Row, x: S::I16) {
    let sum = s.add(s.load(row), x);
    s.store(row, sum);
}

/// Where a Montgomery product of two values lies, and its negative.
const fn product_bound(a: Bound, q: i64) -> Bound {
    bound_wide(a.mul(a).mirrored(), q).mirrored()
}

/// Where the coefficients of [`two`] lie, and those of [`four`].
const fn two_bound(a: Bound, q: i64) -> Bound {
    product_bound(a.scale(2), q).add(product_bound(a, q).scale(2))
}

/// Where a coefficient of a product lies: one of the middle, of three, and one of an end.
pub(super) const fn bound(q: i64) -> Bound {
    Bound::centred(q).mirrored().scale(4)
}

/// Whether no lane overflows, and all that is reduced is centred by it: sums of up to eight centred values.
/// The middle coefficient of four is of three of products of two; those beside it of four products.
pub(super) const fn holds(q: i64) -> bool {
    let sums = Bound::centred(q).mirrored().scale(2);
    let four = two_bound(sums.scale(2), q).add(two_bound(sums, q).scale(2));
    let outer = product_bound(sums, q).add(two_bound(sums, q));
    sums.scale(4).fits(16)
        && four.fits(16)
        && outer.fits(16)
        && bound(q).fits(16)
        && barrett::exact_limit(q) >= 1 << 15
}
