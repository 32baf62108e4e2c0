//! Lanes of residues around 0.

use crate::support::*;
use ringsmith_oracle::Random;
use ringsmith_simd::{Cpu, Kernel, ResidueLanes, Simd, WideRow, residue_number};
use std::array::from_fn;

/// Numbers in `[0, p)`, which make lanes of up to `8 p`; constants; the prime.
struct All {
    a: WideRow,
    b: WideRow,
    /// How often `p` is added to `a`; and subtracted.
    multiples: [u64; 2],
    constants: WideRow,
    p: u64,
}

/// Rows of what operations made, as the backend keeps them, then as numbers.
struct Out {
    bits: [WideRow; 7],
    numbers: [WideRow; 3],
}

impl All {
    /// `a` with multiples of `p` added and subtracted.
    #[inline(always)]
    fn lane<S: ResidueLanes>(&self, s: S, half: usize) -> S::Residues {
        let (mut x, p) = (s.residues(&self.a, half), s.residues(&[self.p; 8], half));
        for _ in 0..self.multiples[0] {
            x = s.add_residues(x, p);
        }
        for _ in 0..self.multiples[1] {
            x = s.sub_residues(x, p);
        }
        x
    }
}

impl Kernel for All {
    type Out = Out;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Out {
        let p = s.modulus49(self.p, S::constants49(self.p));
        let (mut words, mut quotients) = ([0; 8], [0; 8]);
        for i in 0..8 {
            [words[i], quotients[i]] = S::factor49(self.constants[i], self.p);
        }
        let mut out = Out { bits: [[0; 8]; 7], numbers: [[0; 8]; 3] };
        for half in 0..2 {
            let (x, b) = (self.lane(s, half), s.reduce_residues(s.residues(&self.b, half), p));
            let factors = [s.load_residues(&words, half), s.load_residues(&quotients, half)];
            let (product, reduced) = (s.times_residues(x, factors, p), s.reduce_residues(x, p));
            let by_b = s.multiply_residues(x, b, p);
            let [sum, difference] = s.butterfly_residues(x, x, factors, p);
            for (bits, x) in out.bits.iter_mut().zip([x, b, product, reduced, by_b, sum, difference]) {
                s.store_residues(bits, half, x);
            }
            for (numbers, x) in out.numbers.iter_mut().zip([product, reduced, by_b]) {
                s.numbers(numbers, half, x, p);
            }
        }
        out
    }
}

/// Whether lanes are doubles: with AVX-512 this kernel runs as with AVX2.
fn doubles(cpu: Cpu) -> bool {
    ["avx2", "avx512"].contains(&cpu.name())
}

/// A lane as a number.
fn number(cpu: Cpu, bits: u64) -> i128 {
    if doubles(cpu) { f64::from_bits(bits) as i128 } else { i128::from(bits as i64) }
}

/// Numbers below `p`: the ends, the middle, and random ones.
fn below(random: &mut Random, p: u64) -> u64 {
    let draw = random.word();
    let chosen = [0, 1, p - 1, p / 2, p / 2 + 1, p - 2];
    chosen.get((draw % 12) as usize).map_or(draw >> 8, |chosen| *chosen) % p
}

const PRIMES: [u64; 9] = [
    3,
    5,
    257,
    12289,
    1_073_479_681,
    70_368_740_769_793,
    140_737_488_355_333,
    562_949_950_537_729,
    562_949_953_421_231,
];

/// Products by factors, reductions and products of lanes are right modulo `p` and within their bounds, of
/// lanes up to the greatest that they take, and primes from the least to the greatest; numbers are the same.
/// Butterflies are sums and differences of those products.
#[test]
fn residues_around_0() {
    let mut random = Random::new(11);
    for p in PRIMES {
        for round in 0..ROUNDS_OF_WORDS {
            let multiples = [[0, 0], [3, 0], [0, 4], [7, 0], [0, 8]][round % 5];
            let [a, b, constants] = [(); 3].map(|()| from_fn(|_| below(&mut random, p)));
            for cpu in Cpu::available() {
                let out = cpu.run(All { a, b, multiples, constants, p });
                for i in 0..8 {
                    let of = format!(
                        "on {cpu:?} of {}, {multiples:?}, {}, {} modulo {p}",
                        a[i], b[i], constants[i]
                    );
                    let [x, second, product, reduced, by_b, sum, difference] =
                        out.bits.map(|row| number(cpu, row[i]));
                    let q = i128::from(p);
                    let same = |x: i128, y: i128| (x - y) % q == 0;
                    assert_eq!(x, i128::from(a[i]) + (multiples[0] as i128 - multiples[1] as i128) * q);
                    assert!(same(product, x * i128::from(constants[i])), "product {of}");
                    assert!(
                        product.abs() << 56 <= ((1 << 55) + (x.abs() << 1)) * q,
                        "product {product} {of}"
                    );
                    assert_eq!([sum, difference], [x + product, x - product], "butterfly {of}");
                    assert!(same(reduced, x) && 2 * reduced.abs() <= q + 1, "reduced {reduced} {of}");
                    assert!(same(second, b[i].into()) && 2 * second.abs() <= q + 1, "second factor {of}");
                    if x.abs() <= 4 * q {
                        assert!(same(by_b, x * second) && by_b.abs() < q, "product of lanes {by_b} {of}");
                    }
                    let numbers = out.numbers.map(|row| i128::from(row[i]));
                    let expected = [product, reduced, by_b].map(|x| x.rem_euclid(q));
                    let count = if x.abs() <= 4 * q { 3 } else { 2 };
                    assert_eq!(numbers[..count], expected[..count], "numbers {of}");
                    let bits = out.bits[2][i];
                    assert_eq!(i128::from(residue_number(bits, p, doubles(cpu))), expected[0]);
                }
            }
        }
    }
}
