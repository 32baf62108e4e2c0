//! The sorting network.

use ringsmith_oracle::Random;
use ringsmith_ring::sort::sort;
use ringsmith_simd::{Cpu, Row32};

type Block = [Row32; 8];

fn check(blocks: &[Block], what: &str) {
    let mut expected: Vec<i32> = blocks.as_flattened().as_flattened().to_vec();
    expected.sort_unstable();
    for cpu in Cpu::available() {
        let mut sorted = blocks.to_vec();
        sort(cpu, &mut sorted);
        assert_eq!(
            sorted.as_flattened().as_flattened(),
            expected,
            "{what}, {} blocks on {cpu:?}",
            blocks.len()
        );
    }
}

/// Words, one for each place.
fn words(blocks: usize, mut word: impl FnMut(usize) -> i32) -> Vec<Block> {
    let mut words = vec![[[0; 8]; 8]; blocks];
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
    for blocks in (0..=20).chain([32]) {
        let mut random = Random::new(blocks as u64);
        for kind in 0..5 {
            check(&of_kind(kind, blocks, &mut random), &format!("words of kind {kind}"));
        }
    }
}

/// Protects: the network sorts. One that sorts all words of zeroes and ones sorts everything (Knuth, 5.3.4,
/// theorem Z); of one block and of three all that have a single border, wherever they are rotated to, and
/// many random ones.
#[test]
fn zeroes_and_ones_are_sorted() {
    let mut random = Random::new(3);
    for blocks in [1, 3] {
        let count = 64 * blocks;
        for round in 0..200u32 {
            let density = random.within(1, count as i64 - 1);
            let words = words(blocks, |_| (random.within(0, count as i64 - 1) < density) as i32);
            check(&words, &format!("zeroes and ones, round {round}"));
        }
        for ones in 0..count {
            for first in 0..count {
                let words = words(blocks, |i| ((i + count - first) % count < ones) as i32);
                check(&words, &format!("{ones} ones from {first} on"));
            }
        }
    }
}
