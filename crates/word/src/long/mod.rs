//! Lanes of 64 bits that multiply numbers of 64: arithmetic modulo primes below `2^62`, lazily reduced.
//!
//! # The maps
//! For a constant `w < p`, made to a [`Factor`], and any lane `b`, the token computes `t = b w` modulo `p` in
//! `[0, 4 p)` (`ringsmith_simd::WordLanes`, where the proof is). A butterfly is one such product, a sum and a
//! difference; before these, `a` takes a *step*: half of what a lane holds, in multiples of `p`, is taken off
//! where `a` is not less.
//!
//! # Bounds
//! `bounds`. Lanes of primes below `2^60` hold `16 p`, those of greater ones `4 p`. The bound of the prime is
//! a constant of the arithmetic; smaller primes need fewer steps.
//!
//! # Source
//! The product by a constant is V. Shoup's (NTL); its lazy form, and butterflies with one step, D. Harvey's,
//! *Faster arithmetic for number-theoretic transforms*, Journal of Symbolic Computation 60 (2014). Deviation:
//! the quotient is made of three products of halves, not of four, and is too small by up to three.

mod bounds;

use crate::WordError;
use crate::lanes::{Arithmetic, Body, Kind, Lanes};
use crate::memory::{Line64, Rows};
use crate::number;
use crate::pair::Pair;
use bounds::Bounds;
pub(crate) use bounds::{LAZY_BITS, PRIME_BITS};
use ringsmith_simd::{Cpu, Factor, Kernel, Simd, WideLanes, WideRow, WordLanes, factor64};

/// This kind of lanes.
#[derive(Clone, Copy)]
pub(crate) struct Long;

/// A prime and what follows from it.
#[derive(Clone, Copy)]
pub(crate) struct Prime {
    /// The prime.
    p: u64,
    /// `p^-1` modulo `2^64`.
    inverse: u64,
    /// The factor 1, by which a value is reduced.
    one: Factor,
    /// The factor `2^64`, which a Montgomery product takes off.
    montgomery: Factor,
    /// 0, which a kernel's compiler does not know.
    zero: u64,
}

impl Prime {
    /// Of an odd prime below `2^62`.
    pub(crate) fn new(p: u64) -> Self {
        let montgomery = factor64((u64::MAX % p + 1) % p, p);
        Prime { p, inverse: number::inverse_of_word(p), one: factor64(1, p), montgomery, zero: 0 }
    }

    /// Whether it is below `2^LAZY_BITS`.
    pub(crate) fn is_lazy(&self) -> bool {
        self.p >> LAZY_BITS == 0
    }
}

/// A kernel's body, on lanes of primes below `2^BITS`.
struct OnLanes<'a, const BITS: u32, B> {
    prime: &'a Prime,
    body: B,
}

/// With AVX-512 on its registers, else on those of the token.
impl<const BITS: u32, B: Body<Long>> Kernel for OnLanes<'_, BITS, B> {
    type Out = B::Out;
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> B::Out {
        self.body.run(Lanes64::<S, BITS>::new(s, self.prime))
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, _: S, w: W) -> B::Out {
        self.body.run(Lanes64::<W, BITS>::new(w, self.prime))
    }
}

impl Kind for Long {
    type Cpu = Cpu;
    type Line = Line64;
    type Prime = Prime;
    type Factor = Factor;
    type Cross = ();
    type FactorLines = [Line64; 2];
    type CrossLines = ();
    const PREPARED: usize = 2;
    /// 32 KiB.
    const NEAR: usize = 512;
    /// A pass takes so long that a copy of few rows is nothing beside it.
    const ENDS: usize = 64;

    fn on(cpu: Cpu) -> Option<Cpu> {
        Some(cpu)
    }
    fn prime(_: Cpu, p: u64) -> Prime {
        Prime::new(p)
    }
    fn factor(prime: &Prime, w: u64) -> Factor {
        factor64(w, prime.p)
    }
    fn cross(_: &Prime, _: [u64; 3]) {}
    fn put([low, high]: &mut [Line64; 2], lane: usize, [w, quotient]: Factor) {
        (low.0[lane], high.0[lane]) = (w, quotient);
    }
    fn put_cross((): &mut (), _: usize, (): ()) {}
    fn zero(_: &Prime) -> Line64 {
        Line64::default()
    }
    fn run<B: Body<Self>>(on: Cpu, prime: &Prime, body: B) -> B::Out {
        if prime.is_lazy() {
            on.run(OnLanes::<LAZY_BITS, B> { prime, body })
        } else {
            on.run(OnLanes::<PRIME_BITS, B> { prime, body })
        }
    }
    fn rows(count: usize) -> Result<Rows, WordError> {
        Rows::long(count)
    }
    fn lines(rows: &Rows) -> Result<&[Line64], WordError> {
        match rows {
            Rows::Long(lines) => Ok(lines),
            _ => Err(WordError::OtherRing),
        }
    }
    fn lines_mut(rows: &mut Rows) -> Result<&mut [Line64], WordError> {
        match rows {
            Rows::Long(lines) => Ok(lines),
            _ => Err(WordError::OtherRing),
        }
    }
}

