//! Sorting words in constant time: a bitonic network on vectors.
//!
//! # The map
//! `128 b` signed words of 32 bits in `b` blocks of 16 rows into ascending order, down the lanes: with `r`
//! rows, word `i` of all is in row `i mod r` of lane `i / r`. Which words are compared depends on their
//! number alone, and a comparator is a minimum and a maximum: no branch, no address depends on a word.
//!
//! # How
//! K. E. Batcher's bitonic sorter: two neighbouring runs, one ascending and one descending, make a bitonic
//! run, which comparators at half its length, a quarter, .. bring into order.
//! * A lane is cut into eight runs, so there are 64: run `k` of lane `l` is number `8 l + k`. They are
//!   sorted, and merged in six stages: of eight to a run of eight in their lane, then of eight lanes to one.
//! * Stage `j` compares runs at distances of `2^(j-1)`, .., 2, 1; those whose number has bit `j` descend. Row
//!   `i` of all eight runs of a lane is eight registers (`Across`); lanes of two registers meet where these
//!   are taken in turn. Lanes meet in three stages alone.
//! * What is left of a stage is within runs, whose rows are registers as well (`Runs`): halves as long as
//!   there are any, then bitonic parts of an odd number of rows, for which there are networks of their own.
//! * A descending run is an ascending one of the complements, `-1 - x`: in memory it is that between the two
//!   halves of a stage.
//!
//! # Source
//! K. E. Batcher, AFIPS 1968; for an odd number D. E. Knuth, The Art of Computer Programming, volume 3,
//! section 5.3.4. That most comparators lie within lanes is what D. J. Bernstein's `djbsort` does too, in
//! another order.
//!
//! ```
//! use ringsmith_ring::sort::{low_bits, sort};
//! use ringsmith_simd::Cpu;
//!
//! let (cpu, mut blocks) = (Cpu::detect(), [[[7, -1, 3, i32::MIN, 0, 0, 12, 5]; 16]; 1]);
//! sort(cpu, &mut blocks);
//! // The least down the first lane, the greatest down the last.
//! assert_eq!((blocks[0][0][0], blocks[0][15][7]), (i32::MIN, 12));
//! let mut bits = [[0; 16]; 8];
//! low_bits(cpu, &blocks, 7, &mut bits);
//! assert_eq!(bits.map(|row| row[0]), [0, 7, 0, 0, 3, 5, 7, 4]);
//! ```

use ringsmith_simd::{Cpu, Kernel, Row, Row32, Simd, each, transpose32};

/// Rows of a block.
pub const ROWS: usize = 16;
/// Words of a block.
pub const BLOCK: usize = 8 * ROWS;
/// Runs of a lane, and lanes.
const EIGHT: usize = 8;
/// Numbers of blocks that are sorted in registers.
const FAST: [usize; 5] = [4, 6, 7, 8, 10];

/// How many blocks sort so many words fastest: as many as they take, or a few more.
pub const fn blocks(words: usize) -> usize {
    let (least, mut i) = (words.div_ceil(BLOCK), 0);
    while i < FAST.len() {
        if least <= FAST[i] {
            return FAST[i];
        }
        i += 1;
    }
    least
}

/// Sorts the words of all blocks down their lanes, in ascending order. Constant time in the words.
pub fn sort(cpu: Cpu, blocks: &mut [[Row32; ROWS]]) {
    let rows = blocks.as_flattened_mut();
    runs(cpu, rows, 0);
    for stage in 1..=6 {
        cpu.run(Across { rows, stage });
        runs(cpu, rows, stage);
    }
}

/// The second half of a stage: within runs.
fn runs(cpu: Cpu, rows: &mut [Row32], stage: usize) {
    match rows.len() / ROWS {
        0 => {}
        4 => cpu.run(Runs::<8> { rows, stage }),
        6 => cpu.run(Runs::<12> { rows, stage }),
        7 => cpu.run(Runs::<14> { rows, stage }),
        8 => cpu.run(Runs::<16> { rows, stage }),
        10 => cpu.run(Runs::<20> { rows, stage }),
        _ => cpu.run(AnyRuns { rows, stage }),
    }
}

/// A comparator of two registers: the lesser to `i`.
#[inline(always)]
fn compare<S: Simd, const N: usize>(s: S, x: &mut [S::I32; N], i: usize, j: usize) {
    let Ok([low, high]) = x.get_disjoint_mut([i, j]) else { return };
    s.outlined(
        #[inline(always)]
        || (*low, *high) = s.min_max32(*low, *high),
    );
}

