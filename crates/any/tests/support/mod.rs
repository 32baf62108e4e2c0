//! Products by the definition, and rings to be compared with it.
#![allow(dead_code, reason = "not every test takes all of it")]

use ringsmith_any::{Candidates, Costs, Method, Operands, Polynomial, Ring};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;

/// `a b` modulo `f` and `q` by the definition: `f` is given by all its coefficients.
pub(crate) fn definition(q: u64, f: &[u64], a: &[u64], b: &[u64]) -> Vec<u64> {
    let (n, q) = (f.len() - 1, u128::from(q));
    let mut c = vec![0_u128; 2 * n - 1];
    for (i, x) in a.iter().enumerate().filter(|(_, x)| **x != 0) {
        for (j, y) in b.iter().enumerate() {
            c[i + j] = (c[i + j] + u128::from(*x) * u128::from(*y)) % q;
        }
    }
    for i in (n..2 * n - 1).rev() {
        let top = c[i];
        for (j, x) in f[..n].iter().enumerate().filter(|(_, x)| **x != 0) {
            c[i - n + j] = (c[i - n + j] + (q - top) * u128::from(*x)) % q;
        }
    }
    c[..n].iter().map(|x| *x as u64).collect()
}

/// The low half of a coefficient of 62 bits.
const HALF: u32 = 31;

/// An integer `high 2^31 + low`: a sum of up to `2^17` products of numbers of 62 bits, which has 141 bits.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sum {
    high: u128,
    low: u128,
}

impl Sum {
    /// Adds `x y`, by the halves of `y`: each product has 93 bits.
    pub(crate) fn add(&mut self, x: u64, y: u64) {
        self.high += u128::from(x) * u128::from(y >> HALF);
        self.low += u128::from(x) * u128::from(y & ((1 << HALF) - 1));
    }

    pub(crate) fn modulo(self, q: u64) -> u64 {
        let q = u128::from(q);
        ((((self.high % q) << HALF) + self.low % q) % q) as u64
    }
}

/// The same product by integers that are reduced once, so that it takes milliseconds at degree 1024.
pub(crate) fn product(q: u64, f: &[u64], a: &[u64], b: &[u64]) -> Vec<u64> {
    let n = f.len() - 1;
    let mut c = vec![Sum::default(); 2 * n - 1];
    for (i, x) in a.iter().enumerate() {
        c[i..].iter_mut().zip(b).for_each(|(sum, y)| sum.add(*x, *y));
    }
    let low: Vec<_> = f[..n].iter().copied().enumerate().filter(|(_, x)| *x != 0).collect();
    for i in (n..2 * n - 1).rev() {
        let minus = (q - c[i].modulo(q)) % q;
        low.iter().for_each(|(j, x)| c[i - n + j].add(minus, *x));
    }
    c[..n].iter().map(|sum| sum.modulo(q)).collect()
}

/// Any elements.
pub(crate) fn element(random: &mut Random, n: usize, q: u64) -> Vec<u64> {
    (0..n).map(|_| random.word() % q).collect()
}

/// `x^n + ..`, of these terms.
pub(crate) fn sparse(n: usize, q: u64, low: &[(usize, u64)]) -> Vec<u64> {
    let mut f = vec![0; n + 1];
    f[n] = 1;
    low.iter().for_each(|(exponent, coefficient)| f[*exponent] = (f[*exponent] + coefficient) % q);
    f
}

/// Modulus polynomials.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// `x^n - 1`.
    Cyclic,
    /// `x^n + 1`.
    Negacyclic,
    /// `x^n - x - 1`.
    Trinomial,
    /// `x^n - 2 x^(n-1) - 1`, whose remainders over the integers are as great as `2^n`.
    Growing,
    /// Few terms at random, some of them near the first.
    Few,
    /// The greatest coefficients.
    Greatest,
    /// All coefficients at random.
    Dense,
}

impl Form {
    pub(crate) const ALL: [Form; 7] = [
        Form::Cyclic,
        Form::Negacyclic,
        Form::Trinomial,
        Form::Growing,
        Form::Few,
        Form::Greatest,
        Form::Dense,
    ];

    /// All coefficients of the polynomial of degree `n`, modulo `q`.
    pub(crate) fn polynomial(self, random: &mut Random, n: usize, q: u64) -> Vec<u64> {
        let minus = q - 1;
        match self {
            Form::Cyclic => sparse(n, q, &[(0, minus)]),
            Form::Negacyclic => sparse(n, q, &[(0, 1)]),
            Form::Trinomial => sparse(n, q, &[(1 % n, minus), (0, minus)]),
            Form::Growing => sparse(n, q, &[(n - 1, (q - 2) % q), (0, minus)]),
            Form::Few => {
                let near = n - 1 - (random.word() % n.min(30) as u64) as usize;
                let mut term = || ((random.word() % n as u64) as usize, random.word() % q);
                sparse(n, q, &[(near, 1), (0, 1), term(), term(), term()])
            }
            Form::Greatest => vec![minus; n].into_iter().chain([1]).collect(),
            Form::Dense => element(random, n, q).into_iter().chain([1]).collect(),
        }
    }
}

