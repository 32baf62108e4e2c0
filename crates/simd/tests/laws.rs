//! The laws of the lanes: every operation of every backend of this machine, against its definition in plain arithmetic.
//!
//! The definitions are written out here once more, so the scalar backend is held to them like any other. Operands are all
//! pairs of the edge values of a lane, then random ones; where an operation is defined on a part of the words only, the
//! operands are mapped into that part.

use ringsmith_simd::{Cpu, CpuError, Kernel, Row, Row32, Simd, Step};
use std::array::from_fn;

/// Runs an expression as a kernel: `on!(cpu, |s, a: Row| -> Row { .. })`. The operands are variables of these names.
macro_rules! on {
    ($cpu:expr, |$s:ident $(, $operand:ident: $ty:ty)*| -> $out:ty $body:block) => {{
        #[derive(Clone, Copy)]
        struct Operation { $($operand: $ty),* }
        impl Kernel for Operation {
            type Out = $out;
            #[inline(always)]
            fn run<S: Simd>(self, $s: S) -> $out {
                let Operation { $($operand),* } = self;
                $body
            }
        }
        $cpu.run(Operation { $($operand),* })
    }};
}

/// Repeats a block with a constant of each value: `for_each!(K: i32 = [1 2 3] { .. })`.
macro_rules! for_each {
    ($k:ident: $ty:ty = [$($value:literal)*] $body:block) => {
        $({
            const $k: $ty = $value;
            $body
        })*
    };
}

/// Holds a function of two rows to its definition in each lane, on every backend and all operands.
macro_rules! law {
    ($name:expr, $operands:expr, |$s:ident, $a:ident: $ty:ty, $b:ident| $body:block, $definition:expr) => {{
        let operands = $operands;
        for cpu in Cpu::available() {
            for &($a, $b) in &operands {
                let got = on!(cpu, |$s, $a: $ty, $b: $ty| -> $ty { $body });
                let expected: $ty = from_fn(|i| $definition($a[i], $b[i]));
                assert_eq!(got, expected, "{} on {cpu:?} of {:?} and {:?}", $name, $a, $b);
            }
        }
    }};
}

#[inline(always)]
fn row<S: Simd>(s: S, v: S::I16) -> Row {
    let mut out = [0; 16];
    s.store(&mut out, v);
    out
}

#[inline(always)]
fn row32<S: Simd>(s: S, v: S::I32) -> Row32 {
    let mut out = [0; 8];
    s.store32(&mut out, v);
    out
}

#[inline(always)]
fn rows<S: Simd>(s: S, v: (S::I16, S::I16)) -> [Row; 2] {
    [row(s, v.0), row(s, v.1)]
}

#[inline(always)]
fn rows32<S: Simd>(s: S, v: (S::I32, S::I32)) -> [Row32; 2] {
    [row32(s, v.0), row32(s, v.1)]
}

/// A generator that needs no dependency: xorshift.
struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn row(&mut self) -> Row {
        from_fn(|_| (self.next() >> 24) as i16)
    }
    fn row32(&mut self) -> Row32 {
        from_fn(|_| (self.next() >> 24) as i32)
    }
}

const ROUNDS: usize = if cfg!(miri) { 4 } else { 400 };

/// The ends of a word and of a byte, both signs, moduli, and bit patterns.
const EDGES: Row = [
    0,
    1,
    -1,
    i16::MIN,
    i16::MAX,
    i16::MIN + 1,
    i16::MAX - 1,
    0xff,
    0x100,
    -0x100,
    0x4000,
    -0x4000,
    3329,
    -12289,
    0x5555,
    -0x5556,
];

/// The same of a double word; `1 << 16` and around it where its words meet.
const EDGES32: Row32 = [0, 1, -1, i32::MIN, i32::MAX, 0x8000, -0x8001, 0x1_0000];

/// All pairs of edges, each in several lanes, and random rows.
fn pairs_of_rows() -> Vec<(Row, Row)> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let places = if cfg!(miri) { 1 } else { 16 };
    let edges = (0..places).flat_map(|at| (0..16).map(move |turn| (at, turn)));
    let edges =
        edges.map(|(at, turn)| (from_fn(|i| EDGES[(i + at) % 16]), from_fn(|i| EDGES[(i + at + turn) % 16])));
    let drawn: Vec<_> = (0..ROUNDS).map(|_| (random.row(), random.row())).collect();
    edges.chain(drawn).collect()
}

/// The same in lanes of 32 bits.
fn pairs_of_rows32() -> Vec<(Row32, Row32)> {
    let mut random = Random(0xd1b5_4a32_d192_ed03);
    let places = if cfg!(miri) { 1 } else { 8 };
    let edges = (0..places).flat_map(|at| (0..8).map(move |turn| (at, turn)));
    let edges = edges
        .map(|(at, turn)| (from_fn(|i| EDGES32[(i + at) % 8]), from_fn(|i| EDGES32[(i + at + turn) % 8])));
    let drawn: Vec<_> = (0..ROUNDS).map(|_| (random.row32(), random.row32())).collect();
    edges.chain(drawn).collect()
}

