//! Every operation of every route of every ring.

use super::Case;
use crate::observe::observed;
use crate::operand::{publish, publish_space, secret, secret_small};
use ringsmith_oracle::Random;
use ringsmith_ring::{Coefficients, Domain, Entry, Multiplier, Poly, Prepared, Ring, Route, Shape, Values};
use ringsmith_routes::{EveryRoute, Visitor, entries, visit_all};
use ringsmith_simd::Cpu;
use std::collections::HashSet;
use std::hint::black_box;

/// What is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operation {
    /// A product.
    Product,
    /// A product by a small element.
    ProductSmall,
    /// A product of two small elements.
    ProductSmalls,
    /// The preparation of an element.
    Prepare,
    /// A product by a prepared element.
    ProductPrepared,
    /// The forward transform.
    Ntt,
    /// The product of two transforms.
    Pointwise,
    /// The inverse transform.
    Intt,
}

impl Operation {
    const OF_A_PRODUCT: [Operation; 4] =
        [Operation::Product, Operation::ProductSmall, Operation::Prepare, Operation::ProductPrepared];
    const OF_A_TRANSFORM: [Operation; 3] = [Operation::Ntt, Operation::Pointwise, Operation::Intt];

    /// Its name, as in the tables.
    fn name(self) -> &'static str {
        match self {
            Operation::Product => "product",
            Operation::ProductSmall => "product-small",
            Operation::ProductSmalls => "product-smalls",
            Operation::Prepare => "prepare",
            Operation::ProductPrepared => "product-prepared",
            Operation::Ntt => "ntt",
            Operation::Pointwise => "pointwise",
            Operation::Intt => "intt",
        }
    }
}

/// Polynomials of rings all of whose routes are counted, but for interleaved multiplication and signed
/// additions: the planner's choice on NEON is by these counts.
const DECIDED: [&str; 2] = ["(x^677-1)", "(x^701-1)"];

#[derive(Default)]
struct List {
    cases: Vec<Case>,
    /// Rows of elements, and routes of rings modulo `x^n - 1` and a power of two.
    kernels: HashSet<(usize, String)>,
}

impl List {
    /// Whether a route's kernels are those of a ring before: of a size class the degree is a value, and of
    /// interleaved multiplication the rows are, too.
    fn has_kernels_of<R: EveryRoute>(&mut self, route: Route) -> bool {
        let is_in_class = R::SHAPE == Shape::Cyclic && R::Q % 2 == 0;
        let rows = if is_interleaved(route) { 0 } else { R::Coeffs::ROWS };
        let are_new = self.kernels.insert((rows, route.to_string()));
        is_in_class && !are_new && !is_decided::<R>(route)
    }
}

/// Whether a route has kernels of its own for two small elements.
fn has_smalls<R: Ring>(route: Route) -> bool {
    R::SHAPE == Shape::Cyclic && route == Route::ROWS_BY_PRIMES
}

const fn is_interleaved(route: Route) -> bool {
    matches!(route, Route::Interleaved { .. })
}

/// Whether a route is one of those that counts decide between.
fn is_decided<R: Ring>(route: Route) -> bool {
    !is_interleaved(route) && !matches!(route, Route::Signed) && DECIDED.iter().any(|f| R::NAME.ends_with(f))
}

impl Visitor for List {
    fn visit<R: EveryRoute>(&mut self) {
        for (index, entry) in entries::<R>().enumerate() {
            if self.has_kernels_of::<R>(entry.route()) {
                continue;
            }
            let of_smalls =
                if has_smalls::<R>(entry.route()) { &[Operation::ProductSmalls][..] } else { &[] };
            let of_transform = if entry.has_transform() { &Operation::OF_A_TRANSFORM[..] } else { &[] };
            for &operation in Operation::OF_A_PRODUCT.iter().chain(of_smalls).chain(of_transform) {
                // The planner's choice for the ring, the transforms, and what counts decide between.
                let counted = index == 0
                    || Operation::OF_A_TRANSFORM.contains(&operation)
                    || is_decided::<R>(entry.route());
                self.cases.push(Case {
                    name: format!("{} {} {}", R::NAME, entry.route(), operation.name()),
                    counted,
                    run: Box::new(move |cpu, seed| run::<R>(cpu, entry, operation, seed)),
                });
            }
        }
    }
}

/// The cases, in the order of the rings and of their routes.
pub(super) fn all() -> Vec<Case> {
    let mut list = List::default();
    visit_all(&mut list);
    list.cases
}

/// Those of one ring.
pub(super) fn of<R: EveryRoute>() -> Vec<Case> {
    let mut list = List::default();
    list.visit::<R>();
    list.cases
}

fn run<R: Ring>(cpu: Cpu, entry: &'static Entry<R>, operation: Operation, seed: u64) {
    let (by, random) = (Multiplier::by_on(cpu, entry), &mut Random::new(seed));
    match (operation, by.domain()) {
        (Operation::Product | Operation::ProductSmall | Operation::ProductSmalls, _) => {
            product(by, operation, random)
        }
        (Operation::Prepare | Operation::ProductPrepared, _) => prepared(by, operation, random),
        (_, Some(domain)) => transform(domain, operation, random),
        (_, None) => {}
    }
}

fn product<R: Ring>(by: Multiplier<R>, operation: Operation, random: &mut Random) {
    let (mut out, mut scratch) = (Poly::zero(), by.scratch());
    match operation {
        Operation::ProductSmalls => {
            let (a, b) = (secret_small::<R>(random), secret_small::<R>(random));
            observed(|| by.multiply_smalls_into(&a, &b, &mut out, &mut scratch));
        }
        Operation::ProductSmall => {
            let (a, b) = (secret::<R>(random), secret_small::<R>(random));
            observed(|| by.multiply_small_into(&a, &b, &mut out, &mut scratch));
        }
        _ => {
            let (a, b) = (secret::<R>(random), secret::<R>(random));
            observed(|| by.multiply_into(&a, &b, &mut out, &mut scratch));
        }
    }
    publish(black_box(out.coeffs_mut()));
    publish_space(&mut scratch);
}

fn prepared<R: Ring>(by: Multiplier<R>, operation: Operation, random: &mut Random) {
    let (a, b, mut out) = (secret::<R>(random), secret::<R>(random), Poly::zero());
    let (mut prepared, mut scratch) = (Prepared::blank(), by.scratch());
    if operation == Operation::Prepare {
        observed(|| by.prepare_into(&b, &mut prepared, &mut scratch));
    } else {
        by.prepare_into(&b, &mut prepared, &mut scratch);
        observed(|| by.multiply_prepared_into(&a, &prepared, &mut out, &mut scratch)).expect("its own");
    }
    publish(black_box(out.coeffs_mut()));
    publish_space(black_box(prepared.space_mut()));
    publish_space(&mut scratch);
}

fn transform<R: Ring>(domain: Domain<R>, operation: Operation, random: &mut Random) {
    let (a, b, mut out) = (secret::<R>(random), secret::<R>(random), Poly::<R>::zero());
    let (mut x, mut y) = (Values::zero(), Values::zero());
    if operation != Operation::Ntt {
        domain.forward(a.coeffs(), &mut x);
        domain.forward(b.coeffs(), &mut y);
    }
    observed(|| match operation {
        Operation::Ntt => domain.forward(a.coeffs(), &mut x),
        Operation::Pointwise => domain.pointwise_in_place(&mut x, &y),
        _ => domain.inverse(&mut x, out.coeffs_mut()),
    });
    publish(black_box(out.coeffs_mut()));
    publish_space(black_box(x.space_mut()));
    publish_space(y.space_mut());
}
