//! Numbers of more bits than a word has.

use crate::support::*;
use ringsmith_simd::{Cpu, Kernel, Row32, Simd};
use std::array::from_fn;

/// Numbers of `bits` bits as bytes, bit by bit.
fn bytes_of(numbers: &Row32, bits: usize) -> [u8; 32] {
    let bit = |at: usize| numbers.get(at / bits).map_or(0, |number| (number >> (at % bits) & 1) as u8);
    from_fn(|i| (0..8).map(|j| bit(8 * i + j) << j).sum())
}

/// Packing and unpacking, for every number of bits, and words.
#[test]
fn packed_and_unpacked() {
    for cpu in Cpu::available() {
        for (a, b) in pairs_of_rows32().into_iter().step_by(SPARSELY) {
            for_each!(D: usize = [16 18 20 22 24] {
                let numbers: Row32 = from_fn(|i| (a[i] ^ b[i]) & ((1 << D) - 1));
                let expected = bytes_of(&numbers, D);
                let packed = on!(cpu, |s, numbers: Row32| -> [u8; 32] {
                    let mut out = [0xaa; 32];
                    s.pack32::<D>(s.load32(&numbers), &mut out);
                    out
                });
                assert_eq!(packed[..D], expected[..D], "{numbers:?} in {D} bits on {cpu:?}");
                // What follows is not looked at.
                let bytes: [u8; 32] = from_fn(|i| if i < D { expected[i] } else { b[i % 8] as u8 });
                let unpacked = on!(cpu, |s, bytes: [u8; 32]| -> Row32 { row32(s, s.unpack32::<D>(&bytes)) });
                assert_eq!(unpacked, numbers, "{bytes:?} by {D} bits on {cpu:?}");
                if D == 24 {
                    let words: [u64; 3] = from_fn(|i| u64::from_le_bytes(from_fn(|j| bytes[8 * i + j])));
                    let got = on!(cpu, |s, words: [u64; 3]| -> Row32 { row32(s, s.of_words32(words)) });
                    assert_eq!(got, numbers, "{words:?} on {cpu:?}");
                }
            });
        }
    }
}

/// Which lanes are taken, in which order, and how many they are: every choice.
#[test]
fn taken_by_a_mask() {
    for cpu in Cpu::available() {
        for choice in 0..256 {
            let (numbers, mask): (Row32, Row32) =
                (from_fn(|i| i as i32 - 3), from_fn(|i| -(choice >> i & 1)));
            let (out, count) = on!(cpu, |s, numbers: Row32, mask: Row32| -> (Row32, usize) {
                let mut out = [-1; 8];
                let count = s.take32(s.load32(&numbers), s.load32(&mask), &mut out);
                (out, count)
            });
            let all = on!(cpu, |s, mask: Row32| -> bool { s.all_negative32(s.load32(&mask)) });
            assert_eq!(all, choice == 255, "{mask:?} on {cpu:?}");
            let expected: Vec<_> = (0..8).filter(|i| mask[*i] == -1).map(|i| numbers[i]).collect();
            assert_eq!(out[..count], expected, "{mask:?} on {cpu:?}");
        }
    }
}
