//! Negacyclic products modulo a prime, by transforms, by prepared operands and on tensor cores.

use super::{all, devices, operands, words};
use ringsmith_gpu::{Batch, Device, Operand, Output, Short, Word, WordRoute};
use ringsmith_oracle::Random;

/// Primes of all three sizes of kernels: the greatest ones that serve, and common ones.
const PRIMES: [u64; 6] = [40961, 49_201_153, 67_043_329, 1_073_479_681, 2_147_352_577, 2_013_265_921];

pub(crate) fn word_products(n: usize, p: u64, device: &Device) -> bool {
    word_products_by(n, p, WordRoute::Transform, device)
}

pub(crate) fn word_products_by(n: usize, p: u64, route: WordRoute, device: &Device) -> bool {
    let mut random = Random::new(p);
    let (a, mut b) = (operands(n, p, &mut random), operands(n, p, &mut random));
    b[2 * n..].rotate_left(n / 2);
    let got = all(device, Word::new(n, p).unwrap().by(route), &a, &b);
    got == Ok(words(n, p, &a, &b))
}

/// Protects: negacyclic products of every kernel are the CPU's, and canonical.
#[test]
fn negacyclic() {
    for p in PRIMES.into_iter().chain([12289]) {
        for n in [1024, 2048, 4096].into_iter().filter(|n| (p - 1) % (2 * n) == 0) {
            let right = devices(0).iter().all(|device| word_products(n as usize, p, device));
            assert!(right, "{n} {p}");
        }
    }
}

/// The products by prepared operands: pairs, and all by the first of them.
pub(crate) fn by_prepared(n: usize, p: u64, device: &Device) -> bool {
    let mut random = Random::new(p + 1);
    let (a, mut b) = (operands(n, p, &mut random), operands(n, p, &mut random));
    b[n..3 * n].rotate_left(n / 2);
    let mut batch = Batch::new(device, Word::new(n, p).unwrap(), 1 << 20).unwrap();
    let (pairs, key) = (batch.prepare(&b).unwrap(), batch.prepare(&b[n..2 * n]).unwrap());
    let mut products = |operand: Operand<'_, u32>| {
        let mut out = vec![0; a.len()];
        batch.multiply(&Operand::Host(&a), &operand, Output::Host(&mut out)).map(|()| out)
    };
    products(Operand::Prepared(&pairs)) == Ok(words(n, p, &a, &b))
        && products(Operand::OnePrepared(&key)) == Ok(words(n, p, &a, &b[n..2 * n].repeat(4)))
}

/// Protects: products by operands whose transforms stay on the device are the CPU's, and canonical.
#[test]
fn prepared() {
    for p in PRIMES.into_iter().chain([12289]) {
        for n in [1024, 2048, 4096].into_iter().filter(|n| (p - 1) % (2 * n) == 0) {
            let right = devices(0).iter().all(|device| by_prepared(n as usize, p, device));
            assert!(right, "{n} {p}");
        }
    }
}

pub(crate) fn short_products(q: u64, device: &Device) -> bool {
    let mut random = Random::new(q);
    let (a, mut b) = (operands(1024, q, &mut random), operands(1024, q, &mut random));
    b[2048..].rotate_left(512);
    let expected: Vec<u16> = words(1024, q, &a, &b).into_iter().map(|x| x as u16).collect();
    let [a, b] = [a, b].map(|all| all.into_iter().map(|x| x as u16).collect::<Vec<_>>());
    all(device, Short::new(q).unwrap(), &a, &b) == Ok(expected)
}

/// Protects: negacyclic products on tensor cores, whose tables are checked for sums of more than 32 bits; of
/// coefficients of 16 bits and of words.
#[test]
fn short() {
    assert!(devices(0).iter().all(|device| short_products(12289, device)));
    assert!(devices(0).iter().all(|device| word_products_by(1024, 12289, WordRoute::Tensor, device)));
}
