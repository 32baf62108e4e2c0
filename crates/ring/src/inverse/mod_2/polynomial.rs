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
//! # Constant time
//! `t` and `n` are public: all addresses depend on them alone.

use ringsmith_simd::{Kernel, Row, Simd, each};

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

/// `wide` modulo `x^N - 1`.
#[inline(always)]
pub(super) fn fold<const N: usize, const WORDS: usize>(wide: &[Bits<WORDS>; 2], out: &mut Bits<WORDS>) {
    const { assert!(fits(N, WORDS)) };
    let (wide, mut i) = (wide.as_flattened(), 0);
    while i < WORDS {
        // N = 64 (WORDS - 1) + N % 64, and N % 64 is odd.
        out[i] = wide[i] ^ (wide[WORDS - 1 + i] >> (N % 64)) ^ (wide[WORDS + i] << (64 - N % 64));
        i += 1;
    }
    out[WORDS - 1] &= (1 << (N % 64)) - 1;
}

/// `out = a b`.
pub(super) struct Multiply<'a, const N: usize, const WORDS: usize> {
    pub(super) a: &'a Bits<WORDS>,
    pub(super) b: &'a Bits<WORDS>,
    pub(super) wide: &'a mut [Bits<WORDS>; 2],
    pub(super) out: &'a mut Bits<WORDS>,
}

impl<const N: usize, const WORDS: usize> Kernel for Multiply<'_, N, WORDS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (a, b) = (self.a, self.b);
        let wide = self.wide.as_flattened_mut();
        let (mut range, mut carry, mut c) = (s.carryless_multiply64(0, 0), 0, 0);
        while c < 2 * WORDS - 1 {
            // The products d_i of first..=c - first: one enters, or one leaves.
            let (first, change) = if c < WORDS { (0, c) } else { (c + 1 - WORDS, c - WORDS) };
            range = s.carryless_add(range, s.carryless_multiply64(a[change], b[change]));
            let (mut column, mut i) = (range, first);
            while 2 * i < c {
                let product = s.carryless_multiply64(a[i] ^ a[c - i], b[i] ^ b[c - i]);
                column = s.carryless_add(column, product);
                i += 1;
            }
            let [low, high] = s.carryless_words(column);
            wide[c] = low ^ carry;
            carry = high;
            c += 1;
        }
        wide[2 * WORDS - 1] = carry;
        fold::<N, WORDS>(self.wide, self.out);
    }
}

/// Squares `a`, so many times.
pub(super) struct Square<'a, const N: usize, const WORDS: usize> {
    pub(super) a: &'a mut Bits<WORDS>,
    pub(super) wide: &'a mut [Bits<WORDS>; 2],
    pub(super) times: usize,
}

impl<const N: usize, const WORDS: usize> Kernel for Square<'_, N, WORDS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut times = 0;
        while times < self.times {
            let (wide, mut i) = (self.wide.as_flattened_mut(), 0);
            while i < WORDS {
                [wide[2 * i], wide[2 * i + 1]] = s.carryless_words(s.carryless_square64(self.a[i]));
                i += 1;
            }
            fold::<N, WORDS>(self.wide, self.a);
            times += 1;
        }
    }
}

/// A word of 16 bits for each coefficient, twice: so that `N` may be added to a place.
pub(super) type Places<const WORDS: usize> = [[[Row; 4]; WORDS]; 2];

/// All zero.
pub(super) const fn no_places<const WORDS: usize>() -> Places<WORDS> {
    [[[[0; 16]; 4]; WORDS]; 2]
}

/// The rows of words that begin at a place.
#[inline(always)]
fn row_at<const WORDS: usize>(places: &Places<WORDS>, place: usize) -> &Row {
    let words = places.as_flattened().as_flattened().as_flattened();
    words[place..place + 16].first_chunk().expect("16 words")
}

