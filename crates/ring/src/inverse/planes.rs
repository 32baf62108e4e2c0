//! Ternary coefficients as planes of bits, in reverse, and back.
//!
//! # The map
//! A plane of `V` vectors is `4 V` words of 64 bits. Coefficient `i` is bit `i / 4 V` of word
//! `w = i mod 4 V`, which is lane `w / V` of vector `w mod V`. So sixteen coefficients that follow each other
//! are one bit of each of sixteen words. These words are made sixteen bits at a time, in lanes of 16 bits: a
//! lane is doubled, and the next lower coefficient of its word added, which stands `4 V` places on. The way
//! back shifts one bit of every lane to the top, and from there into the whole lane.
//!
//! Polynomials are reversed: coefficient `i` is that of `x^(n-1-i)`. So the lanes of a load are in reverse.
//! Where `4 V` is no multiple of sixteen, the last load has lanes too many: packing does not read them, and
//! unpacking writes them first and the right ones over them.
//!
//! # Bounds
//! Coefficients are -1, 0, 1. Lanes hold bits: sums wrap.
//!
//! Constant time in the coefficients.

use crate::memory::wipe;
use ringsmith_simd::{Kernel, Row, Row64, Simd};

/// Coefficients as bits in memory.
pub(super) type Bits<const V: usize> = [[Row64; 2]; V];

/// Sixteen coefficients.
const LANES: usize = 16;

/// Coefficients: the second half. In the first half, loads and stores reach below coefficient 0 of the
/// polynomial, where zeroes are read and nothing of use is written. Cleared on drop.
pub(super) struct Words<const ROWS: usize>(pub(super) [[Row; ROWS]; 2]);

impl<const ROWS: usize> Drop for Words<ROWS> {
    fn drop(&mut self) {
        wipe(self.0.as_flattened_mut().as_flattened_mut());
    }
}

/// The polynomial of degree `n` with these coefficients, in reverse.
pub(super) const fn reversed<const V: usize>(n: usize, coefficients: &[i16]) -> Bits<V> {
    let (mut bits, mut i) = ([[[0; 4]; 2]; V], 0);
    while i <= n {
        let x = coefficients[n - i];
        let (word, bit) = (i % (4 * V), i / (4 * V));
        bits[word % V][0][word / V] |= ((x & 1) as u64) << bit;
        bits[word % V][1][word / V] |= ((x as u16 >> 15) as u64) << bit;
        i += 1;
    }
    bits
}

/// The place among `words` coefficients of sixteen, of which the last is coefficient `i` in reverse.
#[inline(always)]
fn place(words: usize, n: usize, i: usize) -> usize {
    words / 2 + n - LANES - i
}

/// Reversed planes of `n` coefficients, which are the second half of `words`.
pub(super) struct Pack<'a, const V: usize> {
    pub(super) n: usize,
    pub(super) words: &'a [i16],
    pub(super) bits: &'a mut Bits<V>,
}

/// Sixteen bits of each of sixteen words, from the bit `first` and word `from` on.
#[inline(always)]
fn sixteen<S: Simd, const V: usize>(s: S, n: usize, words: &[i16], [first, from]: [usize; 2]) -> [Row; 2] {
    let (mut one, mut minus, mut rows) = (s.splat(0), s.splat(0), [[0; LANES]; 2]);
    let mut bit = (first + LANES).min(n.div_ceil(4 * V));
    while bit > first {
        bit -= 1;
        let row = words[place(words.len(), n, 4 * V * bit + from)..].first_chunk().expect("16 words");
        let x = s.load(row);
        one = s.add(s.add(one, one), s.and(x, s.splat(1)));
        minus = s.sub(s.add(minus, minus), s.shift_right::<15>(x));
    }
    s.store(&mut rows[0], one);
    s.store(&mut rows[1], minus);
    rows
}

impl<const V: usize> Kernel for Pack<'_, V> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Pack { n, words, bits } = self;
        for part in 0..4 {
            for from in (0..4 * V).step_by(LANES) {
                let rows = sixteen::<S, V>(s, n, words, [LANES * part, from]);
                for word in from..(from + LANES).min(4 * V) {
                    for (plane, row) in rows.iter().enumerate() {
                        let sixteen = u64::from(row[from + LANES - 1 - word] as u16);
                        bits[word % V][plane][word / V] |= sixteen << (LANES * part);
                    }
                }
            }
        }
    }
}

/// `sign` times the `n` coefficients of reversed planes, as the second half of `words`.
pub(super) struct Unpack<'a, const V: usize> {
    pub(super) n: usize,
    pub(super) bits: &'a Bits<V>,
    pub(super) sign: i16,
    pub(super) words: &'a mut [i16],
}

impl<const V: usize> Unpack<'_, V> {
    /// Sixteen bits of sixteen words, from the bit `16 part` and word `from` on.
    #[inline(always)]
    fn rows(&self, part: usize, from: usize) -> [Row; 2] {
        let mut rows = [[0; LANES]; 2];
        for word in from..(from + LANES).min(4 * V) {
            for (plane, row) in rows.iter_mut().enumerate() {
                let all = self.bits[word % V][plane][word / V];
                row[from + LANES - 1 - word] = (all >> (LANES * part)) as i16;
            }
        }
        rows
    }
}

/// One bit of each lane in all of the lane: that which a product by `shift` brings to the top.
#[inline(always)]
fn top_bits<S: Simd>(s: S, row: &Row, shift: S::I16) -> S::I16 {
    s.shift_right::<15>(s.mul_lo(s.load(row), shift))
}

impl<const V: usize> Kernel for Unpack<'_, V> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (n, sign, end) = (self.n, s.splat(self.sign), self.words.len());
        for part in 0..4 {
            let rows = [self.rows(part, 0), self.rows(part, LANES)];
            let bits = LANES * part..(LANES * (part + 1)).min(n.div_ceil(4 * V));
            for bit in bits {
                for from in (0..4 * V).step_by(LANES) {
                    let shift = s.splat(1 << (LANES - 1 - bit % LANES));
                    let [one, minus] = &rows[from / LANES];
                    let (one, minus) = (top_bits(s, one, shift), top_bits(s, minus, shift));
                    let x = s.and(one, s.or(minus, s.splat(1)));
                    let row = self.words[place(end, n, 4 * V * bit + from)..].first_chunk_mut();
                    s.store(row.expect("16 words"), s.mul_lo(x, sign));
                }
            }
        }
    }
}
