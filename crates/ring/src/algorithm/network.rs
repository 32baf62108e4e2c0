//! Butterflies on eight registers: up to three layers of a transform without touching memory.
//!
//! Eight registers hold blocks of a decimation tree. [`forward`] runs the first `layers` layers of the tree
//! of eight, distances 4, 2, 1; [`inverse`] the same layers backwards. With fewer than three, neighbouring
//! registers are columns of independent problems that share their twiddles.
//!
//! Four butterflies run breadth first (all low products, all high products, and so on): the compiler keeps
//! that order, and it is a tenth faster than one butterfly after the other.

use super::plan::reduce;
use crate::reduce::montgomery::Factor;
use ringsmith_simd::{Row, Simd, each};

/// A table at the beginning of a cache line.
#[repr(C, align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// A twiddle in every lane: the factor, and the factor times `q^-1`.
pub(crate) type Twiddle = [Row; 2];

/// The twiddles of a node and its two generations of children, in heap order.
pub(crate) type Family<'a> = [&'a Twiddle; 7];

/// The family of node `i` in a table in heap order.
#[inline(always)]
pub(crate) fn family(table: &[Twiddle], i: usize) -> Family<'_> {
    let (b, c) = (2 * i, 4 * i);
    [&table[i], &table[b], &table[b + 1], &table[c], &table[c + 1], &table[c + 2], &table[c + 3]]
}

#[inline(always)]
fn load<S: Simd>(s: S, z: &Twiddle) -> [S::I16; 2] {
    [s.load(&z[0]), s.load(&z[1])]
}

/// A factor in every lane.
#[inline(always)]
pub(crate) fn splat<S: Simd>(s: S, factor: Factor) -> [S::I16; 2] {
    [s.splat(factor.z), s.splat(factor.zq)]
}

/// Four Montgomery products.
#[inline(always)]
pub(crate) fn scale4<S: Simd, const Q: i64>(s: S, a: [S::I16; 4], z: [[S::I16; 2]; 4]) -> [S::I16; 4] {
    let (low, high) = (
        each(
            #[inline(always)]
            |j| z[j][0],
        ),
        each(
            #[inline(always)]
            |j| z[j][1],
        ),
    );
    s.mul_mont_n(a, low, high, s.splat(Q as i16))
}

/// Four forward butterflies: `(a, b) -> (r(a) + z b, r(a) - z b)`.
#[inline(always)]
pub(crate) fn forward4<S: Simd, const Q: i64>(
    s: S,
    a: &mut [S::I16; 4],
    b: &mut [S::I16; 4],
    z: [[S::I16; 2]; 4],
    code: u8,
) {
    let product = scale4::<S, Q>(s, *b, z);
    let kept: [_; 4] = each(
        #[inline(always)]
        |j| reduce::<S, Q>(s, code, a[j]),
    );
    *b = each(
        #[inline(always)]
        |j| s.sub(kept[j], product[j]),
    );
    *a = each(
        #[inline(always)]
        |j| s.add(kept[j], product[j]),
    );
}

/// Four inverse butterflies: `(a, b) -> (r(a) + r(b), z (r(a) - r(b)))`.
#[inline(always)]
pub(crate) fn inverse4<S: Simd, const Q: i64>(
    s: S,
    a: &mut [S::I16; 4],
    b: &mut [S::I16; 4],
    z: [[S::I16; 2]; 4],
    codes: [[u8; 4]; 2],
) {
    let x: [_; 4] = each(
        #[inline(always)]
        |j| reduce::<S, Q>(s, codes[0][j], a[j]),
    );
    let y: [_; 4] = each(
        #[inline(always)]
        |j| reduce::<S, Q>(s, codes[1][j], b[j]),
    );
    let difference: [_; 4] = each(
        #[inline(always)]
        |j| s.sub(x[j], y[j]),
    );
    *a = each(
        #[inline(always)]
        |j| s.add(x[j], y[j]),
    );
    *b = scale4::<S, Q>(s, difference, z);
}

/// Register `r` of column group `i`, whose registers are `2^layers` rows `apart`, and the rows beside them
/// while there are fewer than eight.
#[inline(always)]
pub(crate) fn column(layers: usize, i: usize, r: usize, distance: usize) -> usize {
    let columns = 8 >> layers;
    i + r % columns + distance * (r / columns)
}

/// The registers `at` of `x`.
#[inline(always)]
fn pick<T: Copy, const K: usize>(x: &[T], at: [usize; K]) -> [T; K] {
    each(
        #[inline(always)]
        |j| x[at[j]],
    )
}

