//! Mistakes in kernels are seen.

use super::cyclic::{by_one_key, cyclic_products, transformed, wide_by_one_key, wide_products};
use super::devices;
use super::doubles::doubles_products;
use super::instructions::issued;
use super::ntru_prime::{trinomial_by_one_key, trinomial_products};
use super::paper::{interleaved_products, prime_products, sparse_products, window_products};
use super::words::{by_prepared, short_products, word_products, word_products_by};
use ringsmith_gpu::issue::MIXES;
use ringsmith_gpu::{CyclicRoute, Device, Form, PrimeRoute, WordRoute};

const PROPOSED: PrimeRoute = PrimeRoute::Interleaved { word: 64, form: Form::Proposed };

/// Protects: the comparisons above. A kernel with a mistake fails them on one of the two devices: by a
/// product, by a bound, by shared memory that is read too early.
#[test]
fn mutants() {
    type Check = fn(&Device) -> bool;
    let checks: [(u32, Check); 31] = [
        (1, |device| word_products(1024, 1_073_479_681, device)),
        (2, |device| word_products(2048, 49_201_153, device)),
        (3, |device| word_products(4096, 49_201_153, device)),
        (10, |device| cyclic_products(701, 13, CyclicRoute::Pairs, device)),
        (11, |device| cyclic_products(509, 11, CyclicRoute::Pairs, device)),
        (12, |device| cyclic_products(821, 12, CyclicRoute::Pairs, device)),
        (13, |device| sparse_products(401, device)),
        (14, |device| wide_products(701, 13, CyclicRoute::Pairs, device)),
        (15, |device| wide_by_one_key(401, 11, (3, 1), device)),
        // An even number of messages, by a random key: one whose coefficients are all alike hides it.
        (16, |device| by_one_key(401, 11, (2, 2), device)),
        (17, |device| trinomial_by_one_key(653, 4621, (3, 3), device)),
        (40, |device| trinomial_products(761, 4591, CyclicRoute::Pairs, device)),
        (40, |device| trinomial_by_one_key(653, 4621, (3, 3), device)),
        (41, |device| trinomial_products(857, 5167, CyclicRoute::Schoolbook, device)),
        (42, |device| trinomial_products(1277, 7879, CyclicRoute::Pairs, device)),
        (30, |device| short_products(12289, device)),
        (31, |device| short_products(12289, device)),
        (30, |device| word_products_by(1024, 12289, WordRoute::Tensor, device)),
        (32, |device| word_products_by(1024, 12289, WordRoute::Tensor, device)),
        (20, |device| interleaved_products(401, 32, Form::Proposed, device)),
        (60, |device| by_prepared(2048, 2_013_265_921, device)),
        (61, |device| by_prepared(1024, 49_201_153, device)),
        (62, |device| transformed(1499, 14, device)),
        (63, |device| transformed(401, 11, device)),
        (50, |device| issued(MIXES[0], device)),
        (51, |device| issued(MIXES[7], device)),
        (21, |device| prime_products(1024, 536_813_569, PROPOSED, device)),
        (23, |device| window_products(401, device)),
        (24, |device| doubles_products(1024, 49_201_153, device)),
        (25, |device| doubles_products(2048, 49_201_153, device)),
        (22, |device| prime_products(1024, 49_201_153, PrimeRoute::Schoolbook, device)),
    ];
    for (mutant, check) in checks {
        assert!(devices(0).iter().all(check), "{mutant}: right");
        assert!(!devices(mutant).iter().all(check), "{mutant}: not caught");
    }
}
