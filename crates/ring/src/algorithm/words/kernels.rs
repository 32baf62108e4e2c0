//! The kernels: passes over rows, and products of values.

use super::butterfly::{backward, forward, pair_backward, pair_forward};
use super::tables::Table;
use super::{Order, WordNtt, plain};
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row32, Simd, each, transpose32};

/// Layers across the rows of a tile: one of a transform of 32 rows, two of one of 64.
const fn layers_of_tile(rows: usize) -> usize {
    rows.trailing_zeros() as usize - 4
}

/// `K` rows, `step` apart.
#[inline(always)]
fn gather<S: Simd, const N: usize, const K: usize>(
    s: S,
    rows: &[Row32; N],
    at: usize,
    step: usize,
) -> [S::I32; K] {
    each(
        #[inline(always)]
        |j| s.load32(&rows[at + step * j]),
    )
}

/// Writes them.
#[inline(always)]
fn scatter<S: Simd, const N: usize, const K: usize>(
    s: S,
    rows: &mut [Row32; N],
    at: usize,
    step: usize,
    x: [S::I32; K],
) {
    let mut j = 0;
    while j < K {
        s.store32(&mut rows[at + step * j], x[j]);
        j += 1;
    }
}

/// Eight registers of pairs of neighbours.
#[inline(always)]
fn joined<V: Copy>(x: [[V; 2]; 4]) -> [V; 8] {
    [x[0][0], x[0][1], x[1][0], x[1][1], x[2][0], x[2][1], x[3][0], x[3][1]]
}

/// Eight registers of two halves.
#[inline(always)]
fn joined_halves<V: Copy>([x, y]: [[V; 4]; 2]) -> [V; 8] {
    [x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]]
}

/// Into the domain.
pub(super) struct Forward<'a, const Q: i64, const ROWS: usize, O> {
    pub(super) input: &'a [Row32; ROWS],
    pub(super) out: &'a mut [Row32; ROWS],
    pub(super) order: PhantomData<O>,
}

impl<const Q: i64, const ROWS: usize, O: Order> Kernel for Forward<'_, Q, ROWS, O> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if const { !S::VECTORS } {
            return plain::forward::<Q, ROWS, O>(self.input, self.out);
        }
        let (table, q) = (WordNtt::<Q, ROWS>::forward_table::<S>(), s.splat32(Q as i32));
        let (quarter, sixteenth) = (ROWS / 4, ROWS / 16);
        let pair = table.pair(s, 1);
        let mut i = 0;
        while i < quarter {
            let x = gather::<S, ROWS, 4>(s, self.input, i, quarter);
            scatter(s, self.out, i, quarter, pair_forward(s, x, &pair, q));
            i += 1;
        }
        let mut block = 0;
        while block < 4 {
            let pair = table.pair(s, 4 + block);
            let mut i = quarter * block;
            while i < quarter * block + sixteenth {
                let x = gather::<S, ROWS, 4>(s, self.out, i, sixteenth);
                scatter(s, self.out, i, sixteenth, pair_forward(s, x, &pair, q));
                i += 1;
            }
            block += 1;
        }
        let mut tile = 0;
        while tile < ROWS / 8 {
            let x = gather::<S, ROWS, 8>(s, self.out, 8 * tile, 1);
            let x =
                forward_inside::<S, ROWS>(s, forward_across::<S, ROWS>(s, x, table, tile, q), table, tile, q);
            if O::TILED {
                scatter(s, self.out, 8 * tile, 1, x);
            } else {
                scatter(s, self.out, 8 * tile, 1, transpose32(s, x));
            }
            tile += 1;
        }
    }
}

/// The layers across the rows of a tile, and a transpose.
#[inline(always)]
fn forward_across<S: Simd, const ROWS: usize>(
    s: S,
    x: [S::I32; 8],
    table: &Table<ROWS>,
    tile: usize,
    q: S::I32,
) -> [S::I32; 8] {
    let x = if const { layers_of_tile(ROWS) } == 1 {
        joined(each(
            #[inline(always)]
            |j| forward(s, [x[2 * j], x[2 * j + 1]], table.node(s, ROWS / 2 + 4 * tile + j), q),
        ))
    } else {
        joined_halves(each(
            #[inline(always)]
            |j| {
                let four = [x[4 * j], x[4 * j + 1], x[4 * j + 2], x[4 * j + 3]];
                pair_forward(s, four, &table.pair(s, ROWS / 4 + 2 * tile + j), q)
            },
        ))
    };
    transpose32(s, x)
}

