//! Interleaved Montgomery multiplication by values: every degree of NTRUEncrypt, every word length, both
//! forms, both modulus polynomials, every CPU backend of this machine, against the oracle.

use ringsmith_oracle::{self as oracle, Random};
use ringsmith_ring::algorithm::interleaved::{Interleaving, WORDS};
use ringsmith_ring::{Montgomery, Route, Shape, WhyNot};
use ringsmith_simd::{Cpu, Row};

/// All degrees of NTRUEncrypt, one below and above a multiple of a row and of the longest word, and the
/// least.
const DEGREES: [usize; 24] = [
    64, 65, 79, 80, 127, 128, 401, 439, 443, 449, 541, 587, 593, 613, 653, 659, 677, 743, 761, 853, 887,
    1087, 1171, 1499,
];
const FORMS: [Montgomery; 2] = [Montgomery::Proposed, Montgomery::Original];
/// Word lengths that divide nothing, beside those that are listed.
const OTHER_WORDS: [usize; 4] = [3, 15, 17, 63];

/// Coefficients in rows, zeroes behind them.
fn rows(coefficients: &[i64]) -> Vec<Row> {
    let mut rows = vec![[0; 16]; coefficients.len().div_ceil(16)];
    for (to, from) in rows.as_flattened_mut().iter_mut().zip(coefficients) {
        *to = *from as i16;
    }
    rows
}

/// The product by the oracle, centred, in as many rows and one more.
fn expected(q: i64, n: usize, negacyclic: bool, [a, b]: [&[i64]; 2]) -> Vec<Row> {
    let shape = if negacyclic { oracle::Shape::Negacyclic } else { oracle::Shape::Cyclic };
    let wide = |x: &[i64]| x.iter().map(|x| i128::from(*x)).collect::<Vec<_>>();
    let product = oracle::product(oracle::Ring { q: q.into(), n, shape }, &wide(a), &wide(b));
    let mut rows = rows(&product.iter().map(|x| oracle::centred(*x, q.into()) as i64).collect::<Vec<_>>());
    rows.push([0; 16]);
    rows
}

/// All products of two operands that are the oracle's.
fn check(q: i64, n: usize, words: &[usize], operands: [&[i64]; 2]) {
    let [a, b] = operands.map(rows);
    for negacyclic in [false, true] {
        let expected = expected(q, n, negacyclic, operands);
        for (&word, form) in words.iter().flat_map(|word| FORMS.map(|form| (word, form))) {
            let by = Interleaving { n, word, negacyclic, form };
            for cpu in Cpu::available() {
                // Whatever was in the memory before.
                let mut scratch = vec![[0x5a5a; 16]; by.memory()];
                let mut out = vec![[-1; 16]; expected.len()];
                by.product(cpu, q, [&a, &b], &mut out, &mut scratch);
                assert_eq!(out, expected, "{by:?} modulo {q} on {}", cpu.name());
            }
        }
    }
}

/// Protects: every form is the product, whatever the degree, the word, the sign of `x^n` and the CPU.
#[test]
fn every_form_is_the_product() {
    let mut random = Random::new(1);
    let words = [&WORDS[..], &OTHER_WORDS].concat();
    for n in DEGREES {
        let mut operand = |low, high| (0..n).map(|_| random.within(low, high)).collect::<Vec<i64>>();
        let (a, b, ternary) = (operand(-1024, 1023), operand(-1024, 1023), operand(-1, 1));
        let few = if n > 700 { &WORDS[..] } else { &words };
        check(2048, n, few, [&a, &b]);
        if n < 500 {
            check(2048, n, few, [&a, &ternary]);
            check(2048, n, few, [&vec![-1024; n], &vec![1023; n]]);
        }
    }
}

/// Protects: any power of two up to the whole word.
#[test]
fn every_power_of_two() {
    let mut random = Random::new(2);
    for bits in 1..=16 {
        let q: i64 = 1 << bits;
        let [a, b]: [Vec<i64>; 2] =
            [(); 2].map(|()| (0..81).map(|_| random.within(-q / 2, (q - 1) / 2)).collect());
        check(q, 81, &[1, 16, 64], [&a, &b]);
    }
}

/// Protects: a single coefficient at the end comes round with its sign.
#[test]
fn what_passes_the_end() {
    let mut last = vec![0; 401];
    last[400] = 1;
    for k in [0, 1, 15, 16, 63, 64, 399, 400] {
        let mut one = vec![0; 401];
        one[k] = 1;
        check(2048, 401, &WORDS, [&last, &one]);
        check(2048, 401, &WORDS, [&one, &last]);
    }
}

/// Protects: a ring that does not serve says why.
#[test]
fn refusals() {
    let why =
        |q, n, shape, word| Route::Interleaved { word, form: Montgomery::Proposed }.serves(q, n, shape).err();
    for shape in [Shape::Cyclic, Shape::Negacyclic] {
        assert_eq!([1, 8, 64].map(|word| why(2048, 401, shape, word)), [None; 3]);
        assert_eq!([0, 65].map(|word| why(2048, 401, shape, word)), [Some(WhyNot::Word); 2]);
        assert_eq!(why(2048, 63, shape, 1), Some(WhyNot::Word));
        assert_eq!([12289, 2047, 2049, 3000].map(|q| why(q, 1024, shape, 16)), [Some(WhyNot::PowerOfTwo); 4]);
    }
    let shape = Some(WhyNot::Shape { needs: Shape::Cyclic });
    assert_eq!([Shape::PrimeTrinomial, Shape::HalfTrinomial].map(|f| why(2048, 768, f, 16)), [shape; 2]);
}
