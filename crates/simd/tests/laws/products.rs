//! Products of lanes of 32 bits in full, and their reduction.

use crate::support::*;
use ringsmith_simd::{Cpu, Kernel, Row32, Simd};
use std::array::from_fn;

/// `a b / 2^32`: the greatest products there are, and every sign.
#[test]
fn full_products() {
    law!(
        "the high half of products32",
        pairs_of_rows32(),
        |s, a: Row32, b| {
            let product = s.products32(s.load32(&a), s.load32(&b));
            row32(s, s.montgomery32(product, s.splat32(0), s.splat32(0)))
        },
        |a: i32, b: i32| ((i64::from(a) * i64::from(b)) >> 32) as i32
    );
}

/// Sums and differences of products carry from the low half to the high one, and wrap, as `2^62 + 2^62` does.
#[test]
fn sums_of_full_products() {
    const FACTOR: i32 = 0x7654_3211;
    law!(
        "add_products32 and sub_products32",
        pairs_of_rows32(),
        |s, a: Row32, b| {
            let (x, y) = (s.load32(&a), s.load32(&b));
            let (square, product) = (s.products32(x, x), s.products32(x, y));
            let by_factor = s.products32(y, s.splat32(FACTOR));
            let sum = s.sub_products32(s.add_products32(square, product), by_factor);
            row32(s, s.montgomery32(sum, s.splat32(0), s.splat32(0)))
        },
        |a: i32, b: i32| {
            let [a, b] = [a, b].map(i64::from);
            ((a * a).wrapping_add(a * b).wrapping_sub(b * i64::from(FACTOR)) >> 32) as i32
        }
    );
}

/// `p^-1` modulo `2^32`.
fn inverse(p: i32) -> i32 {
    (0..5).fold(p, |x, _| x.wrapping_mul(2_i32.wrapping_sub(p.wrapping_mul(x))))
}

/// Montgomery's reduction of a product: by the definition, and what it is for, a number that times `2^32` is
/// the product modulo `p`, and no greater than it must be.
#[test]
fn montgomery_products() {
    for p in [3, 5, 257, 12289, 49_201_153, 1_073_479_681, (1 << 30) - 35, i32::MAX] {
        let (p_inverse, wide) = (inverse(p), i64::from(p));
        for cpu in Cpu::available() {
            for (a, b) in pairs_of_rows32() {
                let b = b.map(|x| x % (p / 2 + 1));
                let got = on!(cpu, |s, a: Row32, b: Row32, p: i32, p_inverse: i32| -> Row32 {
                    let product = s.products32(s.load32(&a), s.load32(&b));
                    row32(s, s.montgomery32(product, s.splat32(p), s.splat32(p_inverse)))
                });
                for i in 0..8 {
                    let (product, of) = (i64::from(a[i]) * i64::from(b[i]), (a[i], b[i], p));
                    let t = i64::from(got[i]);
                    assert_eq!((t << 32).wrapping_sub(product) % wide, 0, "{t} on {cpu:?} of {of:?}");
                    assert!(2 * t.abs() <= (product.abs() >> 31) + wide + 1, "{t} on {cpu:?} of {of:?}");
                }
            }
        }
    }
}

/// The reduction of each lane by its own modulus and inverse.
#[test]
fn reductions_by_lane() {
    let p: Row32 = from_fn(|i| [3, 5, 257, 12289, 49_201_153, 1_073_479_681, 7, 8_380_417][i]);
    let p_inverse = p.map(inverse);
    for cpu in Cpu::available() {
        for (a, b) in pairs_of_rows32() {
            let got = on!(cpu, |s, a: Row32, b: Row32, p: Row32, p_inverse: Row32| -> Row32 {
                let product = s.products32(s.load32(&a), s.load32(&b));
                row32(s, s.montgomery32(product, s.load32(&p), s.load32(&p_inverse)))
            });
            let expected: Row32 = from_fn(|i| {
                let product = i64::from(a[i]) * i64::from(b[i]);
                let m = (product as i32).wrapping_mul(p_inverse[i]);
                ((product.wrapping_sub(i64::from(m) * i64::from(p[i]))) >> 32) as i32
            });
            assert_eq!(got, expected, "montgomery32 on {cpu:?} of {a:?} and {b:?} modulo {p:?}");
        }
    }
}

/// A sum of products in two parts, which overlap: both signs in both, and shifts from end to end.
#[test]
fn parts_of_full_products() {
    for_each!(K: i32 = [1 2 14 16 28 31] {
        for cpu in Cpu::available() {
            for (a, b) in pairs_of_rows32() {
                let got = on!(cpu, |s, a: Row32, b: Row32| -> [Row32; 2] {
                    let (x, y) = (s.load32(&a), s.load32(&b));
                    let sum = s.sub_products32(s.products32(x, y), s.products32(y, y));
                    rows32(s, s.split_products32::<K>(sum))
                });
                let x: [i64; 8] = from_fn(|i| {
                    let [a, b] = [a[i], b[i]].map(i64::from);
                    (a * b).wrapping_sub(b * b)
                });
                let expected = [x.map(|x| x as i32), x.map(|x| (x >> K) as i32)];
                assert_eq!(got, expected, "split_products32 {K} on {cpu:?} of {a:?} and {b:?}");
            }
        }
    });
}

/// A step towards 0.
#[test]
fn steps() {
    for cpu in Cpu::available() {
        for (a, b) in pairs_of_rows32() {
            let got =
                on!(cpu, |s, a: Row32, b: Row32| -> Row32 { row32(s, s.step32(s.load32(&a), s.load32(&b))) });
            for i in 0..8 {
                let (down, up) = (a[i].wrapping_sub(b[i]), a[i].wrapping_add(b[i]));
                let allowed = match a[i].signum() {
                    1 => [down; 3],
                    -1 => [up; 3],
                    _ => [0, down, up],
                };
                assert!(allowed.contains(&got[i]), "step32({}, {}) = {} on {cpu:?}", a[i], b[i], got[i]);
            }
        }
    }
}
