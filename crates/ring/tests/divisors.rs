//! The test for an inverse modulo 3, against division by each factor.
#![allow(
    long_running_const_eval,
    reason = "what the compiler computes for the library, it does again for its types here"
)]

use ringsmith_ring::inverse::polynomial::Polynomial;
use ringsmith_ring::inverse::{InversesMod3, Invertible};
use ringsmith_ring::{Coefficients, Multiplier, Workspace};
use ringsmith_routes::rings::{
    NtruPrime653, NtruPrime761, NtruPrime857, NtruPrime953, NtruPrime1013, NtruPrime1277,
};
use ringsmith_simd::Cpu;

/// Trits of a fixed sequence.
fn trits(n: usize, seed: u32) -> Vec<i16> {
    let next = |x: &u32| Some(x.wrapping_mul(1664525).wrapping_add(1013904223));
    core::iter::successors(next(&seed), next).map(|x| (x >> 16) as i16 % 3).map(|x| x % 2).take(n).collect()
}

fn check<R: InversesMod3>(factors: &[Polynomial]) {
    for cpu in Cpu::available() {
        let mut scratch = R::Scratch::new();
        let test = Invertible::new(Multiplier::<R>::new_on(cpu), &mut scratch);
        for (k, factor) in factors.iter().enumerate() {
            let degree = factor.degree().unwrap();
            // A multiple of this factor.
            let mut a = R::Coeffs::ZERO;
            let words = a.rows_mut().as_flattened_mut();
            for (i, x) in trits(R::N - degree, k as u32).into_iter().enumerate() {
                (0..=degree).for_each(|j| words[i + j] += x * factor.get(j));
            }
            words.iter_mut().for_each(|x| *x = (*x + 1).rem_euclid(3) - 1);
            assert!(!test.test(&a, &mut scratch).to_bool(), "{}: {degree} on {cpu:?}", R::NAME);
            // One more: no multiple of it, and of another one only by chance.
            let words = a.rows_mut().as_flattened_mut();
            words[0] = (words[0] + 2).rem_euclid(3) - 1;
            let words = &a.rows().as_flattened()[..R::N];
            let one = factors.iter().all(|factor| !divides(factor, words));
            assert_eq!(test.test(&a, &mut scratch).to_bool(), one, "{}: {degree} on {cpu:?}", R::NAME);
        }
    }
}

/// Long division, coefficient by coefficient.
fn divides(factor: &Polynomial, a: &[i16]) -> bool {
    let (degree, mut a) = (factor.degree().unwrap(), a.to_vec());
    for i in (degree..a.len()).rev() {
        let c = a[i] * factor.get(degree);
        (0..=degree).for_each(|j| a[i - degree + j] -= c * factor.get(j));
        a.iter_mut().for_each(|x| *x = (*x + 1).rem_euclid(3) - 1);
    }
    a.iter().all(|&x| x == 0)
}

/// Protects: every factor is looked for, and nothing else, on every CPU.
#[test]
fn every_factor_counts() {
    check::<NtruPrime653>(&NtruPrime653::FACTORS_MOD_3);
    check::<NtruPrime761>(&NtruPrime761::FACTORS_MOD_3);
    check::<NtruPrime857>(&NtruPrime857::FACTORS_MOD_3);
    check::<NtruPrime953>(&NtruPrime953::FACTORS_MOD_3);
    check::<NtruPrime1013>(&NtruPrime1013::FACTORS_MOD_3);
    check::<NtruPrime1277>(&NtruPrime1277::FACTORS_MOD_3);
}
