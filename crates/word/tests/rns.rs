//! Rings modulo a product of primes, on every backend of this machine: against numbers of any length, and
//! against the rings of the primes.

use num_bigint::{BigInt, BigUint, Sign};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use ringsmith_word::{RnsPolynomial, RnsRing, Shape, WordError, WordRing};

const SHAPES: [Shape; 2] = [Shape::Negacyclic, Shape::Cyclic];

/// Elsewhere this code is emulated, and slow.
const DEFINED: usize = if cfg!(target_arch = "x86_64") { 64 } else { 16 };
const LONG: usize = if cfg!(target_arch = "x86_64") { 4096 } else { 256 };

/// Primes of 46 and of 30 bits, 1 modulo `2^13`, by trial.
fn primes(bits: u32, count: usize) -> Vec<u64> {
    let order = 1 << 13;
    let top = (1_u64 << bits) / order;
    let candidates = (1..top).rev().map(|k| k * order + 1);
    candidates.filter(|p| WordRing::new(2, *p).is_ok()).take(count).collect()
}

/// Lists of primes: one, of one size, and of both sizes in turn and in both orders.
fn lists() -> Vec<Vec<u64>> {
    let [narrow, wide] = [30, 46].map(|bits| primes(bits, 4));
    let both = |first: &[u64], second: &[u64]| -> Vec<u64> {
        first.iter().zip(second).flat_map(|(a, b)| [*a, *b]).collect()
    };
    vec![
        narrow[..1].to_vec(),
        wide[..1].to_vec(),
        wide[..2].to_vec(),
        both(&wide[..1], &narrow[..1]),
        narrow.clone(),
        both(&narrow, &wide),
        both(&wide, &narrow),
        primes(46, 11),
    ]
}

fn rings(shape: Shape, n: usize, primes: &[u64]) -> Vec<RnsRing> {
    Cpu::available().map(|cpu| RnsRing::new_on(cpu, shape, n, primes).unwrap()).collect()
}

fn number(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |x, word| (x << 64) + *word)
}

fn words(x: &BigUint, count: usize) -> Vec<u64> {
    let mut words = x.to_u64_digits();
    words.resize(count, 0);
    words
}

fn product_of(primes: &[u64]) -> BigUint {
    primes.iter().map(|p| BigUint::from(*p)).product()
}

/// Numbers below `q`: first the least and the greatest, those at multiples of each prime and of all but one,
/// then random ones.
fn numbers(source: &mut Random, primes: &[u64], count: usize) -> Vec<BigUint> {
    let (q, one) = (product_of(primes), BigUint::from(1_u8));
    let mut edges = vec![BigUint::ZERO, one.clone(), &q - &one, &q >> 1];
    for p in primes {
        let p = BigUint::from(*p);
        let (others, middle) = (&q / &p, ((&q / &p) >> 1) * &p);
        edges.extend([&p - &one, p, &others - &one, &q - &others, others, &middle + &one, middle]);
    }
    let length = q.to_u64_digits().len() + 1;
    let random =
        std::iter::repeat_with(|| number(&(0..length).map(|_| source.word()).collect::<Vec<_>>()) % &q);
    edges.into_iter().map(|x| x % &q).chain(random).take(count.max(1)).collect()
}

fn flat(numbers: &[BigUint], count: usize) -> Vec<u64> {
    numbers.iter().flat_map(|x| words(x, count)).collect()
}

fn coefficients(ring: &RnsRing, a: &RnsPolynomial) -> Vec<u64> {
    let mut out = vec![u64::MAX; ring.degree() * ring.words()];
    ring.coefficients(a, &mut out).unwrap();
    out
}

/// Protects: residues of numbers of several words, and the way back, at the ends of the range, at multiples
/// of primes and of their products, and at random; for every degree at which blocks differ, lists of primes
/// of all kinds, and every backend.
#[test]
fn there_and_back() {
    let mut source = Random::new(1);
    for list in lists() {
        let q = product_of(&list);
        for n in [2, 4, 8, 16, 32, 64, 1024, LONG] {
            for ring in rings(Shape::Negacyclic, n, &list) {
                assert_eq!(number(ring.modulus()), q);
                assert_eq!(ring.words(), q.to_u64_digits().len());
                let mut given = numbers(&mut source, &list, n.max(128));
                for part in given.chunks_exact_mut(n).take(8) {
                    let words = flat(part, ring.words());
                    let a = ring.polynomial(&words).unwrap();
                    for (i, p) in list.iter().enumerate() {
                        let expected = part.iter().map(|x| words_of_one(x % p));
                        assert!(a.limb(i).unwrap().coefficients().eq(expected), "{ring:?} {p}");
                    }
                    assert!(coefficients(&ring, &a) == words, "{ring:?}");
                }
            }
        }
    }
}

