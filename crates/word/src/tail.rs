//! The last six layers: eight rows at a time, which stay in registers.
//!
//! # The map
//! A block of 64 coefficients is eight rows of eight lanes. Three layers work between rows. Then each row
//! belongs to another node; a transpose puts the nodes into lanes, and three more layers work between rows,
//! with a factor for each lane. The transpose is not undone: leaf `8 l + s` of the block stands in lane `l`
//! of row `s`, and the way back begins there.
//!
//! Where a vector is one lane, a block goes through memory between the layers before the transpose and those
//! behind it.

use crate::lanes::{Arithmetic, Lanes, Line, TwoRows};
use crate::layers::{Descendants, alone, descendants, descendants_of_two, layers, layers_back};
use crate::memory;
use crate::pair::{Pair, side};
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

/// Layers on a block whose vectors are lanes: `first` of each piece, the transpose, and `second`.
#[inline(always)]
fn by_lanes<L: Lanes>(
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
    memory::Line::transpose(rows);
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
        return by_lanes(l, rows, first, second);
    }
    let x = first(load(l, rows, 0), 0);
    let x = second(l.transpose(x), 0);
    store(l, rows, 0, x);
}

/// The factors of two tails.
#[inline(always)]
fn factors_of_two<L: Lanes>(two: L::Two, [a, b]: &[Tail<L::Kind>; 2]) -> Descendants<L::Two, 8> {
    let factors = each(
        #[inline(always)]
        |i: usize| two.load_factors([&a.factors[i.max(1) - 1], &b.factors[i.max(1) - 1]]),
    );
    Descendants { factors, cross: two.load_cross([&a.cross, &b.cross]) }
}

/// Row by row of two blocks.
#[inline(always)]
fn load_two<L: Lanes>(two: L::Two, [a, b]: &[[Line<L>; 8]; 2]) -> [<L::Two as Arithmetic>::Vector; 8] {
    each(
        #[inline(always)]
        |r: usize| two.load_apart([&a[r], &b[r]]),
    )
}

/// Writes them.
#[inline(always)]
fn store_two<L: Lanes>(two: L::Two, blocks: &mut [[Line<L>; 8]; 2], x: [<L::Two as Arithmetic>::Vector; 8]) {
    let ([a, b], mut r) = (blocks, 0);
    while r < 8 {
        two.store_apart([&mut a[r], &mut b[r]], x[r]);
        r += 1;
    }
}

/// The last six layers of two blocks at once.
#[inline(always)]
fn tail_of_two<L: Lanes>(
    l: L,
    table: &Table<L::Kind>,
    tails: &[Tail<L::Kind>; 2],
    blocks: &mut [[Line<L>; 8]; 2],
    node: usize,
) {
    let two = l.two();
    let mut x = load_two::<L>(two, blocks);
    alone::<L::Two, 8>(
        &mut x,
        [0, 8],
        #[inline(always)]
        |x| two.renew_before_tail(x),
    );
    layers(two, &mut x, &descendants_of_two::<L, 8>(two, table, [node, node + 1]));
    let mut x = two.transpose(x);
    layers(two, &mut x, &factors_of_two::<L>(two, tails));
    store_two::<L>(two, blocks, x);
}

/// The same backward.
#[inline(always)]
fn tail_back_of_two<L: Lanes>(
    l: L,
    table: &Table<L::Kind>,
    tails: &[Tail<L::Kind>; 2],
    blocks: &mut [[Line<L>; 8]; 2],
    node: usize,
) {
    let two = l.two();
    let mut x = load_two::<L>(two, blocks);
    layers_back(two, &mut x, &factors_of_two::<L>(two, tails));
    let mut x = two.transpose(x);
    layers_back(two, &mut x, &descendants_of_two::<L, 8>(two, table, [node, node + 1]));
    store_two::<L>(two, blocks, x);
}

/// Two pairs of blocks.
type Four<T> = [[T; 2]; 2];

/// What is in each of both arrays.
#[inline(always)]
fn zip<T: Copy>(a: [T; 8], b: [T; 8]) -> [[T; 2]; 8] {
    each(
        #[inline(always)]
        |i: usize| [a[i], b[i]],
    )
}

/// The factors of two pairs of blocks.
#[inline(always)]
fn zip_factors<A: Arithmetic>([a, b]: [Descendants<A, 8>; 2]) -> Descendants<Pair<A>, 8> {
    Descendants { factors: zip(a.factors, b.factors), cross: [a.cross, b.cross] }
}

