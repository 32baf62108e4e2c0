//! Lanes of 64 bits.

use crate::support::*;
use ringsmith_simd::{Cpu, Kernel, Row64, Simd};
use std::array::from_fn;

/// The operations of the hashes.
#[test]
fn logic_of_quad_words() {
    law!(
        "add64",
        pairs_of_rows64(),
        |s, a: Row64, b| { row64(s, s.add64(s.load64(&a), s.load64(&b))) },
        |a: u64, b: u64| a.wrapping_add(b)
    );
    law!(
        "xor64",
        pairs_of_rows64(),
        |s, a: Row64, b| { row64(s, s.xor64(s.load64(&a), s.load64(&b))) },
        |a, b| a ^ b
    );
    law!(
        "and64",
        pairs_of_rows64(),
        |s, a: Row64, b| { row64(s, s.and64(s.load64(&a), s.load64(&b))) },
        |a, b| a & b
    );
    law!(
        "or64",
        pairs_of_rows64(),
        |s, a: Row64, b| { row64(s, s.or64(s.load64(&a), s.load64(&b))) },
        |a, b| a | b
    );
    law!(
        "and_not64",
        pairs_of_rows64(),
        |s, a: Row64, b| { row64(s, s.and_not64(s.load64(&a), s.load64(&b))) },
        |a: u64, b| !a & b
    );
    for cpu in Cpu::available() {
        for (a, b) in pairs_of_rows64() {
            let mask: Row64 = from_fn(|i| ((b[i] ^ a[0]) & 1).wrapping_neg());
            let got = on!(cpu, |s, mask: Row64, a: Row64, b: Row64| -> Row64 {
                row64(s, s.select64(s.load64(&mask), s.load64(&a), s.load64(&b)))
            });
            assert_eq!(got, from_fn(|i| if mask[i] == 0 { b[i] } else { a[i] }), "select64 on {cpu:?}");
            // The difference counts where the mask is set alone.
            let differ: Row64 = from_fn(|i| if mask[i] == 0 { b[i] } else { a[i] ^ b[i] });
            let got = on!(cpu, |s, mask: Row64, a: Row64, b: Row64, differ: Row64| -> Row64 {
                let [mask, a, b, differ] = [mask, a, b, differ].map(|row| s.load64(&row));
                row64(s, s.replace64(mask, a, b, differ))
            });
            assert_eq!(got, from_fn(|i| if mask[i] == 0 { a[i] } else { b[i] }), "replace64 on {cpu:?}");
            let splat = on!(cpu, |s, a: Row64| -> Row64 { row64(s, s.splat64(a[0])) });
            assert_eq!(splat, [a[0]; 4], "splat64 on {cpu:?}");
        }
    }
}

/// Rotations by every number of bits: those by whole bytes are shuffles on some CPUs.
#[test]
fn rotations_of_quad_words() {
    for_each!(LEFT: i32 = [1 2 3 7 8 9 14 16 24 31 32 33 40 48 55 56 57 62 63] {
        law!("rotate_left64", pairs_of_rows64(), |s, a: Row64, _b| {
            row64(s, s.rotate_left64::<LEFT, { 64 - LEFT }>(s.load64(&a)))
        }, |a: u64, _| a.rotate_left(LEFT as u32));
    });
}

/// A rotation of each lane by its own number, none included.
#[test]
fn rotations_of_each_quad_word() {
    law!(
        "rotate_each64",
        pairs_of_rows64(),
        |s, a: Row64, b| { row64(s, s.rotate_each64(s.load64(&a), &b.map(|left| left % 64))) },
        |a: u64, b: u64| a.rotate_left((b % 64) as u32)
    );
}

/// Shifts, by the ends of the range and in between.
#[test]
fn shifts_of_quad_words() {
    for_each!(K: i32 = [1 2 31 32 33 63] {
        law!("shift_right64", pairs_of_rows64(), |s, a: Row64, _b| {
            row64(s, s.shift_right64::<K>(s.load64(&a)))
        }, |a: u64, _| a >> K);
        law!("shift_left64", pairs_of_rows64(), |s, a: Row64, _b| {
            row64(s, s.shift_left64::<K>(s.load64(&a)))
        }, |a: u64, _| a << K);
    });
}

/// Lanes of two vectors, in each half.
#[test]
fn lanes_across() {
    for cpu in Cpu::available() {
        for (a, b) in pairs_of_rows64() {
            let got = on!(cpu, |s, a: Row64, b: Row64| -> Row64 {
                row64(s, s.across64(s.load64(&a), s.load64(&b)))
            });
            assert_eq!(got, [a[1], b[0], a[3], b[2]], "across64 on {cpu:?}");
        }
    }
}

/// Lanes in a circle.
#[test]
fn rotations_of_lanes() {
    for cpu in Cpu::available() {
        for_each!(K: usize = [1 2 3] {
            for (a, _) in pairs_of_rows64() {
                let got = on!(cpu, |s, a: Row64| -> Row64 { row64(s, s.rotate_lanes64::<K>(s.load64(&a))) });
                let expected: Row64 = from_fn(|i| a[(i + K) % 4]);
                assert_eq!(got, expected, "rotate_lanes64 {K} on {cpu:?}");
            }
        });
    }
}

/// Lanes in a circle, of which the one that comes around moves by a bit.
#[test]
fn lanes_one_place_down_and_up() {
    for cpu in Cpu::available() {
        for (a, _) in pairs_of_rows64() {
            let got = on!(cpu, |s, a: Row64| -> [Row64; 2] {
                let a = s.load64(&a);
                [row64(s, s.down64(a)), row64(s, s.up64(a))]
            });
            assert_eq!(got[0], [a[1], a[2], a[3], a[0] >> 1], "down64 on {cpu:?}");
            assert_eq!(got[1], [a[3] << 1, a[0], a[1], a[2]], "up64 on {cpu:?}");
        }
    }
}
