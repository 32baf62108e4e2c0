//! Products in every ring by the planner's routes, on every backend of this machine, against the oracle.

#[path = "../../ring/tests/common/operands.rs"]
mod operands;

use operands::{KINDS, expect, operand, smalls};
use ringsmith_cyclic::{each_ring, rings};
use ringsmith_oracle::Random;
use ringsmith_ring::{Multiplier, Poly, Prepared, Ring, Routes, Small};
use ringsmith_simd::Cpu;

fn multipliers<R: Routes>() -> impl Iterator<Item = Multiplier<R>> {
    Cpu::available().flat_map(|cpu| R::PLANNED.iter().map(move |entry| Multiplier::by_on(cpu, entry)))
}

/// Holds a product against the oracle's.
fn same<R: Ring>(c: &Poly<R>, expected: &[i64], what: &str, by: &Multiplier<R>) {
    let differs = c.centred().iter().zip(expected).position(|(got, want)| i64::from(*got) != *want);
    assert_eq!(differs, None, "{} {} {:?} {what}", R::NAME, by.route(), by.cpu());
    assert!(ringsmith_ring::Coefficients::rows(c.coeffs()).as_flattened()[R::N..].iter().all(|x| *x == 0));
}

/// The product of any two elements. It has a frame of its own: those of all rings together are megabytes.
#[inline(never)]
fn check<R: Routes>(a: &[i64], b: &[i64], what: &str) {
    let expected = expect::<R>(a, b);
    let (a, b) = (Poly::<R>::new(a).unwrap(), Poly::<R>::new(b).unwrap());
    for by in multipliers::<R>() {
        let mut scratch = by.scratch();
        let mut c = by.multiply(&a, &b, &mut scratch);
        same(&c, &expected, what, &by);
        let prepared = by.prepare(&b, &mut scratch);
        by.multiply_prepared_into(&a, &prepared, &mut c, &mut scratch).unwrap();
        same(&c, &expected, what, &by);
    }
}

/// The product by a ternary element.
#[inline(never)]
fn check_small<R: Routes>(a: &[i64], b: &[i64], what: &str) {
    let expected = expect::<R>(a, b);
    let (a, b) = (Poly::<R>::new(a).unwrap(), Small::<R>::new(b).unwrap());
    for by in multipliers::<R>() {
        let (mut c, mut scratch) = (Poly::zero(), by.scratch());
        by.multiply_small_into(&a, &b, &mut c, &mut scratch);
        same(&c, &expected, what, &by);
    }
    check_small_by_prepared(&a, &b, &expected, &format!("{what}, by prepared"));
}

/// The same with the other operand prepared, for any operand or for ternary ones, also by routes that differ.
#[inline(never)]
fn check_small_by_prepared<R: Routes>(a: &Poly<R>, b: &Small<R>, expected: &[i64], what: &str) {
    let chosen = Cpu::available().map(Multiplier::new_on);
    for by in multipliers::<R>().chain(chosen) {
        for prepare in [Multiplier::prepare_into, Multiplier::prepare_for_small_into] {
            let (mut c, mut scratch, mut prepared) = (Poly::zero(), by.scratch(), Prepared::blank());
            prepare(&by, a, &mut prepared, &mut scratch);
            by.multiply_small_prepared_into(b, &prepared, &mut c, &mut scratch).unwrap();
            same(&c, expected, what, &by);
        }
    }
}

/// The product by a ternary element that is prepared, for any operand or for ternary ones.
#[inline(never)]
fn check_small_prepared<R: Routes>(a: &[i64], b: &[i64], what: &str) {
    let expected = expect::<R>(a, b);
    let (a, b) = (Poly::<R>::new(a).unwrap(), Small::<R>::new(b).unwrap());
    for by in multipliers::<R>() {
        let (mut c, mut scratch, mut prepared) = (Poly::zero(), by.scratch(), Prepared::blank());
        by.prepare_small_into(&b, &mut prepared, &mut scratch);
        by.multiply_prepared_into(&a, &prepared, &mut c, &mut scratch).unwrap();
        same(&c, &expected, what, &by);
    }
}