fn words_of_one(x: BigUint) -> u64 {
    words(&x, 1)[0]
}

/// Protects: as many primes as there may be, of the greatest size and of small sizes, one of which has two
/// bits.
#[test]
fn many_primes() {
    let mut source = Random::new(2);
    let small = (3..).step_by(2).filter(|p| WordRing::cyclic(2, *p).is_ok());
    for list in [primes(46, 64), primes(30, 64), small.take(64).collect::<Vec<u64>>()] {
        for ring in rings(Shape::Cyclic, 2, &list) {
            for pair in numbers(&mut source, &list, 600).chunks_exact(2) {
                let words = flat(pair, ring.words());
                let a = ring.polynomial(&words).unwrap();
                for (i, p) in list.iter().enumerate() {
                    let expected = pair.iter().map(|x| words_of_one(x % p));
                    assert!(a.limb(i).unwrap().coefficients().eq(expected), "{ring:?} {p}");
                }
                assert!(coefficients(&ring, &a) == words, "{ring:?}");
            }
        }
    }
}

/// The product by its definition.
fn by_definition(shape: Shape, q: &BigUint, a: &[BigUint], b: &[BigUint]) -> Vec<BigUint> {
    let n = a.len();
    let mut sums = vec![BigInt::ZERO; n];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            let sign = if shape == Shape::Negacyclic && i + j >= n { Sign::Minus } else { Sign::Plus };
            sums[(i + j) % n] += BigInt::from_biguint(sign, x * y);
        }
    }
    let q = BigInt::from(q.clone());
    sums.into_iter().map(|x| (((x % &q) + &q) % &q).to_biguint().unwrap()).collect()
}

/// Protects: products of numbers of several words against their definition, by every operation that makes
/// one, in both shapes and on every backend.
#[test]
fn products_by_definition() {
    let mut source = Random::new(3);
    for (list, shape) in lists().into_iter().flat_map(|list| SHAPES.map(|shape| (list.clone(), shape))) {
        let q = product_of(&list);
        for n in [4, DEFINED] {
            let a = numbers(&mut source, &list, n);
            let mut b = numbers(&mut source, &list, n + 3).split_off(3);
            b.reverse();
            for ring in rings(shape, n, &list) {
                let expected = flat(&by_definition(shape, &q, &a, &b), ring.words());
                let of = |x: &[BigUint]| ring.polynomial(&flat(x, ring.words())).unwrap();
                let (a, b) = (of(&a), of(&b));
                let prepared = ring.prepare(b.try_clone().unwrap()).unwrap();
                let mut out = ring.polynomial_of_small(&vec![7; n]).unwrap();
                ring.product_into(&a, &b, &mut out, &mut ring.zero().unwrap()).unwrap();
                let by_prepared = ring.product_prepared(a.try_clone().unwrap(), &prepared).unwrap();
                let product = ring.product(a, b).unwrap();
                for got in [out, by_prepared, product] {
                    assert!(coefficients(&ring, &got) == expected, "{ring:?}");
                }
            }
        }
    }
}

/// Protects: each limb of every operation is that of its prime's ring, so that no limb meets another.
#[test]
fn limbs_are_those_of_the_rings() {
    let mut source = Random::new(4);
    let (list, n) = (lists()[5].clone(), 256);
    for ring in rings(Shape::Negacyclic, n, &list) {
        let mut of = || ring.polynomial(&flat(&numbers(&mut source, &list, n), ring.words())).unwrap();
        let (a, b) = (of(), of());
        let prepared = ring.prepare(b.try_clone().unwrap()).unwrap();
        let [x, y] = [&a, &b].map(|a| ring.forward(a.try_clone().unwrap()).unwrap());
        let mut sum = ring.zero().unwrap();
        ring.accumulate(&mut sum, &x, &y).unwrap();
        ring.accumulate_prepared(&mut sum, &y, &prepared).unwrap();
        let mut both = sum.try_clone().unwrap();
        ring.pointwise(&mut both, &x).unwrap();
        ring.pointwise_prepared(&mut both, &prepared).unwrap();
        let got = ring.inverse(both).unwrap();
        for (i, limb) in ring.limbs().iter().enumerate() {
            let [a, b] = [&a, &b].map(|a| a.limb(i).unwrap().try_clone().unwrap());
            let (x, y) = (limb.forward(a).unwrap(), limb.forward(b).unwrap());
            let mut sum = limb.zero().unwrap();
            limb.accumulate(&mut sum, &x, &y).unwrap();
            limb.accumulate(&mut sum, &y, &y).unwrap();
            limb.pointwise(&mut sum, &x).unwrap();
            limb.pointwise(&mut sum, &y).unwrap();
            let expected = limb.inverse(sum).unwrap();
            assert!(got.limb(i).unwrap().coefficients().eq(expected.coefficients()), "{limb:?}");
        }
    }
}