/// Operands of a partial operation: all those above, mapped into its domain.
fn within<T: Copy, const N: usize>(
    operands: Vec<([T; N], [T; N])>,
    domain: fn(T, T) -> (T, T),
) -> Vec<([T; N], [T; N])> {
    let into =
        |(a, b): ([T; N], [T; N])| (from_fn(|i| domain(a[i], b[i]).0), from_fn(|i| domain(a[i], b[i]).1));
    operands.into_iter().map(into).collect()
}

/// The low and the high word.
fn words(x: i32) -> [i16; 2] {
    [x as i16, (x >> 16) as i16]
}

/// Blocks of `block` elements of `a` and `b` in turn, cut in the middle.
fn interleave<T: Copy>(a: &[T], b: &[T], block: usize) -> [Vec<T>; 2] {
    let blocks = a.chunks(block).zip(b.chunks(block));
    let all: Vec<T> = blocks.flat_map(|(a, b)| [a, b].concat()).collect();
    let (first, second) = all.split_at(a.len());
    [first.to_vec(), second.to_vec()]
}

/// `zip`: interleaved within each half; blocks of half a row, in the row as a whole.
fn zipped<T: Copy>(a: &[T], b: &[T], block: usize) -> [Vec<T>; 2] {
    let half = a.len() / 2;
    if block == half {
        return interleave(a, b, block);
    }
    let low = interleave(&a[..half], &b[..half], block);
    let high = interleave(&a[half..], &b[half..], block);
    from_fn(|part| [&low[part][..], &high[part]].concat())
}

/// Layout: lane `i` is element `i`, at any alignment, in loads, stores and constants.
#[test]
fn loads_and_stores_keep_the_order() {
    let flat: [i16; 40] = from_fn(|i| (257 * i as i16) ^ -0x7f00);
    let flat32: [i32; 24] = from_fn(|i| (0x0101_0101 * i as i32) ^ -0x7fff_ff00);
    for cpu in Cpu::available() {
        for at in 0..flat.len() - 15 {
            let mut copy = flat;
            let got = on!(cpu, |s, flat: [i16; 40], at: usize| -> Row { row(s, s.load_from(&flat, at)) });
            assert_eq!(got, flat[at..at + 16], "load_from {at} on {cpu:?}");
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

/// Memory safety: `load_from` past the end panics rather than read it, one word too far already.
#[test]
#[should_panic]
fn load_from_past_the_end_panics() {
    let (short, at) = ([0; 31], 16);
    on!(Cpu::detect(), |s, short: [i16; 31], at: usize| -> Row { row(s, s.load_from(&short, at)) });
}

/// Wrapping sums, differences, products and comparisons of words: what every reduction is made of.
#[test]
fn arithmetic_of_words() {
    let all = pairs_of_rows;
    law!("add", all(), |s, a: Row, b| { row(s, s.add(s.load(&a), s.load(&b))) }, i16::wrapping_add);
    law!("sub", all(), |s, a: Row, b| { row(s, s.sub(s.load(&a), s.load(&b))) }, i16::wrapping_sub);
    law!("and", all(), |s, a: Row, b| { row(s, s.and(s.load(&a), s.load(&b))) }, |a: i16, b: i16| a & b);
    law!("gt", all(), |s, a: Row, b| { row(s, s.gt(s.load(&a), s.load(&b))) }, |a, b| if a > b {
        -1
    } else {
        0
    });
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
            within(pairs_of_rows(), |a, b| (a.min(i16::MAX - (1 << (K - 1))), b.min(i16::MAX - (1 << (K - 1))))),
            |s, a: Row, b| { row(s, s.add(s.round_shift::<K>(s.load(&a)), s.round_shift::<K>(s.load(&b)))) },
            |a: i16, b: i16| {
                let rounded = |x: i16| (i64::from(x) + (1 << (K - 1))).div_euclid(1 << K) as i16;
                rounded(a).wrapping_add(rounded(b))
            }
        );
    });
}

/// The conditional negation of the sign step, which wraps at `-2^15`; at `s = 0` a CPU may give `0` or `a`, and nothing else.
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

/// The inverse of an odd `q` modulo `2^16`, by trial.
fn inverse_of_odd(q: i16) -> i16 {
    (0..=u16::MAX).map(|x| x as i16).find(|x| x.wrapping_mul(q) == 1).unwrap()
}

/// The Montgomery product by a constant: the exact quotient `(a z - t q) / 2^16`, for every modulus that a word holds, and the
/// bound that the plans count on. `z = -2^15` is left out: a constant is centred.
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

