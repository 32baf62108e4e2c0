//! Lanes of 16 bits.

use crate::support::*;
use ringsmith_oracle::Random;
use ringsmith_simd::{Cpu, Kernel, Row, Row32, Simd};
use std::array::from_fn;

/// Layout: lane `i` is element `i`, at any alignment, in loads, stores and constants.
#[test]
fn loads_and_stores_keep_the_order() {
    let flat: [i16; 40] = from_fn(|i| (257 * i as i16) ^ -0x7f00);
    let flat32: [i32; 24] = from_fn(|i| (0x0101_0101 * i as i32) ^ -0x7fff_ff00);
    for cpu in Cpu::available() {
        for at in 0..flat.len() - 15 {
            let mut copy = flat;
            assert_eq!(
                copied(cpu, flat[at..].first_chunk().unwrap()),
                flat[at..at + 16],
                "load at {at} on {cpu:?}"
            );
            store_at(cpu, &mut copy, at, [7; 16]);
            let expected: [i16; 40] = from_fn(|i| if (at..at + 16).contains(&i) { 7 } else { flat[i] });
            assert_eq!(copy, expected, "store at {at} on {cpu:?}");
        }
        for at in 0..flat32.len() - 7 {
            let a: &Row32 = flat32[at..].first_chunk().unwrap();
            assert_eq!(copied32(cpu, a), *a, "load32 at {at} on {cpu:?}");
        }
        for x in EDGES {
            assert_eq!(on!(cpu, |s, x: i16| -> Row { row(s, s.splat(x)) }), [x; 16], "splat on {cpu:?}");
        }
        for x in EDGES32 {
            assert_eq!(
                on!(cpu, |s, x: i32| -> Row32 { row32(s, s.splat32(x)) }),
                [x; 8],
                "splat32 on {cpu:?}"
            );
        }
    }
}

/// Stores a row at a place that need not be aligned.
fn store_at(cpu: Cpu, words: &mut [i16], at: usize, value: Row) {
    struct Store<'a>(&'a mut Row, Row);
    impl Kernel for Store<'_> {
        type Out = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            s.store(self.0, s.load(&self.1));
        }
    }
    cpu.run(Store(words[at..].first_chunk_mut().unwrap(), value));
}

/// Loads a row from a place that need not be aligned, and stores it.
fn copied(cpu: Cpu, a: &Row) -> Row {
    struct Copied<'a>(&'a Row);
    impl Kernel for Copied<'_> {
        type Out = Row;
        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> Row {
            row(s, s.load(self.0))
        }
    }
    cpu.run(Copied(a))
}

/// [`copied`] for 32 bits.
fn copied32(cpu: Cpu, a: &Row32) -> Row32 {
    struct Copied<'a>(&'a Row32);
    impl Kernel for Copied<'_> {
        type Out = Row32;
        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> Row32 {
            row32(s, s.load32(self.0))
        }
    }
    cpu.run(Copied(a))
}

/// Wrapping sums, differences, products and comparisons of words: what every reduction is made of.
#[test]
fn arithmetic_of_words() {
    let all = pairs_of_rows;
    law!("add", all(), |s, a: Row, b| { row(s, s.add(s.load(&a), s.load(&b))) }, i16::wrapping_add);
    law!("sub", all(), |s, a: Row, b| { row(s, s.sub(s.load(&a), s.load(&b))) }, i16::wrapping_sub);
    law!("xor", all(), |s, a: Row, b| { row(s, s.xor(s.load(&a), s.load(&b))) }, |a: i16, b: i16| a ^ b);
    law!("or", all(), |s, a: Row, b| { row(s, s.or(s.load(&a), s.load(&b))) }, |a: i16, b: i16| a | b);
    law!("and", all(), |s, a: Row, b| { row(s, s.and(s.load(&a), s.load(&b))) }, |a: i16, b: i16| a & b);
    law!("eq", all(), |s, a: Row, b| { row(s, s.eq(s.load(&a), s.load(&b))) }, |a, b| if a == b {
        -1
    } else {
        0
    });
    law!("gt", all(), |s, a: Row, b| { row(s, s.gt(s.load(&a), s.load(&b))) }, |a, b| if a > b {
        -1
    } else {
        0
    });
    law!(
        "select",
        all(),
        |s, a: Row, b| {
            let (a, b) = (s.load(&a), s.load(&b));
            row(s, s.select(s.gt(a, b), a, b))
        },
        i16::max
    );
    law!(
        "select, the other way",
        all(),
        |s, a: Row, b| {
            let (a, b) = (s.load(&a), s.load(&b));
            row(s, s.select(s.gt(a, b), b, a))
        },
        i16::min
    );
    let product = |a: i16, b: i16| words(i32::from(a) * i32::from(b));
    law!("mul_lo", all(), |s, a: Row, b| { row(s, s.mul_lo(s.load(&a), s.load(&b))) }, |a, b| product(a, b)
        [0]);
    law!("mul_hi", all(), |s, a: Row, b| { row(s, s.mul_hi(s.load(&a), s.load(&b))) }, |a, b| product(a, b)
        [1]);
}

