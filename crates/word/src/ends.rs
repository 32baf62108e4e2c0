//! The two ends of a transform that are passes of their own.
//!
//! # The maps
//! The first pass forward takes its rows from an operand that stays, and writes them to another: a copy would
//! walk over memory once more. The last pass backward multiplies all rows by a factor, `1 / n`, before it
//! stores them, and makes coefficients of a polynomial.
//!
//! # Bounds
//! Those of passes ([`pass`](crate::pass)). The last one multiplies its rows as layers leave them: the factor
//! takes every value, so that no sum is reduced before.

use crate::lanes::{Arithmetic, Body, Kind, Lanes, Line, TwoRows};
use crate::layers::{Descendants, alone, descendants, descendants_of_two, layers, open_layers_back};
use crate::pass::{by_two, each_row, each_two};
use crate::tables::Table;

/// The least number of rows that these passes take together.
pub(crate) const LEAST: usize = 4;

/// The first pass forward.
pub(crate) struct First<'a, K: Kind> {
    /// The factors of the direction.
    pub(crate) table: &'a Table<K>,
    /// The operand.
    pub(crate) from: &'a [K::Line],
    /// Where its rows go, as many.
    pub(crate) rows: &'a mut [K::Line],
    /// The node of all rows.
    pub(crate) node: usize,
    /// How many rows are taken together: 4 or 8. Public.
    pub(crate) radix: usize,
}

/// The last pass backward.
pub(crate) struct Last<'a, K: Kind> {
    /// The factors of the direction.
    pub(crate) table: &'a Table<K>,
    /// The rows.
    pub(crate) rows: &'a mut [K::Line],
    /// Their node.
    pub(crate) node: usize,
    /// How many rows are taken together: 4 or 8. Public.
    pub(crate) radix: usize,
    /// `1 / n`.
    pub(crate) scale: K::Factor,
}

impl<K: Kind> Body<K> for First<'_, K> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes<Kind = K>>(self, l: L) {
        if self.radix == 8 { first::<L, 8>(l, self) } else { first::<L, LEAST>(l, self) }
    }
}

impl<K: Kind> Body<K> for Last<'_, K> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes<Kind = K>>(self, l: L) {
        if self.radix == 8 { last::<L, 8>(l, self) } else { last::<L, LEAST>(l, self) }
    }
}

/// The `K` parts of rows, each of `size`.
#[inline(always)]
fn parts<T, const K: usize>(mut rest: &[T], size: usize) -> [&[T]; K] {
    let (mut parts, mut r) = ([rest; K], 0);
    while r < K {
        (parts[r], rest) = rest.split_at(size);
        r += 1;
    }
    parts
}

/// The same, to write.
#[inline(always)]
pub(crate) fn parts_mut<T, const K: usize>(mut rest: &mut [T], size: usize) -> [&mut [T]; K] {
    let (mut parts, mut r) = ([const { none() }; K], 0);
    while r < K {
        (parts[r], rest) = rest.split_at_mut(size);
        r += 1;
    }
    parts
}

/// No rows.
const fn none<'a, T>() -> &'a mut [T] {
    &mut []
}

/// The first pass, `K` rows together.
#[inline(always)]
fn first<L: Lanes, const K: usize>(l: L, of: First<'_, L::Kind>) {
    if by_two::<L, K>(of.rows.len()) {
        return first_by_two::<L, K>(l.two(), of);
    }
    let factors = descendants::<L, K>(l, of.table, of.node);
    let size = of.rows.len() / K;
    let (from, mut to) = (parts::<_, K>(of.from, size), parts_mut::<_, K>(of.rows, size));
    let mut i = 0;
    while i < size {
        let mut piece = 0;
        while piece < L::PIECES {
            first_at(l, &from, &mut to, [i, piece], &factors);
            piece += 1;
        }
        i += 1;
    }
}

/// A piece of row `i` of each part.
#[inline(always)]
fn first_at<L: Lanes, const K: usize>(
    l: L,
    from: &[&[Line<L>]; K],
    to: &mut [&mut [Line<L>]; K],
    [i, piece]: [usize; 2],
    factors: &Descendants<L, K>,
) {
    let (mut x, mut r) = ([l.load(&from[0][i], piece); K], 1);
    while r < K {
        x[r] = l.load(&from[r][i], piece);
        r += 1;
    }
    layers(l, &mut x, factors);
    r = 0;
    while r < K {
        l.store(&mut to[r][i], piece, x[r]);
        r += 1;
    }
}

/// The same, two rows of each part at a time.
#[inline(always)]
fn first_by_two<L: Lanes, const K: usize>(two: L::Two, of: First<'_, L::Kind>) {
    let factors = descendants_of_two::<L, K>(two, of.table, [of.node; 2]);
    let (from, to) = (of.from.as_chunks::<2>().0, of.rows.as_chunks_mut::<2>().0);
    let size = to.len() / K;
    let (from, mut to) = (parts::<_, K>(from, size), parts_mut::<_, K>(to, size));
    let mut i = 0;
    while i < size {
        first_two_at::<L, K>(two, &from, &mut to, i, &factors);
        i += 1;
    }
}

/// Rows `2 i` and `2 i + 1` of each part.
#[inline(always)]
fn first_two_at<L: Lanes, const K: usize>(
    two: L::Two,
    from: &[&[[Line<L>; 2]]; K],
    to: &mut [&mut [[Line<L>; 2]]; K],
    i: usize,
    factors: &Descendants<L::Two, K>,
) {
    let (mut x, mut r) = ([two.load_together(&from[0][i]); K], 1);
    while r < K {
        x[r] = two.load_together(&from[r][i]);
        r += 1;
    }
    layers(two, &mut x, factors);
    r = 0;
    while r < K {
        two.store_together(&mut to[r][i], x[r]);
        r += 1;
    }
}

/// Layers backward, and the factor.
#[inline(always)]
fn scaled<A: Arithmetic, const K: usize>(
    a: A,
    x: &mut [A::Vector; K],
    factors: &Descendants<A, K>,
    scale: A::Factors,
) {
    open_layers_back(a, x, factors);
    alone::<A, K>(
        x,
        [0, K],
        #[inline(always)]
        |x| a.scale(x, scale),
    );
}

/// The last pass, `K` rows together.
#[inline(always)]
fn last<L: Lanes, const K: usize>(l: L, of: Last<'_, L::Kind>) {
    if by_two::<L, K>(of.rows.len()) {
        let two = l.two();
        let factors = descendants_of_two::<L, K>(two, of.table, [of.node; 2]);
        let scale = two.splat([of.scale; 2]);
        return each_two::<L, K>(
            two,
            of.rows,
            #[inline(always)]
            |x| scaled(two, x, &factors, scale),
        );
    }
    let (factors, scale) = (descendants::<L, K>(l, of.table, of.node), l.splat(of.scale));
    each_row::<L, K>(
        l,
        of.rows,
        #[inline(always)]
        |x| scaled(l, x, &factors, scale),
    );
}
