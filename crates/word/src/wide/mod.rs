//! Lanes of 64 bits that hold numbers of 52: arithmetic modulo primes below `2^46`, lazily reduced.
//!
//! # The maps
//! A *value* is the low 52 bits of a lane. For a constant `w < p`, made to a [`Factor`], and any value `b`,
//! the token computes `c + t` with `t = b w` modulo `p` in `[0, 2 p)` (`ringsmith_simd::WordLanes`, where the
//! proof is). What is above 52 bits in a lane is of no meaning, and no multiplication reads it. So a
//! butterfly is one such product, a doubling and a subtraction: `s = a + t`, and `2 a - s = a - t`.
//!
//! # Source
//! The product by a constant is V. Shoup's (NTL); its lazy form D. Harvey's, *Faster arithmetic for
//! number-theoretic transforms*, Journal of Symbolic Computation 60 (2014). Deviation: no conditional
//! subtraction within a transform, and `a + t` by the product itself.

mod bounds;

use crate::WordError;
use crate::lanes::{Body, Kind, Lanes, OnLanes};
use crate::memory::{Line64, Rows};
use crate::number;
#[cfg(test)]
pub(crate) use bounds::INPUT;
pub(crate) use bounds::{LANE_BITS, PRIME_BITS, START};
use bounds::{LAYERS, OFFSET};
use ringsmith_simd::{Cpu, Factor, Kernel, Simd, WideLanes, WideRow, WordLanes};

/// The bits of a value.
const VALUE: u64 = (1 << LANE_BITS) - 1;

/// This kind of lanes.
#[derive(Clone, Copy)]
pub(crate) struct Wide;

/// A prime and what follows from it.
#[derive(Clone, Copy)]
pub(crate) struct Prime {
    /// The prime.
    p: u64,
    /// `p^-1` modulo `2^52`.
    inverse: u64,
    /// Makes factors of the backend.
    factor: fn(u64, u64) -> Factor,
    /// The factor 1, by which a value is reduced.
    one: Factor,
    /// The factor `2^52`, which a Montgomery product takes off.
    montgomery: Factor,
}

impl Prime {
    /// Of an odd prime below `2^46`, and with the factors of a backend.
    pub(crate) fn new(p: u64, factor: fn(u64, u64) -> Factor) -> Self {
        let inverse = number::inverse_of_word(p) & VALUE;
        Prime { p, inverse, factor, one: factor(1, p), montgomery: factor((1 << LANE_BITS) % p, p) }
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

/// With AVX-512 on its registers, else on those of the token.
impl<B: Body<Wide>> Kernel for OnLanes<'_, Wide, B> {
    type Out = B::Out;
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> B::Out {
        self.body.run(Lanes52::new(s, self.prime))
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, _: S, w: W) -> B::Out {
        self.body.run(Lanes52::new(w, self.prime))
    }
}

impl Kind for Wide {
    type Line = Line64;
    type Prime = Prime;
    type Factor = Factor;
    type Cross = ();
    type FactorLines = [Line64; 2];
    type CrossLines = ();
    const PREPARED: usize = 2;
    /// 32 KiB.
    const NEAR: usize = 512;
    const LAYERS: u32 = LAYERS;

    fn prime(cpu: Cpu, p: u64) -> Prime {
        Prime::new(p, cpu.run(MakeFactor))
    }
    fn factor(prime: &Prime, w: u64) -> Factor {
        (prime.factor)(w, prime.p)
    }
    fn cross(_: &Prime, _: [u64; 3]) {}
    fn put([low, high]: &mut [Line64; 2], lane: usize, [w, quotient]: Factor) {
        (low.0[lane], high.0[lane]) = (w, quotient);
    }
    fn put_cross((): &mut (), _: usize, (): ()) {}
    fn zero(prime: &Prime) -> Line64 {
        Line64([START * prime.p; 8])
    }
    /// Three layers, but two and two are better than three and one.
    #[inline(always)]
    fn radix(ratio: usize) -> usize {
        if ratio == 16 { 4 } else { ratio.min(8) }
    }
    fn transpose(rows: &mut [Line64; 8]) {
        let copy = *rows;
        rows.iter_mut().enumerate().for_each(|(i, row)| row.0 = copy.map(|of| of.0[i]));
    }
    fn run<B: Body<Self>>(cpu: Cpu, prime: &Prime, body: B) -> B::Out {
        cpu.run(OnLanes { prime, body })
    }
    fn rows(count: usize) -> Result<Rows, WordError> {
        Rows::wide(count)
    }
    fn lines(rows: &Rows) -> Result<&[Line64], WordError> {
        match rows {
            Rows::Wide(lines) => Ok(lines),
            _ => Err(WordError::OtherRing),
        }
    }
    fn lines_mut(rows: &mut Rows) -> Result<&mut [Line64], WordError> {
        match rows {
            Rows::Wide(lines) => Ok(lines),
            _ => Err(WordError::OtherRing),
        }
    }
}

/// The arithmetic in the lanes of a token.
#[derive(Clone, Copy)]
pub(crate) struct Lanes52<W: WordLanes> {
    w: W,
    prime: W::Prime,
    p: W::Words,
    zero: W::Words,
    /// `OFFSET p` and `START p`.
    offset: W::Words,
    start: W::Words,
    inverse: W::Words,
    one: Factors<W>,
    montgomery: Factors<W>,
}

/// A factor in all lanes, or one in each.
type Factors<W> = [<W as WordLanes>::Words; 2];

impl<W: WordLanes> Lanes52<W> {
    /// Of a prime.
    #[inline(always)]
    pub(crate) fn new(w: W, prime: &Prime) -> Self {
        Lanes52 {
            w,
            prime: w.prime52(prime.p),
            p: w.splat_words(prime.p),
            zero: w.splat_words(0),
            offset: w.splat_words(OFFSET * prime.p),
            start: w.splat_words(START * prime.p),
            inverse: w.splat_words(prime.inverse),
            one: splat(w, prime.one),
            montgomery: splat(w, prime.montgomery),
        }
    }