/// The rounding product of the one-word Barrett quotient, but for the one pair that it is not defined for.
#[test]
fn rounded_product() {
    let defined = |a, b| if (a, b) == (i16::MIN, i16::MIN) { (a, i16::MAX) } else { (a, b) };
    law!(
        "mul_hi_rounded",
        within(pairs_of_rows(), defined),
        |s, a: Row, b| { row(s, s.mul_hi_rounded(s.load(&a), s.load(&b))) },
        |a: i16, b: i16| (i64::from(a) * i64::from(b) + (1 << 14)).div_euclid(1 << 15) as i16
    );
}

/// The rounding shift of the exact Barrett quotient, up to the greatest operand that it is defined for.
#[test]
fn rounded_shift() {
    for_each!(K: i32 = [1 2 3 4 5 6 7 8 9 10 11 12 13 14] {
        law!(
            format!("round_shift {K}"),
            within(pairs_of_rows(), |a, b| {
                let greatest = i16::MAX - (1 << (K - 1));
                (a.min(greatest), b.min(greatest))
            }),
            |s, a: Row, b| { row(s, s.add(s.round_shift::<K>(s.load(&a)), s.round_shift::<K>(s.load(&b)))) },
            |a: i16, b: i16| {
                let rounded = |x: i16| (i64::from(x) + (1 << (K - 1))).div_euclid(1 << K) as i16;
                rounded(a).wrapping_add(rounded(b))
            }
        );
    });
}

/// The arithmetic shift rounds down, by every count.
#[test]
fn shift() {
    for_each!(K: i32 = [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
        law!(
            format!("shift_right {K}"),
            pairs_of_rows(),
            |s, a: Row, b| { row(s, s.add(s.shift_right::<K>(s.load(&a)), s.load(&b))) },
            |a: i16, b: i16| (i32::from(a).div_euclid(1 << K) as i16).wrapping_add(b)
        );
    });
}

/// The conditional negation of the sign step, which wraps at `-2^15`; at `s = 0` a CPU may give `0` or `a`,
/// and nothing else.
#[test]
fn conditional_sign() {
    for cpu in Cpu::available() {
        for (a, b) in pairs_of_rows() {
            let got = on!(cpu, |s, a: Row, b: Row| -> Row { row(s, s.apply_sign(s.load(&a), s.load(&b))) });
            for i in 0..16 {
                let allowed = match b[i].signum() {
                    1 => [a[i]; 2],
                    -1 => [a[i].wrapping_neg(); 2],
                    _ => [0, a[i]],
                };
                assert!(allowed.contains(&got[i]), "apply_sign({}, {}) = {} on {cpu:?}", a[i], b[i], got[i]);
            }
        }
    }
}

/// A signed addition is a sum, a difference, or nothing, and wraps; to sums of edge values.
#[test]
fn signed_addition() {
    for_each!(SUM: i16 = [0 1 -12289 0x7fff -0x8000] {
        law!(
            format!("add_signed to {SUM}"),
            within(pairs_of_rows(), |a, b| (a, b % 2)),
            |s, a: Row, b| { row(s, s.add_signed(s.splat(SUM), s.load(&a), s.load(&b))) },
            |a: i16, b: i16| SUM.wrapping_add(a.wrapping_mul(b))
        );
    });
}

/// The inverse of an odd `q` modulo `2^16`, by trial.
fn inverse_of_odd(q: i16) -> i16 {
    (0..=u16::MAX).map(|x| x as i16).find(|x| x.wrapping_mul(q) == 1).unwrap()
}

