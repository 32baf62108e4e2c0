//! Bytes of public data.

use crate::support::*;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};
use std::array::from_fn;

/// Which lanes are taken, in which order, and how many they are.
#[test]
fn taken_by_a_mask() {
    for cpu in Cpu::available() {
        let check = |numbers: Row, choice: usize| {
            let mask: Row = from_fn(|i| -((choice >> i & 1) as i16));
            let (out, count) = on!(cpu, |s, numbers: Row, mask: Row| -> (Row, usize) {
                let mut out = [-1; 16];
                let count = s.take(s.load(&numbers), s.load(&mask), &mut out);
                (out, count)
            });
            let expected: Vec<_> = (0..16).filter(|i| mask[*i] == -1).map(|i| numbers[i]).collect();
            assert_eq!(out[..count], expected, "{numbers:?} where {mask:?} on {cpu:?}");
        };
        // Every choice of eight words, in either half.
        for half in (0..256).step_by(if cfg!(miri) { 37 } else { 1 }) {
            for choice in [half, half << 8, half | 0xff00, half << 8 | 0xff, half << 8 | half] {
                check(from_fn(|i| i as i16 + 1), choice);
            }
        }
        for (numbers, b) in pairs_of_rows() {
            check(numbers, b[0] as u16 as usize);
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
