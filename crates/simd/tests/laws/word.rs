//! Lanes of 64 bits that multiply numbers of 52, and of 64.

use crate::support::*;
use ringsmith_simd::{Cpu, Kernel, Simd, WideLanes, WideRow, WordLanes, factor64};
use std::array::from_fn;

const LOW: u64 = (1 << 52) - 1;

/// What is added to, and the factors.
type Operands = [WideRow; 3];

/// Every operation on three rows.
struct All(Operands);

/// The operations, on a token or on the wide lanes beside it.
#[inline(always)]
fn all<W: WordLanes>(w: W, rows: &Operands) -> [WideRow; 13] {
    let mut out = [[0; 8]; 13];
    for piece in 0..W::PIECES {
        for (row, result) in out.iter_mut().zip(pieces(w, rows, piece)) {
            w.store_words(row, piece, result);
        }
    }
    out
}

/// The same on a piece of each row.
#[inline(always)]
fn pieces<W: WordLanes>(w: W, rows: &Operands, piece: usize) -> [W::Words; 13] {
    let [c, a, b] = rows.map(
        #[inline(always)]
        |row| w.load_words(&row, piece),
    );
    let half = w.splat_words(u64::MAX >> 1);
    let halved = w.and_words(b, half);
    [
        w.add_words(a, b),
        w.sub_words(a, b),
        w.or_words(a, b),
        w.and_words(a, b),
        w.sub_if_words(w.and_words(a, half), halved),
        w.sub_if_words(w.add_words(w.and_words(a, half), halved), halved),
        w.madd_low52(c, a, b),
        w.madd_high52(c, a, b),
        w.madd_low32(c, a, b),
        w.top_words(a),
        w.splat_words(rows[0][0]),
        w.low64(a, b),
        w.high64(a, b),
    ]
}

impl Kernel for All {
    type Out = [WideRow; 13];
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        all(s, &self.0)
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, _: S, w: W) -> Self::Out {
        all(w, &self.0)
    }
}

/// What they are.
fn definitions([c, a, b]: &Operands) -> [WideRow; 13] {
    let lanes = |f: &dyn Fn(u64, u64) -> u64| from_fn(|i| f(a[i], b[i]));
    let half = u64::MAX >> 1;
    let product = |i: usize| u128::from(a[i] & LOW) * u128::from(b[i] & LOW);
    [
        lanes(&u64::wrapping_add),
        lanes(&u64::wrapping_sub),
        lanes(&|a, b| a | b),
        lanes(&|a, b| a & b),
        lanes(&|a, b| if a & half >= b & half { (a & half) - (b & half) } else { a & half }),
        lanes(&|a, _| a & half),
        from_fn(|i| c[i].wrapping_add(product(i) as u64 & LOW)),
        from_fn(|i| c[i].wrapping_add((product(i) >> 52) as u64)),
        from_fn(|i| c[i].wrapping_add(u64::from(a[i] as u32) * u64::from(b[i] as u32))),
        lanes(&|a, _| a >> 48),
        [c[0]; 8],
        lanes(&u64::wrapping_mul),
        lanes(&|a, b| ((u128::from(a) * u128::from(b)) >> 64) as u64),
    ]
}

/// Edges of 52 bits and of 64: the ends, powers of two and their neighbours, and numbers whose products lie
/// beside multiples of `2^52` or in the middle between two.
fn edges() -> Vec<u64> {
    let powers = [0, 1, 25, 26, 27, 31, 32, 33, 45, 46, 50, 51, 52, 53, 63].map(|k| 1_u64 << k);
    let around = powers.into_iter().flat_map(|x| [x.wrapping_sub(1), x, x + 1]);
    around
        .chain([
            LOW - 1,
            u64::MAX,
            u64::MAX - 1,
            u64::MAX << 32,
            0xffff_fffe_0000_0001,
            0x5_5555_5555_5555,
            0xa_aaaa_aaaa_aaab,
        ])
        .collect()
}

/// All pairs of edges, each in another lane, then random words, of which every other has 52 bits.
fn operands() -> Vec<Operands> {
    let (edges, mut random) = (edges(), ringsmith_oracle::Random::new(5));
    let at = |i: usize| edges[i % edges.len()];
    let step = if cfg!(miri) { 5 } else { 1 };
    let pairs = (0..edges.len()).step_by(step).flat_map(|i| (0..edges.len()).step_by(8).map(move |j| (i, j)));
    let pairs = pairs.map(|(i, j)| [from_fn(|k| at(i + j + k)), [at(i); 8], from_fn(|k| at(j + k))]);
    let mut all: Vec<Operands> = pairs.collect();
    all.extend((0..ROUNDS_OF_WORDS).map(|round| {
        let mask = if round % 2 == 0 { LOW } else { u64::MAX };
        from_fn(|_| from_fn(|_| random.word() & mask))
    }));
    all
}