/// `(a z - t q) / 2^16` with `t = a zq mod 2^16`, signed; the division leaves no rest and the result is within its bound.
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
    let (q, mut random) = (12289, Random(0x2545_f491_4f6c_dd1d));
    let inverse = inverse_of_odd(q);
    for_each!(K: usize = [1 2 3 4 8] {
        for cpu in Cpu::available() {
            for _ in 0..ROUNDS / 4 {
                let a: [Row; K] = from_fn(|_| random.row());
                let z: [Row; K] = from_fn(|_| random.row().map(|z| z % (q / 2)));
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
            let got = on!(cpu, |s, a: Row, b: Row| -> [Row; 2] { rows(s, s.zip::<B>(s.load(&a), s.load(&b))) });
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

/// The definition of `zip` that the tests use, in words that can be read: a wrong definition would bless a wrong backend.
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

/// Sums of pairs of products, four long, wrapped in 32 bits (four edge pairs of `-2^15` do wrap), and split in words in
/// natural order: the inner loop of every base product and convolution.
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

/// Sum `i`: even places from the terms of even number, odd places from the others.
fn sum_of_pairs(terms: &[(Row, Row)], i: usize) -> i32 {
    let product = |a: &Row, b: &Row, at: usize| i64::from(a[at]) * i64::from(b[at]);
    let pair = |(a, b): &(Row, Row)| product(a, b, i & !1) + product(a, b, i | 1);
    terms.iter().skip(i % 2).step_by(2).map(pair).sum::<i64>() as i32
}

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

/// The order of the backends: the best first, the one that every machine has last, none twice.
#[test]
fn backends_are_listed_best_first() {
    let names: Vec<_> = Cpu::available().map(Cpu::name).collect();
    assert_eq!(names.last(), Some(&"scalar"));
    assert_eq!(Some(Cpu::detect()), Cpu::available().next());
    let known = ["avx2", "sse2", "neon", "scalar"];
    let places: Vec<_> = names.iter().map(|name| known.iter().position(|k| k == name).expect(name)).collect();
    assert!(places.is_sorted_by(|a, b| a < b), "{names:?}");
    assert_eq!(names.contains(&"sse2"), cfg!(target_arch = "x86_64"));
    assert_eq!(names.contains(&"neon"), cfg!(all(target_arch = "aarch64", target_endian = "little")));
}

/// A kernel runs on the backend that it was given to, and that backend says what it prefers.
#[test]
fn kernels_run_where_they_are_sent() {
    struct Who;
    impl Kernel for Who {
        type Out = (&'static str, Step, bool);
        #[inline(always)]
        fn run<S: Simd>(self, _: S) -> Self::Out {
            (S::NAME, S::STEP, S::HAS_ROUNDED_PRODUCT)
        }
    }
    for cpu in Cpu::available() {
        let (name, step, rounded) = cpu.run(Who);
        assert_eq!(name, cpu.name());
        assert_eq!(step, if name == "neon" { Step::Barrett } else { Step::Sign }, "{name}");
        assert_eq!(rounded, name == "avx2" || name == "neon", "{name}");
    }
}

/// A backend by name, or an error that says which there are: never another backend in silence.
#[test]
fn names_are_exact() {
    for cpu in Cpu::available() {
        assert_eq!(Cpu::from_name(cpu.name()), Ok(cpu));
        assert_eq!(format!("{cpu:?}"), cpu.name());
    }
    for wrong in ["", "AVX2", "avx", "avx512", " scalar", "scalar\n"] {
        assert_eq!(Cpu::from_name(wrong), Err(CpuError::Unknown), "{wrong:?}");
    }
    assert_eq!(CpuError::Unknown.to_string(), "no such CPU backend; there are: scalar, sse2, avx2, neon");
}

/// A backend that exists elsewhere: the error names it, and lists what there is here.
#[test]
fn missing_backends_are_named() {
    let here: Vec<_> = Cpu::available().map(Cpu::name).collect();
    for name in ["scalar", "sse2", "avx2", "neon"].into_iter().filter(|name| !here.contains(name)) {
        let error = Cpu::from_name(name).unwrap_err();
        assert_eq!(error, CpuError::Missing(name));
        assert_eq!(error.to_string(), format!("this machine has no {name}; it has: {}", here.join(", ")));
    }
}

/// `RINGSMITH_CPU` chooses the backend, and a wrong value is an error. In processes of their own, because a variable of this
/// one belongs to all tests; not under emulation, which cannot start processes.
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
#[test]
fn environment_chooses() {
    const EXPECTED: &str = "RINGSMITH_TEST_EXPECTED";
    let outcome =
        |chosen: Result<Cpu, CpuError>| chosen.map_or_else(|e| e.to_string(), |cpu| cpu.name().to_string());
    if let Ok(expected) = std::env::var(EXPECTED) {
        assert_eq!(outcome(Cpu::from_env()), expected);
        return;
    }
    let values =
        ["scalar", "sse2", "avx2", "neon", "", "fastest"].map(|name| (Some(name), Cpu::from_name(name)));
    for (value, chosen) in values.into_iter().chain([(None, Ok(Cpu::detect()))]) {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child
            .args(["--exact", "environment_chooses"])
            .env(EXPECTED, outcome(chosen))
            .env_remove("RINGSMITH_CPU");
        let child = value.iter().fold(&mut child, |child, value| child.env("RINGSMITH_CPU", value));
        let output = child.output().unwrap();
        assert!(
            output.status.success(),
            "RINGSMITH_CPU={value:?}: {}",
            String::from_utf8_lossy(&output.stdout)
        );
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "the child ran no test");
    }
}
