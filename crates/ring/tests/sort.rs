//! The sorting network.

use ringsmith_oracle::Random;
use ringsmith_ring::sort::sort;
use ringsmith_simd::{Cpu, Row32};

fn check<const ROWS: usize>(rows: &[Row32; ROWS], what: &str) {
    let mut expected: Vec<i32> = rows.as_flattened().to_vec();
    expected.sort_unstable();
    for cpu in Cpu::available() {
        let mut sorted = *rows;
        sort(cpu, &mut sorted);
        assert_eq!(sorted.as_flattened(), expected, "{what}, {ROWS} rows on {cpu:?}");
    }
}

/// Words of a kind: any, few different ones, and those at the ends of the range.
fn rows<const ROWS: usize>(kind: usize, random: &mut Random) -> [Row32; ROWS] {
    let mut word = |i: usize| match kind {
        0 => random.within(i32::MIN as i64, i32::MAX as i64) as i32,
        1 => random.within(-1, 1) as i32,
        2 => [i32::MIN, i32::MAX, 0, -1][random.within(0, 3) as usize],
        3 => i as i32,
        _ => -(i as i32),
    };
    core::array::from_fn(|r| core::array::from_fn(|l| word(8 * r + l)))
}

fn all<const ROWS: usize>() {
    let mut random = Random::new(ROWS as u64);
    for kind in 0..5 {
        check(&rows::<ROWS>(kind, &mut random), &format!("words of kind {kind}"));
    }
}

/// Protects: words come into ascending order on every CPU, whatever their number and their order.
#[test]
fn words_are_sorted() {
    all::<8>();
    all::<16>();
    all::<32>();
    all::<128>();
    all::<256>();
}

/// Protects: the network sorts. One that sorts all words of zeroes and ones sorts everything (Knuth, 5.3.4, theorem Z); of 64 words
/// all that have a single border, wherever they are rotated to, and many random ones.
#[test]
fn zeroes_and_ones_are_sorted() {
    let mut random = Random::new(3);
    for round in 0..200u32 {
        let density = random.within(1, 63);
        let rows: [Row32; 8] =
            core::array::from_fn(|_| core::array::from_fn(|_| (random.within(0, 63) < density) as i32));
        check(&rows, &format!("zeroes and ones, round {round}"));
    }
    for ones in 0..64usize {
        for first in 0..64 {
            let rows: [Row32; 8] = core::array::from_fn(|r| {
                core::array::from_fn(|l| ((8 * r + l + 64 - first) % 64 < ones) as i32)
            });
            check(&rows, &format!("{ones} ones from {first} on"));
        }
    }
}
