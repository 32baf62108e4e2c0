//! The engine's own suite: every ring, route and CPU.

use crate::RINGSMITH;
use crate::case::{Case, Id};
use ringsmith_oracle::Random;
use ringsmith_ring::inverse::{InversesMod3, Inversion};
use ringsmith_ring::{
    Coefficients, Domain, Entry, Multiplier, Poly, PolyError, Ring, Route, Shape, Small, Values, Workspace,
};
use ringsmith_routes::ntru_prime::BySteps;
use ringsmith_routes::rings::{
    NtruPrime653, NtruPrime739, NtruPrime761, NtruPrime857, NtruPrime953, NtruPrime1013, NtruPrime1277,
};
use ringsmith_routes::{EveryRoute, Visitor, entries, visit_all};
use ringsmith_simd::{Cpu, CpuError};
use std::hint::black_box;

/// The suite's name in [`Id::suite`].
pub const SUITE: &str = "ring";

/// The backends to measure: the one that `RINGSMITH_CPU` names, else all that this machine has.
///
/// # Errors
/// Where the variable names no backend, or one that this machine lacks.
pub fn cpus() -> Result<Vec<Cpu>, CpuError> {
    match std::env::var_os("RINGSMITH_CPU") {
        Some(_) => Ok(vec![Cpu::from_env()?]),
        None => Ok(Cpu::available().collect()),
    }
}

/// Every operation of every route of every named ring on the given CPUs.
///
/// Operations: `product` (two polynomials in, one out, nothing prepared), `product-small` (the second one
/// small), `product-smalls` (both small, of the route that has kernels of its own for them),
/// `product-prepared` (the second one transformed before), and for a route with a transform `ntt`, `intt` and
/// `pointwise`; and of the fields of NTRU Prime `product-mod-3` (both factors small), `inverse` and
/// `inverse-mod-3`. `inverse` of the rings of NTRU, too, which are not named all; and
/// [ML-DSA's ring](crate::ml_dsa_ring).
pub fn ring_cases(cpus: &[Cpu]) -> Vec<Case> {
    let mut collect = Collect { cpus, cases: Vec::new() };
    visit_all(&mut collect);
    let cases = collect.cases.into_iter();
    cases
        .chain(field_cases::<NtruPrime653>(cpus))
        .chain(field_cases::<NtruPrime761>(cpus))
        .chain(field_cases::<NtruPrime857>(cpus))
        .chain(field_cases::<NtruPrime953>(cpus))
        .chain(field_cases::<NtruPrime1013>(cpus))
        .chain(field_cases::<NtruPrime1277>(cpus))
        .chain(inverses::<NtruPrime739>(cpus))
        .chain(crate::inverse::cases(cpus))
        .chain(crate::ml_dsa_ring::cases(cpus))
        .collect()
}

fn id<R: Ring>(operation: &str, cpu: Cpu, route: &str) -> Id {
    Id::new(SUITE, R::NAME, operation, RINGSMITH, cpu.name(), route)
}

/// Inverses modulo `q`, in both ways.
fn inverses<R: BySteps>(cpus: &[Cpu]) -> Vec<Case> {
    let inverse = |cpu, name, way: Inversion<R>| {
        Case::new(id::<R>("inverse", cpu, name), move || inverse_mod_q::<R>(cpu, way))
    };
    let both =
        |&cpu| [inverse(cpu, "jumps", R::inverse_into), inverse(cpu, "division-steps", R::inverse_by_steps)];
    cpus.iter().flat_map(both).collect()
}

