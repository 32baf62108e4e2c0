//! Vectors of two rows of lanes of 32 bits: one register of AVX-512, and two vectors of every token.

use crate::support::*;
use ringsmith_oracle::Random;
use ringsmith_simd::{Cpu, Kernel, Line32, Row32, RowsApart, Simd, TwoRowLanes, WideLanes};
use std::array::from_fn;

type Two = [Row32; 2];

/// What is computed on two rows.
trait OnTwoRows: Copy {
    type Out;
    fn on<V: TwoRowLanes>(self, v: V) -> Self::Out;
}

struct Both<T>(T);

impl<T: OnTwoRows> Kernel for Both<T> {
    /// Of two vectors; and of one register, where there is one.
    type Out = (T::Out, Option<T::Out>);
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        (self.0.on(RowsApart(s)), None)
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, s: S, w: W) -> Self::Out {
        (self.0.on(RowsApart(s)), Some(self.0.on(w)))
    }
}

/// The results of all backends, and what they are of.
fn results<T: OnTwoRows>(operation: T) -> impl Iterator<Item = (String, T::Out)> {
    Cpu::available().flat_map(move |cpu| {
        let (apart, together) = cpu.run(Both(operation));
        assert_eq!(together.is_some(), cpu.name() == "avx512", "{cpu:?} has one register for two rows");
        let together = together.map(|together| (format!("{cpu:?}, together"), together));
        [(format!("{cpu:?}, apart"), apart)].into_iter().chain(together)
    })
}

#[inline(always)]
fn stored<V: TwoRowLanes>(v: V, lanes: V::Lanes) -> Two {
    let [mut first, mut second] = [[0; 8]; 2];
    v.store_rows([&mut first, &mut second], lanes);
    [first, second]
}

#[inline(always)]
fn loaded<V: TwoRowLanes>(v: V, rows: &Two) -> V::Lanes {
    v.load_rows([&rows[0], &rows[1]])
}

/// A lane of each row.
fn by_lane(mut f: impl FnMut(usize, usize) -> i32) -> Two {
    from_fn(|r| from_fn(|i| f(r, i)))
}

/// The pairs of rows that other laws take, two by two.
fn operands() -> Vec<[Two; 2]> {
    let pairs = pairs_of_rows32();
    let next = pairs.iter().cycle().skip(5);
    pairs.iter().zip(next).map(|((a, b), (c, d))| [[*a, *c], [*b, *d]]).collect()
}

/// Rows that stand together, or each in its place, in and out.
#[derive(Clone, Copy)]
struct Memory(Two);

impl OnTwoRows for Memory {
    type Out = [Two; 6];
    fn on<V: TwoRowLanes>(self, v: V) -> [Two; 6] {
        let (rows, lines) = (self.0, self.0.map(Line32));
        let (mut out, mut first) = ([Line32([7; 8]); 2], [[7; 8]; 2]);
        v.store_lines(&mut out, loaded(v, &rows));
        v.store_row(&mut first[0], loaded(v, &rows));
        [
            stored(v, v.load_lines(&lines)),
            out.map(|line| line.0),
            first,
            stored(v, v.load_row(&rows[0])),
            stored(v, v.splat_lanes(rows[0][3])),
            stored(v, v.splat_rows([rows[0][3], rows[1][4]])),
        ]
    }
}

/// Loads and stores keep the lanes in their places and write no other row.
#[test]
fn rows_in_memory() {
    for [rows, _] in operands() {
        let ([first, second], splat) = (rows, |x: i32| [x; 8]);
        let (x, y) = (splat(first[3]), splat(second[4]));
        let expected = [rows, rows, [first, splat(7)], [first, splat(0)], [x, x], [x, y]];
        for (how, got) in results(Memory(rows)) {
            assert_eq!(got, expected, "{how}, of {rows:?}");
        }
    }
}

/// Operations lane by lane.
#[derive(Clone, Copy)]
struct Lanes([Two; 2]);

impl OnTwoRows for Lanes {
    type Out = [Two; 7];
    fn on<V: TwoRowLanes>(self, v: V) -> [Two; 7] {
        let (a, b) = (loaded(v, &self.0[0]), loaded(v, &self.0[1]));
        let (word, half) = (v.splat_lanes(0x7fff), v.splat_lanes(0x4000));
        let signed = v.sub_lanes(v.and_lanes(b, word), half);
        [
            v.add_lanes(a, b),
            v.sub_lanes(a, b),
            v.and_lanes(a, b),
            v.least_lanes(a, b),
            v.shift_right_lanes::<1>(a),
            v.shift_right_lanes::<31>(a),
            v.multiply_words(v.and_lanes(a, word), signed),
        ]
        .map(|lanes| stored(v, lanes))
    }
}

