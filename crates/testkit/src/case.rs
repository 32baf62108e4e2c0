//! Every operation of every route of every ring, as a list.

use crate::observe::observed;
use crate::operand::{Random, publish, publish_space, secret, secret_small};
use core::fmt;
use ringsmith_ring::rings::{Visitor, visit_all};
use ringsmith_ring::{Coefficients, Entry, Ring, Route, TransformEntry, Workspace};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// What is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
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
    pub fn name(self) -> &'static str {
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

/// An operation of a route of a ring, on secret operands.
pub struct Case {
    ring: &'static str,
    route: Route,
    /// The place of the route in the ring's list.
    index: usize,
    operation: Operation,
    run: fn(Cpu, usize, Operation, u64),
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.ring, self.route, self.operation.name())
    }
}

impl Case {
    /// Whether its instructions are counted: the planner's choice for the ring, and the transforms.
    pub fn is_counted(&self) -> bool {
        self.index == 0 || Operation::OF_A_TRANSFORM.contains(&self.operation)
    }

    /// Runs it between the marks of [`observe`](crate::observe); the seed says with which secrets.
    pub fn run(&self, cpu: Cpu, seed: u64) {
        (self.run)(cpu, self.index, self.operation, seed);
    }
}

struct List(Vec<Case>);
impl Visitor for List {
    fn visit<R: Ring>(&mut self) {
        for (index, Entry { route, transform, .. }) in R::ROUTES.iter().enumerate() {
            let of_transform = if transform.is_some() { &Operation::OF_A_TRANSFORM[..] } else { &[] };
            for operation in Operation::OF_A_PRODUCT.iter().chain(of_transform) {
                self.0.push(Case {
                    ring: R::NAME,
                    route: *route,
                    index,
                    operation: *operation,
                    run: run::<R>,
                });
            }
        }
    }
}

/// All cases, in the order of the rings and of their routes.
pub fn all() -> Vec<Case> {
    let mut list = List(Vec::new());
    visit_all(&mut list);
    list.0
}

fn run<R: Ring>(cpu: Cpu, index: usize, operation: Operation, seed: u64) {
    let (entry, random) = (&R::ROUTES[index], &mut Random::new(seed));
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

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith_ring::rings::MlKem;
    use std::collections::HashSet;

    fn cpu() -> Cpu {
        Cpu::from_env().expect("RINGSMITH_CPU names a backend of this machine")
    }

    /// Protects: the tools tell the cases apart by their names.
    #[test]
    fn names_differ() {
        let cases = all();
        let names: HashSet<String> = cases.iter().map(Case::to_string).collect();
        assert_eq!(names.len(), cases.len());
    }

    /// Protects: every route of the smallest ring runs; the one that is small enough for Miri.
    #[test]
    fn cases_of_the_small_ring_run() {
        let small = all().into_iter().filter(|case| case.ring == MlKem::NAME);
        assert!(small.map(|case| case.run(cpu(), 1)).count() > 0);
    }

    /// Protects: every case runs.
    #[test]
    #[cfg_attr(miri, ignore = "rings of a thousand coefficients: minutes under Miri")]
    fn every_case_runs() {
        all().iter().for_each(|case| case.run(cpu(), 1));
    }
}
