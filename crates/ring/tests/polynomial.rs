//! Polynomials modulo 3, and the factors of `x^n - x - 1`: those found here, and those written down in the
//! library.

use ringsmith_ring::inverse::polynomial::Polynomial;
use ringsmith_routes::rings::{
    NtruPrime653, NtruPrime761, NtruPrime857, NtruPrime953, NtruPrime1013, NtruPrime1277,
};

const SETS: [(usize, &[usize]); 6] = [
    (653, &[3, 16, 23, 77, 122, 124, 288]),
    (761, &[19, 60, 682]),
    (857, &[25, 113, 719]),
    (953, &[5, 11, 25, 392, 520]),
    (1013, &[4, 21, 23, 39, 52, 67, 162, 270, 375]),
    (1277, &[3, 4, 7, 8, 177, 538, 540]),
];

fn factors(n: usize, degrees: &[usize]) -> Vec<Polynomial> {
    match *degrees {
        [a, b, c] => Polynomial::factors(n, &[a, b, c]).into(),
        [a, b, c, d, e] => Polynomial::factors(n, &[a, b, c, d, e]).into(),
        [a, b, c, d, e, f, g] => Polynomial::factors(n, &[a, b, c, d, e, f, g]).into(),
        _ => Polynomial::factors(n, degrees.first_chunk::<9>().unwrap()).into(),
    }
}

fn coefficients(a: &Polynomial) -> Vec<i16> {
    (0..=a.degree().unwrap()).map(|i| a.get(i)).collect()
}

/// `a b`, coefficient by coefficient.
fn product(a: &[i16], b: &[i16]) -> Vec<i16> {
    let mut out = vec![0; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            out[i + j] += x * y;
        }
    }
    out.iter().map(|x| (x + 1).rem_euclid(3) - 1).collect()
}

/// `x^(3^d) - x` modulo the modulus polynomial.
fn frobenius(n: usize, d: usize) -> Polynomial {
    (0..d).fold(Polynomial::power(1), |a, _| a.cubed(n)).sub(1, 1, &Polynomial::power(0), 1)
}

/// Protects: the factors' product is the modulus polynomial, and each is irreducible (M. Rabin's test).
#[test]
fn factors_are_irreducible() {
    for (n, degrees) in SETS {
        let factors = factors(n, degrees);
        let all = factors.iter().fold(vec![1], |all, factor| product(&all, &coefficients(factor)));
        let mut modulus = vec![0; n + 1];
        (modulus[0], modulus[1], modulus[n]) = (-all[n], -all[n], all[n]);
        assert_eq!(all, modulus, "{n}");
        for (factor, &degree) in factors.iter().zip(degrees) {
            let divides = |d: usize| factor.common_divisor(frobenius(n, d)).degree();
            assert_eq!(divides(degree), Some(degree), "{n}");
            let primes = (2..=degree).filter(|p| degree % p == 0 && (2..*p).all(|d| p % d != 0));
            assert!(primes.map(|p| divides(degree / p)).all(|d| d == Some(0)), "{n}: {degree}");
        }
    }
}

/// Protects: the factors that are written down are those that a search finds.
#[test]
fn factors_are_found() {
    let written: [&[Polynomial]; 6] = [
        &NtruPrime653::FACTORS_MOD_3,
        &NtruPrime761::FACTORS_MOD_3,
        &NtruPrime857::FACTORS_MOD_3,
        &NtruPrime953::FACTORS_MOD_3,
        &NtruPrime1013::FACTORS_MOD_3,
        &NtruPrime1277::FACTORS_MOD_3,
    ];
    let digits =
        |factors: &[Polynomial]| -> Vec<String> { factors.iter().map(|f| f.digits().collect()).collect() };
    for ((n, degrees), written) in SETS.into_iter().zip(written) {
        assert_eq!(digits(written), digits(&factors(n, degrees)), "{n}");
    }
}

/// Protects: a quotient times the divisor, and the remainder, are the dividend; a cube is one.
#[test]
fn division_and_cubes() {
    let (a, n) = (Polynomial::modulus(653), 653);
    let b = frobenius(n, 7);
    let [quotient, remainder] = a.divided(&b);
    let mut again = product(&coefficients(&quotient), &coefficients(&b));
    for (x, y) in again.iter_mut().zip(coefficients(&remainder)) {
        *x = (*x + y + 1).rem_euclid(3) - 1;
    }
    assert_eq!(again, coefficients(&a));
    let plain = coefficients(&b);
    let mut cube = product(&product(&plain, &plain), &plain);
    for i in (n..cube.len()).rev() {
        cube[i - n] += cube[i];
        cube[i - n + 1] += cube[i];
    }
    let cube: Vec<_> = cube[..n].iter().map(|x| (x + 1).rem_euclid(3) - 1).collect();
    assert_eq!(cube, (0..n).map(|i| b.cubed(n).get(i)).collect::<Vec<_>>());
}