/// The arithmetic in the lanes of a token, of a prime below `2^BITS`.
#[derive(Clone, Copy)]
pub(crate) struct Lanes64<W: WordLanes, const BITS: u32> {
    w: W,
    prime: W::LongPrime,
    p: W::Words,
    /// `2 p`, `HALF p` and `PRODUCT p`.
    twice: W::Words,
    half: W::Words,
    product: W::Words,
    inverse: W::Words,
    one: Factors<W>,
    montgomery: Factors<W>,
    zero: W::Words,
}

/// A factor in all lanes, or one in each.
type Factors<W> = [<W as WordLanes>::Words; 2];

impl<W: WordLanes, const BITS: u32> Lanes64<W, BITS> {
    /// Of a prime.
    #[inline(always)]
    pub(crate) fn new(w: W, prime: &Prime) -> Self {
        Lanes64 {
            w,
            prime: w.prime64(prime.p),
            p: w.splat_words(prime.p),
            twice: w.splat_words(2 * prime.p),
            half: w.splat_words(Bounds::<BITS>::HALF * prime.p),
            product: w.splat_words(Bounds::<BITS>::PRODUCT * prime.p),
            inverse: w.splat_words(prime.inverse),
            one: splat(w, prime.one),
            montgomery: splat(w, prime.montgomery),
            zero: w.splat_words(prime.zero),
        }
    }

    /// A value below `HALF p`, of one below `LIMIT p`.
    #[inline(always)]
    fn step(self, a: W::Words) -> W::Words {
        self.w.sub_if_words(a, self.half)
    }

    /// The same where a bound asks for it, else the value.
    #[inline(always)]
    fn step_if(self, asked: bool, a: W::Words) -> W::Words {
        if asked { self.step(a) } else { a }
    }

    /// `b` times the factor, below `PRODUCT p`.
    #[inline(always)]
    fn times(self, b: W::Words, factor: Factors<W>) -> W::Words {
        self.step_if(Bounds::<BITS>::STEP, self.w.times64(b, factor, self.prime))
    }

    /// The number in `[0, p)` of a value below `PRODUCT p`.
    #[inline(always)]
    fn canonical(self, a: W::Words) -> W::Words {
        self.w.sub_if_words(self.w.sub_if_words(a, self.twice), self.p)
    }

    /// `a + w b` and `a - w b` of an `a` that leaves room for a product.
    #[inline(always)]
    fn sum_and_difference(self, a: W::Words, b: W::Words, factor: Factors<W>) -> [W::Words; 2] {
        let t = self.times(b, factor);
        [self.w.add_words(a, t), self.w.sub_words(self.w.add_words(a, self.product), t)]
    }

    /// `w (a - b)` of values below `HALF p`.
    #[inline(always)]
    fn difference(self, a: W::Words, b: W::Words, factor: Factors<W>) -> W::Words {
        self.times(self.w.sub_words(self.w.add_words(a, self.half), b), factor)
    }
}

/// A factor in all lanes.
#[inline(always)]
fn splat<W: WordLanes>(w: W, factor: Factor) -> Factors<W> {
    [w.splat_words(factor[0]), w.splat_words(factor[1])]
}

