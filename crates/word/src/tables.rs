//! The twiddles of a ring.
//!
//! # The tree
//! A transform walks down a tree of remainders. Node `j` has a polynomial `x^m - r_j`; with `w_j^2 = r_j` it
//! is `(x^(m/2) - w_j) (x^(m/2) + w_j)`, the polynomials of the nodes `2 j` and `2 j + 1`. Node 0 has
//! `x^m - 1`, node 1 `x^m + 1`: a ring is the node that the walk starts from, and one numbering serves both
//! and all degrees. `w_j` is a power of a root of unity, whose exponent is `j` with its bits reversed. So
//! `w_(2^k + s) = w_s w_(2^k)` for `s < 2^k`, by which the table is made, and `-1 / w_(2^k + s)` is
//! `w_(2^k + t)` with `t = 2^k - 1 - s`, by which the inverses are.
//!
//! # Two tables a direction
//! Layers between rows use a factor for whole rows: a table by node. In the last three layers each lane has
//! a factor of its own: a table by block of eight rows ([`Tail`]). Two layers at once need, beside the
//! factors of a node and its children, what the kind of lanes makes of all three ([`Kind::Cross`]).

use crate::WordError;
use crate::lanes::Kind;
use crate::memory::reserve;
use crate::number;
use crate::ring::Shape;
use alloc::vec::Vec;

/// Coefficients of a block: eight rows of eight lanes.
pub(crate) const BLOCK: usize = 64;

/// The factors of a block's last three layers, lane by lane.
#[derive(Clone, Copy)]
pub(crate) struct Tail<K: Kind> {
    /// Those of one row, two, then four.
    pub(crate) factors: [K::FactorLines; 7],
    /// What the first two layers need beside.
    pub(crate) cross: K::CrossLines,
}

/// The factors of a direction.
pub(crate) struct Table<K: Kind> {
    /// By node.
    pub(crate) nodes: Vec<K::Factor>,
    /// By node that has children in the table.
    pub(crate) cross: Vec<K::Cross>,
    /// By block, from 64 coefficients on.
    pub(crate) tails: Vec<Tail<K>>,
}

/// The factors of a ring.
pub(crate) struct Tables<K: Kind> {
    /// `w_j`.
    pub(crate) forward: Table<K>,
    /// `1 / w_j`.
    pub(crate) backward: Table<K>,
}

/// A prime as a kind has it, and as it is.
pub(crate) type Of<'a, K> = (&'a <K as Kind>::Prime, u64);

impl<K: Kind> Tables<K> {
    /// Of degree `n` and a shape, with a root of unity of the least order that serves.
    pub(crate) fn new((prime, p): Of<'_, K>, n: usize, shape: Shape, root: u64) -> Result<Self, WordError> {
        let forward = twiddles(p, n * shape.order() / 2, root)?;
        let backward = inverses(p, &forward)?;
        Ok(Tables {
            forward: Table::new(prime, &forward, n, shape.node())?,
            backward: Table::new(prime, &backward, n, shape.node())?,
        })
    }
}

impl<K: Kind> Table<K> {
    /// The tails of `count` rows from row `first` on, and how many rows each takes. In rings of fewer
    /// coefficients than a block each fills a row, and there are none.
    pub(crate) fn below(&self, first: usize, count: usize) -> (&[Tail<K>], usize) {
        let tails = self.tails.get(first / 8..(first + count) / 8).unwrap_or_default();
        (tails, if tails.is_empty() { 1 } else { 8 })
    }

    /// Of the constants of all nodes.
    fn new(prime: &K::Prime, w: &[u64], n: usize, start: usize) -> Result<Self, WordError> {
        let blocks = n / BLOCK;
        let mut tails = reserve(blocks)?;
        tails.extend((0..blocks).map(|block| tail::<K>(prime, w, start * blocks + block)));
        // Layers between rows reach down to the nodes that are above a block's last three layers.
        let between = if blocks > 0 { (start + 1).next_power_of_two().max(2) * n / 16 } else { w.len() };
        let (mut nodes, mut cross) = (reserve(between)?, reserve(between / 2)?);
        nodes.extend(w[..between].iter().map(|w| K::factor(prime, *w)));
        cross.extend((0..between / 2).map(|node| cross_of::<K>(prime, w, node)));
        Ok(Table { nodes, cross, tails })
    }
}

/// What two layers below a node need beside factors.
fn cross_of<K: Kind>(prime: &K::Prime, w: &[u64], node: usize) -> K::Cross {
    K::cross(prime, [w[node], w[2 * node], w[2 * node + 1]])
}

/// The factors of a block, whose node is given: lane `l` is below its child `8 node + l`.
fn tail<K: Kind>(prime: &K::Prime, w: &[u64], node: usize) -> Tail<K> {
    let (mut factors, mut cross) = ([K::FactorLines::default(); 7], K::CrossLines::default());
    for lane in 0..8 {
        for (layer, first) in [0, 1, 3].into_iter().enumerate() {
            for s in 0..1 << layer {
                let factor = K::factor(prime, w[((8 * node + lane) << layer) + s]);
                K::put(&mut factors[first + s], lane, factor);
            }
        }
        K::put_cross(&mut cross, lane, cross_of::<K>(prime, w, 8 * node + lane));
    }
    Tail { factors, cross }
}

/// `w_j` for `j < count`, a power of two; the order of the root is `2 count`.
fn twiddles(p: u64, count: usize, root: u64) -> Result<Vec<u64>, WordError> {
    let mut table = reserve(count)?;
    table.push(1);
    while table.len() < count {
        // Of order 4 times as many as there are.
        let step = number::power(root, (count / 2 / table.len()) as u64, p);
        for s in 0..table.len() {
            table.push(number::multiply(table[s], step, p));
        }
    }
    Ok(table)
}

/// `1 / w_j`: the negative of the mirrored `w`.
fn inverses(p: u64, table: &[u64]) -> Result<Vec<u64>, WordError> {
    let mut inverses = reserve(table.len())?;
    inverses.push(1);
    while inverses.len() < table.len() {
        let first = inverses.len();
        inverses.extend(table[first..2 * first].iter().rev().map(|w| p - w));
    }
    Ok(inverses)
}