/// Those of the layers between rows; the first block has the node `node`.
#[inline(always)]
fn descendants_of_four<L: Lanes>(
    two: L::Two,
    table: &Table<L::Kind>,
    node: usize,
) -> Descendants<Pair<L::Two>, 8> {
    let first = descendants_of_two::<L, 8>(two, table, [node, node + 1]);
    zip_factors([first, descendants_of_two::<L, 8>(two, table, [node + 2, node + 3])])
}

/// Those of the last three layers.
#[inline(always)]
fn factors_of_four<L: Lanes>(two: L::Two, [a, b]: &Four<Tail<L::Kind>>) -> Descendants<Pair<L::Two>, 8> {
    zip_factors([factors_of_two::<L>(two, a), factors_of_two::<L>(two, b)])
}

/// Row by row of four blocks.
#[inline(always)]
fn load_four<L: Lanes>(
    two: L::Two,
    [a, b]: &Four<[Line<L>; 8]>,
) -> [<Pair<L::Two> as Arithmetic>::Vector; 8] {
    zip(load_two::<L>(two, a), load_two::<L>(two, b))
}

/// Writes them.
#[inline(always)]
fn store_four<L: Lanes>(
    two: L::Two,
    [a, b]: &mut Four<[Line<L>; 8]>,
    x: [<Pair<L::Two> as Arithmetic>::Vector; 8],
) {
    store_two::<L>(two, a, side(x, 0));
    store_two::<L>(two, b, side(x, 1));
}

/// The last six layers of four blocks at once.
#[inline(always)]
fn tail_of_four<L: Lanes>(
    l: L,
    table: &Table<L::Kind>,
    tails: &Four<Tail<L::Kind>>,
    blocks: &mut Four<[Line<L>; 8]>,
    node: usize,
) {
    let (two, four) = (l.two(), Pair(l.two()));
    let mut x = load_four::<L>(two, blocks);
    alone::<Pair<L::Two>, 8>(
        &mut x,
        [0, 8],
        #[inline(always)]
        |x| four.renew_before_tail(x),
    );
    layers(four, &mut x, &descendants_of_four::<L>(two, table, node));
    let mut x = four.transpose(x);
    layers(four, &mut x, &factors_of_four::<L>(two, tails));
    store_four::<L>(two, blocks, x);
}

/// The same backward.
#[inline(always)]
fn tail_back_of_four<L: Lanes>(
    l: L,
    table: &Table<L::Kind>,
    tails: &Four<Tail<L::Kind>>,
    blocks: &mut Four<[Line<L>; 8]>,
    node: usize,
) {
    let (two, four) = (l.two(), Pair(l.two()));
    let mut x = load_four::<L>(two, blocks);
    layers_back(four, &mut x, &factors_of_four::<L>(two, tails));
    let mut x = four.transpose(x);
    layers_back(four, &mut x, &descendants_of_four::<L>(two, table, node));
    store_four::<L>(two, blocks, x);
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
    if L::TWO && L::FOUR && tails.len() > 3 {
        let blocks = rows.as_chunks_mut::<8>().0.as_chunks_mut::<2>().0.as_chunks_mut::<2>().0;
        let tails = tails.as_chunks::<2>().0.as_chunks::<2>().0;
        for (i, (blocks, tails)) in blocks.iter_mut().zip(tails).enumerate() {
            tail_of_four(l, table, tails, blocks, node + 4 * i);
        }
        return;
    }
    if L::TWO && tails.len() > 1 {
        let blocks = rows.as_chunks_mut::<8>().0.as_chunks_mut::<2>().0;
        for (i, (blocks, tails)) in blocks.iter_mut().zip(tails.as_chunks::<2>().0).enumerate() {
            tail_of_two(l, table, tails, blocks, node + 2 * i);
        }
        return;
    }
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
    if L::TWO && L::FOUR && tails.len() > 3 {
        let blocks = rows.as_chunks_mut::<8>().0.as_chunks_mut::<2>().0.as_chunks_mut::<2>().0;
        let tails = tails.as_chunks::<2>().0.as_chunks::<2>().0;
        for (i, (blocks, tails)) in blocks.iter_mut().zip(tails).enumerate() {
            tail_back_of_four(l, table, tails, blocks, node + 4 * i);
        }
        return;
    }
    if L::TWO && tails.len() > 1 {
        let blocks = rows.as_chunks_mut::<8>().0.as_chunks_mut::<2>().0;
        for (i, (blocks, tails)) in blocks.iter_mut().zip(tails.as_chunks::<2>().0).enumerate() {
            tail_back_of_two(l, table, tails, blocks, node + 2 * i);
        }
        return;
    }
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
