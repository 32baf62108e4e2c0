//! Blocks with AVX2: the words of two are made between the rounds of one.

use super::roots::CUBE_ROOTS;
use super::{BLOCK, ROUNDS, Words};
use ringsmith_simd::{Kernel, Row64, Simd, each};

/// Takes whole blocks.
pub(super) struct Blocks<'a> {
    pub(super) state: &'a mut [u64; 8],
    pub(super) blocks: &'a [[u8; BLOCK]],
    pub(super) words: &'a mut Words,
}

impl Kernel for Blocks<'_> {
    /// Whether it ran, which it does where it gains.
    type Out = bool;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> bool {
        if const { S::ABOVE_BASELINE } {
            self.take(s);
        }
        S::ABOVE_BASELINE
    }
}

impl Blocks<'_> {
    #[inline(always)]
    fn take<S: Simd>(self, s: S) {
        let (pairs, last) = self.blocks.as_chunks();
        for pair in pairs {
            make_and_run(s, self.state, pair, self.words);
            run(self.state, self.words);
        }
        for block in last {
            make_and_run(s, self.state, &[*block; 2], self.words);
        }
    }
}

/// The words of two blocks with their constants, and the rounds of the first.
#[inline(always)]
fn make_and_run<S: Simd>(s: S, state: &mut [u64; 8], blocks: &[[u8; BLOCK]; 2], words: &mut Words) {
    let mut w: [S::U64; 8] = each(
        #[inline(always)]
        |i| {
            let row = given(blocks, i);
            s.load64(&row)
        },
    );
    let mut i = 0;
    while i < 8 {
        with_constants(s, w[i], i, words);
        i += 1;
    }
    let (mut v, mut t) = (*state, 0);
    while t < ROUNDS / 2 - 8 {
        macro_rules! two_rounds {
            ($($i:literal)*) => { $(
                let row = words.0[t + $i];
                round::<{ 2 * $i % 8 }>(&mut v, row[0]);
                w[$i] = next(s, &w, $i);
                with_constants(s, w[$i], t + 8 + $i, words);
                round::<{ (2 * $i + 1) % 8 }>(&mut v, row[1]);
            )* };
        }
        two_rounds!(0 1 2 3 4 5 6 7);
        t += 8;
    }
    while t < ROUNDS / 2 {
        four_rows::<0>(&mut v, words, t);
        t += 4;
    }
    add(state, &v);
}

/// The rounds of the second block.
#[inline(always)]
fn run(state: &mut [u64; 8], words: &Words) {
    let (mut v, mut t) = (*state, 0);
    while t < ROUNDS / 2 {
        four_rows::<2>(&mut v, words, t);
        t += 4;
    }
    add(state, &v);
}

/// Words `2 i` and `2 i + 1` of both blocks.
#[inline(always)]
fn given(blocks: &[[u8; BLOCK]; 2], i: usize) -> Row64 {
    each(
        #[inline(always)]
        |lane| u64::from_be_bytes(blocks[lane / 2].as_chunks().0[2 * i + lane % 2]),
    )
}

#[inline(always)]
fn with_constants<S: Simd>(s: S, w: S::U64, i: usize, words: &mut Words) {
    let [a, b] = CUBE_ROOTS.as_chunks().0[i];
    s.store64(&mut words.0[i], s.add64(w, s.load64(&[a, b, a, b])));
}

/// The two words of both blocks that are sixteen behind those in `w[i]`, which holds eight pairs in a ring.
#[inline(always)]
fn next<S: Simd>(s: S, w: &[S::U64; 8], i: usize) -> S::U64 {
    let (third, last) = (s.across64(w[i], w[(i + 1) % 8]), w[(i + 7) % 8]);
    let seventh = s.across64(w[(i + 4) % 8], w[(i + 5) % 8]);
    let rotated = s.xor64(s.rotate_left64::<63, 1>(third), s.rotate_left64::<56, 8>(third));
    let small = s.xor64(rotated, s.shift_right64::<7>(third));
    let rotated = s.xor64(s.rotate_left64::<45, 19>(last), s.rotate_left64::<3, 61>(last));
    let great = s.xor64(rotated, s.shift_right64::<6>(last));
    s.add64(s.add64(w[i], seventh), s.add64(small, great))
}

/// Eight rounds, with the words from `LANE` on.
#[inline(always)]
fn four_rows<const LANE: usize>(v: &mut [u64; 8], words: &Words, t: usize) {
    macro_rules! two_rounds {
        ($($i:literal)*) => { $(
            round::<{ 2 * $i }>(v, words.0[t + $i][LANE]);
            round::<{ 2 * $i + 1 }>(v, words.0[t + $i][LANE + 1]);
        )* };
    }
    two_rounds!(0 1 2 3);
}

/// A round whose number is `I` modulo 8, with a word and its constant. The words of the state don't move,
/// their names do.
#[inline(always)]
fn round<const I: usize>(v: &mut [u64; 8], word: u64) {
    let name = const { names(I) };
    let [a, b, c, d, e, f, g, h] = each(
        #[inline(always)]
        |i| v[name[i]],
    );
    let great = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
    // In this order: what `e` is not needed for comes last, as it is there already.
    let sum = (((f ^ g) & e) ^ g).wrapping_add(h).wrapping_add(great).wrapping_add(word);
    let great = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
    // `b & c` is `a & b` of the round before.
    let majority = (a & b) ^ (a & c) ^ (b & c);
    v[name[3]] = d.wrapping_add(sum);
    v[name[7]] = sum.wrapping_add(majority.wrapping_add(great));
}

/// Where words `a` to `h` of the state are in a round.
const fn names(round: usize) -> [usize; 8] {
    let (mut names, mut i) = ([0; 8], 0);
    while i < 8 {
        names[i] = (8 + i - round) % 8;
        i += 1;
    }
    names
}

#[inline(always)]
fn add(state: &mut [u64; 8], v: &[u64; 8]) {
    let mut i = 0;
    while i < 8 {
        state[i] = state[i].wrapping_add(v[i]);
        i += 1;
    }
}
