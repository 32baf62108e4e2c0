//! Sorting words in constant time: a bitonic network on vectors.
//!
//! # The map
//! `64 b` signed words of 32 bits in `b` blocks of 8 rows into ascending order. Which words are compared
//! depends on their number alone, and a comparator is a minimum and a maximum: no branch, no address depends
//! on a word.
//!
//! # How
//! K. E. Batcher's bitonic sorter: for `k` = 2, 4, .. the words are runs of `k`, ascending and descending in
//! turn; two neighbours make a bitonic run of `2 k`, which comparators at distances `k`, `k/2`, .., 1 bring
//! into order.
//! * Where the number is no power of two, the last run is a short one: what it lacks are words greater than
//!   all others, behind it. Of two neighbours the first has the opposite order of the run of both, the second
//!   the same, which leaves these words where they are, and no comparator needs them.
//! * Distances of 64 words and more compare whole rows in memory.
//! * The others stay in blocks of 64 words, eight registers: distances of 8, 16, 32 between registers, 4, 2,
//!   1 likewise after a transposition of the 8 x 8 words.
//! * A descending run is an ascending one of the complements: `x -> -1 - x` before and after, for a whole
//!   block or for some lanes.
//!
//! # Source
//! K. E. Batcher, AFIPS 1968; for any number, H. W. Lang's order of the runs; on vectors as in D. J.
//! Bernstein's `djbsort`, whose order of comparators differs.
//!
//! ```
//! use ringsmith_ring::sort::sort;
//! use ringsmith_simd::Cpu;
//!
//! let mut blocks = [[[7, -1, 3, i32::MIN, 0, 0, 12, 5]; 8]; 3];
//! sort(Cpu::detect(), &mut blocks);
//! assert_eq!((blocks[0][0], blocks[2][7]), ([i32::MIN; 8], [12; 8]));
//! ```

use ringsmith_simd::{Cpu, Kernel, Row32, Simd, each, transpose32};

/// Rows of a block.
const BLOCK: usize = 8;

/// Sorts the words of all blocks, one row after the other, in ascending order. Constant time in the words.
pub fn sort(cpu: Cpu, blocks: &mut [[Row32; BLOCK]]) {
    cpu.run(Blocks { blocks, merge: None });
    let mut run = 2;
    while run < 2 * blocks.len() {
        cpu.run(Compare { blocks, run });
        cpu.run(Blocks { blocks, merge: Some(run) });
        run *= 2;
    }
}

/// Whether the run of so many blocks that begins at block `at` descends: of two neighbours the second has the
/// order of the run of both, the first the other; a run without a neighbour has it too.
fn descends(mut at: usize, mut run: usize, blocks: usize) -> bool {
    let mut descends = false;
    while run < blocks {
        if at & run == 0 && at + run < blocks {
            descends = !descends;
        }
        at &= !run;
        run *= 2;
    }
    descends
}

/// Comparators between blocks, from half a run down to neighbours.
struct Compare<'a> {
    blocks: &'a mut [[Row32; BLOCK]],
    /// Blocks of a run.
    run: usize,
}

impl Kernel for Compare<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let count = self.blocks.len();
        for (i, run) in self.blocks.chunks_mut(self.run).enumerate() {
            let descending = descends(i * self.run, self.run, count);
            let mut distance = self.run / 2;
            while distance >= 1 {
                // Two distances at once where there is nothing missing: half the loads and stores. They are
                // powers of two, so a mask tells: no division.
                if distance >= 2 && run.len() & (2 * distance - 1) == 0 {
                    for four in run.chunks_mut(2 * distance) {
                        compare_fours(s, four, descending);
                    }
                    distance /= 4;
                } else {
                    for pair in run.chunks_mut(2 * distance) {
                        compare_pairs(s, pair, distance, descending);
                    }
                    distance /= 2;
                }
            }
        }
    }
}

/// A comparator: the lesser first, or last where the run descends.
#[inline(always)]
fn ordered<S: Simd>(s: S, (a, b): (S::I32, S::I32), descending: bool) -> (S::I32, S::I32) {
    let (min, max) = s.min_max32(a, b);
    if descending { (max, min) } else { (min, max) }
}

/// Comparators at a distance of so many blocks, of those that have a partner.
#[inline(always)]
fn compare_pairs<S: Simd>(s: S, blocks: &mut [[Row32; BLOCK]], distance: usize, descending: bool) {
    let Some((low, high)) = blocks.split_at_mut_checked(distance) else { return };
    for (a, b) in low.as_flattened_mut().iter_mut().zip(high.as_flattened_mut()) {
        let (x, y) = ordered(s, (s.load32(a), s.load32(b)), descending);
        s.store32(a, x);
        s.store32(b, y);
    }
}

/// Comparators at a distance of half the blocks, then of a quarter.
#[inline(always)]
fn compare_fours<S: Simd>(s: S, blocks: &mut [[Row32; BLOCK]], descending: bool) {
    let (low, high) = blocks.split_at_mut(blocks.len() / 2);
    let ((a, b), (c, d)) = (low.split_at_mut(low.len() / 2), high.split_at_mut(high.len() / 2));
    let pairs = a.as_flattened_mut().iter_mut().zip(b.as_flattened_mut());
    for ((a, b), (c, d)) in pairs.zip(c.as_flattened_mut().iter_mut().zip(d.as_flattened_mut())) {
        let (w, y) = ordered(s, (s.load32(a), s.load32(c)), descending);
        let (x, z) = ordered(s, (s.load32(b), s.load32(d)), descending);
        let ((w, x), (y, z)) = (ordered(s, (w, x), descending), ordered(s, (y, z), descending));
        s.store32(a, w);
        s.store32(b, x);
        s.store32(c, y);
        s.store32(d, z);
    }
}

