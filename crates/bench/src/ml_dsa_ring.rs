//! ML-DSA's ring, in lanes of 32 bits: rows of the suite of the rings.
//!
//! | operation | what is measured |
//! |---|---|
//! | `product`, `product-prepared` | of elements, as `ringsmith_ml_dsa::rings` has them |
//! | `ntt`, `pointwise`, `intt` | as the scheme has them: values in the order of the standard |

use crate::RINGSMITH;
use crate::case::{Case, Id};
use crate::ring::SUITE;
use ringsmith::ml_dsa::rings::{Factor, MlDsa, Scratch};
use ringsmith_oracle::Random;
use ringsmith_ring::Rows32;
use ringsmith_ring::algorithm::words::{self, Standard, WordNtt};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// [`Id::route`] of all of them.
pub const ROUTE: &str = "words";

const ROWS: usize = MlDsa::N / 8;
const Q: i64 = MlDsa::Q as i64;

type Values = words::Values<Q, ROWS, Standard>;
type Products = words::Products<Q, ROWS, Standard>;
type Ntt = WordNtt<Q, ROWS>;

/// Every operation on every one of these CPUs.
pub(crate) fn cases(cpus: &[Cpu]) -> Vec<Case> {
    let on = |cpu: Cpu| {
        let id = |operation| Id::new(SUITE, MlDsa::NAME, operation, RINGSMITH, cpu.name(), ROUTE);
        [
            Case::new(id("product"), move || product(cpu)),
            Case::new(id("product-prepared"), move || product_prepared(cpu)),
            Case::new(id("ntt"), move || forward(cpu)),
            Case::new(id("intt"), move || inverse(cpu)),
            Case::new(id("pointwise"), move || pointwise(cpu)),
        ]
    };
    cpus.iter().flat_map(|cpu| on(*cpu)).collect()
}

fn operand(seed: u64) -> [u32; MlDsa::N] {
    let mut random = Random::new(seed);
    [(); MlDsa::N].map(|()| random.within(0, Q - 1) as u32)
}

fn element(seed: u64) -> Rows32<ROWS> {
    let mut element = Rows32([[0; 8]; ROWS]);
    element.0.as_flattened_mut().iter_mut().zip(operand(seed)).for_each(|(to, x)| *to = x as i32);
    element
}

fn values(cpu: Cpu, seed: u64) -> Values {
    let mut values = Values::ZERO;
    Ntt::forward(cpu, &element(seed), &mut values);
    values
}

fn product(cpu: Cpu) -> impl FnMut() {
    let (a, b, mut out, mut scratch) = (operand(1), operand(2), [0; MlDsa::N], Scratch::ZERO);
    move || MlDsa::multiply_into(cpu, black_box([&a, &b]), black_box(&mut out), &mut scratch)
}

fn product_prepared(cpu: Cpu) -> impl FnMut() {
    let (a, mut out, mut factor, mut scratch) = (operand(1), [0; MlDsa::N], Factor::ZERO, Scratch::ZERO);
    MlDsa::prepare_into(cpu, &operand(2), &mut factor, &mut scratch);
    move || {
        let (a, b, out) = (black_box(&a), black_box(&factor), black_box(&mut out));
        MlDsa::multiply_prepared_into(cpu, a, b, out, &mut scratch);
    }
}

fn forward(cpu: Cpu) -> impl FnMut() {
    let (a, mut out) = (element(1), Values::ZERO);
    move || Ntt::forward(cpu, black_box(&a), black_box(&mut out))
}

/// The inverse spoils what it takes, so it goes on with that: everything runs in constant time. Debug builds,
/// which check bounds, take the products again.
fn inverse(cpu: Cpu) -> impl FnMut() {
    let (a, b, mut products) = (values(cpu, 1), values(cpu, 2), Products::ZERO);
    Ntt::accumulate(cpu, [&a], [&b], &mut products);
    let (fresh, mut out) = (products, Rows32([[0; 8]; ROWS]));
    move || {
        if cfg!(debug_assertions) {
            products = fresh;
        }
        Ntt::inverse(cpu, black_box(&mut products), black_box(&mut out));
    }
}

fn pointwise(cpu: Cpu) -> impl FnMut() {
    let (a, b, mut out) = (values(cpu, 1), values(cpu, 2), Products::ZERO);
    move || Ntt::accumulate(cpu, black_box([&a]), black_box([&b]), black_box(&mut out))
}
