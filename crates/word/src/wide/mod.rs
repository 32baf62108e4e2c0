//! Lanes of 64 bits that hold numbers of 52: arithmetic modulo primes below `2^46`, `2^49`, `2^50` or `2^51`,
//! lazily reduced.
//!
//! # The maps
//! A *value* is the low 52 bits of a lane. For a constant `w < p`, made to a [`Factor`], and any value `b`,
//! the token computes `c + t` with `t = b w` modulo `p` in `(-p, p)` (`ringsmith_simd::WordLanes`, where the
//! proof is). What is above 52 bits in a lane is of no meaning, and no multiplication reads it. So a
//! butterfly is one such product, a doubling and a subtraction: `s = a + t`, and `2 a - s = a - t`.
//!
//! Below `2^46` a transform forward reduces nothing, and one backward a row a pass. Below `2^49` every pass
//! reduces its rows when they come in; backward, half of them when they go out.
//!
//! Below `2^50` there is room for a layer. Forward a butterfly reduces `a` first, backward its sum: two
//! multiply-adds more than the three of the product.
//!
//! Below `2^51` lanes are *full*: they hold `2 p`, and a butterfly takes a step of `2 p` off its sum and one
//! back onto its difference. Products are cut to 52 bits there, as steps compare whole lanes.
//!
//! # Source
//! The product by a constant is V. Shoup's (NTL); its lazy form D. Harvey's, *Faster arithmetic for
//! number-theoretic transforms*, Journal of Symbolic Computation 60 (2014). Deviation: a quotient that is
//! rounded up, no conditional subtraction within a transform below `2^50`, and `a + t` by the product itself.

mod bounds;

use crate::WordError;
use crate::lanes::{Arithmetic, Body, Kind, Lanes, OnLanes};
use crate::memory::{Line64, Rows};
use crate::number;
use crate::pair::Pair;
pub(crate) use bounds::{Bounds, LANE_BITS};
use ringsmith_simd::{Cpu, Cpu52, Factor, Kernel, Simd, WideLanes, WideRow, WordLanes};

/// The bits of a value.
const VALUE: u64 = (1 << LANE_BITS) - 1;

/// This kind of lanes, for primes below `2^PRIME_BITS`.
#[derive(Clone, Copy)]
pub(crate) struct Wide<const PRIME_BITS: u32>;

/// Primes below that many bits leave room for a whole transform.
pub(crate) const ROOMY_BITS: u32 = 46;
/// Primes below that many leave room for a pass.
pub(crate) const TIGHT_BITS: u32 = 49;
/// Primes below that many leave room for a layer.
pub(crate) const TIGHTER_BITS: u32 = 50;
/// All are below that many.
pub(crate) const PRIME_BITS: u32 = 51;

/// Where the values of a prime start, in multiples of it.
const fn start(p: u64) -> u64 {
    if p >> ROOMY_BITS == 0 {
        Bounds::<ROOMY_BITS>::START
    } else if p >> TIGHT_BITS == 0 {
        Bounds::<TIGHT_BITS>::START
    } else if p >> TIGHTER_BITS == 0 {
        Bounds::<TIGHTER_BITS>::START
    } else {
        Bounds::<PRIME_BITS>::START
    }
}

/// The number in `[0, p)` of a coefficient, which is within `p` of `START p`: [`Lanes::write`] of one.
pub(crate) const fn number(x: u64, p: u64) -> u64 {
    let less = (x & VALUE).wrapping_sub(start(p) * p);
    less.wrapping_add(p & (less as i64 >> (u64::BITS - 1)) as u64)
}

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
    /// Of an odd prime below `2^51`, and with the factors of a backend.
    pub(crate) fn new(p: u64, factor: fn(u64, u64) -> Factor) -> Self {
        let inverse = number::inverse_of_word(p) & VALUE;
        Prime { p, inverse, factor, one: factor(1, p), montgomery: factor((1 << LANE_BITS) % p, p) }
    }
}

/// What makes factors of the backend.
pub(crate) struct MakeFactor;

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
impl<const PRIME_BITS: u32, B: Body<Wide<PRIME_BITS>>> Kernel for OnLanes<'_, Wide<PRIME_BITS>, B> {
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

