//! ProductRule modulo 3, against the oracle.

use ringsmith_oracle::{Random, Ring as Slow, Shape, product};
use ringsmith_ring::three;
use ringsmith_ring::{Multiplier, Ring, Small};
use ringsmith_routes::rings::{
    NtruPrime653, NtruPrime761, NtruPrime857, NtruPrime953, NtruPrime1013, NtruPrime1277,
};
use ringsmith_routes::{EveryRoute, entries};
use ringsmith_simd::{Cpu, Row};

/// Coefficients -1, 0, 1: random ones, and those whose products have the greatest coefficients, with either
/// sign.
fn elements<R: Ring>() -> Vec<Vec<i16>> {
    let mut random = Random::new(R::N as u64);
    let any = (0..R::N).map(|_| random.within(-1, 1) as i16).collect();
    let alternating = (0..R::N).map(|i| 1 - 2 * (i % 2) as i16).collect();
    vec![any, vec![1; R::N], vec![-1; R::N], alternating]
}

fn small<R: Ring>(a: &[i16]) -> Small<R> {
    Small::new(a).expect("coefficients -1, 0, 1")
}

/// Protects: the product in `Z_3[x]/(f)`, by every route of each field and on every CPU.
fn products_of<R: EveryRoute>() {
    let slow = Slow { q: 3, n: R::N, shape: Shape::PrimeTrinomial };
    let wide = |x: &[i16]| x.iter().map(|&x| i128::from(x)).collect::<Vec<_>>();
    let elements = elements::<R>();
    for (a, b) in elements.iter().zip(elements.iter().cycle().skip(1)).chain([(&elements[1], &elements[1])]) {
        let expected = product(slow, &wide(a), &wide(b));
        for cpu in Cpu::available() {
            for entry in entries::<R>() {
                let by = Multiplier::by_on(cpu, entry);
                let mut out = small::<R>(a);
                by.multiply_mod_3_into(&small(a), &small(b), &mut out, &mut by.scratch());
                let same =
                    out.centred().iter().zip(&expected).all(|(x, y)| i128::from(x.rem_euclid(3)) == *y);
                assert!(same && out.centred().iter().all(|x| x.abs() <= 1), "{} {cpu:?}", entry.route());
            }
        }
    }
}

#[test]
fn products() {
    products_of::<NtruPrime653>();
    products_of::<NtruPrime761>();
    products_of::<NtruPrime857>();
    products_of::<NtruPrime953>();
    products_of::<NtruPrime1013>();
    products_of::<NtruPrime1277>();
}

/// Protects: every number in the range of the reduction, on every CPU.
#[test]
fn every_number() {
    let numbers: Vec<i16> = (-three::LIMIT..=three::LIMIT).map(|x| x as i16).collect();
    let mut rows = vec![[0; 16]; numbers.len().div_ceil(16)];
    rows.as_flattened_mut()[..numbers.len()].copy_from_slice(&numbers);
    for cpu in Cpu::available() {
        let [mut rest, mut multiples]: [Vec<Row>; 2] = [rows.clone(), rows.clone()];
        three::reduce(cpu, &mut rest);
        three::round(cpu, &mut multiples);
        for ((x, rest), multiple) in numbers.iter().zip(rest.as_flattened()).zip(multiples.as_flattened()) {
            assert!(rest.abs() <= 1 && multiple % 3 == 0 && rest + multiple == *x, "{x} on {cpu:?}");
        }
    }
}