/// The Montgomery product by a constant: the exact quotient `(a z - t q) / 2^16`, for every modulus that a
/// word holds, and the bound that the plans count on. `z = -2^15` is left out: a constant is centred.
#[test]
fn montgomery_product() {
    for q in [3, 3329, 7681, 12289, i16::MAX] {
        let inverse = inverse_of_odd(q);
        for cpu in Cpu::available() {
            for (a, z) in within(pairs_of_rows(), |a, z| (a, z.max(-i16::MAX))) {
                let zq = z.map(|z| z.wrapping_mul(inverse));
                let got = on!(cpu, |s, a: Row, z: Row, zq: Row, q: i16| -> Row {
                    row(s, s.mul_mont(s.load(&a), s.load(&z), s.load(&zq), s.splat(q)))
                });
                for i in 0..16 {
                    let expected = exact_montgomery(a[i], z[i], zq[i], q);
                    assert_eq!(i64::from(got[i]), expected, "{} times {} modulo {q} on {cpu:?}", a[i], z[i]);
                }
            }
        }
    }
}

/// `(a z - t q) / 2^16` with `t = a zq mod 2^16`, signed; the division leaves no rest and the result is
/// within its bound.
fn exact_montgomery(a: i16, z: i16, zq: i16, q: i16) -> i64 {
    let (product, t) = (i64::from(a) * i64::from(z), i64::from(a.wrapping_mul(zq)));
    let multiple = product - t * i64::from(q);
    assert_eq!(multiple % (1 << 16), 0, "{a} {z} {zq} {q}");
    let result = multiple / (1 << 16);
    assert!(result.abs() <= product.abs() / (1 << 16) + i64::from(q) / 2 + 1, "{a} {z} {q}");
    result
}

/// `K` Montgomery products at once are the `K` products, each with its own constant.
#[test]
fn montgomery_products_together() {
    let (q, mut random) = (12289, Random::new(4));
    let inverse = inverse_of_odd(q);
    for_each!(K: usize = [1 2 3 4 8] {
        for cpu in Cpu::available() {
            for _ in 0..ROUNDS / 4 {
                let a: [Row; K] = from_fn(|_| random_row(&mut random));
                let z: [Row; K] = from_fn(|_| random_row(&mut random).map(|z| z % (q / 2)));
                let zq = z.map(|z| z.map(|z| z.wrapping_mul(inverse)));
                let got = on!(cpu, |s, a: [Row; K], z: [Row; K], zq: [Row; K], q: i16| -> [Row; K] {
                    let load = |rows: &[Row; K]| ringsmith_simd::each(|j| s.load(&rows[j]));
                    let products = s.mul_mont_n::<K>(load(&a), load(&z), load(&zq), s.splat(q));
                    ringsmith_simd::each(|j| row(s, products[j]))
                });
                let expected: [Row; K] =
                    from_fn(|j| from_fn(|i| exact_montgomery(a[j][i], z[j][i], zq[j][i], q) as i16));
                assert_eq!(got, expected, "{K} products on {cpu:?}");
            }
        }
    });
}

/// Every lane, and every byte of it, goes where the transforms' layouts say.
#[test]
fn permutations_of_words() {
    let (a, b): (Row, Row) = (from_fn(|i| 0x1100 + i as i16), from_fn(|i| -0x2200 + i as i16));
    for cpu in Cpu::available() {
        for_each!(B: usize = [1 2 4 8] {
            let got = on!(cpu, |s, a: Row, b: Row| -> [Row; 2] {
                rows(s, s.zip::<B>(s.load(&a), s.load(&b)))
            });
            assert_eq!(got.map(Vec::from), zipped(&a, &b, B), "zip {B} on {cpu:?}");
        });
        let got = on!(cpu, |s, a: Row, b: Row| -> [Row; 2] { rows(s, s.load_zip8(&a, &b)) });
        assert_eq!(got.map(Vec::from), zipped(&a, &b, 8), "load_zip8 on {cpu:?}");
        let got = on!(cpu, |s, a: Row| -> Row { row(s, s.swap_pairs(s.load(&a))) });
        assert_eq!(
            got,
            [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14].map(|i: usize| a[i]),
            "{cpu:?}"
        );
    }
}

