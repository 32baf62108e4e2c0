//! ML-DSA's ring: its transform in lanes of 32 bits, products of values, and products of elements.
//!
//! Values stand in the order of the standard, as the scheme has them.

use super::Case;
use crate::observe::observed;
use crate::operand::{make_defined, make_undefined};
use ringsmith::ml_dsa::rings::{Factor, MlDsa, Scratch};
use ringsmith_oracle::Random;
use ringsmith_ring::Rows32;
use ringsmith_ring::algorithm::words::{self, Standard, WordNtt};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// Rows of 8 coefficients.
const ROWS: usize = MlDsa::N / 8;
/// The modulus.
const Q: i64 = MlDsa::Q as i64;

type Element = Rows32<ROWS>;
type Values = words::Values<Q, ROWS, Standard>;
type Products = words::Products<Q, ROWS, Standard>;
type Ntt = WordNtt<Q, ROWS>;

/// A secret element.
fn element(random: &mut Random) -> Element {
    let mut element = Rows32([[0; 8]; ROWS]);
    let coefficients = element.0.as_flattened_mut();
    coefficients.iter_mut().for_each(|x| *x = random.within(0, Q - 1) as i32);
    make_undefined(coefficients);
    element
}

/// The values of a secret element.
fn values(cpu: Cpu, random: &mut Random) -> Values {
    let (element, mut values) = (element(random), Values::ZERO);
    Ntt::forward(cpu, &element, &mut values);
    values
}

/// An element becomes public.
fn publish(mut element: Element) {
    make_defined(black_box(element.0.as_flattened_mut()));
}

/// A secret element, as products of elements take it.
fn coefficients(random: &mut Random) -> [u32; MlDsa::N] {
    let mut coefficients = [(); MlDsa::N].map(|()| random.within(0, Q - 1) as u32);
    make_undefined(&mut coefficients);
    coefficients
}

/// An operation, and what runs it.
type Operation = (&'static str, fn(Cpu, u64));

/// The transform, and products of values.
const OF_VALUES: [Operation; 3] = [
    ("forward", |cpu, seed| {
        let (a, mut out) = (element(&mut Random::new(seed)), Values::ZERO);
        observed(|| Ntt::forward(cpu, &a, &mut out));
        make_defined(black_box(out.rows_mut().as_flattened_mut()));
    }),
    ("pointwise", |cpu, seed| {
        let (mut random, mut out) = (Random::new(seed), Products::ZERO);
        let (a, b) = (values(cpu, &mut random), values(cpu, &mut random));
        observed(|| Ntt::accumulate(cpu, [&a], [&b], &mut out));
        let mut product = Rows32([[0; 8]; ROWS]);
        Ntt::inverse(cpu, &mut out, &mut product);
        publish(product);
    }),
    ("inverse", |cpu, seed| {
        let (mut random, mut products) = (Random::new(seed), Products::ZERO);
        let (a, b) = (values(cpu, &mut random), values(cpu, &mut random));
        Ntt::accumulate(cpu, [&a], [&b], &mut products);
        let mut out = Rows32([[0; 8]; ROWS]);
        observed(|| Ntt::inverse(cpu, &mut products, &mut out));
        publish(out);
    }),
];

/// Products of elements.
const OF_ELEMENTS: [Operation; 3] = [
    ("product", |cpu, seed| {
        let mut random = Random::new(seed);
        let [a, b] = [(); 2].map(|()| coefficients(&mut random));
        let (mut out, mut scratch) = ([0; MlDsa::N], Scratch::ZERO);
        observed(|| MlDsa::multiply_into(cpu, [&a, &b], &mut out, &mut scratch));
        make_defined(black_box(&mut out));
    }),
    ("prepare", |cpu, seed| {
        let (b, mut factor, mut scratch) =
            (coefficients(&mut Random::new(seed)), Factor::ZERO, Scratch::ZERO);
        observed(|| MlDsa::prepare_into(cpu, &b, &mut factor, &mut scratch));
        black_box(&factor);
    }),
    ("product-prepared", |cpu, seed| {
        let (mut random, mut factor, mut scratch) = (Random::new(seed), Factor::ZERO, Scratch::ZERO);
        let [a, b] = [(); 2].map(|()| coefficients(&mut random));
        MlDsa::prepare_into(cpu, &b, &mut factor, &mut scratch);
        let mut out = [0; MlDsa::N];
        observed(|| MlDsa::multiply_prepared_into(cpu, &a, &factor, &mut out, &mut scratch));
        make_defined(black_box(&mut out));
    }),
];

/// The cases; all of them are counted.
pub(super) fn all() -> Vec<Case> {
    let case =
        |(operation, run): Operation| Case::new(format!("{} words {operation}", MlDsa::NAME), true, run);
    OF_VALUES.into_iter().chain(OF_ELEMENTS).map(case).collect()
}