/// The same for each of at most 20 registers, written out: a loop would index them, which keeps them in
/// memory.
macro_rules! for_each_register {
    ($i:ident $body:block) => {
        for_each_register!($i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19)
    };
    ($i:ident $body:block $($number:literal)*) => { $({
        let $i: usize = $number;
        $body
    })* };
}

/// Comparators of all registers at a distance; those of a number with a bit, if there is one, descend.
#[inline(always)]
fn compare_at<S: Simd, const N: usize>(s: S, x: &mut [S::I32; N], distance: usize, bit: usize) {
    const { assert!(N <= 20) };
    for_each_register!(i {
        if i + distance < N && (i / distance).is_multiple_of(2) {
            let (low, high) = if i & bit == 0 { (i, i + distance) } else { (i + distance, i) };
            compare(s, x, low, high);
        }
    });
}

/// All ones in the lanes that have one of these bits.
const fn lanes(bits: usize) -> Row32 {
    let (mut row, mut lane) = ([0; 8], 0);
    while lane < 8 {
        row[lane] = if lane & bits == 0 { 0 } else { -1 };
        lane += 1;
    }
    row
}

/// Stage 1, 2 or 3 among eight: comparators, and the complements of what descends from here on.
#[inline(always)]
fn merge<S: Simd, const STAGE: usize>(s: S, mut x: [S::I32; EIGHT]) -> [S::I32; EIGHT] {
    let bit = const { (1 << STAGE) % EIGHT };
    if STAGE == 3 {
        compare_at(s, &mut x, 4, bit);
    }
    if STAGE >= 2 {
        compare_at(s, &mut x, 2, bit);
    }
    compare_at(s, &mut x, 1, bit);
    each(
        #[inline(always)]
        |i| if i & bit == 0 { x[i] } else { s.xor32(x[i], s.splat32(-1)) },
    )
}

/// Stage 1, 2 or 3 among the lanes of two registers, which are the complements where they descend.
///
/// Two registers in turn, lane by lane, have lanes at distance 2 in the same place of both; once more, those
/// at distance 1; and a third time, all lanes where they were.
#[inline(always)]
fn merge_lanes<S: Simd, const STAGE: usize>(s: S, x: [S::I32; 2], descends: S::I32) -> [S::I32; 2] {
    let mut x = [s.xor32(x[0], descends), s.xor32(x[1], descends)];
    if STAGE == 3 {
        x = s.zip32::<4>(x[0], x[1]).into();
        compare(s, &mut x, 0, 1);
    }
    x = s.zip32::<1>(x[0], x[1]).into();
    if STAGE >= 2 {
        compare(s, &mut x, 0, 1);
    }
    x = s.zip32::<1>(x[0], x[1]).into();
    compare(s, &mut x, 0, 1);
    x = s.zip32::<1>(x[0], x[1]).into();
    if STAGE == 3 {
        x = s.zip32::<4>(x[0], x[1]).into();
    }
    x
}

/// The first half of a stage: between runs.
struct Across<'a> {
    rows: &'a mut [Row32],
    stage: usize,
}

impl Across<'_> {
    /// Replaces the same row of all eight runs, one after the other.
    #[inline(always)]
    fn each_row<S: Simd>(self, s: S, map: impl Fn([S::I32; EIGHT]) -> [S::I32; EIGHT]) {
        let length = self.rows.len() / EIGHT;
        for i in 0..length {
            let x = map(each(
                #[inline(always)]
                |k| s.load32(&self.rows[i + k * length]),
            ));
            let mut k = 0;
            while k < EIGHT {
                s.store32(&mut self.rows[i + k * length], x[k]);
                k += 1;
            }
        }
    }

    /// A stage among lanes, then the one among the runs of a lane that belongs to it.
    #[inline(always)]
    fn each_lane<S: Simd, const STAGE: usize>(self, s: S) {
        let descends = s.load32(const { &lanes((1 << STAGE) % EIGHT) });
        self.each_row(
            s,
            #[inline(always)]
            |x| {
                // In plain Rust words change places for nothing.
                if S::REGISTERS_64 == 4 {
                    return merge::<S, 3>(s, transpose32(s, merge::<S, STAGE>(s, transpose32(s, x))));
                }
                let y: [_; 4] = each(
                    #[inline(always)]
                    |j| merge_lanes::<S, STAGE>(s, [x[2 * j], x[2 * j + 1]], descends),
                );
                merge::<S, 3>(
                    s,
                    each(
                        #[inline(always)]
                        |k| y[k / 2][k % 2],
                    ),
                )
            },
        );
    }
}

