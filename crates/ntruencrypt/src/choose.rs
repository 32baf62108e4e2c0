//! Distinct indices of many candidates, in constant time: a ternary polynomial (BPGM).
//!
//! # The map
//! Candidates are taken one after the other; one that is [none](crate::candidates::NONE) or was taken before
//! is left out, until there are as many as a polynomial has. The first of them are where it has one value,
//! the others where it has the other.
//!
//! What was taken is a set of bits, sixteen indices in a word, so a row has 256 of them and no set of
//! parameters more than six rows. A candidate is compared with the numbers of all words; that is one lane of
//! all rows, and in it is its bit. So each candidate reads and writes every word. No address depends on one.
//!
//! An index that is there twice is still one bit, so no candidate has to know those before it: the indices
//! that come first are the set of all candidates up to some place. Where that is, is a secret: it is where
//! the set has so many bits. They are counted every sixteen candidates; the last set that has too few is kept
//! by a mask, and with it the sixteen candidates behind it ([`Found`]). Those alone are taken one by one
//! ([`Set::insert`]).
//!
//! A product has three polynomials, of one stream: where the next begins depends on how many candidates were
//! left out, which is a secret. So each polynomial looks at all candidates, and those before its first are
//! masked, too.
//!
//! # How many candidates
//! Of `n` indices `k` are taken after `n/n + n/(n-1) + .. + n/(n-k+1)` candidates that are indices, on
//! average. [`expected`] adds what is rejected, and some standard deviations: for nearly all seeds as many
//! blocks are hashed, and where there are too few ([`parts`]) the next block, which shows, is one that is
//! allowed to show.
//!
//! Source: EESS#1 v3.1, section 8.3.2.2; the way is Ringsmith's own.

use crate::candidates::{Candidates, LIMIT, NONE, Words};
use crate::facts::{Counts, MOST_COEFFICIENTS};
use core::hint::black_box;
use ringsmith_kem::bits::spread;
use ringsmith_kem::declassify::publish;
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each, wipe};

/// Most rows of a set of indices.
const MOST_ROWS: usize = MOST_COEFFICIENTS.div_ceil(256);

/// The coefficients of both values as sets of bits, cleared on drop.
struct Planes([[Row; MOST_ROWS]; 2]);

impl Drop for Planes {
    fn drop(&mut self) {
        wipe(self.0.as_flattened_mut().as_flattened_mut());
    }
}

/// The numbers of the lanes of rows: of the words of a set.
const NUMBERS: [Row; MOST_ROWS] = {
    let (mut rows, mut i) = ([[0; 16]; MOST_ROWS], 0);
    while i < 16 * MOST_ROWS {
        rows[i / 16][i % 16] = i as i16;
        i += 1;
    }
    rows
};

/// All ones where `a < b`, of numbers below `2^15`.
#[inline(always)]
const fn below(a: u16, b: u16) -> u16 {
    (a.wrapping_sub(b) as i16 >> 15) as u16
}

/// All ones where a number is 0.
#[inline(always)]
const fn is_zero(x: u16) -> u16 {
    ((x | x.wrapping_neg()) >> 15).wrapping_sub(1)
}

/// `a` where a mask is all ones, `b` where it is 0.
#[inline(always)]
const fn select(mask: u16, a: u16, b: u16) -> u16 {
    b ^ (a ^ b) & mask
}

/// The lanes of a vector, by which a number is made of all.
#[inline(always)]
fn fold<S: Simd>(s: S, x: S::I16, combine: impl Fn(i16, i16) -> i16) -> u16 {
    let (mut lanes, mut all, mut i) = ([0; 16], 0, 0);
    s.store(&mut lanes, x);
    while i < 16 {
        all = combine(all, lanes[i]);
        i += 1;
    }
    all as u16
}

/// A set of indices, and how many it has where that is known.
#[derive(Clone, Copy)]
struct Set<S: Simd, const ROWS: usize> {
    rows: [S::I16; ROWS],
    count: u16,
}

/// Sixteen candidates: the numbers of their words, and their bits, none for one that is left out.
struct Sixteen {
    words: Row,
    bits: Row,
}

impl<S: Simd, const ROWS: usize> Set<S, ROWS> {
    #[inline(always)]
    fn empty(s: S) -> Self {
        Set { rows: [s.splat(0); ROWS], count: 0 }
    }