/// Products modulo 3, by the planner's choice, and inverses.
fn field_cases<R: BySteps + InversesMod3>(cpus: &[Cpu]) -> Vec<Case> {
    let products = cpus.iter().map(|&cpu| {
        let by = Multiplier::new_on(cpu);
        let id = id::<R>("product-mod-3", cpu, &by.route().to_string());
        Case::new(id, move || product_mod_3::<R>(by))
    });
    let modulo_3 = cpus.iter().map(|&cpu| {
        let id = id::<R>("inverse-mod-3", cpu, "division-steps");
        Case::new(id, move || inverse_mod_3::<R>(cpu))
    });
    products.chain(inverses::<R>(cpus)).chain(modulo_3).collect()
}

fn product_mod_3<R: InversesMod3>(by: Multiplier<R>) -> impl FnMut() {
    let ternary = |seed| {
        let mut random = Random::new(seed);
        let coefficients: Vec<i64> = (0..R::N).map(|_| random.within(-1, 1)).collect();
        Small::<R>::new(&coefficients).unwrap_or_else(|error| unreachable!("{error}"))
    };
    let (a, b, mut scratch) = (ternary(1), ternary(2), by.scratch());
    let mut out = a;
    move || by.multiply_mod_3_into(black_box(&a), black_box(&b), black_box(&mut out), &mut scratch)
}

fn inverse_mod_q<R: Ring>(cpu: Cpu, way: Inversion<R>) -> impl FnMut() {
    let a = operand::<R>(1);
    let mut out = R::Coeffs::ZERO;
    move || {
        black_box(way(cpu, black_box(a.coeffs()), black_box(&mut out)));
    }
}

fn inverse_mod_3<R: InversesMod3>(cpu: Cpu) -> impl FnMut() {
    let (a, mut out) = (small::<R>(1), R::Coeffs::ZERO);
    move || {
        black_box(R::inverse_mod_3_into(cpu, black_box(a.coeffs()), black_box(&mut out)));
    }
}

struct Collect<'a> {
    cpus: &'a [Cpu],
    cases: Vec<Case>,
}

impl Visitor for Collect<'_> {
    fn visit<R: EveryRoute>(&mut self) {
        for operation in OPERATIONS {
            for entry in entries::<R>() {
                self.cases.extend(self.cpus.iter().filter_map(|&cpu| case::<R>(operation, entry, cpu)));
            }
        }
    }
}

/// In the order of the tables.
const OPERATIONS: [&str; 7] =
    ["product", "product-small", "product-smalls", "product-prepared", "ntt", "intt", "pointwise"];

/// The case of an operation, where the route has it.
fn case<R: Ring>(operation: &str, entry: &'static Entry<R>, cpu: Cpu) -> Option<Case> {
    // One kernel, whatever the operands are.
    if matches!(entry.route(), Route::Interleaved { .. }) && operation != "product" {
        return None;
    }
    // Elsewhere they are products by a small one.
    let by_one_prime = R::SHAPE == Shape::Cyclic && entry.route() == Route::ROWS_BY_PRIMES;
    if operation == "product-smalls" && !by_one_prime {
        return None;
    }
    let id = Id::new(SUITE, R::NAME, operation, RINGSMITH, cpu.name(), &entry.route().to_string());
    let by = Multiplier::by_on(cpu, entry);
    let domain = by.domain();
    Some(match operation {
        "product" => Case::new(id, move || product(by)),
        "product-small" => Case::new(id, move || product_small(by)),
        "product-smalls" => Case::new(id, move || product_smalls(by)),
        "product-prepared" => Case::new(id, move || product_prepared(by)),
        "ntt" => domain.map(|domain| Case::new(id, move || forward(domain)))?,
        "intt" => domain.map(|domain| Case::new(id, move || inverse(domain)))?,
        _ => domain.map(|domain| Case::new(id, move || pointwise(domain)))?,
    })
}

fn product<R: Ring>(by: Multiplier<R>) -> impl FnMut() {
    let [a, b] = [1, 2].map(operand::<R>);
    let (mut out, mut scratch) = (Poly::zero(), by.scratch());
    move || by.multiply_into(black_box(&a), black_box(&b), black_box(&mut out), &mut scratch)
}

