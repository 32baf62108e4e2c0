//! Bytes of public data.

use crate::support::*;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};
use std::array::from_fn;

/// The numbers below a bound among sixteen of 12 bits, in plain code.
fn numbers_below(bytes: &[u8; 24], bound: i16) -> Vec<i16> {
    let bits = |at: usize| (bytes[at / 8] >> (at % 8) & 1) as i16;
    let number = |i: usize| (0..12).map(|bit| bits(12 * i + bit) << bit).sum::<i16>();
    (0..16).map(number).filter(|number| *number < bound).collect()
}

/// Twenty-four bytes of these numbers.
fn packed(numbers: [i16; 16]) -> [u8; 24] {
    from_fn(|i| {
        let [even, odd] = [numbers[2 * (i / 3)], numbers[2 * (i / 3) + 1]];
        (match i % 3 {
            0 => even,
            1 => even >> 8 | odd << 4,
            _ => odd >> 4,
        }) as u8
    })
}

/// Rejection sampling: which numbers are taken, their order, and how many they are.
#[test]
fn taken_below_a_bound() {
    for cpu in Cpu::available() {
        let check = |bytes: [u8; 24], bound: i16| {
            let expected = numbers_below(&bytes, bound);
            let (out, count) = on!(cpu, |s, bytes: [u8; 24], bound: i16| -> (Row, usize) {
                let mut out = [-1; 16];
                let count = s.take_below(&bytes, bound, &mut out);
                (out, count)
            });
            assert_eq!(out[..count], expected, "numbers of {bytes:?} below {bound} on {cpu:?}");
        };
        // Every choice of eight words, in either half, with numbers on both sides of the bound.
        let step = if cfg!(miri) { 37 } else { 1 };
        for choice in (0..256usize).step_by(step) {
            let half: [i16; 8] =
                from_fn(|i| if choice >> i & 1 == 1 { 3328 - i as i16 } else { 3329 + i as i16 });
            let (all, none) = ([3328; 8], [4095; 8]);
            for [low, high] in [[half, none], [none, half], [half, all], [all, half], [half, half]] {
                check(packed(from_fn(|i| if i < 8 { low[i] } else { high[i - 8] })), 3329);
            }
        }
        for (a, b) in pairs_of_rows() {
            let bytes = from_fn(|i| (a[i % 16] >> (i % 9)) as u8 ^ b[15 - i % 16] as u8);
            [1, 256, 3329, 4095].into_iter().for_each(|bound| check(bytes, bound));
        }
    }
}

/// Which lanes are taken, in which order, and how many they are.
#[test]
fn taken_by_a_mask() {
    for cpu in Cpu::available() {
        for (numbers, b) in pairs_of_rows() {
            for mask in [b, [0; 16], [-1; 16], [-1; 16].map(|x| x & b[0])] {
                let mask = mask.map(|word| -(word & 1));
                let (out, count) = on!(cpu, |s, numbers: Row, mask: Row| -> (Row, usize) {
                    let mut out = [-1; 16];
                    let count = s.take(s.load(&numbers), s.load(&mask), &mut out);
                    (out, count)
                });
                let expected: Vec<_> = (0..16).filter(|i| mask[*i] == -1).map(|i| numbers[i]).collect();
                assert_eq!(out[..count], expected, "{numbers:?} where {mask:?} on {cpu:?}");
            }
        }
    }
}

/// Numbers of `bits` bits as bytes, bit by bit.
fn bytes_of(numbers: &Row, bits: usize) -> [u8; 32] {
    let bit = |at: usize| numbers.get(at / bits).map_or(0, |number| (number >> (at % bits) & 1) as u8);
    from_fn(|i| (0..8).map(|j| bit(8 * i + j) << j).sum())
}

/// Packing and unpacking, for every number of bits.
#[test]
fn packed_and_unpacked() {
    for cpu in Cpu::available() {
        for (a, b) in pairs_of_rows() {
            for_each!(D: usize = [1 2 3 4 5 6 7 8 9 10 11 12 13 14] {
                let numbers: Row = from_fn(|i| (a[i] ^ b[i]) & ((1 << D) - 1));
                let expected = bytes_of(&numbers, D);
                let packed = on!(cpu, |s, numbers: Row| -> [u8; 32] {
                    let mut out = [0xaa; 32];
                    s.pack::<D>(s.load(&numbers), &mut out);
                    out
                });
                assert_eq!(packed[..2 * D], expected[..2 * D], "{numbers:?} in {D} bits on {cpu:?}");
                // What follows is not looked at.
                let bytes: [u8; 32] = from_fn(|i| if i < 2 * D { expected[i] } else { b[i % 16] as u8 });
                let unpacked = on!(cpu, |s, bytes: [u8; 32]| -> Row { row(s, s.unpack::<D>(&bytes)) });
                assert_eq!(unpacked, numbers, "{bytes:?} by {D} bits on {cpu:?}");
            });
        }
    }
}