/// Sums, differences, bits, the lesser without a sign, shifts with one, and products of words.
#[test]
fn lanes_of_two_rows() {
    for [a, b] in operands() {
        let of = |f: fn(i32, i32) -> i32| by_lane(|r, i| f(a[r][i], b[r][i]));
        let expected = [
            of(i32::wrapping_add),
            of(i32::wrapping_sub),
            of(|a, b| a & b),
            of(|a, b| (a as u32).min(b as u32) as i32),
            of(|a, _| a >> 1),
            of(|a, _| a >> 31),
            of(|a, b| (a & 0x7fff) * ((b & 0x7fff) - 0x4000)),
        ];
        for (how, got) in results(Lanes([a, b])) {
            assert_eq!(got, expected, "{how}, of {a:?} and {b:?}");
        }
    }
}

/// `p^-1` modulo `2^32`.
fn inverse(p: i32) -> i32 {
    (0..5).fold(p, |x, _| x.wrapping_mul(2_i32.wrapping_sub(p.wrapping_mul(x))))
}

/// Odd moduli, each lane its own.
const MODULI: Two = [
    [3, 5, 257, 12289, 49_201_153, 1_073_479_681, 7, 8_380_417],
    [1_068_236_801, 17, 3329, 65537, 9, 40961, (1 << 30) - 35, 1],
];

/// `a b`, `b b`, `2 a b - b b`: reduced, and in parts.
#[derive(Clone, Copy)]
struct Products([Two; 2]);

impl OnTwoRows for Products {
    type Out = [Two; 5];
    fn on<V: TwoRowLanes>(self, v: V) -> [Two; 5] {
        let (a, b) = (loaded(v, &self.0[0]), loaded(v, &self.0[1]));
        let (p, inverses) = (loaded(v, &MODULI), loaded(v, &MODULI.map(|row| row.map(inverse))));
        let (product, square) = (v.multiply_lanes(a, b), v.multiply_lanes(b, b));
        let sum = v.sub_products(v.add_products(product, product), square);
        let (low, high) = v.split_products::<14>(sum);
        let (_, top) = v.split_products::<31>(square);
        let reduced = [product, sum].map(|x| v.montgomery(x, p, inverses));
        [reduced[0], reduced[1], low, high, top].map(|lanes| stored(v, lanes))
    }
}

/// Full products and their sums, modulo `2^64`, by the definitions of their reduction and of their parts.
#[test]
fn products_of_two_rows() {
    for [a, b] in operands() {
        let wide = |r: usize, i: usize| [i64::from(a[r][i]), i64::from(b[r][i])];
        let product = |r, i| wide(r, i)[0] * wide(r, i)[1];
        let square = |r, i| wide(r, i)[1] * wide(r, i)[1];
        let sum = |r, i| product(r, i).wrapping_mul(2).wrapping_sub(square(r, i));
        let reduced = |x: i64, p: i32| {
            let m = (x as i32).wrapping_mul(inverse(p));
            (x.wrapping_sub(i64::from(m) * i64::from(p)) >> 32) as i32
        };
        let expected = [
            by_lane(|r, i| reduced(product(r, i), MODULI[r][i])),
            by_lane(|r, i| reduced(sum(r, i), MODULI[r][i])),
            by_lane(|r, i| sum(r, i) as i32),
            by_lane(|r, i| (sum(r, i) >> 14) as i32),
            by_lane(|r, i| (square(r, i) >> 31) as i32),
        ];
        for (how, got) in results(Products([a, b])) {
            assert_eq!(got, expected, "{how}, of {a:?} and {b:?}");
        }
    }
}

/// Steps towards 0 of lanes by a modulus.
#[derive(Clone, Copy)]
struct Steps(Two, i32);

impl OnTwoRows for Steps {
    type Out = Two;
    fn on<V: TwoRowLanes>(self, v: V) -> Two {
        stored(v, v.step(loaded(v, &self.0), v.splat_lanes(self.1)))
    }
}

