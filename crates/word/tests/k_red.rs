//! Rings by K-RED are those by Montgomery's reduction, on every backend of this machine.
#![cfg(feature = "k-red")]

use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use ringsmith_word::{Polynomial, Shape, WordError, WordRing};

/// The logarithm of the longest degree. Elsewhere this code is emulated, and slow.
const LONGEST: u32 = if cfg!(target_arch = "x86_64") { 15 } else { 11 };
const SHAPES: [Shape; 2] = [Shape::Negacyclic, Shape::Cyclic];
/// Those of the least and of the greatest `k` below `2^12`, whose rings have up to `2^15` coefficients, as
/// the second's; and of an odd `k`.
const PRIMES: [u64; 4] = [65_537, 786_433, 49_201_153, 67_043_329];

fn random(random: &mut Random, n: usize, p: u64) -> Vec<u64> {
    (0..n).map(|_| random.word() % p).collect()
}

fn coefficients(a: &Polynomial) -> Vec<u64> {
    a.coefficients().collect()
}

/// What a ring makes of two polynomials: the values of the first, and of those values the polynomial again;
/// the product, by a prepared operand and in memory of one's own; and `a + a b + b b`, as a sum of values
/// that are not reduced.
fn all(ring: &WordRing, a: &[u64], b: &[u64]) -> Result<[Vec<u64>; 6], WordError> {
    let (n, [a, b]) = (ring.degree(), [ring.polynomial(a)?, ring.polynomial(b)?]);
    let (mut values, mut written) = (vec![0; n], vec![0; n]);
    let there = ring.forward(a.try_clone()?)?;
    ring.values(there.try_clone()?, &mut values)?;
    let back = ring.inverse(ring.transformed(&values)?)?;
    let prepared = ring.prepare(b.try_clone()?)?;
    let (mut out, mut scratch) = (a.try_clone()?, ring.zero()?);
    ring.product_into(&a, &b, &mut out, &mut scratch)?;
    ring.coefficients(&out, &mut written)?;
    let product = ring.product_prepared(a, &prepared)?;
    let (mut sum, other) = (there.try_clone()?, ring.forward(b)?);
    ring.accumulate(&mut sum, &there, &other)?;
    ring.accumulate_prepared(&mut sum, &other, &prepared)?;
    let there_and_back = coefficients(&ring.inverse(there)?);
    let sum = coefficients(&ring.inverse(sum)?);
    Ok([values, coefficients(&back), written, coefficients(&product), there_and_back, sum])
}

/// `a + a b + b b` of the values of Montgomery's ring, from its products.
fn expected(ring: &WordRing, a: &[u64], b: &[u64]) -> Result<[Vec<u64>; 6], WordError> {
    let product = |a: &[u64]| {
        Ok::<_, WordError>(coefficients(&ring.product(ring.polynomial(a)?, ring.polynomial(b)?)?))
    };
    let (p, mut values, product_ab) = (ring.prime(), vec![0; ring.degree()], product(a)?);
    ring.values(ring.forward(ring.polynomial(a)?)?, &mut values)?;
    let squares = product(b)?;
    let sum = (0..a.len()).map(|i| (a[i] + product_ab[i] + squares[i]) % p).collect();
    Ok([values, a.to_vec(), product_ab.clone(), product_ab, a.to_vec(), sum])
}

/// Protects: transforms, products and sums by K-RED, of random and of the worst operands, with the primes at
/// the ends, in every degree.
#[test]
fn equal_to_montgomery() {
    let mut source = Random::new(11);
    for (shape, p) in SHAPES.into_iter().flat_map(|shape| PRIMES.map(|p| (shape, p))) {
        let order = if shape == Shape::Cyclic { 1 } else { 2 };
        for n in (1..=LONGEST).map(|k| 1 << k).filter(|n| (p - 1).is_multiple_of(order * *n as u64)) {
            let worst = vec![p - 1; n];
            let some = random(&mut source, n, p);
            let signs: Vec<_> = (0..n as u64).map(|i| if i % 2 == 0 { p / 2 } else { p / 2 + 1 }).collect();
            let montgomery = WordRing::new_on(Cpu::detect(), shape, n, p).unwrap();
            for (a, b) in [(&some, &worst), (&worst, &worst), (&signs, &some)] {
                let expected = expected(&montgomery, a, b).unwrap();
                for cpu in Cpu::available() {
                    let ring = WordRing::by_k_red(cpu, shape, n, p).unwrap();
                    assert_eq!(ring.root(), montgomery.root());
                    assert!(all(&ring, a, b).unwrap() == expected, "{ring:?}");
                }
            }
        }
    }
}

/// Protects: the products of values that are not reduced, again and again.
#[test]
fn chains_of_products() {
    for (cpu, p) in Cpu::available().flat_map(|cpu| PRIMES.map(|p| (cpu, p))) {
        let power = |ring: &WordRing| {
            let one = ring.forward(ring.polynomial(&vec![p - 1; 128]).unwrap()).unwrap();
            let mut power = one.try_clone().unwrap();
            for _ in 0..5 {
                ring.pointwise(&mut power, &one).unwrap();
                let same = power.try_clone().unwrap();
                ring.pointwise(&mut power, &same).unwrap();
            }
            coefficients(&ring.inverse(power).unwrap())
        };
        let ring = WordRing::by_k_red(cpu, Shape::Negacyclic, 128, p).unwrap();
        assert_eq!(power(&ring), power(&WordRing::new(128, p).unwrap()), "{ring:?}");
    }
}

/// Protects: moduli that K-RED does not serve are an error that says which do, after those of any ring; and
/// operands of Montgomery's ring are refused.
#[test]
fn errors() {
    let error = |n, p| WordRing::by_k_red(Cpu::detect(), Shape::Negacyclic, n, p).unwrap_err();
    // The least prime above 2^26 that is 1 modulo 2^14, one whose m is too small, and one of 46 bits.
    for p in [67_239_937, 12289, 8_380_417, 1_073_479_681, 70_368_740_769_793] {
        assert_eq!(error(64, p), WordError::KRed { p });
    }
    let sentence = "K-RED takes moduli below 2^26 that are 1 modulo 16384, not 12289";
    assert_eq!(WordError::KRed { p: 12289 }.to_string(), sentence);
    assert_eq!(error(100, 49_201_153), WordError::Degree { n: 100 });
    assert_eq!(error(64, 32_769), WordError::NotPrime { p: 32_769 });
    assert_eq!(error(1 << 14, 49_201_153), WordError::Roots { p: 49_201_153, order: 1 << 15 });

    let one = WordRing::by_k_red(Cpu::detect(), Shape::Negacyclic, 64, 49_201_153).unwrap();
    let other = WordRing::new(64, 49_201_153).unwrap();
    for (one, other) in [(&one, &other), (&other, &one)] {
        let a = one.polynomial(&[1; 64]).unwrap();
        assert_eq!(other.forward(a).unwrap_err(), WordError::OtherRing);
    }
}
