//! The last six layers: eight rows at a time, which stay in registers.
//!
//! # The map
//! A block of 64 coefficients is eight rows of eight lanes. Three layers work between rows. Then each row
//! belongs to another node; a transpose puts the nodes into lanes, and three more layers work between rows,
//! with a factor for each lane. The transpose is not undone: leaf `8 l + s` of the block stands in lane `l`
//! of row `s`, and the way back begins there.

use crate::lanes::{Lanes, Line};
use crate::pass::{Descendants, alone, descendants, layers, layers_back};
use crate::tables::{Table, Tail};
use ringsmith_simd::each;

/// The factors of a tail, from place 1 on.
#[inline(always)]
fn factors<L: Lanes>(l: L, tail: &Tail<L::Kind>) -> Descendants<L, 8> {
    let factors = each(
        #[inline(always)]
        |i: usize| l.load_factors(&tail.factors[i.max(1) - 1]),
    );
    Descendants { factors, cross: l.load_cross(&tail.cross) }
}

/// Eight rows.
#[inline(always)]
fn load<L: Lanes>(l: L, rows: &[Line<L>; 8]) -> [L::Vector; 8] {
    each(
        #[inline(always)]
        |r| l.load(&rows[r]),
    )
}

/// Writes eight rows.
#[inline(always)]
fn store<L: Lanes>(l: L, rows: &mut [Line<L>; 8], x: [L::Vector; 8]) {
    let mut r = 0;
    while r < 8 {
        l.store(&mut rows[r], x[r]);
        r += 1;
    }
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
    for (block, (rows, tail)) in blocks.iter_mut().zip(tails).enumerate() {
        let mut x = load(l, rows);
        alone::<L, 8>(
            &mut x,
            [0, 8],
            #[inline(always)]
            |x| l.renew_before_tail(x),
        );
        layers(l, &mut x, &descendants(l, table, node + block));
        x = l.transpose(x);
        layers(l, &mut x, &factors(l, tail));
        store(l, rows, x);
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
    for (block, (rows, tail)) in blocks.iter_mut().zip(tails).enumerate() {
        let mut x = load(l, rows);
        layers_back(l, &mut x, &factors(l, tail));
        x = l.transpose(x);
        layers_back(l, &mut x, &descendants(l, table, node + block));
        store(l, rows, x);
    }
}
