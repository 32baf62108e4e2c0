//! The last six layers: eight rows at a time, which stay in registers.
//!
//! # The map
//! A block of 64 coefficients is eight rows of eight lanes. Three layers work between rows. Then each row
//! belongs to another node; a transpose puts the nodes into lanes, and three more layers work between rows,
//! with a factor for each lane. The transpose is not undone: leaf `8 l + s` of the block stands in lane `l`
//! of row `s`, and the way back begins there.

use crate::arithmetic::{Factors, Lanes, Prime};
use crate::memory::Line;
use crate::pass::{Descendants, descendants, layers, layers_back};
use crate::tables::Tail;
use ringsmith_simd::{Factor, WordLanes, each};

/// The factors of a tail, from place 1 on.
#[inline(always)]
fn factors<W: WordLanes>(l: Lanes<W>, tail: &Tail) -> Descendants<W, 8> {
    each(
        #[inline(always)]
        |i| -> Factors<W> {
            let [low, high] = &tail[i.max(1) - 1];
            [l.w.load_words(&low.0), l.w.load_words(&high.0)]
        },
    )
}

/// Eight rows.
#[inline(always)]
fn load<W: WordLanes>(l: Lanes<W>, rows: &[Line; 8]) -> [W::Words; 8] {
    each(
        #[inline(always)]
        |r| l.w.load_words(&rows[r].0),
    )
}

/// Writes eight rows.
#[inline(always)]
fn store<W: WordLanes>(l: Lanes<W>, rows: &mut [Line; 8], x: [W::Words; 8]) {
    let mut r = 0;
    while r < 8 {
        l.w.store_words(&mut rows[r].0, x[r]);
        r += 1;
    }
}

/// The last six layers of blocks, the first of which has the node `node`.
#[inline(always)]
pub(crate) fn tail<W: WordLanes>(
    l: Lanes<W>,
    nodes: &[Factor],
    tails: &[Tail],
    rows: &mut [Line],
    node: usize,
) {
    let blocks = rows.as_chunks_mut::<8>().0;
    for (block, (rows, tail)) in blocks.iter_mut().zip(tails).enumerate() {
        let mut x = load(l, rows);
        layers(l, &mut x, &descendants(l, nodes, node + block));
        x = l.w.transpose_words(x);
        layers(l, &mut x, &factors(l, tail));
        store(l, rows, x);
    }
}

/// The same backward.
#[inline(always)]
pub(crate) fn tail_back<W: WordLanes>(
    l: Lanes<W>,
    prime: &Prime,
    nodes: &[Factor],
    tails: &[Tail],
    rows: &mut [Line],
    node: usize,
) {
    let blocks = rows.as_chunks_mut::<8>().0;
    for (block, (rows, tail)) in blocks.iter_mut().zip(tails).enumerate() {
        let mut x = load(l, rows);
        layers_back(l, prime, &mut x, &factors(l, tail));
        x = l.w.transpose_words(x);
        layers_back(l, prime, &mut x, &descendants(l, nodes, node + block));
        store(l, rows, x);
    }
}
