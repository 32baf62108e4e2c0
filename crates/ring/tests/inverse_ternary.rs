//! Inverses modulo 3 and `1 + x + .. + x^(n-1)`, and other polynomials.

use ringsmith_oracle::{Random, canonical, inverse_modulo};
use ringsmith_ring::Rows;
use ringsmith_ring::inverse::ternary::{AllOnes, Modulus, PrimeTrinomial, inverse, modulo_phi};
use ringsmith_simd::Cpu;

/// Elements of all kinds: any, constants, `x^i`, sparse ones, zero.
fn elements<const ROWS: usize>(degree: usize) -> Vec<Rows<ROWS>> {
    let mut random = Random::new(degree as u64);
    let rows = |coefficient: &mut dyn FnMut(usize) -> i64| {
        let mut rows = Rows([[0; 16]; ROWS]);
        (0..degree).for_each(|i| rows.0[i / 16][i % 16] = coefficient(i) as i16);
        rows
    };
    let mut all: Vec<_> = (0..4).map(|_| rows(&mut |_| random.within(-1, 1))).collect();
    for (place, x) in [(0, 1), (0, -1), (1, 1), (degree - 1, -1)] {
        all.push(rows(&mut |i| if i == place { x } else { 0 }));
    }
    all.push(rows(&mut |i| (i == 0) as i64 - (i == 1) as i64));
    all.push(rows(&mut |_| 0));
    all.push(rows(&mut |_| 1));
    all
}

/// What is computed is what Euclid finds, and so is whether there is an inverse; how many have one.
fn check<M: Modulus, const V: usize, const ROWS: usize>() -> usize {
    let mut found = 0;
    let [top, between, low] = M::COEFFICIENTS.map(i128::from);
    let modulus = [vec![low; 2], vec![between; M::DEGREE - 2], vec![top]].concat();
    for a in elements::<ROWS>(M::DEGREE) {
        let wide: Vec<i128> = a.0.as_flattened()[..M::DEGREE].iter().map(|&x| x.into()).collect();
        let expected = inverse_modulo(&wide, &modulus, 3);
        for cpu in Cpu::available() {
            let mut out = Rows([[7; 16]; ROWS]);
            let exists = inverse::<M, V, ROWS>(cpu, &a, &mut out).to_bool();
            assert_eq!(exists, expected.is_some(), "degree {} on {cpu:?}", M::DEGREE);
            let (out, rest) = out.0.as_flattened().split_at(M::DEGREE);
            assert!(rest.iter().all(|&x| x == 0) && out.iter().all(|x| (-1..=1).contains(x)));
            if let Some(expected) = &expected {
                let out = out.iter().map(|&x| canonical(x.into(), 3));
                assert!(out.eq(expected.iter().copied()), "degree {} on {cpu:?}", M::DEGREE);
            }
        }
        found += expected.is_some() as usize;
    }
    found
}

/// Protects: inverses in every ring of NTRU, of every element but 0.
#[test]
fn inverses_of_ntru() {
    let found = [
        check::<AllOnes<509>, 2, 32>(),
        check::<AllOnes<677>, 3, 43>(),
        check::<AllOnes<821>, 4, 52>(),
        check::<AllOnes<1229>, 5, 77>(),
        check::<AllOnes<701>, 3, 44>(),
        check::<AllOnes<1373>, 6, 86>(),
    ];
    assert_eq!(found, [10; 6]);
}

/// Protects: moduli with factors: 3 is no generator modulo 439 and 757.
#[test]
fn moduli_with_factors() {
    check::<AllOnes<439>, 2, 28>();
    check::<AllOnes<757>, 3, 48>();
    check::<PrimeTrinomial<761>, 3, 48>();
}

/// Protects: the representative of least degree and least coefficients.
#[test]
fn reduced() {
    let mut random = Random::new(1);
    let mut words = || random.within(-4095, 4095) as i16;
    for cpu in Cpu::available() {
        let mut a = Rows([[0; 16]; 32]);
        a.0.as_flattened_mut()[..509].iter_mut().for_each(|x| *x = words());
        (a.0[0][0], a.0[31][12]) = (4095, -4095);
        let top = a.0[31][12];
        let expected =
            a.0.as_flattened()[..509].iter().map(|x| (x - top + 1).rem_euclid(3) - 1).collect::<Vec<_>>();
        modulo_phi::<509, 32>(cpu, &mut a);
        assert_eq!(a.0.as_flattened()[..509], expected);
        assert_eq!(a.0.as_flattened()[508..], [0; 4]);
    }
}
