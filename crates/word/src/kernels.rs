//! What runs on the CPU's vectors: stages of a transform, and operations on whole operands.
//!
//! A stage is one kernel, which is entered once. All have one body, generic over the lanes: those of the
//! token, or the wide ones beside it.

use crate::arithmetic::{Lanes, Prime};
use crate::memory::Line;
use crate::pass::{pass, pass_back};
use crate::tables::{Table, Tail};
use crate::tail::{tail, tail_back};
use ringsmith_simd::{Cpu, Factor, Kernel, Simd, WideLanes, WideRow, WordLanes};

/// A kernel's body, on word lanes.
pub(crate) trait Body {
    /// What it returns.
    type Out;
    /// Runs it.
    fn run<W: WordLanes>(self, w: W) -> Self::Out;
}

/// A body as a kernel: with AVX-512 on its registers, else on those of the token.
pub(crate) struct OnWords<B>(pub(crate) B);

impl<B: Body> Kernel for OnWords<B> {
    type Out = B::Out;
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> B::Out {
        self.0.run(s)
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, _: S, w: W) -> B::Out {
        self.0.run(w)
    }
}

/// What runs bodies: a CPU, or the lanes of a test.
pub(crate) trait RunBody: Copy {
    /// Runs one.
    fn run_body<B: Body>(self, body: B) -> B::Out;
}

impl RunBody for Cpu {
    fn run_body<B: Body>(self, body: B) -> B::Out {
        self.run(OnWords(body))
    }
}

/// What makes factors of the backend.
pub(crate) struct MakeFactor;

impl Body for MakeFactor {
    type Out = fn(u64, u64) -> Factor;
    #[inline(always)]
    fn run<W: WordLanes>(self, _: W) -> Self::Out {
        W::factor52
    }
}

/// A part of an operand: the rows below a node.
pub(crate) struct Part<'a> {
    /// The prime.
    pub(crate) prime: &'a Prime,
    /// The factors of the direction.
    pub(crate) table: &'a Table,
    /// Those of the rows' last layers.
    pub(crate) tails: &'a [Tail],
    /// The rows.
    pub(crate) rows: &'a mut [Line],
    /// The node.
    pub(crate) node: usize,
}

impl Part<'_> {
    /// How many rows the last layers take together: without a tail, one coefficient fills a row.
    fn last(&self) -> usize {
        if self.tails.is_empty() { 1 } else { 8 }
    }
}

/// How many rows the next pass takes together, where `ratio` are left: three layers, but two and two are
/// better than three and one.
#[inline(always)]
pub(crate) fn radix(ratio: usize) -> usize {
    if ratio == 16 { 4 } else { ratio.min(8) }
}

/// All layers below a node.
pub(crate) struct Forward<'a>(pub(crate) Part<'a>);
/// The same backward.
pub(crate) struct Backward<'a>(pub(crate) Part<'a>);
/// The first layers below a node: one pass of so many rows together.
pub(crate) struct Step<'a>(pub(crate) Part<'a>, pub(crate) usize);
/// The same backward: the last layers.
pub(crate) struct StepBack<'a>(pub(crate) Part<'a>, pub(crate) usize);

/// `a / b` of powers of two, which are public: by a shift, as kernels divide nothing.
#[inline(always)]
pub(crate) const fn ratio(a: usize, b: usize) -> usize {
    a >> b.trailing_zeros()
}

/// Passes over all parts of `size` rows, the first of which has the node `node`.
#[inline(always)]
fn passes<W: WordLanes, const K: usize>(l: Lanes<W>, part: &mut Part<'_>, size: usize, node: usize) {
    for (i, block) in part.rows.chunks_mut(size).enumerate() {
        pass::<W, K>(l, &part.table.nodes, block, node + i);
    }
}

/// The same, `k` rows together.
#[inline(always)]
fn passes_of<W: WordLanes>(l: Lanes<W>, part: &mut Part<'_>, k: usize, size: usize, node: usize) {
    match k {
        8 => passes::<W, 8>(l, part, size, node),
        4 => passes::<W, 4>(l, part, size, node),
        _ => passes::<W, 2>(l, part, size, node),
    }
}

/// Passes backward.
#[inline(always)]
fn passes_back<W: WordLanes, const K: usize>(l: Lanes<W>, part: &mut Part<'_>, size: usize, node: usize) {
    for (i, block) in part.rows.chunks_mut(size).enumerate() {
        pass_back::<W, K>(l, part.prime, &part.table.nodes, block, node + i);
    }
}