/// Halves: eight words twice, the windows of a product modulo `x^8 - w`, and pairs spread over a half.
#[test]
fn halves() {
    let two: [Row; 2] = from_fn(|r| from_fn(|i| 0x1100 + (16 * r + i) as i16));
    for cpu in Cpu::available() {
        let [a, b] = two;
        let eight: [i16; 8] = *a[3..].first_chunk().unwrap();
        assert_eq!(
            on!(cpu, |s, eight: [i16; 8]| -> Row { row(s, s.load_twice(&eight)) }),
            from_fn(|i| eight[i % 8])
        );
        macro_rules! windows {
            ($($at:literal)*) => { $(
                let got = on!(cpu, |s, two: [Row; 2]| -> Row {
                    row(s, s.half_window::<$at>(s.load(&two[0]), s.load(&two[1])))
                });
                let expected =
                    from_fn(|i| if i % 8 + $at < 8 { a[i + $at] } else { b[i / 8 * 8 + (i % 8 + $at) % 8] });
                assert_eq!(got, expected, "a window at {} on {cpu:?}", $at);
            )* };
        }
        windows!(1 2 3 4 5 6 7 8);
        macro_rules! pairs {
            ($($k:literal)*) => { $(
                let got = on!(cpu, |s, a: Row| -> Row { row(s, s.half_pair::<$k>(s.load(&a))) });
                let expected = from_fn(|i| a[i / 8 * 8 + 2 * $k + i % 2]);
                assert_eq!(got, expected, "pair {} on {cpu:?}", $k);
            )* };
        }
        pairs!(0 1 2 3);
    }
}

/// The windows of a product of rows: every place between the first row and the second.
#[test]
fn windows_of_two_rows() {
    let two: [Row; 2] = from_fn(|r| from_fn(|i| 0x1100 + (16 * r + i) as i16));
    for cpu in Cpu::available() {
        for_each!(AT: usize = [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16] {
            let got = on!(cpu, |s, two: [Row; 2]| -> Row { row(s, s.window::<AT>(&two)) });
            assert_eq!(got, two.as_flattened()[AT..AT + 16], "window {AT} on {cpu:?}");
        });
    }
}

/// The definition of `zip` that the tests use, in words that can be read: a wrong definition would bless a
/// wrong backend.
#[test]
fn zip_in_plain_sight() {
    let (a, b) = ("abcdefghijklmnop", "ABCDEFGHIJKLMNOP");
    let texts =
        |block| zipped(a.as_bytes(), b.as_bytes(), block).map(|part| String::from_utf8(part).unwrap());
    assert_eq!(texts(1), ["aAbBcCdDiIjJkKlL", "eEfFgGhHmMnNoOpP"]);
    assert_eq!(texts(2), ["abABcdCDijIJklKL", "efEFghGHmnMNopOP"]);
    assert_eq!(texts(4), ["abcdABCDijklIJKL", "efghEFGHmnopMNOP"]);
    assert_eq!(texts(8), ["abcdefghABCDEFGH", "ijklmnopIJKLMNOP"]);
}

/// A pair in every pair of lanes, from memory and from a prepared row: the base product's broadcasts.
#[test]
fn broadcast_pairs() {
    let a: Row = from_fn(|i| 0x1100 + 0x101 * i as i16);
    for cpu in Cpu::available() {
        for_each!(K: usize = [0 1 2 3 4 5 6 7] {
            let expected: Row = from_fn(|i| a[2 * K + i % 2]);
            let got = on!(cpu, |s, a: Row| -> Row { row(s, s.pair::<K>(&a, s.pairs(&a))) });
            assert_eq!(got, expected, "pair {K} on {cpu:?}");
            let got = on!(cpu, |s, a: Row| -> Row { row(s, s.splat_pair(&[a[2 * K], a[2 * K + 1]])) });
            assert_eq!(got, expected, "splat_pair {K} on {cpu:?}");
        });
    }
}

/// Sums of pairs of products, four long, wrapped in 32 bits (four edge pairs of `-2^15` do wrap), and split
/// in words in natural order: the inner loop of every base product and convolution.
#[test]
fn sums_of_pairs() {
    let operands = pairs_of_rows();
    for cpu in Cpu::available() {
        let least = ([i16::MIN; 16], [i16::MIN; 16]);
        for terms in operands.windows(8).map(|terms| from_fn(|j| terms[j])).chain([[least; 8]]) {
            let got = on!(cpu, |s, terms: [(Row, Row); 8]| -> [Row; 2] {
                let mut sums = [s.acc_zero(); 2];
                let mut j = 0;
                while j < 8 {
                    sums[j % 2] = s.madd_pairs(sums[j % 2], s.load(&terms[j].0), s.load(&terms[j].1));
                    j += 1;
                }
                rows(s, s.even_odd(sums[0], sums[1]))
            });
            let sums: [i32; 16] = from_fn(|i| sum_of_pairs(&terms, i));
            let expected: [Row; 2] = from_fn(|part| from_fn(|i| words(sums[i])[part]));
            assert_eq!(got, expected, "{terms:?} on {cpu:?}");
        }
    }
}

