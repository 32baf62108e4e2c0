//! Whole products modulo numbers that are known at run time.

use ringsmith_cyclic::whole::{self, Products};
use ringsmith_oracle::Random;
use ringsmith_simd::{Cpu, Row};

/// `2 n - 1` coefficients in `[0, q)`, and what is behind them.
fn product(cpu: Cpu, by: &Products, q: i64, a: &[i64], b: &[i64]) -> Vec<i16> {
    let operand = |x: &[i64]| {
        let mut rows = vec![[0_i16; 16]; by.rows()];
        rows.as_flattened_mut().iter_mut().zip(x).for_each(|(to, x)| *to = *x as i16);
        rows
    };
    let [memory, prepared] = by.memory().map(|rows| vec![[0x55_i16; 16]; rows]);
    let (mut memory, mut prepared): (Vec<Row>, Vec<Row>) = (memory, prepared);
    let (target, mut out) = (by.target(q).unwrap(), vec![[-1_i16; 16]; 2 * by.rows()]);
    by.prepare(cpu, &target, &mut operand(b), &mut prepared, &mut memory);
    by.multiply(cpu, &target, &mut operand(a), &prepared, &mut out, &mut memory);
    out.as_flattened().to_vec()
}

/// By the definition.
fn definition(q: i64, a: &[i64], b: &[i64]) -> Vec<i16> {
    let mut c = vec![0_i64; 2 * a.len() - 1];
    for (i, x) in a.iter().enumerate() {
        b.iter().enumerate().for_each(|(j, y)| c[i + j] += x * y);
    }
    c.iter().map(|x| x.rem_euclid(q) as i16).collect()
}

/// Moduli at the ends of their ranges, of both parities, and those that are used.
const MODULI: [i64; 16] =
    [3, 4, 5, 6, 7, 8, 257, 1000, 2048, 3329, 4096, 4591, 8192, 12289, (1 << 14) - 1, 1 << 14];

/// The greatest `q` that is held for a degree.
fn greatest(by: &Products, n: usize) -> Option<i64> {
    (3..=1 << 14).rev().find(|q| by.hold(*q, n, q / 2))
}

fn check(cpu: Cpu, by: &Products, q: i64, a: &[i64], b: &[i64]) {
    let (n, c) = (a.len(), product(cpu, by, q, a, b));
    assert_eq!(c[..2 * n - 1], definition(q, a, b), "q = {q}, n = {n}, {:?}, {}", by.primes(), cpu.name());
}

/// Protects: random operands of every class, and the worst ones, at the greatest degree and the greatest `q`
/// for it too, on every backend.
#[test]
fn products_are_the_definition() {
    let (mut random, mut held) = (Random::new(5), 0);
    for (by, cpu) in whole::ALL.iter().flat_map(|by| Cpu::available().map(move |cpu| (by, cpu))) {
        for n in [1, 17, by.degree() - 1, by.degree()] {
            let moduli = MODULI.into_iter().chain(greatest(by, n));
            for q in moduli.filter(|q| by.hold(*q, n, q / 2)) {
                let mut element = || (0..n).map(|_| (random.word() % q as u64) as i64).collect::<Vec<_>>();
                check(cpu, by, q, &element(), &element());
                // Centred: the greatest one, and the least.
                let (high, low) = (q / 2, (q / 2 + 1) % q);
                for x in [high, low] {
                    check(cpu, by, q, &vec![x; n], &vec![high; n]);
                    let turns = |i: usize| if i.is_multiple_of(2) { high } else { low };
                    check(cpu, by, q, &(0..n).map(turns).collect::<Vec<_>>(), &vec![x; n]);
                }
                held += 1;
            }
        }
    }
    assert!(held > 100, "{held}");
}

/// Protects: what does not serve.
#[test]
fn what_is_refused() {
    for by in whole::ALL {
        assert!(by.target(2).is_none() && by.target((1 << 14) + 1).is_none());
        assert!(!by.hold(2, 16, 1) && !by.hold(3, by.degree() + 1, 1) && !by.hold(16, 16, 9));
        let q = greatest(by, by.degree()).unwrap();
        assert!(!by.hold(q + 1, by.degree(), (q + 1) / 2) || q == 1 << 14);
    }
}