    /// `b` times the factor, in `[0, 2 p)`.
    #[inline(always)]
    fn times(self, b: W::Words, factor: Factors<W>) -> W::Words {
        self.w.madd_factor52(self.zero, b, factor, self.prime)
    }

    /// The number in `[0, p)`, in the whole lane, of a value below `2 p`.
    #[inline(always)]
    pub(crate) fn canonical(self, a: W::Words) -> W::Words {
        let value = self.w.and_words(a, self.w.splat_words(VALUE));
        self.w.sub_if_words(value, self.p)
    }
}

/// A factor in all lanes.
#[inline(always)]
fn splat<W: WordLanes>(w: W, factor: Factor) -> Factors<W> {
    [w.splat_words(factor[0]), w.splat_words(factor[1])]
}

impl<W: WordLanes> Lanes for Lanes52<W> {
    type Kind = Wide;
    type Vector = W::Words;
    type Factors = Factors<W>;
    type Cross = ();
    /// `2^52 b` modulo `p`, below `2 p`, and the same divided by `p` modulo `2^52`.
    type Operand = [W::Words; 2];

    #[inline(always)]
    fn load(self, line: &Line64) -> W::Words {
        self.w.load_words(&line.0)
    }
    #[inline(always)]
    fn store(self, line: &mut Line64, x: W::Words) {
        self.w.store_words(&mut line.0, x);
    }
    #[inline(always)]
    fn splat(self, factor: Factor) -> Factors<W> {
        splat(self.w, factor)
    }
    #[inline(always)]
    fn splat_cross(self, (): ()) {}
    #[inline(always)]
    fn load_factors(self, [low, high]: &[Line64; 2]) -> Factors<W> {
        [self.load(low), self.load(high)]
    }
    #[inline(always)]
    fn load_cross(self, (): &()) {}

    /// Each lies `2 p` further out than `a`.
    #[inline(always)]
    fn butterfly(self, a: W::Words, b: W::Words, factor: Factors<W>) -> [W::Words; 2] {
        let sum = self.w.madd_factor52(a, b, factor, self.prime);
        [sum, self.w.sub_words(self.w.add_words(a, a), sum)]
    }
    /// The product is below `2 p`, where `b <= OFFSET p`.
    #[inline(always)]
    fn butterfly_back(self, a: W::Words, b: W::Words, factor: Factors<W>) -> [W::Words; 2] {
        let difference = self.w.sub_words(self.w.add_words(a, self.offset), b);
        [self.w.add_words(a, b), self.times(difference, factor)]
    }
    #[inline(always)]
    fn end_back(self, x: W::Words) -> W::Words {
        self.reduce(x)
    }
    #[inline(always)]
    fn transpose(self, x: [W::Words; 8]) -> [W::Words; 8] {
        self.w.transpose_words(x)
    }

    #[inline(always)]
    fn renew(self, x: W::Words) -> W::Words {
        self.begin(self.reduce(x))
    }
    /// Below `2 p`.
    #[inline(always)]
    fn reduce(self, x: W::Words) -> W::Words {
        self.w.reduce52(x, self.one, self.prime)
    }
    #[inline(always)]
    fn scale(self, x: W::Words, factor: Factors<W>) -> W::Words {
        self.begin(self.canonical(self.times(x, factor)))
    }

    #[inline(always)]
    fn operand(self, x: W::Words) -> [W::Words; 2] {
        let scaled = self.times(x, self.montgomery);
        [scaled, self.w.madd_low52(self.zero, scaled, self.inverse)]
    }
    #[inline(always)]
    fn load_operand(self, lines: &[Line64]) -> [W::Words; 2] {
        [self.load(&lines[0]), self.load(&lines[1])]
    }
    #[inline(always)]
    fn store_operand(self, lines: &mut [Line64], [scaled, inverse]: [W::Words; 2]) {
        self.store(&mut lines[0], scaled);
        self.store(&mut lines[1], inverse);
    }
    /// `a b / 2^52` modulo `p`, in `(0, h + p]` where `a b < 2^52 h`.
    ///
    /// `a b` and `m p`, where `m = a b / p` modulo `2^52`, have the same low half, so the difference of their
    /// high halves is their difference divided by `2^52`. The second is below `p`.
    #[inline(always)]
    fn product(self, a: W::Words, [b, inverse]: [W::Words; 2]) -> W::Words {
        let m = self.w.madd_low52(self.zero, a, inverse);
        let high = self.w.madd_high52(self.p, a, b);
        self.w.sub_words(high, self.w.madd_high52(self.zero, m, self.p))
    }
    #[inline(always)]
    fn add_product(self, sum: W::Words, product: W::Words) -> W::Words {
        self.w.add_words(self.reduce(sum), product)
    }

    #[inline(always)]
    fn read(self, numbers: &WideRow) -> W::Words {
        self.w.load_words(numbers)
    }
    #[inline(always)]
    fn begin(self, x: W::Words) -> W::Words {
        self.w.add_words(x, self.start)
    }
    #[inline(always)]
    fn write(self, numbers: &mut WideRow, x: W::Words) {
        self.w.store_words(numbers, self.w.sub_words(x, self.start));
    }
    #[inline(always)]
    fn write_values(self, numbers: &mut WideRow, x: W::Words) {
        self.w.store_words(numbers, self.canonical(self.times(x, self.one)));
    }
}