/// Every operation of every backend, also where bits above the 52 of a factor are set.
#[test]
fn words_of_52_bits() {
    for operands in operands() {
        let expected = definitions(&operands);
        for cpu in Cpu::available() {
            assert_eq!(cpu.run(All(operands)), expected, "on {cpu:?} of {operands:x?}");
        }
    }
}

/// Products next to a multiple of `2^52`, above and below it and on it: where rounding to the nearest
/// multiple and rounding down differ.
#[test]
fn products_beside_multiples() {
    let mut random = ringsmith_oracle::Random::new(6);
    for _ in 0..ROUNDS {
        // a odd, and b its inverse modulo 2^52 times a small number: the product is small modulo 2^52.
        let a: WideRow = from_fn(|_| random.word() & LOW | 1);
        let inverse = |a: u64| (0..6).fold(a, |x, _| x.wrapping_mul(2_u64.wrapping_sub(a.wrapping_mul(x))));
        let near = [1, LOW, 2, LOW - 1, 1 << 51, (1 << 51) + 1, (1 << 51) - 1, 0];
        let b: WideRow = from_fn(|i| inverse(a[i]).wrapping_mul(near[i]) & LOW);
        let operands = [[0; 8], a, b];
        for cpu in Cpu::available() {
            assert_eq!(cpu.run(All(operands)), definitions(&operands), "on {cpu:?} of {operands:x?}");
        }
    }
}

struct Transpose([WideRow; 8]);

#[inline(always)]
fn transposed<W: WordLanes>(w: W, rows: [WideRow; 8]) -> [WideRow; 8] {
    let mut out = rows;
    w.transpose_rows(&mut out);
    out
}

impl Kernel for Transpose {
    type Out = [WideRow; 8];
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        transposed(s, self.0)
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, _: S, w: W) -> Self::Out {
        transposed(w, self.0)
    }
}

/// Rows become columns.
#[test]
fn rows_of_words_become_columns() {
    let rows: [WideRow; 8] = from_fn(|i| from_fn(|j| (10 * i + j) as u64));
    let expected: [WideRow; 8] = from_fn(|i| from_fn(|j| rows[j][i]));
    for cpu in Cpu::available() {
        assert_eq!(cpu.run(Transpose(rows)), expected, "on {cpu:?}");
    }
}

/// A product by a factor, and a reduction: `c`, `b`, the constants, the prime.
struct ByFactor(WideRow, WideRow, WideRow, u64);

/// A multiple of `p` that numbers are reduced around: 52 bits hold one more.
const fn higher_middle(p: u64) -> u64 {
    if p >> 50 == 0 { 3 } else { 1 }
}

/// `c + b w` less a multiple of `p`, and `b` less a multiple of `p`, around `p` and a higher multiple, all in
/// 52 bits.
#[inline(always)]
fn by_factor<W: WordLanes>(w: W, ByFactor(c, b, constants, p): &ByFactor) -> [WideRow; 3] {
    let (mut words, mut quotients) = ([0; 8], [0; 8]);
    for i in 0..8 {
        [words[i], quotients[i]] = W::factor52(constants[i], *p);
    }
    let [one, one_quotient] = W::factor52(1, *p);
    let (one, prime) = ([w.splat_words(one), w.splat_words(one_quotient)], w.prime52(*p));
    let (low, mut out) = (w.splat_words(LOW), [[0; 8]; 3]);
    for piece in 0..W::PIECES {
        let (c, b) = (w.load_words(c, piece), w.load_words(b, piece));
        let factors = [w.load_words(&words, piece), w.load_words(&quotients, piece)];
        let sum = w.madd_factor52(c, b, factors, prime);
        let reduced = w.reduce52(b, one, w.around52(1, *p), prime);
        let higher = w.reduce52(b, one, w.around52(higher_middle(*p), *p), prime);
        for (row, result) in out.iter_mut().zip([sum, reduced, higher]) {
            w.store_words(row, piece, w.and_words(result, low));
        }
    }
    out
}

impl Kernel for ByFactor {
    type Out = [WideRow; 3];
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        by_factor(s, &self)
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, _: S, w: W) -> Self::Out {
        by_factor(w, &self)
    }
}

/// Numbers from 0 to `below`: the ends, the middle, what is beside a multiple of the prime, and random ones.
fn number(random: &mut ringsmith_oracle::Random, below: u64, p: u64) -> u64 {
    let (draw, multiple) = (random.word(), random.word() % (below / p).max(1) * p);
    let chosen = [0, 1, below - 1, below / 2, multiple, multiple + 1, multiple.wrapping_sub(1), p / 2, p - 1];
    chosen.get((draw % 16) as usize).map_or(draw >> 8, |chosen| *chosen) % below
}

