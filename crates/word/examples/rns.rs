//! What numbers of several words cost beside products: nanoseconds a coefficient, the least of many, in turn.
//!
//! `cargo run --release -p ringsmith-word --example rns`; with the name of a backend, on that one.

use ringsmith_simd::Cpu;
use ringsmith_word::{RnsRing, Shape, WordError, WordRing};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

const DEGREE: usize = 4096;
const COUNTS: [usize; 4] = [1, 2, 4, 8];
/// How often each is measured, and how many calls a measurement takes.
const ROUNDS: usize = 100;
const CALLS: usize = 5;

/// The greatest primes below `2^bits` that serve.
fn primes(bits: u32, count: usize) -> Vec<u64> {
    let order = 2 * DEGREE as u64;
    let candidates = (1..(1 << bits) / order).rev().map(|k| k * order + 1);
    candidates.filter(|p| WordRing::new(DEGREE, *p).is_ok()).take(count).collect()
}

/// The least time of a call so far, in nanoseconds a coefficient.
struct Least(f64);

impl Least {
    fn measure(&mut self, mut call: impl FnMut() -> Result<(), WordError>) -> Result<(), WordError> {
        let start = Instant::now();
        (0..CALLS).try_for_each(|_| call())?;
        self.0 = self.0.min(start.elapsed().as_nanos() as f64 / (CALLS * DEGREE) as f64);
        Ok(())
    }
}

/// The least times of a product, of numbers to residues, of residues to numbers, and of numbers with a sign.
fn measure(ring: &RnsRing) -> Result<[f64; 4], WordError> {
    let mut numbers = vec![0; DEGREE * ring.words()];
    numbers.chunks_exact_mut(ring.words()).for_each(|number| number[0] = 12345);
    let (mut a, b) = (ring.polynomial(&numbers)?, ring.polynomial(&numbers)?);
    let (mut out, mut scratch, small) = (a.try_clone()?, ring.zero()?, vec![-1; DEGREE]);
    let mut least = [(); 4].map(|()| Least(f64::INFINITY));
    for _ in 0..ROUNDS {
        least[0].measure(|| ring.product_into(black_box(&a), &b, &mut out, &mut scratch))?;
        ring.coefficients(&out, &mut numbers)?;
        least[1].measure(|| ring.set(&mut a, black_box(&numbers)))?;
        least[2].measure(|| ring.coefficients(black_box(&out), &mut numbers))?;
        least[3].measure(|| ring.set_small(&mut out, black_box(&small)))?;
    }
    Ok(least.map(|least| least.0))
}

fn main() -> Result<(), Box<dyn Error>> {
    let cpu = std::env::args().nth(1).map_or(Ok(Cpu::detect()), |name| Cpu::from_name(&name))?;
    println!("n = {DEGREE}, on {cpu:?}");
    println!("{:>6} {:>6} {:>8} {:>8} {:>8} {:>8}", "primes", "bits", "product", "read", "write", "small");
    for bits in [30, 46] {
        for count in COUNTS {
            let ring = RnsRing::new_on(cpu, Shape::Negacyclic, DEGREE, &primes(bits, count))?;
            let [product, read, write, small] = measure(&ring)?;
            println!("{count:>6} {bits:>6} {product:>8.2} {read:>8.2} {write:>8.2} {small:>8.2}");
        }
    }
    Ok(())
}
