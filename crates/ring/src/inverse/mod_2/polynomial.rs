//! Polynomials over `F_2` modulo `x^n - 1`, in words of 64 coefficients.
//!
//! # The maps
//! * A product: with `d_i = a_i b_i` of words, `a_i b_j + a_j b_i = (a_i + a_j)(b_i + b_j) - d_i - d_j`. So
//!   `W` words by `W` words are `W (W + 1) / 2` carry-less products in place of `W^2`; and in the sum of all
//!   pairs `i + j = c` every `d_i` of the range stands once (A. Weimerskirch, C. Paar, 2003).
//! * A square: zeroes between the bits, modulo `x^n - 1`.
//!
//! # Conditions
//! `n` odd, at least 193 and below `2^14`. Coefficients from `n` on are 0, in and out.
//!
//! The degree is a value: one kernel serves all. Words are in slices of as many as `n` has, and what is read
//! beside each other is cut before a loop.
//!
//! # Constant time
//! `n` is public: all addresses depend on it alone.

use ringsmith_simd::{CarrylessProducts, Kernel, Simd};

/// 64 coefficients in a word, the constant term in the least bit of the first.
pub type Bits<const WORDS: usize> = [u64; WORDS];

/// A polynomial as bytes, with room behind them: a load takes 32.
pub(super) type Bytes<const WORDS: usize> = [[[u8; 8]; WORDS]; 2];

/// Words that hold `n` coefficients.
pub const fn words(n: usize) -> usize {
    n.div_ceil(64)
}

/// What `N` and `WORDS` must be.
pub(super) const fn fits(n: usize, words: usize) -> bool {
    n % 2 == 1 && 192 < n && n < 1 << 14 && words == n.div_ceil(64)
}

/// Clears the bits from `n` on, of which the first is in one of the words.
#[inline(always)]
pub(super) fn keep(n: usize, a: &mut [u64]) {
    if let Some((last, behind)) = a[n / 64..].split_first_mut() {
        *last &= (1 << (n % 64)) - 1;
        behind.fill(0);
    }
}

/// `wide`, of twice as many words, modulo `x^n - 1`.
#[inline(always)]
pub(super) fn fold(n: usize, wide: &[u64], out: &mut [u64]) {
    let words = out.len();
    // n = 64 (words - 1) + n % 64, and n % 64 is odd.
    let behind = wide[words - 1..].iter().zip(&wide[words..]);
    for (out, (low, (first, second))) in out.iter_mut().zip(wide.iter().zip(behind)) {
        *out = low ^ (first >> (n % 64)) ^ (second << (64 - n % 64));
    }
    keep(n, out);
}

/// `out = a b` modulo `x^n - 1`; `wide` has twice as many words.
pub(super) struct Multiply<'a> {
    pub(super) n: usize,
    pub(super) a: &'a [u64],
    pub(super) b: &'a [u64],
    pub(super) wide: &'a mut [u64],
    pub(super) out: &'a mut [u64],
}

/// The words `i` and `c - i` of a polynomial with `i < c - i`, from `first` on: those and, in reverse, these.
#[inline(always)]
pub(super) fn pairs(a: &[u64], first: usize, c: usize) -> [&[u64]; 2] {
    let count = c.div_ceil(2) - first;
    [&a[first..first + count], &a[c + 1 - first - count..c + 1 - first]]
}

impl Kernel for Multiply<'_> {
    type Out = ();
    const CARRYLESS: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.run_carryless(s, s);
    }
    #[inline(always)]
    fn run_carryless<S: Simd, C: CarrylessProducts>(self, _: S, s: C) {
        let Multiply { n, a, b, wide, out } = self;
        let (words, mut range, mut carry) = (a.len(), s.carryless_multiply64(0, 0), 0);
        let Some((last, columns)) = wide.split_last_mut() else { return };
        for (c, place) in columns.iter_mut().enumerate() {
            // The products d_i of first..=c - first: one enters, or one leaves.
            let (first, change) = if c < words { (0, c) } else { (c + 1 - words, c - words) };
            range = s.carryless_add(range, s.carryless_multiply64(a[change], b[change]));
            let ([a, a_back], [b, b_back]) = (pairs(a, first, c), pairs(b, first, c));
            let mut column = range;
            for ((x, y), (x_back, y_back)) in a.iter().zip(b).zip(a_back.iter().zip(b_back).rev()) {
                column = s.carryless_add(column, s.carryless_multiply64(x ^ x_back, y ^ y_back));
            }
            let [low, high] = s.carryless_words(column);
            (*place, carry) = (low ^ carry, high);
        }
        *last = carry;
        fold(n, wide, out);
    }
}

/// Squares `a`.
pub(super) struct Square<'a> {
    pub(super) n: usize,
    pub(super) a: &'a mut [u64],
    pub(super) wide: &'a mut [u64],
}

impl Kernel for Square<'_> {
    type Out = ();
    const CARRYLESS: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.run_carryless(s, s);
    }
    #[inline(always)]
    fn run_carryless<S: Simd, C: CarrylessProducts>(self, _: S, s: C) {
        let Square { n, a, wide } = self;
        for (pair, word) in wide.as_chunks_mut::<2>().0.iter_mut().zip(&*a) {
            *pair = s.carryless_words(s.carryless_square64(*word));
        }
        fold(n, wide, a);
    }
}