    /// The bit of a candidate, in its word.
    #[inline(always)]
    fn place(s: S, (word, bit): (i16, i16)) -> [S::I16; ROWS] {
        let (word, bit) = (s.splat(word), s.splat(bit));
        each(
            #[inline(always)]
            |r| s.and(s.eq(word, s.load(&NUMBERS[r])), bit),
        )
    }

    /// Adds candidates, however many of them are in it.
    #[inline(always)]
    fn unite(&mut self, s: S, candidates: &Sixteen) {
        for candidate in candidates.words.into_iter().zip(candidates.bits) {
            let place = Self::place(s, candidate);
            self.rows = each(
                #[inline(always)]
                |r| s.or(self.rows[r], place[r]),
            );
        }
    }

    /// Counts the bits: of pairs, of fours, of bytes, of all rows, of words, of all lanes.
    #[inline(always)]
    fn count(&mut self, s: S) {
        let (pairs, fours, bytes) = (s.splat(0x5555), s.splat(0x3333), s.splat(0x0f0f));
        let mut sum = s.splat(0);
        for row in self.rows {
            let x = s.sub(row, s.and(s.shift_right::<1>(row), pairs));
            let x = s.add(s.and(x, fours), s.and(s.shift_right::<2>(x), fours));
            sum = s.add(sum, s.and(s.add(x, s.shift_right::<4>(x)), bytes));
        }
        let words = s.and(s.add(sum, s.shift_right::<8>(sum)), s.splat(0xff));
        self.count = fold(s, words, |sum, word| sum + word);
    }

    /// Adds candidates until it has `most`. Marks those that were added, and gives how many were looked at
    /// up to the last of them.
    #[inline(always)]
    fn insert(&mut self, s: S, candidates: &Sixteen, most: u16, marks: &mut [u16]) -> u16 {
        let (mut looked_at, mut marks, mut number) = (0, marks.iter_mut(), 0);
        for (word, bit) in candidates.words.into_iter().zip(candidates.bits) {
            let (place, mut seen) = (Self::place(s, (word, bit)), s.splat(0));
            for (row, place) in self.rows.iter().zip(place) {
                // One word of all is the candidate's.
                seen = s.or(seen, s.and(*row, place));
            }
            let seen = black_box(fold(s, seen, |any, lane| any | lane));
            let new = is_zero(seen) & !is_zero(bit as u16) & below(self.count, most);
            let mask = s.splat(new as i16);
            self.rows = each(
                #[inline(always)]
                |r| s.or(self.rows[r], s.and(place[r], mask)),
            );
            self.count += new & 1;
            number += 1;
            looked_at = select(new, number, looked_at);
            if let Some(mark) = marks.next() {
                *mark |= new;
            }
        }
        looked_at
    }
}

/// The last set that has fewer than are wanted, the candidates behind it, and how many are before them.
#[derive(Clone, Copy)]
struct Found<S: Simd, const ROWS: usize> {
    set: Set<S, ROWS>,
    next: S::I16,
    place: u16,
}

/// Candidates that may be taken.
#[derive(Clone, Copy)]
struct List<'a> {
    /// All but the last of them.
    candidates: &'a [[u16; 16]],
    /// The last of them, and behind them none.
    last: &'a [u16; 16],
    n: u16,
    /// The first that may be taken, a secret.
    from: u16,
}

