//! Passes: one to three layers of a transform in one walk over memory.
//!
//! # The map
//! A block of `K d` rows holds a polynomial modulo `x^m - r` of a node. A pass of `log2 K` layers takes rows
//! `i`, `i + d`, .., `i + (K - 1) d` together, so that each is loaded and stored once. Forward it leaves the
//! remainders of the node's `K` descendants; backward it makes the polynomial of them, times `K`. Where a
//! vector holds two rows it takes rows `i + 1`, `i + 1 + d`, .. with them.
//!
//! # Bounds
//! Those of [`layers`](crate::layers).

use crate::ends::parts_mut;
use crate::lanes::{Arithmetic, Lanes, Line, TwoRows};
use crate::layers::{descendants, descendants_of_two, layers, layers_back};
use crate::tables::Table;

/// Applies `f` to the rows that belong together, piece by piece.
#[inline(always)]
pub(crate) fn each_row<L: Lanes, const K: usize>(
    l: L,
    block: &mut [Line<L>],
    f: impl Fn(&mut [L::Vector; K]) + Copy,
) {
    let size = block.len() / K;
    let mut parts = parts_mut::<Line<L>, K>(block, size);
    let mut i = 0;
    while i < size {
        let mut piece = 0;
        while piece < L::PIECES {
            at(l, &mut parts, [i, piece], f);
            piece += 1;
        }
        i += 1;
    }
}

/// Applies `f` to a piece of row `i` of each part.
#[inline(always)]
fn at<L: Lanes, const K: usize>(
    l: L,
    parts: &mut [&mut [Line<L>]; K],
    [i, piece]: [usize; 2],
    f: impl Fn(&mut [L::Vector; K]),
) {
    let (mut x, mut r) = ([l.load(&parts[0][i], piece); K], 1);
    while r < K {
        x[r] = l.load(&parts[r][i], piece);
        r += 1;
    }
    f(&mut x);
    r = 0;
    while r < K {
        l.store(&mut parts[r][i], piece, x[r]);
        r += 1;
    }
}

/// Applies `f` to the rows that belong together, two at a time.
#[inline(always)]
pub(crate) fn each_two<L: Lanes, const K: usize>(
    two: L::Two,
    block: &mut [Line<L>],
    f: impl Fn(&mut [<L::Two as Arithmetic>::Vector; K]) + Copy,
) {
    let block = block.as_chunks_mut::<2>().0;
    let size = block.len() / K;
    let mut parts = parts_mut::<[Line<L>; 2], K>(block, size);
    let mut i = 0;
    while i < size {
        two_at::<L, K>(two, &mut parts, i, f);
        i += 1;
    }
}

/// Applies `f` to rows `2 i` and `2 i + 1` of each part.
#[inline(always)]
fn two_at<L: Lanes, const K: usize>(
    two: L::Two,
    parts: &mut [&mut [[Line<L>; 2]]; K],
    i: usize,
    f: impl Fn(&mut [<L::Two as Arithmetic>::Vector; K]),
) {
    let (mut x, mut r) = ([two.load_together(&parts[0][i]); K], 1);
    while r < K {
        x[r] = two.load_together(&parts[r][i]);
        r += 1;
    }
    f(&mut x);
    r = 0;
    while r < K {
        two.store_together(&mut parts[r][i], x[r]);
        r += 1;
    }
}

/// Whether a pass over so many rows takes two at a time: they must not be those of two parts.
#[inline(always)]
pub(crate) fn by_two<L: Lanes, const K: usize>(rows: usize) -> bool {
    L::TWO && L::Two::ONE_VECTOR && rows >= 2 * K
}

/// A pass forward.
#[inline(always)]
pub(crate) fn pass<L: Lanes, const K: usize>(
    l: L,
    table: &Table<L::Kind>,
    block: &mut [Line<L>],
    node: usize,
) {
    if by_two::<L, K>(block.len()) {
        let factors = descendants_of_two::<L, K>(l.two(), table, [node; 2]);
        return each_two::<L, K>(
            l.two(),
            block,
            #[inline(always)]
            |x| layers(l.two(), x, &factors),
        );
    }
    let factors = descendants::<L, K>(l, table, node);
    each_row::<L, K>(
        l,
        block,
        #[inline(always)]
        |x| layers(l, x, &factors),
    );
}

/// A pass backward.
#[inline(always)]
pub(crate) fn pass_back<L: Lanes, const K: usize>(
    l: L,
    table: &Table<L::Kind>,
    block: &mut [Line<L>],
    node: usize,
) {
    if by_two::<L, K>(block.len()) {
        let factors = descendants_of_two::<L, K>(l.two(), table, [node; 2]);
        return each_two::<L, K>(
            l.two(),
            block,
            #[inline(always)]
            |x| layers_back(l.two(), x, &factors),
        );
    }
    let factors = descendants::<L, K>(l, table, node);
    each_row::<L, K>(
        l,
        block,
        #[inline(always)]
        |x| layers_back(l, x, &factors),
    );
}