/// The last three layers of a tile.
#[inline(always)]
fn forward_inside<S: Simd, const ROWS: usize>(
    s: S,
    x: [S::I32; 8],
    table: &Table<ROWS>,
    tile: usize,
    q: S::I32,
) -> [S::I32; 8] {
    let pair = table.pair_inside(s, tile);
    let even = pair_forward(s, [x[0], x[2], x[4], x[6]], &pair, q);
    let odd = pair_forward(s, [x[1], x[3], x[5], x[7]], &pair, q);
    joined(each(
        #[inline(always)]
        |j| forward(s, [even[j], odd[j]], table.inside(s, tile, j), q),
    ))
}

/// Which representatives the inverse returns.
pub(super) trait Representatives {
    /// Whether they are centred.
    const CENTRED: bool;
}

/// `[0, q)`.
pub(super) struct Residues;

impl Representatives for Residues {
    const CENTRED: bool = false;
}

/// `[-(q - 1) / 2, (q - 1) / 2]`.
pub(super) struct Centred;

impl Representatives for Centred {
    const CENTRED: bool = true;
}

/// Out of the domain; spoils its input.
pub(super) struct Inverse<'a, const Q: i64, const ROWS: usize, O, P> {
    pub(super) products: &'a mut [Row32; ROWS],
    pub(super) out: &'a mut [Row32; ROWS],
    pub(super) kinds: PhantomData<(O, P)>,
}

impl<const Q: i64, const ROWS: usize, O: Order, P: Representatives> Kernel for Inverse<'_, Q, ROWS, O, P> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if const { !S::VECTORS } {
            return plain::inverse::<Q, ROWS, O, P>(self.products, self.out);
        }
        let (table, q) = (WordNtt::<Q, ROWS>::inverse_table::<S>(), s.splat32(Q as i32));
        let (quarter, sixteenth) = (ROWS / 4, ROWS / 16);
        let mut tile = 0;
        while tile < ROWS / 8 {
            let x = gather::<S, ROWS, 8>(s, self.products, 8 * tile, 1);
            let x = if O::TILED {
                backward_inside::<S, ROWS>(s, x, table, tile, q)
            } else {
                backward_inside::<S, ROWS>(s, transpose32(s, x), table, tile, q)
            };
            scatter(s, self.products, 8 * tile, 1, backward_across::<S, ROWS>(s, x, table, tile, q));
            tile += 1;
        }
        let mut block = 0;
        while block < 4 {
            let pair = table.pair(s, 4 + block);
            let mut i = quarter * block;
            while i < quarter * block + sixteenth {
                let x = gather::<S, ROWS, 4>(s, self.products, i, sixteenth);
                scatter(s, self.products, i, sixteenth, pair_backward(s, x, &pair, q));
                i += 1;
            }
            block += 1;
        }
        let (pair, scale) = (table.pair(s, 1), table.scale(s));
        let mut i = 0;
        while i < quarter {
            let x = gather::<S, ROWS, 4>(s, self.products, i, quarter);
            let [sum, x1, x2, x3] = pair_backward(s, x, &pair, q);
            // The other three had the scale in their twiddles.
            let x = [s.times32(sum, scale, q), x1, x2, x3];
            let x = each(
                #[inline(always)]
                |j| representative::<S, Q, P>(s, x[j]),
            );
            scatter::<S, ROWS, 4>(s, self.out, i, quarter, x);
            i += 1;
        }
    }
}