impl List<'_> {
    /// How often there are sixteen.
    #[inline(always)]
    fn steps(self) -> usize {
        self.candidates.len() + 1
    }

    /// Sixteen candidates.
    #[inline(always)]
    fn load<S: Simd>(self, s: S, step: usize) -> S::I16 {
        s.load(&self.candidates.get(step).unwrap_or(self.last).map(|candidate| candidate as i16))
    }

    /// Candidates from a place on: those that may be taken have a bit.
    #[inline(always)]
    fn prepare<S: Simd>(self, s: S, candidates: S::I16, place: u16) -> Sixteen {
        let one = s.splat(1);
        let places = s.add(s.splat(place as i16), s.load(&NUMBERS[0]));
        let is_behind = s.gt(places, s.splat(self.from as i16 - 1));
        let counts = s.and(is_behind, s.gt(s.splat(self.n as i16), candidates));
        // 2^x, of four bits of x.
        let factor = |bit: S::I16, less: i16| s.add(s.mul_lo(s.and(bit, one), s.splat(less)), one);
        let low = s.mul_lo(factor(candidates, 1), factor(s.shift_right::<1>(candidates), 3));
        let high = [s.shift_right::<2>(candidates), s.shift_right::<3>(candidates)];
        let bits = s.mul_lo(low, s.mul_lo(factor(high[0], 15), factor(high[1], 255)));
        let mut sixteen = Sixteen { words: [0; 16], bits: [0; 16] };
        s.store(&mut sixteen.words, s.shift_right::<4>(candidates));
        s.store(&mut sixteen.bits, s.and(bits, counts));
        sixteen
    }

    /// For each number of indices the last set that has fewer.
    #[inline(always)]
    fn find<S: Simd, const ROWS: usize>(self, s: S, counts: [u16; 2]) -> [Found<S, ROWS>; 2] {
        let mut set = Set::<S, ROWS>::empty(s);
        let mut found = [Found { set, next: s.splat(0), place: 0 }; 2];
        for step in 0..self.steps() {
            let (next, place) = (self.load(s, step), 16 * step as u16);
            set.count(s);
            for (found, most) in found.iter_mut().zip(counts) {
                let fewer = below(set.count, most);
                let mask = s.splat(fewer as i16);
                found.set.rows = each(
                    #[inline(always)]
                    |r| s.select(mask, set.rows[r], found.set.rows[r]),
                );
                found.next = s.select(mask, next, found.next);
                found.set.count = select(fewer, set.count, found.set.count);
                found.place = select(fewer, place, found.place);
            }
            set.unite(s, &self.prepare(s, next, place));
        }
        found
    }
}

/// Candidates of one polynomial.
struct Choose<'a, const ROWS: usize> {
    list: List<'a>,
    /// Where each is marked that is taken, if that is wanted; as many, or none.
    taken: &'a mut [u16],
    counts: [u16; 2],
    planes: &'a mut Planes,
}

/// How many were taken, and the place behind the last of them.
#[derive(Clone, Copy)]
struct Chosen {
    taken: u16,
    end: u16,
}

impl<const ROWS: usize> Kernel for Choose<'_, ROWS> {
    type Out = Chosen;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Chosen {
        let found = self.list.find::<S, ROWS>(s, self.counts);
        let mut chosen = Chosen { taken: 0, end: 0 };
        let mut first = [s.splat(0); ROWS];
        for (k, Found { mut set, next, place }) in found.into_iter().enumerate() {
            let looked_at = set.insert(s, &self.list.prepare(s, next, place), self.counts[k], &mut []);
            chosen = Chosen { taken: set.count, end: place + looked_at };
            // Those of the first value are the first of all.
            for (out, (row, first)) in self.planes.0[k].iter_mut().zip(set.rows.into_iter().zip(first)) {
                s.store(out, s.xor(row, first));
            }
            first = set.rows;
        }
        if !self.taken.is_empty() {
            let mut set = Set::<S, ROWS>::empty(s);
            for (step, marks) in self.taken.chunks_mut(16).enumerate() {
                let candidates = self.list.prepare(s, self.list.load(s, step), 16 * step as u16);
                set.insert(s, &candidates, self.counts[1], marks);
            }
        }
        chosen
    }
}

/// Sets of bits as coefficients.
struct Coefficients<'a> {
    planes: [&'a [i16]; 2],
    out: &'a mut [Row],
}

impl Kernel for Coefficients<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let [ones, minus_ones] = self.planes;
        for (out, (one, minus_one)) in self.out.iter_mut().zip(ones.iter().zip(minus_ones)) {
            s.store(out, s.sub(spread(s, *minus_one), spread(s, *one)));
        }
    }
}

/// Indices that are chosen, and how.
pub(crate) struct Chooser<'a> {
    pub(crate) cpu: Cpu,
    pub(crate) n: usize,
    /// Whether the first indices are where a polynomial is -1.
    pub(crate) minus_first: bool,
    /// For each candidate a mask of whether it was taken, where that is wanted.
    pub(crate) taken: Option<&'a mut Words<LIMIT>>,
}