/// Products by factors are right modulo `p` and less than `p` in absolute value, for every `b` of 52 bits,
/// whatever stands above, and primes from the least to the greatest: the ends of ranges, and beside powers of
/// two. Reduced numbers are within `p` of a multiple.
#[test]
fn products_by_factors() {
    let mut random = ringsmith_oracle::Random::new(7);
    let least = [3, 5, 257, 12289, 1_073_479_681];
    let greatest = [
        70_368_740_769_793,
        562_949_950_537_729,
        562_949_953_421_231,
        (1 << 50) - 27,
        2_251_799_807_131_649,
        (1 << 51) - 129,
    ];
    for p in least.into_iter().chain(greatest) {
        for _ in 0..ROUNDS_OF_WORDS {
            let b: WideRow = from_fn(|_| number(&mut random, 1 << 52, p));
            let constants: WideRow = from_fn(|_| number(&mut random, p, p));
            let c: WideRow = from_fn(|_| random.word());
            let above: WideRow = from_fn(|i| b[i] | random.word() & !LOW);
            // Doubles hold products by primes of 50 bits.
            for cpu in Cpu::available().filter(|cpu| p >> 50 == 0 || cpu.name() != "avx2") {
                let [sums, reduced, higher] = cpu.run(ByFactor(c, above, constants, p));
                for i in 0..8 {
                    let of = format!("on {cpu:?} of {} and {} modulo {p}", b[i], constants[i]);
                    let t = sums[i].wrapping_sub(c[i]).wrapping_add(p) & LOW;
                    let product = u128::from(b[i]) * u128::from(constants[i]) % u128::from(p);
                    let inside = |x: u64| 0 < x && x < 2 * p;
                    assert!(inside(t) && u128::from(t % p) == product, "{t} - {p} {of}");
                    let between = (higher_middle(p) - 1) * p;
                    assert_eq!(higher[i], reduced[i] + between, "around a higher multiple {of}");
                    assert!(inside(reduced[i]) && reduced[i] % p == b[i] % p, "{} {of}", reduced[i]);
                }
            }
        }
    }
}

/// Products by factors of 64 bits: words, constants below the prime, the prime.
struct Times(WideRow, WideRow, u64);

#[inline(always)]
fn times<W: WordLanes>(w: W, Times(b, constants, p): &Times) -> WideRow {
    let (mut words, mut quotients, mut out) = ([0; 8], [0; 8], [0; 8]);
    for i in 0..8 {
        [words[i], quotients[i]] = factor64(constants[i], *p);
    }
    for piece in 0..W::PIECES {
        let factors = [w.load_words(&words, piece), w.load_words(&quotients, piece)];
        w.store_words(&mut out, piece, w.times64(w.load_words(b, piece), factors, w.prime64(*p)));
    }
    out
}

impl Kernel for Times {
    type Out = WideRow;
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> WideRow {
        times(s, &self)
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, _: S, w: W) -> WideRow {
        times(w, &self)
    }
}

/// The least and the greatest halves, where an approximate quotient is worst; words whose product by `w` is
/// next to a multiple of `p`; and random ones.
fn worst_word(random: &mut ringsmith_oracle::Random, w: u64, p: u64) -> u64 {
    let (draw, quotient) = (random.word(), factor64(w, p)[1]);
    // `b w` is next to `k p` where `b` is next to `2^64 k / w'`.
    let beside = ((u128::from(draw) << 64) / u128::from(quotient.max(1))) as u64;
    let low = u64::MAX >> 32;
    let ends = [0, 1, u64::MAX, u64::MAX - 1, low, !low, draw | low, draw | !low];
    let chosen = ends.into_iter().chain([beside, beside.wrapping_add(1)]).nth((random.word() % 16) as usize);
    chosen.unwrap_or(draw)
}

/// Products by factors are right modulo `p` and below `4 p`, for every word and primes from the least to the
/// greatest.
#[test]
fn products_by_factors_of_64_bits() {
    let mut random = ringsmith_oracle::Random::new(8);
    let primes = [3, 5, 257, 70_368_744_701_953, (1 << 60) - 93, 4_611_686_018_425_815_041, (1 << 62) - 57];
    for p in primes {
        for _ in 0..ROUNDS_OF_WORDS {
            let constants: WideRow = from_fn(|_| number(&mut random, p, p));
            let b: WideRow = from_fn(|i| worst_word(&mut random, constants[i], p));
            for cpu in Cpu::available() {
                let got = cpu.run(Times(b, constants, p));
                for i in 0..8 {
                    let product = u128::from(b[i]) * u128::from(constants[i]) % u128::from(p);
                    let of = format!("on {cpu:?} of {} and {} modulo {p}", b[i], constants[i]);
                    assert!(u128::from(got[i]) < 4 * u128::from(p), "{} {of}", got[i]);
                    assert_eq!(u128::from(got[i] % p), product, "{of}");
                }
            }
        }
    }
}