/// The same, `k` rows together.
#[inline(always)]
fn passes_back_of<W: WordLanes>(l: Lanes<W>, part: &mut Part<'_>, k: usize, size: usize, node: usize) {
    match k {
        8 => passes_back::<W, 8>(l, part, size, node),
        4 => passes_back::<W, 4>(l, part, size, node),
        _ => passes_back::<W, 2>(l, part, size, node),
    }
}

impl Body for Forward<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: WordLanes>(mut self, w: W) {
        let (l, part) = (Lanes::new(w, self.0.prime), &mut self.0);
        let (last, mut size, mut node) = (part.last(), part.rows.len(), part.node);
        while size > last {
            let k = radix(ratio(size, last));
            passes_of(l, part, k, size, node);
            (size, node) = (ratio(size, k), node * k);
        }
        tail(l, &part.table.nodes, part.tails, part.rows, node);
    }
}

impl Body for Backward<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: WordLanes>(mut self, w: W) {
        let (l, part) = (Lanes::new(w, self.0.prime), &mut self.0);
        let (mut size, rows) = (part.last(), part.rows.len());
        let node = part.node * ratio(rows, size);
        tail_back(l, part.prime, &part.table.nodes, part.tails, part.rows, node);
        while size < rows {
            let k = radix(ratio(rows, size));
            size *= k;
            let node = part.node * ratio(rows, size);
            passes_back_of(l, part, k, size, node);
        }
    }
}

impl Body for Step<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: WordLanes>(mut self, w: W) {
        let (rows, node, l) = (self.0.rows.len(), self.0.node, Lanes::new(w, self.0.prime));
        passes_of(l, &mut self.0, self.1, rows, node);
    }
}

impl Body for StepBack<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: WordLanes>(mut self, w: W) {
        let (rows, node, l) = (self.0.rows.len(), self.0.node, Lanes::new(w, self.0.prime));
        passes_back_of(l, &mut self.0, self.1, rows, node);
    }
}

/// Values reduced, and put back to where a transform starts.
pub(crate) struct Renew<'a>(pub(crate) &'a Prime, pub(crate) &'a mut [Line]);
/// Values reduced below `2 p`.
pub(crate) struct Reduce<'a>(pub(crate) &'a Prime, pub(crate) &'a mut [Line]);
/// Values times a factor, in `[0, p)`, with a number added.
pub(crate) struct Scale<'a> {
    /// The prime.
    pub(crate) prime: &'a Prime,
    /// The values.
    pub(crate) rows: &'a mut [Line],
    /// The factor.
    pub(crate) factor: Factor,
    /// What is added at last.
    pub(crate) start: u64,
}

/// Applies `f` to each row.
#[inline(always)]
fn each_row<W: WordLanes>(w: W, rows: &mut [Line], f: impl Fn(W::Words) -> W::Words) {
    for row in rows {
        let x = w.load_words(&row.0);
        w.store_words(&mut row.0, f(x));
    }
}

impl Body for Renew<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let (l, one) = (Lanes::new(w, self.0), self.0.one);
        let (one, start) = (l.splat(one), w.splat_words(self.0.start()));
        each_row(
            w,
            self.1,
            #[inline(always)]
            |x| w.add_words(l.reduce(x, one), start),
        );
    }
}

impl Body for Reduce<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let l = Lanes::new(w, self.0);
        let one = l.splat(self.0.one);
        each_row(
            w,
            self.1,
            #[inline(always)]
            |x| l.reduce(x, one),
        );
    }
}

impl Body for Scale<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let l = Lanes::new(w, self.prime);
        let (factor, start) = (l.splat(self.factor), w.splat_words(self.start));
        each_row(
            w,
            self.rows,
            #[inline(always)]
            |x| w.add_words(l.canonical(l.times(x, factor)), start),
        );
    }
}

/// A prepared operand's row: what Montgomery products multiply with.
pub(crate) type Pair = [Line; 2];

/// Products of values, lane by lane: of `a`, in place, and `b`.
pub(crate) struct Pointwise<'a, B> {
    /// The prime.
    pub(crate) prime: &'a Prime,
    /// The first factor, then the product.
    pub(crate) a: &'a mut [Line],
    /// The second factor.
    pub(crate) b: &'a [B],
}

