//! Passes: one to three layers of a transform in one walk over memory.
//!
//! # The map
//! A block of `K d` rows holds a polynomial modulo `x^m - r` of a node. A pass of `log2 K` layers takes rows
//! `i`, `i + d`, .., `i + (K - 1) d` together, so that each is loaded and stored once. Forward it leaves the
//! remainders of the node's `K` descendants; backward it makes the polynomial of them, times `K`.
//!
//! # Bounds
//! `bounds`: forward a layer widens by `2 p`; backward row 0 is the only one that must be reduced.

use crate::arithmetic::{Factors, Lanes, Prime};
use crate::memory::Line;
use ringsmith_simd::{Factor, WordLanes};

/// The factors of a node and its descendants, `s` of layer `t` at `2^t + s`; there is none at 0.
pub(crate) type Descendants<W, const K: usize> = [Factors<W>; K];

/// Reads them from the table.
#[inline(always)]
pub(crate) fn descendants<W: WordLanes, const K: usize>(
    l: Lanes<W>,
    nodes: &[Factor],
    node: usize,
) -> Descendants<W, K> {
    let mut factors = [l.splat([0; 2]); K];
    let mut width = 1;
    while width < K {
        let mut s = 0;
        while s < width {
            factors[width + s] = l.splat(nodes[node * width + s]);
            s += 1;
        }
        width *= 2;
    }
    factors
}

/// `log2 K` layers on `K` rows.
#[inline(always)]
pub(crate) fn layers<W: WordLanes, const K: usize>(
    l: Lanes<W>,
    x: &mut [W::Words; K],
    factors: &Descendants<W, K>,
) {
    let mut width = 1;
    while width < K {
        let half = K / (2 * width);
        let mut i = 0;
        while i < K / 2 {
            let (s, at) = (i / half, i / half * 2 * half + i % half);
            [x[at], x[at + half]] = l.butterfly(x[at], x[at + half], factors[width + s]);
            i += 1;
        }
        width *= 2;
    }
}

/// The same layers backward, and row 0 reduced.
#[inline(always)]
pub(crate) fn layers_back<W: WordLanes, const K: usize>(
    l: Lanes<W>,
    prime: &Prime,
    x: &mut [W::Words; K],
    factors: &Descendants<W, K>,
) {
    let offset = l.offset(prime);
    let mut width = K / 2;
    while width > 0 {
        let half = K / (2 * width);
        let mut i = 0;
        while i < K / 2 {
            let (s, at) = (i / half, i / half * 2 * half + i % half);
            [x[at], x[at + half]] = l.butterfly_back(x[at], x[at + half], factors[width + s], offset);
            i += 1;
        }
        width /= 2;
    }
    x[0] = l.reduce(x[0], l.splat(prime.one));
}

/// No rows.
const fn none<'a>() -> &'a mut [Line] {
    &mut []
}

/// The `K` parts of a block, of which each has so many rows.
#[inline(always)]
fn parts<const K: usize>(block: &mut [Line]) -> ([&mut [Line]; K], usize) {
    let (size, mut rest, mut r) = (block.len() / K, block, 0);
    let mut parts = [const { none() }; K];
    while r < K {
        let (part, after) = rest.split_at_mut(size);
        (parts[r], rest, r) = (part, after, r + 1);
    }
    (parts, size)
}

/// Applies `f` to the rows that belong together.
#[inline(always)]
fn each_row<W: WordLanes, const K: usize>(w: W, block: &mut [Line], f: impl Fn(&mut [W::Words; K])) {
    let (parts, size) = parts::<K>(block);
    let mut i = 0;
    while i < size {
        let (mut x, mut r) = ([w.splat_words(0); K], 0);
        while r < K {
            x[r] = w.load_words(&parts[r][i].0);
            r += 1;
        }
        f(&mut x);
        r = 0;
        while r < K {
            w.store_words(&mut parts[r][i].0, x[r]);
            r += 1;
        }
        i += 1;
    }
}

/// A pass forward.
#[inline(always)]
pub(crate) fn pass<W: WordLanes, const K: usize>(
    l: Lanes<W>,
    nodes: &[Factor],
    block: &mut [Line],
    node: usize,
) {
    let factors = descendants::<W, K>(l, nodes, node);
    each_row::<W, K>(
        l.w,
        block,
        #[inline(always)]
        |x| layers(l, x, &factors),
    );
}

/// A pass backward.
#[inline(always)]
pub(crate) fn pass_back<W: WordLanes, const K: usize>(
    l: Lanes<W>,
    prime: &Prime,
    nodes: &[Factor],
    block: &mut [Line],
    node: usize,
) {
    let factors = descendants::<W, K>(l, nodes, node);
    each_row::<W, K>(
        l.w,
        block,
        #[inline(always)]
        |x| layers_back(l, prime, x, &factors),
    );
}
