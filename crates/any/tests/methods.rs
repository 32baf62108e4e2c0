//! Every method that a ring has, whichever the model chooses.

use ringsmith_any::compiled::Table;
use ringsmith_any::{Candidates, Costs, Kind, Operands, Polynomial, Ring, RingError, WhyNot, Work};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;

fn candidates(q: u64, f: &Polynomial, operands: Operands) -> Candidates {
    let cpu = Cpu::detect();
    Candidates::new(cpu, q, f, operands, &Costs::of(cpu)).unwrap()
}

/// All products by all methods are those of the definition, which is a method itself.
fn check(cpu: Cpu, random: &mut Random, q: u64, f: &Polynomial, operands: Operands) -> usize {
    let n = f.degree();
    let second = operands.bound().map_or(q, |bound| bound + 1);
    let element = |random: &mut Random, most: u64| (0..n).map(|_| random.word() % most).collect::<Vec<_>>();
    let pairs = [(element(random, q), element(random, second)), (vec![q - 1; n], vec![second - 1; n])];
    let candidates = Candidates::new(cpu, q, f, operands, &Costs::of(cpu)).unwrap();
    let by = |method| Ring::by(cpu, q, f, operands, &method).unwrap();
    let schoolbook =
        candidates.iter().map(|of| of.method()).find(|of| of.to_string().starts_with("schoolbook"));
    let (definition, mut expected, mut out) = (by(schoolbook.unwrap()), vec![0; n], vec![0; n]);
    for (a, b) in &pairs {
        definition.product(a, b, &mut expected, &mut definition.room().unwrap()).unwrap();
        for candidate in candidates.iter() {
            let ring = by(candidate.method());
            let mut room = ring.room().unwrap();
            ring.product(a, b, &mut out, &mut room).unwrap();
            assert_eq!(out, expected, "{ring:?} by {}", candidate.method());
            ring.product_prepared(a, &ring.prepare(b).unwrap(), &mut out, &mut room).unwrap();
            assert_eq!(out, expected, "{ring:?} by {}, prepared", candidate.method());
        }
    }
    candidates.iter().count()
}

/// Protects: whatever is chosen equals the definition, for moduli and polynomials of every kind, and small
/// operands, on every backend.
#[test]
fn every_method_is_the_definition() {
    let (mut random, mut most) = (Random::new(7), 0);
    for q in [2, 3, 257, 2048, 12289, (1 << 31) - 1, 1 << 32, 1_152_921_504_606_584_833, 1 << 61] {
        for n in [9, 17, 64, 128, 130] {
            let dense: Vec<u64> = (0..n).map(|_| random.word() % q).chain([1]).collect();
            let forms = [
                Polynomial::new(&[(n, 1), (0, -1)]),
                Polynomial::new(&[(n, 1), (0, 1)]),
                Polynomial::new(&[(n, 1), (1, -1), (0, -1)]),
                Polynomial::new(&[(n, 1), (n - 1, 2), (0, -5)]),
                Polynomial::dense(&dense),
            ];
            for f in forms.map(Result::unwrap) {
                for cpu in Cpu::available() {
                    most = most.max(check(cpu, &mut random, q, &f, Operands::any()));
                    if q > 2 {
                        check(cpu, &mut random, q, &f, Operands::any().small(1));
                    }
                }
            }
        }
    }
    assert!(most > 12, "{most}");
}

/// Protects: a ring takes the method that costs the least, by the costs that it is given.
#[test]
fn the_least_costs_are_chosen() {
    let (cpu, f) = (Cpu::detect(), "x^64+1".parse().unwrap());
    let only = |kind: Kind| Costs::new(&Kind::ALL.map(|of| if of == kind { 1.0 } else { 0.0 })).unwrap();
    for kind in [Kind::Square, Kind::Number, Kind::NarrowLength] {
        let ring = Ring::with_costs(cpu, 4591, &f, Operands::any(), Table::default(), &only(kind)).unwrap();
        let all = Candidates::new(cpu, 4591, &f, Operands::any(), &only(kind)).unwrap();
        let cycles: Vec<f64> = all.iter().map(|of| of.cycles()).collect();
        assert!(cycles.is_sorted(), "{cycles:?}");
        assert_eq!(kind == Kind::Square, !ring.route().to_string().starts_with("schoolbook"), "{kind:?}");
        if kind == Kind::Square {
            assert_eq!(cycles[0], 0.0);
        }
    }
}

