//! Work on coefficients, eight at a time, in lanes of 64 bits that multiply numbers of 52.

use core::iter::zip;
use ringsmith_simd::{Cpu, Factor, Kernel, Simd, WideLanes, WideRow, WordLanes, factor64};

/// Moduli of lanes are below `2^BITS`, so that a sum of many reduced products has 52 bits.
pub(crate) const BITS: u32 = 46;
/// Those of lanes that multiply words are below `2^LONG_BITS`.
pub(crate) const LONG_BITS: u32 = 62;
/// The bits of a lane that count.
const VALUE: u64 = (1 << 52) - 1;
/// The most terms of a sum.
pub(crate) const MAX_TERMS: usize = 8;
/// Greater numbers are taken apart here.
const LOW_BITS: u32 = 48;

/// A kernel's body.
trait Work {
    /// Does it.
    fn run<W: WordLanes>(self, w: W);
}

/// With AVX-512 on its registers, else on those of the token.
struct On<B>(B);

impl<B: Work> Kernel for On<B> {
    type Out = ();
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.0.run(s);
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, _: S, w: W) {
        self.0.run(w);
    }
}

/// What makes factors of the backend.
struct MakeFactor;

impl Kernel for MakeFactor {
    type Out = fn(u64, u64) -> Factor;
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Self::Out {
        S::factor52
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, _: S, _: W) -> Self::Out {
        W::factor52
    }
}

/// A modulus of lanes, with the factors of a backend.
#[derive(Clone, Copy)]
pub(crate) struct Modulus {
    cpu: Cpu,
    m: u64,
    make: fn(u64, u64) -> Factor,
    one: Factor,
    /// `2^48`.
    high: Factor,
}

impl Modulus {
    /// From 2 to `2^46 - 1`.
    pub(crate) fn new(cpu: Cpu, m: u64) -> Self {
        let make = cpu.run(MakeFactor);
        Modulus { cpu, m, make, one: make(1, m), high: make((1 << LOW_BITS) % m, m) }
    }

    /// The factor of a constant below the modulus.
    pub(crate) fn factor(&self, w: u64) -> Factor {
        (self.make)(w, self.m)
    }

    /// Writes numbers of 62 bits modulo `m`.
    pub(crate) fn reduce(&self, from: &[u64], to: &mut [u64]) {
        in_rows(to, from, |to, from| self.cpu.run(On(Reduce { modulus: self, from, to })));
    }

    /// Whether [`read_small`](Modulus::read_small) takes a bound: it is at most a third of `m`, or `q` is at
    /// most `m`.
    pub(crate) fn takes_small(m: u64, q: u64, bound: u64) -> bool {
        bound < q && (q <= m || bound <= m / 3)
    }

    /// Writes numbers modulo `m` of those modulo `q` that are small: at most `bound` or at least `q - bound`.
    /// The latter stand for negative ones. Of others below `q`, which somebody promised not to give, it
    /// writes some numbers below `m`. [`takes_small`](Modulus::takes_small) says which bounds it takes.
    pub(crate) fn read_small(&self, q: u64, bound: u64, from: &[u64], to: &mut [u64]) {
        in_rows(to, from, |to, from| self.cpu.run(On(ReadSmall { modulus: self, q, bound, from, to })));
    }

    /// What [`read_bounded`](Modulus::read_bounded) takes of a bound: `-bound` modulo `m`.
    pub(crate) fn back(&self, bound: u64) -> u64 {
        self.m - bound % self.m
    }

    /// The same for a bound of up to `q / 2`, of a `q` of at most `2^62`.
    pub(crate) fn read_bounded(&self, q: u64, [bound, back]: [u64; 2], from: &[u64], to: &mut [u64]) {
        in_rows(to, from, |to, from| {
            self.cpu.run(On(ReadBounded { modulus: self, q, bound, back, from, to }))
        });
    }

    /// Takes residues to digits, where `before` has the digits of the primes before this one and the factor
    /// of each prime's inverse; `offset` is added first.
    pub(crate) fn digits(&self, offset: u64, before: &[(&[u64], Factor)], residues: &mut [u64]) {
        self.cpu.run(On(Digits { modulus: self, offset, before, residues }));
    }

    /// Writes the sums of digits times constants, modulo `m`.
    pub(crate) fn sums(&self, digits: &[(&[u64], Factor)], out: &mut [u64]) {
        rows_of(out, |out, first| self.cpu.run(On(Sums { modulus: self, digits, out, first })));
    }
}

/// A modulus of `2^46` to `2^62 - 1`, in lanes that multiply words.
#[derive(Clone, Copy)]
pub(crate) struct LongModulus {
    cpu: Cpu,
    m: u64,
}

impl LongModulus {
    /// A greater one than those of [`Modulus`].
    pub(crate) fn new(cpu: Cpu, m: u64) -> Option<Self> {
        (m >> LONG_BITS == 0).then_some(LongModulus { cpu, m })
    }

    /// The factor of a constant below the modulus.
    pub(crate) fn factor(self, w: u64) -> Factor {
        factor64(w, self.m)
    }