/// What is known of the second factors.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Any,
    /// Of about half the bits of `q`.
    Bounded,
    Ternary,
}

impl Kind {
    pub(crate) const ALL: [Kind; 3] = [Kind::Any, Kind::Bounded, Kind::Ternary];

    pub(crate) fn operands(self, q: u64) -> Operands {
        match self {
            Kind::Any => Operands::any(),
            Kind::Bounded => Operands::any().small(q.isqrt().clamp(1, q / 2)),
            Kind::Ternary => Operands::any().small(1),
        }
    }
}

/// Pairs of factors in a ring: random ones, and the greatest, whose signs alternate where they have any.
pub(crate) fn pairs(random: &mut Random, n: usize, q: u64, operands: Operands) -> [[Vec<u64>; 2]; 2] {
    let second = match operands.bound() {
        None => [element(random, n, q), vec![q - 1; n]],
        Some(bound) => {
            let any = element(random, n, 2 * bound + 1);
            let small = any.iter().map(|x| (x + q - bound) % q).collect();
            [small, (0..n).map(|i| if i % 2 == 0 { bound } else { q - bound }).collect()]
        }
    };
    let [any, greatest] = second;
    [[element(random, n, q), any], [vec![q - 1; n], greatest]]
}

/// The cycles that any method of a ring may take; more only where the fastest one takes an eighth or more.
const FEW_CYCLES: f64 = 1e6;

/// A method of a ring beside the one that it takes: as many turns, as many of them.
fn method(cpu: Cpu, q: u64, f: &Polynomial, operands: Operands, turn: usize) -> Option<Method> {
    let all = Candidates::new(cpu, q, f, operands, &Costs::of(cpu)).unwrap();
    let fastest = all.iter().next()?.cycles();
    let fast = all.iter().filter(|of| of.cycles() <= FEW_CYCLES.max(8.0 * fastest));
    let methods: Vec<_> = fast.map(|of| of.method()).collect();
    methods.get(turn % methods.len()).copied()
}

/// Every form of product of two factors is the one that is expected.
pub(crate) fn check_product(ring: &Ring, [a, b]: &[Vec<u64>; 2], expected: &[u64]) {
    let (mut room, mut out) = (ring.room().unwrap(), vec![0; a.len()]);
    ring.product(a, b, &mut out, &mut room).unwrap();
    assert_eq!(out, expected, "{ring:?} {}", ring.route());
    out.fill(0);
    let prepared = ring.prepare(b).unwrap();
    ring.product_prepared(a, &prepared, &mut out, &mut room).unwrap();
    assert_eq!(out, expected, "{ring:?} prepared, {}", ring.route());
    out.fill(0);
    ring.sum_of_products(&[(a, b)], &mut out, &mut room).unwrap();
    assert_eq!(out, expected, "{ring:?} as a sum, {}", ring.route());
    out.fill(0);
    ring.sum_of_products_prepared(&[(a, &prepared)], &mut out, &mut room).unwrap();
    assert_eq!(out, expected, "{ring:?} as a sum, prepared, {}", ring.route());
}

/// The product of factors in slices of 16 bits, where they hold the coefficients.
fn check_narrow(ring: &Ring, pair: &[Vec<u64>; 2], expected: &[u64]) {
    let narrow = |words: &[u64]| words.iter().map(|x| u16::try_from(*x)).collect::<Result<Vec<_>, _>>();
    if ring.modulus() > 1 << u16::BITS {
        return;
    }
    let [a, b, expected] = [&pair[0], &pair[1], expected].map(|words| narrow(words).unwrap());
    let mut out = vec![0; a.len()];
    ring.product(&a, &b, &mut out, &mut ring.room().unwrap()).unwrap();
    assert_eq!(out, expected, "{ring:?} in 16 bits, {}", ring.route());
}

/// A ring on every backend: by the method that it chooses, and by another one, which differs each turn.
pub(crate) fn rings(q: u64, f: &Polynomial, operands: Operands, turn: usize) -> impl Iterator<Item = Ring> {
    Cpu::available().flat_map(move |cpu| {
        let chosen = Ring::new_on(cpu, q, f, operands).unwrap();
        let other = method(cpu, q, f, operands, turn);
        let other = other.map(|method| Ring::by(cpu, q, f, operands, &method).unwrap());
        [Some(chosen), other].into_iter().flatten()
    })
}

/// Every product of random and greatest factors in a ring is the definition's.
pub(crate) fn check(random: &mut Random, q: u64, f: &[u64], kind: Kind, turn: usize) {
    let (n, operands) = (f.len() - 1, kind.operands(q));
    let (polynomial, pairs) = (Polynomial::dense(f).unwrap(), pairs(random, n, q, operands));
    let expected = pairs.each_ref().map(|[a, b]| product(q, f, a, b));
    for ring in rings(q, &polynomial, operands, turn) {
        for (pair, expected) in pairs.iter().zip(&expected) {
            check_product(&ring, pair, expected);
            check_narrow(&ring, pair, expected);
        }
    }
}