/// Blocks: sorted, or merged where they are parts of runs of so many.
struct Blocks<'a> {
    blocks: &'a mut [[Row32; BLOCK]],
    merge: Option<usize>,
}

impl Kernel for Blocks<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (count, size) = (self.blocks.len(), self.merge.unwrap_or(1));
        for (i, run) in self.blocks.chunks_mut(size).enumerate() {
            if self.merge.is_some() && run.len() <= size / 2 {
                // It has no neighbour to be merged with.
                break;
            }
            let flip = s.splat32(-(descends(i * size, size, count) as i32));
            for rows in run {
                let x = each(
                    #[inline(always)]
                    |r| s.xor32(s.load32(&rows[r]), flip),
                );
                let x = if self.merge.is_none() { sorted_runs(s, x) } else { x };
                let x = merged(s, x);
                let mut r = 0;
                while r < BLOCK {
                    s.store32(&mut rows[r], s.xor32(x[r], flip));
                    r += 1;
                }
            }
        }
    }
}

/// A comparator of registers `i` and `j`: the lesser to `i`.
#[inline(always)]
fn compare<S: Simd>(s: S, x: &mut [S::I32; BLOCK], i: usize, j: usize) {
    (x[i], x[j]) = s.min_max32(x[i], x[j]);
}

/// Comparators of all registers at a distance.
#[inline(always)]
fn compare_all<S: Simd, const DISTANCE: usize>(s: S, x: &mut [S::I32; BLOCK]) {
    let mut i = 0;
    while i < BLOCK {
        if i & DISTANCE == 0 {
            compare(s, x, i, i + DISTANCE);
        }
        i += 1;
    }
}

/// All ones in the lanes that have one of these bits.
#[inline(always)]
fn lanes<S: Simd, const BIT: usize>(s: S) -> S::I32 {
    const fn mask(bit: usize) -> Row32 {
        let (mut row, mut lane) = ([0; 8], 0);
        while lane < 8 {
            row[lane] = if lane & bit == 0 { 0 } else { -1 };
            lane += 1;
        }
        row
    }
    s.load32(const { &mask(BIT) })
}

#[inline(always)]
fn flipped<S: Simd>(s: S, x: [S::I32; BLOCK], mask: S::I32) -> [S::I32; BLOCK] {
    each(
        #[inline(always)]
        |r| s.xor32(x[r], mask),
    )
}

/// A bitonic run of eight words in each lane into order: ascending, but descending in the lanes with this
/// bit.
#[inline(always)]
fn finish_lanes<S: Simd, const BIT: usize>(s: S, x: [S::I32; BLOCK]) -> [S::I32; BLOCK] {
    let mask = lanes::<S, BIT>(s);
    let mut x = flipped(s, x, mask);
    compare_all::<S, 4>(s, &mut x);
    compare_all::<S, 2>(s, &mut x);
    compare_all::<S, 1>(s, &mut x);
    flipped(s, x, mask)
}

/// Two runs of 32 words, the first ascending and the second descending, from 64 words in any order.
#[inline(always)]
fn sorted_runs<S: Simd>(s: S, x: [S::I32; BLOCK]) -> [S::I32; BLOCK] {
    // Runs of 8, one in each lane, then in each row.
    let odd = lanes::<S, 1>(s);
    let mut x = flipped(s, x, odd);
    sort_lanes(s, &mut x);
    let mut x = transpose32(s, flipped(s, x, odd));
    // Runs of 16: rows 2 and 3, 6 and 7 descending.
    let pairs = [(0, 1), (3, 2), (4, 5), (7, 6)];
    let mut i = 0;
    while i < 4 {
        compare(s, &mut x, pairs[i].0, pairs[i].1);
        i += 1;
    }
    let mut x = transpose32(s, finish_lanes::<S, 2>(s, transpose32(s, x)));
    // Runs of 32: rows 4 to 7 descending.
    let pairs = [(0, 2), (1, 3), (6, 4), (7, 5), (0, 1), (2, 3), (5, 4), (7, 6)];
    i = 0;
    while i < 8 {
        compare(s, &mut x, pairs[i].0, pairs[i].1);
        i += 1;
    }
    transpose32(s, finish_lanes::<S, 4>(s, transpose32(s, x)))
}

/// A bitonic run of 64 words into ascending order.
#[inline(always)]
fn merged<S: Simd>(s: S, mut x: [S::I32; BLOCK]) -> [S::I32; BLOCK] {
    compare_all::<S, 4>(s, &mut x);
    compare_all::<S, 2>(s, &mut x);
    compare_all::<S, 1>(s, &mut x);
    transpose32(s, finish_lanes::<S, 0>(s, transpose32(s, x)))
}

/// Sorts each lane: the odd-even merge sorter of eight, 19 comparators.
#[inline(always)]
fn sort_lanes<S: Simd>(s: S, x: &mut [S::I32; BLOCK]) {
    const NETWORK: [(usize, usize); 19] = [
        (0, 1),
        (2, 3),
        (4, 5),
        (6, 7),
        (0, 2),
        (1, 3),
        (4, 6),
        (5, 7),
        (1, 2),
        (5, 6),
        (0, 4),
        (1, 5),
        (2, 6),
        (3, 7),
        (2, 4),
        (3, 5),
        (1, 2),
        (3, 4),
        (5, 6),
    ];
    let mut i = 0;
    while i < 19 {
        compare(s, x, NETWORK[i].0, NETWORK[i].1);
        i += 1;
    }
}
