//! Codelets: the transform that they are, the operations that they take, and their reductions.
#![cfg(ringsmith_harness)] // What only these tests see is the same on every machine.

use ringsmith_oracle::Random;
use ringsmith_ring::algorithm::codelet::place::Bounds;
use ringsmith_ring::algorithm::codelet::{Codelet, Count, Op, POINTS, dft};
use ringsmith_ring::bound::Bound;
use ringsmith_ring::number::{power, root_of_unity};
use ringsmith_simd::LazyReduction;

/// Moduli of NTRU Prime: for each length at least one has the roots of unity.
const MODULI: [i64; 6] = [4621, 4591, 5167, 6343, 7177, 7879];
const LENGTHS: [usize; 12] = [2, 3, 4, 5, 6, 7, 9, 10, 12, 13, 14, 15];

fn cases() -> impl Iterator<Item = (i64, usize, i64)> {
    let fits = |q: i64, n: usize| (q - 1) % n as i64 == 0;
    MODULI.into_iter().flat_map(move |q| {
        LENGTHS.into_iter().filter(move |n| fits(q, *n)).map(move |n| (q, n, root_of_unity(n as u64, q)))
    })
}

/// Runs a codelet on integers: the definition of its operations, modulo `q`.
fn run(codelet: &Codelet, input: &[i64]) -> Vec<i64> {
    const ZERO: u8 = u8::MAX;
    let mut values: Vec<i64> = Vec::new();
    for op in &codelet.ops[..codelet.len] {
        let get = |a: u8| if a == ZERO { 0 } else { values[a as usize] };
        let value = match *op {
            Op::Input(i) => input[i as usize],
            Op::Add(a, b) => get(a) + get(b),
            Op::Sub(a, b) => get(a) - get(b),
            // The factor is z 2^16: a Montgomery product takes 2^16 off.
            Op::Scale(a, z) => get(a) * z.z as i64 * power(1 << 16, codelet.q as u64 - 2, codelet.q),
            Op::Reduce(a, _) => get(a),
        };
        values.push(value.rem_euclid(codelet.q));
    }
    codelet.outputs[..codelet.points].iter().map(|at| values[*at as usize]).collect()
}

/// Protects: a codelet is the transform of its definition, with all inputs and with some of them zero.
#[test]
fn codelets_are_transforms() {
    let mut random = Random::new(1);
    let mut lengths = std::collections::BTreeSet::new();
    for (q, n, w) in cases() {
        lengths.insert(n);
        for round in 0..20 {
            let mut present = [false; POINTS];
            // At least one input, or there is nothing to write down.
            present[round % n] = true;
            for place in present.iter_mut().take(n) {
                *place |= round == 0 || random.within(0, 1) == 1;
            }
            let input: Vec<i64> =
                (0..n).map(|i| if present[i] { random.within(-(q / 2), q / 2) } else { 0 }).collect();
            let sum = |k: usize| -> i64 {
                (0..n).map(|i| input[i] * power(w, (i * k) as u64, q)).sum::<i64>().rem_euclid(q)
            };
            let expected: Vec<i64> = (0..n).map(sum).collect();
            assert_eq!(
                run(&dft::dft(n, w, q, &present), &input),
                expected,
                "{n} points modulo {q}, round {round}"
            );
        }
    }
    assert!(lengths.into_iter().eq(LENGTHS), "a length without a modulus");
    // All of these moduli have roots of order 3, as 13 points need them.
    assert!((2..=POINTS).filter(|n| dft::exists(*n, 4591)).eq(LENGTHS), "a length without a test");
}

/// The 17 points, modulo the one modulus that has the roots of unity.
const RADER: (usize, i64) = (17, 4591);

/// Protects: Rader's 17 points without the one of exponent 0, for as many inputs as half of a transform has,
/// and for all.
#[test]
fn seventeen_points_forward() {
    let (mut random, (p, q)) = (Random::new(3), RADER);
    let w = root_of_unity(p as u64, q);
    for inputs in [8, POINTS] {
        let x: Vec<i64> = (0..inputs).map(|_| random.within(-(q / 2), q / 2)).collect();
        let sum = |k: usize| x.iter().enumerate().map(|(i, x)| x * power(w, (i * k) as u64, q)).sum::<i64>();
        let expected: Vec<i64> = (1..p).map(|k| sum(k).rem_euclid(q)).collect();
        assert_eq!(run(&dft::rader_forward(w, q, inputs), &x), expected, "{inputs} inputs");
    }
}