/// The first three layers of a tile backwards, and a transpose.
#[inline(always)]
fn backward_inside<S: Simd, const ROWS: usize>(
    s: S,
    x: [S::I32; 8],
    table: &Table<ROWS>,
    tile: usize,
    q: S::I32,
) -> [S::I32; 8] {
    let pair = table.pair_inside(s, tile);
    let x: [_; 4] = each(
        #[inline(always)]
        |j| backward(s, [x[2 * j], x[2 * j + 1]], table.inside(s, tile, j), q),
    );
    let even = pair_backward(s, [x[0][0], x[1][0], x[2][0], x[3][0]], &pair, q);
    let odd = pair_backward(s, [x[0][1], x[1][1], x[2][1], x[3][1]], &pair, q);
    transpose32(
        s,
        joined(each(
            #[inline(always)]
            |j| [even[j], odd[j]],
        )),
    )
}

/// The layers across the rows of a tile backwards.
#[inline(always)]
fn backward_across<S: Simd, const ROWS: usize>(
    s: S,
    x: [S::I32; 8],
    table: &Table<ROWS>,
    tile: usize,
    q: S::I32,
) -> [S::I32; 8] {
    if const { layers_of_tile(ROWS) } == 1 {
        joined(each(
            #[inline(always)]
            |j| backward(s, [x[2 * j], x[2 * j + 1]], table.node(s, ROWS / 2 + 4 * tile + j), q),
        ))
    } else {
        joined_halves(each(
            #[inline(always)]
            |j| {
                let four = [x[4 * j], x[4 * j + 1], x[4 * j + 2], x[4 * j + 3]];
                pair_backward(s, four, &table.pair(s, ROWS / 4 + 2 * tile + j), q)
            },
        ))
    }
}

/// The representative of `-2 q <= x < 2 q`; centred ones are those of `x + (q - 1) / 2`, so much less.
#[inline(always)]
fn representative<S: Simd, const Q: i64, P: Representatives>(s: S, x: S::I32) -> S::I32 {
    let half = s.splat32(const { (Q / 2) as i32 });
    let x = if P::CENTRED { s.add32(x, half) } else { x };
    let x = s.add_if_negative32(x, s.splat32(const { 2 * Q as i32 }));
    let q = s.splat32(Q as i32);
    let x = s.add_if_negative32(s.sub32(x, q), q);
    if P::CENTRED { s.sub32(x, half) } else { x }
}

/// Sums of products of values, with the factor `2^-32`.
pub(super) struct InnerProduct<'a, const Q: i64, const ROWS: usize, const K: usize> {
    pub(super) a: &'a [&'a [Row32; ROWS]; K],
    pub(super) b: &'a [&'a [Row32; ROWS]; K],
    pub(super) out: &'a mut [Row32; ROWS],
}

impl<const Q: i64, const ROWS: usize, const K: usize> Kernel for InnerProduct<'_, Q, ROWS, K> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (q, inverse) = (s.splat32(Q as i32), s.splat32(const { inverse_mod_lane(Q) }));
        let mut r = 0;
        while r < ROWS {
            let mut sum = s.products32(s.load32(&self.a[0][r]), s.load32(&self.b[0][r]));
            let mut k = 1;
            while k < K {
                let product = s.products32(s.load32(&self.a[k][r]), s.load32(&self.b[k][r]));
                sum = s.add_products32(sum, product);
                k += 1;
            }
            let x = s.montgomery32(sum, q, inverse);
            let x = if const { WordNtt::<Q, ROWS>::stepped(K) } { s.step32(x, q) } else { x };
            s.store32(&mut self.out[r], x);
            r += 1;
        }
    }
}

/// `q^-1` modulo `2^32`, by Newton: each step doubles the correct bits.
const fn inverse_mod_lane(q: i64) -> i32 {
    let (q, mut x, mut bits) = (q as i32, q as i32, 3);
    while bits < 32 {
        x = x.wrapping_mul(2_i32.wrapping_sub(q.wrapping_mul(x)));
        bits *= 2;
    }
    x
}

/// Transposes tiles.
pub(super) struct Reorder<'a, const ROWS: usize> {
    pub(super) input: &'a [Row32; ROWS],
    pub(super) out: &'a mut [Row32; ROWS],
}

impl<const ROWS: usize> Kernel for Reorder<'_, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut tile = 0;
        while tile < ROWS / 8 {
            let x = transpose32(s, gather::<S, ROWS, 8>(s, self.input, 8 * tile, 1));
            scatter(s, self.out, 8 * tile, 1, x);
            tile += 1;
        }
    }
}
