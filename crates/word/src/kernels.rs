//! The kernels that run on the CPU's vectors: stages of a transform, and operations on whole operands.
//!
//! A stage is one kernel, which is entered once. All have one body, generic over the lanes.

use crate::lanes::{Arithmetic, Body, Kind, Lanes, Line, TwoRows};
use crate::pass::{pass, pass_back};
use crate::tables::{Table, Tail};
use crate::tail::{tail, tail_back};
use core::marker::PhantomData;
use ringsmith_simd::{WideRow, each};

/// A part of an operand: the rows below nodes.
pub(crate) struct Part<'a, K: Kind> {
    /// The factors of the direction.
    pub(crate) table: &'a Table<K>,
    /// Those of the rows' last layers.
    pub(crate) tails: &'a [Tail<K>],
    /// The rows: of one node or of several in turn.
    pub(crate) rows: &'a mut [K::Line],
    /// How many rows a node has: all, or as many as another pass leaves. Public.
    pub(crate) size: usize,
    /// The first node.
    pub(crate) node: usize,
    /// How many rows a descendant has that passes end at: those of a tail, or one, or as many as the caller
    /// goes on with. Public.
    pub(crate) end: usize,
}

/// The layers of nodes down to their descendants of [`end`](Part::end) rows, and then the tails, if any.
pub(crate) struct Forward<'a, K: Kind>(pub(crate) Part<'a, K>);
/// The same backward.
pub(crate) struct Backward<'a, K: Kind>(pub(crate) Part<'a, K>);

/// `a / b` of powers of two, which are public: by a shift, as kernels divide nothing.
#[inline(always)]
pub(crate) const fn ratio(a: usize, b: usize) -> usize {
    a >> b.trailing_zeros()
}

/// Passes over all parts of `size` rows, the first of which has the node `node`.
#[inline(always)]
fn passes<L: Lanes, const K: usize>(l: L, part: &mut Part<'_, L::Kind>, size: usize, node: usize) {
    for (i, block) in part.rows.chunks_mut(size).enumerate() {
        pass::<L, K>(l, part.table, block, node + i);
    }
}

/// The same, `k` rows together.
#[inline(always)]
fn passes_of<L: Lanes>(l: L, part: &mut Part<'_, L::Kind>, k: usize, size: usize, node: usize) {
    match k {
        8 => passes::<L, 8>(l, part, size, node),
        4 => passes::<L, 4>(l, part, size, node),
        _ => passes::<L, 2>(l, part, size, node),
    }
}

/// Passes backward.
#[inline(always)]
fn passes_back<L: Lanes, const K: usize>(l: L, part: &mut Part<'_, L::Kind>, size: usize, node: usize) {
    for (i, block) in part.rows.chunks_mut(size).enumerate() {
        pass_back::<L, K>(l, part.table, block, node + i);
    }
}

/// The same, `k` rows together.
#[inline(always)]
fn passes_back_of<L: Lanes>(l: L, part: &mut Part<'_, L::Kind>, k: usize, size: usize, node: usize) {
    match k {
        8 => passes_back::<L, 8>(l, part, size, node),
        4 => passes_back::<L, 4>(l, part, size, node),
        _ => passes_back::<L, 2>(l, part, size, node),
    }
}

impl<K: Kind> Body<K> for Forward<'_, K> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes<Kind = K>>(mut self, l: L) {
        let part = &mut self.0;
        let (mut size, mut node) = (part.size, part.node);
        while size > part.end {
            let k = K::radix(ratio(size, part.end));
            passes_of(l, part, k, size, node);
            (size, node) = (ratio(size, k), node * k);
        }
        tail(l, part.table, part.tails, part.rows, node);
    }
}

impl<K: Kind> Body<K> for Backward<'_, K> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes<Kind = K>>(mut self, l: L) {
        let part = &mut self.0;
        let (mut size, all) = (part.end, part.size);
        let node = part.node * ratio(all, size);
        tail_back(l, part.table, part.tails, part.rows, node);
        while size < all {
            let k = K::radix(ratio(all, size));
            size *= k;
            let node = part.node * ratio(all, size);
            passes_back_of(l, part, k, size, node);
        }
    }
}

