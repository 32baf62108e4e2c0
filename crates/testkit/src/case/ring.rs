//! Every operation of every route of every ring.

use super::Case;
use crate::observe::observed;
use crate::operand::{publish, publish_space, secret, secret_small};
use ringsmith_oracle::Random;
use ringsmith_ring::{Coefficients, Entry, Ring, TransformEntry, Workspace};
use ringsmith_routes::{EveryRoute, Visitor, entries, visit_all};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// What is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operation {
    /// A product.
    Product,
    /// A product by a small element.
    ProductSmall,
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
            Operation::Prepare => "prepare",
            Operation::ProductPrepared => "product-prepared",
            Operation::Ntt => "ntt",
            Operation::Pointwise => "pointwise",
            Operation::Intt => "intt",
        }
    }
}

struct List(Vec<Case>);
impl Visitor for List {
    fn visit<R: EveryRoute>(&mut self) {
        for (index, entry) in entries::<R>().enumerate() {
            let of_transform = if entry.transform.is_some() { &Operation::OF_A_TRANSFORM[..] } else { &[] };
            for &operation in Operation::OF_A_PRODUCT.iter().chain(of_transform) {
                // The planner's choice for the ring, and the transforms.
                let counted = index == 0 || Operation::OF_A_TRANSFORM.contains(&operation);
                self.0.push(Case {
                    name: format!("{} {} {}", R::NAME, entry.route, operation.name()),
                    counted,
                    run: Box::new(move |cpu, seed| run::<R>(cpu, entry, operation, seed)),
                });
            }
        }
    }
}

/// The cases, in the order of the rings and of their routes.
pub(super) fn all() -> Vec<Case> {
    let mut list = List(Vec::new());
    visit_all(&mut list);
    list.0
}

/// Those of one ring: of no other are the tables needed.
#[cfg(test)]
pub(super) fn of<R: EveryRoute>() -> Vec<Case> {
    let mut list = List(Vec::new());
    list.visit::<R>();
    list.0
}

fn run<R: Ring>(cpu: Cpu, entry: &'static Entry<R>, operation: Operation, seed: u64) {
    let random = &mut Random::new(seed);
    match (operation, &entry.transform) {
        (Operation::Product, _) => product(cpu, entry, false, random),
        (Operation::ProductSmall, _) => product(cpu, entry, true, random),
        (Operation::Prepare | Operation::ProductPrepared, _) => prepared(cpu, entry, operation, random),
        (_, Some(functions)) => transform(cpu, functions, operation, random),
        (_, None) => {}
    }
}

fn product<R: Ring>(cpu: Cpu, entry: &Entry<R>, small: bool, random: &mut Random) {
    let (multiply, b) = match small {
        false => (entry.multiply, secret::<R>(random)),
        true => (entry.multiply_small, secret_small::<R>(random)),
    };
    let (a, mut out, mut scratch) = (secret::<R>(random), R::Coeffs::zero(), R::Scratch::new());
    observed(|| multiply(cpu, &a, &b, &mut out, &mut scratch));
    publish(black_box(&mut out));
    publish_space(&mut scratch);
}

fn prepared<R: Ring>(cpu: Cpu, entry: &Entry<R>, operation: Operation, random: &mut Random) {
    let (a, b, mut out) = (secret::<R>(random), secret::<R>(random), R::Coeffs::zero());
    let (mut space, mut scratch) = (R::Prepared::new(), R::Scratch::new());
    if operation == Operation::Prepare {
        observed(|| (entry.prepare)(cpu, &b, &mut space, &mut scratch));
    } else {
        (entry.prepare)(cpu, &b, &mut space, &mut scratch);
        observed(|| (entry.multiply_prepared)(cpu, &a, &space, &mut out, &mut scratch));
    }
    publish(black_box(&mut out));
    publish_space(black_box(&mut space));
    publish_space(&mut scratch);
}

fn transform<R: Ring>(cpu: Cpu, entry: &TransformEntry<R>, operation: Operation, random: &mut Random) {
    let (a, b, mut out) = (secret::<R>(random), secret::<R>(random), R::Coeffs::zero());
    let (mut x, mut y) = (R::Prepared::new(), R::Prepared::new());
    if operation != Operation::Ntt {
        (entry.forward)(cpu, &a, &mut x);
        (entry.forward)(cpu, &b, &mut y);
    }
    observed(|| match operation {
        Operation::Ntt => (entry.forward)(cpu, &a, &mut x),
        Operation::Pointwise => (entry.pointwise)(cpu, &mut x, &y),
        _ => (entry.inverse)(cpu, &mut x, &mut out),
    });
    publish(black_box(&mut out));
    publish_space(black_box(&mut x));
    publish_space(&mut y);
}
