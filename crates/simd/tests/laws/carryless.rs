//! Carry-less products of 64-bit words.

use crate::support::*;
use ringsmith_simd::{CarrylessProducts, Cpu, Kernel, Simd};

/// A product bit by bit.
fn product(a: u64, b: u64) -> [u64; 2] {
    let bits = (0..64).filter(|i| (a >> i) & 1 == 1);
    let product = bits.fold(0, |sum, i| sum ^ u128::from(b) << i);
    [product as u64, (product >> 64) as u64]
}

/// Pairs of words: edges, those of a single bit, and random ones.
fn words() -> Vec<(u64, u64)> {
    let rows = pairs_of_rows64().into_iter();
    let drawn = rows.flat_map(|(a, b)| a.into_iter().zip(b));
    let single = (0..64).flat_map(|i| [(1 << i, u64::MAX), (u64::MAX, 1 << i), (1 << i, 1 << (63 - i))]);
    drawn.chain(single).step_by(SPARSELY).collect()
}

/// Protects: products, squares, sums and words of products on every backend are the polynomials'. All ones
/// times all ones is the most pairs that meet in a bit.
#[test]
fn carryless_products() {
    for cpu in Cpu::available() {
        for (a, b) in words() {
            let got =
                on!(cpu, |s, a: u64, b: u64| -> [u64; 2] { s.carryless_words(s.carryless_multiply64(a, b)) });
            assert_eq!(got, product(a, b), "carryless_multiply64 on {cpu:?} of {a:x} and {b:x}");
            let square = on!(cpu, |s, a: u64| -> [u64; 2] { s.carryless_words(s.carryless_square64(a)) });
            assert_eq!(square, product(a, a), "carryless_square64 on {cpu:?} of {a:x}");
            let sum = on!(cpu, |s, a: u64, b: u64| -> [u64; 2] {
                let [x, y] = [s.carryless_multiply64(a, b), s.carryless_square64(a)];
                s.carryless_words(s.carryless_add(x, y))
            });
            let expected = [0, 1].map(|word| product(a, b)[word] ^ product(a, a)[word]);
            assert_eq!(sum, expected, "carryless_add on {cpu:?} of {a:x} and {b:x}");
        }
    }
}

/// `a b + a^2`.
struct Sum(u64, u64);

impl Kernel for Sum {
    type Out = [u64; 2];
    const CARRYLESS: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> [u64; 2] {
        self.run_carryless(s, s)
    }
    #[inline(always)]
    fn run_carryless<S: Simd, C: CarrylessProducts>(self, _: S, s: C) -> [u64; 2] {
        let [x, y] = [s.carryless_multiply64(self.0, self.1), s.carryless_square64(self.0)];
        s.carryless_words(s.carryless_add(x, y))
    }
}

/// Protects: kernels that gain by an instruction for carry-less products, which AArch64's CPUs have or not,
/// compute the same with it and without.
#[test]
fn carryless_kernels() {
    let without = Cpu::available().filter_map(Cpu::without_carryless);
    for cpu in Cpu::available().chain(without) {
        for (a, b) in words() {
            let expected = [0, 1].map(|word| product(a, b)[word] ^ product(a, a)[word]);
            assert_eq!(cpu.run(Sum(a, b)), expected, "{cpu:?} of {a:x} and {b:x}");
        }
    }
}
