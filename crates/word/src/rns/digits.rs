//! Numbers of several words as digits of 52 bits, a vector of eight coefficients a digit.

use super::constants::{SMALL_DIGITS, ZERO};
use ringsmith_simd::{WideRow, each};

/// The bits of a word.
pub(super) const WORD_BITS: u32 = u64::BITS;
/// The bits of a digit: those that lanes multiply.
pub(super) const DIGIT_BITS: u32 = 52;
/// A digit.
pub(super) const DIGIT: u64 = (1 << DIGIT_BITS) - 1;
/// Rows that a kernel works on at once: enough products side by side that none waits for another.
pub(super) const ROWS: usize = 4;
/// One digit, or one residue, of so many coefficients.
pub(super) type Group = [WideRow; ROWS];
/// The lanes of a row.
const LANES: usize = ZERO.len();
/// How many.
pub(super) const GROUP: usize = ROWS * LANES;
/// A group of zeroes.
pub(super) const ZEROES: Group = [ZERO; ROWS];

/// The word and the place in it where digit `j` begins.
#[inline(always)]
const fn place(j: usize) -> (usize, u32) {
    let bit = j * DIGIT_BITS as usize;
    (bit / WORD_BITS as usize, (bit % WORD_BITS as usize) as u32)
}

/// A row of a run, or of the zeroes behind it.
#[inline(always)]
fn row(run: &[Group], i: usize, q: usize) -> WideRow {
    run.get(i).map_or(ZERO, |group| group[q])
}

/// Words to digits, in their places. No digit begins in a word beyond its own place, so the last is made
/// first.
#[inline(always)]
pub(super) fn unpack(run: &mut [Group]) {
    for j in (0..run.len()).rev() {
        let (word, shift) = place(j);
        let mut q = 0;
        while q < ROWS {
            let (low, high) = (row(run, word, q), row(run, word + 1, q));
            // Two shifts, since one by all bits would be none.
            let digit = each(
                #[inline(always)]
                |i| (low[i] >> shift | high[i] << 1 << (WORD_BITS - 1 - shift)) & DIGIT,
            );
            if let Some(group) = run.get_mut(j) {
                group[q] = digit;
            }
            q += 1;
        }
    }
}

/// Digits to so many words, in their places: the reverse.
#[inline(always)]
pub(super) fn pack(run: &mut [Group], words: usize) {
    for t in 0..words {
        // The digit that word `t` begins in; the two above may be part of it.
        let bit = t * WORD_BITS as usize;
        let (j, shift) = (bit / DIGIT_BITS as usize, (bit % DIGIT_BITS as usize) as u32);
        let (second, third) = (DIGIT_BITS - shift, 2 * DIGIT_BITS - shift);
        let mut q = 0;
        while q < ROWS {
            let (a, b) = (row(run, j, q), row(run, j + 1, q));
            let c = if third < WORD_BITS { row(run, j + 2, q) } else { ZERO };
            let word = each(
                #[inline(always)]
                |i| a[i] >> shift | b[i] << second | c[i] << (third % WORD_BITS),
            );
            if let Some(group) = run.get_mut(t) {
                group[q] = word;
            }
            q += 1;
        }
    }
}

/// Numbers of so many words to runs of `count` groups, word by word, with zeroes behind them.
pub(super) fn spread(numbers: &[u64], words: usize, runs: &mut [Group], count: usize) {
    for (i, run) in runs.chunks_mut(count).enumerate() {
        let numbers = numbers.get(i * GROUP * words..).unwrap_or_default();
        // No `zip` with chunks, which would ask how many there are, and divide.
        for (lane, number) in numbers.chunks(words).enumerate().take(GROUP) {
            for (group, word) in run.iter_mut().zip(number) {
                group[lane / LANES][lane % LANES] = *word;
            }
        }
        run[words..].fill(ZEROES);
    }
}

/// Numbers from such runs.
pub(super) fn collect(runs: &[Group], count: usize, numbers: &mut [u64], words: usize) {
    for (i, run) in runs.chunks(count).enumerate() {
        let numbers = numbers.get_mut(i * GROUP * words..).unwrap_or_default();
        for (lane, number) in numbers.chunks_mut(words).enumerate().take(GROUP) {
            for (group, word) in run.iter().zip(number) {
                *word = group[lane / LANES][lane % LANES];
            }
        }
    }
}

/// The digits of numbers with a sign: 52 bits, 12 bits, and 1 where it is negative.
pub(super) fn spread_small(numbers: &[i64], digits: &mut [Group]) {
    for (group, numbers) in digits.as_chunks_mut().0.iter_mut().zip(numbers.chunks(GROUP)) {
        let [low, high, sign]: &mut [Group; SMALL_DIGITS] = group;
        [*low, *high, *sign] = [ZEROES; SMALL_DIGITS];
        let (low, high, sign) = (low.as_flattened_mut(), high.as_flattened_mut(), sign.as_flattened_mut());
        for (i, number) in numbers.iter().enumerate() {
            let word = *number as u64;
            (low[i], high[i], sign[i]) = (word & DIGIT, word >> DIGIT_BITS, word >> (WORD_BITS - 1));
        }
    }
}
