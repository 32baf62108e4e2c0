//! Inverses modulo 3 and `1 + x + .. + x^(n-1)`, and other polynomials.

use ctutils::Choice;
use ringsmith_oracle::{Random, canonical, inverse_modulo};
use ringsmith_ring::Rows;
use ringsmith_ring::inverse::ternary::symmetric::{self, mirror};
use ringsmith_ring::inverse::ternary::{PrimeTrinomial, inverse, modulo_phi};
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

/// `1 / a` modulo 3 of all kinds of elements is what Euclid finds, and so is whether there is one. How many
/// have one.
fn check<const ROWS: usize>(
    modulus: &[i128],
    inverse: impl Fn(Cpu, &Rows<ROWS>, &mut Rows<ROWS>) -> Choice,
) -> usize {
    let (mut found, degree) = (0, modulus.len() - 1);
    for a in elements::<ROWS>(degree) {
        let wide: Vec<i128> = a.0.as_flattened()[..degree].iter().map(|&x| x.into()).collect();
        let expected = inverse_modulo(&wide, modulus, 3);
        for cpu in Cpu::available() {
            let mut out = Rows([[7; 16]; ROWS]);
            let exists = inverse(cpu, &a, &mut out).to_bool();
            assert_eq!(exists, expected.is_some(), "degree {degree} on {cpu:?}");
            let (out, rest) = out.0.as_flattened().split_at(degree);
            assert!(rest.iter().all(|&x| x == 0) && out.iter().all(|x| (-1..=1).contains(x)));
            if let Some(expected) = &expected {
                let out = out.iter().map(|&x| canonical(x.into(), 3));
                assert!(out.eq(expected.iter().copied()), "degree {degree} on {cpu:?}");
            }
        }
        found += expected.is_some() as usize;
    }
    found
}

/// `out = a b` modulo 3 and `x^N - 1`, by the definition.
fn product<const N: usize, const ROWS: usize>(a: &Rows<ROWS>, b: &Rows<ROWS>) -> Rows<ROWS> {
    let mut out = Rows([[0; 16]; ROWS]);
    for (i, x) in a.0.as_flattened()[..N].iter().enumerate() {
        for (j, y) in b.0.as_flattened()[..N].iter().enumerate() {
            out.0.as_flattened_mut()[(i + j) % N] += x * y;
        }
    }
    out
}

/// Rows for every degree.
const ROWS: usize = 86;

/// By a symmetric element, modulo `1 + x + .. + x^(N-1)`.
fn by_symmetric<const N: usize, const V: usize, const HALF: usize>() -> usize {
    check::<ROWS>(&vec![1; N], |cpu, a, out| {
        let (mut mirrored, mut inverse) = (Rows([[7; 16]; ROWS]), Rows([[7; 16]; ROWS]));
        mirror::<N>(&a.0, &mut mirrored.0);
        let norm = product::<N, ROWS>(a, &mirrored);
        let exists = symmetric::inverse::<N, V, HALF>(cpu, &norm.0, &mut inverse.0);
        *out = product::<N, ROWS>(&mirrored, &inverse);
        modulo_phi::<N>(cpu, &mut out.0);
        exists
    })
}

/// Protects: inverses in every ring of NTRU, of every element but 0.
#[test]
fn inverses_of_ntru() {
    let found = [
        by_symmetric::<509, 1, 16>(),
        by_symmetric::<677, 2, 22>(),
        by_symmetric::<821, 2, 26>(),
        by_symmetric::<1229, 3, 39>(),
        by_symmetric::<701, 2, 22>(),
        by_symmetric::<1373, 3, 43>(),
    ];
    assert_eq!(found, [10; 6]);
}

/// Protects: moduli with factors, where some elements have no inverse, and those of few coefficients.
#[test]
fn moduli_with_factors() {
    by_symmetric::<439, 1, 14>();
    by_symmetric::<757, 2, 24>();
    by_symmetric::<13, 1, 1>();
    // Modulo (x - 1)^8 and (x - 1)^2, which 1 - x divides.
    let found = [by_symmetric::<9, 1, 1>(), by_symmetric::<3, 1, 1>()];
    assert!(found.iter().all(|found| (4..10).contains(found)), "{found:?}");
    let trinomial = [&[-1, -1][..], &[0; 759], &[1]].concat();
    check::<48>(&trinomial, inverse::<PrimeTrinomial<761>, 3, 48>);
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
        modulo_phi::<509>(cpu, &mut a.0);
        assert_eq!(a.0.as_flattened()[..509], expected);
        assert_eq!(a.0.as_flattened()[508..], [0; 4]);
    }
}
