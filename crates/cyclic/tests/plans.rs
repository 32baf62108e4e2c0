//! The plans of size classes: a proof is one only if it can fail.

use ringsmith_cyclic::class::SIZES;
use ringsmith_ring::algorithm::rows::halves::Plan;

/// Protects: the plan of a class holds for each of its primes, and each of its reductions is needed by the
/// bounds that serve all of them.
#[test]
fn every_reduction_is_needed() {
    for size in SIZES {
        let plan = Plan::find(size);
        assert!(plan.holds_for_all(), "{size:?}");
        assert!(size.primes.iter().all(|q| plan.holds(size, *q)), "{size:?}");
        assert!(plan.count() > 0, "{size:?} has no reductions");
        for i in 0..plan.count() {
            assert!(!plan.without(i).holds_for_all(), "{size:?}: reduction {i} is needless");
        }
    }
}

/// Protects: a prime without the roots, and one that is greater than those of a class, are refused.
#[test]
fn other_primes_are_refused() {
    for size in SIZES {
        let plan = Plan::find(size);
        assert!(!plan.holds(size, 257), "{size:?}");
        let step = 2 * (size.a * size.b) as i64;
        let greater = (1..).map(|i| i * step + 1).find(|q| *q > 30_000 && prime(*q)).unwrap();
        assert!(!plan.holds(size, greater), "{size:?} modulo {greater}");
    }
}

fn prime(q: i64) -> bool {
    (2..).take_while(|d| d * d <= q).all(|d| q % d != 0)
}