/// A row of coefficients, swapped in pairs, times the words of two rows: `sum_j c_j w[16 + t - j]` at place
/// `t`, added to what is there.
#[test]
fn products_with_windows() {
    let mut random = Random::new(16);
    let least = ([i16::MIN; 16], [[i16::MIN; 16]; 2]);
    let random = (0..ROUNDS).map(|_| (random_row(&mut random), from_fn(|_| random_row(&mut random))));
    for (c, two) in random.chain([least]) {
        for cpu in Cpu::available() {
            let got = on!(cpu, |s, c: Row, two: [Row; 2]| -> [Row; 2] {
                let (mut sums, mut swapped) = ([s.acc_zero(); 2], [0; 16]);
                s.store(&mut swapped, s.swap_pairs(s.load(&c)));
                s.madd_windows(&mut sums, &swapped, &two);
                s.madd_windows(&mut sums, &swapped, &two);
                rows(s, s.even_odd(sums[0], sums[1]))
            });
            let w = two.as_flattened();
            let place =
                |t: usize| (0..16).map(|j| 2 * i64::from(c[j]) * i64::from(w[16 + t - j])).sum::<i64>();
            let expected: [Row; 2] = from_fn(|part| from_fn(|t| words(place(t) as i32)[part]));
            assert_eq!(got, expected, "{c:?} with {two:?} on {cpu:?}");
        }
    }
}

/// The same in words alone.
#[test]
fn products_with_windows_in_words() {
    let mut random = Random::new(18);
    for _ in 0..ROUNDS {
        let (c, two): (Row, [Row; 2]) = (random_row(&mut random), from_fn(|_| random_row(&mut random)));
        let w = two.as_flattened();
        let place = |t: usize| (0..16).map(|j| 2 * i64::from(c[j]) * i64::from(w[16 + t - j])).sum::<i64>();
        for cpu in Cpu::available() {
            let got = on!(cpu, |s, c: Row, two: [Row; 2]| -> Row {
                let (mut sums, mut operand, mut out) = ([s.acc_zero(); 2], [0; 16], [0; 16]);
                s.store(&mut operand, s.word_operand(s.load(&c)));
                s.mac_words(&mut sums, &operand, &two);
                s.mac_words(&mut sums, &operand, &two);
                s.store(&mut out, s.word_sums(sums));
                out
            });
            assert_eq!(got, from_fn(|t| place(t) as i16), "{c:?} with {two:?} on {cpu:?}");
        }
    }
}

/// One row with the words of twice two: as one after the other.
#[test]
fn products_with_more_windows() {
    let mut random = Random::new(17);
    for _ in 0..ROUNDS {
        let (a, two): (Row, [[Row; 2]; 2]) =
            (random_row(&mut random), from_fn(|_| from_fn(|_| random_row(&mut random))));
        for cpu in Cpu::available() {
            let got = on!(cpu, |s, a: Row, two: [[Row; 2]; 2]| -> [[Row; 2]; 2] {
                let mut sums = [[s.acc_zero(); 2]; 2];
                s.madd_windows_n(&mut sums, &a, &two);
                sums.map(|sums| rows(s, s.even_odd(sums[0], sums[1])))
            });
            let expected = two.map(|two| {
                on!(cpu, |s, a: Row, two: [Row; 2]| -> [Row; 2] {
                    let mut sums = [s.acc_zero(); 2];
                    s.madd_windows(&mut sums, &a, &two);
                    rows(s, s.even_odd(sums[0], sums[1]))
                })
            });
            assert_eq!(got, expected, "{a:?} with {two:?} on {cpu:?}");
        }
    }
}

/// Sum `i`: even places from the terms of even number, odd places from the others.
fn sum_of_pairs(terms: &[(Row, Row)], i: usize) -> i32 {
    let product = |a: &Row, b: &Row, at: usize| i64::from(a[at]) * i64::from(b[at]);
    let pair = |(a, b): &(Row, Row)| product(a, b, i & !1) + product(a, b, i | 1);
    terms.iter().skip(i % 2).step_by(2).map(pair).sum::<i64>() as i32
}