impl Chooser<'_> {
    /// Writes the polynomial of the candidates behind the first `from`. Of `from`, which is a secret, it
    /// makes where the next begins. All ones where there were enough.
    pub(crate) fn choose(
        &mut self,
        candidates: &[u16],
        from: &mut u16,
        counts: Counts,
        out: &mut [Row],
    ) -> u16 {
        let mut planes = Planes([[[0; 16]; MOST_ROWS]; 2]);
        let chosen = match self.n.div_ceil(256) {
            0..=2 => self.by_rows::<2>(candidates, *from, counts, &mut planes),
            3 => self.by_rows::<3>(candidates, *from, counts, &mut planes),
            4 => self.by_rows::<4>(candidates, *from, counts, &mut planes),
            5 => self.by_rows::<5>(candidates, *from, counts, &mut planes),
            _ => self.by_rows::<MOST_ROWS>(candidates, *from, counts, &mut planes),
        };
        let [mut ones, mut minus_ones] = [&planes.0[0], &planes.0[1]].map(|rows| rows.as_flattened());
        if self.minus_first {
            (ones, minus_ones) = (minus_ones, ones);
        }
        let (rows, rest) = out.split_at_mut(self.n.div_ceil(16));
        self.cpu.run(Coefficients { planes: [ones, minus_ones], out: rows });
        rest.as_flattened_mut().fill(0);
        *from = chosen.end;
        !below(chosen.taken, counts[1] as u16)
    }

    fn by_rows<const ROWS: usize>(
        &mut self,
        candidates: &[u16],
        from: u16,
        counts: Counts,
        planes: &mut Planes,
    ) -> Chosen {
        let (counts, n) = (counts.map(|count| count as u16), self.n as u16);
        let taken = self.taken.as_mut().map_or(&mut [][..], |taken| &mut taken.0[..candidates.len()]);
        let (candidates, rest) = candidates.as_chunks();
        let mut last = Words([NONE; 16]);
        last.0[..rest.len()].copy_from_slice(rest);
        let list = List { candidates, last: &last.0, n, from };
        self.cpu.run(Choose::<ROWS> { list, taken, counts, planes })
    }

    /// Writes polynomials of one stream, one after the other. Asks for more blocks of it until there are
    /// enough; how many it asks for is public.
    pub(crate) fn parts(
        &mut self,
        stream: &mut Candidates<'_, '_>,
        all_counts: &[Counts],
        out: &mut [&mut [Row]],
    ) {
        loop {
            let (mut from, mut enough) = (0, !0);
            self.taken.iter_mut().for_each(|taken| taken.0.fill(0));
            for (counts, out) in all_counts.iter().zip(&mut *out) {
                enough &= self.choose(stream.list(), &mut from, *counts, out);
            }
            let mut enough = [enough];
            // Whether another block is hashed.
            publish(&mut enough);
            if enough[0] != 0 || stream.are_all() {
                return;
            }
            stream.more();
        }
    }
}

/// Fixed point: bits behind it.
const POINT: u32 = 20;

/// The greatest integer whose square is not above `x`.
const fn square_root(x: u64) -> u64 {
    let (mut root, mut bit) = (0, 1 << 31);
    while bit > 0 {
        if (root + bit) * (root + bit) <= x {
            root += bit;
        }
        bit /= 2;
    }
    root
}

/// So many candidates of `c` bits are enough for nearly all streams: as many as it takes on average, and four
/// standard deviations.
pub(crate) const fn expected(n: usize, c: u32, all_counts: &[Counts]) -> usize {
    let (n, all) = (n as u64, 1_u64 << c);
    let indices = all - all % n;
    let (mut mean, mut variance, mut i) = (0, 0, 0);
    while i < all_counts.len() {
        let mut taken = 0;
        while taken < all_counts[i][1] as u64 {
            // A candidate is new with probability p, and 1 / p are looked at, with variance (1 - p) / p^2.
            let one = ((all * n) << POINT) / (indices * (n - taken));
            (mean, variance) = (mean + one, variance + ((one * one) >> POINT) - one);
            taken += 1;
        }
        i += 1;
    }
    ((mean >> POINT) + 4 * square_root(variance >> POINT) + 5) as usize
}