impl<const PRIME_BITS: u32> Kind for Wide<PRIME_BITS> {
    type Cpu = Cpu52;
    type Line = Line64;
    type Prime = Prime;
    type Factor = Factor;
    type Cross = ();
    type FactorLines = [Line64; 2];
    type CrossLines = ();
    const PREPARED: usize = 2;
    /// 128 KiB: they need not stay in the first cache, since loads from the second are hidden.
    const NEAR: usize = 2048;

    fn on(cpu: Cpu) -> Option<Cpu52> {
        Cpu52::new(cpu)
    }
    fn prime(on: Cpu52, p: u64) -> Prime {
        Prime::new(p, on.run(MakeFactor))
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
        Line64([Bounds::<PRIME_BITS>::START * prime.p; 8])
    }
    fn run<B: Body<Self>>(on: Cpu52, prime: &Prime, body: B) -> B::Out {
        on.run(OnLanes::<Self, _> { prime, body })
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
pub(crate) struct Lanes52<W: WordLanes, const PRIME_BITS: u32> {
    w: W,
    prime: W::Prime,
    p: W::Words,
    zero: W::Words,
    /// `OFFSET p` and `START p`.
    offset: W::Words,
    start: W::Words,
    /// `p` and `START p`, around which values are reduced.
    around_one: W::Words,
    around_start: W::Words,
    inverse: W::Words,
    one: Factors<W>,
    montgomery: Factors<W>,
}

/// A factor in all lanes, or one in each.
type Factors<W> = [<W as WordLanes>::Words; 2];

impl<W: WordLanes, const PRIME_BITS: u32> Lanes52<W, PRIME_BITS> {
    /// Of a prime.
    #[inline(always)]
    pub(crate) fn new(w: W, prime: &Prime) -> Self {
        Lanes52 {
            w,
            prime: w.prime52(prime.p),
            p: w.splat_words(prime.p),
            zero: w.splat_words(0),
            offset: w.splat_words(Bounds::<PRIME_BITS>::OFFSET * prime.p),
            start: w.splat_words(Bounds::<PRIME_BITS>::START * prime.p),
            around_one: w.around52(1, prime.p),
            around_start: w.around52(Bounds::<PRIME_BITS>::START, prime.p),
            inverse: w.splat_words(prime.inverse),
            one: splat(w, prime.one),
            montgomery: splat(w, prime.montgomery),
        }
    }

    /// `b` times the factor, in `(0, 2 p)`.
    #[inline(always)]
    fn times(self, b: W::Words, factor: Factors<W>) -> W::Words {
        self.w.madd_factor52(self.p, b, factor, self.prime)
    }

    /// Reduced to within `p` of `START p`.
    #[inline(always)]
    fn middle(self, a: W::Words) -> W::Words {
        self.w.reduce52(a, self.one, self.around_start, self.prime)
    }

    /// Reduced, where passes do so.
    #[inline(always)]
    fn reduce_in_pass(self, a: W::Words) -> W::Words {
        if Bounds::<PRIME_BITS>::EACH_PASS { self.reduce(a) } else { a }
    }

    /// The same product with nothing above its 52 bits.
    #[inline(always)]
    fn times_alone(self, b: W::Words, factor: Factors<W>) -> W::Words {
        self.w.and_words(self.times(b, factor), self.w.splat_words(VALUE))
    }

    /// `a + b` and `a - b` of whole lanes below `2 p`, reduced to such: in full lanes, `offset` is `2 p`.
    #[inline(always)]
    fn sum_and_difference(self, a: W::Words, b: W::Words) -> [W::Words; 2] {
        let above = self.w.add_words(self.w.sub_words(a, b), self.offset);
        [self.sum_of_full(a, b), self.w.sub_if_words(above, self.offset)]
    }

    /// The sum of them.
    #[inline(always)]
    fn sum_of_full(self, a: W::Words, b: W::Words) -> W::Words {
        self.w.sub_if_words(self.w.add_words(a, b), self.offset)
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

impl<W: WordLanes, const PRIME_BITS: u32> Arithmetic for Lanes52<W, PRIME_BITS> {
    type Vector = W::Words;
    type Factors = Factors<W>;
    type Cross = ();
    /// `2^52 b` modulo `p`, below `OPERAND p`, and the same divided by `p` modulo `2^52`.
    type Operand = [W::Words; 2];
    /// Each lies up to `p` further out than `a`.
    #[inline(always)]
    fn butterfly(self, a: W::Words, b: W::Words, factor: Factors<W>) -> [W::Words; 2] {
        if Bounds::<PRIME_BITS>::FULL {
            return self.sum_and_difference(a, self.times_alone(b, factor));
        }
        let a = if Bounds::<PRIME_BITS>::EACH_LAYER { self.middle(a) } else { a };
        let sum = self.w.madd_factor52(a, b, factor, self.prime);
        [sum, self.w.sub_words(self.w.add_words(a, a), sum)]
    }
    /// The product is below `2 p`, where `b <= OFFSET p`.
    #[inline(always)]
    fn butterfly_back(self, a: W::Words, b: W::Words, factor: Factors<W>) -> [W::Words; 2] {
        if Bounds::<PRIME_BITS>::FULL {
            let [sum, difference] = self.sum_and_difference(a, b);
            return [sum, self.times_alone(difference, factor)];
        }
        let difference = self.w.sub_words(self.w.add_words(a, self.offset), b);
        let sum = self.w.add_words(a, b);
        let sum = if Bounds::<PRIME_BITS>::EACH_LAYER { self.reduce(sum) } else { sum };
        [sum, self.times(difference, factor)]
    }
    #[inline(always)]
    fn two_sums(self, x: W::Words) -> W::Words {
        self.reduce_in_pass(x)
    }
    #[inline(always)]
    fn end_back(self, x: W::Words) -> W::Words {
        if Bounds::<PRIME_BITS>::EACH_LAYER { x } else { self.reduce(x) }
    }
    #[inline(always)]
    fn end_sum(self, x: W::Words) -> W::Words {
        self.reduce_in_pass(x)
    }
    #[inline(always)]
    fn transpose(self, x: [W::Words; 8]) -> [W::Words; 8] {
        self.w.transpose_words(x)
    }
    /// Within `p` of `START p`.
    #[inline(always)]
    fn renew(self, x: W::Words) -> W::Words {
        if Bounds::<PRIME_BITS>::EACH_PASS { self.middle(x) } else { x }
    }
    /// In `[0, 2 p)`.
    #[inline(always)]
    fn reduce(self, x: W::Words) -> W::Words {
        if Bounds::<PRIME_BITS>::FULL { x } else { self.w.reduce52(x, self.one, self.around_one, self.prime) }
    }
    #[inline(always)]
    fn scale(self, x: W::Words, factor: Factors<W>) -> W::Words {
        if Bounds::<PRIME_BITS>::FULL {
            self.times_alone(x, factor)
        } else {
            self.w.madd_factor52(self.start, x, factor, self.prime)
        }
    }
    #[inline(always)]
    fn operand(self, x: W::Words) -> [W::Words; 2] {
        let mut scaled = self.times(x, self.montgomery);
        if Bounds::<PRIME_BITS>::TIGHT {
            scaled = self.canonical(scaled);
        }
        [scaled, self.w.madd_low52(self.zero, scaled, self.inverse)]
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
}

impl<W: WordLanes, const PRIME_BITS: u32> Lanes for Lanes52<W, PRIME_BITS> {
    type Kind = Wide<PRIME_BITS>;
    type Two = Pair<Self>;
    /// Where a vector is a row: then there are registers for two blocks.
    const TWO: bool = W::PIECES == 1;
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
        if Bounds::<PRIME_BITS>::FULL {
            return self.sum_of_full(sum, product);
        }
        let sum = self.w.add_words(self.reduce(sum), product);
        if Bounds::<PRIME_BITS>::TIGHT { self.reduce(sum) } else { sum }
    }
    #[inline(always)]
    fn read(self, numbers: &WideRow, piece: usize) -> W::Words {
        self.w.load_words(numbers, piece)
    }
    #[inline(always)]
    fn begin(self, x: W::Words) -> W::Words {
        self.w.add_words(x, self.start)
    }
    #[inline(always)]
    fn write(self, numbers: &mut WideRow, piece: usize, x: W::Words) {
        let above = self.w.sub_words(x, self.w.sub_words(self.start, self.p));
        self.w.store_words(numbers, piece, self.canonical(above));
    }
    #[inline(always)]
    fn write_values(self, numbers: &mut WideRow, piece: usize, x: W::Words) {
        self.w.store_words(numbers, piece, self.canonical(self.times(x, self.one)));
    }
}
