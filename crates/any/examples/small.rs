//! How long products modulo small numbers take: nanoseconds, the least of many.
use ringsmith_any::{Operands, Polynomial, Ring};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use std::time::{Duration, Instant};

fn main() {
    let cpu = Cpu::from_env().unwrap();
    println!("{}", cpu.name());
    let degrees: Vec<usize> = (6..=16).map(|bits| 1 << bits).chain([509, 761]).collect();
    for (q, n) in [2, 3, 4, 5, 7, 17].into_iter().flat_map(|q| degrees.iter().map(move |n| (q, *n))) {
        for low in [&[(0, 1)][..], &[(1, -1), (0, -1)]] {
            let f = Polynomial::new(&[&[(n, 1)], low].concat()).unwrap();
            let ring = Ring::new_on(cpu, q, &f, Operands::any()).unwrap();
            let mut random = Random::new(1);
            let [a, b] = [(); 2].map(|()| (0..n).map(|_| (random.word() % q) as u16).collect::<Vec<_>>());
            let (mut out, mut room) = (vec![0; n], ring.room().unwrap());
            let (mut least, begin) = (f64::MAX, Instant::now());
            while begin.elapsed() < Duration::from_millis(25) {
                let start = Instant::now();
                ring.product(&a, &b, &mut out, &mut room).unwrap();
                least = least.min(start.elapsed().as_nanos() as f64);
            }
            println!(
                "{q:>3} {n:>6} {:>12} {least:>10.0} ns  {}",
                format!("{} terms", low.len()),
                ring.route()
            );
        }
    }
}
