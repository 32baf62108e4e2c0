//! Products of lanes of 32 bits in full, and their reduction.

use crate::support::*;
use ringsmith_simd::{Cpu, Kernel, ProductLanes, Quotient, Row32, Simd};
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

/// What the backend takes.
fn quotient_of(cpu: Cpu) -> Quotient {
    on!(cpu, |s| -> Quotient {
        let _ = s;
        <S as ProductLanes>::QUOTIENT
    })
}

/// The quotient of two products by `2^k` by its definition.
fn quotient(kind: Quotient, products: [i128; 2]) -> i128 {
    let bits = kind.bits();
    match kind {
        Quotient::Floor => (products[0] + products[1]) >> bits,
        Quotient::Rounded => products.iter().map(|x| (x + (1 << (bits - 1))) >> bits).sum(),
    }
}

/// Constants around 0 and at both ends, and others.
fn constants(p: i32) -> [i32; 8] {
    let end = (p - 1) / 2;
    [0, 1, -1, end, -end, end / 3, -end / 7, end - 1]
}

/// Products by constants, and sums of two: by the definition; what they are for, the product modulo `p`; and
/// no larger than they must be, for lanes of any size and for small ones.
#[test]
fn products_by_constants() {
    for p in [3, 257, 12289, 8_380_417, 49_201_153, 1_073_479_681] {
        for cpu in Cpu::available() {
            let kind = quotient_of(cpu);
            let z: [[i32; 2]; 8] = constants(p).map(|z| kind.factor(z.into(), p.into()));
            for (a, b) in pairs_of_rows32().into_iter().step_by(SPARSELY) {
                for (a, b) in [(a, b), (a.map(|x| x % p), b.map(|x| x % p))] {
                    hold(cpu, kind, [a, b], z, p);
                }
            }
        }
    }
}

/// One pair of rows.
fn hold(cpu: Cpu, kind: Quotient, [a, b]: [Row32; 2], z: [[i32; 2]; 8], p: i32) {
    let factors: [Row32; 2] = from_fn(|part| from_fn(|i| z[i][part]));
    let others: [Row32; 2] = from_fn(|part| from_fn(|i| z[(i + 3) % 8][part]));
    let got =
        on!(cpu, |s, a: Row32, b: Row32, factors: [Row32; 2], others: [Row32; 2], p: i32| -> [Row32; 2] {
            let (x, y, p) = (s.load32(&a), s.load32(&b), s.splat32(p));
            let z = [s.load32(&factors[0]), s.load32(&factors[1])];
            let w = [s.load32(&others[0]), s.load32(&others[1])];
            rows32(s, (s.times32(x, z, p), s.times_sum32([x, y], [z, w], p)))
        });
    for i in 0..8 {
        let (x, y, z, w) =
            (i128::from(a[i]), i128::from(b[i]), z[i].map(i128::from), z[(i + 3) % 8].map(i128::from));
        let wide = i128::from(p);
        let one = x * z[0] - quotient(kind, [x * z[1], 0]) * wide;
        let two = x * z[0] + y * w[0] - quotient(kind, [x * z[1], y * w[1]]) * wide;
        let of = format!("on {cpu:?} of {:?} by {z:?} and {w:?} modulo {p}", (x, y));
        assert_eq!([got[0][i], got[1][i]].map(i128::from), [one, two], "{of}");
        let limits = |size: i128, terms: i128| match kind {
            // Times 2^33 and times 2^32.
            Quotient::Floor => (-size * wide, (size + (1 << 33)) * wide, 33),
            Quotient::Rounded => {
                let most = (size + (terms << 31)) * wide;
                (-most, most, 32)
            }
        };
        for (result, size, terms) in [(one, x.abs(), 1), (two, x.abs() + y.abs(), 2)] {
            let (low, high, bits) = limits(size, terms);
            assert!(low <= result << bits && result << bits <= high, "{result} {of}");
        }
    }
}

/// What is added to negative numbers alone, over all of its domain.
#[test]
fn added_where_negative() {
    let domain = |a: i32, b: i32| {
        let p = b & i32::MAX;
        (a.max(-p), p)
    };
    law!(
        "add_if_negative32",
        within(pairs_of_rows32(), domain),
        |s, a: Row32, b| { row32(s, s.add_if_negative32(s.load32(&a), s.load32(&b))) },
        |a: i32, p: i32| if a < 0 { a + p } else { a }
    );
}
