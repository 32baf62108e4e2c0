//! The sorting network.

use ringsmith_oracle::Random;
use ringsmith_ring::sort::{BLOCK, ROWS, blocks, low_bits, sort};
use ringsmith_simd::{Cpu, Row32};

type Block = [Row32; ROWS];

/// The words down the lanes, one after the other.
fn down_the_lanes(blocks: &[Block]) -> Vec<i32> {
    let rows = blocks.as_flattened();
    (0..8).flat_map(|lane| rows.iter().map(move |row| row[lane])).collect()
}

fn check(blocks: &[Block], what: &str) {
    let mut expected: Vec<i32> = blocks.as_flattened().as_flattened().to_vec();
    expected.sort_unstable();
    for cpu in Cpu::available() {
        let mut sorted = blocks.to_vec();
        sort(cpu, &mut sorted);
        assert_eq!(down_the_lanes(&sorted), expected, "{what}, {} blocks on {cpu:?}", blocks.len());
        let mut bits = vec![[0; 16]; BLOCK / 16 * blocks.len()];
        low_bits(cpu, &sorted, 0x7ff, &mut bits);
        let low = expected.iter().map(|word| (word & 0x7ff) as i16);
        assert!(bits.as_flattened().iter().copied().eq(low), "bits of {what} on {cpu:?}");
    }
}

/// Words, one for each place.
fn words(blocks: usize, mut word: impl FnMut(usize) -> i32) -> Vec<Block> {
    let mut words = vec![[[0; 8]; ROWS]; blocks];
    for (i, place) in words.as_flattened_mut().as_flattened_mut().iter_mut().enumerate() {
        *place = word(i);
    }
    words
}

/// Words of a kind: any, few different ones, those at the ends of the range, in order already, and the other
/// way round.
fn of_kind(kind: usize, blocks: usize, random: &mut Random) -> Vec<Block> {
    words(blocks, |i| match kind {
        0 => random.within(i32::MIN as i64, i32::MAX as i64) as i32,
        1 => random.within(-1, 1) as i32,
        2 => [i32::MIN, i32::MAX, 0, -1][random.within(0, 3) as usize],
        3 => i as i32,
        _ => -(i as i32),
    })
}

/// Protects: words come into ascending order on every CPU, whatever their number and their order.
#[test]
fn words_are_sorted() {
    for blocks in (0..=10).chain([16]) {
        let mut random = Random::new(blocks as u64);
        for kind in 0..5 {
            check(&of_kind(kind, blocks, &mut random), &format!("words of kind {kind}"));
        }
    }
}

/// Protects: the network sorts. One that sorts all words of zeroes and ones sorts everything (Knuth, 5.3.4,
/// theorem Z); of some numbers of blocks all that have a single border, rotated, and many random ones.
#[test]
fn zeroes_and_ones_are_sorted() {
    let mut random = Random::new(3);
    for blocks in [1, 4, 6, 7, 8, 10] {
        let count = BLOCK * blocks;
        for round in 0..200u32 {
            let density = random.within(1, count as i64 - 1);
            let words = words(blocks, |_| (random.within(0, count as i64 - 1) < density) as i32);
            check(&words, &format!("zeroes and ones, round {round}"));
        }
        for ones in 0..count {
            let first = random.within(0, count as i64 - 1) as usize;
            let words = words(blocks, |i| ((i + count - first) % count < ones) as i32);
            check(&words, &format!("{ones} ones from {first} on"));
        }
    }
}

/// Protects: as many words as a scheme sorts take a number of blocks that is sorted in registers.
#[test]
fn schemes_sort_in_registers() {
    let words = [508, 653, 676, 761, 820, 857, 953, 1013, 1228, 1277];
    assert_eq!(words.map(blocks), [4, 6, 6, 6, 7, 7, 8, 8, 10, 10]);
}