impl<W: WordLanes, const BITS: u32> Arithmetic for Lanes64<W, BITS> {
    type Vector = W::Words;
    type Factors = Factors<W>;
    type Cross = ();
    /// `2^64 b` modulo `p`, below `PRODUCT p`, and the same divided by `p` modulo `2^64`.
    type Operand = [W::Words; 2];
    #[inline(always)]
    fn butterfly(self, a: W::Words, b: W::Words, factor: Factors<W>) -> [W::Words; 2] {
        self.sum_and_difference(self.step(a), b, factor)
    }
    #[inline(always)]
    fn butterfly_back(self, a: W::Words, b: W::Words, factor: Factors<W>) -> [W::Words; 2] {
        [self.step(self.w.add_words(a, b)), self.difference(a, b, factor)]
    }
    #[inline(always)]
    fn quad(self, x: [W::Words; 4], w: [Factors<W>; 3], (): ()) -> [W::Words; 4] {
        let ([a, c], [b, d]) = (self.butterfly(x[0], x[2], w[0]), self.butterfly(x[1], x[3], w[0]));
        let (a, c) =
            (self.step_if(!Bounds::<BITS>::TWO_LAYERS, a), self.step_if(!Bounds::<BITS>::TWO_LAYERS, c));
        let ([a, b], [c, d]) = (self.sum_and_difference(a, b, w[1]), self.sum_and_difference(c, d, w[2]));
        [a, b, c, d]
    }
    #[inline(always)]
    fn quad_back(self, x: [W::Words; 4], w: [Factors<W>; 3], (): (), _: bool) -> [W::Words; 4] {
        let ([a, b], [c, d]) = (self.butterfly_back(x[0], x[1], w[1]), self.butterfly_back(x[2], x[3], w[2]));
        let [a, c] = self.butterfly_back(a, c, w[0]);
        let sum = self.step_if(!Bounds::<BITS>::SUM, self.w.add_words(b, d));
        [a, sum, c, self.difference(b, d, w[0])]
    }
    /// Nothing: every sum has taken its step.
    #[inline(always)]
    fn end_back(self, x: W::Words) -> W::Words {
        x
    }
    #[inline(always)]
    fn transpose(self, x: [W::Words; 8]) -> [W::Words; 8] {
        self.w.transpose_words(x)
    }
    #[inline(always)]
    fn renew(self, x: W::Words) -> W::Words {
        x
    }
    #[inline(always)]
    fn reduce(self, x: W::Words) -> W::Words {
        // A row that stays as it is, or not, compilers write by a conditional store: not if they see a sum.
        self.w.add_words(self.step(x), self.zero)
    }
    #[inline(always)]
    fn scale(self, x: W::Words, factor: Factors<W>) -> W::Words {
        self.canonical(self.times(x, factor))
    }
    #[inline(always)]
    fn operand(self, x: W::Words) -> [W::Words; 2] {
        let scaled = self.times(x, self.montgomery);
        [scaled, self.w.low64(scaled, self.inverse)]
    }
    /// `a b / 2^64` modulo `p`, in `(0, h + p]` where `a b < 2^64 h`, and then a step.
    ///
    /// `a b` and `m p`, where `m = a b / p` modulo `2^64`, have the same low half, so the difference of their
    /// high halves is their difference divided by `2^64`. The second is below `p`.
    #[inline(always)]
    fn product(self, a: W::Words, [b, inverse]: [W::Words; 2]) -> W::Words {
        let m = self.w.low64(a, inverse);
        let high = self.w.add_words(self.w.high64(a, b), self.p);
        self.step_if(Bounds::<BITS>::VALUES, self.w.sub_words(high, self.w.high64(m, self.p)))
    }
}

impl<W: WordLanes, const BITS: u32> Lanes for Lanes64<W, BITS> {
    type Kind = Long;
    type Two = Pair<Self>;
    const PIECES: usize = W::PIECES;
    #[inline(always)]
    fn two(self) -> Pair<Self> {
        Pair(self)
    }
    #[inline(always)]
    fn load(self, line: &Line64, piece: usize) -> W::Words {
        self.w.load_words(&line.0, piece)
    }
    #[inline(always)]
    fn store(self, line: &mut Line64, piece: usize, x: W::Words) {
        self.w.store_words(&mut line.0, piece, x);
    }
    #[inline(always)]
    fn splat(self, factor: Factor) -> Factors<W> {
        splat(self.w, factor)
    }
    #[inline(always)]
    fn splat_cross(self, (): ()) {}
    #[inline(always)]
    fn load_factors(self, [low, high]: &[Line64; 2], piece: usize) -> Factors<W> {
        [self.load(low, piece), self.load(high, piece)]
    }
    #[inline(always)]
    fn load_cross(self, (): &(), _: usize) {}
    #[inline(always)]
    fn load_operand(self, lines: &[Line64], piece: usize) -> [W::Words; 2] {
        [self.load(&lines[0], piece), self.load(&lines[1], piece)]
    }
    #[inline(always)]
    fn store_operand(self, lines: &mut [Line64], piece: usize, [scaled, inverse]: [W::Words; 2]) {
        self.store(&mut lines[0], piece, scaled);
        self.store(&mut lines[1], piece, inverse);
    }
    #[inline(always)]
    fn add_product(self, sum: W::Words, product: W::Words) -> W::Words {
        self.step(self.w.add_words(self.step(sum), product))
    }
    #[inline(always)]
    fn read(self, numbers: &WideRow, piece: usize) -> W::Words {
        self.w.load_words(numbers, piece)
    }
    #[inline(always)]
    fn begin(self, x: W::Words) -> W::Words {
        x
    }
    #[inline(always)]
    fn write(self, numbers: &mut WideRow, piece: usize, x: W::Words) {
        self.w.store_words(numbers, piece, x);
    }
    #[inline(always)]
    fn write_values(self, numbers: &mut WideRow, piece: usize, x: W::Words) {
        self.w.store_words(numbers, piece, self.canonical(self.times(x, self.one)));
    }
}