/// A step takes `p` off what is positive and adds it to what is negative, in `[-2 p, 2 p]`.
#[test]
fn steps_of_two_rows() {
    let mut random = Random::new(11);
    for p in [3, 12289, 1_073_479_681, (1 << 30) - 35] {
        let ends = [0, 1, -1, p, -p, 2 * p, -2 * p, p + 1, -p - 1, 2 * p - 1, 1 - 2 * p, p - 1];
        let any = |x: u64| (x % (4 * p as u64 + 1)) as i64 - 2 * i64::from(p);
        for _ in 0..ROUNDS {
            let a: Two = from_fn(|_| {
                from_fn(|_| ends.get((random.word() % 16) as usize).map_or(any(random.word()) as i32, |x| *x))
            });
            for (how, got) in results(Steps(a, p)) {
                let is_right = |a: i32, b: i32| match a.signum() {
                    0 => [0, p, -p].contains(&b),
                    sign => b == a - sign * p,
                };
                let all = a.as_flattened().iter().zip(got.as_flattened());
                assert!(all.clone().all(|(a, b)| is_right(*a, *b)), "{how}, of {a:?} by {p}: {got:?}");
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Transpose([Two; 8]);

impl OnTwoRows for Transpose {
    type Out = [Two; 8];
    fn on<V: TwoRowLanes>(self, v: V) -> [Two; 8] {
        v.transpose_lanes(self.0.map(|rows| loaded(v, &rows))).map(|lanes| stored(v, lanes))
    }
}

/// Each row of eight vectors becomes columns by itself.
#[test]
fn two_rows_become_columns() {
    let x: [Two; 8] = from_fn(|j| by_lane(|r, i| (100 * r + 10 * j + i) as i32));
    let expected: [Two; 8] = from_fn(|i| by_lane(|r, j| x[j][r][i]));
    for (how, got) in results(Transpose(x)) {
        assert_eq!(got, expected, "{how}");
    }
}

/// Products of lanes by constants of their own, with quotients: the lanes, `z` and `z'`, and `p`.
#[derive(Clone, Copy)]
struct Times {
    a: Two,
    z: Two,
    quotients: Two,
    p: i32,
}

impl OnTwoRows for Times {
    /// By factors of each lane, and by those of lane 0 of each row.
    type Out = [Two; 2];
    fn on<V: TwoRowLanes>(self, v: V) -> [Two; 2] {
        let (a, p, masks) = (loaded(v, &self.a), v.splat_lanes(self.p), v.lane_masks());
        let by_lane = v.lane_factors([loaded(v, &self.z), loaded(v, &self.quotients)]);
        let by_row = v.splat_factors([0, 1].map(|r| [self.z[r][0], self.quotients[r][0]]), masks);
        [by_lane, by_row].map(|factors| stored(v, v.times_lanes(a, factors, p, masks)))
    }
}

/// A constant of a lane, and the one that a result of `Times` is by.
fn of_result(two: &Two, result: usize, r: usize, i: usize) -> u64 {
    (two[r][if result == 0 { i } else { 0 }] as u32).into()
}

/// The low 32 bits of `a z - t p`, where `t = floor(a z' / 2^32)`: for numbers of any size.
#[test]
fn products_by_any_constants() {
    let mut random = Random::new(12);
    for [a, z] in operands() {
        let quotients: Two = by_lane(|r, i| if i % 2 == 0 { random.word() as i32 } else { a[1 - r][i] });
        let (p, all) = (random.word() as i32, [&a, &z, &quotients].map(|two| *two));
        for (how, got) in results(Times { a, z, quotients, p }) {
            let expected: [Two; 2] = from_fn(|result| {
                by_lane(|r, i| {
                    let a = u64::from(a[r][i] as u32);
                    let (z, quotient) = (of_result(&z, result, r, i), of_result(&quotients, result, r, i));
                    let t = (a * quotient) >> 32;
                    a.wrapping_mul(z).wrapping_sub(t.wrapping_mul(u64::from(p as u32))) as i32
                })
            });
            assert_eq!(got, expected, "{how}, of {all:?} and {p}");
        }
    }
}

/// Lanes of any size: the ends, those whose product by `z` is next to a multiple of `p`, and random ones.
fn worst_lane(random: &mut Random, quotient: u64) -> i32 {
    let draw = random.word();
    // `a z` is next to `k p` where `a` is next to `2^32 k / z'`.
    let beside = ((draw >> 32 << 32) / quotient.max(1)) as u32;
    let ends = [0, 1, u32::MAX, u32::MAX - 1, 1 << 31, beside, beside.wrapping_add(1)];
    ends.get((random.word() % 12) as usize).map_or(draw as i32, |lane| *lane as i32)
}

/// With `z' = floor(2^32 z / p)` results are the products modulo `p`, and below `(1 + a / 2^32) p`: for every
/// lane, constants from 1 to `p - 1`, and primes from the least to the greatest.
#[test]
fn products_by_quotients() {
    let mut random = Random::new(13);
    for p in [3_u64, 257, 12289, 49_201_153, 1_073_479_681, (1 << 30) - 35, (1 << 31) - 1] {
        for _ in 0..ROUNDS {
            let ends = [1, p - 1, p / 2, 2];
            let constant = |x: u64| ends.get((x % 8) as usize).map_or((x >> 3) % (p - 1) + 1, |z| *z);
            let z = by_lane(|_, _| constant(random.word()) as i32);
            let quotients = z.map(|row| row.map(|z| (((z as u64) << 32) / p) as i32));
            let a = by_lane(|r, i| worst_lane(&mut random, (quotients[r][i] as u32).into()));
            for (how, got) in results(Times { a, z, quotients, p: p as i32 }) {
                for (result, r, i) in (0..32).map(|k| (k / 16, k / 8 % 2, k % 8)) {
                    let (t, a) = (u64::from(got[result][r][i] as u32), u64::from(a[r][i] as u32));
                    let z = of_result(&z, result, r, i);
                    assert_eq!(t % p, a * z % p, "{how}, of {a} by {z} modulo {p}");
                    let (below, limit) = (u128::from(t) << 32, ((1 << 32) + u128::from(a)) * u128::from(p));
                    assert!(below < limit && t < 2 * p, "{how}, of {a} by {z} modulo {p}: {t}");
                }
            }
        }
    }
}