    /// Writes the sums of words times constants, modulo `m`.
    pub(crate) fn sums(self, digits: &[(&[u64], Factor)], out: &mut [u64]) {
        rows_of(out, |out, first| self.cpu.run(On(LongSums { m: self.m, digits, out, first })));
    }
}

/// Writes rows; the last may be short. `work` is told the number of the first row that it gets.
fn rows_of(out: &mut [u64], mut work: impl FnMut(&mut [WideRow], usize)) {
    let (rows, end) = out.as_chunks_mut();
    let (count, mut last) = (rows.len(), [[0; 8]]);
    work(rows, 0);
    if !end.is_empty() {
        work(&mut last, count);
        end.copy_from_slice(&last[0][..end.len()]);
    }
}

/// `to + from` modulo `q`, or `to - from`.
pub(crate) fn add(cpu: Cpu, q: u64, subtract: bool, to: &mut [u64], from: &[u64]) {
    in_rows(to, from, |to, from| cpu.run(On(Add { q, subtract, to, from })));
}

/// A modulus in lanes.
#[derive(Clone, Copy)]
struct Lanes<W: WordLanes> {
    w: W,
    prime: W::Prime,
    m: W::Words,
    one: [W::Words; 2],
    /// The middle of what is reduced: `m`.
    around: W::Words,
    /// More than all that a sum of products may be below 0.
    positive: W::Words,
    value: W::Words,
}

impl<W: WordLanes> Lanes<W> {
    #[inline(always)]
    fn new(w: W, modulus: &Modulus) -> Self {
        let Modulus { m, one, .. } = *modulus;
        let (m_lanes, value) = (w.splat_words(m), w.splat_words(VALUE));
        let (around, positive) = (w.around52(1, m), w.splat_words(MAX_TERMS as u64 * m));
        Lanes { w, prime: w.prime52(m), m: m_lanes, one: splat(w, one), around, positive, value }
    }

    /// `x w` in `(0, 2 m)`, in the low 52 bits: a product is in `(-m, m)`.
    #[inline(always)]
    fn times(self, x: W::Words, factor: Factor) -> W::Words {
        self.w.madd_factor52(self.m, x, splat(self.w, factor), self.prime)
    }

    /// A number of 52 bits in `[0, m)`.
    #[inline(always)]
    fn canonical(self, x: W::Words) -> W::Words {
        let reduced = self.w.reduce52(x, self.one, self.around, self.prime);
        self.once(self.w.and_words(reduced, self.value))
    }

    /// A number of 62 bits in `[0, m)`, by the factor of `2^48`.
    #[inline(always)]
    fn word(self, x: W::Words, high: Factor) -> W::Words {
        let low = self.w.and_words(x, self.w.splat_words((1 << LOW_BITS) - 1));
        let top = self.times(self.w.top_words(x), high);
        self.canonical(self.w.add_words(self.w.and_words(top, self.value), low))
    }

    /// The sum of a piece of row `i` of all digits times their constants.
    #[inline(always)]
    fn sum(self, digits: &[(&[u64], Factor)], [i, piece]: [usize; 2]) -> W::Words {
        let mut sum = self.positive;
        for (digits, factor) in digits {
            let digits = self.w.load_words(&digits.as_chunks().0[i], piece);
            sum = self.w.madd_factor52(sum, digits, splat(self.w, *factor), self.prime);
        }
        self.canonical(self.w.and_words(sum, self.value))
    }

    /// A number below `2 m` in `[0, m)`.
    #[inline(always)]
    fn once(self, x: W::Words) -> W::Words {
        self.w.sub_if_words(x, self.m)
    }
}

/// A factor in all lanes.
#[inline(always)]
fn splat<W: WordLanes>(w: W, factor: Factor) -> [W::Words; 2] {
    [w.splat_words(factor[0]), w.splat_words(factor[1])]
}

/// Changes rows by rows of another slice, which has as many.
#[inline(always)]
fn each_row<W: WordLanes>(
    w: W,
    to: &mut [WideRow],
    from: &[WideRow],
    f: impl Fn(W::Words, W::Words) -> W::Words,
) {
    for (x, y) in zip(to, from) {
        for piece in 0..W::PIECES {
            w.store_words(x, piece, f(w.load_words(x, piece), w.load_words(y, piece)));
        }
    }
}

/// Does something with the rows of two slices, which have as many numbers; the last row may be short.
fn in_rows(to: &mut [u64], from: &[u64], mut work: impl FnMut(&mut [WideRow], &[WideRow])) {
    let ((to, to_end), (from, from_end)) = (to.as_chunks_mut(), from.as_chunks());
    work(to, from);
    if !to_end.is_empty() {
        let (mut x, mut y) = ([[0; 8]], [[0; 8]]);
        x[0][..to_end.len()].copy_from_slice(to_end);
        y[0][..from_end.len()].copy_from_slice(from_end);
        work(&mut x, &y);
        to_end.copy_from_slice(&x[0][..to_end.len()]);
    }
}

struct Reduce<'a> {
    modulus: &'a Modulus,
    from: &'a [WideRow],
    to: &'a mut [WideRow],
}