/// Protects: numbers with a sign, at the ends of their range and around 0, modulo primes that are less.
#[test]
fn numbers_with_a_sign() {
    let edges = [0, 1, -1, 2, -2, i64::MAX, i64::MIN, i64::MIN + 1, 1 << 52, -(1 << 52), (1 << 52) - 1];
    for list in lists() {
        let q = BigInt::from(product_of(&list));
        for n in [8, 64, 512] {
            let given: Vec<i64> =
                (0..n as i64).map(|i| edges[i as usize % 11].wrapping_add(i / 11)).collect();
            for ring in rings(Shape::Negacyclic, n, &list) {
                let a = ring.polynomial_of_small(&given).unwrap();
                let got = coefficients(&ring, &a);
                for (x, got) in given.iter().zip(got.chunks_exact(ring.words())) {
                    let expected = ((BigInt::from(*x) % &q) + &q) % &q;
                    assert_eq!(BigInt::from(number(got)), expected, "{ring:?} {x}");
                }
            }
        }
    }
}

/// Protects: lists of primes and operands that don't serve are errors, and what is refused is not kept.
#[test]
fn errors() {
    let error = |list: &[u64]| RnsRing::new(64, list).unwrap_err();
    assert_eq!(error(&[]), WordError::Primes { count: 0 });
    assert_eq!(error(&[257; 65]).to_string(), "a ring has 1 to 64 primes, not 65");
    assert_eq!(error(&[257, 641, 257]).to_string(), "the prime 257 is listed twice");
    assert_eq!(error(&[257, 263]), WordError::Roots { p: 263, order: 128 });
    let large = 1_152_921_504_606_584_833;
    assert_eq!(error(&[257, large]), WordError::TooLarge { p: large, bits: 50 });
    assert_eq!(RnsRing::new(63, &[257]).unwrap_err(), WordError::Degree { n: 63 });

    let list = lists()[3].clone();
    let ring = RnsRing::new(64, &list).unwrap();
    let words = 64 * ring.words();
    let mut a = ring.polynomial(&vec![1; words]).unwrap();
    for has in [0, words - 1, words + 1] {
        let wrong = WordError::Words { needs: words, has };
        assert_eq!(ring.polynomial(&vec![0; has]).unwrap_err(), wrong);
        assert_eq!(ring.coefficients(&a, &mut vec![0; has]), Err(wrong));
    }
    assert_eq!(ring.polynomial_of_small(&[0; 63]).unwrap_err(), WordError::Length { needs: 64, has: 63 });
    for at in [0, 33, 63] {
        let mut numbers = vec![0; words];
        let place = at * ring.words()..(at + 1) * ring.words();
        let q = number(ring.modulus());
        for (x, outside) in [(&q - 1_u8, false), (q.clone(), true), (q + 1_u8, true)] {
            numbers[place.clone()].copy_from_slice(&self::words(&x, ring.words()));
            assert_eq!(ring.set(&mut a, &numbers).is_err(), outside);
        }
        numbers[place].fill(u64::MAX);
        assert_eq!(ring.set(&mut a, &numbers), Err(WordError::Product));
        assert!(coefficients(&ring, &a).iter().all(|x| *x == 0));
    }
    assert_eq!(format!("{a:?}"), "RnsPolynomial modulo 2 primes");
    assert!(format!("{ring:?}").starts_with("Z_Q[x]/(x^64+1), Q of 2 primes, on "));
}