/// Values reduced for the way back.
pub(crate) struct Reduce<'a, K: Kind>(pub(crate) &'a mut [K::Line]);
/// What a transform backward left, times a factor, as coefficients.
pub(crate) struct Scale<'a, K: Kind>(pub(crate) &'a mut [K::Line], pub(crate) K::Factor);

/// Applies `f` to each row, piece by piece.
#[inline(always)]
fn each_row<L: Lanes>(l: L, rows: &mut [Line<L>], f: impl Fn(L::Vector) -> L::Vector) {
    for row in rows {
        for piece in 0..L::PIECES {
            let x = l.load(row, piece);
            l.store(row, piece, f(x));
        }
    }
}

impl<K: Kind> Body<K> for Reduce<'_, K> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes<Kind = K>>(self, l: L) {
        each_row(
            l,
            self.0,
            #[inline(always)]
            |x| l.reduce(x),
        );
    }
}

impl<K: Kind> Body<K> for Scale<'_, K> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes<Kind = K>>(self, l: L) {
        let factor = l.splat(self.1);
        each_row(
            l,
            self.0,
            #[inline(always)]
            |x| l.scale(x, factor),
        );
    }
}

/// Second factors: the values of a transform, or prepared ones.
pub(crate) trait Second<K: Kind> {
    /// How many lines a row takes.
    const LINES: usize;
    /// What a product takes.
    fn operand<L: Lanes<Kind = K>>(l: L, lines: &[K::Line], piece: usize) -> L::Operand;
    /// The same of two rows that stand together, where each takes a line.
    fn operands<L: Lanes<Kind = K>>(two: L::Two, lines: &[K::Line; 2]) -> <L::Two as Arithmetic>::Operand;
}

/// A transform as it is.
pub(crate) struct AsIs;
/// A prepared one.
pub(crate) struct AsPrepared;

impl<K: Kind> Second<K> for AsIs {
    const LINES: usize = 1;
    #[inline(always)]
    fn operand<L: Lanes<Kind = K>>(l: L, lines: &[K::Line], piece: usize) -> L::Operand {
        l.operand(l.load(&lines[0], piece))
    }
    #[inline(always)]
    fn operands<L: Lanes<Kind = K>>(two: L::Two, lines: &[K::Line; 2]) -> <L::Two as Arithmetic>::Operand {
        two.operand(two.load_together(lines))
    }
}

impl<K: Kind> Second<K> for AsPrepared {
    const LINES: usize = K::PREPARED;
    #[inline(always)]
    fn operand<L: Lanes<Kind = K>>(l: L, lines: &[K::Line], piece: usize) -> L::Operand {
        l.load_operand(lines, piece)
    }
    #[inline(always)]
    fn operands<L: Lanes<Kind = K>>(two: L::Two, lines: &[K::Line; 2]) -> <L::Two as Arithmetic>::Operand {
        two.load_operands(lines)
    }
}

/// Products of values, lane by lane: of `a`, in place, and `b`.
pub(crate) struct Pointwise<'a, K: Kind, B> {
    /// The first factor, then the product.
    pub(crate) a: &'a mut [K::Line],
    /// The second factor.
    pub(crate) b: &'a [K::Line],
    /// What it is.
    pub(crate) kind: PhantomData<B>,
}

/// The same, added to a sum.
pub(crate) struct Accumulate<'a, K: Kind, B> {
    /// The sum.
    pub(crate) sum: &'a mut [K::Line],
    /// The first factor.
    pub(crate) a: &'a [K::Line],
    /// The second factor.
    pub(crate) b: &'a [K::Line],
    /// What it is.
    pub(crate) kind: PhantomData<B>,
}

impl<K: Kind, B: Second<K>> Pointwise<'_, K, B> {
    /// Two rows at a time.
    #[inline(always)]
    fn by_two<L: Lanes<Kind = K>>(self, two: L::Two) {
        for (a, b) in self.a.as_chunks_mut::<2>().0.iter_mut().zip(self.b.as_chunks::<2>().0) {
            let product = two.product(two.load_together(a), B::operands::<L>(two, b));
            two.store_together(a, product);
        }
    }
}

