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
//! a factor of its own: a table by block of eight rows ([`Tail`]).

use crate::WordError;
use crate::arithmetic::Prime;
use crate::memory::{Line, reserve};
use crate::number;
use alloc::vec::Vec;
use ringsmith_simd::Factor;

/// Coefficients of a block: eight rows of eight lanes.
pub(crate) const BLOCK: usize = 64;

/// The factors of a block's last three layers, lane by lane: one row, two, then four.
pub(crate) type Tail = [[Line; 2]; 7];

/// The factors of a direction.
pub(crate) struct Table {
    /// By node.
    pub(crate) nodes: Vec<Factor>,
    /// By block, from 64 coefficients on.
    pub(crate) tails: Vec<Tail>,
}

/// The factors of a ring.
pub(crate) struct Tables {
    /// `w_j`.
    pub(crate) forward: Table,
    /// `1 / w_j`.
    pub(crate) backward: Table,
}

impl Tables {
    /// Of degree `n`, from the node `start`, with a root of unity of the least order that serves.
    pub(crate) fn new(prime: &Prime, n: usize, start: usize, root: u64) -> Result<Self, WordError> {
        let forward = twiddles(prime, n << start >> 1, root)?;
        let backward = factors(prime, &inverses(prime, &forward)?)?;
        let forward = factors(prime, &forward)?;
        Ok(Tables { forward: Table::new(forward, n, start)?, backward: Table::new(backward, n, start)? })
    }
}

impl Table {
    /// The tails of so many rows from row `first` on.
    pub(crate) fn below(&self, first: usize, count: usize) -> &[Tail] {
        self.tails.get(first / 8..(first + count) / 8).unwrap_or_default()
    }

    fn new(nodes: Vec<Factor>, n: usize, start: usize) -> Result<Self, WordError> {
        let blocks = n / BLOCK;
        let mut tails = reserve(blocks)?;
        tails.extend((0..blocks).map(|block| tail(&nodes, start * blocks + block)));
        if blocks == 0 {
            return Ok(Table { nodes, tails });
        }
        // A copy: where there is no memory to shrink a vector, that is no error but the end of the program.
        let mut kept = reserve(n / 8)?;
        kept.extend_from_slice(&nodes[..n / 8]);
        Ok(Table { nodes: kept, tails })
    }
}

/// The factors of a block, whose node is given: lane `l` is below its child `8 node + l`.
fn tail(nodes: &[Factor], node: usize) -> Tail {
    let mut tail = Tail::default();
    for (layer, first) in [0, 1, 3].into_iter().enumerate() {
        for s in 0..1 << layer {
            for lane in 0..8 {
                let [w, quotient] = nodes[((8 * node + lane) << layer) + s];
                let [low, high] = &mut tail[first + s];
                (low.0[lane], high.0[lane]) = (w, quotient);
            }
        }
    }
    tail
}

/// `w_j` for `j < count`, a power of two; the order of the root is `2 count`.
fn twiddles(prime: &Prime, count: usize, root: u64) -> Result<Vec<u64>, WordError> {
    let mut table = reserve(count)?;
    table.push(1);
    while table.len() < count {
        // Of order 4 times as many as there are.
        let step = number::power(root, (count / 2 / table.len()) as u64, prime.p);
        for s in 0..table.len() {
            table.push(number::multiply(table[s], step, prime.p));
        }
    }
    Ok(table)
}

/// `1 / w_j`: the negative of the mirrored `w`.
fn inverses(prime: &Prime, table: &[u64]) -> Result<Vec<u64>, WordError> {
    let mut inverses = reserve(table.len())?;
    inverses.push(1);
    while inverses.len() < table.len() {
        let first = inverses.len();
        inverses.extend(table[first..2 * first].iter().rev().map(|w| prime.p - w));
    }
    Ok(inverses)
}

/// Their factors.
fn factors(prime: &Prime, table: &[u64]) -> Result<Vec<Factor>, WordError> {
    let mut factors = reserve(table.len())?;
    factors.extend(table.iter().map(|w| prime.factor(*w)));
    Ok(factors)
}