/// Protects: operands of another ring are refused by every operation, and those that are worked on in place
/// stay as they were.
#[test]
fn operands_of_another_ring() {
    let ring = RnsRing::new(64, &[257, 641]).unwrap();
    let others = [
        RnsRing::new(64, &[257]),
        RnsRing::new(64, &[641, 257]),
        RnsRing::new(64, &[257, 641, 769]),
        RnsRing::new(32, &[257, 641]),
        RnsRing::new_on(Cpu::detect(), Shape::Cyclic, 64, &[257, 641]),
    ]
    .map(Result::unwrap);
    let wrong = Some(WordError::OtherRing);
    let small = |ring: &RnsRing| ring.polynomial_of_small(&vec![3; ring.degree()]).unwrap();
    let transformed = |ring: &RnsRing| ring.forward(small(ring)).unwrap();
    let prepared = |ring: &RnsRing| ring.prepare(small(ring)).unwrap();
    for other in others {
        assert_eq!(ring.set(&mut small(&other), &[1; 64]).err(), wrong);
        assert_eq!(ring.set_small(&mut small(&other), &[1; 64]).err(), wrong);
        assert_eq!(ring.coefficients(&small(&other), &mut [0; 64]).err(), wrong);
        assert_eq!(ring.forward(small(&other)).err(), wrong);
        assert_eq!(ring.inverse(transformed(&other)).err(), wrong);
        assert_eq!(ring.prepare(small(&other)).err(), wrong);
        assert_eq!(ring.product(small(&ring), small(&other)).err(), wrong);
        assert_eq!(ring.product(small(&other), small(&ring)).err(), wrong);
        assert_eq!(ring.product_prepared(small(&other), &prepared(&ring)).err(), wrong);
        assert_eq!(ring.product_prepared(small(&ring), &prepared(&other)).err(), wrong);
        for which in 0..4 {
            let of = |i: usize| if i == which { &other } else { &ring };
            let (a, b, mut out) = (small(of(0)), small(of(1)), small(of(2)));
            let mut scratch = of(3).zero().unwrap();
            assert_eq!(ring.product_into(&a, &b, &mut out, &mut scratch).err(), wrong);
        }
        let (mine, theirs) = (transformed(&ring), transformed(&other));
        let mut sum = transformed(&ring);
        assert_eq!(ring.pointwise(&mut sum, &theirs).err(), wrong);
        assert_eq!(ring.pointwise_prepared(&mut sum, &prepared(&other)).err(), wrong);
        assert_eq!(ring.accumulate(&mut sum, &mine, &theirs).err(), wrong);
        assert_eq!(ring.accumulate(&mut sum, &theirs, &mine).err(), wrong);
        assert_eq!(ring.accumulate_prepared(&mut sum, &mine, &prepared(&other)).err(), wrong);
        assert!(coefficients(&ring, &ring.inverse(sum).unwrap()).iter().all(|x| *x == 3));
        assert_eq!(ring.pointwise(&mut transformed(&other), &mine).err(), wrong);
    }
}

/// Protects: a limb that is exchanged for another ring's is found; one that is worked on by its own ring is
/// that limb of the number; and a polynomial modulo fewer primes.
#[test]
fn single_limbs() {
    let ring = RnsRing::new(64, &[257, 641, 769]).unwrap();
    let mut a = ring.polynomial_of_small(&[5; 64]).unwrap();
    let limb = ring.limb(1).unwrap();
    limb.set(a.limb_mut(1).unwrap(), &[6; 64]).unwrap();
    let x = coefficients(&ring, &a)[0];
    assert_eq!([x % 257, x % 641, x % 769], [5, 6, 5]);
    assert!(a.limb(3).is_none() && ring.limb(3).is_none());

    let short = RnsRing::new(64, &[257, 641]).unwrap();
    let b = short.shortened(a.try_clone().unwrap()).unwrap();
    assert_eq!(coefficients(&short, &b)[0], x % (257 * 641));
    assert_eq!(ring.shortened(b).err(), Some(WordError::OtherRing));
    let other = RnsRing::new(64, &[641]).unwrap();
    assert_eq!(other.shortened(a.try_clone().unwrap()).err(), Some(WordError::OtherRing));

    *a.limb_mut(0).unwrap() = WordRing::new(64, 1153).unwrap().polynomial(&[1; 64]).unwrap();
    assert_eq!(ring.forward(a).err(), Some(WordError::OtherRing));
}