/// The low and high operands of the four butterflies of a layer of this distance: 4, 2 or 1.
const fn operands(distance: usize) -> [[usize; 4]; 2] {
    match distance {
        4 => [[0, 1, 2, 3], [4, 5, 6, 7]],
        2 => [[0, 1, 4, 5], [2, 3, 6, 7]],
        _ => [[0, 2, 4, 6], [1, 3, 5, 7]],
    }
}

/// The twiddles of the four butterflies of a layer.
#[inline(always)]
fn twiddles<S: Simd>(s: S, family: &Family<'_>, distance: usize) -> [[S::I16; 2]; 4] {
    match distance {
        4 => [load(s, family[0]); 4],
        2 => {
            let (x, y) = (load(s, family[1]), load(s, family[2]));
            [x, x, y, y]
        }
        _ => [load(s, family[3]), load(s, family[4]), load(s, family[5]), load(s, family[6])],
    }
}

#[inline(always)]
fn put<T: Copy>(x: &mut [T; 8], at: [[usize; 4]; 2], a: [T; 4], b: [T; 4]) {
    let mut j = 0;
    while j < 4 {
        x[at[0][j]] = a[j];
        x[at[1][j]] = b[j];
        j += 1;
    }
}

/// Zips the registers whose numbers differ by `DISTANCE`, 1, 2 or 4.
#[inline(always)]
pub(crate) fn zips8<S: Simd, const BLOCK: usize, const DISTANCE: usize>(s: S, x: [S::I16; 8]) -> [S::I16; 8] {
    let at = const { operands(DISTANCE) };
    let pairs: [_; 4] = each(
        #[inline(always)]
        |j| s.zip::<BLOCK>(x[at[0][j]], x[at[1][j]]),
    );
    let (mut out, mut j) = (x, 0);
    while j < 4 {
        (out[at[0][j]], out[at[1][j]]) = pairs[j];
        j += 1;
    }
    out
}

/// One layer on eight registers, of butterflies of registers `DISTANCE` apart.
#[inline(always)]
pub(crate) fn forward_layer<S: Simd, const Q: i64, const DISTANCE: usize>(
    s: S,
    x: &mut [S::I16; 8],
    family: &Family<'_>,
    code: u8,
) {
    let at = const { operands(DISTANCE) };
    let (mut a, mut b) = (pick(x, at[0]), pick(x, at[1]));
    forward4::<S, Q>(s, &mut a, &mut b, twiddles(s, family, DISTANCE), code);
    put(x, at, a, b);
}

/// The first `layers` layers on eight registers; `codes[l]` before layer `l`.
#[inline(always)]
pub(crate) fn forward<S: Simd, const Q: i64>(
    s: S,
    layers: usize,
    x: &mut [S::I16; 8],
    family: Family<'_>,
    codes: [u8; 3],
) {
    // Written out, not a loop: a loop of this size is not unrolled, and its registers would live in memory.
    if layers > 0 {
        forward_layer::<S, Q, 4>(s, x, &family, codes[0]);
    }
    if layers > 1 {
        forward_layer::<S, Q, 2>(s, x, &family, codes[1]);
    }
    if layers > 2 {
        forward_layer::<S, Q, 1>(s, x, &family, codes[2]);
    }
}

/// Lots of eight registers. Each layer runs on all of them before the next: a layer waits for the products of
/// the one before it, and the other lots fill that time.
pub(crate) type Lots<V, const W: usize> = [[V; 8]; W];

/// Each lot by itself.
#[inline(always)]
pub(crate) fn lots<V: Copy, const W: usize>(x: Lots<V, W>, f: impl Fn([V; 8]) -> [V; 8]) -> Lots<V, W> {
    each(
        #[inline(always)]
        |p| f(x[p]),
    )
}

/// [`forward_layer`] on lots.
#[inline(always)]
pub(crate) fn forward_layer_of_lots<S: Simd, const Q: i64, const DISTANCE: usize, const W: usize>(
    s: S,
    x: Lots<S::I16, W>,
    family: &Family<'_>,
    code: u8,
) -> Lots<S::I16, W> {
    lots(
        x,
        #[inline(always)]
        |mut x| {
            forward_layer::<S, Q, DISTANCE>(s, &mut x, family, code);
            x
        },
    )
}

