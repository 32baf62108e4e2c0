//! Bounds of second factors that are promised: what nobody looks at does no harm.

use ringsmith_any::{Candidates, Costs, Method, Operands, Polynomial, Ring, RingError};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;

/// What is multiplied, on which backend.
struct Case {
    cpu: Cpu,
    q: u64,
    f: Polynomial,
    bound: u64,
}

impl Case {
    fn operands(&self) -> Operands {
        Operands::any().small(self.bound).sums(2).promised()
    }

    /// The ring by each method.
    fn rings(&self) -> Vec<(Method, Ring)> {
        let Case { cpu, q, f, .. } = self;
        let all = Candidates::new(*cpu, *q, f, self.operands(), &Costs::of(*cpu)).unwrap();
        let by = |method: Method| (method, Ring::by(*cpu, *q, f, self.operands(), &method).unwrap());
        all.iter().map(|of| by(of.method())).collect()
    }

    /// A kept promise gives the product of the definition.
    fn check_kept(&self, rings: &[(Method, Ring)], a: &[u64], b: &[u64]) {
        let is_definition = |(method, _): &&(Method, Ring)| method.to_string().starts_with("schoolbook");
        let expected = products(&rings.iter().find(is_definition).unwrap().1, a, b).unwrap();
        for (method, ring) in rings {
            assert_eq!(products(ring, a, b).unwrap(), expected, "{} by {method}", self.name());
        }
    }

    /// A broken one gives numbers below `q`; where two coefficients are one number it is refused.
    fn check_broken(&self, rings: &[(Method, Ring)], a: &[u64], b: &[u64]) {
        for (method, ring) in rings {
            let name = format!("{} by {method}", self.name());
            match (products(ring, a, b), name.contains("two coefficients a number")) {
                (Ok(made), false) => assert!(made.iter().flatten().all(|x| *x < self.q), "{name}"),
                (made, packs) => assert!(packs && made == Err(RingError::Range), "{name}"),
            }
        }
    }

    fn name(&self) -> String {
        format!("Z_{}[x]/({}), {}, {:?}", self.q, self.f, self.bound, self.cpu)
    }
}

/// The product, a prepared one, and a sum of two, likewise.
fn products(ring: &Ring, a: &[u64], b: &[u64]) -> Result<[Vec<u64>; 4], RingError> {
    let (mut room, mut out) = (ring.room()?, [(); 4].map(|()| vec![0; a.len()]));
    ring.product(a, b, &mut out[0], &mut room)?;
    let prepared = ring.prepare(b)?;
    ring.product_prepared(a, &prepared, &mut out[1], &mut room)?;
    ring.sum_of_products(&[(a, b), (a, b)], &mut out[2], &mut room)?;
    ring.sum_of_products_prepared(&[(a, &prepared), (a, &prepared)], &mut out[3], &mut room)?;
    Ok(out)
}

/// Bounds at which another way to read begins: the third of a prime of 30 bits and of 46, and a prime.
fn bounds(q: u64) -> Vec<u64> {
    let thirds = [30, 46].map(|bits| (1_u64 << bits) / 3);
    let all = [1, q / 8, thirds[0], thirds[1] - (1 << 30), thirds[1], 1 << 46];
    all.into_iter().filter(|bound| (1..=q / 2).contains(bound)).collect()
}

/// Protects: by every method, on every backend, a kept promise gives the product, and a broken one no panic
/// and no coefficient out of range.
#[test]
fn kept_and_broken_promises() {
    let mut random = Random::new(9);
    for q in [3, 5, 257, 12289, 1 << 32, 1 << 46, 1_152_921_504_606_584_833, 1 << 62] {
        for (n, terms) in
            [(64, vec![(0, 1)]), (64, vec![(0, -1)]), (70, vec![(1, -1), (0, -1)]), (65, vec![])]
        {
            let dense = || Polynomial::dense(&(0..n).map(|i| i as u64 % q).chain([1]).collect::<Vec<_>>());
            let sparse = || Polynomial::new(&[vec![(n, 1)], terms.clone()].concat());
            let f = if terms.is_empty() { dense() } else { sparse() }.unwrap();
            for (cpu, bound) in Cpu::available().flat_map(|cpu| bounds(q).into_iter().map(move |b| (cpu, b)))
            {
                let case = Case { cpu, q, f: f.clone(), bound };
                let small = |x: u64| (x % (2 * bound + 1) + q - bound) % q;
                let [a, any] = [(); 2].map(|()| (0..n).map(|_| random.word() % q).collect::<Vec<_>>());
                let kept: Vec<_> = any.iter().map(|x| small(*x)).collect();
                let (rings, greatest) = (case.rings(), vec![q - 1; n]);
                case.check_kept(&rings, &a, &kept);
                case.check_kept(&rings, &greatest, &vec![q - bound; n]);
                if bound + 1 < q - bound {
                    let broken = [bound + 1, q - bound - 1, q / 2];
                    broken.iter().for_each(|x| case.check_broken(&rings, &greatest, &vec![*x; n]));
                    case.check_broken(&rings, &a, &[&any[1..], &[bound + 1]].concat());
                }
            }
        }
    }
}

/// Protects: coefficients that are no elements are refused whatever is promised; nobody looks at the bound.
#[test]
fn what_is_looked_at() {
    let (cpu, q, f) = (Cpu::detect(), 1 << 40, "x^70-x-1".parse().unwrap());
    let ring = Ring::new_on(cpu, q, &f, Operands::any().small(1).promised()).unwrap();
    assert!(ring.operands().is_promised() && ring.operands().bound() == Some(1));
    let (a, mut out, mut room) = ([1_u64; 70], [0; 70], ring.room().unwrap());
    assert_eq!(ring.product(&a, &[2; 70], &mut out, &mut room), Ok(()));
    assert_eq!(ring.product(&a, &[q; 70], &mut out, &mut room), Err(RingError::Range));
    assert!(ring.prepare(&[2_u64; 70]).is_ok());
    let checked = Ring::new_on(cpu, q, &f, Operands::any().small(1)).unwrap();
    assert_eq!(checked.prepare(&[2_u64; 70]).err(), Some(RingError::Range));
}
