//! What the compiler computes: bounds, numbers modulo a prime, and the K-RED ledger.
//!
//! These tests stand outside the library, so that its kernels are not compiled a second time for them.
#![cfg(ringsmith_harness)] // What only these tests see is the same on every machine.

use ringsmith_ring::Placement;
use ringsmith_ring::algorithm::k_red::plan::{Plan32, Problem32};
use ringsmith_ring::bound::Bound;
use ringsmith_ring::number::{bit_reverse, inverse, inverse_mod_word, is_prime, root_of_unity};

/// Interval arithmetic against all pairs of values of small intervals.
#[test]
fn operations_are_tight() {
    let bounds: Vec<Bound> =
        (-4..4).flat_map(|low| (low..5).map(move |high| Bound::new(low, high))).collect();
    let hull = |a: Bound, b: Bound, f: fn(i64, i64) -> i64| {
        let all = (a.low..=a.high).flat_map(|x| (b.low..=b.high).map(move |y| f(x, y)));
        let values: Vec<i64> = all.collect();
        Bound::new(*values.iter().min().unwrap(), *values.iter().max().unwrap())
    };
    for a in &bounds {
        for b in &bounds {
            assert_eq!(a.add(*b), hull(*a, *b, |x, y| x + y));
            assert_eq!(a.sub(*b), hull(*a, *b, |x, y| x - y));
            assert_eq!(a.mul(*b), hull(*a, *b, |x, y| x * y));
        }
        assert_eq!(a.shift_right(1), hull(*a, *a, |x, _| x >> 1));
    }
}

#[test]
fn lanes() {
    assert!(Bound::symmetric(32767).fits(16) && !Bound::new(-32768, 0).fits(16));
    assert_eq!(Bound::centred(7), Bound::symmetric(3));
    assert_eq!(Bound::centred(8), Bound::new(-4, 3));
}

#[test]
fn published_roots_come_out() {
    assert_eq!(root_of_unity(2048, 12289), 7);
    assert_eq!(root_of_unity(1024, 12289), 49);
    assert_eq!(root_of_unity(256, 3329), 17);
}

#[test]
fn inverses() {
    for q in [3329, 7681, 12289, 4591, 3457] {
        assert!(is_prime(q));
        assert_eq!((q * inverse_mod_word(q) as i64).rem_euclid(1 << 16), 1);
        assert_eq!(inverse(5, q) * 5 % q, 1);
    }
}

#[test]
fn bits_reversed() {
    assert_eq!(bit_reverse(0b001, 3), 0b100);
    assert_eq!(bit_reverse(0b110, 4), 0b0110);
}

/// Longa and Naehrig's root; the library's tables use the smallest one.
const PUBLISHED: Problem32 = Problem32::new(12289, 10, 1945, 64, Placement::Paper);

/// Protects: the constants of the paper's product and key exchange come out of the ledger.
#[test]
fn published_constants_are_derived() {
    let plan = Plan32::paper(&PUBLISHED);
    assert_eq!(plan.exponent(), 8);
    let last = |exponent| PUBLISHED.last(exponent).map(|c| c.rem_euclid(12289));
    assert_eq!(last(8)[..2], [8350, 795]);
    assert_eq!(last(11)[..2], [2585, 10953]);
    assert_eq!(plan.forward_exponent(), 1);
}

/// Protects: the paper's placement is safe with 64-bit products, and is not with 32-bit ones.
#[test]
fn the_papers_placement_needs_wide_products() {
    assert!(Plan32::paper(&PUBLISHED).holds(&PUBLISHED));
    let narrow = Problem32::new(12289, 10, 1945, 32, Placement::Paper);
    assert!(!Plan32::paper(&narrow).holds(&narrow));
}

/// Protects: the analysis reduces nowhere that it need not, at every size and for both widths of a product.
#[test]
fn every_planned_reduction_is_needed() {
    for (layers, width) in [(10, 32), (9, 32), (8, 32), (10, 64)] {
        let psi = root_of_unity(2 << layers, 12289);
        let problem = Problem32::new(12289, layers, psi, width, Placement::Analysis);
        let plan = Plan32::analysis(&problem);
        assert!(plan.holds(&problem) && plan.count() > 0);
        for i in 0..plan.count() as usize {
            assert!(!plan.without(i).holds(&problem), "reduction {i} of {plan:?}");
        }
    }
}

/// Protects: of the paper's four reductions the one of the forward transform is needed; no lane would
/// overflow without one of the others.
#[test]
fn which_of_the_papers_reductions_are_needed() {
    let plan = Plan32::paper(&PUBLISHED);
    let needed: Vec<bool> = (0..4).map(|i| !plan.without(i).holds(&PUBLISHED)).collect();
    assert_eq!((plan.count(), needed), (4, vec![true, false, false, false]));
}
