//! Arithmetic modulo `p` in lanes, lazily reduced.
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

use crate::bounds::{LANE_BITS, OFFSET, START};
use crate::number;
use ringsmith_simd::{Factor, WordLanes};

/// The bits of a value.
pub(crate) const VALUE: u64 = (1 << LANE_BITS) - 1;

/// A prime and what follows from it.
#[derive(Clone, Copy)]
pub(crate) struct Prime {
    /// The prime.
    pub(crate) p: u64,
    /// `p^-1` modulo `2^52`.
    inverse: u64,
    /// Makes factors of the backend.
    factor: fn(u64, u64) -> Factor,
    /// The factor 1, by which a value is reduced.
    pub(crate) one: Factor,
    /// The factor `2^52`, which a Montgomery product takes off.
    montgomery: Factor,
}

impl Prime {
    /// Of an odd prime below `2^46`, and with the factors of a backend.
    pub(crate) fn new(p: u64, factor: fn(u64, u64) -> Factor) -> Self {
        let inverse = number::inverse_of_word(p) & VALUE;
        Prime { p, inverse, factor, one: factor(1, p), montgomery: factor((1 << LANE_BITS) % p, p) }
    }

    /// The factor of a constant below `p`.
    pub(crate) fn factor(&self, w: u64) -> Factor {
        (self.factor)(w, self.p)
    }

    /// Where values start: a multiple of `p`.
    pub(crate) fn start(&self) -> u64 {
        START * self.p
    }
}

/// The same in the lanes of a token.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<W: WordLanes> {
    /// The token.
    pub(crate) w: W,
    p: W::Words,
    prime: W::Prime,
    zero: W::Words,
}

/// A factor in all lanes, or one in each.
pub(crate) type Factors<W> = [<W as WordLanes>::Words; 2];

impl<W: WordLanes> Lanes<W> {
    /// Of a prime.
    #[inline(always)]
    pub(crate) fn new(w: W, prime: &Prime) -> Self {
        Lanes { w, p: w.splat_words(prime.p), prime: w.prime52(prime.p), zero: w.splat_words(0) }
    }

    /// A factor in all lanes.
    #[inline(always)]
    pub(crate) fn splat(self, factor: Factor) -> Factors<W> {
        [self.w.splat_words(factor[0]), self.w.splat_words(factor[1])]
    }

    /// `b` times the factor, in `[0, 2 p)`.
    #[inline(always)]
    pub(crate) fn times(self, b: W::Words, factor: Factors<W>) -> W::Words {
        self.w.madd_factor52(self.zero, b, factor, self.prime)
    }

    /// `a + w b` and `a - w b`; each lies `2 p` further out than `a`.
    #[inline(always)]
    pub(crate) fn butterfly(self, a: W::Words, b: W::Words, factor: Factors<W>) -> [W::Words; 2] {
        let sum = self.w.madd_factor52(a, b, factor, self.prime);
        [sum, self.w.sub_words(self.w.add_words(a, a), sum)]
    }

    /// `a + b` and `w (a - b)`; the latter is below `2 p`, where `b <= OFFSET p`.
    #[inline(always)]
    pub(crate) fn butterfly_back(
        self,
        a: W::Words,
        b: W::Words,
        factor: Factors<W>,
        offset: W::Words,
    ) -> [W::Words; 2] {
        let difference = self.w.sub_words(self.w.add_words(a, offset), b);
        [self.w.add_words(a, b), self.times(difference, factor)]
    }

    /// `OFFSET p` in all lanes.
    #[inline(always)]
    pub(crate) fn offset(self, prime: &Prime) -> W::Words {
        self.w.splat_words(OFFSET * prime.p)
    }

    /// `a` modulo `p`, below `2 p`; `one` is the factor 1.
    #[inline(always)]
    pub(crate) fn reduce(self, a: W::Words, one: Factors<W>) -> W::Words {
        self.w.reduce52(a, one, self.prime)
    }

    /// The number in `[0, p)`, in the whole lane, of a value below `2 p`.
    #[inline(always)]
    pub(crate) fn canonical(self, a: W::Words) -> W::Words {
        let value = self.w.and_words(a, self.w.splat_words(VALUE));
        self.w.sub_if_words(value, self.p)
    }

    /// `a b / 2^52` modulo `p`, in `(0, h + p]` where `a b < 2^52 h`; `b_inverse` is `b / p` modulo `2^52`.
    ///
    /// `a b` and `m p`, where `m = a b / p` modulo `2^52`, have the same low half, so the difference of their
    /// high halves is their difference divided by `2^52`. The second is below `p`.
    #[inline(always)]
    pub(crate) fn montgomery(self, a: W::Words, b: W::Words, b_inverse: W::Words) -> W::Words {
        let m = self.w.madd_low52(self.zero, a, b_inverse);
        let high = self.w.madd_high52(self.p, a, b);
        self.w.sub_words(high, self.w.madd_high52(self.zero, m, self.p))
    }

    /// What [`montgomery`](Lanes::montgomery) multiplies by `b` with: `2^52 b` modulo `p`, below `2 p`, and
    /// the same divided by `p` modulo `2^52`.
    #[inline(always)]
    pub(crate) fn operand(self, b: W::Words, prime: &Prime) -> [W::Words; 2] {
        let scaled = self.times(b, self.splat(prime.montgomery));
        [scaled, self.w.madd_low52(self.zero, scaled, self.w.splat_words(prime.inverse))]
    }
}