/// The product of two ternary elements.
#[inline(never)]
fn check_smalls<R: Routes>(a: &[i64], b: &[i64], what: &str) {
    let expected = expect::<R>(a, b);
    let (a, b) = (Small::<R>::new(a).unwrap(), Small::<R>::new(b).unwrap());
    let chosen = Cpu::available().map(Multiplier::new_on);
    for by in multipliers::<R>().chain(chosen) {
        let (mut c, mut scratch, mut prepared) = (Poly::zero(), by.scratch(), Prepared::blank());
        by.multiply_smalls_into(&a, &b, &mut c, &mut scratch);
        same(&c, &expected, what, &by);
        for prepare in [Multiplier::prepare_small_into, Multiplier::prepare_for_smalls_into] {
            prepare(&by, &b, &mut prepared, &mut scratch);
            c = Poly::zero();
            by.multiply_small_prepared_into(&a, &prepared, &mut c, &mut scratch).unwrap();
            same(&c, &expected, what, &by);
        }
    }
}

/// What is prepared for products by ternary elements is refused for others, and the error says why.
fn refused<R: Routes>(element: &Poly<R>, small: &Small<R>) {
    for by in Cpu::available().map(Multiplier::<R>::new_on) {
        let (mut c, mut scratch, mut prepared) = (Poly::zero(), by.scratch(), Prepared::blank());
        by.prepare_for_small_into(element, &mut prepared, &mut scratch);
        assert!(by.multiply_small_prepared_into(small, &prepared, &mut c, &mut scratch).is_ok());
        let error = by.multiply_prepared_into(element, &prepared, &mut c, &mut scratch).unwrap_err();
        let for_small = by.small_route() == by.route();
        assert_eq!(error.to_string().contains("for products by small ones alone"), for_small, "{error}");
        by.prepare_for_smalls_into(small, &mut prepared, &mut scratch);
        assert!(by.multiply_small_prepared_into(small, &prepared, &mut c, &mut scratch).is_ok());
        assert!(by.multiply_prepared_into(element, &prepared, &mut c, &mut scratch).is_err());
        by.prepare_small_into(small, &mut prepared, &mut scratch);
        assert!(by.multiply_prepared_into(element, &prepared, &mut c, &mut scratch).is_ok());
    }
}

/// Protects: a transform modulo fewer primes than a product needs gives no product. Both rings, since their
/// routes differ.
#[test]
fn prepared_for_ternary_elements() {
    refused::<rings::NtruHps677>(&Poly::zero(), &Small::zero());
    refused::<rings::NtruHrss1373>(&Poly::zero(), &Small::zero());
}

#[inline(never)]
fn every_product<R: Routes>() {
    let mut random = Random::new(1);
    for [x, y] in KINDS {
        let (a, b) = (operand::<R>(x, &mut random), operand::<R>(y, &mut random));
        check::<R>(&a, &b, &format!("inputs {x} {y}"));
        for (kind, small) in smalls::<R>(&a, &mut random).iter().enumerate() {
            check_small::<R>(&a, small, &format!("inputs {x} small {kind}"));
            check_small_prepared::<R>(&a, small, &format!("inputs {x} small {kind}, prepared"));
        }
    }
    let ternary = smalls::<R>(&operand::<R>(KINDS[0][0], &mut random), &mut random);
    for (i, a) in ternary.iter().enumerate() {
        for (k, b) in ternary.iter().enumerate() {
            check_smalls::<R>(a, b, &format!("small {i} small {k}"));
        }
    }
}

macro_rules! products {
    ($($(#[$doc:meta])* $ring:ident: $q:literal, $n:literal;)*) => {
        /// Protects: every product is the oracle's, in every ring of the catalogue.
        #[test]
        fn are_the_oracles() {
            $(every_product::<rings::$ring>();)*
        }
    };
}

each_ring!(products);