impl Kernel for Across<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        match self.stage {
            1 => self.each_row(s, |x| merge::<S, 1>(s, x)),
            2 => self.each_row(s, |x| merge::<S, 2>(s, x)),
            3 => {
                let odd = s.load32(const { &lanes(1) });
                self.each_row(s, |x| {
                    merge::<S, 3>(
                        s,
                        each(
                            #[inline(always)]
                            |k| s.xor32(x[k], odd),
                        ),
                    )
                });
            }
            4 => self.each_lane::<S, 1>(s),
            5 => self.each_lane::<S, 2>(s),
            _ => self.each_lane::<S, 3>(s),
        }
    }
}

/// All ones where run number `k` of each lane descends behind a stage.
#[inline(always)]
fn descends<S: Simd>(s: S, k: usize, stage: usize) -> S::I32 {
    match stage {
        0..=2 => s.splat32(-((k >> stage & 1) as i32)),
        3 => s.load32(const { &lanes(1) }),
        4 => s.load32(const { &lanes(2) }),
        5 => s.load32(const { &lanes(4) }),
        _ => s.splat32(0),
    }
}

/// The greatest odd number that divides one.
const fn odd_part(n: usize) -> usize {
    n >> n.trailing_zeros()
}

/// Comparators of registers from one on, each a pair.
macro_rules! comparators {
    ($s:ident, $x:ident, $at:ident: $($i:literal $j:literal),*) => {{
        $( compare($s, $x, $at + $i, $at + $j); )*
    }};
}

/// Runs of `N` rows in registers.
struct Runs<'a, const N: usize> {
    rows: &'a mut [Row32],
    stage: usize,
}

impl<const N: usize> Runs<'_, N> {
    /// Sorts an odd number of rows from one on, as few as 7, by the fewest comparators that there are.
    #[inline(always)]
    fn sort_odd<S: Simd>(s: S, x: &mut [S::I32; N], at: usize) {
        if at >= N {
            return;
        }
        match const { odd_part(N) } {
            1 => {}
            3 => comparators!(s, x, at: 0 2, 0 1, 1 2),
            5 => comparators!(s, x, at: 0 3, 1 4, 0 2, 1 3, 0 1, 2 4, 1 2, 3 4, 2 3),
            7 => comparators!(
                s, x, at: 0 6, 2 3, 4 5, 0 2, 1 4, 3 6, 0 1, 2 5, 3 4, 1 2, 4 6, 2 3, 4 5, 1 2, 3 4, 5 6
            ),
            _ => unreachable!("at most seven rows"),
        }
    }

    /// Sorts all parts of an odd number of rows, of which there are at most four.
    #[inline(always)]
    fn sort_odds<S: Simd>(s: S, x: &mut [S::I32; N]) {
        const { assert!(odd_part(N) <= 7 && (odd_part(N) == 1 || N <= 4 * odd_part(N))) };
        for_each_register!(i { Self::sort_odd(s, x, i * odd_part(N)) } 0 1 2 3);
    }

    /// Bitonic parts of an odd number of rows: up and then down, or rotated. The comparators are the fewest
    /// that a search found which sort all of zeroes and ones.
    #[inline(always)]
    fn finish_odd<S: Simd>(s: S, x: &mut [S::I32; N], at: usize) {
        if at >= N {
            return;
        }
        match const { odd_part(N) } {
            5 => comparators!(s, x, at: 0 1, 0 2, 0 3, 0 4, 1 3, 2 4, 1 2, 3 4),
            7 => comparators!(s, x, at: 0 1, 0 4, 2 6, 3 5, 1 5, 2 3, 4 6, 1 3, 0 2, 1 2, 3 4, 5 6),
            _ => Self::sort_odd(s, x, at),
        }
    }

    /// Bitonic parts of as many rows into order.
    #[inline(always)]
    fn finish<S: Simd>(s: S, x: &mut [S::I32; N], part: usize) {
        let odd = const { odd_part(N) };
        if part >= 16 * odd {
            compare_at(s, x, 8 * odd, 0);
        }
        if part >= 8 * odd {
            compare_at(s, x, 4 * odd, 0);
        }
        if part >= 4 * odd {
            compare_at(s, x, 2 * odd, 0);
        }
        if part >= 2 * odd {
            compare_at(s, x, odd, 0);
        }
        for_each_register!(i { Self::finish_odd(s, x, i * odd_part(N)) } 0 1 2 3);
    }

    /// Sorted parts, two and two, to one: the second is read from its end.
    #[inline(always)]
    fn join<S: Simd>(s: S, x: &mut [S::I32; N], part: usize) {
        for_each_register!(i {
            if i < N && (i / part).is_multiple_of(2) {
                compare(s, x, i, i + 2 * (part - i % part) - 1);
            }
        });
        Self::finish(s, x, part);
    }

    /// Sorts all of it.
    #[inline(always)]
    fn sort<S: Simd>(s: S, x: &mut [S::I32; N]) {
        let odd = const { odd_part(N) };
        Self::sort_odds(s, x);
        if const { N / odd_part(N) >= 2 } {
            Self::join(s, x, odd);
        }
        if const { N / odd_part(N) >= 4 } {
            Self::join(s, x, 2 * odd);
        }
        if const { N / odd_part(N) >= 8 } {
            Self::join(s, x, 4 * odd);
        }
        if const { N / odd_part(N) >= 16 } {
            Self::join(s, x, 8 * odd);
        }
    }
}

