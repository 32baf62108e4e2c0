//! Factors that are read as centred, where primes hold products only so.

use ringsmith_any::{Candidates, Costs, Method, Operands, Polynomial, Ring};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;

/// The prime of 30 bits, and the greatest of 46.
const NARROW: u64 = 1_073_479_681;
const MIDDLE: u64 = 70_368_740_769_793;

/// The ring by each method.
fn rings(cpu: Cpu, q: u64, f: &Polynomial, operands: Operands) -> Vec<(Method, Ring)> {
    let all = Candidates::new(cpu, q, f, operands, &Costs::of(cpu)).unwrap();
    let by = |method: Method| (method, Ring::by(cpu, q, f, operands, &method).unwrap());
    all.iter().map(|of| by(of.method())).collect()
}

/// Whether factors are read as centred.
fn is_centred(ring: &Ring) -> bool {
    ring.route().argument().to_string().contains("products of centred numbers")
}

/// A product, a prepared one, and sums of as many products as there may be.
fn products(ring: &Ring, a: &[u64], b: &[u64], sum: usize) -> [Vec<u64>; 4] {
    let (mut room, mut out) = (ring.room().unwrap(), [(); 4].map(|()| vec![0; a.len()]));
    let prepared = ring.prepare(b).unwrap();
    ring.product(a, b, &mut out[0], &mut room).unwrap();
    ring.product_prepared(a, &prepared, &mut out[1], &mut room).unwrap();
    ring.sum_of_products(&vec![(a, b); sum], &mut out[2], &mut room).unwrap();
    ring.sum_of_products_prepared(&vec![(a, &prepared); sum], &mut out[3], &mut room).unwrap();
    out
}

/// The least and the greatest factors, and random ones.
fn factors(q: u64, n: usize, bound: u64) -> Vec<[Vec<u64>; 2]> {
    let mut random = Random::new(q);
    let ends = [q / 2, q - q / 2, q / 2 + 1, q - 1];
    let small = |x: u64| (x % (2 * bound + 1) + q - bound) % q;
    let [a, b] = [(); 2].map(|()| (0..n).map(|_| random.word() % q).collect::<Vec<_>>());
    let mut all = vec![[a, b.into_iter().map(small).collect()]];
    for x in ends {
        all.extend([bound, q - bound].map(|y| [vec![x; n], vec![y; n]]));
    }
    all
}

/// Protects: in rings whose products some primes hold only if factors are centred, every method gives the
/// product of the definition, of the greatest factors of either sign, too: with one prime, with several, of
/// a `q` below and beyond a prime, and of a second factor with a bound.
#[test]
fn every_method_is_the_definition() {
    for (q, n, small, sum) in [
        (4591, 64, None, 1),
        (5790, 64, None, 1),
        (5791, 64, None, 1),
        (4096, 65, None, 1),
        (1_200_007, 64, None, 1),
        (1 << 39, 70, Some(1), 1),
        ((1 << 43) + 9, 66, None, 1),
        (6_200_000_000_003, 64, None, 3),
        (1 << 62, 64, None, 128),
        (1 << 62, 64, Some((1 << 61) - 5), 260),
    ] {
        let operands = small.map_or(Operands::any(), |bound| Operands::any().small(bound)).sums(sum);
        let dense: Vec<_> = (0..n).map(|i| i as u64 * i as u64 % q).chain([1]).collect();
        let sparse = [&[(n, 1), (0, 1)][..], &[(n, 1), (0, -1)], &[(n, 1), (1, -1), (0, -1)]];
        let sparse = sparse.map(|terms| Polynomial::new(terms).unwrap());
        let mut centred = 0;
        for f in sparse.iter().chain([&Polynomial::dense(&dense).unwrap()]) {
            for cpu in Cpu::available() {
                let rings = rings(cpu, q, f, operands);
                let definition = |(method, _): &&(Method, Ring)| method.to_string().starts_with("schoolbook");
                let (_, definition) = rings.iter().find(definition).unwrap();
                centred += rings.iter().filter(|(_, ring)| is_centred(ring)).count();
                for [a, b] in factors(q, n, small.unwrap_or(q / 2)) {
                    let expected = products(definition, &a, &b, sum);
                    for (method, ring) in &rings {
                        let name = format!("{ring:?}, {operands:?} by {method}");
                        assert_eq!(products(ring, &a, &b, sum), expected, "{name}");
                    }
                }
            }
        }
        assert!(centred > 0, "no method reads factors of {q}, {n} as centred");
    }
}

/// The fewest primes that hold products, and whether one of 30 bits does, modulo `x^n - 1`.
fn primes(q: u64, n: usize) -> (usize, bool) {
    let f = Polynomial::new(&[(n, 1), (0, -1)]).unwrap();
    let cpu = Cpu::detect();
    let all = Candidates::new(cpu, q, &f, Operands::any(), &Costs::of(cpu)).unwrap();
    let primes = |method: Method| {
        let ring = Ring::by(cpu, q, &f, Operands::any(), &method).unwrap();
        ring.route().primes().collect::<Vec<_>>()
    };
    let lists: Vec<_> = all.iter().map(|of| primes(of.method())).filter(|list| !list.is_empty()).collect();
    (lists.iter().map(Vec::len).min().unwrap(), lists.contains(&vec![NARROW]))
}

/// Protects: the planner takes a prime that holds twice the greatest absolute value and the multiple of `q`
/// that is added, and none that does not. Rings at the edge: of `n` and the greatest `q`, and one more.
#[test]
fn the_greatest_moduli() {
    let holds = |p: u64, q: u64, n: u64| {
        let greatest = u128::from(n) * u128::from(q / 2) * u128::from(q / 2);
        2 * greatest + u128::from(q) < u128::from(p)
    };
    for n in [64, 256, 1024] {
        let greatest = |p: u64| (2..p).find(|q| !holds(p, *q, n)).unwrap() - 1;
        let narrow = greatest(NARROW);
        assert!(primes(narrow, n as usize).1 && !primes(narrow + 1, n as usize).1, "{narrow}, {n}");
        let middle = greatest(MIDDLE);
        assert_eq!((primes(middle, n as usize).0, primes(middle + 1, n as usize).0), (1, 2), "{middle}, {n}");
    }
    assert_eq!((primes(1 << 61, 1 << 16).0, primes(257, 1 << 14)), (3, (1, true)));
}

/// Protects: products of a great degree, of factors all of whose coefficients are the same, by three primes
/// that hold them only if factors are centred.
#[test]
fn a_great_degree() {
    let (q, n) = (1_u64 << 61, 1 << 16);
    let ring = Ring::new(q, &Polynomial::new(&[(n, 1), (0, -1)]).unwrap()).unwrap();
    assert!(is_centred(&ring) && ring.route().primes().count() == 3, "{}", ring.route());
    let (mut room, mut out) = (ring.room().unwrap(), vec![0; n]);
    for (a, b) in [(q / 2, q / 2), (q / 2 + 1, q / 2), (q / 2 + 1, q / 2 + 1), (q - 1, 3), (q / 3, q / 5)] {
        ring.product(&vec![a; n], &vec![b; n], &mut out, &mut room).unwrap();
        let expected = (u128::from(a) * u128::from(b) % u128::from(q) * n as u128 % u128::from(q)) as u64;
        assert!(out.iter().all(|x| *x == expected), "{a} {b}");
    }
}
