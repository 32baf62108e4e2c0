//! The last six layers: eight rows at a time, which stay in registers.
//!
//! # The map
//! A block of 64 coefficients is eight rows of eight lanes. Three layers work between rows. Then each row
//! belongs to another node; a transpose puts the nodes into lanes, and three more layers work between rows,
//! with a factor for each lane. The transpose is not undone: leaf `8 l + s` of the block stands in lane `l`
//! of row `s`, and the way back begins there.
//!
//! Where a row is several vectors, a block goes through memory between the layers before the transpose and
//! those behind it.

use crate::lanes::{Lanes, Line};
use crate::pass::{Descendants, alone, descendants, layers, layers_back};
use crate::tables::{Table, Tail};
use ringsmith_simd::each;

/// The factors of a tail, from place 1 on.
#[inline(always)]
fn factors<L: Lanes>(l: L, tail: &Tail<L::Kind>, piece: usize) -> Descendants<L, 8> {
    let factors = each(
        #[inline(always)]
        |i: usize| l.load_factors(&tail.factors[i.max(1) - 1], piece),
    );
    Descendants { factors, cross: l.load_cross(&tail.cross, piece) }
}

/// A piece of eight rows.
#[inline(always)]
fn load<L: Lanes>(l: L, rows: &[Line<L>; 8], piece: usize) -> [L::Vector; 8] {
    each(
        #[inline(always)]
        |r| l.load(&rows[r], piece),
    )
}

/// Writes a piece of eight rows.
#[inline(always)]
fn store<L: Lanes>(l: L, rows: &mut [Line<L>; 8], piece: usize, x: [L::Vector; 8]) {
    let mut r = 0;
    while r < 8 {
        l.store(&mut rows[r], piece, x[r]);
        r += 1;
    }
}

/// Layers on a block whose vectors are pieces of rows: `first` of each piece, the transpose, and `second`.
#[inline(always)]
fn by_pieces<L: Lanes>(
    l: L,
    rows: &mut [Line<L>; 8],
    first: impl Fn([L::Vector; 8], usize) -> [L::Vector; 8],
    second: impl Fn([L::Vector; 8], usize) -> [L::Vector; 8],
) {
    let mut piece = 0;
    while piece < L::PIECES {
        let x = first(load(l, rows, piece), piece);
        store(l, rows, piece, x);
        piece += 1;
    }
    l.transpose_rows(rows);
    piece = 0;
    while piece < L::PIECES {
        let x = second(load(l, rows, piece), piece);
        store(l, rows, piece, x);
        piece += 1;
    }
}

/// The same on any block: where a vector is a row, it stays in registers.
#[inline(always)]
fn block<L: Lanes>(
    l: L,
    rows: &mut [Line<L>; 8],
    first: impl Fn([L::Vector; 8], usize) -> [L::Vector; 8],
    second: impl Fn([L::Vector; 8], usize) -> [L::Vector; 8],
) {
    if L::PIECES > 1 {
        return by_pieces(l, rows, first, second);
    }
    let x = first(load(l, rows, 0), 0);
    let x = second(l.transpose(x), 0);
    store(l, rows, 0, x);
}

/// The last six layers of blocks, the first of which has the node `node`.
#[inline(always)]
pub(crate) fn tail<L: Lanes>(
    l: L,
    table: &Table<L::Kind>,
    tails: &[Tail<L::Kind>],
    rows: &mut [Line<L>],
    node: usize,
) {
    let blocks = rows.as_chunks_mut::<8>().0;
    for (i, (rows, tail)) in blocks.iter_mut().zip(tails).enumerate() {
        block(
            l,
            rows,
            #[inline(always)]
            |mut x, _| {
                alone::<L, 8>(
                    &mut x,
                    [0, 8],
                    #[inline(always)]
                    |x| l.renew_before_tail(x),
                );
                layers(l, &mut x, &descendants(l, table, node + i));
                x
            },
            #[inline(always)]
            |mut x, piece| {
                layers(l, &mut x, &factors(l, tail, piece));
                x
            },
        );
    }
}

/// The same backward.
#[inline(always)]
pub(crate) fn tail_back<L: Lanes>(
    l: L,
    table: &Table<L::Kind>,
    tails: &[Tail<L::Kind>],
    rows: &mut [Line<L>],
    node: usize,
) {
    let blocks = rows.as_chunks_mut::<8>().0;
    for (i, (rows, tail)) in blocks.iter_mut().zip(tails).enumerate() {
        block(
            l,
            rows,
            #[inline(always)]
            |mut x, piece| {
                layers_back(l, &mut x, &factors(l, tail, piece));
                x
            },
            #[inline(always)]
            |mut x, _| {
                layers_back(l, &mut x, &descendants(l, table, node + i));
                x
            },
        );
    }
}