impl Work for Reduce<'_> {
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let (l, high) = (Lanes::new(w, self.modulus), self.modulus.high);
        each_row(
            w,
            self.to,
            self.from,
            #[inline(always)]
            |_, x| l.word(x, high),
        );
    }
}

struct ReadSmall<'a> {
    modulus: &'a Modulus,
    q: u64,
    bound: u64,
    from: &'a [WideRow],
    to: &'a mut [WideRow],
}

impl Work for ReadSmall<'_> {
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let m = self.modulus.m;
        let (q, bound) = (w.splat_words(self.q), w.splat_words(self.bound));
        let (back, m) = (w.splat_words(m - self.bound), w.splat_words(m));
        // From 2 bound to 4 bound - 1.
        let most = w.splat_words((2 * self.bound + 1).next_power_of_two() - 1);
        each_row(
            w,
            self.to,
            self.from,
            // In [0, 2 bound] first, then as a residue. Of numbers that are not small it is below q, and
            // below 4 bound: either keeps the sum below 2 m.
            #[inline(always)]
            |_, x| {
                let above = w.and_words(w.sub_if_words(w.add_words(x, bound), q), most);
                w.sub_if_words(w.add_words(above, back), m)
            },
        );
    }
}

struct ReadBounded<'a> {
    modulus: &'a Modulus,
    q: u64,
    bound: u64,
    /// `-bound` modulo `m`.
    back: u64,
    from: &'a [WideRow],
    to: &'a mut [WideRow],
}

impl Work for ReadBounded<'_> {
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let (l, high) = (Lanes::new(w, self.modulus), self.modulus.high);
        let (q, bound, back) = (w.splat_words(self.q), w.splat_words(self.bound), w.splat_words(self.back));
        each_row(
            w,
            self.to,
            self.from,
            // In [0, 2 bound], which has 62 bits, first.
            #[inline(always)]
            |_, x| {
                let above = w.sub_if_words(w.add_words(x, bound), q);
                l.once(w.add_words(l.word(above, high), back))
            },
        );
    }
}

struct Digits<'a> {
    modulus: &'a Modulus,
    offset: u64,
    before: &'a [(&'a [u64], Factor)],
    residues: &'a mut [u64],
}

impl Work for Digits<'_> {
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let (l, offset) = (Lanes::new(w, self.modulus), w.splat_words(self.offset));
        // Digits are below 2^46, which is less than two moduli that have them before.
        let positive = w.add_words(l.m, l.m);
        for (i, row) in self.residues.as_chunks_mut().0.iter_mut().enumerate() {
            for piece in 0..W::PIECES {
                let mut x = l.once(w.add_words(w.load_words(row, piece), offset));
                for (digits, inverse) in self.before {
                    let digit = w.load_words(&digits.as_chunks().0[i], piece);
                    let difference = w.sub_words(w.add_words(x, positive), digit);
                    x = l.once(w.and_words(l.times(difference, *inverse), l.value));
                }
                w.store_words(row, piece, x);
            }
        }
    }
}

struct Sums<'a> {
    modulus: &'a Modulus,
    digits: &'a [(&'a [u64], Factor)],
    out: &'a mut [WideRow],
    /// Where the digits' rows begin.
    first: usize,
}

impl Work for Sums<'_> {
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let l = Lanes::new(w, self.modulus);
        for (i, row) in self.out.iter_mut().enumerate() {
            for piece in 0..W::PIECES {
                w.store_words(row, piece, l.sum(self.digits, [self.first + i, piece]));
            }
        }
    }
}

struct LongSums<'a> {
    m: u64,
    digits: &'a [(&'a [u64], Factor)],
    out: &'a mut [WideRow],
    /// Where the digits' rows begin.
    first: usize,
}

impl Work for LongSums<'_> {
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let (prime, m, twice) = (w.prime64(self.m), w.splat_words(self.m), w.splat_words(2 * self.m));
        for (i, row) in self.out.iter_mut().enumerate() {
            for piece in 0..W::PIECES {
                let mut sum = w.splat_words(0);
                for (digits, factor) in self.digits {
                    let x = w.load_words(&digits.as_chunks().0[self.first + i], piece);
                    // In [0, 4 m), all of which a word holds.
                    let x = w.sub_if_words(w.times64(x, splat(w, *factor), prime), twice);
                    sum = w.sub_if_words(w.add_words(sum, w.sub_if_words(x, m)), m);
                }
                w.store_words(row, piece, sum);
            }
        }
    }
}

struct Add<'a> {
    q: u64,
    subtract: bool,
    to: &'a mut [WideRow],
    from: &'a [WideRow],
}

impl Work for Add<'_> {
    #[inline(always)]
    fn run<W: WordLanes>(self, w: W) {
        let q = w.splat_words(self.q);
        if self.subtract {
            each_row(
                w,
                self.to,
                self.from,
                #[inline(always)]
                |x, y| w.sub_if_words(w.sub_words(w.add_words(x, q), y), q),
            );
        } else {
            each_row(
                w,
                self.to,
                self.from,
                #[inline(always)]
                |x, y| w.sub_if_words(w.add_words(x, y), q),
            );
        }
    }
}