/// The same, added to a sum.
pub(crate) struct Accumulate<'a, B> {
    /// The prime.
    pub(crate) prime: &'a Prime,
    /// The sum.
    pub(crate) sum: &'a mut [Line],
    /// The first factor.
    pub(crate) a: &'a [Line],
    /// The second factor.
    pub(crate) b: &'a [B],
}

/// A second factor: values, or prepared ones.
pub(crate) trait Second {
    /// What Montgomery products multiply with.
    fn operand<W: WordLanes>(&self, l: Lanes<W>, prime: &Prime) -> [W::Words; 2];
}

impl Second for Line {
    #[inline(always)]
    fn operand<W: WordLanes>(&self, l: Lanes<W>, prime: &Prime) -> [W::Words; 2] {
        l.operand(l.w.load_words(&self.0), prime)
    }
}

impl Second for Pair {
    #[inline(always)]
    fn operand<W: WordLanes>(&self, l: Lanes<W>, _: &Prime) -> [W::Words; 2] {
        [l.w.load_words(&self[0].0), l.w.load_words(&self[1].0)]
    }
}

impl<B: Second> Body for Pointwise<'_, B> {
    type Out = ();
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let l = Lanes::new(w, self.prime);
        for (a, b) in self.a.iter_mut().zip(self.b) {
            let [b, inverse] = b.operand(l, self.prime);
            let product = l.montgomery(w.load_words(&a.0), b, inverse);
            w.store_words(&mut a.0, product);
        }
    }
}

impl<B: Second> Body for Accumulate<'_, B> {
    type Out = ();
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let l = Lanes::new(w, self.prime);
        let one = l.splat(self.prime.one);
        for ((sum, a), b) in self.sum.iter_mut().zip(self.a).zip(self.b) {
            let [b, inverse] = b.operand(l, self.prime);
            let product = l.montgomery(w.load_words(&a.0), b, inverse);
            let reduced = l.reduce(w.load_words(&sum.0), one);
            w.store_words(&mut sum.0, w.add_words(reduced, product));
        }
    }
}

/// Makes the rows of a prepared operand.
pub(crate) struct Prepare<'a> {
    /// The prime.
    pub(crate) prime: &'a Prime,
    /// The operand.
    pub(crate) b: &'a [Line],
    /// Its rows, prepared.
    pub(crate) pairs: &'a mut [Pair],
}

impl Body for Prepare<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let l = Lanes::new(w, self.prime);
        for (b, [first, second]) in self.b.iter().zip(self.pairs) {
            let [scaled, inverse] = b.operand(l, self.prime);
            w.store_words(&mut first.0, scaled);
            w.store_words(&mut second.0, inverse);
        }
    }
}

/// Numbers below a modulus to rows, with a number added; a word whose top bit says that one was not below.
pub(crate) struct Read<'a> {
    /// The numbers, eight a row.
    pub(crate) numbers: &'a [WideRow],
    /// The rows.
    pub(crate) rows: &'a mut [Line],
    /// The modulus, below `2^63`.
    pub(crate) modulus: u64,
    /// What is added.
    pub(crate) added: u64,
}

impl Body for Read<'_> {
    type Out = u64;
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) -> u64 {
        let (greatest, added) = (w.splat_words(self.modulus - 1), w.splat_words(self.added));
        let mut outside = w.splat_words(0);
        for (numbers, row) in self.numbers.iter().zip(self.rows) {
            let x = w.load_words(numbers);
            // The top bit of the difference is set where x is greater, but for very great ones.
            outside = w.or_words(outside, w.or_words(w.sub_words(greatest, x), x));
            w.store_words(&mut row.0, w.add_words(x, added));
        }
        let mut row = [0; 8];
        w.store_words(&mut row, outside);
        row.into_iter().fold(0, |all, x| all | x)
    }
}

/// Numbers from rows, with a number taken off.
pub(crate) struct Write<'a> {
    /// The rows.
    pub(crate) rows: &'a [Line],
    /// The numbers, eight a row.
    pub(crate) numbers: &'a mut [WideRow],
    /// What is taken off.
    pub(crate) less: u64,
}

impl Body for Write<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let less = w.splat_words(self.less);
        for (row, numbers) in self.rows.iter().zip(self.numbers) {
            w.store_words(numbers, w.sub_words(w.load_words(&row.0), less));
        }
    }
}
