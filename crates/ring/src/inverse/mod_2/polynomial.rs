//! Polynomials over `F_2` modulo `x^n - 1`, in words of 64 coefficients.
//!
//! # The maps
//! * A product: with `d_i = a_i b_i` of words, `a_i b_j + a_j b_i = (a_i + a_j)(b_i + b_j) - d_i - d_j`. So
//!   `W` words by `W` words are `W (W + 1) / 2` carry-less products in place of `W^2`; and in the sum of all
//!   pairs `i + j = c` every `d_i` of the range stands once (A. Weimerskirch, C. Paar, 2003).
//! * A square: zeroes between the bits, modulo `x^n - 1`.
//! * A power by `2^t`: coefficient `i` goes to place `2^t i` modulo `n`. The other way round, coefficient `m`
//!   comes from place `s m`, with `s = 2^-t`. For few `t` that is `t` squares. For many, every place collects
//!   the coefficient that is `s` further, then the two that are `2 s` further, and so on: after four rounds
//!   it has the 16 coefficients of a part of the result, of which only every `16 s`-th place is read.
//!
//! # Conditions
//! `n` odd, at least 193 and below `2^14`. Coefficients from `n` on are 0, in and out.
//!
//! The degree is a value: one kernel serves all. Words are in slices of as many as `n` has, and what is read
//! beside each other is cut before a loop.
//!
//! # Constant time
//! `t` and `n` are public: all addresses depend on them alone.

use ringsmith_simd::{CarrylessProducts, Kernel, Row, Simd};

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

/// Clears the bits from `n` on.
#[inline(always)]
fn clear_behind(n: usize, a: &mut [u64]) {
    if let Some(last) = a.last_mut() {
        *last &= (1 << (n % 64)) - 1;
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
    clear_behind(n, out);
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

/// Squares `a`, so many times.
pub(super) struct Square<'a> {
    pub(super) n: usize,
    pub(super) a: &'a mut [u64],
    pub(super) wide: &'a mut [u64],
    pub(super) times: usize,
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
        let Square { n, a, wide, times } = self;
        for _ in 0..times {
            for (pair, word) in wide.as_chunks_mut::<2>().0.iter_mut().zip(&*a) {
                *pair = s.carryless_words(s.carryless_square64(*word));
            }
            fold(n, wide, a);
        }
    }
}

/// A word of 16 bits for each coefficient, twice: so that `n` may be added to a place.
pub(super) type Places<const WORDS: usize> = [[[Row; 4]; WORDS]; 2];

/// All zero.
pub(super) const fn no_places<const WORDS: usize>() -> Places<WORDS> {
    [[[[0; 16]; 4]; WORDS]; 2]
}

/// The same as words.
pub(super) fn places_mut<const WORDS: usize>(places: &mut Places<WORDS>) -> &mut [i16] {
    places.as_flattened_mut().as_flattened_mut().as_flattened_mut()
}

/// The words that begin at a place.
#[inline(always)]
fn row_at(places: &[i16], place: usize) -> &Row {
    places[place..].first_chunk().expect("16 words")
}

/// The same, to write.
#[inline(always)]
fn row_at_mut(places: &mut [i16], place: usize) -> &mut Row {
    places[place..].first_chunk_mut().expect("16 words")
}

/// Writes the words from `place` on, and once more `n` places further.
#[inline(always)]
fn store_twice<S: Simd>(s: S, n: usize, places: &mut [i16], place: usize, words: S::I16) {
    s.store(row_at_mut(places, place), words);
    s.store(row_at_mut(places, n + place), words);
}

/// The words from `n` on, over which the last row of the first `n` reached.
#[inline(always)]
fn restore_first<S: Simd>(s: S, n: usize, places: &mut [i16]) {
    let first = s.load(row_at(places, 0));
    s.store(row_at_mut(places, n), first);
}

/// `a` to the power `2^t`.
pub(super) struct Power<'a> {
    pub(super) n: usize,
    pub(super) a: &'a mut [u64],
    /// As many bytes, and room for a load.
    pub(super) bytes: &'a mut [u8],
    /// [`Places`].
    pub(super) places: [&'a mut [i16]; 2],
    /// `2^-t` modulo `n`, and its multiples by 2, 4, 8 and 16.
    pub(super) steps: [usize; 5],
}

impl Kernel for Power<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Power { n, a, bytes, places: [even, odd], steps } = self;
        spread(s, n, a, bytes, even);
        collect(s, n, even, odd, steps[0], 1);
        collect(s, n, odd, even, steps[1], 2);
        collect(s, n, even, odd, steps[2], 4);
        collect(s, n, odd, even, steps[3], 8);
        let (by, mut place) = (steps[4], 0);
        for word in &mut *a {
            *word = 0;
            for part in 0..4 {
                *word |= (even[place] as u16 as u64) << (16 * part);
                place += by;
                place -= if place < n { 0 } else { n };
            }
        }
        clear_behind(n, a);
    }
}

/// Coefficients as words 0 and 1.
#[inline(always)]
fn spread<S: Simd>(s: S, n: usize, a: &[u64], bytes: &mut [u8], places: &mut [i16]) {
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(a) {
        *bytes = word.to_le_bytes();
    }
    let mut i = 0;
    while i < n {
        let sixteen = s.unpack::<1>(bytes[i / 8..].first_chunk().expect("32 bytes"));
        store_twice(s, n, places, i, sixteen);
        i += 16;
    }
    restore_first(s, n, places);
}

/// Behind the `count` bits that each place has, those of the place that is `distance` further.
#[inline(always)]
fn collect<S: Simd>(s: S, n: usize, from: &[i16], to: &mut [i16], distance: usize, count: u32) {
    let (up, mut i) = (s.splat(1 << count), 0);
    while i < n {
        let further = s.mul_lo(s.load(row_at(from, i + distance)), up);
        store_twice(s, n, to, i, s.xor(s.load(row_at(from, i)), further));
        i += 16;
    }
    restore_first(s, n, to);
}