/// The same, to write.
#[inline(always)]
fn row_at_mut<const WORDS: usize>(places: &mut Places<WORDS>, place: usize) -> &mut Row {
    let words = places.as_flattened_mut().as_flattened_mut().as_flattened_mut();
    words[place..place + 16].first_chunk_mut().expect("16 words")
}

/// Writes the words from `place` on, and once more `N` places further.
#[inline(always)]
fn store_twice<S: Simd, const N: usize, const WORDS: usize>(
    s: S,
    places: &mut Places<WORDS>,
    place: usize,
    words: S::I16,
) {
    s.store(row_at_mut(places, place), words);
    s.store(row_at_mut(places, N + place), words);
}

/// The words from `N` on, over which the last row of the first `N` reached.
#[inline(always)]
fn restore_first<S: Simd, const N: usize, const WORDS: usize>(s: S, places: &mut Places<WORDS>) {
    let first = s.load(row_at(places, 0));
    s.store(row_at_mut(places, N), first);
}

/// `a` to the power `2^t`.
pub(super) struct Power<'a, const N: usize, const WORDS: usize> {
    pub(super) a: &'a mut Bits<WORDS>,
    pub(super) bytes: &'a mut Bytes<WORDS>,
    pub(super) places: &'a mut [Places<WORDS>; 2],
    /// `2^-t` modulo `N`.
    pub(super) step: usize,
}

impl<const N: usize, const WORDS: usize> Kernel for Power<'_, N, WORDS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        const { assert!(fits(N, WORDS)) };
        let (step, [even, odd]) = (self.step, self.places);
        spread::<S, N, WORDS>(s, self.a, self.bytes, even);
        collect::<S, N, WORDS>(s, even, odd, step, 1);
        collect::<S, N, WORDS>(s, odd, even, 2 * step % N, 2);
        collect::<S, N, WORDS>(s, even, odd, 4 * step % N, 4);
        collect::<S, N, WORDS>(s, odd, even, 8 * step % N, 8);
        let (places, by, mut place, mut i) = (even.as_flattened().as_flattened(), 16 * step % N, 0, 0);
        let places = places.as_flattened();
        while i < WORDS {
            let (mut word, mut part) = (0, 0);
            while part < 4 {
                word |= (places[place] as u16 as u64) << (16 * part);
                place += by;
                place -= if place < N { 0 } else { N };
                part += 1;
            }
            self.a[i] = word;
            i += 1;
        }
        self.a[WORDS - 1] &= (1 << (N % 64)) - 1;
    }
}

/// Coefficients as words 0 and 1.
#[inline(always)]
fn spread<S: Simd, const N: usize, const WORDS: usize>(
    s: S,
    a: &Bits<WORDS>,
    bytes: &mut Bytes<WORDS>,
    places: &mut Places<WORDS>,
) {
    bytes[0] = each(
        #[inline(always)]
        |i| a[i].to_le_bytes(),
    );
    let (bytes, mut i) = (bytes.as_flattened().as_flattened(), 0);
    while i < N {
        let sixteen = s.unpack::<1>(bytes[i / 8..i / 8 + 32].first_chunk().expect("32 bytes"));
        store_twice::<S, N, WORDS>(s, places, i, sixteen);
        i += 16;
    }
    restore_first::<S, N, WORDS>(s, places);
}

/// Behind the `count` bits that each place has, those of the place that is `distance` further.
#[inline(always)]
fn collect<S: Simd, const N: usize, const WORDS: usize>(
    s: S,
    from: &Places<WORDS>,
    to: &mut Places<WORDS>,
    distance: usize,
    count: u32,
) {
    let (up, mut i) = (s.splat(1 << count), 0);
    while i < N {
        let further = s.mul_lo(s.load(row_at(from, i + distance)), up);
        store_twice::<S, N, WORDS>(s, to, i, s.xor(s.load(row_at(from, i)), further));
        i += 16;
    }
    restore_first::<S, N, WORDS>(s, to);
}
