//! Every kernel at every size against the CPU, random and worst operands, a file a family; and that mistakes
//! in kernels are seen.

mod cyclic;
mod doubles;
mod instructions;
mod mutants;
mod ntru_prime;
mod paper;
mod words;

use ringsmith_gpu::{Batch, Device, Emulated, Faults, GpuError, Operand, Output, Ring};
use ringsmith_oracle::Random;
use ringsmith_word::WordRing;
use std::sync::Arc;

fn device(faults: Faults) -> Device {
    Device::by(Arc::new(Emulated::new(faults)))
}

/// A device, with threads in either order.
fn devices(mutant: u32) -> [Device; 2] {
    [false, true].map(|descending| device(Faults { mutant, descending, ..Faults::default() }))
}

/// What the products of all pairs on a device are.
fn all<R: Ring>(device: &Device, ring: R, a: &[R::A], b: &[R::B]) -> Result<Vec<R::C>, GpuError> {
    let lengths = ring.lengths();
    let mut out = vec![R::C::default(); a.len() / lengths.a * lengths.c];
    let mut batch = Batch::new(device, ring, 1 << 20)?;
    batch.multiply(&Operand::Host(a), &Operand::Host(b), Output::Host(&mut out))?;
    Ok(out)
}

/// The products that the CPU's word ring has.
fn words(n: usize, p: u64, a: &[u32], b: &[u32]) -> Vec<u32> {
    let ring = WordRing::new(n, p).unwrap();
    let polynomial =
        |x: &[u32]| ring.polynomial(&x.iter().map(|x| u64::from(*x)).collect::<Vec<_>>()).unwrap();
    let pairs = a.chunks(n).zip(b.chunks(n));
    let product = |(a, b)| ring.product(polynomial(a), polynomial(b)).unwrap();
    pairs.map(product).flat_map(|c| c.coefficients().map(|x| x as u32).collect::<Vec<_>>()).collect()
}

/// Operands: random ones, the greatest coefficients, alternating ones, and one coefficient alone.
fn operands(n: usize, p: u64, random: &mut Random) -> Vec<u32> {
    let mut all: Vec<u32> = (0..n).map(|_| (random.word() % p) as u32).collect();
    all.extend((0..n).map(|_| (p - 1) as u32));
    all.extend((0..n).map(|i| if i % 2 == 0 { (p - 1) as u32 } else { 0 }));
    all.extend((0..n).map(|i| u32::from(i == n - 1)));
    all
}

/// The product by its definition.
fn cyclic(n: usize, bits: u32, a: &[u16], b: &[i64]) -> Vec<u16> {
    let mut out = vec![0i64; n];
    for (i, y) in b.iter().enumerate().filter(|(_, y)| **y != 0) {
        for (j, x) in a.iter().enumerate() {
            out[(i + j) % n] += i64::from(*x) * y;
        }
    }
    out.into_iter().map(|x| (x & ((1 << bits) - 1)) as u16).collect()
}

/// Random elements of any size.
fn elements(n: usize, count: usize, bits: u32, random: &mut Random) -> Vec<u16> {
    (0..n * count).map(|_| (random.word() as u16) & ((1 << bits) - 1)).collect()
}