/// Protects: the way back makes 17 times the coefficients of what the way there makes values of.
#[test]
fn seventeen_points_back() {
    let (mut random, (p, q)) = (Random::new(4), RADER);
    let w = root_of_unity(p as u64, q);
    let x: Vec<i64> = (0..POINTS).map(|_| random.within(-(q / 2), q / 2)).collect();
    let values = run(&dft::rader_forward(w, q, POINTS), &x);
    let expected: Vec<i64> = x.iter().map(|x| (p as i64 * x).rem_euclid(q)).collect();
    assert_eq!(run(&dft::rader_back(w, q), &values), expected);
}

/// Protects: the operations that the documentation of `dft` promises; and that inputs known to be zero cost
/// nothing.
#[test]
fn operations_are_as_documented() {
    let products = |n: usize| {
        let (q, _, w) = cases().find(|case| case.1 == n).unwrap();
        dft::dft(n, w, q, &[true; POINTS]).count().products
    };
    // Short convolutions of Rader's: 2 + 3, 4 + 4, 8 + 13. Good and Thomas': no twiddles.
    assert_eq!([3, 4, 5, 7, 9, 13].map(products), [1, 1, 5, 8, 10, 21]);
    assert_eq!(products(10), 2 * products(5));
    assert_eq!(products(12), 3 * products(4) + 4 * products(3));
    assert_eq!(products(14), 2 * products(7));
    let mut one = [false; POINTS];
    one[0] = true;
    let nothing = Count { additions: 0, products: 0, reductions: 0 };
    assert_eq!(dft::dft(9, root_of_unity(9, 4591), 4591, &one).count(), nothing);
}

/// A codelet, how many inputs it has, and limits of these and of outputs for which there is room for its
/// reductions.
type Case = (Codelet, usize, Vec<[i64; 2]>);

/// All codelets, all of whose inputs are there.
fn codelets() -> impl Iterator<Item = Case> {
    let (p, q) = RADER;
    let w = root_of_unity(p as u64, q);
    let whole = vec![[q / 2, 32767]];
    let seventeen = [(dft::rader_forward(w, q, 8), 8, whole.clone()), (dft::rader_back(w, q), POINTS, whole)];
    let limits = |q: i64| vec![[q / 2, q], [2 * q, q], [32767, q]];
    cases().map(move |(q, n, w)| (dft::dft(n, w, q, &[true; POINTS]), n, limits(q))).chain(seventeen)
}

/// Protects: placing keeps every lane and the limit, by a replay of its own; it changes no result; and when
/// needless reductions are dropped, without any of those that are left a lane overflows, or an output leaves
/// the limit.
#[test]
fn placing_keeps_the_lanes() {
    let mut random = Random::new(2);
    for (plain, n, limits) in codelets() {
        let q = plain.q;
        for step in [LazyReduction::Sign, LazyReduction::Barrett] {
            for &[magnitude, limit] in &limits {
                let inputs: Bounds = [Bound::symmetric(magnitude); POINTS];
                let placed = plain.place(step, &inputs, limit);
                let outputs = placed.codelet.outputs_of(step, &inputs).expect("a plan that overflows");
                assert_eq!(outputs, placed.outputs);
                assert!(outputs[..plain.points].iter().all(|bound| bound.magnitude() <= limit));
                let input: Vec<i64> = (0..n).map(|_| random.within(-magnitude, magnitude)).collect();
                assert_eq!(run(&placed.codelet, &input), run(&plain, &input));
                let promised = Bound::symmetric(limit);
                let needed = placed.codelet.drop_needless(step, &inputs, promised);
                let holds = |codelet: &Codelet| {
                    codelet.widest_of(step, &inputs).is_some_and(|outputs| outputs.within(promised))
                };
                assert!(holds(&needed));
                for i in 0..needed.count().reductions {
                    assert!(!holds(&needed.without(i)), "{n} points modulo {q}: reduction {i} is needless");
                }
                assert_eq!(run(&needed, &input), run(&plain, &input));
            }
            let full = [Bound::symmetric(32767); POINTS];
            assert_eq!(plain.outputs_of(step, &full), None, "{n} points modulo {q} need no reduction");
        }
    }
}