impl<K: Kind, B: Second<K>> Body<K> for Pointwise<'_, K, B> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes<Kind = K>>(self, l: L) {
        if L::TWO && L::Two::ONE_VECTOR && B::LINES == 1 && self.a.len() > 1 {
            return self.by_two::<L>(l.two());
        }
        for (a, b) in self.a.iter_mut().zip(self.b.chunks_exact(B::LINES)) {
            for piece in 0..L::PIECES {
                let product = l.product(l.load(a, piece), B::operand(l, b, piece));
                l.store(a, piece, product);
            }
        }
    }
}

impl<K: Kind, B: Second<K>> Body<K> for Accumulate<'_, K, B> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes<Kind = K>>(self, l: L) {
        for ((sum, a), b) in self.sum.iter_mut().zip(self.a).zip(self.b.chunks_exact(B::LINES)) {
            for piece in 0..L::PIECES {
                let product = l.product(l.load(a, piece), B::operand(l, b, piece));
                let total = l.add_product(l.load(sum, piece), product);
                l.store(sum, piece, total);
            }
        }
    }
}

/// Makes the rows of a prepared operand.
pub(crate) struct Prepare<'a, K: Kind> {
    /// The operand.
    pub(crate) b: &'a [K::Line],
    /// Its rows, prepared.
    pub(crate) prepared: &'a mut [K::Line],
}

impl<K: Kind> Body<K> for Prepare<'_, K> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes<Kind = K>>(self, l: L) {
        for (b, lines) in self.b.iter().zip(self.prepared.chunks_exact_mut(K::PREPARED)) {
            for piece in 0..L::PIECES {
                l.store_operand(lines, piece, l.operand(l.load(b, piece)));
            }
        }
    }
}

/// What rows hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Coefficients of a polynomial.
    Coefficients,
    /// Values of a transform.
    Values,
}

/// Numbers below a modulus to rows; a word whose top bit says that one was not below.
pub(crate) struct Read<'a, K: Kind> {
    /// The numbers, eight a row.
    pub(crate) numbers: &'a [WideRow],
    /// The rows.
    pub(crate) rows: &'a mut [K::Line],
    /// What they are to hold.
    pub(crate) content: Content,
    /// The modulus, below `2^63`.
    pub(crate) modulus: u64,
}

impl<K: Kind> Body<K> for Read<'_, K> {
    type Out = u64;
    #[inline(always)]
    fn run<L: Lanes<Kind = K>>(self, l: L) -> u64 {
        let mut outside = [0; 8];
        for (numbers, row) in self.numbers.iter().zip(self.rows) {
            // The top bit of the difference is set where a number is greater, but for very great ones.
            outside = each(
                #[inline(always)]
                |i| outside[i] | (self.modulus - 1).wrapping_sub(numbers[i]) | numbers[i],
            );
            for piece in 0..L::PIECES {
                let x = l.read(numbers, piece);
                l.store(row, piece, if self.content == Content::Coefficients { l.begin(x) } else { x });
            }
        }
        outside.into_iter().fold(0, |all, x| all | x)
    }
}

/// Numbers from rows.
pub(crate) struct Write<'a, K: Kind> {
    /// The rows.
    pub(crate) rows: &'a [K::Line],
    /// What they hold.
    pub(crate) content: Content,
    /// The numbers, eight a row.
    pub(crate) numbers: &'a mut [WideRow],
}

impl<K: Kind> Body<K> for Write<'_, K> {
    type Out = ();
    #[inline(always)]
    fn run<L: Lanes<Kind = K>>(self, l: L) {
        for (row, numbers) in self.rows.iter().zip(self.numbers) {
            for piece in 0..L::PIECES {
                match self.content {
                    Content::Coefficients => l.write(numbers, piece, l.load(row, piece)),
                    Content::Values => l.write_values(numbers, piece, l.load(row, piece)),
                }
            }
        }
    }
}