/// [`inverse`] with three layers on lots.
#[inline(always)]
pub(crate) fn inverse_of_lots<S: Simd, const Q: i64, const W: usize>(
    s: S,
    x: Lots<S::I16, W>,
    family: Family<'_>,
    codes: [[u8; 8]; 3],
) -> Lots<S::I16, W> {
    let x = inverse_layer_of_lots::<S, Q, 1, W>(s, x, &family, &codes[0]);
    let x = inverse_layer_of_lots::<S, Q, 2, W>(s, x, &family, &codes[1]);
    inverse_layer_of_lots::<S, Q, 4, W>(s, x, &family, &codes[2])
}

#[inline(always)]
fn inverse_layer_of_lots<S: Simd, const Q: i64, const DISTANCE: usize, const W: usize>(
    s: S,
    x: Lots<S::I16, W>,
    family: &Family<'_>,
    codes: &[u8; 8],
) -> Lots<S::I16, W> {
    lots(
        x,
        #[inline(always)]
        |mut x| {
            inverse_layer::<S, Q, DISTANCE>(s, &mut x, family, codes);
            x
        },
    )
}

#[inline(always)]
fn inverse_layer<S: Simd, const Q: i64, const DISTANCE: usize>(
    s: S,
    x: &mut [S::I16; 8],
    family: &Family<'_>,
    codes: &[u8; 8],
) {
    let at = const { operands(DISTANCE) };
    let (mut a, mut b) = (pick(x, at[0]), pick(x, at[1]));
    let codes = [pick(codes, at[0]), pick(codes, at[1])];
    inverse4::<S, Q>(s, &mut a, &mut b, twiddles(s, family, DISTANCE), codes);
    put(x, at, a, b);
}

/// The same layers backwards; `codes[l][i]` before the layer of distance `2^l`, for register `i`.
#[inline(always)]
pub(crate) fn inverse<S: Simd, const Q: i64>(
    s: S,
    layers: usize,
    x: &mut [S::I16; 8],
    family: Family<'_>,
    codes: [[u8; 8]; 3],
) {
    if layers > 2 {
        inverse_layer::<S, Q, 1>(s, x, &family, &codes[0]);
    }
    if layers > 1 {
        inverse_layer::<S, Q, 2>(s, x, &family, &codes[1]);
    }
    if layers > 0 {
        inverse_layer::<S, Q, 4>(s, x, &family, &codes[2]);
    }
}

/// Transposes the 8 x 8 matrices that stand in the low and in the high halves of eight rows.
#[inline(always)]
pub(crate) fn transpose8<S: Simd>(s: S, x: [S::I16; 8]) -> [S::I16; 8] {
    let a = [s.zip::<1>(x[0], x[1]), s.zip::<1>(x[2], x[3]), s.zip::<1>(x[4], x[5]), s.zip::<1>(x[6], x[7])];
    let b = [
        s.zip::<2>(a[0].0, a[1].0),
        s.zip::<2>(a[0].1, a[1].1),
        s.zip::<2>(a[2].0, a[3].0),
        s.zip::<2>(a[2].1, a[3].1),
    ];
    let c = [
        s.zip::<4>(b[0].0, b[2].0),
        s.zip::<4>(b[0].1, b[2].1),
        s.zip::<4>(b[1].0, b[3].0),
        s.zip::<4>(b[1].1, b[3].1),
    ];
    [c[0].0, c[0].1, c[1].0, c[1].1, c[2].0, c[2].1, c[3].0, c[3].1]
}

/// Transposes the 16 rows of a tile, in place.
#[inline(always)]
pub(crate) fn transpose16<S: Simd>(s: S, tile: &mut [Row; 16]) {
    let mut j = 0;
    while j < 8 {
        let (low, high) = s.load_zip8(&tile[j], &tile[8 + j]);
        s.store(&mut tile[j], low);
        s.store(&mut tile[8 + j], high);
        j += 1;
    }
    j = 0;
    while j < 16 {
        let x = gather::<S, 16, 8>(s, tile, j, 1);
        scatter(s, tile, j, 1, transpose8(s, x));
        j += 8;
    }
}

/// Loads `K` rows, `step` apart.
#[inline(always)]
pub(crate) fn gather<S: Simd, const N: usize, const K: usize>(
    s: S,
    rows: &[Row; N],
    at: usize,
    step: usize,
) -> [S::I16; K] {
    each(
        #[inline(always)]
        |j| s.load(&rows[at + step * j]),
    )
}

/// Stores `K` rows, `step` apart.
#[inline(always)]
pub(crate) fn scatter<S: Simd, const N: usize, const K: usize>(
    s: S,
    rows: &mut [Row; N],
    at: usize,
    step: usize,
    x: [S::I16; K],
) {
    let mut j = 0;
    while j < K {
        s.store(&mut rows[at + step * j], x[j]);
        j += 1;
    }
}
