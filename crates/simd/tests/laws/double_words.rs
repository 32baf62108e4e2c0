//! Lanes of 32 bits.

use crate::support::*;
use ringsmith_simd::{Cpu, Kernel, Row, Row32, Simd};
use std::array::from_fn;

/// Wrapping sums, differences and low products in 32 bits.
#[test]
fn arithmetic_of_double_words() {
    let all = pairs_of_rows32;
    law!(
        "add32",
        all(),
        |s, a: Row32, b| { row32(s, s.add32(s.load32(&a), s.load32(&b))) },
        i32::wrapping_add
    );
    law!(
        "sub32",
        all(),
        |s, a: Row32, b| { row32(s, s.sub32(s.load32(&a), s.load32(&b))) },
        i32::wrapping_sub
    );
    law!(
        "and32",
        all(),
        |s, a: Row32, b| { row32(s, s.and32(s.load32(&a), s.load32(&b))) },
        |a: i32, b: i32| a & b
    );
    law!(
        "xor32",
        all(),
        |s, a: Row32, b| { row32(s, s.xor32(s.load32(&a), s.load32(&b))) },
        |a: i32, b: i32| a ^ b
    );
    law!("min32", all(), |s, a: Row32, b| { row32(s, s.min_max32(s.load32(&a), s.load32(&b)).0) }, i32::min);
    law!("max32", all(), |s, a: Row32, b| { row32(s, s.min_max32(s.load32(&a), s.load32(&b)).1) }, i32::max);
    let product = |a: i32, b: i32| (i64::from(a) * i64::from(b)) as i32;
    law!("mul_lo32", all(), |s, a: Row32, b| { row32(s, s.mul_lo32(s.load32(&a), s.load32(&b))) }, product);
}

/// The cheap product by a word, over all of its domain: `0 <= a < 2^15`, `|b| < 2^15`.
#[test]
fn product_by_a_word() {
    let least = -i32::from(i16::MAX);
    let word = |a: i32, b: i32| (a & 0x7fff, i32::from(b as i16).max(-i32::from(i16::MAX)));
    let mut operands = within(pairs_of_rows32(), word);
    operands.push(([0x7fff; 8], [least, least, 0x7fff, 0x7fff, 0, 0, -1, 1]));
    law!(
        "mul_word32",
        operands,
        |s, a: Row32, b| { row32(s, s.mul_word32(s.load32(&a), s.load32(&b))) },
        |a: i32, b: i32| (i64::from(a) * i64::from(b)) as i32
    );
}

/// Shifts that keep the sign: K-RED's, and the ends of the range.
#[test]
fn shifts_of_double_words() {
    for_each!(K: i32 = [1 2 8 9 10 11 12 13 16 30 31] {
        law!(
            format!("shift_right32 {K}"),
            pairs_of_rows32(),
            |s, a: Row32, b| { row32(s, s.sub32(s.shift_right32::<K>(s.load32(&a)), s.load32(&b))) },
            |a: i32, b: i32| (i64::from(a).div_euclid(1 << K) as i32).wrapping_sub(b)
        );
    });
}

/// Rotations, by whole bytes and others.
#[test]
fn rotations_of_double_words() {
    for_each!(LEFT: i32 = [1 7 8 9 12 16 20 24 25 31] {
        law!(
            format!("rotate_left32 {LEFT}"),
            pairs_of_rows32(),
            |s, a: Row32, _b| { row32(s, s.rotate_left32::<LEFT, { 32 - LEFT }>(s.load32(&a))) },
            |a: i32, _| a.rotate_left(LEFT as u32)
        );
    });
}

/// The exact product of 64 bits in K-RED's two parts.
#[test]
fn split_product() {
    let operands = pairs_of_rows32();
    for_each!(K: i32 = [1 8 9 10 11 12 13 16 31] {
        for cpu in Cpu::available() {
            for &(a, b) in &operands {
                let got = on!(cpu, |s, a: Row32, b: Row32| -> [Row32; 2] {
                    rows32(s, s.mul_split32::<K>(s.load32(&a), s.load32(&b)))
                });
                let product: [i64; 8] = from_fn(|i| i64::from(a[i]) * i64::from(b[i]));
                let expected = [product.map(|p| p as i32), product.map(|p| p.div_euclid(1 << K) as i32)];
                assert_eq!(got, expected, "mul_split32 {K} on {cpu:?} of {a:?} and {b:?}");
            }
        }
    });
}

/// Permutations in 32-bit lanes.
#[test]
fn permutations_of_double_words() {
    let (a, b): (Row32, Row32) = (from_fn(|i| 0x1122_3300 + i as i32), from_fn(|i| -0x2233_4400 + i as i32));
    for cpu in Cpu::available() {
        for_each!(B: usize = [1 2 4] {
            let got = on!(cpu, |s, a: Row32, b: Row32| -> [Row32; 2] {
                rows32(s, s.zip32::<B>(s.load32(&a), s.load32(&b)))
            });
            assert_eq!(got.map(Vec::from), zipped(&a, &b, B), "zip32 {B} on {cpu:?}");
        });
    }
}

/// Words to double words with their signs and in order, and back again.
#[test]
fn widened_and_narrowed() {
    for cpu in Cpu::available() {
        for (a, _) in pairs_of_rows() {
            let wide = on!(cpu, |s, a: Row| -> [Row32; 2] { rows32(s, s.widen(s.load(&a))) });
            let expected: [Row32; 2] = from_fn(|part| from_fn(|i| i32::from(a[8 * part + i])));
            assert_eq!(wide, expected, "widen on {cpu:?}");
            let back = on!(cpu, |s, expected: [Row32; 2]| -> Row {
                row(s, s.narrow(s.load32(&expected[0]), s.load32(&expected[1])))
            });
            assert_eq!(back, a, "narrow on {cpu:?}");
        }
    }
}

/// Sums of two products, in order; wrapping where both are the greatest.
#[test]
fn sums_of_pairs() {
    for cpu in Cpu::available() {
        for (a, b) in pairs_of_rows() {
            let got = on!(cpu, |s, a: Row, b: Row| -> Row32 { row32(s, s.madd32(s.load(&a), s.load(&b))) });
            let product = |i: usize| i32::from(a[i]) * i32::from(b[i]);
            let expected: Row32 = from_fn(|i| product(2 * i).wrapping_add(product(2 * i + 1)));
            assert_eq!(got, expected, "madd32 on {cpu:?} of {a:?} and {b:?}");
        }
    }
}

/// Double words as words and back.
#[test]
fn words_of_double_words() {
    for cpu in Cpu::available() {
        for (a, _) in pairs_of_rows32() {
            let got = on!(cpu, |s, a: Row32| -> Row { row(s, s.words(s.load32(&a))) });
            let expected: Row = from_fn(|i| (a[i / 2] >> (16 * (i % 2))) as i16);
            assert_eq!(got, expected, "words on {cpu:?}");
            let back = on!(cpu, |s, got: Row| -> Row32 { row32(s, s.double_words(s.load(&got))) });
            assert_eq!(back, a, "double_words on {cpu:?}");
        }
    }
}