/// Protects: an `f` of few terms is divided by products where the model takes that for faster than term by
/// term, and only there; either is the definition.
#[test]
fn few_terms_are_divided_by_the_faster_way() {
    let dear = |cpu| {
        let of = |kind: &Kind, cost: &f64| if *kind == Kind::Step { 1000.0 } else { *cost };
        let shipped = Costs::of(cpu);
        let costs: Vec<_> = Kind::ALL.iter().zip(shipped.values()).map(|(kind, x)| of(kind, x)).collect();
        Costs::new(&costs).unwrap()
    };
    let mut random = Random::new(8);
    for (cpu, n) in Cpu::available().flat_map(|cpu| [500, 761, 1024].map(|n| (cpu, n))) {
        for (gap, q) in [1, 15, n / 2].into_iter().flat_map(|gap| [257, (1 << 61) - 1].map(|q| (gap, q))) {
            let f = Polynomial::new(&[(n, 1), (n - gap, 1), (0, 1)]).unwrap();
            for (costs, products) in [(Costs::of(cpu), false), (dear(cpu), gap < 16)] {
                let table = Table::default();
                let ring = Ring::with_costs(cpu, q, &f, Operands::any(), table, &costs).unwrap();
                let all = Candidates::new(cpu, q, &f, Operands::any(), &costs).unwrap();
                let by_products = |text: String| text.contains("divided by products");
                let found = all.iter().any(|of| by_products(of.method().to_string()));
                assert_eq!(found, products, "{ring:?}");
                let first = all.iter().next().unwrap().method();
                assert_eq!(by_products(first.to_string()), products, "{first} of {ring:?}");
                let [a, b] = [(); 2].map(|()| (0..n).map(|_| random.word() % q).collect::<Vec<_>>());
                let (mut out, mut room) = (vec![0; n], ring.room().unwrap());
                ring.product(&a, &b, &mut out, &mut room).unwrap();
                assert_eq!(out, definition(q, &[n - gap, 0], &a, &b), "{ring:?} by {first}");
            }
        }
    }
}

/// `a b` modulo `x^n + ..` and `q` by the definition, of terms with these exponents, each times 1.
fn definition(q: u64, low: &[usize], a: &[u64], b: &[u64]) -> Vec<u64> {
    let (n, q) = (a.len(), u128::from(q));
    let mut c = vec![0_u128; 2 * n - 1];
    for (i, x) in a.iter().enumerate() {
        let wide = b.iter().map(|y| u128::from(*x) * u128::from(*y));
        c[i..].iter_mut().zip(wide).for_each(|(sum, x)| *sum = (*sum + x) % q);
    }
    for i in (n..2 * n - 1).rev() {
        let top = q - c[i];
        low.iter().for_each(|exponent| c[i - n + exponent] = (c[i - n + exponent] + top) % q);
    }
    c[..n].iter().map(|x| *x as u64).collect()
}

/// Protects: methods of another ring are refused, and so are numbers that are no costs.
#[test]
fn what_is_refused() {
    let (cpu, cyclic, sparse) = (Cpu::detect(), "x^64-1".parse().unwrap(), "x^65-x-1".parse().unwrap());
    let all = candidates(12289, &cyclic, Operands::any());
    for candidate in all.iter().filter(|of| !of.method().to_string().starts_with("schoolbook")) {
        let error = Ring::by(cpu, 4591, &sparse, Operands::any(), &candidate.method()).unwrap_err();
        assert_eq!(error, RingError::Method, "{}", candidate.method());
    }
    for bad in [-1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert_eq!(Costs::new(&Kind::ALL.map(|_| bad)), None);
    }
    assert_eq!(Costs::new(&[1.0]), None);
}

/// Protects: reasons, with their numbers.
#[test]
fn reasons() {
    let reasons = |q, f: &str| {
        let all = candidates(q, &f.parse().unwrap(), Operands::any());
        all.refused().map(|of| (of.to_string(), of.why())).collect::<Vec<_>>()
    };
    let of = |list: &[(String, WhyNot)], what: &str| {
        list.iter().find(|(name, _)| name == what).map(|(_, why)| *why)
    };
    let list = reasons(4591, "x^761-x-1");
    assert_eq!(of(&list, "wrapped transforms"), Some(WhyNot::Form));
    assert_eq!(of(&list, "modulo q"), Some(WhyNot::Roots { order: 2048 }));
    assert_eq!(of(&list, "length 1280"), Some(WhyNot::Short { needs: 1521 }));
    assert_eq!(of(&list, "1 prime of 30 bits"), Some(WhyNot::Bits { needs: 33, holds: 29 }));
    assert_eq!(of(&list, "2 primes"), Some(WhyNot::Fewer));
    let list = reasons(4591, "x^64+1");
    assert_eq!(of(&list, "residues modulo f"), Some(WhyNot::Wraps));
    let list = reasons(4591, "x^761-2x^760-1");
    assert_eq!(of(&list, "residues modulo f"), Some(WhyNot::Growth));
    let list = reasons(17, "x^5+1");
    assert_eq!(of(&list, "wrapped transforms"), Some(WhyNot::Small { least: 17 }));
}

/// Protects: costs are found again from the times that they predict, beside one time that is far off.
#[test]
fn costs_are_fitted() {
    let (cpu, mut products) = (Cpu::detect(), Vec::<(Work, f64)>::new());
    let shipped = Costs::of(cpu);
    let twice = Costs::new(&shipped.values().map(|cost| 2.0 * cost)).unwrap();
    for n in [64, 256, 761, 1024, 4096] {
        for q in [3, 12289, 4591, 1 << 32, 1 << 60] {
            for form in ["x^N-1", "x^N-x-1"] {
                let f = form.replace('N', &n.to_string()).parse().unwrap();
                let all = candidates(q, &f, Operands::any());
                products.extend(all.iter().map(|of| (*of.work(), twice.cycles(of.work()))));
            }
        }
    }
    products[3].1 *= 10.0;
    let fitted = shipped.fitted(&products);
    for (i, (work, cycles)) in products.iter().enumerate().filter(|(i, _)| *i != 3) {
        let ratio = fitted.cycles(work) / cycles;
        assert!((0.97..1.03).contains(&ratio), "{i}: {ratio}");
    }
}
