//! Distinct indices of many candidates, in constant time: a ternary polynomial (BPGM).
//!
//! # The map
//! Candidates are taken one after the other; one that is [none](crate::candidates::NONE) or was taken before
//! is left out, until there are as many as a polynomial has. The first of them are where it has one value,
//! the others where it has the other.
//!
//! What was taken is a set of bits, sixteen indices in a word, so a row has 256 of them and no set of
//! parameters more than six rows. A candidate is compared with the numbers of all words; that is one lane of
//! all rows, and in it is its bit. So each candidate reads and writes every word, and whether it counts is a
//! mask. No address depends on one.
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

use crate::candidates::{Candidates, LIMIT, Words};
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

/// All ones where `a < b`, of numbers below `2^15`.
#[inline(always)]
const fn below(a: u16, b: u16) -> u16 {
    (a.wrapping_sub(b) as i16 >> 15) as u16
}

/// Candidates of one polynomial.
struct Choose<'a, const ROWS: usize> {
    candidates: &'a [u16],
    /// Where each is marked that is taken, if that is wanted; as many, or none.
    taken: &'a mut [u16],
    n: u16,
    /// The first that may be taken, a secret.
    from: u16,
    counts: [u16; 2],
    planes: &'a mut Planes,
}

/// How many were taken, and how many were looked at until then.
#[derive(Clone, Copy)]
struct Chosen {
    taken: u16,
    looked_at: u16,
}

/// Whether a lane is not 0: 1 or 0.
#[inline(always)]
fn any_lane<S: Simd>(s: S, x: S::I16) -> u16 {
    let (mut lanes, mut any, mut i) = ([0; 16], 0_i16, 0);
    s.store(&mut lanes, x);
    while i < 16 {
        any |= lanes[i];
        i += 1;
    }
    let any = any as u16;
    (any | any.wrapping_neg()) >> 15
}

impl<const ROWS: usize> Kernel for Choose<'_, ROWS> {
    type Out = Chosen;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Chosen {
        /// The number of each word.
        const NUMBERS: [Row; MOST_ROWS] = {
            let (mut rows, mut i) = ([[0; 16]; MOST_ROWS], 0);
            while i < 16 * MOST_ROWS {
                rows[i / 16][i % 16] = i as i16;
                i += 1;
            }
            rows
        };
        let [first, all] = self.counts;
        let (mut occupied, zero, one) = ([s.splat(0); ROWS], s.splat(0), s.splat(1));
        let mut planes = [[zero; ROWS]; 2];
        let (mut chosen, mut place) = (Chosen { taken: 0, looked_at: 0 }, 0);
        let mut marks = self.taken.iter_mut();
        for candidate in self.candidates {
            let counts = below(*candidate, self.n) & !below(place, self.from);
            let bit = (1 << (candidate & 15)) & counts;
            let (word, bits) = (s.splat((candidate >> 4) as i16), s.splat(bit as i16));
            let mut seen = zero;
            let places: [S::I16; ROWS] = each(
                #[inline(always)]
                |r| s.and(s.gt(one, s.xor(word, s.load(&NUMBERS[r]))), bits),
            );
            let mut r = 0;
            while r < ROWS {
                let before = s.and(occupied[r], places[r]);
                // One word of all is the candidate's.
                seen = s.add(seen, before);
                occupied[r] = s.xor(s.xor(occupied[r], places[r]), before);
                r += 1;
            }
            let open = below(chosen.taken, all) & !below(place, self.from);
            let new = black_box(any_lane(s, seen)).wrapping_sub(1) & counts & open;
            let is_first = below(chosen.taken, first);
            let values = [new & is_first, new & !is_first].map(|mask| s.splat(mask as i16));
            r = 0;
            while r < ROWS {
                planes[0][r] = s.add(planes[0][r], s.and(places[r], values[0]));
                planes[1][r] = s.add(planes[1][r], s.and(places[r], values[1]));
                r += 1;
            }
            if let Some(mark) = marks.next() {
                *mark |= new;
            }
            chosen = Chosen { taken: chosen.taken + (new & 1), looked_at: chosen.looked_at + (open & 1) };
            place += 1;
        }
        let mut r = 0;
        while r < ROWS {
            s.store(&mut self.planes.0[0][r], planes[0][r]);
            s.store(&mut self.planes.0[1][r], planes[1][r]);
            r += 1;
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
        let [mut ones, mut minus_ones] = [&planes.0[0], &planes.0[1]].map(|rows| &rows.as_flattened()[..]);
        if self.minus_first {
            (ones, minus_ones) = (minus_ones, ones);
        }
        let (rows, rest) = out.split_at_mut(self.n.div_ceil(16));
        self.cpu.run(Coefficients { planes: [ones, minus_ones], out: rows });
        rest.as_flattened_mut().fill(0);
        *from += chosen.looked_at;
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
        self.cpu.run(Choose::<ROWS> { candidates, taken, n, from, counts, planes })
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