impl<const N: usize> Kernel for Runs<'_, N> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (k, rows) in self.rows.as_chunks_mut::<N>().0.iter_mut().enumerate() {
            let descends = descends(s, k, self.stage);
            let mut x = each(
                #[inline(always)]
                |i| s.load32(&rows[i]),
            );
            if self.stage == 0 {
                x = each(
                    #[inline(always)]
                    |i| s.xor32(x[i], descends),
                );
                Self::sort(s, &mut x);
            } else {
                Self::finish(s, &mut x, N);
            }
            let mut i = 0;
            while i < N {
                s.store32(&mut rows[i], s.xor32(x[i], descends));
                i += 1;
            }
        }
    }
}

/// Runs of any number of rows, in memory: neighbours are compared as often as there are rows.
struct AnyRuns<'a> {
    rows: &'a mut [Row32],
    stage: usize,
}

impl AnyRuns<'_> {
    #[inline(always)]
    fn complement<S: Simd>(s: S, rows: &mut [Row32], mask: S::I32) {
        rows.iter_mut().for_each(|row| s.store32(row, s.xor32(s.load32(row), mask)));
    }
}

impl Kernel for AnyRuns<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let length = self.rows.len() / EIGHT;
        for (k, rows) in self.rows.chunks_mut(length).enumerate() {
            let descends = descends(s, k, self.stage);
            if self.stage == 0 {
                Self::complement(s, rows, descends);
            }
            for round in 0..length {
                for pair in rows[round % 2..].as_chunks_mut::<2>().0 {
                    let (low, high) = s.min_max32(s.load32(&pair[0]), s.load32(&pair[1]));
                    s.store32(&mut pair[0], low);
                    s.store32(&mut pair[1], high);
                }
            }
            Self::complement(s, rows, descends);
        }
    }
}

/// The lowest bits of sorted words, those of a mask, in order.
pub fn low_bits(cpu: Cpu, blocks: &[[Row32; ROWS]], mask: i16, out: &mut [Row]) {
    cpu.run(LowBits { blocks, mask, out });
}

struct LowBits<'a> {
    blocks: &'a [[Row32; ROWS]],
    mask: i16,
    out: &'a mut [Row],
}

/// The bits of eight rows from one on, by lane.
#[inline(always)]
fn low_bits_of<S: Simd>(s: S, block: &[Row32; ROWS], at: usize, mask: S::I32) -> [S::I32; EIGHT] {
    transpose32(
        s,
        each(
            #[inline(always)]
            |r| s.and32(s.load32(&block[at + r]), mask),
        ),
    )
}

impl Kernel for LowBits<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (mask, count) = (s.splat32(i32::from(self.mask)), self.blocks.len());
        for (i, block) in self.blocks.iter().enumerate() {
            let (low, high) = (low_bits_of(s, block, 0, mask), low_bits_of(s, block, EIGHT, mask));
            for lane in 0..EIGHT {
                if let Some(out) = self.out.get_mut(lane * count + i) {
                    s.store(out, s.narrow(low[lane], high[lane]));
                }
            }
        }
    }
}