fn product_small<R: Ring>(by: Multiplier<R>) -> impl FnMut() {
    let (a, b) = (operand::<R>(1), small::<R>(2));
    let (mut out, mut scratch) = (Poly::zero(), by.scratch());
    move || by.multiply_small_into(black_box(&a), black_box(&b), black_box(&mut out), &mut scratch)
}

fn product_smalls<R: Ring>(by: Multiplier<R>) -> impl FnMut() {
    let [a, b] = [1, 2].map(small::<R>);
    let (mut out, mut scratch) = (Poly::zero(), by.scratch());
    move || by.multiply_smalls_into(black_box(&a), black_box(&b), black_box(&mut out), &mut scratch)
}

fn product_prepared<R: Ring>(by: Multiplier<R>) -> impl FnMut() {
    let [a, b] = [1, 2].map(operand::<R>);
    let (mut out, mut scratch) = (Poly::zero(), by.scratch());
    let prepared = by.prepare(&b, &mut scratch);
    move || {
        let (a, b, out) = (black_box(&a), black_box(&prepared), black_box(&mut out));
        by.multiply_prepared_into(a, b, out, &mut scratch).unwrap_or_else(|why| unreachable!("{why}"));
    }
}

fn forward<R: Ring>(domain: Domain<R>) -> impl FnMut() {
    let (a, mut values) = (operand::<R>(1), Values::zero());
    move || domain.forward(black_box(a.coeffs()), black_box(&mut values))
}

fn inverse<R: Ring>(domain: Domain<R>) -> impl FnMut() {
    let mut in_place = InPlace::new(domain);
    let mut out = R::Coeffs::ZERO;
    move || {
        in_place.refresh();
        domain.inverse(black_box(&mut in_place.values), black_box(&mut out));
    }
}

fn pointwise<R: Ring>(domain: Domain<R>) -> impl FnMut() {
    let mut in_place = InPlace::new(domain);
    let b = InPlace::new(domain).values;
    move || {
        in_place.refresh();
        domain.pointwise_in_place(black_box(&mut in_place.values), black_box(&b));
    }
}

/// A transformed operand that an operation spoils.
struct InPlace<R: Ring> {
    values: Values<R>,
    fresh: Values<R>,
}

impl<R: Ring> InPlace<R> {
    fn new(domain: Domain<R>) -> Self {
        let a = operand::<R>(3);
        let (mut values, mut fresh) = (Values::zero(), Values::zero());
        domain.forward(a.coeffs(), &mut fresh);
        domain.forward(a.coeffs(), &mut values);
        InPlace { values, fresh }
    }

    /// Restores the operand in debug builds, which check its bounds. A release build goes on with what the
    /// operation left: everything runs in constant time, so the figure is the same and has no copy in it.
    #[inline(always)]
    fn refresh(&mut self) {
        if cfg!(debug_assertions) {
            let (rows, wide) = self.values.space_mut().parts_mut();
            rows.copy_from_slice(self.fresh.space().parts().0);
            wide.copy_from_slice(self.fresh.space().parts().1);
        }
    }
}

/// A canonical polynomial.
pub(crate) fn operand<R: Ring>(seed: u64) -> Poly<R> {
    let mut random = Random::new(seed);
    let values: Vec<i64> = (0..R::N).map(|_| random.within(0, R::Q - 1)).collect();
    in_ring(Poly::new(&values))
}

/// A small polynomial.
pub(crate) fn small<R: Ring>(seed: u64) -> Small<R> {
    let (bound, mut random) = (i64::from(R::SMALL), Random::new(seed));
    let values: Vec<i64> = (0..R::N).map(|_| random.within(-bound, bound)).collect();
    in_ring(Small::new(&values))
}

/// The values above are in range by construction.
fn in_ring<T>(poly: Result<T, PolyError>) -> T {
    poly.unwrap_or_else(|error| unreachable!("{error}"))
}
